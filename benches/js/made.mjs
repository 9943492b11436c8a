// What the streams that are made for the benchmark share.
import { chunkLengths } from "../corpus.mjs";

const WORDS = ["the", " city", " of", ' "Hangzhou"', " 你好", " is", " bright", ",\n", " and", " warm"];

/** So many pieces of a text. */
export function pieces(count) {
  return Array.from({ length: count }, (_, at) => WORDS[(at * 7) % WORDS.length]);
}

/** Events as the bytes of a stream, with `event:` lines where `name` gives one. */
export function framesOf(events, name = () => undefined) {
  const frames = events.map((event) => {
    const line = name(event);
    return `${line === undefined ? "" : `event: ${line}\n`}data: ${JSON.stringify(event)}\n\n`;
  });
  return new TextEncoder().encode(frames.join(""));
}

/** Bytes cut as a network cuts them. */
export function cut(bytes) {
  let from = 0;
  return chunkLengths({ bytes, ends: [] }, "net").map((length) => bytes.slice(from, (from += length)));
}
