// The corpus, from the disk.
import { readFile, readdir } from "node:fs/promises";

const folder = new URL("../corpus/agent_api/", import.meta.url);

/** Every case of the Agent API corpus, in the form that `corpus.mjs` takes. */
export async function cases() {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  if (names.length < 80) {
    throw new Error(`only ${names.length} cases in ${folder.pathname}`);
  }
  return Promise.all(names.sort().map(read));
}

async function read(name) {
  const file = (file, encoding) => readFile(new URL(`${name}/${file}`, folder), encoding);
  const [stream, snapshot, violations, toolCalls] = await Promise.all([
    file("stream.sse"),
    file("snapshot.json", "utf8"),
    file("violations.json", "utf8"),
    file("tool_calls.json", "utf8"),
  ]);
  return { name, stream: new Uint8Array(stream), snapshot, violations, toolCalls };
}
