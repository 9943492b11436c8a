// Streams of any size, generated from the templates in `floods.json` and `limits.json`.
import { readFile } from "node:fs/promises";

/** All templates of a file of `tests/data/hostile`. */
export async function templates(file) {
  return JSON.parse(await readFile(new URL(`../../data/hostile/${file}`, import.meta.url), "utf8"));
}

/**
 * Returns the stream of size `n`. `$i` is the number of a repetition, `$n` how many there are,
 * `$back` the number from the end.
 */
export function bytesOf({ stream }, n) {
  const parts = stream.map((part) => {
    if (typeof part === "string") {
      return part.replaceAll("$n", n);
    }
    const times = part.times ?? n;
    const text = part.each.replaceAll("$n", times);
    return Array.from({ length: times }, (_, at) =>
      text.replaceAll("$i", at + 1).replaceAll("$back", times - at - 1),
    ).join("");
  });
  return new TextEncoder().encode(parts.join(""));
}

/** Yields a stream in chunks as a network delivers them. */
export function* chunksOf(bytes, length = 64 * 1024) {
  for (let at = 0; at < bytes.length; at += length) {
    yield bytes.subarray(at, at + length);
  }
}
