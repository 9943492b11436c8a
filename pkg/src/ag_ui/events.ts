// Made by `cargo xtask build` from the declarations in Rust; changed there, never here.

import type { Json, OtherName } from "../agentwire.js";

/** What every event can have. */
export interface AgUiEventMembers {
  /** When; the unit is not said. */
  readonly timestamp?: Json;
  /** The event of another protocol that this one was made of. */
  readonly rawEvent?: Json;
  /** Anything more: an object. */
  readonly metadata?: Json;
}

/** A run begins. */
export interface AgUiRunStartedEvent extends AgUiEventMembers {
  readonly type: "RUN_STARTED";
  /** The thread. */
  readonly threadId: string;
  /** The run. */
  readonly runId: string;
  /** The version that the agent speaks. */
  readonly protocolVersion?: string | null;
  /** The run that this one goes on from. */
  readonly parentRunId?: string | null;
  /** The request that the run answers. */
  readonly input?: Json;
}

/** A run is over. */
export interface AgUiRunFinishedEvent extends AgUiEventMembers {
  readonly type: "RUN_FINISHED";
  /** The thread. */
  readonly threadId: string;
  /** The run. */
  readonly runId: string;
  /** What it returned. */
  readonly result?: Json;
  /** How it ended; absent is success. */
  readonly outcome?: Json;
  /** Tokens used, for each provider and model. */
  readonly usage?: Json;
}

/** A run has failed. */
export interface AgUiRunErrorEvent extends AgUiEventMembers {
  readonly type: "RUN_ERROR";
  /** What went wrong. */
  readonly message: string;
  /** A code for programs. */
  readonly code?: string | null;
  /** Tokens used. */
  readonly usage?: Json;
}

/** A step begins. */
export interface AgUiStepStartedEvent extends AgUiEventMembers {
  readonly type: "STEP_STARTED";
  /** The lane that it belongs to; the agent itself has none. */
  readonly subagentRunId?: string | null;
  /** Its name. */
  readonly stepName: string;
}

/** A step is over. */
export interface AgUiStepFinishedEvent extends AgUiEventMembers {
  readonly type: "STEP_FINISHED";
  /** The lane that it belongs to; the agent itself has none. */
  readonly subagentRunId?: string | null;
  /** Its name. */
  readonly stepName: string;
}

/** A message begins. */
export interface AgUiTextMessageStartEvent extends AgUiEventMembers {
  readonly type: "TEXT_MESSAGE_START";
  /** The lane that it belongs to; the agent itself has none. */
  readonly subagentRunId?: string | null;
  /** Its id. */
  readonly messageId: string;
  /** Who speaks; absent is the assistant. */
  readonly role?: string | null;
  /** The name of who speaks. */
  readonly name?: string | null;
}

/** The next piece of a message. */
export interface AgUiTextMessageContentEvent extends AgUiEventMembers {
  readonly type: "TEXT_MESSAGE_CONTENT";
  /** The lane that it belongs to; the agent itself has none. */
  readonly subagentRunId?: string | null;
  /** The message. */
  readonly messageId: string;
  /** The piece, which may be empty. */
  readonly delta: string;
}

/** A message is over. */
export interface AgUiTextMessageEndEvent extends AgUiEventMembers {
  readonly type: "TEXT_MESSAGE_END";
  /** The lane that it belongs to; the agent itself has none. */
  readonly subagentRunId?: string | null;
  /** The message. */
  readonly messageId: string;
}

/** A piece of a message that begins and ends by itself. */
export interface AgUiTextMessageChunkEvent extends AgUiEventMembers {
  readonly type: "TEXT_MESSAGE_CHUNK";
  /** The lane that it belongs to; the agent itself has none. */
  readonly subagentRunId?: string | null;
  /** The message; absent in those that go on. */
  readonly messageId?: string | null;
  /** Who speaks. */
  readonly role?: string | null;
  /** The piece. */
  readonly delta?: string | null;
  /** The name of who speaks. */
  readonly name?: string | null;
}

/** A tool call begins. */
export interface AgUiToolCallStartEvent extends AgUiEventMembers {
  readonly type: "TOOL_CALL_START";
  /** The lane that it belongs to; the agent itself has none. */
  readonly subagentRunId?: string | null;
  /** The call. */
  readonly toolCallId: string;
  /** The tool. */
  readonly toolCallName: string;
  /** The message that the call belongs to. */
  readonly parentMessageId?: string | null;
}

/** The next piece of a call's arguments, which are JSON text. An app that is not AG-UI sends them as an object, `args`. */
export interface AgUiToolCallArgsEvent extends AgUiEventMembers {
  readonly type: "TOOL_CALL_ARGS";
  /** The lane that it belongs to; the agent itself has none. */
  readonly subagentRunId?: string | null;
  /** The call. */
  readonly toolCallId: string;
  /** The piece. */
  readonly delta?: string | null;
}

