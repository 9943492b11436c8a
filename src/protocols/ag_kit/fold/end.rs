//! The end of a turn: how it ended, and what is left to do.

use alloc::string::String;

use super::{AgKitMeaning, TURN};
use crate::core::{EndReason, Observed};
use crate::engine::Context;
use crate::json::{write_list, write_string};
use crate::protocols::ag_kit::lifecycle::{self, CallState, TurnEvent, TurnState};
use crate::protocols::ag_kit::{Snapshot, Status, rules};

impl AgKitMeaning {
    /// K6: `[DONE]`.
    pub(super) fn done(&mut self, cx: &mut Context<'_>) {
        self.native = true;
        let from = self.life.turn;
        self.apply(TurnEvent::Done, None, "[DONE]", cx);
        cx.end(EndReason::Terminal);
        self.end_well(from, cx);
    }

    /// Nothing more comes.
    pub(super) fn stop(&mut self, aborted: bool, cx: &mut Context<'_>) {
        // What is refused has said its breach: what else it would have said is not known, as when the reader has stopped.
        let refused = cx.report().end_reason == EndReason::Refused;
        let excused = aborted || refused;
        self.end_text(cx);
        for call in &self.life.calls {
            cx.end_text(call.data.arguments);
        }
        let in_call = self.life.streaming > 0;
        if let Err(rule) = lifecycle::stop(self.life.turn, in_call).legal(self.life.turn) {
            cx.end(if aborted { EndReason::Aborted } else { EndReason::Eof });
            if !excused && !self.cut && (in_call || !self.choices.done_is_optional) {
                cx.breach(rule, Observed::Words("the end of the stream"));
            }
            if excused || in_call || self.cut {
                self.conclude(Status::Truncated, cx);
            } else {
                self.end_well(self.life.turn, cx);
            }
        }
        self.unanswered(excused, cx);
    }

    /// The turn ended from that state, as it should.
    fn end_well(&mut self, from: TurnState, cx: &mut Context<'_>) {
        match from {
            TurnState::Open if self.pending().next().is_some() => {
                self.conclude(Status::AwaitingToolResults, cx);
            }
            TurnState::Open => self.conclude(Status::Completed, cx),
            TurnState::Interrupted => self.conclude(Status::Interrupted, cx),
            // Concluded when the error came.
            TurnState::Failed | TurnState::Done => {}
        }
    }

    /// The status, and the calls that are the client's to answer (K4).
    pub(super) fn conclude(&mut self, status: Status, cx: &mut Context<'_>) {
        cx.set(TURN, Snapshot::status, status.value());
        if self.pending().next().is_some() {
            let mut json = String::new();
            write_list(self.pending(), &mut json, |call, out| write_string(cx.id(call.owner), out));
            cx.set_json(TURN, Snapshot::pending_tool_call_ids, &json);
        }
    }

    /// Names the calls that never ended (K3) and the server's calls that it has not answered (K17). An error excuses
    /// both.
    fn unanswered(&mut self, excused: bool, cx: &mut Context<'_>) {
        for call in &self.life.calls {
            if call.state == CallState::Streaming {
                let id = cx.id(call.data.owner).into();
                cx.unfinished(id);
            }
            if excused || self.failed {
                continue;
            }
            let step = lifecycle::end_of_turn(call.state).legal(call.state);
            let (rule, got) = match (step, call.state, call.data.is_clients) {
                (Err(rule), ..) => (rule, "the end of the turn"),
                (Ok(_), CallState::Called, false) => (&rules::RESULT_MISSING, "none"),
                _ => continue,
            };
            cx.breach_at(rule, call.data.opened, call.data.owner, Observed::Words(got));
        }
    }
}
