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
        timestamp(2 | Number::COMMON): Optional<Json>,
        /// The event of another protocol that this one was made of.
        raw_event(3 | Number::COMMON) as "rawEvent": Optional<Json>,
        /// Anything more: an object.
        metadata(4 | Number::COMMON): Optional<Json>,
    }
    most {
        /// The lane that it belongs to; the agent itself has none.
        subagent_run_id as "subagentRunId": Optional<Id>,
    }

    /// A run begins.
    RunStarted = "RUN_STARTED" @ 12 {
        /// The thread.
        thread_id(2) as "threadId": Id,
        /// The run.
        run_id(3) as "runId": Id,
        /// The version that the agent speaks.
        protocol_version(6) as "protocolVersion": Optional<Id>,
        /// The run that this one goes on from.
        parent_run_id(4) as "parentRunId": Optional<Id>,
        /// The request that the run answers.
        input(5): Optional<Json>,
    }
    /// A run is over.
    RunFinished = "RUN_FINISHED" @ 13 {
        /// The thread.
        thread_id(2) as "threadId": Id,
        /// The run.
        run_id(3) as "runId": Id,
        /// What it returned.
        result(4): Optional<Json>,
        /// How it ended; absent is success.
        outcome(Number::INSIDE): Optional<Json>,
        /// Tokens used, for each provider and model.
        usage(7): Optional<Json>,
    }
    /// A run has failed.
    RunError = "RUN_ERROR" @ 14 {
        /// What went wrong.
        message(3): Text,
        /// A code for programs.
        code(2): Optional<Text>,
        /// Tokens used.
        usage(4): Optional<Json>,
    }
    /// A step begins.
    StepStarted = "STEP_STARTED" @ 15 most(3) {
        /// Its name.
        step_name(2) as "stepName": Id,
    }
    /// A step is over.
    StepFinished = "STEP_FINISHED" @ 16 most(3) {
        /// Its name.
        step_name(2) as "stepName": Id,
    }
    /// A message begins.
    TextMessageStart = "TEXT_MESSAGE_START" @ 1 most(5) {
        /// Its id.
        message_id(2) as "messageId": Id,
        /// Who speaks; absent is the assistant.
        role(3): Optional<Text>,
        /// The name of who speaks.
        name(4): Optional<Text>,
    }
    /// The next piece of a message.
    TextMessageContent = "TEXT_MESSAGE_CONTENT" @ 2 most(4) {
        /// The message.
        message_id(2) as "messageId": Id,
        /// The piece, which may be empty.
        delta(3): Text,
    }
    /// A message is over.
    TextMessageEnd = "TEXT_MESSAGE_END" @ 3 most(3) {
        /// The message.
        message_id(2) as "messageId": Id,
    }
    /// A piece of a message that begins and ends by itself.
    TextMessageChunk = "TEXT_MESSAGE_CHUNK" @ 17 most(6) {
        /// The message; absent in those that go on.
        message_id(2) as "messageId": Optional<Id>,
        /// Who speaks.
        role(3): Optional<Text>,
        /// The piece.
        delta(4): Optional<Text>,
        /// The name of who speaks.
        name(5): Optional<Text>,
    }
    /// A tool call begins.
    ToolCallStart = "TOOL_CALL_START" @ 4 most(5) {
        /// The call.
        tool_call_id(2) as "toolCallId": Id,
        /// The tool.
        tool_call_name(3) as "toolCallName": Text,
        /// The message that the call belongs to.
        parent_message_id(4) as "parentMessageId": Optional<Id>,
    }
    /// The next piece of a call's arguments, which are JSON text. An app that is not AG-UI sends them as an object, `args`.
    ToolCallArgs = "TOOL_CALL_ARGS" @ 5 most(4) {
        /// The call.
        tool_call_id(2) as "toolCallId": Id,
        /// The piece.
        delta(3): Optional<Text>,
    }
    /// The arguments are whole.
    ToolCallEnd = "TOOL_CALL_END" @ 6 most(3) {
        /// The call.
        tool_call_id(2) as "toolCallId": Id,
    }
    /// A piece of a call that begins and ends by itself.
    ToolCallChunk = "TOOL_CALL_CHUNK" @ 18 most(6) {
        /// The call; absent in those that go on.
        tool_call_id(2) as "toolCallId": Optional<Id>,
        /// The tool.
        tool_call_name(3) as "toolCallName": Optional<Text>,
        /// The message that the call belongs to.
        parent_message_id(4) as "parentMessageId": Optional<Id>,
        /// The piece.
        delta(5): Optional<Text>,
    }
    /// What a call came to. An app that is not AG-UI names the call and the result otherwise.
    ToolCallResult = "TOOL_CALL_RESULT" @ 22 most(2) {
        /// The message that it becomes.
        message_id(3) as "messageId": Id,
        /// The call.
        tool_call_id(4) as "toolCallId": Optional<Id>,
        /// A text, or a list of parts.
        content(5 | or(7)): Optional<Json>,
        /// `tool`
        role(6): Optional<Text>,
    }
    /// The state is this.
    StateSnapshot = "STATE_SNAPSHOT" @ 7 most(3) {
        /// Any JSON.
        snapshot(2): Json,
    }
    /// The state changes.
    StateDelta = "STATE_DELTA" @ 8 most(3) {
        /// A JSON Patch.
        delta(2): Json,
    }
    /// The messages are these.
    MessagesSnapshot = "MESSAGES_SNAPSHOT" @ 9 {
        /// A list of messages.
        messages(2): Json,
    }
    /// An activity is this.
    ActivitySnapshot = "ACTIVITY_SNAPSHOT" @ 23 most(2) {
        /// Its message.
        message_id(3) as "messageId": Id,
        /// Its kind.
        activity_type(4) as "activityType": Text,
        /// An object.
        content(5): Json,
        /// False leaves one that is there already as it is.
        replace(6): Optional<Json>,
    }
    /// An activity changes.
    ActivityDelta = "ACTIVITY_DELTA" @ 24 most(2) {
        /// Its message.
        message_id(3) as "messageId": Id,
        /// Its kind.
        activity_type(4) as "activityType": Text,
        /// A JSON Patch.
        patch(5): Json,
    }
    /// A span of reasoning begins.
    ReasoningStart = "REASONING_START" @ 25 most(2) {
        /// The span.
        message_id(3) as "messageId": Id,
    }
    /// A message of reasoning begins.
    ReasoningMessageStart = "REASONING_MESSAGE_START" @ 26 most(2) {
        /// Its id.
        message_id(3) as "messageId": Id,
        /// `reasoning`
        role(4): Text,
    }
    /// The next piece of a message of reasoning.
    ReasoningMessageContent = "REASONING_MESSAGE_CONTENT" @ 27 most(2) {
        /// The message.
        message_id(3) as "messageId": Id,
        /// The piece.
        delta(4): Text,
    }
    /// A message of reasoning is over.
    ReasoningMessageEnd = "REASONING_MESSAGE_END" @ 28 most(2) {
        /// The message.
        message_id(3) as "messageId": Id,
    }
    /// A piece of a message of reasoning that begins and ends by itself.
    ReasoningMessageChunk = "REASONING_MESSAGE_CHUNK" @ 29 most(2) {
        /// The message; absent in those that go on.
        message_id(3) as "messageId": Optional<Id>,
        /// The piece.
        delta(4): Optional<Text>,
    }
    /// A span of reasoning is over.
    ReasoningEnd = "REASONING_END" @ 30 most(2) {
        /// The span.
        message_id(3) as "messageId": Id,
    }
    /// What only the provider can read, of a call or a message.
    ReasoningEncryptedValue = "REASONING_ENCRYPTED_VALUE" @ 31 most(2) {
        /// `tool-call` or `message`.
        subtype(3): Text,
        /// The id of either.
        entity_id(4) as "entityId": Id,
        /// The value.
        encrypted_value(5) as "encryptedValue": Text,
    }
    /// A subagent begins.
    SubagentStarted = "SUBAGENT_STARTED" @ 19 {
        /// The subagent.
        subagent_run_id(2) as "subagentRunId": Id,
        /// Its name.
        name(3): Text,
        /// What it is for.
        description(4): Optional<Text>,
        /// The subagent that has started it.
        parent_subagent_run_id(5) as "parentSubagentRunId": Optional<Id>,
        /// The call that has started it.
        parent_tool_call_id(6) as "parentToolCallId": Optional<Id>,
        /// The message that has started it.
        parent_message_id(7) as "parentMessageId": Optional<Id>,
    }
    /// A subagent is over.
    SubagentFinished = "SUBAGENT_FINISHED" @ 20 {
        /// The subagent.
        subagent_run_id(2) as "subagentRunId": Id,
        /// What it returned.
        result(3): Optional<Json>,
        /// How it ended.
        outcome(Number::INSIDE): Optional<Json>,
    }
    /// A subagent has failed.
    SubagentError = "SUBAGENT_ERROR" @ 21 {
        /// The subagent.
        subagent_run_id(2) as "subagentRunId": Id,
        /// What went wrong.
        message(3): Text,
        /// A code for programs.
        code(4): Optional<Text>,
    }
    /// An event of another protocol.
    Raw = "RAW" @ 10 most(4) {
        /// The event.
        event(2): Json,
        /// Where it comes from.
        source(3): Optional<Text>,
    }
    /// Whatever the application makes of it.
    Custom = "CUSTOM" @ 11 most(4) {
        /// Its name.
        name(2): Text,
        /// Any JSON.
        value(3): Json,
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
