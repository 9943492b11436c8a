// What builders are told before they start, and what they are given.

import type { ErrorInfo, Json } from "../agentwire.js";
import { check } from "../arguments.js";
import { AgentwireError } from "../errors.js";
import { stringifyJson } from "../json.js";

/** How events are made. Everything is optional. */
export interface BuilderOptions {
  /** The conversation; stands in every response event, as null if there is none. What a request has as its session goes here as it is. */
  readonly sessionId?: string | null | undefined;
  /** The response's id, in place of a new one. A request's `id` belongs here. */
  readonly responseId?: string | null | undefined;
  /**
   * `wire` (the default) writes members without a value as null, like the Python runtime; `compact` leaves them out.
   */
  readonly style?: "wire" | "compact" | undefined;
  /** Whether events are numbered from 0: true by default. */
  readonly numbering?: boolean | undefined;
  /** In which order a message lists its contents: by `index` (the default), or as they were completed. */
  readonly partOrder?: "index" | "completion" | undefined;
  /** Whether an `output` without messages is null unless the response is completed; false by default. */
  readonly nullOutput?: boolean | undefined;
  /**
   * Whether the last event lists the completed messages only, as the Python server does. By default it lists every
   * message that was shown, with its status: when a run did not end well, the official web UI shows only what is listed.
   */
  readonly completedOnly?: boolean | undefined;
  /** What of its request an answer repeats, for protocols that repeat something: an object whose members are those of the protocol. */
  readonly echo?: { readonly [key: string]: Json } | undefined;
  /** `random` (the default) for UUIDs, `numbered` for ids that are the same every time, for tests. */
  readonly ids?: "random" | "numbered" | undefined;
}

/** The names of {@link BuilderOptions}. */
export const BUILDER_OPTIONS: readonly string[] = ["sessionId", "responseId", "style", "numbering", "partOrder", "nullOutput", "completedOnly", "echo", "ids"];

/** A status that ends something. */
export type TerminalStatus = "completed" | "failed" | "canceled" | "rejected" | "incomplete";

/** An object of any JSON. */
export type JsonObject = { readonly [key: string]: Json | undefined };

/** What an audio content consists of. */
export interface NewAudio {
  /** Base64, or a URL. */
  readonly data: string;
  /** Such as `wav`. */
  readonly format?: string | undefined;
}

/** What a file content consists of. */
export interface NewFile {
  readonly file_url?: string | undefined;
  readonly file_id?: string | undefined;
  readonly filename?: string | undefined;
  /** Base64. */
  readonly file_data?: string | undefined;
}

/** A content that is whole already. */
export type NewContent =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "refusal"; readonly refusal: string }
  | { readonly type: "image"; readonly image_url: string }
  | { readonly type: "video"; readonly video_url: string }
  | ({ readonly type: "audio" } & NewAudio)
  | ({ readonly type: "file" } & NewFile)
  | { readonly type: "data"; readonly data: JsonObject };

/** The options in the form that the core wants. */
export function builderOptionsJson(options: BuilderOptions): string {
  check("new AgentApiStreamBuilder", { options: "object" }, [options]);
  const { sessionId, responseId, style, numbering, partOrder, nullOutput, completedOnly, echo, ids } = options;
  // One literal: V8 makes the members after a spread one by one, which took a tenth of the time of a short stream.
  return jsonOf({
    sessionId: sessionId ?? undefined,
    responseId: responseId ?? undefined,
    style,
    numbering,
    partOrder,
    nullOutput,
    completedOnly,
    echo,
    ids,
  });
}

/** A value as JSON; what is no value is null, which the core then refuses where it must. */
export function jsonOf(value: Json | JsonObject | undefined): string {
  let json: string | undefined;
  try {
    json = stringifyJson((value ?? null) as Json);
  } catch (error) {
    const { message, cause } = error as AgentwireError;
    throw new AgentwireError("wrong-argument", message, { cause });
  }
  // A symbol or a function, or what makes one of itself.
  return json ?? "null";
}

/** A request or another object of JSON, as JSON. */
export function jsonText(value: object): string {
  return jsonOf(value as unknown as Json);
}

/** An error as the core's methods take it. */
export function errorParts(error: ErrorInfo | undefined): [code?: string, message?: string] {
  return error == null ? [] : [String(error.code), String(error.message)];
}
