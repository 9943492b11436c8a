// Made by `cargo xtask build` from the declarations in Rust; changed there, never here.

import type { Json, MessageType, OtherName, Role, RunStatus } from "../agentwire.js";

/** A content event, or a content of a message. (Spec 1.2, `Content`.) */
export type WirePart = {
  /** The event's number in the stream. */
  readonly sequence_number?: Json;
  /** The kind of the event. */
  readonly object?: Json;
  /** The status of the content. */
  readonly status?: RunStatus | null;
  /** The error: a string or an object. */
  readonly error?: Json;
  /** The content's index in the message. */
  readonly index?: number | string | null;
  /** Whether the content is a delta. Absent means false. */
  readonly delta?: boolean | null;
  /**
   * The id of the message. Absent and null differ: the documented examples omit the property, servers of version
   * 1.0 write null in events that only repeat earlier content.
   */
  readonly msg_id?: string | null;
} & WirePartPayload;

/** The payload, by `type`. Without a `type`, the property that is present determines it. */
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
  /** The event's number in the stream. */
  readonly sequence_number?: Json;
  /** The kind of the event. */
  readonly object?: Json;
  /** The status of the message. */
  readonly status?: RunStatus | null;
  /** The error: a string or an object. */
  readonly error?: Json;
  /** The message's id. */
  readonly id?: string | null;
  /** The type of the message. */
  readonly type?: MessageType | null;
  /** The role of the sender. */
  readonly role?: Role | null;
  /** The contents of the message. */
  readonly content?: readonly WirePart[] | null;
  /** The error code. */
  readonly code?: string | null;
  /** The error message. */
  readonly message?: string | null;
  /** The token usage. */
  readonly usage?: Json;
  /** The metadata: any JSON. */
  readonly metadata?: Json;
}

/** A response event. (Spec 1.2, `AgentResponse`.) */
export interface WireResponse {
  readonly object: "response";
  /** The event's number in the stream. */
  readonly sequence_number?: Json;
  /** The status of the response. */
  readonly status?: RunStatus | null;
  /** The error: a string or an object. */
  readonly error?: Json;
  /** The response's id. */
  readonly id?: string | null;
  /** The response's id, as servers of version 0.x write it. */
  readonly response_id?: string | null;
  /** The creation time, in seconds since 1970. */
  readonly created_at?: Json;
  /** The completion time, in seconds since 1970. */
  readonly completed_at?: Json;
  /** The messages of the response. */
  readonly output?: readonly WireMessage[] | null;
  /** The token usage. */
  readonly usage?: Json;
  /** The session's id. */
  readonly session_id?: string | null;
}

/** The error that the runtime sends when it cannot send a response. (Spec 3.3.) */
export interface WireErrorFrame {
  readonly object?: null;
  /** The error: a string or an object. */
  readonly error: Json;
  /** The error message. */
  readonly message?: Json;
  /** Details of the error. */
  readonly details?: Json;
  readonly [member: string]: unknown;
}

/** The end marker `[DONE]`: on the wire it is plain text, not JSON. */
export interface AgentApiDone {
  readonly object?: never;
  readonly type: "[DONE]";
}

/** An event of an unknown type. */
export interface AgentApiOtherEvent {
  readonly object: OtherName;
  readonly [member: string]: unknown;
}

/** An object without an event type. */
export interface AgentApiNamelessEvent {
  readonly object?: null;
  readonly [member: string]: unknown;
}

/** One event of a stream: `switch` on `object`. */
export type AgentApiEvent =
  | (WirePart & { readonly object: "content" })
  | (WireMessage & { readonly object: "message" })
  | WireResponse
  | WireErrorFrame
  | AgentApiDone
  | AgentApiOtherEvent
  | AgentApiNamelessEvent;
