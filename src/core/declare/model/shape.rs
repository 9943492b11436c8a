//! The shape of a declared answer as data: for templates, TypeScript and JSON Schema. Reading a stream does not need
//! it.

use core::fmt::Debug;

/// The parts of a protocol's answer.
#[derive(Debug)]
pub struct Model {
    /// The objects; their numbers are the [`Kind`](crate::core::sink::Kind)s that an engine passes to its sink. The
    /// first is the root.
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
    pub shape: Shape,
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
pub enum Shape {
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
    Nullable(&'static Shape),
    /// This shape, or absent.
    Absent(&'static Shape),
    /// A list of these.
    List(&'static Shape),
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
    #[cfg(feature = "responses")]
    pub(crate) fn member(&self, name: &str) -> Option<&'static MemberShape> {
        let base = self.base.map_or(&[][..], |base| base.members);
        base.iter().chain(self.members).find(|member| member.name == name)
    }
}

impl Shape {
    /// Returns the shape of a present value, and whether it may be null.
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

    /// Returns the object of the member or of its list; `None` for a union, which has several.
    pub(super) fn object(&self) -> Option<&'static ObjectShape> {
        match self {
            Shape::Nullable(inner) | Shape::Absent(inner) | Shape::List(inner) => inner.object(),
            Shape::Object(object) => Some(object),
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
