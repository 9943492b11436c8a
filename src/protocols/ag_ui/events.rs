//! Events as they stand on the wire: borrowed, open, read leniently and written strictly. (B.1.)
//!
//! ```
//! use agentwire::ag_ui::events::Event;
//!
//! let event = Event::decode(r#"{"type": "TEXT_MESSAGE_END", "messageId": "m"}"#, 128)?;
//! assert_eq!(event.name(), Some("TEXT_MESSAGE_END"));
//! assert_eq!(event.to_sse(), "data: {\"type\":\"TEXT_MESSAGE_END\",\"messageId\":\"m\"}\n\n");
//! # Ok::<(), agentwire::DecodeError>(())
//! ```

use crate::core::declare::events::shared_members::events_with;

events_with! {
    {
        /// One event of a stream.
        ///
        /// Texts are characters: half of a surrogate pair that a server cut in two became U+FFFD here. A
        /// [`Reader`](crate::Reader) joins the halves.
        Event by "type";
    }
    all {
        /// When; the unit is not said.
        timestamp: Optional<Json>,
        /// The event of another protocol that this one was made of.
        raw_event as "rawEvent": Optional<Json>,
        /// Anything more: an object.
        metadata: Optional<Json>,
    }
    most {
        /// The lane that it belongs to; the agent itself has none.
        subagent_run_id as "subagentRunId": Optional<Id>,
    }

    /// A run begins.
    RunStarted = "RUN_STARTED" {
        /// The thread.
        thread_id as "threadId": Id,
        /// The run.
        run_id as "runId": Id,
        /// The version that the agent speaks.
        protocol_version as "protocolVersion": Optional<Id>,
        /// The run that this one goes on from.
        parent_run_id as "parentRunId": Optional<Id>,
        /// The request that the run answers.
        input: Optional<Json>,
    }
    /// A run is over.
    RunFinished = "RUN_FINISHED" {
        /// The thread.
        thread_id as "threadId": Id,
        /// The run.
        run_id as "runId": Id,
        /// What it returned.
        result: Optional<Json>,
        /// How it ended; absent is success.
        outcome: Optional<Json>,
        /// Tokens used, for each provider and model.
        usage: Optional<Json>,
    }
    /// A run has failed.
    RunError = "RUN_ERROR" {
        /// What went wrong.
        message: Text,
        /// A code for programs.
        code: Optional<Text>,
        /// Tokens used.
        usage: Optional<Json>,
    }
    /// A step begins.
    StepStarted = "STEP_STARTED" most {
        /// Its name.
        step_name as "stepName": Id,
    }
    /// A step is over.
    StepFinished = "STEP_FINISHED" most {
        /// Its name.
        step_name as "stepName": Id,
    }
    /// A message begins.
    TextMessageStart = "TEXT_MESSAGE_START" most {
        /// Its id.
        message_id as "messageId": Id,
        /// Who speaks; absent is the assistant.
        role: Optional<Text>,
        /// The name of who speaks.
        name: Optional<Text>,
    }
    /// The next piece of a message.
    TextMessageContent = "TEXT_MESSAGE_CONTENT" most {
        /// The message.
        message_id as "messageId": Id,
        /// The piece, which may be empty.
        delta: Text,
    }
    /// A message is over.
    TextMessageEnd = "TEXT_MESSAGE_END" most {
        /// The message.
        message_id as "messageId": Id,
    }
    /// A piece of a message that begins and ends by itself.
    TextMessageChunk = "TEXT_MESSAGE_CHUNK" most {
        /// The message; absent in those that go on.
        message_id as "messageId": Optional<Id>,
        /// Who speaks.
        role: Optional<Text>,
        /// The piece.
        delta: Optional<Text>,
        /// The name of who speaks.
        name: Optional<Text>,
    }
    /// A tool call begins.
    ToolCallStart = "TOOL_CALL_START" most {
        /// The call.
        tool_call_id as "toolCallId": Id,
        /// The tool.
        tool_call_name as "toolCallName": Text,
        /// The message that the call belongs to.
        parent_message_id as "parentMessageId": Optional<Id>,
    }
    /// The next piece of a call's arguments, which are JSON text. An app that is not AG-UI sends them as an object, `args`.
    ToolCallArgs = "TOOL_CALL_ARGS" most {
        /// The call.
        tool_call_id as "toolCallId": Id,
        /// The piece.
        delta: Optional<Text>,
    }
    /// The arguments are whole.
    ToolCallEnd = "TOOL_CALL_END" most {
        /// The call.
        tool_call_id as "toolCallId": Id,
    }
    /// A piece of a call that begins and ends by itself.
    ToolCallChunk = "TOOL_CALL_CHUNK" most {
        /// The call; absent in those that go on.
        tool_call_id as "toolCallId": Optional<Id>,
        /// The tool.
        tool_call_name as "toolCallName": Optional<Text>,
        /// The message that the call belongs to.
        parent_message_id as "parentMessageId": Optional<Id>,
        /// The piece.
        delta: Optional<Text>,
    }
    /// What a call came to. An app that is not AG-UI names the call and the result otherwise.
    ToolCallResult = "TOOL_CALL_RESULT" most {
        /// The message that it becomes.
        message_id as "messageId": Id,
        /// The call.
        tool_call_id as "toolCallId": Optional<Id>,
        /// A text, or a list of parts.
        content: Optional<Json>,
        /// `tool`
        role: Optional<Text>,
    }
    /// The state is this.
    StateSnapshot = "STATE_SNAPSHOT" most {
        /// Any JSON.
        snapshot: Json,
    }
    /// The state changes.
    StateDelta = "STATE_DELTA" most {
        /// A JSON Patch.
        delta: Json,
    }
    /// The messages are these.
    MessagesSnapshot = "MESSAGES_SNAPSHOT" {
        /// A list of messages.
        messages: Json,
    }
    /// An activity is this.
    ActivitySnapshot = "ACTIVITY_SNAPSHOT" most {
        /// Its message.
        message_id as "messageId": Id,
        /// Its kind.
        activity_type as "activityType": Text,
        /// An object.
        content: Json,
        /// False leaves one that is there already as it is.
        replace: Optional<Json>,
    }
    /// An activity changes.
    ActivityDelta = "ACTIVITY_DELTA" most {
        /// Its message.
        message_id as "messageId": Id,
        /// Its kind.
        activity_type as "activityType": Text,
        /// A JSON Patch.
        patch: Json,
    }
    /// A span of reasoning begins.
    ReasoningStart = "REASONING_START" most {
        /// The span.
        message_id as "messageId": Id,
    }
    /// A message of reasoning begins.
    ReasoningMessageStart = "REASONING_MESSAGE_START" most {
        /// Its id.
        message_id as "messageId": Id,
        /// `reasoning`
        role: Text,
    }
    /// The next piece of a message of reasoning.
    ReasoningMessageContent = "REASONING_MESSAGE_CONTENT" most {
        /// The message.
        message_id as "messageId": Id,
        /// The piece.
        delta: Text,
    }
    /// A message of reasoning is over.
    ReasoningMessageEnd = "REASONING_MESSAGE_END" most {
        /// The message.
        message_id as "messageId": Id,
    }
    /// A piece of a message of reasoning that begins and ends by itself.
    ReasoningMessageChunk = "REASONING_MESSAGE_CHUNK" most {
        /// The message; absent in those that go on.
        message_id as "messageId": Optional<Id>,
        /// The piece.
        delta: Optional<Text>,
    }
    /// A span of reasoning is over.
    ReasoningEnd = "REASONING_END" most {
        /// The span.
        message_id as "messageId": Id,
    }
    /// What only the provider can read, of a call or a message.
    ReasoningEncryptedValue = "REASONING_ENCRYPTED_VALUE" most {
        /// `tool-call` or `message`.
        subtype: Text,
        /// The id of either.
        entity_id as "entityId": Id,
        /// The value.
        encrypted_value as "encryptedValue": Text,
    }
    /// A subagent begins.
    SubagentStarted = "SUBAGENT_STARTED" {
        /// The subagent.
        subagent_run_id as "subagentRunId": Id,
        /// Its name.
        name: Text,
        /// What it is for.
        description: Optional<Text>,
        /// The subagent that has started it.
        parent_subagent_run_id as "parentSubagentRunId": Optional<Id>,
        /// The call that has started it.
        parent_tool_call_id as "parentToolCallId": Optional<Id>,
        /// The message that has started it.
        parent_message_id as "parentMessageId": Optional<Id>,
    }
    /// A subagent is over.
    SubagentFinished = "SUBAGENT_FINISHED" {
        /// The subagent.
        subagent_run_id as "subagentRunId": Id,
        /// What it returned.
        result: Optional<Json>,
        /// How it ended.
        outcome: Optional<Json>,
    }
    /// A subagent has failed.
    SubagentError = "SUBAGENT_ERROR" {
        /// The subagent.
        subagent_run_id as "subagentRunId": Id,
        /// What went wrong.
        message: Text,
        /// A code for programs.
        code: Optional<Text>,
    }
    /// An event of another protocol.
    Raw = "RAW" most {
        /// The event.
        event: Json,
        /// Where it comes from.
        source: Optional<Text>,
    }
    /// Whatever the application makes of it.
    Custom = "CUSTOM" most {
        /// Its name.
        name: Text,
        /// Any JSON.
        value: Json,
    }
    /// Before 1.0: a span of reasoning begins.
    ThinkingStart = "THINKING_START" most {
        /// What it is about.
        title: Optional<Text>,
    }
    /// Before 1.0: a span of reasoning is over.
    ThinkingEnd = "THINKING_END" most {}
    /// Before 1.0: a message of reasoning begins.
    ThinkingTextMessageStart = "THINKING_TEXT_MESSAGE_START" most {}
    /// Before 1.0: the next piece of a message of reasoning.
    ThinkingTextMessageContent = "THINKING_TEXT_MESSAGE_CONTENT" most {
        /// The piece.
        delta: Text,
    }
    /// Before 1.0: a message of reasoning is over.
    ThinkingTextMessageEnd = "THINKING_TEXT_MESSAGE_END" most {}
}
