//! The numbers in a declared answer: of members, of words, and the depth of objects; the initial values of the objects,
//! and the tables that a reader of the patch needs.

use alloc::string::String;

#[cfg(feature = "serde")]
use super::shape::WordsShape;
use super::shape::{MemberShape, Model, ObjectShape, Shape};
use crate::core::sink::{Key, Kind, SinkValue};
use crate::json::{Object, put, write_list, write_string};

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
    /// Returns the number of the members with a name, in all objects: the position of the first one among all members.
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

    /// Returns the number of the first word of a list. The numbers of words are consecutive across lists.
    pub const fn first_word(&self, list: u8) -> u8 {
        let (mut at, mut count) = (0, 0);
        while at < list as usize {
            count += self.words[at].words.len();
            at += 1;
        }
        assert!(count < 256, "too many words");
        count as u8
    }

    pub(super) fn members(&self) -> impl Iterator<Item = &'static MemberShape> {
        self.objects.iter().flat_map(|object| object.members)
    }

    pub(super) fn words(&self) -> impl Iterator<Item = &'static str> {
        self.words.iter().flat_map(|list| list.words).copied()
    }

    /// Returns the maximum number of objects around an object.
    pub(crate) const fn depth(&self) -> usize {
        depth_inside(self.objects[0])
    }

    /// Returns the name of a member.
    pub fn key(&self, key: Key) -> Option<&'static str> {
        self.members().nth(key.0.into()).map(|member| member.name)
    }

    /// Returns the first member with a name that contains one or several objects.
    pub(super) fn member(&self, name: &str) -> Option<&'static MemberShape> {
        self.members()
            .find(|member| member.name == name && (member.shape.is_list() || member.shape.object().is_some()))
    }

    /// Returns the number of the members with a name.
    pub(crate) fn find_key(&self, name: &str) -> Option<Key> {
        self.members().position(|member| member.name == name).map(|at| Key(at as u8))
    }

    /// Returns the number of a declared word.
    pub(crate) fn word(&self, text: &str) -> Option<u8> {
        let same = |word: &str| crate::bytes::same(word.as_bytes(), text.as_bytes());
        self.words().position(same).map(|at| at as u8)
    }

    /// Returns the value of a text for a list of words: the word, or any other string. Two lists of a model do not
    /// have the same words.
    #[cfg(feature = "serde")]
    pub(super) fn value_of<'v>(&self, words: &'static WordsShape, text: &'v str) -> SinkValue<'v> {
        let list = self.words.iter().position(|list| list.words == words.words);
        let word = words.words.iter().position(|word| *word == text);
        match (list, word) {
            (Some(list), Some(word)) => SinkValue::Word(self.first_word(list as u8) + word as u8),
            _ => SinkValue::Str(text),
        }
    }

    /// Returns the text of a string or a word, an empty text for any other value.
    pub(crate) fn text<'v>(&self, value: SinkValue<'v>) -> &'v str {
        match value {
            SinkValue::Str(text) => text,
            SinkValue::Word(word) => self.words().nth(word.into()).unwrap_or(""),
            _ => "",
        }
    }

    /// Returns the tag of an object of a union, and its value.
    pub const fn tag(&self, object: &ObjectShape) -> Option<(&'static str, &'static str)> {
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
}

impl Model {
    /// Returns the initial value of an object of a kind, as JSON.
    pub fn template(&self, kind: Kind) -> String {
        let mut out = String::new();
        if let Some(object) = self.objects.get(kind.0 as usize) {
            self.write_template(object, &mut out);
        }
        out
    }

    fn write_template(&self, object: &ObjectShape, out: &mut String) {
        let mut json = Object::open(out, false);
        let tag = self.tag(object);
        let base = object.base.map_or(&[][..], |base| base.members);
        // An object with a member for its tag has the tag there, any other object at the beginning.
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

    /// Returns the tables as one JSON text: `{"keys": [...], "words": [...], "templates": [...]}`, the templates as
    /// objects. A reader of [`PatchBuffer`](crate::core::patch::PatchBuffer)'s ops needs them.
    pub fn patch_schema(&self) -> String {
        let mut out = String::new();
        let mut object = Object::open(&mut out, false);
        write_list(self.members(), object.member("keys"), |member, out| write_string(member.name, out));
        write_list(self.words(), object.member("words"), write_string);
        write_list(self.objects, object.member("templates"), |object, out| self.write_template(object, out));
        object.close();
        out
    }
}