/** The arguments are whole. */
export interface AgUiToolCallEndEvent extends AgUiEventMembers {
  readonly type: "TOOL_CALL_END";
  /** The lane that it belongs to; the agent itself has none. */
  readonly subagentRunId?: string | null;
  /** The call. */
  readonly toolCallId: string;
}

/** A piece of a call that begins and ends by itself. */
export interface AgUiToolCallChunkEvent extends AgUiEventMembers {
  readonly type: "TOOL_CALL_CHUNK";
  /** The lane that it belongs to; the agent itself has none. */
  readonly subagentRunId?: string | null;
  /** The call; absent in those that go on. */
  readonly toolCallId?: string | null;
  /** The tool. */
  readonly toolCallName?: string | null;
  /** The message that the call belongs to. */
  readonly parentMessageId?: string | null;
  /** The piece. */
  readonly delta?: string | null;
}

/** What a call came to. An app that is not AG-UI names the call and the result otherwise. */
export interface AgUiToolCallResultEvent extends AgUiEventMembers {
  readonly type: "TOOL_CALL_RESULT";
  /** The lane that it belongs to; the agent itself has none. */
  readonly subagentRunId?: string | null;
  /** The message that it becomes. */
  readonly messageId: string;
  /** The call. */
  readonly toolCallId?: string | null;
  /** A text, or a list of parts. */
  readonly content?: Json;
  /** `tool` */
  readonly role?: string | null;
}

/** The state is this. */
export interface AgUiStateSnapshotEvent extends AgUiEventMembers {
  readonly type: "STATE_SNAPSHOT";
  /** The lane that it belongs to; the agent itself has none. */
  readonly subagentRunId?: string | null;
  /** Any JSON. */
  readonly snapshot?: Json;
}

/** The state changes. */
export interface AgUiStateDeltaEvent extends AgUiEventMembers {
  readonly type: "STATE_DELTA";
  /** The lane that it belongs to; the agent itself has none. */
  readonly subagentRunId?: string | null;
  /** A JSON Patch. */
  readonly delta?: Json;
}

/** The messages are these. */
export interface AgUiMessagesSnapshotEvent extends AgUiEventMembers {
  readonly type: "MESSAGES_SNAPSHOT";
  /** A list of messages. */
  readonly messages?: Json;
}

/** An activity is this. */
export interface AgUiActivitySnapshotEvent extends AgUiEventMembers {
  readonly type: "ACTIVITY_SNAPSHOT";
  /** The lane that it belongs to; the agent itself has none. */
  readonly subagentRunId?: string | null;
  /** Its message. */
  readonly messageId: string;
  /** Its kind. */
  readonly activityType: string;
  /** An object. */
  readonly content?: Json;
  /** False leaves one that is there already as it is. */
  readonly replace?: Json;
}

/** An activity changes. */
export interface AgUiActivityDeltaEvent extends AgUiEventMembers {
  readonly type: "ACTIVITY_DELTA";
  /** The lane that it belongs to; the agent itself has none. */
  readonly subagentRunId?: string | null;
  /** Its message. */
  readonly messageId: string;
  /** Its kind. */
  readonly activityType: string;
  /** A JSON Patch. */
  readonly patch?: Json;
}

/** A span of reasoning begins. */
export interface AgUiReasoningStartEvent extends AgUiEventMembers {
  readonly type: "REASONING_START";
  /** The lane that it belongs to; the agent itself has none. */
  readonly subagentRunId?: string | null;
  /** The span. */
  readonly messageId: string;
}

/** A message of reasoning begins. */
export interface AgUiReasoningMessageStartEvent extends AgUiEventMembers {
  readonly type: "REASONING_MESSAGE_START";
  /** The lane that it belongs to; the agent itself has none. */
  readonly subagentRunId?: string | null;
  /** Its id. */
  readonly messageId: string;
  /** `reasoning` */
  readonly role: string;
}

/** The next piece of a message of reasoning. */
export interface AgUiReasoningMessageContentEvent extends AgUiEventMembers {
  readonly type: "REASONING_MESSAGE_CONTENT";
  /** The lane that it belongs to; the agent itself has none. */
  readonly subagentRunId?: string | null;
  /** The message. */
  readonly messageId: string;
  /** The piece. */
  readonly delta: string;
}

/** A message of reasoning is over. */
export interface AgUiReasoningMessageEndEvent extends AgUiEventMembers {
  readonly type: "REASONING_MESSAGE_END";
  /** The lane that it belongs to; the agent itself has none. */
  readonly subagentRunId?: string | null;
  /** The message. */
  readonly messageId: string;
}

