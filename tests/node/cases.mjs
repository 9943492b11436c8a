// The corpora, from the disk.
import { existsSync } from "node:fs";
import { readFile, readdir } from "node:fs/promises";

const AGENT_API = new URL("../corpus/agent_api/", import.meta.url);
const AG_KIT = new URL("../corpus/ag_kit/", import.meta.url);

/** Every case of every corpus of streams, in the form that `corpus.mjs` takes. */
export async function cases() {
  return [...(await all(AGENT_API, 80, agentApi)), ...(await all(AG_KIT, 55, agKit))];
}

async function all(folder, least, read) {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  if (names.length < least) {
    throw new Error(`only ${names.length} cases in ${folder.pathname}`);
  }
  return Promise.all(names.sort().map((name) => read(name, new URL(`${name}/`, folder))));
}

async function agentApi(name, folder) {
  const file = (file, encoding) => readFile(new URL(file, folder), encoding);
  const [stream, snapshot, violations, toolCalls] = await Promise.all([
    file("stream.sse"),
    file("snapshot.json", "utf8"),
    file("violations.json", "utf8"),
    file("tool_calls.json", "utf8"),
  ]);
  return { protocol: "agent-api", name, stream: new Uint8Array(stream), snapshot, violations, toolCalls };
}

async function agKit(name, folder) {
  const file = (file) => readFile(new URL(file, folder), "utf8");
  const stream = new Uint8Array(await readFile(new URL("stream.sse", folder)));
  const options = existsSync(new URL("options.json", folder)) ? JSON.parse(await file("options.json")) : {};
  // a01 to a11 are streams of AG-UI; the names of hand-written cases have no number there.
  const isAgUi = /^a\d/.test(name);
  const [expected, violations] = [await file("expected.json"), await file("violations.json")];
  return { protocol: "ag-kit", name, stream, expected, violations, options, isAgUi };
}
