//! What a declared answer looks like, as data: for templates, TypeScript and JSON Schema. Nothing that reads a stream needs it.

use alloc::string::String;
use core::fmt::Debug;

use crate::core::sink::{Key, Kind};
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
    /// It is not there before it is set.
    pub is_absent: bool,
    /// What it holds.
    pub shape: Shape,
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
}

/// What a member holds.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    /// A string.
    Text,
    /// Any JSON.
    Json,
    /// Any JSON that is changed in place: an object at first.
    Tree,
    /// One of these words.
    Words(&'static WordsShape),
    /// This or null.
    Nullable(&'static Shape),
    /// A list of these.
    List(&'static Shape),
    /// An object.
    Object(&'static ObjectShape),
    /// One of several objects.
    Union(&'static UnionShape),
}

impl Model {
    /// The number of the first member of an object: members are numbered through.
    pub const fn first_key(&self, kind: u8) -> u8 {
        let (mut at, mut count) = (0, 0);
        while at < kind as usize {
            count += self.objects[at].members.len();
            at += 1;
        }
        assert!(count < 256, "too many members");
        count as u8
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

    /// The name of a member.
    pub fn key(&self, key: Key) -> Option<&'static str> {
        self.objects.iter().flat_map(|object| object.members).nth(key.0.into()).map(|member| member.name)
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
        if let Some((tag, name)) = self.tag(object) {
            json.string(tag, Some(name));
        }
        for member in object.members.iter().filter(|member| !member.is_absent) {
            let out = json.member(member.name);
            match member.shape {
                Shape::Text => write_string("", out),
                Shape::Words(words) => write_string(words.words.first().copied().unwrap_or_default(), out),
                Shape::List(_) => put(out, "[]"),
                Shape::Tree => put(out, "{}"),
                Shape::Json | Shape::Nullable(_) | Shape::Object(_) | Shape::Union(_) => put(out, "null"),
            }
        }
        json.close();
    }

    /// The tables as one JSON text: `{"keys": [...], "words": [...], "templates": [...]}`, the templates as objects: what a
    /// reader of [`PatchBuffer`](crate::core::patch::PatchBuffer)'s ops needs to know.
    pub fn patch_schema(&self) -> String {
        let mut out = String::new();
        let mut object = JsonObject::open(&mut out, false);
        let members = self.objects.iter().flat_map(|object| object.members);
        write_list(members, object.member("keys"), |member, out| write_string(member.name, out));
        let words = self.words.iter().flat_map(|list| list.words);
        write_list(words, object.member("words"), |word, out| write_string(word, out));
        write_list(self.objects, object.member("templates"), |object, out| self.write_template(object, out));
        object.close();
        out
    }
}
