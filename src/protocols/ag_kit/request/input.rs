//! The declaration of requests, and the requests that continue a turn. (A.3.)

use alloc::{string::String, vec, vec::Vec};

use crate::core::request::{Diagnostics, Fault, answers_in_order, decision};
use crate::core::{FreeJsonCheck, IdSource, Limits, UsageError, requests};
use crate::json::{Document, JsonErrorKind, Value};
use crate::protocols::ag_kit::{AgKit, Interrupt, Snapshot};

requests! {
    objects {
        /// The request of a client to an AG-Kit agent. (A.3.)
        SendMessageInput as "SendMessageInput" {
            /// The id of the conversation. The server keeps its messages.
            conversation_id as "conversationId": String [Alias("conversation_id"), Last],
            /// The new messages. Absent and null mean an empty list.
            messages: Vec<InputMessage> [NullIsAbsent],
            /// The tools of the client. Absent and null mean an empty list.
            tools: Vec<Tool> [NullIsAbsent, OmitWhenEmpty],
            /// The answer to an interrupt.
            resume: Option<Resume>,
        }
        /// A tool of the client.
        Tool as "AgKitTool" {
            /// The name of the tool.
            name: String,
            /// The purpose.
            description: String,
            /// The JSON Schema of the arguments: JSON text, as the protocol requires, or a JSON
            /// value, which is sent as JSON text.
            parameters: Value [Written(as_text)],
        }
        /// The answer to an interrupt (K5).
        Resume as "AgKitResume" with check_payload {
            /// The `id` of the interrupt.
            interrupt_id as "interruptId": String [Alias("interrupt_id")],
            /// The answer as JSON text, as the server requires: `JSON.stringify(answer)`. A string
            /// that is not JSON, and any other JSON value, is sent as JSON text too.
            payload: Value [Written(as_json_text)],
        }
        /// A tool call of an assistant message.
        AssistantToolCall as "AgKitToolCall" made by new {
            /// The call's id.
            id: String [FollowedBy(&["type", "function"])],
            /// The name of the tool.
            name: String [Inside("function")],
            /// The arguments as JSON text.
            arguments: String [Inside("function")],
        }
    }
    unions {
        /// One message of a request, by its `role` (A.3).
        InputMessage as "AgKitInputMessage" by "role" else User with check_id {
            /// A message of the agent, for conversations that the server does not store.
            Assistant = "assistant" {
                /// The message's id. The server requires it, although the TypeScript documentation
                /// omits it; `identify` generates one.
                id: Option<String>,
                /// The text.
                content: Option<String> [Converted(joined)],
                /// The tool calls.
                tool_calls as "toolCalls": Vec<AssistantToolCall> [Alias("tool_calls"), NullIsAbsent, OmitWhenEmpty],
            }
            /// Instructions.
            System = "system" {
                /// The text; a list of text parts is read as their concatenation.
                content: String [Converted(joined)],
            }
            /// A message of the user.
            User = "user" {
                /// The text; a list of text parts is read as their concatenation.
                content: String [Converted(joined)],
            }
            /// The result of a tool of the client. (K15.)
            Tool = "tool" {
                /// The result: text, often JSON text.
                content: String [Converted(joined)],
                /// The id of the call.
                tool_call_id as "toolCallId": String [Alias("tool_call_id")],
            }
        }
    }
    bodies { SendMessageInput }
}

impl SendMessageInput {
    /// Creates a request with these new messages and nothing else.
    pub fn new(conversation_id: impl Into<String>, messages: Vec<InputMessage>) -> Self {
        SendMessageInput { conversation_id: conversation_id.into(), messages, ..Self::empty() }
    }

    /// Creates a request with the next message of the user.
    pub fn user(conversation_id: impl Into<String>, text: impl Into<String>) -> Self {
        Self::new(conversation_id, vec![InputMessage::User { content: text.into() }])
    }

    /// Creates a request with the answers to the pending calls of a turn: one message for each, in
    /// the order of the calls (K15). `answers` are pairs of a call's id and the result of its tool.
    /// Refuses a missing or extra answer, and a turn without pending calls.
    ///
    /// The request has no tools: add those of the previous request if the agent may call them
    /// again.
    pub fn tool_answers<I: AsRef<str>, A: Into<String>>(
        conversation_id: impl Into<String>,
        turn: &Snapshot,
        answers: impl IntoIterator<Item = (I, A)>,
    ) -> Result<Self, UsageError> {
        let ordered = answers_in_order(&turn.pending_tool_call_ids, answers, "tool_answers()")?;
        let message = |(tool_call_id, content)| InputMessage::Tool { content, tool_call_id };
        let messages = ordered.into_iter().map(message).collect();
        Ok(Self::new(conversation_id, messages))
    }

