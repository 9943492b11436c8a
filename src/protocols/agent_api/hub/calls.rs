//! What is said of a tool call when an event has changed it.

use alloc::{borrow::ToOwned, string::String};

use super::members::data_members;
use super::objects::{Phase, State, more};
use crate::core::Limits;
use crate::engine::Node;
use crate::hub::{Hub, Note, Step};
use crate::json::{self, Value};
use crate::protocols::agent_api::{Content, RunStatus, ToolSide};

/// How a call ends.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum CallEnd {
    NotYet,
    /// Not yet, but something is said of it that follows it.
    Mentioned,
    Said {
        whole: bool,
    },
    /// Only the run did.
    RunOver,
}

/// A tool call: it begins when its id and name are there. Arguments that come in pieces are said as they come, by
/// [`State::arguments`]; the others here, when it ends.
pub(super) fn call(state: &mut State, node: Node, end: CallEnd, hub: &mut Hub<'_>) {
    let Some(data) = state.snapshot.content_of(node).map(Content::data) else { return };
    let Some(said) = state.objects.part(node) else { return };
    let member = |name: &str| data.and_then(|data| data.text(name)).unwrap_or("");
    // The reader's own list has what was said first: pieces that repeat a name make a longer one of it.
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
        // Nothing at all is no call.
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
    // Where another value came, what was said before stands in `other`.
    if let Some(piece) = more(said, arguments, arguments) {
        hub.emit(&Step::Arguments { message, part: node, piece });
    }
    if said.other.take().is_some() {
        let call = Some(said.id.as_str());
        hub.note(Note::Replace { message, part: node, text: arguments, call });
    }
    said.phase = Phase::Ended;
    // Servers exist whose runs end well and whose messages do not end: then the arguments themselves say whether they
    // are whole. A call for which nothing says so is not ended here.
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
