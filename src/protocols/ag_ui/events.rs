//! Events in their wire form: borrowed, open, read leniently and written strictly. (B.1.)
//!
//! ```
//! use agentwire::ag_ui::events::Event;
//!
//! let event = Event::decode(r#"{"type": "TEXT_MESSAGE_END", "messageId": "m"}"#, 128)?;
//! assert_eq!(event.name(), Some("TEXT_MESSAGE_END"));
//! assert_eq!(event.to_sse(), "data: {\"type\":\"TEXT_MESSAGE_END\",\"messageId\":\"m\"}\n\n");
//! # Ok::<(), agentwire::DecodeError>(())
//! ```

use super::schema::*;
use crate::core::declare::events::events_with;
use crate::core::declare::events::form::Check;

events_with! {
    {
        /// One event of a stream.
        ///
        /// Texts are characters: half of a surrogate pair that a server cut in two became U+FFFD
        /// here. A
        /// [`Reader`](crate::Reader) joins the halves.
        Event by "type";
    }
    all {
        /// The time of the event. The protocol does not define a unit.
        timestamp(2 | FieldNumber::COMMON): Optional<Json> [.inside(&TIMESTAMP)],
        /// The event of another protocol from which this event was made.
        raw_event(3 | FieldNumber::COMMON) as "rawEvent": Optional<Json> [.inside(&Check::NotNull).legacy_null()],
        /// Further data: an object.
        metadata(4 | FieldNumber::COMMON): Optional<Json> [.inside(&Check::AnyObject)],
    }
    most {
        /// The subagent that sent the event. Absent for the agent itself.
        subagent_run_id as "subagentRunId": Optional<Id>,
    }

    /// The start of a run.
    RunStarted = "RUN_STARTED" @ 12 {
        /// The thread's id.
        thread_id(2) as "threadId": Id,
        /// The run's id.
        run_id(3) as "runId": Id,
        /// The protocol version that the agent uses.
        protocol_version(6) as "protocolVersion": Optional<Id>,
        /// The id of the run that this run continues.
        parent_run_id(4) as "parentRunId": Optional<Id>,
        /// The request that started the run.
        input(5): Optional<Json> [.inside(&INPUT)],
    }
    /// The end of a run.
    RunFinished = "RUN_FINISHED" @ 13 {
        /// The thread's id.
        thread_id(2) as "threadId": Id,
        /// The run's id.
        run_id(3) as "runId": Id,
        /// The result.
        result(4): Optional<Json> [.legacy_null()],
        /// The outcome. Absent means success.
        outcome(FieldNumber::INSIDE): Optional<Json> [.inside(&OUTCOME).legacy_null()],
        /// The token usage per provider and model.
        usage(7): Optional<Json> [.inside(&USAGE)],
    }
    /// The end of a run that failed.
    RunError = "RUN_ERROR" @ 14 {
        /// The error message.
        message(3): Text,
        /// The error code.
        code(2): Optional<Text>,
        /// The token usage.
        usage(4): Optional<Json> [.inside(&USAGE)],
    }
    /// The start of a step.
    StepStarted = "STEP_STARTED" @ 15 most(3) {
        /// The name.
        step_name(2) as "stepName": Id,
    }
    /// The end of a step.
    StepFinished = "STEP_FINISHED" @ 16 most(3) {
        /// The name.
        step_name(2) as "stepName": Id,
    }
    /// The start of a message.
    TextMessageStart = "TEXT_MESSAGE_START" @ 1 most(5) {
        /// The message's id.
        message_id(2) as "messageId": Id,
        /// The role of the sender. Absent means `assistant`.
        role(3): Optional<Text> [.inside(&TEXT_ROLES)],
        /// The name of the sender.
        name(4): Optional<Text>,
    }
    /// A text delta of a message.
    TextMessageContent = "TEXT_MESSAGE_CONTENT" @ 2 most(4) {
        /// The message's id.
        message_id(2) as "messageId": Id,
        /// The delta, which can be empty.
        delta(3): Text,
    }
    /// The end of a message.
    TextMessageEnd = "TEXT_MESSAGE_END" @ 3 most(3) {
        /// The message's id.
        message_id(2) as "messageId": Id,
    }
    /// A text delta of a message that needs no start and end events.
    TextMessageChunk = "TEXT_MESSAGE_CHUNK" @ 17 most(6) {
        /// The message's id. Absent in chunks that continue the message.
        message_id(2) as "messageId": Optional<Id>,
        /// The role of the sender.
        role(3): Optional<Text> [.inside(&TEXT_ROLES)],
        /// The delta.
        delta(4): Optional<Text>,
        /// The name of the sender.
        name(5): Optional<Text>,
    }
    /// The start of a tool call.
    ToolCallStart = "TOOL_CALL_START" @ 4 most(5) {
        /// The call's id.
        tool_call_id(2) as "toolCallId": Id,
        /// The tool's name.
        tool_call_name(3) as "toolCallName": Text,
        /// The id of the message that the call belongs to.
        parent_message_id(4) as "parentMessageId": Optional<Id> [.legacy_null()],
    }
    /// A delta of a call's arguments, which are JSON text. Some servers send the arguments as an
    /// object, `args`, instead.
    ToolCallArgs = "TOOL_CALL_ARGS" @ 5 most(4) {
        /// The call's id.
        tool_call_id(2) as "toolCallId": Id,
        /// The delta.
        delta(3): Optional<Text> [.needed()],
    }
    /// The end of a call's arguments.
    ToolCallEnd = "TOOL_CALL_END" @ 6 most(3) {
        /// The call's id.
        tool_call_id(2) as "toolCallId": Id,
    }
    /// A delta of a call that needs no start and end events.
    ToolCallChunk = "TOOL_CALL_CHUNK" @ 18 most(6) {
        /// The call's id. Absent in chunks that continue the call.
        tool_call_id(2) as "toolCallId": Optional<Id>,
        /// The tool's name.
        tool_call_name(3) as "toolCallName": Optional<Text>,
        /// The id of the message that the call belongs to.
        parent_message_id(4) as "parentMessageId": Optional<Id> [.legacy_null()],
        /// The delta.
        delta(5): Optional<Text>,
    }
    /// The result of a call. Some servers use other names for the call and the result.
    ToolCallResult = "TOOL_CALL_RESULT" @ 22 most(2) {
        /// The id of the message for the result.
        message_id(3) as "messageId": Id,
        /// The call's id.
        tool_call_id(4) as "toolCallId": Optional<Id> [.needed()],
        /// The result: a string, or a list of parts.
        content(5 | or(7) | FieldNumber::PRESENCE): Optional<Json> [.inside(&CONTENT).needed()],
        /// The role: `tool`.
        role(6): Optional<Text> [.inside(&TOOL_ROLE)],
    }
    /// The whole shared state.
    StateSnapshot = "STATE_SNAPSHOT" @ 7 most(3) {
        /// The value: any JSON.
        snapshot(2): Json [.needed()],
    }
    /// A change of the shared state.
    StateDelta = "STATE_DELTA" @ 8 most(3) {
        /// The change, as a JSON Patch.
        delta(2): Json [.inside(&PATCH).needed()],
    }
    /// All messages of the thread.
    MessagesSnapshot = "MESSAGES_SNAPSHOT" @ 9 {
        /// The messages.
        messages(2): Json [.inside(&MESSAGES).needed()],
    }
    /// The whole content of an activity.
    ActivitySnapshot = "ACTIVITY_SNAPSHOT" @ 23 most(2) {
        /// The id of the activity's message.
        message_id(3) as "messageId": Id,
        /// The type of the activity.
        activity_type(4) as "activityType": Text,
        /// The content: an object.
        content(5): Json [.inside(&Check::AnyObject).needed()],
        /// Whether an existing activity is replaced. True by default.
        replace(6): Optional<Json> [.inside(&Check::Bool)],
    }
    /// A change of an activity.
    ActivityDelta = "ACTIVITY_DELTA" @ 24 most(2) {
        /// The id of the activity's message.
        message_id(3) as "messageId": Id,
        /// The type of the activity.
        activity_type(4) as "activityType": Text,
        /// The change, as a JSON Patch.
        patch(5): Json [.inside(&PATCH).needed()],
    }
    /// The start of a reasoning span.
    ReasoningStart = "REASONING_START" @ 25 most(2) {
        /// The span's id.
        message_id(3) as "messageId": Id,
    }
    /// The start of a reasoning message.
    ReasoningMessageStart = "REASONING_MESSAGE_START" @ 26 most(2) {
        /// The message's id.
        message_id(3) as "messageId": Id,
        /// The role: `reasoning`.
        role(4): Text [.inside(&REASONING_ROLE)],
    }
    /// A text delta of a reasoning message.
    ReasoningMessageContent = "REASONING_MESSAGE_CONTENT" @ 27 most(2) {
        /// The message's id.
        message_id(3) as "messageId": Id,
        /// The delta.
        delta(4): Text,
    }
    /// The end of a reasoning message.
    ReasoningMessageEnd = "REASONING_MESSAGE_END" @ 28 most(2) {
        /// The message's id.
        message_id(3) as "messageId": Id,
    }
    /// A text delta of a reasoning message that needs no start and end events.
    ReasoningMessageChunk = "REASONING_MESSAGE_CHUNK" @ 29 most(2) {
        /// The message's id. Absent in chunks that continue the message.
        message_id(3) as "messageId": Optional<Id>,
        /// The delta.
        delta(4): Optional<Text>,
    }
    /// The end of a reasoning span.
    ReasoningEnd = "REASONING_END" @ 30 most(2) {
        /// The span's id.
        message_id(3) as "messageId": Id,
    }
    /// An encrypted value of a call or a message. Only the provider can read it.
    ReasoningEncryptedValue = "REASONING_ENCRYPTED_VALUE" @ 31 most(2) {
        /// The kind of the entity: `tool-call` or `message`.
        subtype(3): Text [.inside(&SUBTYPE)],
        /// The id of the call or the message.
        entity_id(4) as "entityId": Id,
        /// The encrypted value.
        encrypted_value(5) as "encryptedValue": Text,
    }
    /// The start of a subagent.
    SubagentStarted = "SUBAGENT_STARTED" @ 19 {
        /// The id of the subagent's run.
        subagent_run_id(2) as "subagentRunId": Id,
        /// The name.
        name(3): Text,
        /// The purpose of the subagent.
        description(4): Optional<Text>,
        /// The id of the subagent that started it.
        parent_subagent_run_id(5) as "parentSubagentRunId": Optional<Id>,
        /// The id of the call that started it.
        parent_tool_call_id(6) as "parentToolCallId": Optional<Id>,
        /// The id of the message that started it.
        parent_message_id(7) as "parentMessageId": Optional<Id>,
    }
    /// The end of a subagent.
    SubagentFinished = "SUBAGENT_FINISHED" @ 20 {
        /// The id of the subagent's run.
        subagent_run_id(2) as "subagentRunId": Id,
        /// The result.
        result(3): Optional<Json> [.legacy_null()],
        /// The outcome.
        outcome(FieldNumber::INSIDE): Optional<Json> [.inside(&SUBAGENT_OUTCOME)],
    }
    /// The end of a subagent that failed.
    SubagentError = "SUBAGENT_ERROR" @ 21 {
        /// The id of the subagent's run.
        subagent_run_id(2) as "subagentRunId": Id,
        /// The error message.
        message(3): Text,
        /// The error code.
        code(4): Optional<Text>,
    }
    /// An event of another protocol.
    Raw = "RAW" @ 10 most(4) {
        /// The event: any JSON.
        event(2): Json [.needed()],
        /// The source of the event.
        source(3): Optional<Text>,
    }
    /// An event that the application defines.
    Custom = "CUSTOM" @ 11 most(4) {
        /// The name.
        name(2): Text,
        /// The value: any JSON.
        value(3): Json [.needed()],
    }
    /// The start of a reasoning span. Only before version 1.0.
    ThinkingStart = "THINKING_START" most {
        /// The title.
        title: Optional<Text> [.legacy_null()],
    }
    /// The end of a reasoning span. Only before version 1.0.
    ThinkingEnd = "THINKING_END" most {}
    /// The start of a reasoning message. Only before version 1.0.
    ThinkingTextMessageStart = "THINKING_TEXT_MESSAGE_START" most {}
    /// A text delta of a reasoning message. Only before version 1.0.
    ThinkingTextMessageContent = "THINKING_TEXT_MESSAGE_CONTENT" most {
        /// The delta.
        delta: Text,
    }
    /// The end of a reasoning message. Only before version 1.0.
    ThinkingTextMessageEnd = "THINKING_TEXT_MESSAGE_END" most {}
}

/// An event with these members, a lane if one is given, and metadata if they are given.
#[cfg(feature = "hub")]
macro_rules! event {
    ($Row:ident $(in $lane:expr)? $(, $metadata:expr)?; { $($member:ident: $value:expr),* $(,)? }) => {
        Event::$Row {
            $($member: $value,)*
            $(subagent_run_id: $lane.map(alloc::borrow::Cow::Borrowed),)?
            timestamp: None,
            raw_event: None,
            metadata: $crate::protocols::ag_ui::events::event!(@ $($metadata)?),
        }
    };
    (@) => { None };
    (@ $metadata:expr) => { $metadata };
}
#[cfg(feature = "hub")]
pub(super) use event;
