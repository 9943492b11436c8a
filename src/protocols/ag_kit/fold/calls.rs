//! Tool calls. (K2 to K4, K11, K16.)

use alloc::{string::String, vec::Vec};

use super::AgKitMeaning;
use crate::bytes::string_map::StringMap;
use crate::core::Observed;
use crate::engine::{Context, Node, Owner, SinkValue, TextCell};
use crate::json::{self, Str};
use crate::protocols::ag_kit::lifecycle::{self, CallEvent, CallState, TurnEvent};
use crate::protocols::ag_kit::{ToolCall, ToolState};

/// The calls of the turn, in order of appearance.
#[derive(Debug, Default)]
pub(super) struct Calls {
    pub list: Vec<Call>,
    by_id: StringMap<usize>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Call {
    pub owner: Owner,
    pub state: CallState,
    /// Whether the client answers the call: the request has a tool of that name, or its tools are unknown (K17).
    pub is_clients: bool,
    /// The number and offset of the event that opened the call.
    pub opened: (u64, u64),
    node: Node,
    /// The arguments, kept until they are final and can be parsed.
    pub arguments: TextCell,
}

impl Calls {
    /// Returns whether a call is in that state.
    pub fn any(&self, state: CallState) -> bool {
        self.list.iter().any(|call| call.state == state)
    }

    /// Returns the calls that the client must answer.
    pub fn pending(&self) -> impl Iterator<Item = &Call> {
        self.list.iter().filter(|call| call.state == CallState::Called && call.is_clients)
    }
}

impl AgKitMeaning {
    pub(super) fn start_call(&mut self, id: &str, name: &str, cx: &mut Context<'_>) {
        let Some((None, CallState::Streaming)) = self.call_step(id, CallEvent::Start, "tool-call-start", cx)
        else {
            return;
        };
        let Some(node) = self.open(ToolCall::KIND, cx.next_owner(), cx) else { return };
        let owner = cx.own(id);
        cx.set_short(node, ToolCall::tool_call_id, id);
        cx.set_text(node, ToolCall::tool_call_name, name);
        let tools = self.choices.client_tools.as_ref();
        self.calls.by_id.insert(id, self.calls.list.len());
        self.calls.list.push(Call {
            owner,
            state: CallState::Streaming,
            is_clients: tools.is_none_or(|tools| tools.iter().any(|tool| tool == name)),
            opened: cx.at(),
            node,
            arguments: cx.kept_text(node, ToolCall::arguments, owner),
        });
    }

    pub(super) fn call_args(&mut self, id: &str, delta: Str<'_>, cx: &mut Context<'_>) {
        let step = self.call_step(id, CallEvent::Args, "tool-call-args", cx);
        if let Some((Some(at), CallState::Streaming)) = step {
            cx.append(self.calls.list[at].arguments, delta);
        }
    }

    pub(super) fn end_call(&mut self, id: &str, cx: &mut Context<'_>) {
        let Some((Some(at), state)) = self.call_step(id, CallEvent::End, "tool-call-end", cx) else { return };
        let call = &mut self.calls.list[at];
        if core::mem::replace(&mut call.state, state) != state {
            call.settle(cx);
            cx.set(call.node, ToolCall::state, ToolState::InputAvailable.value());
        }
    }

    /// K4: assigns a result to its call by id. A later result replaces an earlier one.
    pub(super) fn call_result(&mut self, id: &str, result: &str, cx: &mut Context<'_>) {
        let Some((Some(at), state)) = self.call_step(id, CallEvent::Result, "tool-result", cx) else {
            return;
        };
        let call = &mut self.calls.list[at];
        let from = core::mem::replace(&mut call.state, state);
        if from == CallState::Streaming {
            call.settle(cx);
        }
        cx.set_text(call.node, ToolCall::result, result);
        if from != state {
            cx.set(call.node, ToolCall::state, ToolState::OutputAvailable.value());
        }
    }

    /// Takes the step of the tables for an event of a call. Returns the index of the call, if it is known, and its next
    /// state; `None` if the event is ignored.
    fn call_step(
        &mut self,
        id: &str,
        event: CallEvent,
        got: &'static str,
        cx: &mut Context<'_>,
    ) -> Option<(Option<usize>, CallState)> {
        if !self.advances(TurnEvent::Content, got, cx) {
            return None;
        }
        let known = self.calls.by_id.get(id).copied();
        let from = known.map_or(CallState::Absent, |at| self.calls.list[at].state);
        let step = lifecycle::call(from, event);
        if let Err(rule) = step.legal(from) {
            cx.breach_of(rule, id, Observed::Name(got));
        }
        Some((known, step.phase(from)))
    }
}

impl Call {
    /// K3: ends the arguments and parses them, once. Empty text means no arguments.
    fn settle(&self, cx: &mut Context<'_>) {
        let arguments = cx.end_text(self.arguments);
        match json::read_any(&arguments, cx.options().limits.json_depth) {
            Ok(None) => {}
            Ok(Some(value)) => {
                cx.set(self.node, ToolCall::parsed_arguments, SinkValue::Free(value.root()));
            }
            Err(error) => {
                let mut sentence = String::new();
                error.write(&mut sentence);
                cx.set_short(self.node, ToolCall::arguments_error, &sentence);
            }
        }
    }
}
