// The options and values that builders take.

import type { Json } from "../agentwire.js";
import { check } from "../core/arguments.js";
import { type JsonObject, jsonOf } from "../core/json.js";

/** The options of builders. All are optional. */
export interface BuilderOptions {
  /**
   * The id of the conversation, which every response event contains, null if it is missing. The
   * session id of a request can be passed unchanged.
   */
  readonly sessionId?: string | null | undefined;
  /** The id of the response; a new one by default. Pass the `id` of the request here. */
  readonly responseId?: string | null | undefined;
  /**
   * The serialization of properties without a value: as null with `wire` (the default), like the
   * Python runtime; omitted with `compact`.
   */
  readonly style?: "wire" | "compact" | undefined;
  /** Whether events are numbered, from 0: true by default. */
  readonly numbering?: boolean | undefined;
  /** The order of the contents in a message: by `index` (the default), or by `completion`. */
  readonly partOrder?: "index" | "completion" | undefined;
  /**
   * Whether an `output` without messages is null unless the response is completed; false by
   * default.
   */
  readonly nullOutput?: boolean | undefined;
  /**
   * Whether the last event lists only the completed messages, as the Python server does; false by
   * default. Otherwise it lists every message that was sent, with its status: if a run did not
   * succeed, the official web UI shows only the listed messages.
   */
  readonly completedOnly?: boolean | undefined;
  /**
   * The request properties that the response repeats, for protocols that repeat some: an object
   * with properties of the protocol.
   */
  readonly echo?: { readonly [key: string]: Json } | undefined;
  /**
   * The kind of new ids: UUIDs with `random` (the default); reproducible ids with `numbered`, for
   * tests.
   */
  readonly ids?: "random" | "numbered" | undefined;
}

/** The names of {@link BuilderOptions}. */
export const BUILDER_OPTIONS: readonly string[] = [
  "sessionId",
  "responseId",
  "style",
  "numbering",
  "partOrder",
  "nullOutput",
  "completedOnly",
  "echo",
  "ids",
];

/** The status of a run or message that has ended. */
export type TerminalStatus = "completed" | "failed" | "canceled" | "rejected" | "incomplete";

/** The properties of an audio content. */
export interface NewAudio {
  /** The audio data in base64, or a URL. */
  readonly data: string;
  /** The format, for example `wav`. */
  readonly format?: string | undefined;
}

/** The properties of a file content. */
export interface NewFile {
  /** The URL of the file. */
  readonly file_url?: string | undefined;
  /** The id of the file in a storage of the server. */
  readonly file_id?: string | undefined;
  /** The name of the file, for people. */
  readonly filename?: string | undefined;
  /** The file in base64. */
  readonly file_data?: string | undefined;
}

/** A complete content. */
export type NewContent =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "refusal"; readonly refusal: string }
  | { readonly type: "image"; readonly image_url: string }
  | { readonly type: "video"; readonly video_url: string }
  | ({ readonly type: "audio" } & NewAudio)
  | ({ readonly type: "file" } & NewFile)
  | { readonly type: "data"; readonly data: JsonObject };

/** Returns the options as JSON for the core. */
export function builderOptionsJson(options: BuilderOptions): string {
  check("new AgentApiStreamBuilder", { options: "object" }, [options]);
  const {
    sessionId,
    responseId,
    style,
    numbering,
    partOrder,
    nullOutput,
    completedOnly,
    echo,
    ids,
  } = options;
  // A single object literal: with a spread, V8 adds the properties one by one, which took a tenth
  // of the time of a short stream.
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
