//! Response events, and the terminal event, which repeats the whole answer.

use alloc::vec::Vec;

use super::message::Source;
use super::{AgentApiMeaning, NO_MESSAGE, RESPONSE, set_error, set_status};
use crate::bytes;
use crate::core::{EndReason, Observed};
use crate::engine::{Context, SinkValue};
use crate::json::{Document, Element};
use crate::protocols::agent_api::events::{ErrorValue, MessageEvent, ResponseEvent};
use crate::protocols::agent_api::lifecycle::{self, Change, Phase};
use crate::protocols::agent_api::{Response, RunStatus, rules};

impl AgentApiMeaning {
    #[inline(never)]
    pub(super) fn response(&mut self, event: &ResponseEvent<'_>, cx: &mut Context<'_>) {
        let status = event.status().map(|status| status.to_str());
        // The documented examples always have a status; the default is created.
        let status = status.as_deref().unwrap_or("created");
        let known = RunStatus::from(status);
        let change = Change::of(&known);
        self.said_unknown = known == RunStatus::Unknown;
        if change == Change::Nothing {
            cx.breach(&rules::STATUS_UNKNOWN, Observed::Name(status));
        }
        let from = self.phase;
        let phase = self.step(lifecycle::response(from, change), from, NO_MESSAGE, status, cx);
        self.response_members(event, status, cx);
        if change == Change::End {
            self.check_terminal(event, &known, cx);
        }
        if event.output().is_some() {
            // The new phase applies only after `output`: the messages inside a terminal event do not come after it.
            self.phase = if phase == Phase::Ended { Phase::InProgress } else { phase };
            self.output(event, &known, phase == Phase::Ended, cx);
        }
        self.phase = phase;
        if phase == Phase::Ended {
            cx.end(EndReason::Terminal);
        }
    }

    fn response_members(&mut self, event: &ResponseEvent<'_>, status: &str, cx: &mut Context<'_>) {
        let node = RESPONSE;
        if let Some(number) = event.sequence_number() {
            cx.set(node, Response::sequence_number, SinkValue::Int(number));
        }
        set_status(node, status, cx);
        if let Some(error) = event.error() {
            set_error(node, &ErrorValue::read(error), "UNKNOWN", cx);
        }
        if let Some(id) = event.id().map(|id| id.to_str())
            && !bytes::same(self.id.as_bytes(), id.as_bytes())
        {
            if !self.id.is_empty() {
                cx.breach(&rules::RESPONSE_ID_CHANGED, Observed::Name(&id));
            }
            cx.set_short(node, Response::id, &id);
            self.id = id.into_owned();
        }
        if let Some(id) = event.session_id().map(|id| id.to_str())
            && !bytes::same(self.session_id.as_bytes(), id.as_bytes())
        {
            if !self.session_id.is_empty() {
                cx.breach(&rules::SESSION_ID_CHANGED, Observed::Name(&id));
            }
            cx.set_short(node, Response::session_id, &id);
            self.session_id = id.into_owned();
        }
        if let Some(seconds) = event.created_at() {
            cx.set(node, Response::created_at, SinkValue::Int(seconds));
        }
        if let Some(seconds) = event.completed_at() {
            cx.set(node, Response::completed_at, SinkValue::Int(seconds));
        }
        if let Some(usage) = event.usage() {
            cx.set(node, Response::usage, SinkValue::Free(usage));
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
            Ok(message) => self.listed_message(&message, Source::Output, cx),
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
                    cx.breach(&rules::COMPLETED_AT_MISSING, Observed::Words("null"));
                }
                if event.output().is_none() {
                    cx.breach(&rules::OUTPUT_MISSING, Observed::Words("null"));
                }
            }
            RunStatus::Failed if event.error().is_none() => {
                cx.breach(&rules::ERROR_MISSING, Observed::Words("null"));
            }
            _ => {}
        }
    }

    /// R15: applies `output`, which is authoritative for the messages it lists; the others stay, after them. Its order
    /// and its omissions count only when the response has ended: before that it lists the messages so far.
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
                self.breach_in(cx, &rules::OUTPUT_DUPLICATE, at, None, Observed::Words("listed again"));
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
                self.breach_in(cx, &rules::OUTPUT_OMITS_MESSAGE, at, None, Observed::Words("not listed"));
            }
        }
        if !order.is_sorted() {
            let nodes: Vec<_> = order.iter().filter_map(|&at| self.messages[at].node).collect();
            cx.arrange(RESPONSE, Response::output, &nodes);
        }
    }
}
