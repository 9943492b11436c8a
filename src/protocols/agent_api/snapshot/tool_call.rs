//! Tool calls with what answers them.

use alloc::string::String;

use super::Snapshot;
use crate::core::id::Id;
use crate::json::{self, Partial};

/// How far a tool call has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "lowercase"))]
#[non_exhaustive]
pub enum ToolState {
    /// Its arguments are still coming, or never came.
    #[default]
    Streaming,
    /// Its arguments are complete; nothing has answered it.
    Called,
    /// Its output is complete.
    Answered,
}

impl ToolState {
    /// `"streaming"`, `"called"` or `"answered"`.
    pub const fn as_str(self) -> &'static str {
        match self {
            ToolState::Streaming => "streaming",
            ToolState::Called => "called",
            ToolState::Answered => "answered",
        }
    }
}

/// A tool call and its output. (R35: paired by call id, not by order.)
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct ToolCall {
    /// The call's id; `None` where the stream has not said it.
    pub call_id: Option<String>,
    /// The tool's name.
    pub name: Option<String>,
    /// Type of the message that opened it.
    pub r#type: String,
    /// How far it has come.
    pub state: ToolState,
    /// The message that holds the call.
    pub message_id: Option<Id>,
    /// The index of the content that holds the call.
    pub index: Option<u32>,
    /// The message that holds the output.
    pub output_message_id: Option<Id>,
    /// The index of the content that holds the output.
    pub output_index: Option<u32>,
}

/// The arguments of a tool call, in the three forms they are needed in. (R36.)
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Arguments<'a> {
    /// The JSON text so far.
    pub raw: &'a str,
    /// The call has ended: this is all of it.
    pub ended: bool,
}

impl Arguments<'_> {
    /// What the text says so far. For display only: half a path or command is the wrong one.
    pub fn partial(&self) -> Partial {
        json::partial(self.raw, 128)
    }

    /// The arguments, once the call has ended and if they are JSON.
    pub fn value(&self) -> Option<json::Value> {
        if self.ended { json::Value::parse(self.raw, 128).ok() } else { None }
    }
}

impl Snapshot {
    /// The tool calls as a JSON array.
    pub fn tool_calls_json(&self) -> String {
        let mut out = String::new();
        json::write_list(&self.tool_calls, &mut out, |call, out| {
            let mut object = json::Object::open(out, false);
            object.string("callId", call.call_id.as_deref());
            object.string("name", call.name.as_deref());
            object.string("type", Some(&call.r#type));
            object.string("state", Some(call.state.as_str()));
            object.string("messageId", call.message_id.as_deref());
            object.integer("index", call.index.map(i64::from));
            object.string("outputMessageId", call.output_message_id.as_deref());
            object.integer("outputIndex", call.output_index.map(i64::from));
            object.close();
        });
        out
    }
}
