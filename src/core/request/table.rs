//! The tables that declared requests are read, written and checked by.

use alloc::string::String;

use super::problem::Words;
use super::shape::Shape;
use crate::json::Value;

/// An object.
#[derive(Debug)]
pub(crate) struct ObjectRow {
    /// What refusals call its class; empty where they do not name it.
    pub class: &'static str,
    pub members: &'static [MemberRow],
}

/// A union whose variants are told apart by a member.
#[derive(Debug)]
pub(crate) struct UnionRow {
    /// That member.
    pub tag: &'static str,
    /// What it says, in the order of the variants.
    pub names: Words,
    /// The members of each variant.
    pub members: &'static [&'static [MemberRow]],
    /// The variant that is read on where the tag says nothing known, to find what else is wrong. Without one, a refusal
    /// says nothing more, and places inside of the union name the variant.
    pub fallback: Option<usize>,
}

/// A member.
#[derive(Debug)]
pub(crate) struct MemberRow {
    pub name: &'static str,
    /// Whether its type has a place for null.
    pub nullable: bool,
    pub rules: &'static [Rule],
}

/// What is said of a member beside its type.
#[derive(Debug)]
pub(crate) enum Rule {
    /// Another spelling of its name. Where both are there, it counts as undeclared.
    Alias(&'static str),
    /// It may be left out; then it has its default. Null is something else.
    Default,
    /// Left out or null, it is empty.
    NullIsAbsent,
    /// A text that may be left out and may not be null.
    NotNull,
    /// It has to be there, though it may be null.
    Said,
    /// An object, whatever its members.
    Object,
    /// An object with at least one member.
    Filled,
    /// One of these words.
    OneOf(Words),
    /// From one number to another, both included.
    Within(i16, i16),
    /// What is made of the value before it is read.
    Converted(fn(Value) -> Value),
    /// It stands in an object of that name, together with those beside it that say the same.
    Inside(&'static str),
    /// The compact form leaves it out when it is empty or false.
    Brief,
    /// What the full form writes in its place when it is not set.
    Wire(&'static str),
    /// The text that is written in place of the JSON it holds.
    Written(fn(&Value) -> String),
    /// After it, a member that always says the same is written.
    Then(&'static [&'static str; 2]),
    /// After it, the tag of the union that the object is is written.
    ThenTag,
    /// It is written after the others.
    Last,
}

/// What of `rules` it is that a pattern matches.
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
    pub const fn new(name: &'static str, shape: &Shape, rules: &'static [Rule]) -> Self {
        MemberRow { name, nullable: matches!(shape, Shape::Nullable(_)), rules }
    }

    /// Whether it has to be there.
    pub const fn is_required(&self) -> bool {
        let mut may_be_absent = self.nullable;
        let mut at = 0;
        while at < self.rules.len() {
            match self.rules[at] {
                Rule::Default | Rule::NullIsAbsent => may_be_absent = true,
                Rule::Said => return true,
                _ => {}
            }
            at += 1;
        }
        !may_be_absent
    }

    /// Whether it may be null.
    pub const fn takes_null(&self) -> bool {
        let mut takes = self.nullable;
        let mut at = 0;
        while at < self.rules.len() {
            match self.rules[at] {
                Rule::NotNull => return false,
                Rule::NullIsAbsent => takes = true,
                _ => {}
            }
            at += 1;
        }
        takes
    }

    /// Whether leaving it out means something else than null.
    pub(super) fn null_is_said(&self) -> bool {
        self.rules.iter().any(|rule| matches!(rule, Rule::Default | Rule::Said))
    }

    /// The object around it.
    pub(super) fn inside(&self) -> Option<&'static str> {
        rule!(self, Rule::Inside(name) => *name)
    }
}
