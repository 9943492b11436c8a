//! Requests, declared, and their JSON. (B.2, U23.)

use alloc::{borrow::Cow, string::String, vec::Vec};

use crate::core::request::to_json;
use crate::core::{FreeJsonCheck, Limits, UsageError, requests};
use crate::json::{JsonText, Value};
use crate::protocols::ag_ui::AgUi;
use crate::protocols::ag_ui::PROTOCOL_VERSION;
use crate::protocols::ag_ui::fold::upgraded;

requests! {
    objects {
        /// The request of a client to an AG-UI agent, with the whole thread. (B.2.)
        RunAgentInput as "RunAgentInput" {
            /// The id of the thread.
            thread_id as "threadId": String [Alias("thread_id")],
            /// The id of the new run.
            run_id as "runId": String [Alias("run_id")],
            /// The protocol version that the client uses. `1.0` by default.
            protocol_version as "protocolVersion": Option<String> [Alias("protocol_version")],
            /// The id of the run that this run continues.
            parent_run_id as "parentRunId": Option<String> [Alias("parent_run_id")],
            /// The shared state: any JSON. Absent means an empty object.
            state: Value [Default] = Value::Object(Vec::new()),
            /// The messages of the thread, in order.
            messages: Vec<InputMessage>,
            /// The tools of the client. Absent and null mean an empty list.
            tools: Vec<Tool> [NullIsAbsent],
            /// The context for the agent. Absent and null mean an empty list.
            context: Vec<ContextEntry> [NullIsAbsent],
            /// Further data for the agent: any JSON. Absent and null mean an empty object.
            forwarded_props as "forwardedProps": Value [Alias("forwarded_props"), Default, Converted(filled)]
                = Value::Object(Vec::new()),
            /// The answers to all interrupts of the last run. Absent and null mean an empty list.
            resume: Vec<ResumeEntry> [NullIsAbsent, OmitWhenEmpty],
        }
        /// A tool of the client.
        Tool as "AgUiTool" {
            /// The name of the tool.
            name: String,
            /// The purpose.
            description: String,
            /// The JSON Schema of the arguments.
            parameters: Option<Value>,
            /// Further data.
            metadata: Option<Value> [Object],
        }
        /// A piece of context for the agent.
        ContextEntry as "AgUiContext" made by new {
            /// The description.
            description: String,
            /// The value.
            value: String,
        }
        /// The answer to an interrupt (B.8).
        ResumeEntry as "AgUiResumeEntry" {
            /// The `id` of the interrupt.
            interrupt_id as "interruptId": String [Alias("interrupt_id")],
            /// Whether the interrupt is answered or canceled.
            status: String [OneOf(&["resolved", "cancelled"])],
            /// The answer: any JSON.
            payload: Option<Value>,
            /// Further data.
            metadata: Option<Value> [Object],
        }
        /// An interrupt: a question of the agent. (B.8.)
        Interrupt as "AgUiInterrupt" {
            /// The id of the interrupt, which the answer repeats.
            id: String,
            /// The reason: `tool_call`, or any other string.
            reason: String,
            /// The question, for people.
            message: Option<String> [NotNull],
            /// The id of the call in question.
            tool_call_id as "toolCallId": Option<String> [NotNull],
            /// The JSON Schema of the answer.
            response_schema as "responseSchema": Option<Value> [Object],
            /// The time after which the interrupt cannot be answered, in ISO 8601.
            expires_at as "expiresAt": Option<String> [NotNull],
            /// Further data.
            metadata: Option<Value> [Object],
            /// The id of the subagent that asks.
            subagent_run_id as "subagentRunId": Option<String> [NotNull],
        }
        /// A tool call of an assistant message.
        InputToolCall as "AgUiInputToolCall" {
            /// The call's id.
            id: String [FollowedBy(&["type", "function"])],
            /// The name of the tool.
            name: String [Inside("function")],
            /// The arguments as JSON text.
            arguments: String [Inside("function")],
            /// An encrypted value. Only the provider can read it.
            encrypted_value as "encryptedValue": Option<String> [Alias("encrypted_value")],
            /// Further data.
            metadata: Option<Value> [Object],
        }
    }
    unions_with {
        /// One message of a request, by its `role` (B.2).
        InputMessage as "AgUiInputMessage" by "role" {
            all {
                /// The id of the subagent.
                subagent_run_id as "subagentRunId": Option<String> [Alias("subagent_run_id")],
                /// Further data.
                metadata: Option<Value> [Object],
            }
            most {
                /// An encrypted value. Only the provider can read it.
                encrypted_value as "encryptedValue": Option<String> [Alias("encrypted_value")],
            }
            /// Instructions of who wrote the agent.
            Developer = "developer" most {
                /// The id.
                id: String,
                /// The text.
                content: String,
                /// The name of the sender.
                name: Option<String>,
            }
            /// Instructions.
            System = "system" most {
                /// The id.
                id: String,
                /// The text.
                content: String,
                /// The name of the sender.
                name: Option<String>,
            }
            /// A message of the agent, with its tool calls.
            Assistant = "assistant" most {
                /// The id.
                id: String,
                /// The text. Absent if the message contains only tool calls.
                content: Option<String>,
                /// The name of the sender.
                name: Option<String>,
                /// The tool calls.
                tool_calls as "toolCalls": Vec<InputToolCall> [Alias("tool_calls"), NullIsAbsent, OmitWhenEmpty],
            }
            /// A message of the user.
            User = "user" most {
                /// The id.
                id: String,
                /// A string, or parts.
                content: InputContent,
                /// The name of the sender.
                name: Option<String>,
            }
            /// The result of a tool.
            Tool = "tool" most {
                /// The id.
                id: String,
                /// A string, often JSON text, or parts.
                content: InputContent,
                /// The id of the call.
                tool_call_id as "toolCallId": String [Alias("tool_call_id")],
                /// The error message.
                error: Option<String>,
            }
            /// Structured content that the agent has shown. It is not sent to agents.
            Activity = "activity" {
                /// The id.
                id: String,
                /// The type of the activity.
                activity_type as "activityType": String [Alias("activity_type")],
                /// The content: an object.
                content: Value [Object],
            }
            /// Reasoning of the agent.
            Reasoning = "reasoning" most {
                /// The id.
                id: String,
                /// The text.
                content: String,
            }
        }
        /// A part of a message of the user or of a tool result, by its `type`. The `binary` parts
        /// of older versions are parsed as the type of their media type.
        ContentPart as "AgUiContentPart" by "type" {
            all {
                /// The id.
                id: Option<String>,
                /// Further data.
                metadata: Option<Value>,
            }
            most {
                /// The source.
                source: Source,
            }
            /// Text.
            Text = "text" {
                /// The text.
                text: String,
            }
            /// An image.
            Image = "image" most {}
            /// Audio.
            Audio = "audio" most {}
            /// Video.
            Video = "video" most {}
            /// Any other file.
            Document = "document" most {}
        }
    }
    unions {
        /// The source of a part.
        Source as "AgUiSource" by "type" {
            /// Here.
            Data = "data" {
                /// The bytes in base64.
                value: String,
                /// The media type.
                mime_type as "mimeType": String [Alias("mime_type")],
            }
            /// At a URL.
            Url = "url" {
                /// The URL.
                value: String,
                /// The media type.
                mime_type as "mimeType": Option<String> [Alias("mime_type")],
            }
            /// With a provider of files.
            File = "file" {
                /// The provider's id of the file.
                value: String,
                /// The provider.
                provider: Option<String>,
                /// The media type.
                mime_type as "mimeType": Option<String> [Alias("mime_type")],
            }
        }
    }
    alternatives {
        /// A string, or parts.
        InputContent as "AgUiInputContent" {
            /// The text.
            Text(String) = "str",
            /// The parts, in order.
            Parts(Vec<ContentPart>) = "list[ContentPart]" [Converted(modern)],
        }
    }
    bodies { RunAgentInput }
}

