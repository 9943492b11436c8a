//! Declaration of the answer: responses, messages and contents, stored whole, owned and in order.
//!
//! A reader produces these objects, and a builder holds them. On the wire every member may be
//! missing or null ([`events`](super::events)); here all known values are set. Statuses and message
//! types are free strings on the wire (spec section 1.1).

use alloc::{string::String, vec::Vec};

use crate::core::changes::{AgentText, AgentTexts, TextKind};
use crate::core::id::Id;
use crate::core::model;
use crate::core::sink::Field;
use crate::json::Value;

model! {
    words {
        /// The state of a tool call.
        ToolState as "ToolState" {
            /// Its arguments are still coming, or never came.
            Streaming = "streaming",
            /// Its arguments are complete; nothing has answered it.
            Called = "called",
            /// Its output is complete.
            Answered = "answered",
        }
    }
    open words {
        /// The status of a response, message or content.
        RunStatus as "RunStatus" {
            /// Created, not started.
            Created = "created",
            /// In progress.
            InProgress = "in_progress",
            /// Completed successfully.
            Completed = "completed",
            /// Stopped by the client.
            Canceled = "canceled",
            /// Ended by an error.
            Failed = "failed",
            /// Refused by the system.
            Rejected = "rejected",
            /// A value of the protocol without a meaning.
            Unknown = "unknown",
            /// Waiting for its turn.
            Queued = "queued",
            /// Ended before it was whole.
            Incomplete = "incomplete",
        }
        /// The role of the sender of a message.
        Role as "Role" {
            /// The agent.
            Assistant = "assistant",
            /// The person or program that asks.
            User = "user",
            /// Instructions.
            System = "system",
            /// The result of a tool.
            Tool = "tool",
        }
        /// The type of a message.
        MessageType as "MessageType" {
            /// Text and media.
            Message = "message",
            /// A call of a function tool.
            FunctionCall = "function_call",
            /// The output of the call.
            FunctionCallOutput = "function_call_output",
            /// A call of a plugin (what the framework adapters send for tools).
            PluginCall = "plugin_call",
            /// The output of the call.
            PluginCallOutput = "plugin_call_output",
            /// A call of a component.
            ComponentCall = "component_call",
            /// The output of the call.
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
            /// The reasoning of the model.
            Reasoning = "reasoning",
            /// A sign of life, no content.
            Heartbeat = "heartbeat",
            /// An error as a message.
            Error = "error",
            /// An A2UI surface.
            A2uiResponse = "a2ui_response",
            /// An action of the user on an A2UI surface.
            A2uiAction = "a2ui_action",
        }
    }
    root {
        /// The current snapshot. It is plain data, and complete and in order at any time.
        Snapshot as "AgentApiSnapshot" with response_json, tool_calls_json {
            /// The response with its messages.
            response: Response,
            /// The tool calls with their outputs, in the order of their first appearance.
            tool_calls as "toolCalls": Vec<ToolCall>,
        }
    }
    objects {
        /// An error. (Spec 1.2, `Error`.)
        ErrorInfo as "ErrorInfo" {
            /// The error code.
            code: String,
            /// The error message, for people.
            message: String,
        }
        /// A tool call and its output. (R35: paired by call id, not by order.)
        ToolCall as "ToolCall" {
            /// The call's id. Null if the stream does not contain it.
            call_id as "callId": Option<String>,
            /// The tool's name.
            name: Option<String>,
            /// The type of the message that started the call.
            r#type: MessageType,
            /// `streaming`: the arguments are not complete. `called`: the arguments are complete.
            /// `answered`: the output is complete.
            state: ToolState,
            /// The id of the message that contains the call.
            message_id as "messageId": Option<Id>,
            /// The index of the content that contains the call.
            index: Option<u32>,
            /// The id of the message that contains the output.
            output_message_id as "outputMessageId": Option<Id>,
            /// The index of the content that contains the output.
            output_index as "outputIndex": Option<u32>,
        }
    }
    open objects {
        /// The response of one run. Unchanged parts keep their identity between updates.
        /// (Spec 1.2, `AgentResponse`.)
        Response as "Response" {
            /// The sequence number of the last event with this value.
            sequence_number: Option<i64> => object = "response",
            /// The status of the run.
            status: RunStatus,
            /// The error.
            error: Option<ErrorInfo>,
            /// The id. Empty until the stream contains it.
            id: String,
            /// The creation time, in seconds since 1970.
            created_at: Option<i64>,
            /// The completion time, in seconds since 1970.
            completed_at: Option<i64>,
            /// The messages, in the order of their first appearance; once the response has ended,
            /// in the order it lists them, those it does not list after them.
            output: Vec<Message>,
            /// The token usage, as the server counts it.
            usage: Option<Value>,
            /// The id of the conversation.
            session_id: Option<String>,
        }
        /// One message of a response. (Spec 1.2, `Message`.)
        Message as "Message" {
            /// The sequence number of the last event with this value.
            sequence_number: Option<i64> => object = "message",
            /// The status of the message. If it is not terminal at the end of the stream, the
            /// message was truncated.
            status: RunStatus = "in_progress",
            /// The error.
            error: Option<ErrorInfo>,
            /// The message's id, unique in its response.
            id: Id,
            /// The type of the message.
            r#type: MessageType,
            /// The role of the sender.
            role: Option<Role>,
            /// The contents, sorted by `index`.
            content: Vec<Content>,
            /// The error code of a message of type `error`.
            code: Option<String>,
            /// The error message of a message of type `error`.
            message: Option<String>,
            /// The token usage of this message.
            usage: Option<Value>,
            /// Arbitrary data.
            metadata: Option<Value>,
        }
    }
    tagged {
        /// One part of a message, of the type in `type`. Servers may send types that are not listed
        /// here: leave a `default`. (Spec 1.2, `Content` and its seven classes.)
        Content as "Content" by r#type {
            /// The sequence number of the last event with the whole value. Null while only deltas
            /// have arrived.
            sequence_number: Option<i64> => object = "content",
            /// The status of the content.
            status: RunStatus = "in_progress",
            /// The error.
            error: Option<ErrorInfo> => r#type = tag,
            /// The index in the message.
            index: u32 => delta = false,
            /// The id of the message that contains it.
            msg_id: Id,
        }
        /// The members of a content, by its `type`. Absent and null are the same: `None`.
        Payload {
            /// `text`
            Text as TextContent = "text" {
                /// The text so far.
                text: Option<String>,
            }
            /// `data`: a JSON object.
            Data as DataContent = "data" {
                /// The data: a JSON object.
                data: Option<Value> = object,
            }
            /// `image`
            Image as ImageContent = "image" {
                /// The URL, which can be a data URL.
                image_url: Option<String>,
            }
            /// `audio`
            Audio as AudioContent = "audio" {
                /// The bytes in base64, or a URL.
                data: Option<String>,
                /// The format, for example `wav`.
                format: Option<String>,
            }
            /// `file`
            File as FileContent = "file" {
                /// The URL of the file.
                file_url: Option<String>,
                /// The server's id of the file.
                file_id: Option<String>,
                /// The display name.
                filename: Option<String>,
                /// The bytes in base64.
                file_data: Option<String>,
            }
            /// `refusal`
            Refusal as RefusalContent = "refusal" {
                /// The refusal of the agent.
                refusal: Option<String>,
            }
            /// `video`
            Video as VideoContent = "video" {
                /// The URL, which can be a data URL.
                video_url: Option<String>,
            }
        }
        /// The type of a content.
        ContentType as "ContentType"
    }
}

