//! What a declared request looks like, for TypeScript and JSON Schema. Nothing that reads one needs it.

use super::table::{MemberRow, UnionRow};

/// What a member holds.
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
    /// A type of that name, which is declared elsewhere.
    Named(&'static str),
    /// An object.
    Object(&'static ObjectShape),
    /// One of several objects, by a tag.
    Union(&'static UnionShape),
    /// One of several types.
    Either(&'static EitherShape),
    /// This or null.
    Nullable(&'static Shape),
    /// A list of these.
    List(&'static Shape),
}

/// An object.
#[derive(Debug)]
#[cfg_attr(not(feature = "typescript"), expect(dead_code, reason = "for TypeScript"))]
pub(crate) struct ObjectShape {
    /// What it is called in TypeScript.
    pub name: &'static str,
    /// Its documentation, line by line.
    pub doc: &'static [&'static str],
    pub members: &'static [MemberShape],
    pub rows: &'static [MemberRow],
    /// The union whose members stand among those of the object.
    pub flat: Option<&'static UnionShape>,
    /// Whether members that are not declared are kept.
    pub open: bool,
}

/// A member of an object.
#[derive(Debug)]
#[cfg_attr(not(feature = "typescript"), expect(dead_code, reason = "for TypeScript"))]
pub(crate) struct MemberShape {
    /// Its documentation, line by line.
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
    /// What it is called in TypeScript; empty where its types stand in its place.
    pub name: &'static str,
    pub doc: &'static [&'static str],
    pub rows: &'static [MemberRow],
    pub shapes: &'static [Shape],
}
