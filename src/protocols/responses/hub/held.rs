//! What a target of Responses keeps of messages and calls.

use alloc::string::String;

use crate::hub::kind::ToolKind;
use crate::protocols::responses::builder::PartKind;

/// A message of the hub that has not ended.
#[derive(Debug)]
pub(super) struct Message {
    pub id: Option<String>,
    pub is_reasoning: bool,
    /// Of the kind of a call, a result, a question or an answer.
    pub is_tool: bool,
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
}

/// A part that was begun.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spoken {
    pub item: u32,
    pub kind: PartKind,
    pub at: u32,
}

/// A call.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tool {
    pub item: u32,
    pub kind: ToolKind,
    /// Its item has ended.
    pub is_done: bool,
}
