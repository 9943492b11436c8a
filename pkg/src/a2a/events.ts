// Made by `cargo xtask build` from the declarations in Rust; changed there, never here.

import type { Json, OtherName } from "../agentwire.js";

/** What happened: one of the first four members (1.0), or the object itself with its `kind` (0.3). */
export interface A2aStreamResponse {
  /** The task as it stands. */
  readonly task?: Json;
  /** A message in the place of a task. */
  readonly message?: Json;
  /** The task is in another state. */
  readonly statusUpdate?: Json;
  /** An artifact, or a piece of one. */
  readonly artifactUpdate?: Json;
  /** 0.3: `task`, `message`, `status-update` or `artifact-update`. */
  readonly kind?: Json;
}

/** A JSON-RPC error. */
export interface A2aRpcFailure {
  /** Which error it is: `-32001`. */
  readonly code?: Json;
  /** What went wrong. */
  readonly message?: Json;
  /** More about it. */
  readonly data?: Json;
}

/** What every event can have. */
export interface A2aEventMembers {
  /** The id of the request, as it was: any JSON. */
  readonly id?: Json;
  /** What happened. */
  readonly result?: A2aStreamResponse | null;
  /** Why the request failed. */
  readonly error?: A2aRpcFailure | null;
}

/** A response, with a result or an error. */
export interface A2aVersionedEvent extends A2aEventMembers {
  readonly jsonrpc: "2.0";
}

/** `[DONE]`, an end marker. It stands on the wire as it is, without quotes and braces. */
export interface A2aDone {
  readonly jsonrpc?: never;
  readonly type: "[DONE]";
}

/** An event that this version does not know. */
export interface A2aOtherEvent {
  readonly jsonrpc: OtherName;
  readonly [member: string]: unknown;
}

/** An object that does not say which event it is. */
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
