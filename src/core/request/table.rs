//! The table of declared requests: the types of members and their rules. Reading, writing and
//! checking use the names and rules; TypeScript is printed from the rest, which builds without
//! `std` leave out.

use alloc::string::String;

use super::problem::Words;
use crate::json::Value;

/// The type of a member.
#[derive(Clone, Copy, Debug)]
pub enum RequestShape {
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
    Object(&'static ObjectRow),
    /// One of several objects, identified by a tag.
    Union(&'static UnionRow),
    /// One of several types.
    Either(&'static EitherRow),
    /// This shape or null.
    Nullable(&'static RequestShape),
    /// A list of these.
    List(&'static RequestShape),
}

/// An object.
#[derive(Debug)]
pub struct ObjectRow {
    /// The name of the class in errors; empty if they do not name it.
    pub class: &'static str,
    /// The members, in the order in which they are written.
    pub members: &'static [RequestMemberRow],
    /// The name in TypeScript.
    #[cfg(feature = "std")]
    pub name: &'static str,
    /// The documentation, line by line.
    #[cfg(feature = "std")]
    pub doc: &'static [&'static str],
    /// The union whose members are among those of the object.
    #[cfg(feature = "std")]
    pub flat: Option<&'static UnionRow>,
    /// Whether undeclared members are kept.
    #[cfg(feature = "std")]
    pub open: bool,
}

/// A union whose variants are identified by a member.
#[derive(Debug)]
pub struct UnionRow {
    /// The name of that member, the tag.
    pub tag: &'static str,
    /// The values of the tag, in the order of the variants.
    pub names: Words,
    /// The members of each variant.
    pub members: &'static [&'static [RequestMemberRow]],
    /// The variant that is used for further checks if the tag is unknown. Without one, the error
    /// has no further problems, and paths inside the union contain the variant.
    pub fallback: Option<usize>,
    /// The name in TypeScript.
    #[cfg(feature = "std")]
    pub name: &'static str,
    /// The documentation, line by line.
    #[cfg(feature = "std")]
    pub doc: &'static [&'static str],
}

/// One of several types.
#[derive(Debug)]
pub struct EitherRow {
    /// The name in TypeScript.
    pub name: &'static str,
    /// The documentation, line by line.
    pub doc: &'static [&'static str],
    /// The types, named as in errors.
    pub members: &'static [RequestMemberRow],
}

/// A member.
#[derive(Debug)]
pub struct RequestMemberRow {
    /// The name in JSON.
    pub name: &'static str,
    /// Whether its type can represent null.
    pub nullable: bool,
    /// The rules in addition to its type.
    pub rules: &'static [MemberRule],
    /// The type of its value.
    #[cfg(feature = "std")]
    pub shape: RequestShape,
    /// The documentation, line by line.
    #[cfg(feature = "std")]
    pub doc: &'static [&'static str],
}

/// A rule of a member in addition to its type.
#[derive(Debug)]
pub enum MemberRule {
    /// Another spelling of its name. If both are present, this one counts as undeclared.
    Alias(&'static str),
    /// The member may be omitted and then has its default. Null has another meaning.
    Default,
    /// An omitted or null member is empty.
    NullIsAbsent,
    /// A text that may be omitted and may not be null.
    NotNull,
    /// The member is required, but may be null.
    RequiredNullable,
    /// An object with any members.
    Object,
    /// An object with at least one member.
    NonEmpty,
    /// A list with at least one item.
    SomeItems,
    /// One of these words.
    OneOf(Words),
    /// A range of numbers, both included.
    Within(i16, i16),
    /// Converts the value before it is read.
    Converted(fn(Value) -> Value),
    /// The member is in an object of that name, together with the adjacent members with the same
    /// rule.
    Inside(&'static str),
    /// The compact form omits it if it is empty or false.
    OmitWhenEmpty,
    /// The full form writes this if the member is not set.
    UnsetAs(&'static str),
    /// Writes a text instead of the JSON value.
    Written(fn(&Value) -> String),
    /// After it, a member with a constant value is written.
    FollowedBy(&'static [&'static str; 2]),
    /// After it, the tag of the object's union is written.
    FollowedByTag,
    /// It is written after the other members.
    Last,
}

/// Returns the value of the first rule that matches a pattern.
macro_rules! rule {
    ($row:expr, $pattern:pat $(=> $value:expr)?) => {
        $row.rules.iter().find_map(|rule| match rule {
            $pattern => Some(($($value)?)),
            _ => None,
        })
    };
}
pub(super) use rule;

impl RequestMemberRow {
    /// Creates a member.
    #[cfg_attr(
        not(feature = "std"),
        expect(unused_variables, reason = "the documentation is for TypeScript")
    )]
    pub const fn new(
        name: &'static str,
        doc: &'static [&'static str],
        shape: RequestShape,
        rules: &'static [MemberRule],
    ) -> Self {
        RequestMemberRow {
            name,
            nullable: matches!(shape, RequestShape::Nullable(_)),
            rules,
            #[cfg(feature = "std")]
            shape,
            #[cfg(feature = "std")]
            doc,
        }
    }

    /// Whether the member is required.
    pub fn is_required(&self) -> bool {
        let may_be_absent = self.nullable
            || self
                .rules
                .iter()
                .any(|rule| matches!(rule, MemberRule::Default | MemberRule::NullIsAbsent));
        !may_be_absent || self.rules.iter().any(|rule| matches!(rule, MemberRule::RequiredNullable))
    }

    /// Whether null is allowed.
    pub fn takes_null(&self) -> bool {
        let takes =
            self.nullable || self.rules.iter().any(|rule| matches!(rule, MemberRule::NullIsAbsent));
        takes && !self.rules.iter().any(|rule| matches!(rule, MemberRule::NotNull))
    }

    /// Whether null and an omitted member have different meanings.
    pub(super) fn distinguishes_null(&self) -> bool {
        self.rules
            .iter()
            .any(|rule| matches!(rule, MemberRule::Default | MemberRule::RequiredNullable))
    }

    /// Returns the name of the object around it.
    pub fn inside(&self) -> Option<&'static str> {
        rule!(self, MemberRule::Inside(name) => *name)
    }
}
