//! The legal order of events. No other file defines it: the builder and the engine both use these tables.
//!
//! ```text
//!             ┌──────┐ interrupt  ┌─────────────┐
//!       turn  │ Open │───────────▶│ Interrupted │ ↺ interrupt
//!             └──────┘            └─────────────┘
//!              ↺ text,  │ error      │ error  │ [DONE]
//!                tool   ▼            ▼        ▼
//!                events ┌────────┐        ┌──────┐
//!                       │ Failed │───────▶│ Done │◀── [DONE] from Open
//!                       └────────┘ [DONE] └──────┘
//!
//!             ┌────────┐ start  ┌───────────┐ end  ┌────────┐ result  ┌──────────┐
//!       call  │ Absent │───────▶│ Streaming │─────▶│ Called │────────▶│ Answered │
//!             └────────┘        └───────────┘      └────────┘         └──────────┘
//!                                ↺ args
//!
//!   Everything that is not drawn is illegal; the table then names the rule and the state from which a lenient reader
//!   goes on. `[DONE]` from Open or Interrupted wants every call to be Called or Answered; an error cuts off the others.
//! ```

use super::rules;
use crate::core::{Transition, transitions};

/// The state of a turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TurnState {
    /// All events are legal.
    #[default]
    Open,
    /// The agent has asked something.
    Interrupted,
    /// An error has come.
    Failed,
    /// `[DONE]` has come.
    Done,
}

/// The effect of an event on a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TurnEvent {
    /// Text, or an event of a tool call.
    Content,
    /// `interrupt`
    Interrupt,
    /// An error, typed or not.
    Error,
    /// `[DONE]`
    Done,
}

transitions! {
    /// The turn's table (K5 to K9).
    pub fn turn(TurnState, TurnEvent) {
        Open: Content, Interrupt -> Interrupted, Error -> Failed, Done -> Done;
        Interrupted: Content !AFTER_INTERRUPT, Interrupt, Error -> Failed, Done -> Done;
        Failed: Content | Interrupt | Error !AFTER_ERROR, Done -> Done;
        Done: Content | Interrupt | Error | Done !AFTER_DONE;
    }

    /// A tool call's table (K2 to K4, K11).
    pub fn call(CallState, CallEvent) {
        Absent: Start -> Streaming, Args | End | Result !CALL_NOT_STARTED;
        Streaming: Start !CALL_STARTED_TWICE, Args, End -> Called, Result !RESULT_BEFORE_END -> Answered;
        Called: Start !CALL_STARTED_TWICE, Args !ARGS_AFTER_END, End !CALL_ENDED_TWICE, Result -> Answered;
        Answered: Start !CALL_STARTED_TWICE, Args !ARGS_AFTER_END, End !CALL_ENDED_TWICE, Result !RESULT_TWICE;
    }
}

/// Returns whether a stream may stop in this state, inside or outside of a tool call (K7). The official client treats
/// `[DONE]` as optional, and the examples of the documentation omit it.
pub fn stop(from: TurnState, in_call: bool) -> Transition<TurnState> {
    match (from, in_call) {
        (TurnState::Open | TurnState::Interrupted, true) => Transition::Illegal(&rules::TRUNCATED, from),
        (TurnState::Open | TurnState::Interrupted, false) => Transition::Illegal(&rules::NO_DONE, from),
        (TurnState::Failed | TurnState::Done, _) => Transition::Repeat,
    }
}

/// The state of a tool call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CallState {
    /// Not started.
    #[default]
    Absent,
    /// The arguments are incomplete.
    Streaming,
    /// The arguments are final.
    Called,
    /// The result has arrived.
    Answered,
}

/// The kind of an event of a tool call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallEvent {
    /// `tool-call-start`
    Start,
    /// `tool-call-args`
    Args,
    /// `tool-call-end`
    End,
    /// `tool-result`
    Result,
}

/// Returns whether a turn that has not failed may end while a call is in this state (K3).
pub fn end_of_turn(call: CallState) -> Transition<CallState> {
    match call {
        CallState::Streaming => Transition::Illegal(&rules::CALL_NOT_ENDED, CallState::Streaming),
        CallState::Absent | CallState::Called | CallState::Answered => Transition::Repeat,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell<P: core::fmt::Debug>(step: Transition<P>) -> String {
        match step {
            Transition::Advance(to) => format!("{to:?}"),
            Transition::Repeat => "=".to_owned(),
            Transition::Illegal(rule, to) => format!("!{} {to:?}", rule.id),
        }
    }

    /// Compares the tables as text, so that a review shows each changed cell.
    #[test]
    fn the_tables_are_what_was_reviewed() {
        let mut grid = String::new();
        for from in [TurnState::Open, TurnState::Interrupted, TurnState::Failed, TurnState::Done] {
            for said in [TurnEvent::Content, TurnEvent::Interrupt, TurnEvent::Error, TurnEvent::Done] {
                grid += &format!("turn {from:?} {said:?}: {}\n", cell(turn(from, said)));
            }
            grid += &format!("stop {from:?}: {}\n", cell(stop(from, false)));
            grid += &format!("stop {from:?} in a call: {}\n", cell(stop(from, true)));
        }
        for from in [CallState::Absent, CallState::Streaming, CallState::Called, CallState::Answered] {
            for piece in [CallEvent::Start, CallEvent::Args, CallEvent::End, CallEvent::Result] {
                grid += &format!("call {from:?} {piece:?}: {}\n", cell(call(from, piece)));
            }
            grid += &format!("end of turn {from:?}: {}\n", cell(end_of_turn(from)));
        }
        assert_eq!(grid, include_str!("lifecycle.grid"));
    }
}
