//! The state of messages and calls in a target of Responses.

use alloc::string::String;

use super::server_tool::ServerTool;
use crate::hub::ToolKind;
use crate::json::Value;
use crate::protocols::responses::builder::PartKind;

/// A message of the hub that has not ended.
#[derive(Debug)]
pub(super) struct Message {
    pub id: Option<String>,
    pub is_reasoning: bool,
    /// It is a call, a result, a question or an answer.
    pub is_tool: bool,
    /// It is the result of a tool of the server.
    pub is_result: bool,
    /// Its data is a list of an MCP server's tools.
    pub lists_tools: bool,
    /// The kind of the tools that it calls.
    pub tool: ToolKind,
    /// The item of its texts.
    pub item: Option<u32>,
    /// The number of its items.
    pub items: u32,
    /// The value that only the model's server can read.
    pub encrypted: Option<String>,
    /// Further members of the result of a tool of the server.
    pub more: Value,
}

/// A part that has begun.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spoken {
    pub item: u32,
    pub kind: PartKind,
    pub at: u32,
}

/// A call.
#[derive(Debug)]
pub(super) struct Tool {
    pub item: u32,
    pub kind: ToolKind,
    /// Its item has ended.
    pub is_done: bool,
    /// It has failed.
    pub failed: bool,
    /// The format of its item, if it is a call of a tool of Responses' own server.
    pub server: Option<&'static ServerTool>,
    /// For such a call: its arguments, if they are not streamed, and further members.
    pub given: String,
    pub more: Value,
}
