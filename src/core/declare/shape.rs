//! What a declared answer looks like, as data: for templates, TypeScript and JSON Schema. Nothing that reads a stream needs it.

use alloc::string::String;
use core::fmt::Debug;

use crate::core::sink::{Key, Kind, SinkValue};
use crate::json::{Object as JsonObject, put, write_list, write_string};

/// All that a protocol's answer consists of.
#[derive(Debug)]
pub struct Model {
    /// The objects; their numbers are the [`Kind`]s that a fold gives its sink. The first is the root.
    pub objects: &'static [&'static ObjectShape],
    /// The unions of them.
    pub unions: &'static [&'static UnionShape],
    /// The lists of words.
    pub words: &'static [&'static WordsShape],
}

/// An object.
#[derive(Debug)]
pub struct ObjectShape {
    /// Its number.
    pub kind: u8,
    /// What it is called in TypeScript.
    #[cfg(feature = "std")]
    pub name: &'static str,
    /// Its documentation, line by line.
    #[cfg(feature = "std")]
    pub doc: &'static [&'static str],
    /// The object whose members it has, too, before its own.
    pub base: Option<&'static ObjectShape>,
    /// Its members, in the order in which they are written.
    pub members: &'static [MemberShape],
}

/// A member of an object.
#[derive(Debug)]
pub struct MemberShape {
    /// Its name in JSON.
    pub name: &'static str,
    /// Its documentation, line by line.
    #[cfg(feature = "std")]
    pub doc: &'static [&'static str],
    /// What it holds.
    pub shape: Shape,
    /// The word that it starts with, if it is not the first one.
    pub start: &'static str,
}

/// Objects that are told apart by a tag.
#[derive(Debug)]
pub struct UnionShape {
    /// What it is called in TypeScript.
    #[cfg(feature = "std")]
    pub name: &'static str,
    /// Its documentation, line by line.
    #[cfg(feature = "std")]
    pub doc: &'static [&'static str],
    /// The member that tells them apart.
    pub tag: &'static str,
    /// What it says, and of which object.
    pub variants: &'static [(&'static str, &'static ObjectShape)],
    /// What the objects are of which it says something else, if there are such.
    pub other: Option<&'static ObjectShape>,
}

/// A list of words.
#[derive(Debug)]
pub struct WordsShape {
    /// What it is called in TypeScript.
    #[cfg(feature = "std")]
    pub name: &'static str,
    /// Its documentation, line by line.
    #[cfg(feature = "std")]
    pub doc: &'static [&'static str],
    /// The words. The first is what an object starts with.
    pub words: &'static [&'static str],
    /// Any other string may stand in their place.
    #[cfg(feature = "std")]
    pub open: bool,
}

