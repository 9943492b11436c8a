//! Tool calls. (K2 to K4, K11, K16.)

use alloc::string::String;

use super::AgKitMeaning;
use crate::engine::{Context, Node, Owner, SinkValue, TextCell};
use crate::json::{self, Str};
use crate::protocols::ag_kit::lifecycle::{CallEvent, CallState, TurnEvent};
use crate::protocols::ag_kit::{ToolCall, ToolState};

/// The object of a call.
#[derive(Clone, Copy, Debug)]
pub(super) struct CallObject {
    pub owner: Owner,
    /// Whether the client answers the call: the request has a tool of that name, or its tools are unknown (K17).
    pub is_clients: bool,
    /// Number and offset of the event that opened it.
    pub opened: (u64, u64),
    node: Node,
    /// Kept until they are final, to be parsed.
    pub arguments: TextCell,
}

impl AgKitMeaning {
    pub(super) fn start_call(&mut self, id: &str, name: &str, cx: &mut Context<'_>) {
        let step = self.apply(TurnEvent::Content, Some((id, CallEvent::Start)), "tool-call-start", cx);
        let Some((None, ..)) = step else { return };
        let Some(node) = self.open(ToolCall::KIND, cx.next_owner(), cx) else { return };
        let owner = cx.own(id);
        cx.set_short(node, ToolCall::tool_call_id, id);
        cx.set_text(node, ToolCall::tool_call_name, name);
        let tools = self.choices.client_tools.as_ref();
        let is_clients = tools.is_none_or(|tools| tools.iter().any(|tool| tool == name));
        let arguments = cx.kept_text(node, ToolCall::arguments, owner);
        self.life.add(id, CallObject { owner, is_clients, opened: cx.at(), node, arguments });
    }

    pub(super) fn call_args(&mut self, id: &str, delta: Str<'_>, cx: &mut Context<'_>) {
        let step = self.apply(TurnEvent::Content, Some((id, CallEvent::Args)), "tool-call-args", cx);
        if let Some((Some(at), _, CallState::Streaming)) = step {
            cx.append(self.life.calls[at].data.arguments, delta);
        }
    }

    pub(super) fn end_call(&mut self, id: &str, cx: &mut Context<'_>) {
        let step = self.apply(TurnEvent::Content, Some((id, CallEvent::End)), "tool-call-end", cx);
        let Some((Some(at), from, to)) = step else { return };
        if from != to {
            let call = self.life.calls[at].data;
            call.settle(cx);
            cx.set(call.node, ToolCall::state, ToolState::InputAvailable.value());
        }
    }

    /// K4: pairs a result by id. A later one replaces an earlier one.
    pub(super) fn call_result(&mut self, id: &str, result: &str, cx: &mut Context<'_>) {
        let step = self.apply(TurnEvent::Content, Some((id, CallEvent::Result)), "tool-result", cx);
        let Some((Some(at), from, to)) = step else { return };
        let call = self.life.calls[at].data;
        if from == CallState::Streaming {
            call.settle(cx);
        }
        cx.set_text(call.node, ToolCall::result, result);
        if from != to {
            cx.set(call.node, ToolCall::state, ToolState::OutputAvailable.value());
        }
    }
}

impl CallObject {
    /// K3: the arguments are final, and this is the one attempt to parse them. None at all are no arguments.
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
