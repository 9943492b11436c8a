//! The growing answer: the ChatCompletion object with its official member names.

use alloc::{format, string::String, vec::Vec};

use crate::core::changes::{AgentText, AgentTexts, TextKind};
use crate::core::declare::model::member::Absent;
use crate::core::model;
use crate::core::sink::Field;
use crate::json::{Value, decimal};

model! {
    words {
        /// The status of a completion. It is not part of the protocol.
        Status as "ChatStatus" {
            /// Chunks are coming. It stays so if reading was refused.
            InProgress = "in_progress",
            /// Every choice has a finish reason, and the first one ended by itself.
            Completed = "completed",
            /// The first choice reached a limit, was filtered, or did not end.
            Incomplete = "incomplete",
            /// The stream contained an error.
            Failed = "failed",
        }
    }
    open root {
        /// The completion so far. It is plain data; unchanged parts keep their identity between
        /// updates.
        Snapshot as "ChatCompletion" {
            /// The status, which is not part of the protocol.
            status: Status,
            /// The completion's id. Empty if the stream does not contain one.
            id: String => object = "chat.completion",
            /// The creation time, in seconds since 1970.
            created: Absent<Value>,
            /// The model.
            model: Absent<String>,
            /// The choices, in the order of their indexes.
            choices: Vec<Choice>,
            /// The token usage.
            usage: Absent<Value>,
            /// The error that ended the stream.
            error: Absent<Value>,
        }
    }
    objects {
        /// The function of a tool call.
        Function as "ChatFunction" {
            /// The name.
            name: String,
            /// The JSON text of the arguments so far.
            arguments: String,
        }
        /// The custom tool of a call.
        Custom as "ChatCustomTool" {
            /// The name.
            name: String,
            /// The input so far: plain text.
            input: String,
        }
    }
    open objects {
        /// One of the alternative answers.
        Choice as "ChatChoice" {
            /// The choice's index.
            index: i64,
            /// The message.
            message: Message,
            /// Why the choice ended: `stop`, `length`, `tool_calls`, `content_filter`, or another
            /// name. Null before the end.
            finish_reason: Option<String>,
            /// The log probabilities of the tokens.
            logprobs: Option<Value>,
        }
        /// The message of a choice.
        Message as "ChatMessage" {
            /// The role of the sender. Empty if the stream does not contain one.
            role: String,
            /// The text so far.
            content: Option<String>,
            /// The refusal so far.
            refusal: Option<String>,
            /// The reasoning so far, whatever the name of its pieces: `reasoning_content` or
            /// `reasoning`.
            reasoning_content: Absent<String>,
            /// The details of the reasoning.
            reasoning_details: Absent<Value>,
            /// The tool calls, in the order of their indexes.
            tool_calls: Absent<Vec<ToolCall>>,
            /// The only call, in the older spelling.
            function_call: Absent<Function>,
            /// The annotations of the text.
            annotations: Absent<Value>,
            /// The audio answer.
            audio: Absent<Audio>,
        }
        /// A tool call.
        ToolCall as "ChatToolCall" {
            /// The call's id. Empty if the stream does not contain one.
            id: String,
            /// The type: `function`.
            r#type as "type": String,
            /// The function.
            function: Absent<Function>,
            /// The custom tool, in place of a function.
            custom: Absent<Custom>,
        }
        /// An audio answer.
        Audio as "ChatAudio" {
            /// The audio's id.
            id: Absent<String>,
            /// The audio so far in base64.
            data: Absent<String>,
            /// The transcript so far.
            transcript: Absent<String>,
            /// The time at which the server deletes the audio, in seconds since 1970.
            expires_at: Absent<Value>,
        }
    }
}

impl Snapshot {
    /// Returns the text of the first choice.
    pub fn text(&self) -> &str {
        self.choices
            .first()
            .and_then(|choice| choice.message.content.as_deref())
            .unwrap_or_default()
    }
}

/// The texts of the agent.
impl AgentTexts for Snapshot {
    const TEXTS: &'static [Field] =
        &[Message::content, Message::refusal, Message::reasoning_content];
    const HOLDERS: &'static [Field] = &[Snapshot::choices, Choice::message];

    fn text_at(&self, way: &[(Field, usize)], key: Field) -> Option<AgentText<'_>> {
        let &[(Snapshot::choices, at), (Choice::message, _)] = way else { return None };
        let message = &self.choices.get(at)?.message;
        let (kind, text) = match key {
            Message::content => (TextKind::Answer, message.content.as_deref()?),
            Message::refusal => (TextKind::Answer, message.refusal.as_deref()?),
            Message::reasoning_content => {
                (TextKind::Reasoning, message.reasoning_content.as_deref()?)
            }
            _ => return None,
        };
        Some(AgentText::new(format!("{at}"), kind, text))
    }
}

/// Returns the id of a call that has none: the choice's index and the number of the call in it,
/// after the completion's id.
pub(crate) fn made_up_id(completion: &str, choice: i64, number: usize) -> String {
    let id = if completion.is_empty() { "call" } else { completion };
    let number = decimal(number as i64);
    if choice == 0 {
        [id, "-", &number].concat()
    } else {
        [id, "-", &decimal(choice), "-", &number].concat()
    }
}
