//! Response events, and the terminal event that says everything again.

use alloc::vec;
use alloc::vec::Vec;

use super::{AgentApiFold, message::Source};
use crate::agent_api::event::{ErrorValue, MessageEvent, ResponseEvent};
use crate::agent_api::lifecycle::{self, Change, Phase};
use crate::agent_api::vocab::RunStatus;
use crate::agent_api::{rules, schema};
use crate::fold::{Node, Sink, Value};
use crate::got::Got;
use crate::json::{Document, Element};
use crate::report::Ended;

impl AgentApiFold {
    #[inline(never)]
    pub(super) fn response(&mut self, event: ResponseEvent<'_>, sink: &mut dyn Sink) {
        let status = event.head.status.map(|status| status.to_str());
        // A response event without a status is as the documented examples never write it; created is the default.
        let status = status.as_deref().unwrap_or("created");
        let known = RunStatus::from(status);
        let change = Change::of(&known);
        self.said_unknown = known == RunStatus::Unknown;
        if change == Change::Nothing {
            self.breach(&rules::STATUS_UNKNOWN, Got::Name(status));
        }
        let from = self.phase;
        let phase = self.step(lifecycle::response(from, change), from, None, status);
        self.response_members(&event, status, sink);
        if change == Change::End {
            self.check_terminal(&event, &known);
        }
        if event.output.is_some() {
            // The table has the last word only now: messages inside a terminal event are not behind it.
            self.phase = if phase == Phase::Ended { Phase::InProgress } else { phase };
            self.output(&event, &known, sink);
        }
        self.phase = phase;
        if phase == Phase::Ended && self.report.ended != Ended::Refused {
            self.report.ended = Ended::Terminal;
        }
    }

    fn response_members(&mut self, event: &ResponseEvent<'_>, status: &str, sink: &mut dyn Sink) {
        let node = schema::RESPONSE;
        if let Some(number) = event.head.sequence_number {
            sink.set(node, schema::SEQUENCE_NUMBER, Value::Int(number));
        }
        self.set_status(node, status, sink);
        if let Some(error) = event.head.error {
            self.set_error(node, &ErrorValue::read(error, None), "UNKNOWN", sink);
        }
        if let Some(id) = event.id.map(|id| id.to_str()) {
            if !self.id.is_empty() && self.id != *id {
                self.breach(&rules::RESPONSE_ID_CHANGED, Got::Name(&id));
            }
            if self.id != *id {
                sink.set(node, schema::ID, Value::Str(&id));
                self.id = id.into_owned();
            }
        }
        if let Some(id) = event.session_id.map(|id| id.to_str()) {
            if !self.session_id.is_empty() && self.session_id != *id {
                self.breach(&rules::SESSION_ID_CHANGED, Got::Name(&id));
            }
            if self.session_id != *id {
                sink.set(node, schema::SESSION_ID, Value::Str(&id));
                self.session_id = id.into_owned();
            }
        }
        if let Some(seconds) = event.created_at {
            sink.set(node, schema::CREATED_AT, Value::Int(seconds));
        }
        if let Some(seconds) = event.completed_at {
            sink.set(node, schema::COMPLETED_AT, Value::Int(seconds));
        }
        if let Some(usage) = event.usage {
            sink.set(node, schema::USAGE, Value::Free(usage));
        }
        for (name, value) in event.extra() {
            sink.set_extra(node, &name, value);
        }
    }

    /// An element of `output`; returns the position of the message that it is.
    fn listed(&mut self, item: Element<'_, '_>, sink: &mut dyn Sink) -> Option<usize> {
        let document;
        let message = match item.recalled().map(|at| at as usize) {
            Some(at) if self.messages[at].verbatim.is_some() => return Some(at),
            // The list has said something else about it since.
            Some(_) => {
                document = Document::read(item.raw().as_str(), self.options.limits.json_depth).ok()?;
                document.root()
            }
            None => item,
        };
        match MessageEvent::decode(message) {
            Ok(message) => self.listed_message(&message, Source::Output, sink),
            Err(error) => {
                self.breach(&rules::MALFORMED_EVENT, Got::NoEvent(&error, "a message in output"));
                None
            }
        }
    }

    /// R14: what a terminal event has to say.
    fn check_terminal(&mut self, event: &ResponseEvent<'_>, status: &RunStatus) {
        match status {
            RunStatus::Completed => {
                if event.completed_at.is_none() {
                    self.breach(&rules::COMPLETED_AT_MISSING, Got::Words("null"));
                }
                if event.output.is_none() {
                    self.breach(&rules::OUTPUT_MISSING, Got::Words("null"));
                }
            }
            RunStatus::Failed if event.head.error.is_none() => {
                self.breach(&rules::ERROR_MISSING, Got::Words("null"));
            }
            _ => {}
        }
    }

    /// R15: `output` is right about the messages it lists; the others stay, behind them.
    #[inline(never)]
    fn output(&mut self, event: &ResponseEvent<'_>, status: &RunStatus, sink: &mut dyn Sink) {
        let mut listed = vec![false; self.messages.len()];
        let mut order = Vec::new();
        for item in event.listed() {
            let Some(at) = self.listed(item, sink) else { continue };
            listed.resize(self.messages.len(), false);
            if core::mem::replace(&mut listed[at], true) {
                self.breach_in(&rules::OUTPUT_DUPLICATE, at, None, Got::Words("listed again"));
            } else {
                order.push(at);
            }
        }
        if order.is_empty() {
            return;
        }
        listed.resize(self.messages.len(), false);
        for at in (0..self.messages.len()).filter(|&at| !listed[at]) {
            order.push(at);
            let state = &self.messages[at];
            if *status == RunStatus::Completed && state.completed && !state.heartbeat {
                self.breach_in(&rules::OUTPUT_OMITS_MESSAGE, at, None, Got::Words("not listed"));
            }
        }
        let shown = |order: &mut dyn Iterator<Item = usize>| -> Vec<Node> {
            order.filter_map(|at| self.messages[at].node).collect()
        };
        let nodes = shown(&mut order.iter().copied());
        if nodes != shown(&mut (0..self.messages.len())) {
            sink.arrange(schema::RESPONSE, schema::OUTPUT, &nodes);
        }
    }
}
