//! Tool calls. (K2 to K4, K11, K16.)

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use super::AgKitFold;
use super::replay::Target;
use super::text::Text;
use crate::core::fold::{Key, Metered, Node, SinkValue};
use crate::core::observed::Observed;
use crate::core::string_map::StringMap;
use crate::json::{self, Str};
use crate::protocols::ag_kit::lifecycle::{self, CallEvent, CallState, TurnEvent};
use crate::protocols::ag_kit::schema;

/// Every call of the turn, in order of appearance.
#[derive(Debug, Default)]
pub(super) struct Calls {
    pub list: Vec<ToolCall>,
    by_id: StringMap<usize>,
}

#[derive(Debug)]
pub(super) struct ToolCall {
    pub id: String,
    pub phase: CallState,
    /// The request has a tool of that name, or nobody knows what tools it has (K17).
    pub is_clients: bool,
    /// Number and offset of the event that opened it.
    pub opened: (u64, u64),
    text: Text,
    /// The arguments so far, until they are final.
    arguments: String,
}

impl ToolCall {
    /// Where its arguments go.
    pub fn arguments_into(&self) -> (Node, Key) {
        (self.text.node, schema::ARGUMENTS)
    }
}

impl AgKitFold {
    pub(super) fn start_call(&mut self, id: &str, name: &str, sink: &mut Metered<'_>) {
        let Some((known, phase)) = self.call_step(id, CallEvent::Start, "tool-call-start") else { return };
        if known.is_some() || phase != CallState::Streaming {
            return;
        }
        let call = self.calls.list.len() as u32;
        let Some(node) = self.open(schema::KIND_TOOL_CALL, call, sink) else { return };
        sink.set_short(node, schema::TOOL_CALL_ID, id);
        sink.set(node, schema::TOOL_CALL_NAME, SinkValue::Str(name));
        let tools = self.choices.client_tools.as_ref();
        self.calls.by_id.insert(id, self.calls.list.len());
        self.calls.list.push(ToolCall {
            id: id.to_owned(),
            phase,
            is_clients: tools.is_none_or(|tools| tools.iter().any(|tool| tool == name)),
            opened: self.at,
            text: Text::new(node, schema::ARGUMENTS),
            arguments: String::new(),
        });
    }

    pub(super) fn call_args(&mut self, data: &str, id: &str, delta: Str<'_>, sink: &mut Metered<'_>) {
        if let Some((Some(at), CallState::Streaming)) = self.call_step(id, CallEvent::Args, "tool-call-args")
        {
            self.repeat.appended(Target::Arguments(at), data, delta);
            self.append_args(at, delta, sink);
        }
    }

    pub(super) fn end_call(&mut self, id: &str, sink: &mut Metered<'_>) {
        let Some((Some(at), phase)) = self.call_step(id, CallEvent::End, "tool-call-end") else { return };
        if self.calls.list[at].phase != phase {
            self.calls.list[at].phase = phase;
            self.settle(at, sink);
            sink.set(self.calls.list[at].text.node, schema::STATE, schema::word("input-available"));
        }
    }

    /// K4: pairs a result by id. A later one replaces an earlier one.
    pub(super) fn call_result(&mut self, id: &str, result: &str, sink: &mut Metered<'_>) {
        let Some((Some(at), phase)) = self.call_step(id, CallEvent::Result, "tool-result") else { return };
        let from = core::mem::replace(&mut self.calls.list[at].phase, phase);
        if from == CallState::Streaming {
            self.settle(at, sink);
        }
        let node = self.calls.list[at].text.node;
        sink.set(node, schema::RESULT, SinkValue::Str(result));
        if from != phase {
            sink.set(node, schema::STATE, schema::word("output-available"));
        }
    }

    pub(super) fn append_args(&mut self, at: usize, delta: Str<'_>, sink: &mut Metered<'_>) {
        self.with_call(at, |fold, call| {
            fold.append(&mut call.text, delta, Some(&mut call.arguments), Some(&call.id), sink);
        });
    }

    /// The stream is over: arguments that are still coming stay as they are.
    pub(super) fn end_arguments(&mut self, sink: &mut Metered<'_>) {
        for at in 0..self.calls.list.len() {
            self.with_call(at, |fold, call| fold.flush(&mut call.text, None, Some(&call.id), sink));
        }
    }

    /// Asks the tables what an event says about a call: its place if it is known, and the state it comes to. `None` when
    /// the event is to be ignored.
    fn call_step(
        &mut self,
        id: &str,
        piece: CallEvent,
        got: &'static str,
    ) -> Option<(Option<usize>, CallState)> {
        if !self.says(TurnEvent::Content, got) {
            return None;
        }
        let known = self.calls.by_id.get(id).copied();
        let from = known.map_or(CallState::Absent, |at| self.calls.list[at].phase);
        let step = lifecycle::call(from, piece);
        if let Err(rule) = step.legal(from) {
            self.breach(rule, Some(id), Observed::Name(got));
        }
        Some((known, step.phase(from)))
    }

    /// K3: the arguments are final, and this is the one attempt to parse them. None at all are no arguments.
    fn settle(&mut self, at: usize, sink: &mut Metered<'_>) {
        let depth = self.options.limits.json_depth;
        self.with_call(at, |fold, call| {
            fold.flush(&mut call.text, Some(&mut call.arguments), Some(&call.id), sink);
            let arguments = core::mem::take(&mut call.arguments);
            match json::read_any(&arguments, depth) {
                Ok(None) => {}
                Ok(Some(value)) => {
                    sink.set(call.text.node, schema::PARSED_ARGUMENTS, SinkValue::Free(value.root()));
                }
                Err(error) => {
                    let mut sentence = String::new();
                    error.write(&mut sentence);
                    sink.set_short(call.text.node, schema::ARGUMENTS_ERROR, &sentence);
                }
            }
        });
    }

    /// Works on a call with the rest of the fold at hand.
    fn with_call(&mut self, at: usize, work: impl FnOnce(&mut Self, &mut ToolCall)) {
        let mut list = core::mem::take(&mut self.calls.list);
        if let Some(call) = list.get_mut(at) {
            work(self, call);
        }
        self.calls.list = list;
    }
}
