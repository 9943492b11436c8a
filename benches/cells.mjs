// The table's columns, and their targets.

/**
 * Corpus and chunking; the last two have a bound against `net` (`BOUNDS.sixteenBytes`) instead of a
 * target.
 */
export const CELLS = [
  ["text", "net"],
  ["mixed", "net"],
  ["text", "event"],
  ["mixed", "event"],
  ["text", "c64k"],
  ["mixed", "c64k"],
  ["long", "net"],
  ["text", "c16"],
  ["mixed", "c16"],
];

/** The wanted speed as a multiple of the opponent's, per home, in the order of the cells. */
export const TARGETS = {
  native: [4, 4, 4, 4, 4, 4, 3],
  node: [6.5, 4.2, 2.5, 2.2, 9, 5, 1.5],
  chromium: [6, 4.5, 3, 3, 8, 5.5, 1.6],
};

/** Below this many bytes a recorded stream is short. */
export const SHORT = 50_000;

/**
 * The rows of recorded streams: all of them with a collection before each pass, and the short ones
 * without.
 */
export const RECORDED = [
  { which: "all", chunking: "net", collects: true },
  { which: "all", chunking: "event", collects: true },
  { which: "short", chunking: "net", collects: false },
  { which: "short", chunking: "event", collects: false },
];

/**
 * The wanted speed as a multiple of the opponent's, by CPU where that is known, in the order of
 * `RECORDED`.
 */
export const RECORDED_TARGETS = {
  node: [2.3, 1.6, 0.75, 0.75],
  chromium: [2.1, 2.1],
};

/**
 * The wanted speed of AG-UI as a multiple of the official client's, from a response to messages and
 * state.
 */
export const AG_UI_TARGETS = { text: 50, state: 20 };

/**
 * The rows of AG-UI: a text, the same with timestamps, a text and patches of the state in turn, and
 * the recorded streams.
 */
export const AG_UI = ["text", "text with times", "state", "recorded"];

/**
 * The wanted speed of Responses as a multiple of openai's `stream` helper's, from a response of
 * HTTP to the final Response.
 */
export const RESPONSES_TARGETS = { text: 20, mixed: 20 };

/** The rows of Responses: a text, rounds of reasoning, calls and text, and the recorded streams. */
export const RESPONSES = ["text", "mixed", "recorded"];

/** The rows of A2A, without a target. */
export const A2A = ["text", "recorded"];

/** The wanted speed from a model's response to a UI message, as a multiple of the AI SDK's. */
export const MODEL_TO_UI_TARGETS = { long: 20, short: 20 };

/** The rows from a model to a UI message: a long answer, and short ones. */
export const MODEL_TO_UI = ["long", "short"];

/** The rows of edge conversion, in node and in workerd. */
export const CONVERTING = ["text", "mixed"].flatMap((stream) => [
  { from: "responses", to: "agent-api", stream },
  { from: "agent-api", to: "responses", stream },
]);

export function conversionName({ from, to, stream }) {
  return `${from} → ${to}, ${stream}`;
}

export const BOUNDS = {
  /** The wanted speed of conversion as a multiple of a remap by hand. */
  converting: 5,
  /**
   * The maximum ratio of the largest cost of a series to the smallest, where the cost should not
   * depend on the size.
   */
  flat: 2,
  /** The maximum cost of 16-byte chunks relative to `net`. */
  sixteenBytes: 3,
  /** The wanted throughput of the gateway per second of CPU as a multiple of LiteLLM's. */
  gateway: 10,
  /** The wanted speed of writing relative to writing by hand. */
  emission: 1,
  /**
   * The events of a first pass in a fresh process after `warm()`, and the maximum duration relative
   * to JavaScript's first pass.
   */
  coldEvents: [50, 300],
  warmed: 0.9,
  /**
   * The maximum milliseconds until a page can read, with a module that is streamed from its
   * address.
   */
  init: 10,
  /** The maximum share of the recorded streams on which JavaScript may be faster. */
  recordedAhead: 0.4,
  /** The maximum bytes of wasm memory after 200 MB of text. */
  streamedWasm: 4e6,
  /** The maximum bytes of 10,000 readers. */
  readersTotal: 128e6,
};

export function columnName([corpus, chunking]) {
  return `${corpus}/${{ c64k: "64k", c16: "16 B" }[chunking] ?? chunking}`;
}
