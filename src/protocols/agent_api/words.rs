//! Meaning of the protocol's words: terminal statuses and types of tool messages.

use super::model::{MessageType, RunStatus};

impl RunStatus {
    /// Returns whether the status ends its object: completed, failed, canceled, rejected or incomplete (R13).
    pub fn is_terminal(&self) -> bool {
        use RunStatus::*;
        match self {
            Completed | Failed | Canceled | Rejected | Incomplete => true,
            Created | InProgress | Queued | Unknown | Other(_) => false,
        }
    }
}

/// A family of tool messages: calls are matched with outputs of the same family.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ToolFamily {
    /// `function_call`, `function_call_output`
    Function,
    /// `plugin_call`, `plugin_call_output`
    Plugin,
    /// `component_call`, `component_call_output`
    Component,
    /// `mcp_call`, `mcp_call_output`
    Mcp,
    /// `mcp_approval_request`, `mcp_approval_response`
    McpApproval,
}

/// The side of a tool exchange that a message represents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToolSide {
    /// The call, or the question.
    Call,
    /// The output, or the answer.
    Output,
}

impl MessageType {
    /// Returns the tool family and side of this type, if it is a tool message.
    pub fn tool(&self) -> Option<(ToolFamily, ToolSide)> {
        use MessageType::*;
        match self {
            FunctionCall => Some((ToolFamily::Function, ToolSide::Call)),
            FunctionCallOutput => Some((ToolFamily::Function, ToolSide::Output)),
            PluginCall => Some((ToolFamily::Plugin, ToolSide::Call)),
            PluginCallOutput => Some((ToolFamily::Plugin, ToolSide::Output)),
            ComponentCall => Some((ToolFamily::Component, ToolSide::Call)),
            ComponentCallOutput => Some((ToolFamily::Component, ToolSide::Output)),
            McpToolCall => Some((ToolFamily::Mcp, ToolSide::Call)),
            McpToolCallOutput => Some((ToolFamily::Mcp, ToolSide::Output)),
            McpApprovalRequest => Some((ToolFamily::McpApproval, ToolSide::Call)),
            McpApprovalResponse => Some((ToolFamily::McpApproval, ToolSide::Output)),
            Message | McpListTools | Reasoning | Heartbeat | Error | A2uiResponse | A2uiAction | Other(_) => {
                None
            }
        }
    }
}
