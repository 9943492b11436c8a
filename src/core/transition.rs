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
