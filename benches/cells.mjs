// The rows and columns of the tables, and the bounds of their figures.

/**
 * Corpus and chunking; the last two have a bound against `net` (`sixteenBytes`) instead of one
 * against an opponent.
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
 * The rows of AG-UI: a text, the same with timestamps, a text and patches of the state in turn, and
 * the recorded streams.
 */
export const AG_UI = ["text", "text with times", "state", "recorded"];

/** The rows of Responses: a text, rounds of reasoning, calls and text, and the recorded streams. */
export const RESPONSES = ["text", "mixed", "recorded"];

/** The rows of A2A. */
export const A2A = ["text", "recorded"];

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

/** The numbers of events of a first pass in a fresh process or page after `warm()`. */
export const COLD_EVENTS = [50, 300];

/**
 * The bounds of the figures, per home, which guard against regressions. A minimum is three quarters
 * of the recorded figure and a maximum four thirds of it, both rounded outwards to two digits: runs
 * on different days differ by as much. Memory and series that must be flat have fixed maxima.
 *
 * | key | bound of |
 * |---|---|
 * | cells | the minimum speed as a multiple of the opponent's, in the order of `CELLS` |
 * | sixteenBytes | the maximum cost of 16-byte chunks relative to `net`, of text and mixed |
 * | flat | the maximum ratio of the largest cost of a series to the smallest: per event, per event with many messages, per byte of one event |
 * | emission | the minimum speed of writing relative to writing by hand |
 * | recorded | as cells, by CPU where that is known, in the order of `RECORDED` |
 * | agUi, responses, modelToUi | as cells, against the official client, per row |
 * | converting, convertingInWorkerd | as cells, against a remap by hand, in the order of `CONVERTING` |
 * | warmed | the minimum speed of a first pass after `warm()`, relative to JavaScript's, in the order of `COLD_EVENTS` |
 * | init | the maximum milliseconds until a page can read, with a module that is streamed from its address, in the order of `COLD_EVENTS` |
 * | streamedWasm, readersTotal | the maximum bytes of wasm memory after 200 MB of text, and of 10,000 readers |
 * | gateway | the minimum throughput per second of CPU as a multiple of LiteLLM's |
 */
export const BOUNDS = {
  native: {
    cells: [8, 3.7, 6, 3.2, 13, 4.7, 0.63],
    sixteenBytes: { text: 5.3, mixed: 3.1 },
    flat: [2, 2, 4.8],
    emission: [1.2, 0.78, 0.63],
  },
  node: {
    cells: [5.7, 3, 2.2, 1.7, 7.7, 3.3, 1.1],
    sixteenBytes: { text: 9.1, mixed: 6.6 },
    flat: [2, 2, 3.4],
    emission: [1, 0.69, 0.77],
    recorded: [1.1, 0.7, 0.47, 0.47],
    agUi: { text: 47, state: 42 },
    responses: { text: 18, mixed: 15 },
    modelToUi: { long: 58, short: 14 },
    converting: [3.7, 7, 2.3, 4],
    convertingInWorkerd: [2.1, 2.4, 1.5, 2.1],
    warmed: [1, 0.75],
    streamedWasm: 4e6,
    readersTotal: 128e6,
  },
  chromium: {
    cells: [4.4, 2.7, 4, 2.4, 6.2, 3.5, 1.4],
    sixteenBytes: { text: 14, mixed: 3.5 },
    recorded: [1.2, 0.76],
    warmed: [1.5, 1.2],
    init: [28, 30],
  },
  gateway: { gateway: 45 },
};

export function columnName([corpus, chunking]) {
  return `${corpus}/${{ c64k: "64k", c16: "16 B" }[chunking] ?? chunking}`;
}
