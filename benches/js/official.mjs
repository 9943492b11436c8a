// Helpers of the rows that compare a protocol with its official client: from a response to the
// answer.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../place.mjs";
import { compare } from "../rounds.mjs";
import { streamOf } from "./pipelines.mjs";

/** Compares contestants that each read all of these streams; a stream is a list of chunks. */
export async function compareReaders(row, streams, contestants, missing, effort) {
  const bytes = streams.flat().reduce((sum, { length }) => sum + length, 0);
  return {
    row,
    streams: streams.length,
    bytes,
    missing,
    ...(await compare(contestants, { ...effort, digest: String })),
  };
}

/**
 * Returns the contestant of agentwire, with the module for one protocol; `told` returns the
 * compared part of a snapshot.
 */
export function ours(read, streams, told) {
  return {
    name: "agentwire: for await (… of read(response))",
    async pass() {
      const alive = [];
      const answers = [];
      for (const list of streams) {
        const run = read(responseOf(list));
        let last;
        for await (const update of run) {
          last = update;
        }
        const { snapshot } = await run.finished();
        answers.push(told(snapshot));
        alive.push([run, last]);
      }
      return { answer: answers.join("; "), alive };
    },
  };
}

/**
 * Returns the recorded streams of a protocol, each in one chunk, that its client accepts: `isTaken`
 * decides on its result.
 */
export function recordedOf(protocol, isTaken) {
  const corpus = join(ROOT, "tests/data/corpus", protocol);
  const streams = [];
  for (const name of readdirSync(corpus)) {
    const file = (name_) => join(corpus, name, name_);
    if (!existsSync(file("client.json")) || !existsSync(file("stream.sse"))) {
      continue;
    }
    const { options } = JSON.parse(readFileSync(file("case.json"), "utf8"));
    if (
      options === undefined &&
      isTaken(JSON.parse(readFileSync(file("client.json"), "utf8")), name)
    ) {
      streams.push([new Uint8Array(readFileSync(file("stream.sse")))]);
    }
  }
  return streams;
}

export const responseOf = (list) =>
  new Response(streamOf(list), { headers: { "content-type": "text/event-stream" } });

/** Returns the length and the end of an answer. */
export function brief(value) {
  const text = JSON.stringify(value);
  return `${text.length} characters, …${text.slice(-40)}`;
}
