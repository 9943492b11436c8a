//! The growing answer: the Message object with its official member names.

use alloc::{format, string::String, vec::Vec};

use crate::core::changes::{AgentText, AgentTexts, TextKind};
use crate::core::declare::model::member::Absent;
use crate::core::model;
use crate::core::sink::Field;
use crate::json::Value;

model! {
    words {
        /// The status of a message. It is not part of the protocol.
        Status as "AnthropicStatus" {
            /// Events are coming. It stays so if reading was refused.
            InProgress = "in_progress",
            /// The message has ended.
            Completed = "completed",
            /// The message reached a limit, was refused, or its stream stopped before its end.
            Incomplete = "incomplete",
            /// The stream contained an error.
            Failed = "failed",
        }
    }
    open root {
        /// The message so far. It is plain data; unchanged parts keep their identity between
        /// updates.
        Snapshot as "AnthropicMessage" {
            /// The status, which is not part of the protocol.
            status: Status => r#type = "message",
            /// The message's id. Empty until the stream contains it.
            id: String,
            /// The role: `assistant`. Empty until the stream contains it.
            role: String,
            /// The model. Empty until the stream contains it.
            model: String,
            /// The blocks, in the order of their starts.
            content: Vec<Block>,
            /// Why the model stopped: `end_turn`, `max_tokens`, `stop_sequence`, `tool_use`,
            /// `pause_turn`, `refusal`, or another name. Null before the end.
            stop_reason: Option<String>,
            /// The text at which the model stopped.
            stop_sequence: Option<String>,
            /// The token usage.
            usage: Absent<Value>,
            /// The error that ended the stream.
            error: Absent<Value>,
        }
    }
    objects {}
    tagged {
        /// A block, by its `type`. Results of the server's tools and other blocks have types that
        /// are not declared: handle them in the `default` branch.
        Block as "AnthropicBlock" by r#type {
            /// The citations of a text, as the server sends them.
            citations: Absent<Value> => r#type = tag,
            /// The JSON text of the input of a tool so far. It is not part of the protocol.
            partial_json: Absent<String>,
        }
        /// What a block holds, by its `type`.
        BlockPayload {
            /// `text`
            Text as AnthropicText = "text" {
                /// The text so far.
                text: String,
            }
            /// `thinking`
            Thinking as AnthropicThinking = "thinking" {
                /// The thinking so far.
                thinking: String,
                /// The signature, which the next request has to contain.
                signature: String,
            }
            /// `redacted_thinking`
            RedactedThinking as AnthropicRedactedThinking = "redacted_thinking" {
                /// Encrypted thinking, which the next request has to contain.
                data: String,
            }
            /// `tool_use`
            ToolUse as AnthropicToolUse = "tool_use" {
                /// The call's id.
                id: String,
                /// The name of the tool.
                name: String,
                /// The input. Until the block has ended, the one of its start.
                input: Value,
            }
            /// `server_tool_use`
            ServerToolUse as AnthropicServerToolUse = "server_tool_use" {
                /// The call's id.
                id: String,
                /// The name of the tool.
                name: String,
                /// The input. Until the block has ended, the one of its start.
                input: Value,
            }
            /// `mcp_tool_use`
            McpToolUse as AnthropicMcpToolUse = "mcp_tool_use" {
                /// The call's id.
                id: String,
                /// The name of the tool.
                name: String,
                /// The input. Until the block has ended, the one of its start.
                input: Value,
            }
        }
        /// The type of a block.
        BlockType as "AnthropicBlockType"
    }
}

impl Snapshot {
    /// Returns the joined texts of all blocks.
    pub fn text(&self) -> String {
        let texts = self.content.iter().filter_map(|block| match &block.payload {
            BlockPayload::Text { text } => Some(text.as_str()),
            _ => None,
        });
        texts.collect()
    }
}

/// The texts of the agent.
impl AgentTexts for Snapshot {
    const TEXTS: &'static [Field] = &[AnthropicText::text, AnthropicThinking::thinking];
    const HOLDERS: &'static [Field] = &[Snapshot::content];

    fn text_at(&self, way: &[(Field, usize)], key: Field) -> Option<AgentText<'_>> {
        let &[(Snapshot::content, at)] = way else { return None };
        let (kind, text) = match (&self.content.get(at)?.payload, key) {
            (BlockPayload::Text { text }, AnthropicText::text) => (TextKind::Answer, text),
            (BlockPayload::Thinking { thinking, .. }, AnthropicThinking::thinking) => {
                (TextKind::Reasoning, thinking)
            }
            _ => return None,
        };
        Some(AgentText::new(format!("{at}"), kind, text))
    }
}
