//! Transitions of a lifecycle table, used by the builders, engines and checkers of all protocols.

use crate::core::violation::Rule;

/// The effect of an event in a state of a table whose states are `P`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::exhaustive_enums, reason = "whoever asks a table has to deal with every answer")]
pub enum Transition<P> {
    /// Legal; the new state.
    Advance(P),
    /// Legal; the state does not change.
    Repeat,
    /// A violation of this rule. A reader continues in this state; a builder refuses the event.
    Illegal(&'static Rule, P),
}

/// Declares a lifecycle table: a function from a state and an event to the transition.
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
/// A row is a state. An event with an arrow changes the state; an event with an exclamation mark
/// violates that rule of the protocol's `rules`. A table that omits a state or an event does not
/// compile.
macro_rules! transitions {
    ($(
        $(#[$doc:meta])*
        $vis:vis fn $table:ident($State:ident, $Event:ident) {
            $($from:ident: $($($event:ident)|+ $(!$rule:ident)? $(-> $to:ident)?),+;)+
        }
    )+) => {$(
        $(#[$doc])*
        $vis fn $table(from: $State, event: $Event) -> $crate::core::transition::Transition<$State> {
            match (from, event) {
                $($(
                    ($State::$from, $($Event::$event)|+) => {
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
