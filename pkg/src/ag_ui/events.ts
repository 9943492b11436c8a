// Made by `cargo xtask build` from the declarations in Rust; changed there, never here.

import type { Json, OtherName } from "../agentwire.js";

/** The properties that every event can have. */
export interface AgUiEventMembers {
  /** The time of the event. The protocol does not define a unit. */
  readonly timestamp?: Json;
  /** The event of another protocol from which this event was made. */
  readonly rawEvent?: Json;
  /** Further data: an object. */
  readonly metadata?: Json;
}

/** The start of a run. */
export interface AgUiRunStartedEvent extends AgUiEventMembers {
  readonly type: "RUN_STARTED";
  /** The thread's id. */
  readonly threadId: string;
  /** The run's id. */
  readonly runId: string;
  /** The protocol version that the agent uses. */
  readonly protocolVersion?: string | null;
  /** The id of the run that this run continues. */
  readonly parentRunId?: string | null;
  /** The request that started the run. */
  readonly input?: Json;
}

/** The end of a run. */
export interface AgUiRunFinishedEvent extends AgUiEventMembers {
  readonly type: "RUN_FINISHED";
  /** The thread's id. */
  readonly threadId: string;
  /** The run's id. */
  readonly runId: string;
  /** The result. */
  readonly result?: Json;
  /** The outcome. Absent means success. */
  readonly outcome?: Json;
  /** The token usage per provider and model. */
  readonly usage?: Json;
}

/** The end of a run that failed. */
export interface AgUiRunErrorEvent extends AgUiEventMembers {
  readonly type: "RUN_ERROR";
  /** The error message. */
  readonly message: string;
  /** The error code. */
  readonly code?: string | null;
  /** The token usage. */
  readonly usage?: Json;
}

/** The start of a step. */
export interface AgUiStepStartedEvent extends AgUiEventMembers {
  readonly type: "STEP_STARTED";
  /** The subagent that sent the event. Absent for the agent itself. */
  readonly subagentRunId?: string | null;
  /** The name. */
  readonly stepName: string;
}

/** The end of a step. */
export interface AgUiStepFinishedEvent extends AgUiEventMembers {
  readonly type: "STEP_FINISHED";
  /** The subagent that sent the event. Absent for the agent itself. */
  readonly subagentRunId?: string | null;
  /** The name. */
  readonly stepName: string;
}

/** The start of a message. */
export interface AgUiTextMessageStartEvent extends AgUiEventMembers {
  readonly type: "TEXT_MESSAGE_START";
  /** The subagent that sent the event. Absent for the agent itself. */
  readonly subagentRunId?: string | null;
  /** The message's id. */
  readonly messageId: string;
  /** The role of the sender. Absent means `assistant`. */
  readonly role?: string | null;
  /** The name of the sender. */
  readonly name?: string | null;
}

/** A text delta of a message. */
export interface AgUiTextMessageContentEvent extends AgUiEventMembers {
  readonly type: "TEXT_MESSAGE_CONTENT";
  /** The subagent that sent the event. Absent for the agent itself. */
  readonly subagentRunId?: string | null;
  /** The message's id. */
  readonly messageId: string;
  /** The delta, which can be empty. */
  readonly delta: string;
}

/** The end of a message. */
export interface AgUiTextMessageEndEvent extends AgUiEventMembers {
  readonly type: "TEXT_MESSAGE_END";
  /** The subagent that sent the event. Absent for the agent itself. */
  readonly subagentRunId?: string | null;
  /** The message's id. */
  readonly messageId: string;
}

/** A text delta of a message that needs no start and end events. */
export interface AgUiTextMessageChunkEvent extends AgUiEventMembers {
  readonly type: "TEXT_MESSAGE_CHUNK";
  /** The subagent that sent the event. Absent for the agent itself. */
  readonly subagentRunId?: string | null;
  /** The message's id. Absent in chunks that continue the message. */
  readonly messageId?: string | null;
  /** The role of the sender. */
  readonly role?: string | null;
  /** The delta. */
  readonly delta?: string | null;
  /** The name of the sender. */
  readonly name?: string | null;
}