impl RunAgentInput {
    /// Returns the protocol for reading the answer, with the messages and the state of the client.
    pub fn protocol(&self) -> AgUi {
        let messages = JsonText(to_json(&self.messages, true));
        AgUi { messages: Some(messages), state: Some((&self.state).into()) }
    }

    /// Returns the request as JSON, as the official client sends it: without activities, and with
    /// the version of the protocol (U23).
    ///
    /// Fails if the request contains free JSON that no agent could read.
    pub fn to_json(&self) -> Result<String, UsageError> {
        let deepest = Limits::default().json_depth - 1;
        let free = FreeJsonCheck { deepest, call: "to_json()" };
        let mut sent = self.clone();
        sent.messages.retain(|message| !matches!(message, InputMessage::Activity { .. }));
        sent.protocol_version.get_or_insert_with(|| PROTOCOL_VERSION.into());
        free.value(&sent.state, deepest)?;
        free.value(&sent.forwarded_props, deepest)?;
        for tool in &sent.tools {
            tool.parameters.iter().try_for_each(|schema| free.value(schema, deepest - 2))?;
        }
        for entry in &sent.resume {
            entry.payload.iter().try_for_each(|payload| free.value(payload, deepest - 2))?;
        }
        Ok(sent.normalized_json())
    }
}

