// AG-UI's events as they stand on the wire: what servers leave out is optional, some send null for it, and what is not declared
// stays. Types only.

import type { Json, OtherName } from "../agentwire.js";

/** What every event may have. */
interface Base {
  readonly timestamp?: number | null;
  /** The event of another protocol that this one was made of. */
  readonly rawEvent?: Json;
  readonly metadata?: { readonly [name: string]: Json };
}

/** The lane of an event; the agent itself has none. */
interface Attributed extends Base {
  readonly subagentRunId?: string | null;
}

/** One event of an AG-UI stream: `switch` on `type`. (B.1.) */
export type AgUiEvent =
  /** A run begins. */
  | (Base & { readonly type: "RUN_STARTED"; readonly threadId: string; readonly runId: string; readonly protocolVersion?: string | null; readonly parentRunId?: string | null; readonly input?: Json })
  /** A run is over. */
  | (Base & { readonly type: "RUN_FINISHED"; readonly threadId: string; readonly runId: string; readonly result?: Json; readonly outcome?: Json; readonly usage?: Json })
  /** A run has failed. */
  | (Base & { readonly type: "RUN_ERROR"; readonly message: string; readonly code?: string | null; readonly usage?: Json })
  /** A step begins. */
  | (Attributed & { readonly type: "STEP_STARTED"; readonly stepName: string })
  /** A step is over. */
  | (Attributed & { readonly type: "STEP_FINISHED"; readonly stepName: string })
  /** A message begins. */
  | (Attributed & { readonly type: "TEXT_MESSAGE_START"; readonly messageId: string; readonly role?: string | null; readonly name?: string | null })
  /** The next piece of a message. */
  | (Attributed & { readonly type: "TEXT_MESSAGE_CONTENT"; readonly messageId: string; readonly delta: string })
  /** A message is over. */
  | (Attributed & { readonly type: "TEXT_MESSAGE_END"; readonly messageId: string })
  /** A piece of a message that begins and ends by itself. */
  | (Attributed & { readonly type: "TEXT_MESSAGE_CHUNK"; readonly messageId?: string | null; readonly role?: string | null; readonly delta?: string | null; readonly name?: string | null })
  /** A tool call begins. */
  | (Attributed & { readonly type: "TOOL_CALL_START"; readonly toolCallId: string; readonly toolCallName: string; readonly parentMessageId?: string | null })
  /** The next piece of a call's arguments, which are JSON text. An app that is not AG-UI sends them as an object, `args`. */
  | (Attributed & { readonly type: "TOOL_CALL_ARGS"; readonly toolCallId: string; readonly delta?: string | null })
  /** The arguments are whole. */
  | (Attributed & { readonly type: "TOOL_CALL_END"; readonly toolCallId: string })
  /** A piece of a call that begins and ends by itself. */
  | (Attributed & { readonly type: "TOOL_CALL_CHUNK"; readonly toolCallId?: string | null; readonly toolCallName?: string | null; readonly parentMessageId?: string | null; readonly delta?: string | null })
  /** What a call came to. An app that is not AG-UI names the call and the result otherwise. */
  | (Attributed & { readonly type: "TOOL_CALL_RESULT"; readonly messageId: string; readonly toolCallId?: string | null; readonly content?: Json; readonly role?: string | null })
  /** The state is this. */
  | (Attributed & { readonly type: "STATE_SNAPSHOT"; readonly snapshot: Json })
  /** The state changes. */
  | (Attributed & { readonly type: "STATE_DELTA"; readonly delta: readonly Json[] })
  /** The messages are these. */
  | (Base & { readonly type: "MESSAGES_SNAPSHOT"; readonly messages: readonly Json[] })
  /** An activity is this. */
  | (Attributed & { readonly type: "ACTIVITY_SNAPSHOT"; readonly messageId: string; readonly activityType: string; readonly content: Json; readonly replace?: Json })
  /** An activity changes. */
  | (Attributed & { readonly type: "ACTIVITY_DELTA"; readonly messageId: string; readonly activityType: string; readonly patch: readonly Json[] })
  /** A span of reasoning begins. */
  | (Attributed & { readonly type: "REASONING_START"; readonly messageId: string })
  /** A message of reasoning begins. */
  | (Attributed & { readonly type: "REASONING_MESSAGE_START"; readonly messageId: string; readonly role: string })
  /** The next piece of a message of reasoning. */
  | (Attributed & { readonly type: "REASONING_MESSAGE_CONTENT"; readonly messageId: string; readonly delta: string })
  /** A message of reasoning is over. */
  | (Attributed & { readonly type: "REASONING_MESSAGE_END"; readonly messageId: string })
  /** A piece of a message of reasoning that begins and ends by itself. */
  | (Attributed & { readonly type: "REASONING_MESSAGE_CHUNK"; readonly messageId?: string | null; readonly delta?: string | null })
  /** A span of reasoning is over. */
  | (Attributed & { readonly type: "REASONING_END"; readonly messageId: string })
  /** What only the provider can read, of a call or a message. */
  | (Attributed & { readonly type: "REASONING_ENCRYPTED_VALUE"; readonly subtype: string; readonly entityId: string; readonly encryptedValue: string })
  /** A subagent begins. */
  | (Base & { readonly type: "SUBAGENT_STARTED"; readonly subagentRunId: string; readonly name: string; readonly description?: string | null; readonly parentSubagentRunId?: string | null; readonly parentToolCallId?: string | null; readonly parentMessageId?: string | null })
  /** A subagent is over. */
  | (Base & { readonly type: "SUBAGENT_FINISHED"; readonly subagentRunId: string; readonly result?: Json; readonly outcome?: Json })
  /** A subagent has failed. */
  | (Base & { readonly type: "SUBAGENT_ERROR"; readonly subagentRunId: string; readonly message: string; readonly code?: string | null })
  /** An event of another protocol. */
  | (Attributed & { readonly type: "RAW"; readonly event: Json; readonly source?: string | null })
  /** Whatever the application makes of it. */
  | (Attributed & { readonly type: "CUSTOM"; readonly name: string; readonly value: Json })
  /** Before 1.0: a span of reasoning begins. */
  | (Attributed & { readonly type: "THINKING_START"; readonly title?: string | null })
  /** Before 1.0: a span of reasoning is over. */
  | (Attributed & { readonly type: "THINKING_END" })
  /** Before 1.0: a message of reasoning begins. */
  | (Attributed & { readonly type: "THINKING_TEXT_MESSAGE_START" })
  /** Before 1.0: the next piece of a message of reasoning. */
  | (Attributed & { readonly type: "THINKING_TEXT_MESSAGE_CONTENT"; readonly delta: string })
  /** Before 1.0: a message of reasoning is over. */
  | (Attributed & { readonly type: "THINKING_TEXT_MESSAGE_END" })
  /** An event that this version does not know. */
  | { readonly type: OtherName; readonly [member: string]: unknown };
