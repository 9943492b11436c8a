//! Response events, the terminal event, which repeats the whole answer, and the end of the stream.

use alloc::vec::Vec;

use super::message::MessageOrigin;
use super::{AgentApiFold, NO_MESSAGE, RESPONSE, set_error, set_integer, set_status};
use crate::bytes;
use crate::core::{EndReason, Observed};
use crate::engine::{AnswerLayout, Context, FieldValue, protocol};
use crate::json::{Document, Element, Str};
use crate::protocols::agent_api::events::{ErrorValue, MessageEvent, ResponseEvent};
use crate::protocols::agent_api::lifecycle::{self, ObjectPhase, StatusEffect};
use crate::protocols::agent_api::{DataMerge, Response, RunStatus, Snapshot, rules};

impl AgentApiFold {
    #[inline(never)]
    pub(super) fn response(&mut self, event: &ResponseEvent<'_>, cx: &mut Context<'_>) {
        let status = event.status().map(|status| status.to_str());
        // The documented examples always have a status; the default is created.
        let status = status.as_deref().unwrap_or("created");
        let known = RunStatus::from(status);
        let change = StatusEffect::of(&known);
        self.is_status_unknown = known == RunStatus::Unknown;
        if change == StatusEffect::Nothing {
            cx.record(&rules::STATUS_UNKNOWN, Observed::Name(status));
        }
        let from = self.phase;
        let phase = self.step(lifecycle::response(from, change), from, NO_MESSAGE, status, cx);
        self.response_members(event, status, cx);
        if change == StatusEffect::End {
            self.check_terminal(event, &known, cx);
        }
        if event.output().is_some() {
            // The new phase applies only after `output`: the messages inside a terminal event do
            // not come after it.
            self.phase = if phase == ObjectPhase::Ended { ObjectPhase::InProgress } else { phase };
            self.output(event, &known, phase == ObjectPhase::Ended, cx);
        }
        self.phase = phase;
        if phase == ObjectPhase::Ended {
            cx.end(EndReason::Terminal);
        }
    }

    fn response_members(&mut self, event: &ResponseEvent<'_>, status: &str, cx: &mut Context<'_>) {
        let node = RESPONSE;
        set_integer(node, Response::sequence_number, event.sequence_number(), cx);
        set_status(node, status, cx);
        if let Some(error) = event.error() {
            set_error(node, &ErrorValue::read(error), "UNKNOWN", cx);
        }
        for (known, id, key, rule) in [
            (&mut self.id, event.id(), Response::id, &rules::RESPONSE_ID_CHANGED),
            (
                &mut self.session_id,
                event.session_id(),
                Response::session_id,
                &rules::SESSION_ID_CHANGED,
            ),
        ] {
            let Some(id) =
                id.map(Str::to_str).filter(|id| !bytes::same(known.as_bytes(), id.as_bytes()))
            else {
                continue;
            };
            if !known.is_empty() {
                cx.record(rule, Observed::Name(&id));
            }
            cx.set_short(node, key, &id);
            *known = id.into_owned();
        }
        set_integer(node, Response::created_at, event.created_at(), cx);
        set_integer(node, Response::completed_at, event.completed_at(), cx);
        if let Some(usage) = event.usage() {
            cx.set(node, Response::usage, FieldValue::Free(usage));
        }
        for (name, value) in event.undeclared() {
            cx.set_extra(node, &name, value);
        }
    }

    /// Applies an element of `output`; returns the position of its message.
    fn listed(&mut self, item: Element<'_, '_>, cx: &mut Context<'_>) -> Option<usize> {
        let document;
        let message = match item.skipped().map(|at| at as usize) {
            Some(at) if self.messages[at].fingerprints.is_some() => return Some(at),
            // An earlier element of the list has changed the message.
            Some(_) => {
                let limits = &cx.options().limits;
                let mut read = Document::read(item.raw().as_str(), limits.json_depth).ok()?;
                read.id_bytes = limits.id_bytes;
                document = read;
                document.root()
            }
            None => item,
        };
        match MessageEvent::decode(message) {
            Ok(message) => self.listed_message(&message, MessageOrigin::Output, cx),
            Err(error) => {
                self.malformed_in(cx, &error, "a message in output", NO_MESSAGE, None);
                None
            }
        }
    }

    /// R14: checks that a terminal event has its required members.
    fn check_terminal(&self, event: &ResponseEvent<'_>, status: &RunStatus, cx: &mut Context<'_>) {
        match status {
            RunStatus::Completed => {
                if event.completed_at().is_none() {
                    cx.record(&rules::COMPLETED_AT_MISSING, Observed::Words("null"));
                }
                if event.output().is_none() {
                    cx.record(&rules::OUTPUT_MISSING, Observed::Words("null"));
                }
            }
            RunStatus::Failed if event.error().is_none() => {
                cx.record(&rules::ERROR_MISSING, Observed::Words("null"));
            }
            _ => {}
        }
    }