/// Replaces null with an empty object.
fn filled(value: Value) -> Value {
    if value.is_null() { Value::Object(Vec::new()) } else { value }
}

/// Converts the parts of older versions to those of 1.0.
fn modern(value: Value) -> Value {
    let Value::Array(mut parts) = value else { return value };
    parts.iter_mut().for_each(|part| {
        let text = |name: &str| part.get(name)?.as_str().map(Cow::Borrowed);
        if let Some(modern) = upgraded(&text) {
            *part = modern;
        }
    });
    Value::Array(parts)
}

impl RunAgentInput {
    /// Creates a request with these messages and nothing else.
    pub fn new(
        thread_id: impl Into<String>,
        run_id: impl Into<String>,
        messages: Vec<InputMessage>,
    ) -> Self {
        RunAgentInput {
            thread_id: thread_id.into(),
            run_id: run_id.into(),
            messages,
            ..Self::empty()
        }
    }
}

impl InputMessage {
    /// Creates a message of the user.
    pub fn user(id: impl Into<String>, text: impl Into<String>) -> Self {
        Self::of_user(id.into(), InputContent::Text(text.into()))
    }

    pub(in crate::protocols::ag_ui) fn of_user(id: String, content: InputContent) -> Self {
        InputMessage::User {
            id,
            content,
            name: None,
            encrypted_value: None,
            subagent_run_id: None,
            metadata: None,
        }
    }

    /// Creates the result of a tool of the client.
    pub fn tool(
        id: impl Into<String>,
        tool_call_id: impl Into<String>,
        content: impl Into<String>,
    ) -> Self {
        InputMessage::Tool {
            id: id.into(),
            content: InputContent::Text(content.into()),
            tool_call_id: tool_call_id.into(),
            error: None,
            encrypted_value: None,
            subagent_run_id: None,
            metadata: None,
        }
    }
}

impl Tool {
    /// Creates a tool with that name, purpose and JSON Schema.
    pub fn new(name: impl Into<String>, description: impl Into<String>, parameters: Value) -> Self {
        Tool {
            name: name.into(),
            description: description.into(),
            parameters: Some(parameters),
            ..Self::empty()
        }
    }
}

impl ResumeEntry {
    /// Creates the answer to the interrupt of that id: any JSON.
    pub fn resolved(interrupt_id: impl Into<String>, payload: Value) -> Self {
        let (interrupt_id, status) = (interrupt_id.into(), "resolved".into());
        ResumeEntry { interrupt_id, status, payload: Some(payload), ..Self::empty() }
    }

    /// Creates an entry that cancels the interrupt of that id.
    pub fn cancelled(interrupt_id: impl Into<String>) -> Self {
        let (interrupt_id, status) = (interrupt_id.into(), "cancelled".into());
        ResumeEntry { interrupt_id, status, ..Self::empty() }
    }
}

impl Interrupt {
    /// Creates an interrupt with that id and reason.
    pub fn new(id: impl Into<String>, reason: impl Into<String>) -> Self {
        Interrupt { id: id.into(), reason: reason.into(), ..Self::empty() }
    }
}