/** The start of a tool call. */
export interface AgUiToolCallStartEvent extends AgUiEventMembers {
  readonly type: "TOOL_CALL_START";
  /** The subagent that sent the event. Absent for the agent itself. */
  readonly subagentRunId?: string | null;
  /** The call's id. */
  readonly toolCallId: string;
  /** The tool's name. */
  readonly toolCallName: string;
  /** The id of the message that the call belongs to. */
  readonly parentMessageId?: string | null;
}

/**
 * A delta of a call's arguments, which are JSON text. Some servers send the arguments as an object, `args`,
 * instead.
 */
export interface AgUiToolCallArgsEvent extends AgUiEventMembers {
  readonly type: "TOOL_CALL_ARGS";
  /** The subagent that sent the event. Absent for the agent itself. */
  readonly subagentRunId?: string | null;
  /** The call's id. */
  readonly toolCallId: string;
  /** The delta. */
  readonly delta?: string | null;
}

/** The end of a call's arguments. */
export interface AgUiToolCallEndEvent extends AgUiEventMembers {
  readonly type: "TOOL_CALL_END";
  /** The subagent that sent the event. Absent for the agent itself. */
  readonly subagentRunId?: string | null;
  /** The call's id. */
  readonly toolCallId: string;
}

/** A delta of a call that needs no start and end events. */
export interface AgUiToolCallChunkEvent extends AgUiEventMembers {
  readonly type: "TOOL_CALL_CHUNK";
  /** The subagent that sent the event. Absent for the agent itself. */
  readonly subagentRunId?: string | null;
  /** The call's id. Absent in chunks that continue the call. */
  readonly toolCallId?: string | null;
  /** The tool's name. */
  readonly toolCallName?: string | null;
  /** The id of the message that the call belongs to. */
  readonly parentMessageId?: string | null;
  /** The delta. */
  readonly delta?: string | null;
}

/** The result of a call. Some servers use other names for the call and the result. */
export interface AgUiToolCallResultEvent extends AgUiEventMembers {
  readonly type: "TOOL_CALL_RESULT";
  /** The subagent that sent the event. Absent for the agent itself. */
  readonly subagentRunId?: string | null;
  /** The id of the message for the result. */
  readonly messageId: string;
  /** The call's id. */
  readonly toolCallId?: string | null;
  /** The result: a string, or a list of parts. */
  readonly content?: Json;
  /** The role: `tool`. */
  readonly role?: string | null;
}

/** The whole shared state. */
export interface AgUiStateSnapshotEvent extends AgUiEventMembers {
  readonly type: "STATE_SNAPSHOT";
  /** The subagent that sent the event. Absent for the agent itself. */
  readonly subagentRunId?: string | null;
  /** The value: any JSON. */
  readonly snapshot?: Json;
}

/** A change of the shared state. */
export interface AgUiStateDeltaEvent extends AgUiEventMembers {
  readonly type: "STATE_DELTA";
  /** The subagent that sent the event. Absent for the agent itself. */
  readonly subagentRunId?: string | null;
  /** The change, as a JSON Patch. */
  readonly delta?: Json;
}

/** All messages of the thread. */
export interface AgUiMessagesSnapshotEvent extends AgUiEventMembers {
  readonly type: "MESSAGES_SNAPSHOT";
  /** The messages. */
  readonly messages?: Json;
}

/** The whole content of an activity. */
export interface AgUiActivitySnapshotEvent extends AgUiEventMembers {
  readonly type: "ACTIVITY_SNAPSHOT";
  /** The subagent that sent the event. Absent for the agent itself. */
  readonly subagentRunId?: string | null;
  /** The id of the activity's message. */
  readonly messageId: string;
  /** The type of the activity. */
  readonly activityType: string;
  /** The content: an object. */
  readonly content?: Json;
  /** Whether an existing activity is replaced. True by default. */
  readonly replace?: Json;
}

/** A change of an activity. */
export interface AgUiActivityDeltaEvent extends AgUiEventMembers {
  readonly type: "ACTIVITY_DELTA";
  /** The subagent that sent the event. Absent for the agent itself. */
  readonly subagentRunId?: string | null;
  /** The id of the activity's message. */
  readonly messageId: string;
  /** The type of the activity. */
  readonly activityType: string;
  /** The change, as a JSON Patch. */
  readonly patch?: Json;
}

