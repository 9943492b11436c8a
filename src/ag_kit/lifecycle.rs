//! What may follow what. The only file that knows; builder, fold and checker all ask it.
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
use crate::step::Step;

/// The state of a turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Turn {
    /// Anything may come.
    #[default]
    Open,
    /// The agent has asked something.
    Interrupted,
    /// An error has come.
    Failed,
    /// `[DONE]` has come.
    Done,
}

/// What an event does to a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Said {
    /// Text, or something about a tool call.
    Content,
    /// `interrupt`
    Interrupt,
    /// An error, typed or not.
    Error,
    /// `[DONE]`
    Done,
}

/// The turn's table (K5 to K9).
pub fn turn(from: Turn, said: Said) -> Step<Turn> {
    use Said::*;
    match (from, said) {
        (Turn::Open, Content) => Step::Repeat,
        (Turn::Open, Interrupt) => Step::Advance(Turn::Interrupted),
        (Turn::Interrupted, Content) => Step::Illegal(&rules::AFTER_INTERRUPT, Turn::Interrupted),
        (Turn::Interrupted, Interrupt) => Step::Repeat,
        (Turn::Open | Turn::Interrupted, Error) => Step::Advance(Turn::Failed),
        (Turn::Failed, Content | Interrupt | Error) => Step::Illegal(&rules::AFTER_ERROR, Turn::Failed),
        (Turn::Open | Turn::Interrupted | Turn::Failed, Done) => Step::Advance(Turn::Done),
        (Turn::Done, Content | Interrupt | Error | Done) => Step::Illegal(&rules::AFTER_DONE, Turn::Done),
    }
}

/// Whether a stream may stop in this state, in or outside of a tool call (K7). The official client treats `[DONE]` as
/// optional, and the documentation's examples have none.
pub fn stop(from: Turn, in_call: bool) -> Step<Turn> {
    match (from, in_call) {
        (Turn::Open | Turn::Interrupted, true) => Step::Illegal(&rules::TRUNCATED, from),
        (Turn::Open | Turn::Interrupted, false) => Step::Illegal(&rules::NO_DONE, from),
        (Turn::Failed | Turn::Done, _) => Step::Repeat,
    }
}

/// The state of a tool call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Call {
    /// Not there yet.
    #[default]
    Absent,
    /// Its arguments are coming.
    Streaming,
    /// Its arguments are final.
    Called,
    /// Its result is there.
    Answered,
}

/// What an event says about a tool call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece {
    /// `tool-call-start`
    Start,
    /// `tool-call-args`
    Args,
    /// `tool-call-end`
    End,
    /// `tool-result`
    Result,
}

/// A tool call's table (K2 to K4, K11).
pub fn call(from: Call, piece: Piece) -> Step<Call> {
    use Call::*;
    match (from, piece) {
        (Absent, Piece::Start) => Step::Advance(Streaming),
        (Absent, Piece::Args | Piece::End | Piece::Result) => Step::Illegal(&rules::CALL_NOT_STARTED, Absent),
        (Streaming | Called | Answered, Piece::Start) => Step::Illegal(&rules::CALL_STARTED_TWICE, from),
        (Streaming, Piece::Args) => Step::Repeat,
        (Streaming, Piece::End) => Step::Advance(Called),
        (Streaming, Piece::Result) => Step::Illegal(&rules::RESULT_BEFORE_END, Answered),
        (Called | Answered, Piece::Args) => Step::Illegal(&rules::ARGS_AFTER_END, from),
        (Called | Answered, Piece::End) => Step::Illegal(&rules::CALL_ENDED_TWICE, from),
        (Called, Piece::Result) => Step::Advance(Answered),
        (Answered, Piece::Result) => Step::Illegal(&rules::RESULT_TWICE, Answered),
    }
}

/// Whether a turn that has not failed may end while a call is in this state (K3).
pub fn end_of_turn(call: Call) -> Step<Call> {
    match call {
        Call::Streaming => Step::Illegal(&rules::CALL_NOT_ENDED, Call::Streaming),
        Call::Absent | Call::Called | Call::Answered => Step::Repeat,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell<P: core::fmt::Debug>(step: Step<P>) -> String {
        match step {
            Step::Advance(to) => format!("{to:?}"),
            Step::Repeat => "=".to_owned(),
            Step::Illegal(rule, to) => format!("!{} {to:?}", rule.id),
        }
    }

    /// The tables as text, so that a change of any cell is seen in a review.
    #[test]
    fn the_tables_are_what_was_reviewed() {
        let mut grid = String::new();
        for from in [Turn::Open, Turn::Interrupted, Turn::Failed, Turn::Done] {
            for said in [Said::Content, Said::Interrupt, Said::Error, Said::Done] {
                grid += &format!("turn {from:?} {said:?}: {}\n", cell(turn(from, said)));
            }
            grid += &format!("stop {from:?}: {}\n", cell(stop(from, false)));
            grid += &format!("stop {from:?} in a call: {}\n", cell(stop(from, true)));
        }
        for from in [Call::Absent, Call::Streaming, Call::Called, Call::Answered] {
            for piece in [Piece::Start, Piece::Args, Piece::End, Piece::Result] {
                grid += &format!("call {from:?} {piece:?}: {}\n", cell(call(from, piece)));
            }
            grid += &format!("end of turn {from:?}: {}\n", cell(end_of_turn(from)));
        }
        assert_eq!(grid, include_str!("lifecycle.grid"));
    }
}
