//! The shape of a declared answer as data: for templates, TypeScript and JSON Schema. Reading a
//! stream does not need it.

use alloc::string::String;
use core::fmt::Debug;

use crate::core::sink::{Field, FieldValue, ObjectKind};
use crate::json::{ObjectWriter, put, write_list, write_string};

/// The parts of a protocol's answer.
#[derive(Debug)]
pub struct ModelShape {
    /// The objects; their numbers are the [`ObjectKind`](crate::core::sink::ObjectKind)s that an
    /// engine passes to its sink. The first is the root.
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
    /// The name in TypeScript.
    #[cfg(feature = "std")]
    pub name: &'static str,
    /// Its documentation, line by line.
    #[cfg(feature = "std")]
    pub doc: &'static [&'static str],
    /// The object whose members precede its own members.
    pub base: Option<&'static ObjectShape>,
    /// Its members, in the order in which they are written.
    pub members: &'static [MemberShape],
    /// Whether undeclared members are kept.
    #[cfg(feature = "std")]
    pub open: bool,
}

/// A member of an object.
#[derive(Debug)]
pub struct MemberShape {
    /// Its name in JSON.
    pub name: &'static str,
    /// Its documentation, line by line.
    #[cfg(feature = "std")]
    pub doc: &'static [&'static str],
    /// The shape of the value.
    pub shape: ValueShape,
    /// The initial word, if it is not the first one.
    pub start: &'static str,
}

/// Objects that are identified by a tag.
#[derive(Debug)]
pub struct UnionShape {
    /// The name in TypeScript.
    #[cfg(feature = "std")]
    pub name: &'static str,
    /// Its documentation, line by line.
    #[cfg(feature = "std")]
    pub doc: &'static [&'static str],
    /// The name of the tag.
    pub tag: &'static str,
    /// The values of the tag, each with its object.
    pub variants: &'static [(&'static str, &'static ObjectShape)],
    /// The object for undeclared values of the tag, if any.
    pub other: Option<&'static ObjectShape>,
}

/// A list of words.
#[derive(Debug)]
pub struct WordsShape {
    /// The name in TypeScript.
    #[cfg(feature = "std")]
    pub name: &'static str,
    /// Its documentation, line by line.
    #[cfg(feature = "std")]
    pub doc: &'static [&'static str],
    /// The words. The first is the initial value.
    pub words: &'static [&'static str],
    /// Whether any other string is allowed.
    #[cfg(feature = "std")]
    pub open: bool,
}

