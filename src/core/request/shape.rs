//! The shapes of declared requests, for TypeScript and JSON Schema. Reading does not need them.

use super::table::{MemberRow, UnionRow};

/// The type of a member.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(not(feature = "typescript"), expect(dead_code, reason = "for TypeScript"))]
pub(crate) enum Shape {
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
#[cfg_attr(not(feature = "typescript"), expect(dead_code, reason = "for TypeScript"))]
pub(crate) struct ObjectShape {
    /// The name in TypeScript.
    pub name: &'static str,
    /// The documentation, line by line.
    pub doc: &'static [&'static str],
    pub members: &'static [MemberShape],
    pub rows: &'static [MemberRow],
    /// The union whose members are among those of the object.
    pub flat: Option<&'static UnionShape>,
    /// Whether undeclared members are kept.
    pub open: bool,
}

/// A member of an object.
#[derive(Debug)]
#[cfg_attr(not(feature = "typescript"), expect(dead_code, reason = "for TypeScript"))]
pub(crate) struct MemberShape {
    /// The documentation, line by line.
    pub doc: &'static [&'static str],
    pub shape: Shape,
}

/// A union of objects.
#[derive(Debug)]
#[cfg_attr(not(feature = "typescript"), expect(dead_code, reason = "for TypeScript"))]
pub(crate) struct UnionShape {
    pub name: &'static str,
    pub doc: &'static [&'static str],
    pub row: &'static UnionRow,
    /// The members of each variant.
    pub members: &'static [&'static [MemberShape]],
}

/// One of several types.
#[derive(Debug)]
#[cfg_attr(not(feature = "typescript"), expect(dead_code, reason = "for TypeScript"))]
pub(crate) struct EitherShape {
    /// The name in TypeScript; empty if its types are written inline.
    pub name: &'static str,
    pub doc: &'static [&'static str],
    pub rows: &'static [MemberRow],
    pub shapes: &'static [Shape],
}
