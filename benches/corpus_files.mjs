// The corpora as files, for the programs that are not JavaScript: `<name>.sse`, and
// `<name>.<chunking>.u32` with the chunks' lengths (little endian). `recorded` contains the short
// recorded streams: an empty chunk starts the next one.
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CHUNKINGS, CORPORA, chunkLengths, corpus } from "./corpus.mjs";
import { responsesStream } from "./js/made_responses.mjs";
import { ROOT } from "./place.mjs";
import { shortStreams } from "./recorded.mjs";

export const CORPUS_FILES = join(ROOT, "target/bench-corpus");

/** Increase it when the files change, so that files of an earlier checkout are not used. */
const EDITION = "3";

export async function writeCorpusFiles() {
  const stamp = join(CORPUS_FILES, `edition-${EDITION}`);
  if (existsSync(stamp)) {
    return;
  }
  mkdirSync(CORPUS_FILES, { recursive: true });
  for (const name of CORPORA) {
    write(name, await corpus(name), CHUNKINGS);
  }
  write("responses-text", { bytes: responsesStream("text"), ends: [] }, ["net"]);
  write("responses-mixed", { bytes: responsesStream("mixed"), ends: [] }, ["net"]);
  writeRecorded(["net", "event"]);
  writeFileSync(stamp, "");
}

function writeRecorded(chunkings) {
  const streams = shortStreams();
  writeFileSync(
    join(CORPUS_FILES, "recorded.sse"),
    Buffer.concat(streams.map(({ bytes }) => bytes)),
  );
  for (const chunking of chunkings) {
    writeLengths(
      "recorded",
      chunking,
      streams.flatMap((stream, at) => [
        ...(at === 0 ? [] : [0]),
        ...chunkLengths(stream, chunking),
      ]),
    );
  }
}

function write(name, made, chunkings) {
  writeFileSync(join(CORPUS_FILES, `${name}.sse`), made.bytes);
  for (const chunking of chunkings) {
    writeLengths(name, chunking, chunkLengths(made, chunking));
  }
}

function writeLengths(name, chunking, lengths) {
  const file = Buffer.alloc(lengths.length * 4);
  lengths.forEach((length, at) => file.writeUInt32LE(length, at * 4));
  writeFileSync(join(CORPUS_FILES, `${name}.${chunking}.u32`), file);
}
