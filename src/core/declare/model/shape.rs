//! What a declared answer looks like, as data: for templates, TypeScript and JSON Schema. Nothing that reads a stream needs it.

use core::fmt::Debug;

/// All that a protocol's answer consists of.
#[derive(Debug)]
pub struct Model {
    /// The objects; their numbers are the [`Kind`](crate::core::sink::Kind)s that a fold gives its sink. The first is the root.
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
    /// It keeps members that are not declared.
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

impl ObjectShape {
    /// The member of that name, its own or one of its base.
    #[cfg(feature = "responses")]
    pub(crate) fn member(&self, name: &str) -> Option<&'static MemberShape> {
        let base = self.base.map_or(&[][..], |base| base.members);
        base.iter().chain(self.members).find(|member| member.name == name)
    }
}

impl Shape {
    /// What a member holds when it holds something, and whether it may be null.
    #[cfg(feature = "responses")]
    pub(crate) fn inner(&self) -> (&Shape, bool) {
        match self {
            Shape::Absent(inside) => inside.inner(),
            Shape::Nullable(inside) => (inside.inner().0, true),
            shape => (shape, false),
        }
    }

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
