// How streams are read.

import type { CustomProtocol } from "./convert/protocol.js";
import type { ErrorCode } from "./error_codes.js";
import { AgentwireError } from "./errors.js";
import { PROTOCOLS as NUMBERED } from "./generated.js";
import type { Protocol, AnyProtocol } from "./outcome.js";

/** How a stream is read. Everything is optional. */
export interface ReadOptions<P extends AnyProtocol = "agent-api"> {
  /**
   * What the stream speaks: `agent-api` by default. With `auto` its first event tells; until then there is no answer,
   * and if none does, it is read as `agent-api`. A protocol of your own (`defineProtocol`) is read as what it means in the
   * Agent API.
   */
  readonly protocol?: P | undefined;
  /**
   * `lenient` (the default) recovers from what the server does wrong and reports it, `strict` reads no further than the
   * first violation of severity error, and the answer ends as one whose stream stopped there, `raw` recovers and says nothing.
   */
  readonly mode?: "strict" | "lenient" | "raw" | undefined;
  /**
   * How the stream is cut into events: `sse` (the default) for server-sent events, `ndjson` for newline-delimited JSON,
   * where each line is an event. A reader of `sse` that meets JSON lines reports the violation `ndjson`.
   * A protocol of your own says this itself.
   */
  readonly framing?: "sse" | "ndjson" | undefined;
  /**
   * What becomes of a last event without the blank line after it: `lenient` (the default) takes it if it is whole,
   * `strict` drops it, as browsers do.
   */
  readonly ending?: "strict" | "lenient" | undefined;
  /**
   * Agent API: which of the two official rules merges pieces of data. `builder` (the default) adds, concatenates and replaces as
   * the server's builder does; `message` only continues texts and lists that are already there.
   */
  readonly dataMerge?: "builder" | "message" | undefined;
  /** Agent API: keep messages of type heartbeat in the answer. */
  readonly keepHeartbeats?: boolean | undefined;
  /**
   * AG-Kit: say nothing about a stream that ends without `[DONE]`, as the examples of its documentation do. Otherwise
   * that is a warning. Either way the turn has ended, unless the stream stops inside a tool call: then it is truncated.
   */
  readonly doneIsOptional?: boolean | undefined;
  /**
   * AG-Kit: the names of the request's tools. Calls of these, and only these, are the client's to answer. If left out,
   * every call is that has no result when the stream ends.
   */
  readonly clientTools?: readonly string[] | undefined;
  /** Bounds on what a stream can make the reader hold; what is left out has its default. */
  readonly limits?: Partial<Limits> | undefined;
  /**
   * Integers in free JSON that a number cannot hold become `bigint` (the default), or with `false` the nearest number.
   */
  readonly bigint?: boolean | undefined;
}

/**
 * How much a stream may make the reader keep: integers below 2^32. Real servers reach none of the defaults. What is too
 * much is dropped and reported as a violation, and reading goes on.
 */
export interface Limits {
  /** Bytes of one line; 64 MiB. */
  readonly lineBytes: number;
  /** Bytes of one event; 64 MiB. */
  readonly eventBytes: number;
  /** How deep arrays and objects of one event nest; 128, and 512 at most. */
  readonly jsonDepth: number;
  /** Bytes of one id: of a message, a tool call, a response or a session; 64 KiB. */
  readonly idBytes: number;
  /** Messages of one response; 100,000. */
  readonly messages: number;
  /** Contents of one message, those that were taken away again included; 1,000. */
  readonly contents: number;
  /** Tool calls that are kept beside the messages; 100,000. */
  readonly toolCalls: number;
  /** Bytes of one text, of the data of one content, or of another member of any length; 256 MiB. */
  readonly contentBytes: number;
  /** Bytes of the whole answer, in which each message, content, part and tool call counts as 256; 512 MiB. */
  readonly answerBytes: number;
  /** Keys and elements of one data content that arrives in pieces; 100,000. */
  readonly dataNodes: number;
  /** Digits of a number that another one is added to; 4,300, and no more. */
  readonly numberDigits: number;
  /** Members of one object that the protocol does not declare; 1,000. */
  readonly undeclaredMembers: number;
  /** Violations kept in full; 1,000. The others are only counted. */
  readonly violations: number;
  /** Names of unknown events and types that are kept; 100. The others are only counted. */
  readonly unknown: number;
}

