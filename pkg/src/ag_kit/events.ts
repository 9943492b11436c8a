// Made by `cargo xtask build` from the declarations in Rust; changed there, never here.

import type { Json, OtherName } from "../agentwire.js";

/** The next piece of the turn's text, which may be empty (K1). */
export interface AgKitTextEvent {
  readonly type: "text";
  /** The piece. */
  readonly content: string;
}

/** A call begins. */
export interface AgKitToolCallStartEvent {
  readonly type: "tool-call-start";
  /** The call's id. */
  readonly toolCallId: string;
  /** The tool. */
  readonly toolCallName: string;
}

/** The next piece of a call's arguments, which are JSON text (K2). */
export interface AgKitToolCallArgsEvent {
  readonly type: "tool-call-args";
  /** The call's id. */
  readonly toolCallId: string;
  /** The piece. */
  readonly delta: string;
}

/** The arguments are whole (K3). */
export interface AgKitToolCallEndEvent {
  readonly type: "tool-call-end";
  /** The call's id. */
  readonly toolCallId: string;
}

/** What a tool came to that the server has called itself (K4). */
export interface AgKitToolResultEvent {
  readonly type: "tool-result";
  /** The call's id. */
  readonly toolCallId: string;
  /** Its output: text, often JSON text. */
  readonly result: string;
}

/** The run is paused until the client resumes it (K5). */
export interface AgKitInterruptEvent {
  readonly type: "interrupt";
  /** What to name when resuming. */
  readonly id: string;
  /** Why. Missing and null are the same. */
  readonly reason?: string | null;
  /** What the client is asked: any JSON; null where the event has none. */
  readonly payload?: Json;
}

/** The run failed (K9). */
export interface AgKitErrorEvent {
  readonly type: "error";
  /** What went wrong. */
  readonly error: Json;
  /** More about it, from servers that say so in a typed error too. */
  readonly details?: Json;
}

/** The run failed, said without a type (K8). */
export interface AgKitUntypedEvent {
  readonly type?: null;
  /** What went wrong. */
  readonly error: Json;
  /** More about it. */
  readonly details?: Json;
  readonly [member: string]: unknown;
}

/** `[DONE]`, an end marker. It stands on the wire as it is, without quotes and braces. */
export interface AgKitDone {
  readonly type: "[DONE]";
}

/** An event that this version does not know. */
export interface AgKitOtherEvent {
  readonly type: OtherName;
  readonly [member: string]: unknown;
}

/** An object that does not say which event it is. */
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