/// The texts of the agent.
impl AgentTexts for Snapshot {
    const TEXTS: &'static [Field] = &[TextContent::text, RefusalContent::refusal];
    const HOLDERS: &'static [Field] = &[Response::output, Message::content];

    fn text_at(&self, way: &[(Field, usize)], key: Field) -> Option<AgentText<'_>> {
        let &[(Snapshot::response, _), (Response::output, message), (Message::content, content)] =
            way
        else {
            return None;
        };
        let message = self.response.output.get(message)?;
        let kind = match (&message.r#type, &message.role) {
            (MessageType::Message, None | Some(Role::Assistant)) => TextKind::Answer,
            (MessageType::Reasoning, _) => TextKind::Reasoning,
            _ => return None,
        };
        let text = match &message.content.get(content)?.payload {
            Payload::Text { text } if key == TextContent::text => text.as_deref()?,
            Payload::Refusal { refusal } if key == RefusalContent::refusal => refusal.as_deref()?,
            _ => return None,
        };
        Some(AgentText::new(&*message.id, kind, text))
    }
}

impl RunStatus {
    /// Returns whether the status ends its object: completed, failed, canceled, rejected or
    /// incomplete (R13).
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
            Message | McpListTools | Reasoning | Heartbeat | Error | A2uiResponse | A2uiAction
            | Other(_) => None,
        }
    }
}
