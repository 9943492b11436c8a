//! Steps for tool calls that an event has changed.

use alloc::{borrow::ToOwned, string::String};

use super::members::data_members;
use super::objects::{Phase, State, more};
use crate::core::Limits;
use crate::engine::Node;
use crate::hub::{Hub, Note, Step};
use crate::json::{self, Value};
use crate::protocols::agent_api::{Content, RunStatus, ToolSide};

/// The end of a call.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum CallEnd {
    NotYet,
    /// Not yet, but a step that refers to the call follows.
    Mentioned,
    Said {
        whole: bool,
    },
    /// The run ended without an end of the call.
    RunOver,
}

/// Emits the steps of a tool call, which begins when its id and name are known. [`State::arguments`] emits arguments in
/// pieces immediately; all others are emitted here, when the call ends.
pub(super) fn call(state: &mut State, node: Node, end: CallEnd, hub: &mut Hub<'_>) {
    let Some(data) = state.snapshot.content_of(node).map(Content::data) else { return };
    let Some(said) = state.objects.part(node) else { return };
    let member = |name: &str| data.and_then(|data| data.text(name)).unwrap_or("");
    // The list of tool calls has the first id and name: pieces that repeat a name make it longer in the data.
    let unnamed = said.id.is_empty() || said.name.is_empty();
    let known = unnamed.then(|| state.calls.of(node, ToolSide::Call, &state.snapshot)).flatten();
    if said.id.is_empty() {
        said.id = known.and_then(|call| call.call_id.as_deref()).unwrap_or(member("call_id")).to_owned();
    }
    if said.name.is_empty() {
        said.name = known.and_then(|call| call.name.as_deref()).unwrap_or(member("name")).to_owned();
    }
    let (message, silent) = (said.message, said.phase == Phase::Silent);
    if silent {
        if (said.id.is_empty() || said.name.is_empty()) && end == CallEnd::NotYet {
            if !said.id.is_empty() {
                state.waiting.insert(&said.id, node);
            }
            return;
        }
        // A part without data is not a call.
        if data.is_none() {
            said.phase = Phase::Ended;
            return;
        }
        if said.id.is_empty() {
            said.id = String::from("call_") + &number(node);
            hub.lose("call-id-missing", "", "a call needs an id: one was made");
        }
        if said.name.is_empty() {
            hub.lose("call-name-missing", &said.id, "a call needs the name of its tool: it has an empty one");
        }
        said.phase = Phase::Open;
        state.open_message(message, hub);
        let Some(said) = state.objects.part(node) else { return };
        let more = data_members(state.snapshot.content_of(node), &["call_id", "name", "arguments"]);
        hub.emit(&Step::call(message, node, &said.id, &said.name, &more));
    }
    if !matches!(end, CallEnd::NotYet | CallEnd::Mentioned) {
        end_call(state, node, end, hub);
    }
}

fn end_call(state: &mut State, node: Node, end: CallEnd, hub: &mut Hub<'_>) {
    let completed = state.snapshot.response.status == RunStatus::Completed;
    let data = state.snapshot.content_of(node).and_then(Content::data);
    let Some(said) = state.objects.part(node) else { return };
    let arguments = data.and_then(|data| data.get("arguments")).map(Value::to_text).unwrap_or_default();
    let arguments = &*arguments;
    let message = said.message;
    // After a replacement of the value, `other` contains the emitted arguments.
    if let Some(piece) = more(said, arguments, arguments) {
        hub.emit(&Step::Arguments { message, part: node, piece });
    }
    if said.other.take().is_some() {
        let call = Some(said.id.as_str());
        hub.note(Note::Replace { message, part: node, text: arguments, call });
    }
    said.phase = Phase::Ended;
    // Some servers complete runs without ending their messages: a call is then complete if its arguments are JSON.
    // Otherwise its end is not emitted here.
    let whole = match end {
        CallEnd::Said { whole } => Some(whole),
        CallEnd::NotYet | CallEnd::Mentioned | CallEnd::RunOver => {
            (completed && is_json(arguments)).then_some(true)
        }
    };
    if let Some(whole) = whole {
        hub.emit(&Step::EndPart { message, part: node, whole });
    }
}

fn is_json(text: &str) -> bool {
    json::read_any(text, Limits::default().json_depth).is_ok()
}

fn number(node: Node) -> String {
    let mut out = String::new();
    json::push_integer(node.into(), &mut out);
    out
}
