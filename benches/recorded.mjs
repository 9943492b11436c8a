// The recorded streams: `{ name, bytes, ends }` each, in the form for `chunks` of corpus.mjs. Their
// origin is in recorded/README.md.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { SHORT } from "./cells.mjs";
import { ROOT } from "./place.mjs";

const CORPUS = join(ROOT, "tests/data/corpus/agent-api");
const LONG = "36_long_text_100k";

/**
 * The minimum number of bytes. Shorter streams have no answer; a stream without an Agent API event
 * is an error body sent as an event.
 */
const LEAST = 200;

export function recordedStreams() {
  const isRecorded = (name) =>
    ["server.json", "stream.sse"].every((file) => existsSync(join(CORPUS, name, file)));
  const cases = readdirSync(CORPUS).filter(isRecorded);
  const streams = cases.map((name) => stream(name, readFileSync(join(CORPUS, name, "stream.sse"))));
  streams.push(
    stream(LONG, gunzipSync(readFileSync(join(ROOT, "benches/recorded", `${LONG}.sse.gz`)))),
  );
  return streams.filter(
    ({ bytes }) => bytes.length >= LEAST && Buffer.from(bytes).includes('"object"'),
  );
}

/** Returns the short recorded streams. */
export function shortStreams() {
  return recordedStreams().filter(({ bytes }) => bytes.length < SHORT);
}

function stream(name, file) {
  const bytes = new Uint8Array(file);
  return { name, bytes, ends: blockEnds(file) };
}

/** Returns the ends of the blocks, which blank lines separate. */
function blockEnds(file) {
  const ends = [];
  for (let at = file.indexOf("\n\n"); at >= 0; at = file.indexOf("\n\n", at + 2)) {
    ends.push(at + 2);
  }
  if (ends.at(-1) !== file.length) {
    ends.push(file.length);
  }
  return ends;
}