/** The start of a reasoning span. */
export interface AgUiReasoningStartEvent extends AgUiEventMembers {
  readonly type: "REASONING_START";
  /** The subagent that sent the event. Absent for the agent itself. */
  readonly subagentRunId?: string | null;
  /** The span's id. */
  readonly messageId: string;
}

/** The start of a reasoning message. */
export interface AgUiReasoningMessageStartEvent extends AgUiEventMembers {
  readonly type: "REASONING_MESSAGE_START";
  /** The subagent that sent the event. Absent for the agent itself. */
  readonly subagentRunId?: string | null;
  /** The message's id. */
  readonly messageId: string;
  /** The role: `reasoning`. */
  readonly role: string;
}

/** A text delta of a reasoning message. */
export interface AgUiReasoningMessageContentEvent extends AgUiEventMembers {
  readonly type: "REASONING_MESSAGE_CONTENT";
  /** The subagent that sent the event. Absent for the agent itself. */
  readonly subagentRunId?: string | null;
  /** The message's id. */
  readonly messageId: string;
  /** The delta. */
  readonly delta: string;
}

/** The end of a reasoning message. */
export interface AgUiReasoningMessageEndEvent extends AgUiEventMembers {
  readonly type: "REASONING_MESSAGE_END";
  /** The subagent that sent the event. Absent for the agent itself. */
  readonly subagentRunId?: string | null;
  /** The message's id. */
  readonly messageId: string;
}

/** A text delta of a reasoning message that needs no start and end events. */
export interface AgUiReasoningMessageChunkEvent extends AgUiEventMembers {
  readonly type: "REASONING_MESSAGE_CHUNK";
  /** The subagent that sent the event. Absent for the agent itself. */
  readonly subagentRunId?: string | null;
  /** The message's id. Absent in chunks that continue the message. */
  readonly messageId?: string | null;
  /** The delta. */
  readonly delta?: string | null;
}

/** The end of a reasoning span. */
export interface AgUiReasoningEndEvent extends AgUiEventMembers {
  readonly type: "REASONING_END";
  /** The subagent that sent the event. Absent for the agent itself. */
  readonly subagentRunId?: string | null;
  /** The span's id. */
  readonly messageId: string;
}

/** An encrypted value of a call or a message. Only the provider can read it. */
export interface AgUiReasoningEncryptedValueEvent extends AgUiEventMembers {
  readonly type: "REASONING_ENCRYPTED_VALUE";
  /** The subagent that sent the event. Absent for the agent itself. */
  readonly subagentRunId?: string | null;
  /** The kind of the entity: `tool-call` or `message`. */
  readonly subtype: string;
  /** The id of the call or the message. */
  readonly entityId: string;
  /** The encrypted value. */
  readonly encryptedValue: string;
}

/** The start of a subagent. */
export interface AgUiSubagentStartedEvent extends AgUiEventMembers {
  readonly type: "SUBAGENT_STARTED";
  /** The id of the subagent's run. */
  readonly subagentRunId: string;
  /** The name. */
  readonly name: string;
  /** The purpose of the subagent. */
  readonly description?: string | null;
  /** The id of the subagent that started it. */
  readonly parentSubagentRunId?: string | null;
  /** The id of the call that started it. */
  readonly parentToolCallId?: string | null;
  /** The id of the message that started it. */
  readonly parentMessageId?: string | null;
}

/** The end of a subagent. */
export interface AgUiSubagentFinishedEvent extends AgUiEventMembers {
  readonly type: "SUBAGENT_FINISHED";
  /** The id of the subagent's run. */
  readonly subagentRunId: string;
  /** The result. */
  readonly result?: Json;
  /** The outcome. */
  readonly outcome?: Json;
}

/** The end of a subagent that failed. */
export interface AgUiSubagentErrorEvent extends AgUiEventMembers {
  readonly type: "SUBAGENT_ERROR";
  /** The id of the subagent's run. */
  readonly subagentRunId: string;
  /** The error message. */
  readonly message: string;
  /** The error code. */
  readonly code?: string | null;
}

/** An event of another protocol. */
export interface AgUiRawEvent extends AgUiEventMembers {
  readonly type: "RAW";
  /** The subagent that sent the event. Absent for the agent itself. */
  readonly subagentRunId?: string | null;
  /** The event: any JSON. */
  readonly event?: Json;
  /** The source of the event. */
  readonly source?: string | null;
}

