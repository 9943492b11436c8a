//! The protocol's words. (Spec section 1.1: statuses and message types are free strings on the wire.)

use crate::core::open_enum::open_enum;

open_enum! {
    /// Who a message is from.
    pub enum Role {
        /// The agent.
        Assistant = "assistant",
        /// The person or program that asks.
        User = "user",
        /// Instructions.
        System = "system",
        /// The result of a tool.
        Tool = "tool",
    }
}

open_enum! {
    /// What a message is.
    pub enum MessageType {
        /// Text and media.
        Message = "message",
        /// A call of a function tool.
        FunctionCall = "function_call",
        /// Its result.
        FunctionCallOutput = "function_call_output",
        /// A call of a plugin (what the framework adapters send for tools).
        PluginCall = "plugin_call",
        /// Its result.
        PluginCallOutput = "plugin_call_output",
        /// A call of a component.
        ComponentCall = "component_call",
        /// Its result.
        ComponentCallOutput = "component_call_output",
        /// The tools of an MCP server.
        McpListTools = "mcp_list_tools",
        /// A question whether a tool may be called.
        McpApprovalRequest = "mcp_approval_request",
        /// A call of an MCP tool.
        McpToolCall = "mcp_call",
        /// The answer to an approval request.
        McpApprovalResponse = "mcp_approval_response",
        /// The result of an MCP tool.
        McpToolCallOutput = "mcp_call_output",
        /// What the model thought.
        Reasoning = "reasoning",
        /// A sign of life, no content.
        Heartbeat = "heartbeat",
        /// An error as a message.
        Error = "error",
        /// An A2UI surface.
        A2uiResponse = "a2ui_response",
        /// What the user did on an A2UI surface.
        A2uiAction = "a2ui_action",
    }
}

open_enum! {
    /// How far a response, message or content has come.
    pub enum RunStatus {
        /// Made, not started.
        Created = "created",
        /// Being produced.
        InProgress = "in_progress",
        /// Finished well.
        Completed = "completed",
        /// Stopped by the client.
        Canceled = "canceled",
        /// Ended by an error.
        Failed = "failed",
        /// Refused by the system.
        Rejected = "rejected",
        /// A real value of the protocol that says nothing.
        Unknown = "unknown",
        /// Waiting for its turn.
        Queued = "queued",
        /// Ended before it was whole.
        Incomplete = "incomplete",
    }
}

open_enum! {
    /// What a content is.
    pub enum ContentType {
        /// `text`
        Text = "text",
        /// `data`: a JSON object.
        Data = "data",
        /// `image_url`
        Image = "image",
        /// `data` (a string) and `format`.
        Audio = "audio",
        /// `file_url`, `file_id`, `filename`, `file_data`.
        File = "file",
        /// `refusal`
        Refusal = "refusal",
        /// `video_url`
        Video = "video",
    }
}

impl RunStatus {
    /// After this status nothing more comes for the object: completed, failed, canceled, rejected or incomplete (R13).
    pub fn is_terminal(&self) -> bool {
        use RunStatus::*;
        match self {
            Completed | Failed | Canceled | Rejected | Incomplete => true,
            Created | InProgress | Queued | Unknown | Other(_) => false,
        }
    }
}

/// A family of tool messages: calls and the outputs that answer them are matched inside one family.
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

/// Which side of a tool exchange a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToolSide {
    /// The call, or the question.
    Call,
    /// The output, or the answer.
    Output,
}

impl MessageType {
    /// The tool family and side of this type, if it is a tool message.
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
