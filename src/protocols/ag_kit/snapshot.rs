//! The sink that keeps everything: the native answer.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use super::enums::{Status, ToolState};
use super::schema::{self, free, text};
use crate::core::fold::{Key, Kind, Node, Sink, SinkValue};
use crate::json::{self, Object, Partial, Raw, write_list, write_string};

/// The turn so far: plain data, whole and in order at any moment.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
#[non_exhaustive]
pub struct Snapshot {
    /// How far the turn has come.
    pub status: Status,
    /// Its parts, in order of appearance.
    pub parts: Vec<Part>,
    /// Why the run failed; the same stands among the parts.
    pub error: Option<ErrorInfo>,
    /// Calls whose arguments are final and that nothing has answered when the stream ends: the client's to answer (K4).
    /// Empty while the stream lasts. Whether to act on them is what `status` says.
    pub pending_tool_call_ids: Vec<String>,
}

/// One part of a turn.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(tag = "type", rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Part {
    /// Text: all pieces that came with no other part between them (K1).
    Text {
        /// The text so far.
        text: String,
    },
    /// A tool call, with its result if the server has called the tool.
    ToolCall(ToolCall),
    /// A question of the agent.
    Interrupt(Interrupt),
    /// The end of a run that failed.
    Error(ErrorInfo),
}

/// A tool call.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
#[non_exhaustive]
pub struct ToolCall {
    /// The call's id.
    pub tool_call_id: String,
    /// The tool.
    pub tool_call_name: String,
    /// How far it has come.
    pub state: ToolState,
    /// The arguments' JSON text so far (K2).
    pub arguments: String,
    /// The arguments, once they are final and if they are JSON (K3). Parsed once; none at all are no arguments.
    pub parsed_arguments: Option<json::Value>,
    /// Why final arguments are no JSON (K3).
    pub arguments_error: Option<String>,
    /// What the tool came to (K4).
    pub result: Option<String>,
}

/// A question of the agent: the run goes on when the client resumes it (K5).
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Interrupt {
    /// What to name when resuming.
    pub id: String,
    /// Why.
    pub reason: Option<String>,
    /// What the client is asked; any JSON.
    pub payload: json::Value,
}

/// Why a run failed (K8, K9).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct ErrorInfo {
    /// What went wrong.
    pub message: String,
    /// More about it.
    pub details: Option<String>,
}

impl ToolCall {
    /// What the arguments say so far. For display only: half a path or command is the wrong one.
    pub fn partial(&self) -> Partial {
        json::partial(&self.arguments, 128)
    }
}

impl Snapshot {
    /// The turn's whole text.
    pub fn text(&self) -> String {
        let texts = self.parts.iter().filter_map(|part| match part {
            Part::Text { text } => Some(text.as_str()),
            _ => None,
        });
        texts.collect()
    }

    /// The tool calls, in order of appearance.
    pub fn tool_calls(&self) -> impl Iterator<Item = &ToolCall> {
        self.parts.iter().filter_map(|part| match part {
            Part::ToolCall(call) => Some(call),
            _ => None,
        })
    }

    /// The calls that are the client's to answer, once the stream has ended.
    pub fn pending(&self) -> impl Iterator<Item = &ToolCall> {
        // The ids are in the order of the calls.
        let mut ids = self.pending_tool_call_ids.iter().peekable();
        self.tool_calls().filter(move |call| ids.next_if(|id| **id == call.tool_call_id).is_some())
    }

    /// What the agent asks, in order of appearance.
    pub fn interrupts(&self) -> impl Iterator<Item = &Interrupt> {
        self.parts.iter().filter_map(|part| match part {
            Part::Interrupt(interrupt) => Some(interrupt),
            _ => None,
        })
    }

    /// The turn as JSON, members as TypeScript declares them.
    pub fn to_json(&self) -> String {
        let mut out = String::new();
        let mut object = Object::open(&mut out, false);
        object.string("status", Some(self.status.as_str()));
        write_list(&self.parts, object.member("parts"), Part::write);
        match &self.error {
            Some(error) => {
                let mut inner = Object::open(object.member("error"), false);
                error.members(&mut inner);
                inner.close();
            }
            None => object.value("error", None),
        }
        write_list(&self.pending_tool_call_ids, object.member("pendingToolCallIds"), |id, out| {
            write_string(id, out)
        });
        object.close();
        out
    }

    /// The part of a node: nodes are opened one per part, in order.
    fn part(&mut self, node: Node) -> Option<&mut Part> {
        self.parts.get_mut((node as usize).checked_sub(1)?)
    }
}

impl ErrorInfo {
    pub(super) fn members(&self, object: &mut Object<'_>) {
        object.string("message", Some(&self.message));
        object.string("details", self.details.as_deref());
    }
}

