//! The growing answer: the message (`Msg`) of AgentScope with its official member names.

use alloc::{format, string::String, vec::Vec};

use crate::core::changes::{AgentText, AgentTexts, TextKind};
use crate::core::declare::model::member::Absent;
use crate::core::model;
use crate::core::sink::Field;
use crate::json::Value;

model! {
    words {
        /// The status of a reply. It is not part of the protocol.
        Status as "AgentScopeStatus" {
            /// Events are coming. It stays so if reading was refused.
            Streaming = "streaming",
            /// Calls wait for the user's confirmation, or for the client to execute them.
            Waiting = "waiting",
            /// The reply is complete.
            Completed = "completed",
            /// The user has stopped it.
            Interrupted = "interrupted",
            /// The agent has exceeded its iterations.
            Incomplete = "incomplete",
            /// It ended with an error.
            Failed = "failed",
            /// The stream stopped before the end of the reply, or its reader stopped it.
            Truncated = "truncated",
        }
        /// The role of a message.
        Role as "AgentScopeRole" {
            /// The agent.
            Assistant = "assistant",
            /// The user.
            User = "user",
            /// Instructions.
            System = "system",
        }
        /// The state of a tool call.
        CallState as "AgentScopeCallState" {
            /// It was not yet looked at.
            Pending = "pending",
            /// It waits for the user's confirmation.
            Asking = "asking",
            /// It may be executed.
            Allowed = "allowed",
            /// It waits for the client to execute it.
            Submitted = "submitted",
            /// It has a result, or the user has declined it.
            Finished = "finished",
        }
        /// The state of a result.
        ResultState as "AgentScopeResultState" {
            /// The tool is running.
            Running = "running",
            /// The tool has succeeded.
            Success = "success",
            /// The tool has failed.
            Error = "error",
            /// The user has stopped it.
            Interrupted = "interrupted",
            /// The call was not allowed.
            Denied = "denied",
        }
    }
    root {
        /// The reply so far: the `Msg` of AgentScope, with `session_id`, `model`, `status` and
        /// `custom`, which are not part of it. It is plain data; unchanged blocks keep their
        /// identity between updates.
        Snapshot as "AgentScopeReply" {
            /// The id of the reply. Empty until the stream contains it.
            id: String,
            /// The name of the agent.
            name: String,
            /// The role of the agent.
            role: Role,
            /// The blocks, in the order of their appearance.
            content: Vec<Block>,
            /// The metadata of its start and of its end.
            metadata: Absent<Value>,
            /// The time of its start, in ISO 8601.
            created_at: Absent<String>,
            /// The tokens used so far.
            usage: Option<Usage>,
            /// The time of its end, in ISO 8601.
            finished_at: Absent<String>,
            /// Why it ended: `completed`, `interrupted`, `exceed_max_iters`, `error`.
            finished_reason: Absent<String>,
            /// The error of a reply that failed.
            error: Option<ErrorInfo>,
            /// The id of the session, which is not part of the protocol's message.
            session_id: String,
            /// The name of the model that was called last, which is not part of the protocol's
            /// message.
            model: Absent<String>,
            /// The status, which is not part of the protocol's message.
            status: Status,
            /// The events of the service, which are not part of the protocol's message.
            custom: Vec<CustomEvent>,
        }
    }
    objects {
        /// Token counts, the sums of all calls of the model.
        Usage as "AgentScopeUsage" {
            /// Input tokens.
            input_tokens: i64,
            /// Output tokens.
            output_tokens: i64,
            /// Input tokens that were read from a cache.
            cache_input_tokens: i64,
            /// Input tokens that were written to a cache.
            cache_creation_input_tokens: i64,
        }
        /// The error of a reply.
        ErrorInfo as "AgentScopeError" {
            /// The class of the error: `rate_limit`, `upstream`, `setup`, ….
            r#type as "type": String,
            /// The error message.
            message: String,
        }
        /// An event of the service or of the application.
        CustomEvent as "AgentScopeCustomEvent" {
            /// The name.
            name: String,
            /// An object.
            value: Value,
        }
        /// A text.
        TextBlock as "AgentScopeTextBlock" {
            /// The id of the block.
            id: String,
            /// The text so far.
            text: String,
            /// The time of its end, empty if the event has none. Absent until then.
            finished_at: Absent<String>,
        }
        /// Reasoning of the model.
        ThinkingBlock as "AgentScopeThinkingBlock" {
            /// The id of the block.
            id: String,
            /// The reasoning so far.
            thinking: String,
            /// The time of its end, empty if the event has none. Absent until then.
            finished_at: Absent<String>,
        }
        /// An image, a sound, a video or a file.
        DataBlock as "AgentScopeDataBlock" {
            /// The id of the block.
            id: String,
            /// The name, such as that of a file.
            name: Option<String>,
            /// `{"type":"base64","data","media_type"}` or `{"type":"url","url","media_type"}`.
            source: Value,
            /// The time of its end, empty if the event has none. Absent until then.
            finished_at: Absent<String>,
        }
        /// A text for the model that joined the reply.
        HintBlock as "AgentScopeHintBlock" {
            /// The id of the block.
            id: String,
            /// A text, or a list of text and data blocks.
            hint: Value,
            /// The sender.
            source: Option<String>,
        }
        /// A tool call.
        ToolCallBlock as "AgentScopeToolCallBlock" {
            /// The id of the call.
            id: String,
            /// The name of the tool.
            name: String,
            /// The JSON text of the input so far. Use incomplete input only for display.
            input: String,
            /// Whether the call waits, and for what.
            state: CallState,
            /// The rules that the user can accept with the confirmation: a list.
            suggested_rules: Absent<Value>,
            /// The time of the end of its input, empty if the event has none. Absent until then.
            finished_at: Absent<String>,
        }
        /// The result of a tool call.
        ToolResultBlock as "AgentScopeToolResultBlock" {
            /// The id of the call.
            id: String,
            /// The name of the tool.
            name: String,
            /// The blocks, in the order of their appearance.
            output: Vec<OutputBlock>,
            /// How the tool ended.
            state: ResultState,
            /// Data for the application: an object.
            metadata: Absent<Value>,
            /// The time of its end, empty if the event has none. Absent until then.
            finished_at: Absent<String>,
        }
        /// A text in a result.
        OutputText as "AgentScopeOutputText" {
            /// The text so far.
            text: String,
        }
        /// An image, a sound, a video or a file in a result.
        OutputData as "AgentScopeOutputData" {
            /// The id of the block.
            id: String,
            /// `{"type":"base64","data","media_type"}` or `{"type":"url","url","media_type"}`.
            source: Value,
        }
    }
    unions {
        /// A block of a reply, by its `type`.
        Block as "AgentScopeBlock" by "type" {
            /// Text.
            Text(TextBlock) = "text",
            /// Reasoning.
            Thinking(ThinkingBlock) = "thinking",
            /// An image, a sound, a video or a file.
            Data(DataBlock) = "data",
            /// A text for the model.
            Hint(HintBlock) = "hint",
            /// A tool call.
            ToolCall(ToolCallBlock) = "tool_call",
            /// The result of a tool call.
            ToolResult(ToolResultBlock) = "tool_result",
        }
        /// A block of a result, by its `type`.
        OutputBlock as "AgentScopeOutputBlock" by "type" {
            /// Text.
            Text(OutputText) = "text",
            /// An image, a sound, a video or a file.
            Data(OutputData) = "data",
        }
    }
}

