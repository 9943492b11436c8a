//! The growing answer: the `UIMessage` of the AI SDK with its official member names.

use alloc::{format, string::String, vec::Vec};

use crate::core::changes::{AgentText, AgentTexts, TextKind};
use crate::core::declare::model::member::Absent;
use crate::core::model;
use crate::core::sink::Field;
use crate::json::Value;

model! {
    words {
        /// The status of a message. It is not part of the protocol.
        Status as "AiSdkStatus" {
            /// Chunks are coming. It stays so if reading was refused.
            Streaming = "streaming",
            /// The message has ended.
            Completed = "completed",
            /// The stream contained `abort`.
            Aborted = "aborted",
            /// The message ended with an error.
            Failed = "failed",
            /// The stream stopped before the end of the message, or its reader stopped it.
            Truncated = "truncated",
        }
        /// The state of a part: `streaming` and `done` of texts, the others of tool calls.
        PartState as "AiSdkPartState" {
            /// Deltas are coming.
            Streaming = "streaming",
            /// The text is complete.
            Done = "done",
            /// The input of the call is coming.
            InputStreaming = "input-streaming",
            /// The input is complete.
            InputAvailable = "input-available",
            /// The call has to be approved.
            ApprovalRequested = "approval-requested",
            /// The approval was answered.
            ApprovalResponded = "approval-responded",
            /// The output is there.
            OutputAvailable = "output-available",
            /// The input is invalid, or the tool failed.
            OutputError = "output-error",
            /// The call was denied.
            OutputDenied = "output-denied",
        }
    }
    root {
        /// The message so far: the `UIMessage` of the AI SDK, with `status`, `finishReason` and
        /// `error`, which are not part of it. It is plain data; unchanged parts keep their identity
        /// between updates.
        Snapshot as "AiSdkMessage" {
            /// The message's id. Empty until the stream contains it. (V9.)
            id: String => role = "assistant",
            /// The metadata. (V11.)
            metadata: Absent<Value>,
            /// The parts, in the order of their appearance.
            parts: Vec<Part>,
            /// The status, which is not part of the protocol's message.
            status: Status,
            /// Why the model stopped: `stop`, `length`, `content-filter`, `tool-calls`, `error`,
            /// `other`. It is not part of the protocol's message.
            finish_reason as "finishReason": Absent<String>,
            /// The last error of the stream. It is not part of the protocol's message. (V7.)
            error: Absent<String>,
        }
    }
    objects {}
    tagged {
        /// A part, by its `type`. Tool calls (`tool-<name>`) and data (`data-<name>`) have types
        /// that are not declared: handle them in the `default` branch.
        Part as "AiSdkPart" by r#type {
            /// The id of a reasoning, or of data.
            id: Absent<String> => r#type = tag,
            /// The state of a text or a tool call.
            state: Absent<PartState>,
            /// The call's id.
            tool_call_id as "toolCallId": Absent<String>,
            /// The name of a tool that is not known at build time (`dynamic-tool`). (V12.)
            tool_name as "toolName": Absent<String>,
            /// The title of a tool or a source.
            title: Absent<String>,
            /// The input of a tool. Absent while it is streaming: see `rawInput`.
            input: Absent<Value>,
            /// The JSON text of the input so far. Use incomplete input only for display.
            raw_input as "rawInput": Absent<String>,
            /// The encoding of the input that is streaming: `json` or `text`.
            input_encoding as "inputEncoding": Absent<String>,
            /// The output of a tool.
            output: Absent<Value>,
            /// Whether another output replaces this one.
            preliminary: Absent<Value>,
            /// The error message of a call.
            error_text as "errorText": Absent<String>,
            /// Whether the server or the model's provider executes the tool.
            provider_executed as "providerExecuted": Absent<Value>,
            /// The approval of a call: `id`, and `approved` and `reason` after the answer.
            approval: Absent<Value>,
            /// Data of the tool.
            tool_metadata as "toolMetadata": Absent<Value>,
            /// Data of the model's provider, of the call.
            call_provider_metadata as "callProviderMetadata": Absent<Value>,
            /// Data of the model's provider, of the output.
            result_provider_metadata as "resultProviderMetadata": Absent<Value>,
            /// Data of the model's provider, by its name.
            provider_metadata as "providerMetadata": Absent<Value>,
            /// The id of a source.
            source_id as "sourceId": Absent<String>,
            /// The URL of a file or a source.
            url: Absent<String>,
            /// The media type of a file or a document.
            media_type as "mediaType": Absent<String>,
            /// The name of the file.
            filename: Absent<String>,
            /// The value of `data-<name>`: any JSON.
            data: Absent<Value>,
        }
        /// What a part holds, by its `type`.
        PartPayload {
            /// `text`
            Text as AiSdkText = "text" {
                /// The text so far.
                text: String,
            }
            /// `reasoning`
            Reasoning as AiSdkReasoning = "reasoning" {
                /// The reasoning so far.
                text: String,
            }
            /// `step-start`: the start of a call of the model.
            StepStart as AiSdkStepStart = "step-start" {}
            /// `dynamic-tool`: a call of a tool that is not known at build time.
            DynamicTool as AiSdkDynamicTool = "dynamic-tool" {}
            /// `file`
            File as AiSdkFile = "file" {}
            /// `source-url`
            SourceUrl as AiSdkSourceUrl = "source-url" {}
            /// `source-document`
            SourceDocument as AiSdkSourceDocument = "source-document" {}
        }
        /// The type of a part.
        PartType as "AiSdkPartType"
    }
}

impl Part {
    /// Returns the name of the tool, if the part is a call.
    pub fn called_tool(&self) -> Option<&str> {
        match &self.payload {
            PartPayload::DynamicTool {} => self.tool_name.as_deref(),
            PartPayload::Other { r#type } => r#type.strip_prefix("tool-"),
            _ => None,
        }
    }
}

impl Snapshot {
    /// Returns the joined texts of all parts.
    pub fn text(&self) -> String {
        let texts = self.parts.iter().filter_map(|part| match &part.payload {
            PartPayload::Text { text } => Some(text.as_str()),
            _ => None,
        });
        texts.collect()
    }

    /// Returns the tool calls, in the order of their appearance.
    pub fn tool_calls(&self) -> impl Iterator<Item = &Part> {
        self.parts.iter().filter(|part| part.called_tool().is_some())
    }
}

/// The texts of the agent.
impl AgentTexts for Snapshot {
    const TEXTS: &'static [Field] = &[AiSdkText::text];
    const HOLDERS: &'static [Field] = &[Snapshot::parts];

    fn text_at(&self, way: &[(Field, usize)], key: Field) -> Option<AgentText<'_>> {
        let (&[(Snapshot::parts, at)], AiSdkText::text) = (way, key) else { return None };
        let (kind, text) = match &self.parts.get(at)?.payload {
            PartPayload::Text { text } => (TextKind::Answer, text),
            PartPayload::Reasoning { text } => (TextKind::Reasoning, text),
            _ => return None,
        };
        Some(AgentText::new(format!("{at}"), kind, text))
    }
}