/** An event that the application defines. */
export interface AgUiCustomEvent extends AgUiEventMembers {
  readonly type: "CUSTOM";
  /** The subagent that sent the event. Absent for the agent itself. */
  readonly subagentRunId?: string | null;
  /** The name. */
  readonly name: string;
  /** The value: any JSON. */
  readonly value?: Json;
}

/** The start of a reasoning span. Only before version 1.0. */
export interface AgUiThinkingStartEvent extends AgUiEventMembers {
  readonly type: "THINKING_START";
  /** The subagent that sent the event. Absent for the agent itself. */
  readonly subagentRunId?: string | null;
  /** The title. */
  readonly title?: string | null;
}

/** The end of a reasoning span. Only before version 1.0. */
export interface AgUiThinkingEndEvent extends AgUiEventMembers {
  readonly type: "THINKING_END";
  /** The subagent that sent the event. Absent for the agent itself. */
  readonly subagentRunId?: string | null;
}

/** The start of a reasoning message. Only before version 1.0. */
export interface AgUiThinkingTextMessageStartEvent extends AgUiEventMembers {
  readonly type: "THINKING_TEXT_MESSAGE_START";
  /** The subagent that sent the event. Absent for the agent itself. */
  readonly subagentRunId?: string | null;
}

/** A text delta of a reasoning message. Only before version 1.0. */
export interface AgUiThinkingTextMessageContentEvent extends AgUiEventMembers {
  readonly type: "THINKING_TEXT_MESSAGE_CONTENT";
  /** The subagent that sent the event. Absent for the agent itself. */
  readonly subagentRunId?: string | null;
  /** The delta. */
  readonly delta: string;
}

/** The end of a reasoning message. Only before version 1.0. */
export interface AgUiThinkingTextMessageEndEvent extends AgUiEventMembers {
  readonly type: "THINKING_TEXT_MESSAGE_END";
  /** The subagent that sent the event. Absent for the agent itself. */
  readonly subagentRunId?: string | null;
}

/** The end marker `[DONE]`: on the wire it is plain text, not JSON. */
export interface AgUiDone {
  readonly type: "[DONE]";
}

/** An event of an unknown type. */
export interface AgUiOtherEvent {
  readonly type: OtherName;
  readonly [member: string]: unknown;
}

/** An object without an event type. */
export interface AgUiNamelessEvent {
  readonly type?: null;
  readonly [member: string]: unknown;
}

/** One event of a stream: `switch` on `type`. */
export type AgUiEvent =
  | AgUiRunStartedEvent
  | AgUiRunFinishedEvent
  | AgUiRunErrorEvent
  | AgUiStepStartedEvent
  | AgUiStepFinishedEvent
  | AgUiTextMessageStartEvent
  | AgUiTextMessageContentEvent
  | AgUiTextMessageEndEvent
  | AgUiTextMessageChunkEvent
  | AgUiToolCallStartEvent
  | AgUiToolCallArgsEvent
  | AgUiToolCallEndEvent
  | AgUiToolCallChunkEvent
  | AgUiToolCallResultEvent
  | AgUiStateSnapshotEvent
  | AgUiStateDeltaEvent
  | AgUiMessagesSnapshotEvent
  | AgUiActivitySnapshotEvent
  | AgUiActivityDeltaEvent
  | AgUiReasoningStartEvent
  | AgUiReasoningMessageStartEvent
  | AgUiReasoningMessageContentEvent
  | AgUiReasoningMessageEndEvent
  | AgUiReasoningMessageChunkEvent
  | AgUiReasoningEndEvent
  | AgUiReasoningEncryptedValueEvent
  | AgUiSubagentStartedEvent
  | AgUiSubagentFinishedEvent
  | AgUiSubagentErrorEvent
  | AgUiRawEvent
  | AgUiCustomEvent
  | AgUiThinkingStartEvent
  | AgUiThinkingEndEvent
  | AgUiThinkingTextMessageStartEvent
  | AgUiThinkingTextMessageContentEvent
  | AgUiThinkingTextMessageEndEvent
  | AgUiDone
  | AgUiOtherEvent
  | AgUiNamelessEvent;
