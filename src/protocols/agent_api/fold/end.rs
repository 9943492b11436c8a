//! The end of a run: the error frame, and the end of the stream.

use super::{AgentApiMeaning, RESPONSE, set_error, set_status};
use crate::core::{EndReason, Observed};
use crate::engine::Context;
use crate::protocols::agent_api::events::ErrorValue;
use crate::protocols::agent_api::lifecycle::Phase;
use crate::protocols::agent_api::rules;

impl AgentApiMeaning {
    /// R30: ends the run with the error of an `{"error": "…"}` frame.
    #[inline(never)]
    pub(super) fn error_frame(&mut self, error: &ErrorValue<'_>, cx: &mut Context<'_>) {
        cx.breach(&rules::BARE_ERROR, Observed::Text(&error.message));
        if self.phase == Phase::Ended {
            return;
        }
        self.phase = Phase::Ended;
        cx.end(EndReason::ErrorFrame);
        set_status(RESPONSE, "failed", cx);
        set_error(RESPONSE, error, "STREAM_ERROR", cx);
    }

    /// R19, R31: reports the messages that never ended, which stay unchanged.
    fn unfinished(&mut self, excused: bool, cx: &mut Context<'_>) {
        for state in self.messages.iter().filter(|state| state.phase != Phase::Ended) {
            if !state.heartbeat {
                let id = cx.id(state.owner).into();
                cx.unfinished(id);
            }
            if !excused {
                let got = Observed::Words("no terminal status");
                cx.breach_at(&rules::MESSAGE_NOT_ENDED, state.opened, state.owner, got);
            }
        }
    }

    /// Finishes the run at the end of the stream.
    pub(super) fn stop(&mut self, aborted: bool, cx: &mut Context<'_>) {
        // The refusal has been reported as a violation. The rest of the stream is unknown, as after an abort, so that a
        // missing end is not another violation.
        let refused = cx.report().end_reason == EndReason::Refused;
        let excused = aborted || refused;
        for message in 0..self.messages.len() {
            self.finish_parts(message, cx);
        }
        if self.phase != Phase::Ended {
            cx.end(if aborted { EndReason::Aborted } else { EndReason::Eof });
            // The status `unknown` of the last response event stays.
            if !self.said_unknown {
                let status = if aborted && !refused { "canceled" } else { "incomplete" };
                set_status(RESPONSE, status, cx);
            }
        }
        if cx.report().end_reason != EndReason::Terminal && !excused {
            cx.breach(&rules::NO_TERMINAL, Observed::Words("the end of the stream"));
        }
        self.phase = Phase::Ended;
        self.unfinished(excused, cx);
    }
}
