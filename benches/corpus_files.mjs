// The corpora as files, for the programs that are not JavaScript: `<name>.sse`, and `<name>.<chunking>.u32` with the
// chunks' lengths (little end first).
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CHUNKINGS, CORPORA, chunkLengths, corpus } from "./corpus.mjs";
import { responsesStream } from "./js/made_responses.mjs";
import { ROOT } from "./place.mjs";

export const CORPUS_FILES = join(ROOT, "target/bench-corpus");

/** Raise it when the files change, so that files of an earlier checkout are not taken for them. */
const EDITION = "2";

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
  writeFileSync(stamp, "");
}

function write(name, made, chunkings) {
  writeFileSync(join(CORPUS_FILES, `${name}.sse`), made.bytes);
  for (const chunking of chunkings) {
    const lengths = Uint32Array.from(chunkLengths(made, chunking));
    const file = Buffer.alloc(lengths.length * 4);
    lengths.forEach((length, at) => file.writeUInt32LE(length, at * 4));
    writeFileSync(join(CORPUS_FILES, `${name}.${chunking}.u32`), file);
  }
}
