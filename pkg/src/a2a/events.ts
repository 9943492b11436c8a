// Made by `cargo xtask build` from the declarations in Rust; changed there, never here.

import type { Json, MessageType, OtherName, Role, RunStatus } from "../agentwire.js";

/** A content event, or a part of a message. (Spec 1.2, `Content`.) */
export type WirePart = {
  /** Its number in the stream. */
  readonly sequence_number?: Json;
  /** What kind of event it is. */
  readonly object?: Json;
  /** How far the content has come. */
  readonly status?: RunStatus | null;
  /** What went wrong. */
  readonly error?: Json;
  /** Its place in the message. */
  readonly index?: number | string | null;
  /** Whether it is a further piece. Absent counts as false. */
  readonly delta?: boolean | null;
  /**
   * Its message. Absent and null mean different things: the documented examples leave it out, servers of version 1.0
   * write null in events that only repeat.
   */
  readonly msg_id?: string | null;
} & WirePartPayload;

/** What it holds, by its `type`; without one, whichever member is there tells. */
export type WirePartPayload =
  | { readonly type: "text"; readonly text?: string | null }
  | { readonly type: "data"; readonly data?: { readonly [key: string]: Json } | null }
  | { readonly type: "image"; readonly image_url?: string | null }
  | { readonly type: "audio"; readonly data?: string | null; readonly format?: string | null }
  | { readonly type: "file"; readonly file_url?: string | null; readonly file_id?: string | null; readonly filename?: string | null; readonly file_data?: string | null }
  | { readonly type: "refusal"; readonly refusal?: string | null }
  | { readonly type: "video"; readonly video_url?: string | null }
  | { readonly type: OtherName; readonly [member: string]: unknown }
  | { readonly type?: null; readonly text?: Json; readonly data?: Json; readonly image_url?: Json; readonly format?: Json; readonly file_url?: Json; readonly file_id?: Json; readonly filename?: Json; readonly file_data?: Json; readonly refusal?: Json; readonly video_url?: Json };

/** A message event, or a message inside a response. (Spec 1.2, `Message`.) */
export interface WireMessage {
  /** Its number in the stream. */
  readonly sequence_number?: Json;
  /** What kind of event it is. */
  readonly object?: Json;
  /** How far the message has come. */
  readonly status?: RunStatus | null;
  /** What went wrong. */
  readonly error?: Json;
  /** The message's id. */
  readonly id?: string | null;
  /** What the message is. */
  readonly type?: MessageType | null;
  /** Who it is from. */
  readonly role?: Role | null;
  /** Its parts. */
  readonly content?: readonly WirePart[] | null;
  /** A code of what went wrong. */
  readonly code?: string | null;
  /** What went wrong, in words. */
  readonly message?: string | null;
  /** What it took. */
  readonly usage?: Json;
  /** Anything. */
  readonly metadata?: Json;
}

/** A response event. (Spec 1.2, `AgentResponse`.) */
export interface WireResponse {
  readonly object: "response";
  /** Its number in the stream. */
  readonly sequence_number?: Json;
  /** How far the response has come. */
  readonly status?: RunStatus | null;
  /** What went wrong. */
  readonly error?: Json;
  /** The response's id. */
  readonly id?: string | null;
  /** The same, as a server of version 0.x writes it. */
  readonly response_id?: string | null;
  /** Seconds since 1970. */
  readonly created_at?: Json;
  /** Seconds since 1970. */
  readonly completed_at?: Json;
  /** The messages. */
  readonly output?: readonly WireMessage[] | null;
  /** What it took. */
  readonly usage?: Json;
  /** The session. */
  readonly session_id?: string | null;
}

/** What the runtime sends when it cannot send a response (spec 3.3). */
export interface WireErrorFrame {
  readonly object?: null;
  /** What went wrong. */
  readonly error: Json;
  /** More about it. */
  readonly message?: Json;
  /** More about it. */
  readonly details?: Json;
  readonly [member: string]: unknown;
}

/** `[DONE]`, an end marker. It stands on the wire as it is, without quotes and braces. */
export interface A2aDone {
  readonly object?: never;
  readonly type: "[DONE]";
}

/** An event that this version does not know. */
export interface A2aOtherEvent {
  readonly object: OtherName;
  readonly [member: string]: unknown;
}

/** An object that does not say which event it is. */
export interface A2aNamelessEvent {
  readonly object?: null;
  readonly [member: string]: unknown;
}

/** One event of a stream: `switch` on `object`. */
export type A2aEvent =
  | (WirePart & { readonly object: "content" })
  | (WireMessage & { readonly object: "message" })
  | WireResponse
  | WireErrorFrame
  | A2aDone
  | A2aOtherEvent
  | A2aNamelessEvent;