    /// Creates a request with the answer to an interrupt, one per request (K5, F.3): any JSON,
    /// which is sent as JSON text.
    pub fn resuming(
        conversation_id: impl Into<String>,
        interrupt: &Interrupt,
        answer: Value,
    ) -> Self {
        let mut input = Self::new(conversation_id, Vec::new());
        input.resume = Some(Resume::new(interrupt.id.as_str(), answer));
        input
    }

    /// Returns the protocol for reading the answer, with the names of the client's tools (K17).
    pub fn protocol(&self) -> AgKit {
        let names = self.tools.iter().map(|tool| tool.name.clone()).collect();
        AgKit { client_tools: Some(names), ..AgKit::default() }
    }

    /// Writes the request as JSON. Refuses requests that every server rejects: an assistant message
    /// without an id, parameters that are not JSON.
    pub fn to_json(&self) -> Result<String, UsageError> {
        const CALL: &str = "to_json()";
        let deepest = Limits::default().json_depth;
        let free = FreeJsonCheck { deepest, call: CALL };
        for tool in &self.tools {
            if tool.parameters.as_str().is_some_and(|text| Document::read(text, deepest).is_err()) {
                return Err(UsageError::new(
                    "parameters-not-json",
                    [
                        CALL,
                        " was given the tool `",
                        &tool.name,
                        "` whose parameters are not JSON text",
                    ]
                    .concat(),
                    "give the JSON Schema of the tool's arguments",
                ));
            }
            free.value(&tool.parameters, deepest)?;
        }
        if let Some(resume) = &self.resume {
            free.value(&resume.payload, deepest)?;
        }
        if self
            .messages
            .iter()
            .any(|message| matches!(message, InputMessage::Assistant { id: None, .. }))
        {
            return Err(UsageError::new(
                "message-without-id",
                [CALL, " was given an assistant message without an id"].concat(),
                "call `identify()` of the message first",
            ));
        }
        Ok(self.normalized_json())
    }
}

impl Tool {
    /// Creates a tool with that name, purpose and JSON Schema (text or JSON).
    pub fn new(name: impl Into<String>, description: impl Into<String>, parameters: Value) -> Self {
        Tool { name: name.into(), description: description.into(), parameters }
    }
}

impl Resume {
    /// Creates the answer to the interrupt of that id: any JSON.
    pub fn new(interrupt_id: impl Into<String>, answer: Value) -> Self {
        // Otherwise a text that is also valid JSON would be read as that JSON.
        let payload = match answer {
            text @ Value::String(_) => Value::String(text.to_json()),
            other => other,
        };
        Resume { interrupt_id: interrupt_id.into(), payload }
    }

    /// Returns the answer in the payload, which is JSON text (`"\"yes\""`), plain text (`"yes"`) or
    /// other JSON.
    pub fn answer(&self) -> Value {
        let parsed = |text| decision::parse(text, Limits::default().json_depth).ok();
        self.payload.as_str().and_then(parsed).unwrap_or_else(|| self.payload.clone())
    }

    fn check_payload(&self, diagnostics: &mut Diagnostics) {
        if self.payload.as_str().is_none() {
            diagnostics.note_member("payload", Fault::StringType, &self.payload);
        }
    }
}

impl InputMessage {
    /// Generates the id of an assistant message without one: the server requires it (K14).
    pub fn identify(&mut self, ids: &mut impl IdSource) {
        if let InputMessage::Assistant { id: id @ None, .. } = self {
            *id = Some(ids.next_id("msg_"));
        }
    }

    fn check_id(&self, diagnostics: &mut Diagnostics) {
        if let InputMessage::Assistant { id: None, .. } = self {
            diagnostics.note_member(
                "id",
                Fault::Missing,
                &Value::from([("role", "assistant".into())]),
            );
        }
    }
}

/// Joins a list of parts with `text` to one string. Returns any other value unchanged.
fn joined(value: Value) -> Value {
    let Value::Array(parts) = &value else { return value };
    let texts = parts.iter().map(|part| part.get("text").and_then(Value::as_str));
    texts.collect::<Option<String>>().map_or(value, Value::String)
}

/// Returns a string unchanged, and anything else as JSON text.
fn as_text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_json(), Into::into)
}

/// Returns JSON text unchanged, and anything else as JSON text. A string that nests too deep to be
/// parsed counts as JSON text.
fn as_json_text(value: &Value) -> String {
    let is_json = |text: &&str| match Document::read(text, Limits::default().json_depth) {
        Ok(_) => true,
        Err(error) => error.kind == JsonErrorKind::TooDeep,
    };
    value.as_str().filter(is_json).map_or_else(|| value.to_json(), Into::into)
}