/** A piece of a message of reasoning that begins and ends by itself. */
export interface AgUiReasoningMessageChunkEvent extends AgUiEventMembers {
  readonly type: "REASONING_MESSAGE_CHUNK";
  /** The lane that it belongs to; the agent itself has none. */
  readonly subagentRunId?: string | null;
  /** The message; absent in those that go on. */
  readonly messageId?: string | null;
  /** The piece. */
  readonly delta?: string | null;
}

/** A span of reasoning is over. */
export interface AgUiReasoningEndEvent extends AgUiEventMembers {
  readonly type: "REASONING_END";
  /** The lane that it belongs to; the agent itself has none. */
  readonly subagentRunId?: string | null;
  /** The span. */
  readonly messageId: string;
}

/** What only the provider can read, of a call or a message. */
export interface AgUiReasoningEncryptedValueEvent extends AgUiEventMembers {
  readonly type: "REASONING_ENCRYPTED_VALUE";
  /** The lane that it belongs to; the agent itself has none. */
  readonly subagentRunId?: string | null;
  /** `tool-call` or `message`. */
  readonly subtype: string;
  /** The id of either. */
  readonly entityId: string;
  /** The value. */
  readonly encryptedValue: string;
}

/** A subagent begins. */
export interface AgUiSubagentStartedEvent extends AgUiEventMembers {
  readonly type: "SUBAGENT_STARTED";
  /** The subagent. */
  readonly subagentRunId: string;
  /** Its name. */
  readonly name: string;
  /** What it is for. */
  readonly description?: string | null;
  /** The subagent that has started it. */
  readonly parentSubagentRunId?: string | null;
  /** The call that has started it. */
  readonly parentToolCallId?: string | null;
  /** The message that has started it. */
  readonly parentMessageId?: string | null;
}

/** A subagent is over. */
export interface AgUiSubagentFinishedEvent extends AgUiEventMembers {
  readonly type: "SUBAGENT_FINISHED";
  /** The subagent. */
  readonly subagentRunId: string;
  /** What it returned. */
  readonly result?: Json;
  /** How it ended. */
  readonly outcome?: Json;
}

/** A subagent has failed. */
export interface AgUiSubagentErrorEvent extends AgUiEventMembers {
  readonly type: "SUBAGENT_ERROR";
  /** The subagent. */
  readonly subagentRunId: string;
  /** What went wrong. */
  readonly message: string;
  /** A code for programs. */
  readonly code?: string | null;
}

/** An event of another protocol. */
export interface AgUiRawEvent extends AgUiEventMembers {
  readonly type: "RAW";
  /** The lane that it belongs to; the agent itself has none. */
  readonly subagentRunId?: string | null;
  /** The event. */
  readonly event?: Json;
  /** Where it comes from. */
  readonly source?: string | null;
}

/** Whatever the application makes of it. */
export interface AgUiCustomEvent extends AgUiEventMembers {
  readonly type: "CUSTOM";
  /** The lane that it belongs to; the agent itself has none. */
  readonly subagentRunId?: string | null;
  /** Its name. */
  readonly name: string;
  /** Any JSON. */
  readonly value?: Json;
}

/** Before 1.0: a span of reasoning begins. */
export interface AgUiThinkingStartEvent extends AgUiEventMembers {
  readonly type: "THINKING_START";
  /** The lane that it belongs to; the agent itself has none. */
  readonly subagentRunId?: string | null;
  /** What it is about. */
  readonly title?: string | null;
}

/** Before 1.0: a span of reasoning is over. */
export interface AgUiThinkingEndEvent extends AgUiEventMembers {
  readonly type: "THINKING_END";
  /** The lane that it belongs to; the agent itself has none. */
  readonly subagentRunId?: string | null;
}

/** Before 1.0: a message of reasoning begins. */
export interface AgUiThinkingTextMessageStartEvent extends AgUiEventMembers {
  readonly type: "THINKING_TEXT_MESSAGE_START";
  /** The lane that it belongs to; the agent itself has none. */
  readonly subagentRunId?: string | null;
}

/** Before 1.0: the next piece of a message of reasoning. */
export interface AgUiThinkingTextMessageContentEvent extends AgUiEventMembers {
  readonly type: "THINKING_TEXT_MESSAGE_CONTENT";
  /** The lane that it belongs to; the agent itself has none. */
  readonly subagentRunId?: string | null;
  /** The piece. */
  readonly delta: string;
}

/** Before 1.0: a message of reasoning is over. */
export interface AgUiThinkingTextMessageEndEvent extends AgUiEventMembers {
  readonly type: "THINKING_TEXT_MESSAGE_END";
  /** The lane that it belongs to; the agent itself has none. */
  readonly subagentRunId?: string | null;
}

/** `[DONE]`, an end marker. It stands on the wire as it is, without quotes and braces. */
export interface AgUiDone {
  readonly type: "[DONE]";
}

/** An event that this version does not know. */
export interface AgUiOtherEvent {
  readonly type: OtherName;
  readonly [member: string]: unknown;
}

/** An object that does not say which event it is. */
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
