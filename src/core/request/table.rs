//! The tables for reading, writing and checking declared requests.

use alloc::string::String;

use super::problem::Words;
use super::shape::Shape;
use crate::json::Value;

/// An object.
#[derive(Debug)]
pub struct ObjectRow {
    /// The name of the class in errors; empty if they do not name it.
    pub class: &'static str,
    /// The members, in the order in which they are written.
    pub members: &'static [MemberRow],
}

/// A union whose variants are identified by a member.
#[derive(Debug)]
pub struct UnionRow {
    /// The name of that member, the tag.
    pub tag: &'static str,
    /// The values of the tag, in the order of the variants.
    pub names: Words,
    /// The members of each variant.
    pub members: &'static [&'static [MemberRow]],
    /// The variant that is used for further checks if the tag is unknown. Without one, the error has no further
    /// problems, and paths inside the union contain the variant.
    pub fallback: Option<usize>,
}

/// A member.
#[derive(Debug)]
pub struct MemberRow {
    /// The name in JSON.
    pub name: &'static str,
    /// Whether its type can represent null.
    pub nullable: bool,
    /// The rules in addition to its type.
    pub rules: &'static [Rule],
}

/// A rule of a member in addition to its type.
#[derive(Debug)]
pub enum Rule {
    /// Another spelling of its name. If both are present, this one counts as undeclared.
    Alias(&'static str),
    /// The member may be omitted and then has its default. Null has another meaning.
    Default,
    /// An omitted or null member is empty.
    NullIsAbsent,
    /// A text that may be omitted and may not be null.
    NotNull,
    /// The member is required, but may be null.
    Said,
    /// An object with any members.
    Object,
    /// An object with at least one member.
    Filled,
    /// One of these words.
    OneOf(Words),
    /// A range of numbers, both included.
    Within(i16, i16),
    /// Converts the value before it is read.
    Converted(fn(Value) -> Value),
    /// The member is in an object of that name, together with the adjacent members with the same rule.
    Inside(&'static str),
    /// The compact form omits it if it is empty or false.
    Brief,
    /// The full form writes this if the member is not set.
    Wire(&'static str),
    /// Writes a text instead of the JSON value.
    Written(fn(&Value) -> String),
    /// After it, a member with a constant value is written.
    Then(&'static [&'static str; 2]),
    /// After it, the tag of the object's union is written.
    ThenTag,
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

impl MemberRow {
    /// Creates a member.
    pub const fn new(name: &'static str, shape: &Shape, rules: &'static [Rule]) -> Self {
        MemberRow { name, nullable: matches!(shape, Shape::Nullable(_)), rules }
    }

    /// Whether the member is required.
    pub fn is_required(&self) -> bool {
        let may_be_absent =
            self.nullable || self.rules.iter().any(|rule| matches!(rule, Rule::Default | Rule::NullIsAbsent));
        !may_be_absent || self.rules.iter().any(|rule| matches!(rule, Rule::Said))
    }

    /// Whether null is allowed.
    pub fn takes_null(&self) -> bool {
        let takes = self.nullable || self.rules.iter().any(|rule| matches!(rule, Rule::NullIsAbsent));
        takes && !self.rules.iter().any(|rule| matches!(rule, Rule::NotNull))
    }

    /// Whether null and an omitted member have different meanings.
    pub(super) fn null_is_said(&self) -> bool {
        self.rules.iter().any(|rule| matches!(rule, Rule::Default | Rule::Said))
    }

    /// Returns the name of the object around it.
    pub fn inside(&self) -> Option<&'static str> {
        rule!(self, Rule::Inside(name) => *name)
    }
}
