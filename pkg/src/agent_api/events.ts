// The Agent API's events as they stand on the wire: what servers leave out is optional, names are open, and members that are
// not declared stay. Types only.

import type { Json, MessageType, OtherName, Role, RunStatus } from "../agentwire.js";

/** One event of an Agent API stream: `switch` on `object`. (Spec 1.2.) */
export type AgentApiEvent = WireResponse | WireMessage | WireContent | WireErrorFrame | WireOther | DoneMarker;

/** What is the same in every event. */
interface WireHead {
  /** Counts the events of a run from 0. A number; old servers send text. */
  readonly sequence_number?: Json;
  readonly status?: RunStatus | null;
  /** An object with `code` and `message`; some servers send text. */
  readonly error?: Json;
}

/** A response: its state, and in the end what it consists of. */
export interface WireResponse extends WireHead {
  readonly object: "response";
  readonly id?: string | null;
  /** What servers of version 0.x call the id. */
  readonly response_id?: string | null;
  /** Seconds since 1970. */
  readonly created_at?: Json;
  readonly completed_at?: Json;
  readonly output?: readonly WireMessage[] | null;
  readonly usage?: Json;
  readonly session_id?: string | null;
}

/** A message: its state, and in the end what it consists of. */
export interface WireMessage extends WireHead {
  readonly object?: "message";
  readonly id?: string | null;
  readonly type?: MessageType | null;
  readonly role?: Role | null;
  readonly content?: readonly WirePart[] | null;
  readonly code?: string | null;
  readonly message?: string | null;
  readonly usage?: Json;
  readonly metadata?: Json;
}

/** A piece of a content (`delta`), or all of it. */
export type WireContent = WirePart & { readonly object: "content" };

/** A content inside a message, where it may lack its `object`. */
export type WirePart = WireHead & {
  readonly object?: "content";
  readonly index?: number | null;
  /** Whether it is to be appended. */
  readonly delta?: boolean | null;
  readonly msg_id?: string | null;
} & WirePayload;

/** What a content holds, by its `type`; without one, whichever member is there tells. */
export type WirePayload =
  | { readonly type: "text"; readonly text?: string | null }
  | { readonly type: "refusal"; readonly refusal?: string | null }
  | { readonly type: "image"; readonly image_url?: string | null }
  | { readonly type: "video"; readonly video_url?: string | null }
  | { readonly type: "audio"; readonly data?: string | null; readonly format?: string | null }
  | {
      readonly type: "file";
      readonly file_url?: string | null;
      readonly file_id?: string | null;
      readonly filename?: string | null;
      readonly file_data?: string | null;
    }
  | { readonly type: "data"; readonly data?: { readonly [key: string]: Json } | null }
  | { readonly type: OtherName; readonly [member: string]: unknown }
  | ({ readonly type?: null } & { readonly [member in ContentMember]?: Json });

type ContentMember =
  | "text"
  | "refusal"
  | "image_url"
  | "video_url"
  | "data"
  | "format"
  | "file_url"
  | "file_id"
  | "filename"
  | "file_data";

/** What the runtime sends when it cannot send a response. (Spec 3.3.) */
export interface WireErrorFrame {
  readonly object?: null;
  readonly error: Json;
  readonly [member: string]: unknown;
}

/** An event that this version does not know. */
export interface WireOther {
  readonly object?: OtherName;
  readonly [member: string]: unknown;
}

/** The `[DONE]` that some servers end a stream with. It stands on the wire as it is, without quotes and braces. */
export interface DoneMarker {
  readonly object?: never;
  readonly type: "[DONE]";
}
