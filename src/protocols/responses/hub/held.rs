//! What a target of Responses keeps of messages and calls.

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
    /// Of the kind of a call, a result, a question or an answer.
    pub is_tool: bool,
    /// Of the kind of what a tool of the server came to.
    pub is_result: bool,
    /// Its data is a list of an MCP server's tools.
    pub lists_tools: bool,
    /// Whose the tools are that it calls.
    pub tool: ToolKind,
    /// The item that its texts are in.
    pub item: Option<u32>,
    /// How many items have been made of it.
    pub items: u32,
    /// What only the model's server can read.
    pub encrypted: Option<String>,
    /// Further members of what a tool of the server came to.
    pub more: Value,
}

/// A part that was begun.
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
    /// It has said that it failed.
    pub failed: bool,
    /// How its item is written, where it is of Responses' own server.
    pub server: Option<&'static ServerTool>,
    /// Of such a one: what it is given, where that is not streamed, and further members.
    pub given: String,
    pub more: Value,
}
