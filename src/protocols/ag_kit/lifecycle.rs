//! The legal order of events. `Lifecycle` decides for the reader and for the target of conversions
//! whether an event is legal, and changes the state.
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
//!   Everything that is not drawn is illegal: the table has the violated rule, and the state in which a reader continues.
//!   `[DONE]` in Open or Interrupted requires that every call is Called or Answered; an error cuts off the others.
//! ```

use alloc::vec::Vec;

use super::rules;
use crate::bytes::string_map::StringMap;
use crate::core::{Rule, Transition, transitions};

/// The state of a turn and of its calls. `C` is the data that the reader keeps for a call.
#[derive(Clone, Debug)]
pub(super) struct Lifecycle<C> {
    pub turn: TurnState,
    /// The calls in the order of their starts.
    pub calls: Vec<OpenCall<C>>,
    by_id: StringMap<usize>,
    /// The number of calls whose arguments are not final.
    pub streaming: usize,
}

#[derive(Clone, Debug)]
pub(super) struct OpenCall<C> {
    pub state: CallState,
    pub data: C,
}

/// The effect of an event: the index of its call, if that has started, and the state of the call
/// before and after it.
pub(super) type CallTransition = (Option<usize>, CallState, CallState);

impl<C> Default for Lifecycle<C> {
    fn default() -> Self {
        Lifecycle {
            turn: TurnState::Open,
            calls: Vec::new(),
            by_id: StringMap::default(),
            streaming: 0,
        }
    }
}

impl<C> Lifecycle<C> {
    /// Applies an event of the turn or of a call. `on_violation` receives each rule that the event
    /// violates, and the id of the call if the rule is about calls; if it returns an error, nothing
    /// changes. Returns `None` after an error of the turn: the event has no effect. A call that
    /// starts has to be [added](Self::add).
    pub fn apply<E>(
        &mut self,
        event: TurnEvent,
        of_call: Option<(&str, CallEvent)>,
        mut on_violation: impl FnMut(&'static Rule, Option<&str>) -> Result<(), E>,
    ) -> Result<Option<CallTransition>, E> {
        let before = self.turn;
        let step = turn(before, event);
        step.legal(before).map(drop).or_else(|rule| on_violation(rule, None))?;
        self.turn = step.phase(before);
        if before == TurnState::Failed {
            return Ok(None);
        }
        let Some((id, event)) = of_call else { return Ok(Some(CallTransition::default())) };
        let at = self.by_id.get(id).copied();
        let from = at.map_or(CallState::Absent, |at| self.calls[at].state);
        let step = call(from, event);
        step.legal(from).map(drop).or_else(|rule| on_violation(rule, Some(id)))?;
        let to = step.phase(from);
        if let Some(at) = at {
            self.calls[at].state = to;
            self.streaming -= usize::from(from == CallState::Streaming && to != from);
        }
        Ok(Some((at, from, to)))
    }

    /// Adds a call that has started.
    pub fn add(&mut self, id: &str, data: C) {
        self.by_id.insert(id, self.calls.len());
        self.calls.push(OpenCall { state: CallState::Streaming, data });
        self.streaming += 1;
    }
}

/// The end marker, in place of a type.
pub(super) const DONE: &str = "[DONE]";

/// Returns the effect of an event on the turn and on its call, by the type of the event.
pub(super) fn effect(name: &str) -> (TurnEvent, Option<CallEvent>) {
    match name {
        "tool-call-start" => (TurnEvent::Content, Some(CallEvent::Start)),
        "tool-call-args" => (TurnEvent::Content, Some(CallEvent::Args)),
        "tool-call-end" => (TurnEvent::Content, Some(CallEvent::End)),
        "tool-result" => (TurnEvent::Content, Some(CallEvent::Result)),
        "interrupt" => (TurnEvent::Interrupt, None),
        "error" => (TurnEvent::Error, None),
        DONE => (TurnEvent::Done, None),
        _ => (TurnEvent::Content, None),
    }
}

/// The state of a turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TurnState {
    /// Any event is legal.
    #[default]
    Open,
    /// The agent waits for the client.
    Interrupted,
    /// After an error.
    Failed,
    /// After `[DONE]`.
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

/// Returns whether a stream may stop in this state, in or outside of a tool call (K7). The official
/// client treats `[DONE]` as optional, and the examples of the documentation omit it.
pub fn stop(from: TurnState, in_call: bool) -> Transition<TurnState> {
    match (from, in_call) {
        (TurnState::Open | TurnState::Interrupted, true) => {
            Transition::Illegal(&rules::TRUNCATED, from)
        }
        (TurnState::Open | TurnState::Interrupted, false) => {
            Transition::Illegal(&rules::NO_DONE, from)
        }
        (TurnState::Failed | TurnState::Done, _) => Transition::Repeat,
    }
}

/// The state of a tool call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CallState {
    /// Before the start.
    #[default]
    Absent,
    /// The arguments are incomplete.
    Streaming,
    /// The arguments are final.
    Called,
    /// The call has a result.
    Answered,
}

/// The effect of an event on a tool call.
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

    /// The tables as text, so that a change of any cell is seen in a review.
    #[test]
    fn lifecycle_tables_match_the_reviewed_text() {
        let mut grid = String::new();
        for from in [TurnState::Open, TurnState::Interrupted, TurnState::Failed, TurnState::Done] {
            for event in
                [TurnEvent::Content, TurnEvent::Interrupt, TurnEvent::Error, TurnEvent::Done]
            {
                grid += &format!("turn {from:?} {event:?}: {}\n", cell(turn(from, event)));
            }
            grid += &format!("stop {from:?}: {}\n", cell(stop(from, false)));
            grid += &format!("stop {from:?} in a call: {}\n", cell(stop(from, true)));
        }
        for from in
            [CallState::Absent, CallState::Streaming, CallState::Called, CallState::Answered]
        {
            for piece in [CallEvent::Start, CallEvent::Args, CallEvent::End, CallEvent::Result] {
                grid += &format!("call {from:?} {piece:?}: {}\n", cell(call(from, piece)));
            }
            grid += &format!("end of turn {from:?}: {}\n", cell(end_of_turn(from)));
        }
        assert_eq!(grid, include_str!("lifecycle.grid"));
    }
}