/// What a member holds.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    /// A string.
    Text,
    /// An integer.
    Integer,
    /// Any JSON.
    Json,
    /// Any JSON that is patched: an object at first.
    Tree,
    /// An object of any members.
    JsonObject,
    /// One of these words.
    Words(&'static WordsShape),
    /// This or null.
    Nullable(&'static Shape),
    /// This, or nothing at all.
    Absent(&'static Shape),
    /// A list of these.
    List(&'static Shape),
    /// An object.
    Object(&'static ObjectShape),
    /// One of several objects.
    Union(&'static UnionShape),
    /// Always this, as JSON.
    Fixed(&'static str),
    /// What the object is, of a union.
    Tag,
}

impl Shape {
    /// Whether it is a list, which may be absent or null.
    pub(super) fn is_list(&self) -> bool {
        match self {
            Shape::Nullable(inner) | Shape::Absent(inner) => inner.is_list(),
            shape => matches!(shape, Shape::List(_)),
        }
    }

    /// The object that it is, or that stands in its list; of a union none, which has several.
    pub(super) fn object(&self) -> Option<&'static ObjectShape> {
        match self {
            Shape::Nullable(inner) | Shape::Absent(inner) | Shape::List(inner) => inner.object(),
            Shape::Object(object) => Some(object),
            _ => None,
        }
    }
}

/// The name that a member has in JSON where none is given: its own.
pub(crate) const fn wire_name(name: &'static str) -> &'static str {
    match name.as_bytes() {
        [b'r', b'#', ..] => name.split_at(2).1,
        _ => name,
    }
}

const fn same(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let mut at = 0;
    while at < one.len() && at < other.len() && one[at] == other[at] {
        at += 1;
    }
    at == one.len() && at == other.len()
}

const fn depth_inside(object: &ObjectShape) -> usize {
    let (mut at, mut most) = (0, 0);
    while at < object.members.len() {
        let depth = depth_of(&object.members[at].shape);
        most = if depth > most { depth } else { most };
        at += 1;
    }
    most
}

const fn depth_of(shape: &Shape) -> usize {
    match shape {
        Shape::Nullable(shape) | Shape::List(shape) => depth_of(shape),
        Shape::Object(object) => 1 + depth_inside(object),
        Shape::Union(union) => {
            let (mut at, mut most) = (0, 0);
            while at < union.variants.len() {
                let depth = depth_inside(union.variants[at].1);
                most = if depth > most { depth } else { most };
                at += 1;
            }
            1 + most
        }
        _ => 0,
    }
}

impl Model {
    /// The number of the members of a name, whatever object they are in: where the first of them stands among all members.
    pub const fn key_of(&self, name: &str) -> Key {
        let (mut object, mut count) = (0, 0);
        while object < self.objects.len() {
            let members = self.objects[object].members;
            let mut at = 0;
            while at < members.len() {
                if same(members[at].name, name) {
                    assert!(count < 255, "too many members");
                    return Key(count as u8);
                }
                count += 1;
                at += 1;
            }
            object += 1;
        }
        panic!("no object has this member")
    }

    /// The number of the first word of a list: words are numbered through.
    pub const fn first_word(&self, list: u8) -> u8 {
        let (mut at, mut count) = (0, 0);
        while at < list as usize {
            count += self.words[at].words.len();
            at += 1;
        }
        assert!(count < 256, "too many words");
        count as u8
    }

    fn members(&self) -> impl Iterator<Item = &'static MemberShape> {
        self.objects.iter().flat_map(|object| object.members)
    }

    fn words(&self) -> impl Iterator<Item = &'static str> {
        self.words.iter().flat_map(|list| list.words).copied()
    }

    /// How many objects an object is inside of at most.
    pub(crate) const fn depth(&self) -> usize {
        depth_inside(self.objects[0])
    }

    /// The name of a member.
    pub fn key(&self, key: Key) -> Option<&'static str> {
        self.members().nth(key.0.into()).map(|member| member.name)
    }

    /// The first member of a name that is one or several objects.
    pub(super) fn member(&self, name: &str) -> Option<&'static MemberShape> {
        self.members()
            .find(|member| member.name == name && (member.shape.is_list() || member.shape.object().is_some()))
    }

    /// The number of the members of a name.
    pub(super) fn find_key(&self, name: &str) -> Option<Key> {
        self.members().position(|member| member.name == name).map(|at| Key(at as u8))
    }

    /// The number of a word, if it is a declared one.
    pub(crate) fn word(&self, text: &str) -> Option<u8> {
        let same = |word: &str| crate::bytes::same(word.as_bytes(), text.as_bytes());
        self.words().position(same).map(|at| at as u8)
    }

    /// The value that a text is in place of one of these words: the word, or any other string. No two lists of a model have
    /// the same words.
    #[cfg(feature = "serde")]
    pub(super) fn value_of<'v>(&self, words: &'static WordsShape, text: &'v str) -> SinkValue<'v> {
        let list = self.words.iter().position(|list| list.words == words.words);
        let word = words.words.iter().position(|word| *word == text);
        match (list, word) {
            (Some(list), Some(word)) => SinkValue::Word(self.first_word(list as u8) + word as u8),
            _ => SinkValue::Str(text),
        }
    }

    /// A value as text: a string or a word; nothing else is one.
    pub(crate) fn text<'v>(&self, value: SinkValue<'v>) -> &'v str {
        match value {
            SinkValue::Str(text) => text,
            SinkValue::Word(word) => self.words().nth(word.into()).unwrap_or(""),
            _ => "",
        }
    }

    /// The tag of an object of a union, and what it says there.
    pub(super) const fn tag(&self, object: &ObjectShape) -> Option<(&'static str, &'static str)> {
        let mut at = 0;
        while at < self.unions.len() {
            let union = self.unions[at];
            let mut variant = 0;
            while variant < union.variants.len() {
                let (name, of) = union.variants[variant];
                if of.kind == object.kind {
                    return Some((union.tag, name));
                }
                variant += 1;
            }
            at += 1;
        }
        None
    }

    /// What an object of a kind starts with, as JSON.
    pub fn template(&self, kind: Kind) -> String {
        let mut out = String::new();
        if let Some(object) = self.objects.get(kind.0 as usize) {
            self.write_template(object, &mut out);
        }
        out
    }

    fn write_template(&self, object: &ObjectShape, out: &mut String) {
        let mut json = JsonObject::open(out, false);
        let tag = self.tag(object);
        let base = object.base.map_or(&[][..], |base| base.members);
        // An object with a place for its tag has it there, any other one at the beginning.
        let has_place = base.iter().any(|member| matches!(member.shape, Shape::Tag));
        if let (Some((tag, name)), false) = (tag, has_place) {
            json.string(tag, Some(name));
        }
        for member in base.iter().chain(object.members) {
            if matches!(member.shape, Shape::Absent(_)) {
                continue;
            }
            let out = json.member(member.name);
            match member.shape {
                Shape::Text => write_string("", out),
                Shape::Words(_) if !member.start.is_empty() => write_string(member.start, out),
                Shape::Words(words) => write_string(words.words.first().copied().unwrap_or_default(), out),
                Shape::Tag => write_string(tag.map_or("", |(_, name)| name), out),
                Shape::Fixed(json) => put(out, json),
                Shape::Integer => put(out, "0"),
                Shape::List(_) => put(out, "[]"),
                Shape::Tree => put(out, "{}"),
                Shape::Absent(_)
                | Shape::Json
                | Shape::JsonObject
                | Shape::Nullable(_)
                | Shape::Object(_)
                | Shape::Union(_) => {
                    put(out, "null");
                }
            }
        }
        json.close();
    }

    /// The tables as one JSON text: `{"keys": [...], "words": [...], "templates": [...]}`, the templates as objects: what a
    /// reader of [`PatchBuffer`](crate::core::patch::PatchBuffer)'s ops needs to know.
    pub fn patch_schema(&self) -> String {
        let mut out = String::new();
        let mut object = JsonObject::open(&mut out, false);
        write_list(self.members(), object.member("keys"), |member, out| write_string(member.name, out));
        write_list(self.words(), object.member("words"), write_string);
        write_list(self.objects, object.member("templates"), |object, out| self.write_template(object, out));
        object.close();
        out
    }
}
