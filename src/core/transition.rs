//! Steps of a lifecycle table: what builders, folds and checkers of all protocols get as an answer.

use crate::core::violation::Rule;

/// What an event means in a state of a table whose states are `P`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::exhaustive_enums, reason = "whoever asks a table has to deal with every answer")]
pub enum Transition<P> {
    /// Legal; the new state.
    Advance(P),
    /// Legal, and the state stays.
    Repeat,
    /// Against this rule. A reader goes on in this state; a builder refuses.
    Illegal(&'static Rule, P),
}

/// Declares a lifecycle table: a function from a state, and what comes in it, to the step that this is.
///
/// ```text
/// transitions! {
///     /// What may follow what.
///     pub fn turn(TurnState, TurnEvent) {
///         Open: Content, Error -> Failed;
///         Failed: Content | Error !AFTER_ERROR;
///     }
/// }
/// ```
///
/// A row is a state. What has no arrow leaves it; what has an exclamation mark is against that rule of the protocol's
/// `rules`. A state or an event that the table forgets does not compile.
macro_rules! transitions {
    ($(
        $(#[$doc:meta])*
        $vis:vis fn $table:ident($State:ident, $Said:ident) {
            $($from:ident: $($($said:ident)|+ $(!$rule:ident)? $(-> $to:ident)?),+;)+
        }
    )+) => {$(
        $(#[$doc])*
        $vis fn $table(from: $State, said: $Said) -> $crate::core::transition::Transition<$State> {
            match (from, said) {
                $($(
                    ($State::$from, $($Said::$said)|+) => {
                        $crate::core::transition::transitions!(@step from, $($rule)?, $($State::$to)?)
                    }
                )+)+
            }
        }
    )+};
    (@step $from:ident, ,) => { $crate::core::transition::Transition::Repeat };
    (@step $from:ident, , $to:expr) => { $crate::core::transition::Transition::Advance($to) };
    (@step $from:ident, $rule:ident,) => { $crate::core::transition::Transition::Illegal(&rules::$rule, $from) };
    (@step $from:ident, $rule:ident, $to:expr) => { $crate::core::transition::Transition::Illegal(&rules::$rule, $to) };
}
pub(crate) use transitions;

impl<P> Transition<P> {
    /// The state after the step, taken leniently.
    pub fn phase(self, from: P) -> P {
        match self {
            Transition::Advance(to) | Transition::Illegal(_, to) => to,
            Transition::Repeat => from,
        }
    }

    /// The state after a legal step, or the rule that it breaks.
    pub fn legal(self, from: P) -> Result<P, &'static Rule> {
        match self {
            Transition::Advance(to) => Ok(to),
            Transition::Repeat => Ok(from),
            Transition::Illegal(rule, _) => Err(rule),
        }
    }
}
