// The table's columns, and what they have to come to.

/** Corpus and chunking; the last two have no target of their own but a bound against `net` (`BOUNDS.sixteenBytes`). */
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

/** How many times as fast as the opponent, per home, in the order of the cells. */
export const TARGETS = {
  native: [4, 4, 4, 4, 4, 4, 3],
  node: [6.5, 4.2, 2.5, 2.2, 9, 5, 1.5],
  chromium: [6, 4.5, 3, 3, 8, 5.5, 1.6],
};

/** Below this many bytes a recorded stream is short. */
export const SHORT = 50_000;

/** The rows of recorded streams: all of them with a collection before each pass, and the short ones without any. */
export const RECORDED = [
  { which: "all", chunking: "net", collects: true },
  { which: "all", chunking: "event", collects: true },
  { which: "short", chunking: "net", collects: false },
  { which: "short", chunking: "event", collects: false },
];

/** How many times as fast as the opponent, by CPU where that is known, in the order of `RECORDED`. */
export const RECORDED_TARGETS = {
  node: [2.3, 1.6, 0.75, 0.75],
  chromium: [2.1, 2.1],
};

/** How many times as fast as the official client AG-UI is read, from a response to messages and state. */
export const AG_UI_TARGETS = { text: 50, state: 20 };

/** The rows of AG-UI: a text, the same whose events say when, a text and patches of the state in turn, and the recorded streams. */
export const AG_UI = ["text", "text with times", "state", "recorded"];

/** How many times as fast as openai's `stream` helper Responses is read, from a response of HTTP to the final Response. */
export const RESPONSES_TARGETS = { text: 20, mixed: 20 };

/** The rows of Responses: a text, rounds of reasoning, calls and text, and the recorded streams. */
export const RESPONSES = ["text", "mixed", "recorded"];

/** The rows of A2A, which have no target. */
export const A2A = ["text", "recorded"];

/** The rows of edge conversion, in node and in workerd. */
export const CONVERTING = ["text", "mixed"].flatMap((stream) => [
  { from: "responses", to: "agent-api", stream },
  { from: "agent-api", to: "responses", stream },
]);

export function conversionName({ from, to, stream }) {
  return `${from} → ${to}, ${stream}`;
}

export const BOUNDS = {
  /** How many times as fast as a remap by hand streams are converted. */
  converting: 5,
  /** The most that the largest cost of a series may be of the smallest, where cost should not depend on size. */
  flat: 2,
  /** Cost of 16-byte chunks against `net`. */
  sixteenBytes: 3,
  /** How fast streams are written, against writing them by hand. */
  emission: 1,
  /** Events of a first pass in a fresh process after `warm()`, and how fast it has to be against JavaScript's first pass. */
  coldEvents: [50, 300],
  warmed: 0.9,
  /** Milliseconds until a page can read whose module is streamed from its address. */
  init: 10,
  /** The share of the recorded streams on which JavaScript may be ahead. */
  recordedAhead: 0.4,
  /** Bytes of wasm memory after 200 MB of text. */
  streamedWasm: 4e6,
  /** Bytes of everything that 10,000 readers hold. */
  readersTotal: 128e6,
};

export function columnName([corpus, chunking]) {
  return `${corpus}/${{ c64k: "64k", c16: "16 B" }[chunking] ?? chunking}`;
}