impl ToolResultBlock {
    /// Returns the joined texts of the result.
    pub fn text(&self) -> String {
        let texts = self.output.iter().filter_map(|block| match block {
            OutputBlock::Text(text) => Some(text.text.as_str()),
            OutputBlock::Data(_) => None,
        });
        texts.collect()
    }
}

impl Snapshot {
    /// Returns the joined texts of the reply.
    pub fn text(&self) -> String {
        let texts = self.content.iter().filter_map(|block| match block {
            Block::Text(text) => Some(text.text.as_str()),
            _ => None,
        });
        texts.collect()
    }

    /// Returns the tool calls, in the order of their appearance.
    pub fn tool_calls(&self) -> impl Iterator<Item = &ToolCallBlock> {
        self.content.iter().filter_map(|block| match block {
            Block::ToolCall(call) => Some(call),
            _ => None,
        })
    }

    /// Returns the results, in the order of their appearance.
    pub fn tool_results(&self) -> impl Iterator<Item = &ToolResultBlock> {
        self.content.iter().filter_map(|block| match block {
            Block::ToolResult(result) => Some(result),
            _ => None,
        })
    }

    /// Returns the calls that wait for the user's confirmation, or for the client to execute them.
    pub fn pending(&self) -> impl Iterator<Item = &ToolCallBlock> {
        self.tool_calls()
            .filter(|call| matches!(call.state, CallState::Asking | CallState::Submitted))
    }
}

/// The texts of the agent.
impl AgentTexts for Snapshot {
    const TEXTS: &'static [Field] = &[TextBlock::text, ThinkingBlock::thinking];
    const HOLDERS: &'static [Field] = &[Snapshot::content];

    fn text_at(&self, way: &[(Field, usize)], key: Field) -> Option<AgentText<'_>> {
        let &[(Snapshot::content, at)] = way else { return None };
        let (kind, text) = match self.content.get(at)? {
            Block::Text(block) if key == TextBlock::text => (TextKind::Answer, &block.text),
            Block::Thinking(block) if key == ThinkingBlock::thinking => {
                (TextKind::Reasoning, &block.thinking)
            }
            _ => return None,
        };
        Some(AgentText::new(format!("{at}"), kind, text))
    }
}
