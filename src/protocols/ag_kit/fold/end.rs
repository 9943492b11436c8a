//! The end of a turn: how it ended, and what is left to do.

use alloc::string::String;

use super::AgKitFold;
use crate::core::fold::{Metered, SinkValue};
use crate::core::observed::Observed;
use crate::core::report::Ended;
use crate::core::violation::Place;
use crate::json::{Raw, write_list, write_string};
use crate::protocols::ag_kit::lifecycle::{self, CallState, TurnEvent, TurnState};
use crate::protocols::ag_kit::{rules, schema};

impl AgKitFold {
    /// K6: `[DONE]`.
    pub(super) fn done(&mut self, sink: &mut Metered<'_>) {
        self.native = true;
        let from = self.turn;
        self.says(TurnEvent::Done, "[DONE]");
        self.report.ended = Ended::Terminal;
        self.end_well(from, sink);
    }

    /// The stream broke off: what would be its end is none.
    #[cfg(feature = "hub")]
    pub(crate) fn cut_off(&mut self) {
        self.cut = true;
    }

    /// Nothing more comes.
    pub(super) fn stop(&mut self, aborted: bool, sink: &mut Metered<'_>) {
        let from = self.turn;
        // What is refused has said its breach: what else it would have said is not known, as when the reader has stopped.
        let refused = self.report.ended == Ended::Refused;
        let excused = aborted || refused;
        self.end_text(sink);
        self.end_arguments(sink);
        let in_call = self.calls.list.iter().any(|call| call.phase == CallState::Streaming);
        if let Err(rule) = lifecycle::stop(from, in_call).legal(from) {
            if !refused {
                self.report.ended = if aborted { Ended::Aborted } else { Ended::Eof };
            }
            if !excused && !self.cut && (in_call || !self.choices.done_is_optional) {
                self.breach(rule, None, Observed::Words("the end of the stream"));
            }
            if excused || in_call || self.cut {
                self.conclude("truncated", sink);
            } else {
                self.end_well(from, sink);
            }
        }
        self.unanswered(excused);
    }

    /// The turn ended from that state, as it should.
    fn end_well(&mut self, from: TurnState, sink: &mut Metered<'_>) {
        match from {
            TurnState::Open
                if self.calls.list.iter().any(|call| call.phase == CallState::Called && call.is_clients) =>
            {
                self.conclude("awaiting-tool-results", sink);
            }
            TurnState::Open => self.conclude("completed", sink),
            TurnState::Interrupted => self.conclude("interrupted", sink),
            // TurnEvent when the error came.
            TurnState::Failed | TurnState::Done => {}
        }
    }

    /// The status, and the calls that are the client's to answer (K4).
    pub(super) fn conclude(&mut self, status: &str, sink: &mut Metered<'_>) {
        sink.set(schema::TURN, schema::STATUS, schema::word(status));
        let pending =
            || self.calls.list.iter().filter(|call| call.phase == CallState::Called && call.is_clients);
        if pending().next().is_some() {
            let mut json = String::new();
            write_list(pending(), &mut json, |call, out| write_string(&call.id, out));
            sink.set(schema::TURN, schema::PENDING, SinkValue::Json(Raw(&json)));
        }
    }

    /// Names the calls that never ended (K3) and the server's calls that it has not answered (K17). An error excuses
    /// both.
    fn unanswered(&mut self, excused: bool) {
        let excused = excused || self.failed;
        for at in 0..self.calls.list.len() {
            let call = &self.calls.list[at];
            let (event, offset) = call.opened;
            if call.phase == CallState::Streaming {
                self.report.unfinished.push(call.id.clone());
            }
            if excused {
                continue;
            }
            let (rule, got) =
                match (lifecycle::end_of_turn(call.phase).legal(call.phase), call.phase, call.is_clients) {
                    (Err(rule), ..) => (rule, "the end of the turn"),
                    (Ok(_), CallState::Called, false) => (&rules::RESULT_MISSING, "none"),
                    _ => continue,
                };
            let place = Place { event, offset, message_id: Some(&call.id), index: None };
            self.breaches += 1;
            self.report.breach(&self.options, rule, place, Observed::Words(got));
        }
    }
}
