// Helpers for the streams that are generated for the benchmark.
import { chunkLengths } from "../corpus.mjs";

const WORDS = [
  "the",
  " city",
  " of",
  ' "Hangzhou"',
  " 你好",
  " is",
  " bright",
  ",\n",
  " and",
  " warm",
];

/** Returns `count` pieces of a text. */
export function pieces(count) {
  return Array.from({ length: count }, (_, at) => WORDS[(at * 7) % WORDS.length]);
}

/** Returns events as the bytes of a stream, with `event:` lines where `name` returns one. */
export function framesOf(events, name = () => undefined) {
  const frames = events.map((event) => {
    const line = name(event);
    return `${line === undefined ? "" : `event: ${line}\n`}data: ${JSON.stringify(event)}\n\n`;
  });
  return new TextEncoder().encode(frames.join(""));
}

/** Splits bytes as a network splits them. */
export function cut(bytes) {
  let from = 0;
  return chunkLengths({ bytes, ends: [] }, "net").map((length) =>
    bytes.slice(from, (from += length)),
  );
}
