// Made by `cargo xtask build` from the declarations in Rust; changed there, never here.

import type { Json, OtherName } from "../agentwire.js";

/** A text delta of the turn, which can be empty. (K1.) */
export interface AgKitTextEvent {
  readonly type: "text";
  /** The delta. */
  readonly content: string;
}

/** The start of a tool call. */
export interface AgKitToolCallStartEvent {
  readonly type: "tool-call-start";
  /** The call's id. */
  readonly toolCallId: string;
  /** The tool's name. */
  readonly toolCallName: string;
}

/** A delta of a call's arguments, which are JSON text. (K2.) */
export interface AgKitToolCallArgsEvent {
  readonly type: "tool-call-args";
  /** The call's id. */
  readonly toolCallId: string;
  /** The delta. */
  readonly delta: string;
}

/** The end of a call's arguments. (K3.) */
export interface AgKitToolCallEndEvent {
  readonly type: "tool-call-end";
  /** The call's id. */
  readonly toolCallId: string;
}

/** The result of a tool that the server called. (K4.) */
export interface AgKitToolResultEvent {
  readonly type: "tool-result";
  /** The call's id. */
  readonly toolCallId: string;
  /** The result as text, often JSON text. */
  readonly result: string;
}

/** A pause of the run until the client resumes it. (K5.) */
export interface AgKitInterruptEvent {
  readonly type: "interrupt";
  /** The id of the interrupt, which the client sends to resume the run. */
  readonly id: string;
  /** The reason. Absent and null are equivalent. */
  readonly reason?: string | null;
  /** The question to the client: any JSON. Null if the event has no payload. */
  readonly payload?: Json;
}

/** The failure of the run. (K9.) */
export interface AgKitErrorEvent {
  readonly type: "error";
  /** The error message. */
  readonly error: Json;
  /** Details of the error. Only some servers send them in a typed error. */
  readonly details?: Json;
}

/** The failure of the run, as an event without a type. (K8.) */
export interface AgKitUntypedEvent {
  readonly type?: null;
  /** The error message. */
  readonly error: Json;
  /** Details of the error. */
  readonly details?: Json;
  readonly [member: string]: unknown;
}

/** The end marker `[DONE]`: on the wire it is plain text, not JSON. */
export interface AgKitDone {
  readonly type: "[DONE]";
}

/** An event of an unknown type. */
export interface AgKitOtherEvent {
  readonly type: OtherName;
  readonly [member: string]: unknown;
}

/** An object without an event type. */
export interface AgKitNamelessEvent {
  readonly type?: null;
  readonly [member: string]: unknown;
}

/** One event of a stream: `switch` on `type`. */
export type AgKitEvent =
  | AgKitTextEvent
  | AgKitToolCallStartEvent
  | AgKitToolCallArgsEvent
  | AgKitToolCallEndEvent
  | AgKitToolResultEvent
  | AgKitInterruptEvent
  | AgKitErrorEvent
  | AgKitUntypedEvent
  | AgKitDone
  | AgKitOtherEvent
  | AgKitNamelessEvent;
