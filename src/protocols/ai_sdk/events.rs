//! Chunks as they stand on the wire: borrowed, open, read leniently and written strictly. (V2.)
//!
//! ```
//! use agentwire::ai_sdk::events::Event;
//!
//! let event = Event::decode(r#"{"type":"text-delta","id":"t","delta":"你"}"#, 128)?;
//! assert_eq!(event, Event::TextDelta { id: "t".into(), provider_metadata: None, delta: "你".into() });
//! assert_eq!(Event::decode("[DONE]", 128)?, Event::Done);
//! # Ok::<(), agentwire::DecodeError>(())
//! ```

use crate::core::events;

events! {
    /// One chunk of a stream. Chunks whose type begins with `data-` are [`Event::Other`].
    Event by "type", end "[DONE]";

    /// The start of the message. (V1, V9.)
    Start = "start" {
        /// The message's id.
        message_id as "messageId": Optional<Id>,
        /// Metadata, which are merged deeply. (V11.)
        message_metadata as "messageMetadata": Json,
    }
    /// The start of a step: one call of the model.
    StartStep = "start-step" {}
    /// The end of a step. (V4.)
    FinishStep = "finish-step" {}
    /// The start of a text.
    TextStart = "text-start" {
        /// The id of the text among the open ones. (V6.)
        id: Id,
        /// Data of the model's provider, by its name.
        provider_metadata as "providerMetadata": Optional<Json>,
    }
    /// A delta of a text. (V3.)
    TextDelta = "text-delta" {
        /// The id of the text.
        id: Id,
        /// Data of the model's provider, by its name.
        provider_metadata as "providerMetadata": Optional<Json>,
        /// The delta.
        delta: Text,
    }
    /// The end of a text.
    TextEnd = "text-end" {
        /// The id of the text.
        id: Id,
        /// Data of the model's provider, by its name.
        provider_metadata as "providerMetadata": Optional<Json>,
        /// The citations of the text. (`ai` 7)
        citations: Json,
    }
    /// The start of a reasoning.
    ReasoningStart = "reasoning-start" {
        /// The id of the reasoning among the open ones. (V6.)
        id: Id,
        /// Data of the model's provider, by its name.
        provider_metadata as "providerMetadata": Optional<Json>,
    }
    /// A delta of a reasoning. (V3.)
    ReasoningDelta = "reasoning-delta" {
        /// The id of the reasoning.
        id: Id,
        /// Data of the model's provider, by its name.
        provider_metadata as "providerMetadata": Optional<Json>,
        /// The delta.
        delta: Text,
    }
    /// The end of a reasoning.
    ReasoningEnd = "reasoning-end" {
        /// The id of the reasoning.
        id: Id,
        /// Data of the model's provider, by its name.
        provider_metadata as "providerMetadata": Optional<Json>,
    }
    /// The start of a tool call.
    ToolInputStart = "tool-input-start" {
        /// The call's id.
        tool_call_id as "toolCallId": Id,
        /// The name of the tool.
        tool_name as "toolName": Id,
        /// Whether the tool is not known at build time. (V12.)
        dynamic: Optional<Bool>,
        /// Whether the server or the model's provider executes the tool.
        provider_executed as "providerExecuted": Optional<Bool>,
        /// The title of the tool.
        title: Optional<Text>,
        /// The encoding of the input: `json` or `text`.
        input_encoding as "inputEncoding": Optional<Text>,
        /// Data of the tool.
        tool_metadata as "toolMetadata": Optional<Json>,
        /// Data of the model's provider, by its name.
        provider_metadata as "providerMetadata": Optional<Json>,
    }
    /// A delta of a call's input, which is JSON text. (V5.)
    ToolInputDelta = "tool-input-delta" {
        /// The call's id.
        tool_call_id as "toolCallId": Id,
        /// The delta.
        input_text_delta as "inputTextDelta": Text,
    }
    /// The whole input of a call. (V10.)
    ToolInputAvailable = "tool-input-available" {
        /// The call's id.
        tool_call_id as "toolCallId": Id,
        /// The name of the tool.
        tool_name as "toolName": Id,
        /// The input.
        input: Maybe<Json>,
        /// Whether the tool is not known at build time. (V12.)
        dynamic: Optional<Bool>,
        /// Whether the server or the model's provider executes the tool.
        provider_executed as "providerExecuted": Optional<Bool>,
        /// The title of the tool.
        title: Optional<Text>,
        /// Data of the tool.
        tool_metadata as "toolMetadata": Optional<Json>,
        /// Data of the model's provider, by its name.
        provider_metadata as "providerMetadata": Optional<Json>,
    }
    /// An invalid input of a call.
    ToolInputError = "tool-input-error" {
        /// The call's id.
        tool_call_id as "toolCallId": Id,
        /// The name of the tool.
        tool_name as "toolName": Id,
        /// The input.
        input: Maybe<Json>,
        /// The error message.
        error_text as "errorText": Text,
        /// Whether the tool is not known at build time. (V12.)
        dynamic: Optional<Bool>,
        /// Whether the server or the model's provider executes the tool.
        provider_executed as "providerExecuted": Optional<Bool>,
        /// Data of the tool.
        tool_metadata as "toolMetadata": Optional<Json>,
        /// Data of the model's provider, by its name.
        provider_metadata as "providerMetadata": Optional<Json>,
    }
    /// A question: the call has to be approved. (V5.)
    ToolApprovalRequest = "tool-approval-request" {
        /// The id of the question.
        approval_id as "approvalId": Id,
        /// The call's id.
        tool_call_id as "toolCallId": Id,
        /// The reason of the question. (`ai` 7)
        reason: Optional<Text>,
        /// Whether the question is answered automatically. (`ai` 7)
        is_automatic as "isAutomatic": Optional<Bool>,
        /// The signature of the question.
        signature: Optional<Text>,
        /// A description of the question.
        approval_descriptor as "approvalDescriptor": Json,
        /// The input that the tool's schema has accepted.
        input_schema_input as "inputSchemaInput": Maybe<Json>,
    }
    /// The answer to such a question. (`ai` 7, V13)
    ToolApprovalResponse = "tool-approval-response" {
        /// The id of the question.
        approval_id as "approvalId": Id,
        /// Whether the call is approved.
        approved: Bool,
        /// The reason.
        reason: Optional<Text>,
        /// Whether the server or the model's provider executes the tool.
        provider_executed as "providerExecuted": Optional<Bool>,
        /// Data of the model's provider, by its name.
        provider_metadata as "providerMetadata": Optional<Json>,
    }
    /// The output of a tool. (V10.)
    ToolOutputAvailable = "tool-output-available" {
        /// The call's id.
        tool_call_id as "toolCallId": Id,
        /// The output.
        output: Maybe<Json>,
        /// Whether another output replaces this one.
        preliminary: Optional<Bool>,
        /// Whether the tool is not known at build time. (V12.)
        dynamic: Optional<Bool>,
        /// Whether the server or the model's provider executes the tool.
        provider_executed as "providerExecuted": Optional<Bool>,
        /// Data of the tool.
        tool_metadata as "toolMetadata": Optional<Json>,
        /// Data of the model's provider, by its name.
        provider_metadata as "providerMetadata": Optional<Json>,
    }
    /// The failure of a tool.
    ToolOutputError = "tool-output-error" {
        /// The call's id.
        tool_call_id as "toolCallId": Id,
        /// The error message.
        error_text as "errorText": Text,
        /// Whether the tool is not known at build time. (V12.)
        dynamic: Optional<Bool>,
        /// Whether the server or the model's provider executes the tool.
        provider_executed as "providerExecuted": Optional<Bool>,
        /// Data of the tool.
        tool_metadata as "toolMetadata": Optional<Json>,
        /// Data of the model's provider, by its name.
        provider_metadata as "providerMetadata": Optional<Json>,
    }
    /// The denial of a call.
    ToolOutputDenied = "tool-output-denied" {
        /// The call's id.
        tool_call_id as "toolCallId": Id,
    }
    /// A source with a URL.
    SourceUrl = "source-url" {
        /// The source's id.
        source_id as "sourceId": Id,
        /// The URL.
        url: Text,
        /// The title.
        title: Optional<Text>,
        /// Data of the model's provider, by its name.
        provider_metadata as "providerMetadata": Optional<Json>,
    }
    /// A document as a source.
    SourceDocument = "source-document" {
        /// The source's id.
        source_id as "sourceId": Id,
        /// The media type.
        media_type as "mediaType": Text,
        /// The title.
        title: Text,
        /// The name of the file.
        filename: Optional<Text>,
        /// Data of the model's provider, by its name.
        provider_metadata as "providerMetadata": Optional<Json>,
    }
    /// A file.
    File = "file" {
        /// The URL, or a data URL.
        url: Text,
        /// The media type.
        media_type as "mediaType": Text,
        /// Data of the model's provider, by its name.
        provider_metadata as "providerMetadata": Optional<Json>,
    }
    /// A file of the reasoning. (`ai` 7, V13)
    ReasoningFile = "reasoning-file" {
        /// The URL, or a data URL.
        url: Text,
        /// The media type.
        media_type as "mediaType": Text,
        /// Data of the model's provider, by its name.
        provider_metadata as "providerMetadata": Optional<Json>,
    }
    /// Content of the provider. (`ai` 7, V13)
    Custom = "custom" {
        /// The kind: `provider.type`.
        kind: Text,
        /// Data of the model's provider, by its name.
        provider_metadata as "providerMetadata": Optional<Json>,
    }
    /// A message of the user that was added to the run. (`ai` 7, V13)
    SteeringMessage = "steering-message" {
        /// The message's id.
        id: Id,
        /// The parts.
        parts: Json,
    }
    /// The removal of the parts of the current step. (`ai` 7, V13)
    ResetStep = "reset-step" {}
    /// Metadata of the message, which are merged deeply. (V11.)
    MessageMetadata = "message-metadata" {
        /// The metadata.
        message_metadata as "messageMetadata": Maybe<Json>,
    }
    /// An error, after which the stream can continue. (V7.)
    Error = "error" {
        /// The error message.
        error_text as "errorText": Text,
    }
    /// The stop of the run by the client.
    Abort = "abort" {
        /// The reason.
        reason: Optional<Text>,
    }
    /// The end of the message.
    Finish = "finish" {
        /// Why the model stopped.
        finish_reason as "finishReason": Optional<Text>,
        /// Metadata, which are merged deeply. (V11.)
        message_metadata as "messageMetadata": Json,
    }
}