/// The shape of a member's value.
#[derive(Clone, Copy, Debug)]
pub enum ValueShape {
    /// A string.
    Text,
    /// An integer.
    Integer,
    /// Any JSON.
    Json,
    /// Any JSON that is patched: initially an object.
    Tree,
    /// An object with any members.
    JsonObject,
    /// One of these words.
    Words(&'static WordsShape),
    /// This shape or null.
    Nullable(&'static ValueShape),
    /// This shape, or absent.
    Absent(&'static ValueShape),
    /// A list of these.
    List(&'static ValueShape),
    /// An object.
    Object(&'static ObjectShape),
    /// One of several objects.
    Union(&'static UnionShape),
    /// A constant, as JSON.
    Fixed(&'static str),
    /// The tag of an object of a union.
    Tag,
}

impl ObjectShape {
    /// Returns the member with a name, including the members of the base.
    pub(crate) fn member(&self, name: &str) -> Option<&'static MemberShape> {
        let base = self.base.map_or(&[][..], |base| base.members);
        base.iter().chain(self.members).find(|member| member.name == name)
    }
}

impl ValueShape {
    /// Returns the shape of a present value, and whether it may be null.
    #[cfg(any(feature = "hub", feature = "responses", feature = "interactions"))]
    pub(crate) fn inner(&self) -> (&ValueShape, bool) {
        match self {
            ValueShape::Absent(inside) => inside.inner(),
            ValueShape::Nullable(inside) => (inside.inner().0, true),
            shape => (shape, false),
        }
    }

    /// Whether it is a list, which may be absent or null.
    pub(super) fn is_list(&self) -> bool {
        match self {
            ValueShape::Nullable(inner) | ValueShape::Absent(inner) => inner.is_list(),
            shape => matches!(shape, ValueShape::List(_)),
        }
    }

    /// Returns the object of the member or of its list; `None` for a union, which has several.
    pub(super) fn object(&self) -> Option<&'static ObjectShape> {
        match self {
            ValueShape::Nullable(inner) | ValueShape::Absent(inner) | ValueShape::List(inner) => {
                inner.object()
            }
            ValueShape::Object(object) => Some(object),
            _ => None,
        }
    }
}

/// Returns the default name of a member in JSON: its Rust name.
pub(crate) const fn wire_name(name: &'static str) -> &'static str {
    match name.as_bytes() {
        [b'r', b'#', ..] => name.split_at(2).1,
        _ => name,
    }
}

// The numbers in a declared answer: of members, of words, and the depth of objects; the initial
// values of the objects, and the tables that a reader of the patch needs.

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

const fn depth_of(shape: &ValueShape) -> usize {
    match shape {
        ValueShape::Nullable(shape) | ValueShape::List(shape) => depth_of(shape),
        ValueShape::Object(object) => 1 + depth_inside(object),
        ValueShape::Union(union) => {
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

impl ModelShape {
    /// Returns the number of the members with a name, in all objects: the position of the first one
    /// among all members.
    pub const fn key_of(&self, name: &str) -> Field {
        let (mut object, mut count) = (0, 0);
        while object < self.objects.len() {
            let members = self.objects[object].members;
            let mut at = 0;
            while at < members.len() {
                if same(members[at].name, name) {
                    assert!(count < 255, "too many members");
                    return Field(count as u8);
                }
                count += 1;
                at += 1;
            }
            object += 1;
        }
        panic!("no object has this member")
    }

    /// Returns the number of the first word of a list. The numbers of words are consecutive across
    /// lists.
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
    pub fn key(&self, key: Field) -> Option<&'static str> {
        self.members().nth(key.0.into()).map(|member| member.name)
    }

    /// Returns the first member with a name that contains one or several objects.
    pub(super) fn member(&self, name: &str) -> Option<&'static MemberShape> {
        self.members().find(|member| {
            member.name == name && (member.shape.is_list() || member.shape.object().is_some())
        })
    }

    /// Returns the number of the members with a name.
    pub(crate) fn find_key(&self, name: &str) -> Option<Field> {
        self.members().position(|member| member.name == name).map(|at| Field(at as u8))
    }

    /// Returns the number of a declared word.
    pub(crate) fn word(&self, text: &str) -> Option<u8> {
        let same = |word: &str| crate::bytes::same(word.as_bytes(), text.as_bytes());
        self.words().position(same).map(|at| at as u8)
    }

    /// Returns the value of a text for a list of words: the word, or any other string. Two lists of
    /// a model do not have the same words.
    #[cfg(feature = "serde")]
    pub(super) fn value_of<'v>(&self, words: &'static WordsShape, text: &'v str) -> FieldValue<'v> {
        let list = self.words.iter().position(|list| list.words == words.words);
        let word = words.words.iter().position(|word| *word == text);
        match (list, word) {
            (Some(list), Some(word)) => FieldValue::Word(self.first_word(list as u8) + word as u8),
            _ => FieldValue::Str(text),
        }
    }

    /// Returns the text of a string or a word, an empty text for any other value.
    pub(crate) fn text<'v>(&self, value: FieldValue<'v>) -> &'v str {
        match value {
            FieldValue::Str(text) => text,
            FieldValue::Word(word) => self.words().nth(word.into()).unwrap_or(""),
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

impl ModelShape {
    /// Returns the initial value of an object of a kind, as JSON.
    pub fn template(&self, kind: ObjectKind) -> String {
        let mut out = String::new();
        if let Some(object) = self.objects.get(kind.0 as usize) {
            self.write_template(object, &mut out);
        }
        out
    }

    fn write_template(&self, object: &ObjectShape, out: &mut String) {
        let mut json = ObjectWriter::open(out, false);
        let tag = self.tag(object);
        let base = object.base.map_or(&[][..], |base| base.members);
        // An object with a member for its tag has the tag there, any other object at the beginning.
        let has_place = base.iter().any(|member| matches!(member.shape, ValueShape::Tag));
        if let (Some((tag, name)), false) = (tag, has_place) {
            json.string(tag, Some(name));
        }
        for member in base.iter().chain(object.members) {
            if matches!(member.shape, ValueShape::Absent(_)) {
                continue;
            }
            let out = json.member(member.name);
            match member.shape {
                ValueShape::Text => write_string("", out),
                ValueShape::Words(_) if !member.start.is_empty() => write_string(member.start, out),
                ValueShape::Words(words) => {
                    write_string(words.words.first().copied().unwrap_or_default(), out)
                }
                ValueShape::Tag => write_string(tag.map_or("", |(_, name)| name), out),
                ValueShape::Fixed(json) => put(out, json),
                ValueShape::Integer => put(out, "0"),
                ValueShape::List(_) => put(out, "[]"),
                ValueShape::Tree => put(out, "{}"),
                ValueShape::Absent(_)
                | ValueShape::Json
                | ValueShape::JsonObject
                | ValueShape::Nullable(_)
                | ValueShape::Object(_)
                | ValueShape::Union(_) => {
                    put(out, "null");
                }
            }
        }
        json.close();
    }

    /// Returns the tables as one JSON text: `{"keys": [...], "words": [...], "templates": [...]}`,
    /// the templates as objects. A reader of [`PatchBuffer`](crate::core::patch::PatchBuffer)'s ops
    /// needs them.
    pub fn patch_schema(&self) -> String {
        let mut out = String::new();
        let mut object = ObjectWriter::open(&mut out, false);
        write_list(self.members(), object.member("keys"), |member, out| {
            write_string(member.name, out)
        });
        write_list(self.words(), object.member("words"), write_string);
        write_list(self.objects, object.member("templates"), |object, out| {
            self.write_template(object, out)
        });
        object.close();
        out
    }
}
