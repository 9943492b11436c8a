//! Requests, declared. (B.2.)

mod constructors;
mod sent;

use alloc::{borrow::Cow, string::String, vec::Vec};

use crate::core::requests;
use crate::json::Value;
use crate::protocols::ag_ui::fold::upgraded;

requests! {
    objects {
        /// What a client asks an AG-UI agent: the whole thread, as the client has it (B.2).
        RunAgentInput as "RunAgentInput" {
            /// Names the thread.
            thread_id as "threadId": String [Alias("thread_id")],
            /// Names the run that answers.
            run_id as "runId": String [Alias("run_id")],
            /// The version that the client speaks; `1.0` is written if there is none.
            protocol_version as "protocolVersion": Option<String> [Alias("protocol_version")],
            /// The run that this one goes on from.
            parent_run_id as "parentRunId": Option<String> [Alias("parent_run_id")],
            /// The shared state: any JSON. Absent is an object without members.
            state: Value [Default] = Value::Object(Vec::new()),
            /// The messages of the thread, in order.
            messages: Vec<InputMessage>,
            /// What the agent may ask the client to call. Absent and null mean nothing.
            tools: Vec<Tool> [NullIsAbsent],
            /// What the agent should know. Absent and null mean nothing.
            context: Vec<ContextEntry> [NullIsAbsent],
            /// Anything for the agent: any JSON. Absent and null are an object without members.
            forwarded_props as "forwardedProps": Value [Alias("forwarded_props"), Default, Converted(filled)]
                = Value::Object(Vec::new()),
            /// The answers to all that the last run has asked. Absent and null mean nothing.
            resume: Vec<ResumeEntry> [NullIsAbsent, Brief],
        }
        /// A tool of the client.
        Tool as "AgUiTool" {
            /// What calls name it.
            name: String,
            /// What it is for.
            description: String,
            /// JSON Schema of its arguments.
            parameters: Option<Value>,
            /// Anything more.
            metadata: Option<Value> [Object],
        }
        /// Something that the agent should know.
        ContextEntry as "AgUiContext" made by new {
            /// What it is.
            description: String,
            /// The thing itself.
            value: String,
        }
        /// The answer to an interrupt (B.8).
        ResumeEntry as "AgUiResumeEntry" {
            /// The interrupt's `id`.
            interrupt_id as "interruptId": String [Alias("interrupt_id")],
            /// Whether it is answered, or will not be.
            status: String [OneOf(&["resolved", "cancelled"])],
            /// The answer: any JSON.
            payload: Option<Value>,
            /// Anything more.
            metadata: Option<Value> [Object],
        }
        /// What an agent asks (B.8).
        Interrupt as "AgUiInterrupt" {
            /// What to name when answering.
            id: String,
            /// Why: `tool_call`, or any other word.
            reason: String,
            /// The question, for people.
            message: Option<String> [NotNull],
            /// The call that it is about.
            tool_call_id as "toolCallId": Option<String> [NotNull],
            /// JSON Schema of the answer.
            response_schema as "responseSchema": Option<Value> [Object],
            /// Until when it can be answered, as ISO 8601.
            expires_at as "expiresAt": Option<String> [NotNull],
            /// Anything more.
            metadata: Option<Value> [Object],
            /// The lane that asks.
            subagent_run_id as "subagentRunId": Option<String> [NotNull],
        }
        /// A tool call of an assistant message.
        InputToolCall as "AgUiInputToolCall" {
            /// The call's id.
            id: String [Then(&["type", "function"])],
            /// The tool.
            name: String [Inside("function")],
            /// JSON text.
            arguments: String [Inside("function")],
            /// What only the provider can read.
            encrypted_value as "encryptedValue": Option<String> [Alias("encrypted_value")],
            /// Anything more.
            metadata: Option<Value> [Object],
        }
    }
    unions_with {
        /// One message of a request, by its `role` (B.2).
        InputMessage as "AgUiInputMessage" by "role" {
            all {
                /// The lane that it belongs to.
                subagent_run_id as "subagentRunId": Option<String> [Alias("subagent_run_id")],
                /// Anything more.
                metadata: Option<Value> [Object],
            }
            most {
                /// What only the provider can read.
                encrypted_value as "encryptedValue": Option<String> [Alias("encrypted_value")],
            }
            /// Instructions of who wrote the agent.
            Developer = "developer" most {
                /// Its id.
                id: String,
                /// The text.
                content: String,
                /// The name of who speaks.
                name: Option<String>,
            }
            /// Instructions.
            System = "system" most {
                /// Its id.
                id: String,
                /// The text.
                content: String,
                /// The name of who speaks.
                name: Option<String>,
            }
            /// What the agent has said and called.
            Assistant = "assistant" most {
                /// Its id.
                id: String,
                /// The text; absent where it only calls.
                content: Option<String>,
                /// The name of who speaks.
                name: Option<String>,
                /// What it has called.
                tool_calls as "toolCalls": Vec<InputToolCall> [Alias("tool_calls"), NullIsAbsent, Brief],
            }
            /// What the user says.
            User = "user" most {
                /// Its id.
                id: String,
                /// A text, or parts.
                content: InputContent,
                /// The name of who speaks.
                name: Option<String>,
            }
            /// What a tool came to.
            Tool = "tool" most {
                /// Its id.
                id: String,
                /// A text, often JSON text, or parts.
                content: InputContent,
                /// The call that it answers.
                tool_call_id as "toolCallId": String [Alias("tool_call_id")],
                /// What went wrong.
                error: Option<String>,
            }
            /// Something the agent has shown besides what it says. Agents are not told of it: it is not written.
            Activity = "activity" {
                /// Its id.
                id: String,
                /// Its kind.
                activity_type as "activityType": String [Alias("activity_type")],
                /// An object.
                content: Value [Object],
            }
            /// What the agent has thought.
            Reasoning = "reasoning" most {
                /// Its id.
                id: String,
                /// The text.
                content: String,
            }
        }
        /// A part of what a user says or a tool came to, by its `type`. The `binary` parts of older versions are read as the part of
        /// their media type.
        ContentPart as "AgUiContentPart" by "type" {
            all {
                /// Its id.
                id: Option<String>,
                /// Anything more.
                metadata: Option<Value>,
            }
            most {
                /// Where it is.
                source: Source,
            }
            /// Text.
            Text = "text" {
                /// The text.
                text: String,
            }
            /// An image.
            Image = "image" most {}
            /// Something to hear.
            Audio = "audio" most {}
            /// Something to watch.
            Video = "video" most {}
            /// Any other file.
            Document = "document" most {}
        }
    }
    unions {
        /// Where a part is.
        Source as "AgUiSource" by "type" {
            /// Here.
            Data = "data" {
                /// Base64.
                value: String,
                /// What it is.
                mime_type as "mimeType": String [Alias("mime_type")],
            }
            /// At a URL.
            Url = "url" {
                /// The URL.
                value: String,
                /// What it is.
                mime_type as "mimeType": Option<String> [Alias("mime_type")],
            }
            /// With a provider of files.
            File = "file" {
                /// The provider's id for it.
                value: String,
                /// The provider.
                provider: Option<String>,
                /// What it is.
                mime_type as "mimeType": Option<String> [Alias("mime_type")],
            }
        }
    }
    alternatives {
        /// A text, or parts.
        InputContent as "AgUiInputContent" {
            /// The text.
            Text(String) = "str",
            /// The parts, in order.
            Parts(Vec<ContentPart>) = "list[ContentPart]" [Converted(modern)],
        }
    }
    bodies { RunAgentInput }
    typescript {
        RunAgentInput InputMessage InputToolCall InputContent ContentPart Source Tool ContextEntry
        ResumeEntry Interrupt
    }
}

/// Null is nothing.
fn filled(value: Value) -> Value {
    if value.is_null() { Value::Object(Vec::new()) } else { value }
}

/// Parts as since 1.0.
fn modern(value: Value) -> Value {
    let Value::Array(mut parts) = value else { return value };
    parts.iter_mut().for_each(|part| {
        let text = |name: &str| part.get(name)?.as_str().map(Cow::Borrowed);
        if let Some(modern) = upgraded(&text) {
            *part = Value::parse(&modern, u32::MAX).unwrap_or_default();
        }
    });
    Value::Array(parts)
}