    /// R15: applies `output`, which is authoritative for the messages it lists; the others stay,
    /// after them. Its order and its omissions count only when the response has ended: before that
    /// it lists the messages so far.
    #[inline(never)]
    fn output(
        &mut self,
        event: &ResponseEvent<'_>,
        status: &RunStatus,
        is_final: bool,
        cx: &mut Context<'_>,
    ) {
        let listing = cx.report().events;
        let mut order = Vec::new();
        for item in event.output().into_iter().flat_map(|list| list.elements()) {
            let Some(at) = self.listed(item, cx) else { continue };
            if core::mem::replace(&mut self.messages[at].listed_in, listing) == listing {
                self.record_in(
                    cx,
                    &rules::OUTPUT_DUPLICATE,
                    at,
                    None,
                    Observed::Words("listed again"),
                );
            } else if is_final {
                order.push(at);
            }
        }
        if order.is_empty() {
            return;
        }
        for at in 0..self.messages.len() {
            let state = &self.messages[at];
            if state.listed_in == listing {
                continue;
            }
            order.push(at);
            if *status == RunStatus::Completed && state.completed && !state.heartbeat {
                self.record_in(
                    cx,
                    &rules::OUTPUT_OMITS_MESSAGE,
                    at,
                    None,
                    Observed::Words("not listed"),
                );
            }
        }
        if !order.is_sorted() {
            let nodes: Vec<_> = order.iter().filter_map(|&at| self.messages[at].node).collect();
            cx.arrange(RESPONSE, Response::output, &nodes);
        }
    }
}

impl AgentApiFold {
    /// R30: ends the run with the error of an `{"error": "…"}` frame.
    #[inline(never)]
    pub(super) fn error_frame(&mut self, error: &ErrorValue<'_>, cx: &mut Context<'_>) {
        cx.record(&rules::BARE_ERROR, Observed::Text(&error.message));
        if self.phase == ObjectPhase::Ended {
            return;
        }
        self.phase = ObjectPhase::Ended;
        cx.end(EndReason::ErrorFrame);
        set_status(RESPONSE, "failed", cx);
        set_error(RESPONSE, error, "STREAM_ERROR", cx);
    }

    /// R19, R31: reports the messages that never ended, which stay unchanged.
    fn unfinished(&mut self, excused: bool, cx: &mut Context<'_>) {
        for state in self.messages.iter().filter(|state| state.phase != ObjectPhase::Ended) {
            if !state.heartbeat {
                let id = cx.id(state.owner).into();
                cx.unfinished(id);
            }
            if !excused {
                let got = Observed::Words("no terminal status");
                cx.record_at(&rules::MESSAGE_NOT_ENDED, state.opened, state.owner, got);
            }
        }
    }

    /// Finishes the run at the end of the stream.
    pub(super) fn stop(&mut self, aborted: bool, cx: &mut Context<'_>) {
        // The refusal has been reported as a violation. The rest of the stream is unknown, as after
        // an abort, so that a missing end is not another violation.
        let is_refused = cx.report().end_reason == EndReason::Refused;
        let excused = aborted || is_refused;
        for at in 0..self.messages.len() {
            (0..self.messages[at].parts.len()).for_each(|place| self.flush_half(at, place, cx));
        }
        if self.phase != ObjectPhase::Ended {
            cx.end(if aborted { EndReason::Aborted } else { EndReason::Eof });
            // The status `unknown` of the last response event stays.
            if !self.is_status_unknown {
                let status = if aborted && !is_refused { "canceled" } else { "incomplete" };
                set_status(RESPONSE, status, cx);
            }
        }
        if cx.report().end_reason != EndReason::Terminal && !excused {
            cx.record(&rules::NO_TERMINAL, Observed::Words("the end of the stream"));
        }
        self.phase = ObjectPhase::Ended;
        self.unfinished(excused, cx);
    }
}

protocol! {
    /// The Agent API protocol, with the choices that it leaves to a reader (R29, R34).
    AgentApi "Agent API": AgentApiFold => Snapshot {
        /// The official rule by which deltas of data are merged. `builder` (the default) adds,
        /// concatenates and replaces values as the server's builder does; `message` only appends to
        /// strings and lists that already exist.
        data_merge as "dataMerge": DataMerge { "builder" => DataMerge::Builder, "message" => DataMerge::Message },
        /// Whether the snapshot keeps messages of type `heartbeat`. False by default.
        keep_heartbeats as "keepHeartbeats": bool,
    }
    begins |choices, options| AgentApiFold::new(choices, options);
    impl {
        const LAYOUT: AnswerLayout = AnswerLayout {
            snapshot: Some("response"),
            ..AnswerLayout::calls_in("toolCalls")
        };
    }
}