impl Part {
    fn write(&self, out: &mut String) {
        let mut object = Object::open(out, false);
        match self {
            Part::Text { text } => {
                object.string("type", Some("text"));
                object.string("text", Some(text));
            }
            Part::ToolCall(call) => {
                object.string("type", Some("tool-call"));
                object.string("toolCallId", Some(&call.tool_call_id));
                object.string("toolCallName", Some(&call.tool_call_name));
                object.string("state", Some(call.state.as_str()));
                object.string("arguments", Some(&call.arguments));
                object.value("parsedArguments", call.parsed_arguments.as_ref());
                object.string("argumentsError", call.arguments_error.as_deref());
                object.string("result", call.result.as_deref());
            }
            Part::Interrupt(interrupt) => {
                object.string("type", Some("interrupt"));
                object.string("id", Some(&interrupt.id));
                object.string("reason", interrupt.reason.as_deref());
                object.value("payload", Some(&interrupt.payload));
            }
            Part::Error(error) => {
                object.string("type", Some("error"));
                error.members(&mut object);
            }
        }
        object.close();
    }
}

impl Sink for Snapshot {
    fn open(&mut self, kind: Kind, _: Node, _: Key) {
        self.parts.push(match kind {
            schema::KIND_TOOL_CALL => Part::ToolCall(ToolCall::default()),
            schema::KIND_INTERRUPT => Part::Interrupt(Interrupt::default()),
            schema::KIND_ERROR => Part::Error(ErrorInfo::default()),
            _ => Part::Text { text: String::new() },
        });
    }

    fn set(&mut self, node: Node, key: Key, value: SinkValue<'_>) {
        let string = || text(value).to_owned();
        if node == schema::TURN {
            match key {
                schema::STATUS => self.status = status(text(value)),
                schema::ERROR => self.error = free(value).map(|error| error_info(&error)),
                schema::PENDING => self.pending_tool_call_ids = strings(value),
                _ => {}
            }
            return;
        }
        match (self.part(node), key) {
            (Some(Part::ToolCall(call)), schema::TOOL_CALL_ID) => call.tool_call_id = string(),
            (Some(Part::ToolCall(call)), schema::TOOL_CALL_NAME) => call.tool_call_name = string(),
            (Some(Part::ToolCall(call)), schema::STATE) => call.state = state(text(value)),
            (Some(Part::ToolCall(call)), schema::PARSED_ARGUMENTS) => call.parsed_arguments = free(value),
            (Some(Part::ToolCall(call)), schema::ARGUMENTS_ERROR) => call.arguments_error = Some(string()),
            (Some(Part::ToolCall(call)), schema::RESULT) => call.result = Some(string()),
            (Some(Part::Interrupt(interrupt)), schema::ID) => interrupt.id = string(),
            (Some(Part::Interrupt(interrupt)), schema::REASON) => interrupt.reason = Some(string()),
            (Some(Part::Interrupt(interrupt)), schema::PAYLOAD) => {
                interrupt.payload = free(value).unwrap_or_default();
            }
            (Some(Part::Error(error)), schema::MESSAGE) => error.message = string(),
            (Some(Part::Error(error)), schema::DETAILS) => error.details = Some(string()),
            _ => {}
        }
    }

    fn append(&mut self, node: Node, key: Key, piece: &str) {
        match (self.part(node), key) {
            (Some(Part::Text { text }), schema::TEXT) => text.push_str(piece),
            (Some(Part::ToolCall(call)), schema::ARGUMENTS) => call.arguments.push_str(piece),
            _ => {}
        }
    }

    // The fold of this protocol says nothing of these.
    fn set_extra(&mut self, _: Node, _: &str, _: Raw<'_>) {}
    fn set_in(&mut self, _: Node, _: Key, _: &[&str], _: SinkValue<'_>) {}
    fn append_in(&mut self, _: Node, _: Key, _: &[&str], _: &str) {}
    fn extend_in(&mut self, _: Node, _: Key, _: &[&str], _: Raw<'_>) {}
    fn add_in(&mut self, _: Node, _: Key, _: &[&str], _: Raw<'_>, _: bool) {}
    fn share(&mut self, _: Node, _: Key, _: Node, _: Key) {}
    fn move_last(&mut self, _: Node, _: Key, _: Node, _: usize) {}
    fn remove(&mut self, _: Node, _: Key, _: Node) {}
    fn arrange(&mut self, _: Node, _: Key, _: &[Node]) {}
}

fn status(name: &str) -> Status {
    use Status::*;
    let all = [Completed, AwaitingToolResults, Interrupted, Failed, Truncated];
    all.into_iter().find(|status| status.as_str() == name).unwrap_or(Streaming)
}

fn state(name: &str) -> ToolState {
    use ToolState::*;
    [InputAvailable, OutputAvailable]
        .into_iter()
        .find(|state| state.as_str() == name)
        .unwrap_or(InputStreaming)
}

fn error_info(error: &json::Value) -> ErrorInfo {
    let member = |name: &str| error.get(name).and_then(json::Value::as_str).map(ToOwned::to_owned);
    ErrorInfo { message: member("message").unwrap_or_default(), details: member("details") }
}

fn strings(value: SinkValue<'_>) -> Vec<String> {
    match free(value) {
        Some(json::Value::Array(items)) => {
            items.iter().filter_map(|item| Some(item.as_str()?.to_owned())).collect()
        }
        _ => Vec::new(),
    }
}
