//! The shapes of declared requests, for TypeScript and JSON Schema. Reading does not need them.

use super::table::{MemberRow, UnionRow};

/// The type of a member.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    /// A string.
    Text,
    /// True or false.
    Bool,
    /// A number.
    Number,
    /// Any JSON.
    Json,
    /// A type with that name, which is declared elsewhere.
    Named(&'static str),
    /// An object.
    Object(&'static ObjectShape),
    /// One of several objects, identified by a tag.
    Union(&'static UnionShape),
    /// One of several types.
    Either(&'static EitherShape),
    /// This shape or null.
    Nullable(&'static Shape),
    /// A list of these.
    List(&'static Shape),
}

/// An object.
#[derive(Debug)]
pub struct ObjectShape {
    /// The name in TypeScript.
    pub name: &'static str,
    /// The documentation, line by line.
    pub doc: &'static [&'static str],
    /// The shapes of its members.
    pub members: &'static [MemberShape],
    /// Its members.
    pub rows: &'static [MemberRow],
    /// The union whose members are among those of the object.
    pub flat: Option<&'static UnionShape>,
    /// Whether undeclared members are kept.
    pub open: bool,
}

/// A member of an object.
#[derive(Debug)]
pub struct MemberShape {
    /// The documentation, line by line.
    pub doc: &'static [&'static str],
    /// The type of its value.
    pub shape: Shape,
}

/// A union of objects.
#[derive(Debug)]
pub struct UnionShape {
    /// The name in TypeScript.
    pub name: &'static str,
    /// The documentation, line by line.
    pub doc: &'static [&'static str],
    /// The variants.
    pub row: &'static UnionRow,
    /// The members of each variant.
    pub members: &'static [&'static [MemberShape]],
}

/// One of several types.
#[derive(Debug)]
pub struct EitherShape {
    /// The name in TypeScript; empty if its types are written inline.
    pub name: &'static str,
    /// The documentation, line by line.
    pub doc: &'static [&'static str],
    /// The rules of each type.
    pub rows: &'static [MemberRow],
    /// The types.
    pub shapes: &'static [Shape],
}
