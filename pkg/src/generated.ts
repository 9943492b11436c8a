// Made by `cargo xtask build` from the declarations in Rust; changed there, never here.

/** Stands in the header of the exchange: wasm of another build has another one. */
export const CONTRACT = 2967500979;

// What an op of a patch does.
export const OPEN = 0;
export const NULL = 1;
export const TRUE = 2;
export const FALSE = 3;
export const WORD = 4;
export const INT = 5;
export const STR = 6;
export const APPEND = 7;
export const FREE_JSON = 8;
export const EXTRA = 9;
export const SET_IN = 10;
export const APPEND_IN = 11;
export const EXTEND_IN = 12;
export const ADD_IN = 13;
export const ARRANGE = 14;
export const SHARE = 15;
export const MOVE_LAST = 16;
export const REMOVE = 17;
export const INSERT_IN = 18;
export const REMOVE_IN = 19;
export const MOVE_IN = 20;

/** Marks the length of a long string. */
export const LONG = 2147483648;
/** Marks the length of a text in units of UTF-16. */
export const WIDE = 1073741824;
/** Marks an op whose JSON has 16 digits in a row. */
export const DIGITS = 32768;

/** The protocols that can be read, in the order in which the core numbers them. */
export const PROTOCOLS = ["agent-api", "ag-kit", "ag-ui", "responses", "a2a"] as const;

/** What people call them. */
export const PROTOCOL_TITLES = { "agent-api": "Agent API", "ag-kit": "AG-Kit", "ag-ui": "AG-UI", "responses": "OpenAI Responses", "a2a": "A2A" } as const;

/** The protocol that is read where none is named: the first event of the stream determines it. */
export type DefaultProtocol = "auto";

/** The protocol that is read if no event determines it, that agents write, and that protocols of your own are read as. */
export type FirstProtocol = "agent-api";

/** The options of all protocols, and where the core wants them. */
export const OPTIONS = [{ name: "mode", at: 0, values: ["strict", "lenient", "raw"] }, { name: "ending", at: 1, values: ["strict", "lenient"] }, { name: "framing", at: 2, values: ["sse", "ndjson", "length-prefixed"] }] as const;

/** The options of all protocols. */
export interface CommonOptions {
  /**
   * `lenient` (the default) recovers from what the server does wrong and reports it, `strict` reads no further than the
   * first violation of severity error, and the answer ends as one whose stream stopped there, `raw` recovers and says
   * nothing.
   */
  readonly mode?: "strict" | "lenient" | "raw" | undefined;
  /**
   * What becomes of a last event without the blank line after it: `lenient` (the default) takes it if it is whole,
   * `strict` drops it, as browsers do.
   */
  readonly ending?: "strict" | "lenient" | undefined;
  /**
   * How the stream is cut into events: `sse` (the default) for server-sent events, `ndjson` for newline-delimited JSON,
   * where each line is an event, `length-prefixed` for frames with their length before them, AG-UI's binary form. A reader
   * of `sse` that meets JSON lines reports the violation `ndjson`. A protocol of your own says this itself.
   */
  readonly framing?: "sse" | "ndjson" | "length-prefixed" | undefined;
}

/** The limits, in the order in which the core wants them after the options. */
export const LIMITS = [
  "lineBytes",
  "eventBytes",
  "jsonDepth",
  "idBytes",
  "messages",
  "contents",
  "toolCalls",
  "contentBytes",
  "answerBytes",
  "growth",
  "dataNodes",
  "numberDigits",
  "undeclaredMembers",
  "violations",
  "unknown",
] as const;

/** What limits can be raised to that have such a bound. */
export const MOST: Partial<Limits> = { jsonDepth: 512, numberDigits: 4300 };

/**
 * How much a stream may make the reader keep: integers below 2^32. Real servers reach none of the defaults. What is too
 * much is dropped and reported as a violation, and reading goes on.
 */
export interface Limits {
  /** Bytes of one line. 64 MiB by default. */
  readonly lineBytes: number;
  /** Bytes of one event. 64 MiB by default. */
  readonly eventBytes: number;
  /** How deep arrays and objects of one event nest. 128 by default, 512 at most. */
  readonly jsonDepth: number;
  /** Bytes of one id: of a message, a tool call, a response or a session. 64 KiB by default. */
  readonly idBytes: number;
  /** Messages of one response, or parts of one turn. 100000 by default. */
  readonly messages: number;
  /** Contents of one message, those that were taken away again included. 1000 by default. */
  readonly contents: number;
  /** Tool calls that are kept beside the messages. 100000 by default. */
  readonly toolCalls: number;
  /** Bytes of one text, of the data of one content, or of another member of any length. 256 MiB by default. */
  readonly contentBytes: number;
  /** Bytes of the whole answer, in which each message, content, part and tool call counts as 256. 512 MiB by default. */
  readonly answerBytes: number;
  /** Bytes that the reader allocates and writes for each byte that it receives. 64 by default. */
  readonly growth: number;
  /** Keys and elements of one data content that arrives in pieces. 100000 by default. */
  readonly dataNodes: number;
  /** Digits of a number that another one is added to. 4300 by default, 4300 at most. */
  readonly numberDigits: number;
  /** Members of one object that the protocol does not declare. 1000 by default. */
  readonly undeclaredMembers: number;
  /** Violations kept in full. The others are only counted. 1000 by default. */
  readonly violations: number;
  /** Names of unknown events and types that are kept. The others are only counted. 100 by default. */
  readonly unknown: number;
}
