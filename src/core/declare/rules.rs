//! Declared rules for checking a stream.

use crate::core::violation::Rule;

/// Declares a protocol's rules: a documented static for each, and `ALL`, a list with the rules of
/// server-sent events followed by these.
///
/// The rules for events of any kind are recognized by their names: `MALFORMED_EVENT`, which is
/// required, `DUPLICATE_KEY`, `NULL_MEMBER`, `SEQUENCE_NUMBER` and `LONE_SURROGATE`. They are
/// `COMMON`.
macro_rules! rules {
    ($($name:ident = $severity:ident $id:literal, $clause:literal: $expected:literal else $recovery:literal;)*) => {
        pub(crate) use $crate::core::violation::{FOREIGN_ERROR, FRAMING_UNTERMINATED, INVALID_UTF8, NDJSON, UNKNOWN_PROTOCOL, WHOLE_ANSWER};
        pub(crate) use $crate::core::violation::LIMIT_EXCEEDED;

        $(
            #[doc = concat!("Expected: ", $expected, ".")]
            pub static $name: $crate::core::violation::Rule = $crate::core::violation::Rule::new(
                $id, $crate::core::violation::Severity::$severity, $clause, $expected, $recovery,
            );
        )*
        /// Every rule, in the order of their declaration.
        pub static ALL: &[&$crate::core::violation::Rule] =
            &[
                &UNKNOWN_PROTOCOL, &NDJSON, &WHOLE_ANSWER, &FOREIGN_ERROR, &FRAMING_UNTERMINATED, &INVALID_UTF8,
                &LIMIT_EXCEEDED, $(&$name,)*
            ];

        /// The rules for events of any kind.
        pub(crate) const COMMON: $crate::core::declare::rules::CommonRules = {
            #[allow(unused_mut, reason = "a protocol may have but the first of them")]
            let mut common = $crate::core::declare::rules::CommonRules::of(&MALFORMED_EVENT);
            $($crate::core::declare::rules::rules! { @common common $name })*
            common
        };
    };
    (@common $common:ident DUPLICATE_KEY) => { $common.duplicate_key = &DUPLICATE_KEY; };
    (@common $common:ident NULL_MEMBER) => { $common.null_member = Some(&NULL_MEMBER); };
    (@common $common:ident SEQUENCE_NUMBER) => { $common.sequence_number = Some(&SEQUENCE_NUMBER); };
    (@common $common:ident LONE_SURROGATE) => { $common.lone_surrogate = &LONE_SURROGATE; };
    (@common $common:ident $other:ident) => {};
}
pub(crate) use rules;

/// A protocol's own texts of the rules for events of any kind.
#[derive(Clone, Debug)]
pub(crate) struct CommonRules {
    pub malformed_event: &'static Rule,
    pub duplicate_key: &'static Rule,
    /// `None` if null is treated as absent.
    pub null_member: Option<&'static Rule>,
    /// `None` if events are not numbered.
    pub sequence_number: Option<&'static Rule>,
    pub lone_surrogate: &'static Rule,
}

impl CommonRules {
    /// Creates the rules from the required one, which also replaces the others.
    pub const fn of(malformed_event: &'static Rule) -> Self {
        CommonRules {
            malformed_event,
            duplicate_key: malformed_event,
            null_member: None,
            sequence_number: None,
            lone_surrogate: malformed_event,
        }
    }
}
