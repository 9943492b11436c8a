//! The end of a turn: its status and the calls to answer.

use alloc::string::String;

use super::{AgKitMeaning, TURN};
use crate::core::{EndReason, Observed};
use crate::engine::Context;
use crate::json::{write_list, write_string};
use crate::protocols::ag_kit::lifecycle::{self, CallState, TurnEvent, TurnState};
use crate::protocols::ag_kit::{Snapshot, Status, rules};

impl AgKitMeaning {
    /// K6: processes `[DONE]`.
    pub(super) fn done(&mut self, cx: &mut Context<'_>) {
        self.native = true;
        let from = self.turn;
        self.advances(TurnEvent::Done, "[DONE]", cx);
        cx.end(EndReason::Terminal);
        self.end_well(from, cx);
    }

    /// Processes the end of the stream.
    pub(super) fn stop(&mut self, aborted: bool, cx: &mut Context<'_>) {
        // A refused stream has its violation already. The rest of it is unknown, as when the reader has stopped.
        let refused = cx.report().end_reason == EndReason::Refused;
        let excused = aborted || refused;
        self.end_text(cx);
        for call in &self.calls.list {
            cx.end_text(call.arguments);
        }
        let in_call = self.calls.any(CallState::Streaming);
        if let Err(rule) = lifecycle::stop(self.turn, in_call).legal(self.turn) {
            cx.end(if aborted { EndReason::Aborted } else { EndReason::Eof });
            if !excused && !self.cut && (in_call || !self.choices.done_is_optional) {
                cx.breach(rule, Observed::Words("the end of the stream"));
            }
            if excused || in_call || self.cut {
                self.conclude(Status::Truncated, cx);
            } else {
                self.end_well(self.turn, cx);
            }
        }
        self.unanswered(excused, cx);
    }

    /// Sets the status of a turn that ended correctly in that state.
    fn end_well(&mut self, from: TurnState, cx: &mut Context<'_>) {
        match from {
            TurnState::Open if self.calls.pending().next().is_some() => {
                self.conclude(Status::AwaitingToolResults, cx);
            }
            TurnState::Open => self.conclude(Status::Completed, cx),
            TurnState::Interrupted => self.conclude(Status::Interrupted, cx),
            // The error has set the status.
            TurnState::Failed | TurnState::Done => {}
        }
    }

    /// Sets the status and the ids of the calls that the client must answer (K4).
    pub(super) fn conclude(&mut self, status: Status, cx: &mut Context<'_>) {
        cx.set(TURN, Snapshot::status, status.value());
        if self.calls.pending().next().is_some() {
            let mut json = String::new();
            write_list(self.calls.pending(), &mut json, |call, out| write_string(cx.id(call.owner), out));
            cx.set_json(TURN, Snapshot::pending_tool_call_ids, &json);
        }
    }

    /// Reports the calls that did not end (K3) and the calls of server tools without a result (K17). An error excuses
    /// both.
    fn unanswered(&mut self, excused: bool, cx: &mut Context<'_>) {
        for call in &self.calls.list {
            if call.state == CallState::Streaming {
                let id = cx.id(call.owner).into();
                cx.unfinished(id);
            }
            if excused || self.failed {
                continue;
            }
            let step = lifecycle::end_of_turn(call.state).legal(call.state);
            let (rule, got) = match (step, call.state, call.is_clients) {
                (Err(rule), ..) => (rule, "the end of the turn"),
                (Ok(_), CallState::Called, false) => (&rules::RESULT_MISSING, "none"),
                _ => continue,
            };
            cx.breach_at(rule, call.opened, call.owner, Observed::Words(got));
        }
    }
}