/** In the order that the core numbers them in. */
export const PROTOCOLS: readonly Protocol[] = NUMBERED;

/** In the order that the core wants them in. */
const LIMITS: readonly (keyof Limits)[] = [
  "lineBytes",
  "eventBytes",
  "idBytes",
  "messages",
  "contents",
  "toolCalls",
  "dataNodes",
  "numberDigits",
  "undeclaredMembers",
  "violations",
  "unknown",
  "jsonDepth",
  "contentBytes",
  "answerBytes",
];

/** What the core takes for all defaults. */
const DEFAULTS = /* @__PURE__ */ new Float64Array(0);

/** Limits that cannot be raised further: what is nested is walked by recursion, and Python reads no longer numbers. */
const MOST: Partial<Limits> = { jsonDepth: 512, numberDigits: 4_300 };

/** The protocol, if it is one of the caller's own. */
export function customOf(protocol: AnyProtocol | undefined): CustomProtocol | undefined {
  return typeof protocol === "object" && typeof protocol?.open === "function" ? protocol : undefined;
}

/** The number of the protocol that is meant; for `auto` one that no protocol has. */
export function protocolNumber(options: ReadOptions<AnyProtocol>): number {
  if ("as" in options) {
    throw wrong("as", "for the whole toolkit: import from agentwire");
  }
  const { protocol = "agent-api" } = options;
  const custom = customOf(protocol);
  // What stands in front of the reader makes it one.
  if (custom !== undefined) {
    return PROTOCOLS.indexOf(custom.as ?? PROTOCOLS[0]!);
  }
  return protocol === PROTOCOLS[0]
    ? 0
    : place("protocol", protocol as Protocol, [...PROTOCOLS, "auto"], "unknown-protocol");
}

/** The client's tools as the core wants them: JSON, empty if nothing is known of them. */
export function toolsOf({ clientTools }: Pick<ReadOptions, "clientTools">): string {
  if (clientTools === undefined) {
    return "";
  }
  if (!Array.isArray(clientTools) || clientTools.some((name) => typeof name !== "string")) {
    throw wrong("clientTools", "a list of strings");
  }
  return JSON.stringify(clientTools);
}

/** The options that concern the core, as it wants them: numbers in an order, NaN for a default. */
export function settingsOf(options: ReadOptions<AnyProtocol>): Float64Array {
  const { mode, ending, dataMerge, keepHeartbeats, doneIsOptional, framing, limits = {} } = options;
  // Almost always, and looking each of them up takes as long as reading some events.
  const isDefault = mode === undefined && ending === undefined && framing === undefined && options.limits === undefined;
  if (isDefault && dataMerge === undefined && keepHeartbeats === undefined && doneIsOptional === undefined) {
    return DEFAULTS;
  }
  for (const [name, limit] of Object.entries(Object(limits) === limits ? limits : { limits })) {
    if (!LIMITS.includes(name as keyof Limits)) {
      throw wrong(name, "one of the limits of `Limits`");
    }
    if (limit !== undefined && !(Number.isInteger(limit) && limit >= 0 && limit < 2 ** 32)) {
      throw wrong(name, "an integer from 0 to 4294967295");
    }
    const most = MOST[name as keyof Limits];
    if (most !== undefined && limit > most) {
      throw wrong(name, `at most ${most}`);
    }
  }
  return Float64Array.of(
    place("mode", mode, ["strict", "lenient", "raw"]),
    place("ending", ending, ["strict", "lenient"]),
    place("dataMerge", dataMerge, ["builder", "message"]),
    Number(keepHeartbeats === true),
    Number(doneIsOptional === true),
    // A protocol of your own has its framing; what it becomes is always server-sent events.
    typeof options.protocol === "object" ? NaN : place("framing", framing, ["sse", "ndjson"]),
    ...LIMITS.map((name) => limits[name] ?? NaN),
  );
}

/** Which of the words an option is. */
function place(name: string, value: string | undefined, words: readonly string[], code?: ErrorCode): number {
  const at = words.indexOf(value!);
  if (at < 0 && value !== undefined) {
    throw wrong(name, `one of ${words.join(", ")}`, code);
  }
  return at < 0 ? NaN : at;
}

function wrong(name: string, expected: string, code: ErrorCode = "wrong-option"): AgentwireError {
  return new AgentwireError(code, `option \`${name}\` is ${expected}`);
}
