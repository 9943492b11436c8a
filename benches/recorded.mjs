// The recorded streams: `{ name, bytes, ends }` each, in the form that `chunks` of corpus.mjs takes. recorded/README.md says
// where they come from.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { SHORT } from "./cells.mjs";
import { ROOT } from "./place.mjs";

const CORPUS = join(ROOT, "tests/corpus/agent-api");
const LONG = "36_long_text_100k";

/** What is shorter answers nothing; what has no event of the Agent API is an error body that was sent as an event. */
const LEAST = 200;

export function recordedStreams() {
  const isRecorded = (name) => ["server.json", "stream.sse"].every((file) => existsSync(join(CORPUS, name, file)));
  const cases = readdirSync(CORPUS).filter(isRecorded);
  const streams = cases.map((name) => stream(name, readFileSync(join(CORPUS, name, "stream.sse"))));
  streams.push(stream(LONG, gunzipSync(readFileSync(join(ROOT, "benches/recorded", `${LONG}.sse.gz`)))));
  return streams.filter(({ bytes }) => bytes.length >= LEAST && Buffer.from(bytes).includes('"object"'));
}

/** Of them, the short ones. */
export function shortStreams() {
  return recordedStreams().filter(({ bytes }) => bytes.length < SHORT);
}

function stream(name, file) {
  const bytes = new Uint8Array(file);
  return { name, bytes, ends: blockEnds(file) };
}

/** Where the blocks end, which blank lines separate. */
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
