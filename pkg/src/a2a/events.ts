// Made by `cargo xtask build` from the declarations in Rust; changed there, never here.

import type { Json, OtherName } from "../agentwire.js";

/**
 * The result of a request. Version 1.0 sets one of the first four properties; version 0.3 sends the object itself,
 * with `kind`.
 */
export interface A2aStreamResponse {
  /** The current task. */
  readonly task?: Json;
  /** A message instead of a task. */
  readonly message?: Json;
  /** A change of the task's status. */
  readonly statusUpdate?: Json;
  /** An artifact, or a delta of one. */
  readonly artifactUpdate?: Json;
  /** The kind of the object in version 0.3: `task`, `message`, `status-update` or `artifact-update`. */
  readonly kind?: Json;
}

/** A JSON-RPC error. */
export interface A2aRpcFailure {
  /** The error code, for example `-32001`. */
  readonly code?: Json;
  /** The error message. */
  readonly message?: Json;
  /** Details of the error. */
  readonly data?: Json;
}

/** The properties that every event can have. */
export interface A2aEventMembers {
  /** The id of the request: any JSON. */
  readonly id?: Json;
  /** The result of the request. */
  readonly result?: A2aStreamResponse | null;
  /** The error of the request. */
  readonly error?: A2aRpcFailure | null;
}

/** A response, with a result or an error. */
export interface A2aVersionedEvent extends A2aEventMembers {
  readonly jsonrpc: "2.0";
}

/** The end marker `[DONE]`: on the wire it is plain text, not JSON. */
export interface A2aDone {
  readonly jsonrpc?: never;
  readonly type: "[DONE]";
}

/** An event of an unknown type. */
export interface A2aOtherEvent {
  readonly jsonrpc: OtherName;
  readonly [member: string]: unknown;
}

/** An object without an event type. */
export interface A2aNamelessEvent {
  readonly jsonrpc?: null;
  readonly [member: string]: unknown;
}

/** One event of a stream: `switch` on `jsonrpc`. */
export type A2aEvent =
  | A2aVersionedEvent
  | A2aDone
  | A2aOtherEvent
  | A2aNamelessEvent;
