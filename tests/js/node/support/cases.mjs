// The streams of `tests/data/corpus` that are to be read, from the disk. A case is found by its
// folder.
import { existsSync } from "node:fs";
import { readFile, readdir } from "node:fs/promises";

const CORPUS = new URL("../../../data/corpus/", import.meta.url);

/** The minimum number of cases, so that a test does not pass because the corpus was not found. */
const LEAST = 160;

/** Every case of the kind "read" of every protocol, in the form that `corpus.mjs` accepts. */
export async function cases() {
  const read = (await casesOf("read")).map(readCase);
  if (read.length < LEAST) {
    throw new Error(`only ${read.length} cases in ${CORPUS.pathname}`);
  }
  return Promise.all(read);
}

/**
 * The cases of which each has an end or a broken rule that no shorter case of its protocol has: a
 * third of all, for platforms where only the platform can make a difference.
 */
export async function distinctCases() {
  const seen = new Set();
  const shortestFirst = (await cases()).sort(
    (one, other) => one.stream.length - other.stream.length,
  );
  return shortestFirst.filter(({ protocol, ended, violations }) => {
    const before = seen.size;
    for (const what of [ended, ...JSON.parse(violations).map(({ rule }) => rule)]) {
      seen.add(`${protocol} ${what}`);
    }
    return seen.size > before;
  });
}

/** Every case of the kind "frames": its bytes, and the events that they are. */
export async function frameCases() {
  return Promise.all(
    (await casesOf("frames")).map(async ({ name, path, folder }) => ({
      name,
      path,
      stream: new Uint8Array(await readFile(new URL("stream.sse", folder))),
      frames: JSON.parse(await readFile(new URL("frames.json", folder), "utf8")),
    })),
  );
}

/**
 * Every case of this kind: its path, the contents of `case.json`, and the address of its folder.
 */
async function casesOf(kind) {
  const cases = [];
  for (const protocol of await foldersIn(CORPUS)) {
    for (const name of await foldersIn(new URL(`${protocol}/`, CORPUS))) {
      const folder = new URL(`${protocol}/${name}/`, CORPUS);
      const about = JSON.parse(await readFile(new URL("case.json", folder), "utf8"));
      if (about.kind === kind) {
        cases.push({ name, path: `tests/data/corpus/${protocol}/${name}`, about, folder });
      }
    }
  }
  return cases;
}

async function foldersIn(folder) {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

async function readCase({ name, path, about, folder }) {
  const text = (file) => readFile(new URL(file, folder), "utf8");
  const [stream, snapshot, violations] = await Promise.all([
    readFile(
      new URL(existsSync(new URL("stream.bin", folder)) ? "stream.bin" : "stream.sse", folder),
    ),
    text("snapshot.json"),
    text("violations.json"),
  ]);
  const toolCalls = existsSync(new URL("tool_calls.json", folder))
    ? await text("tool_calls.json")
    : null;
  const { protocol, detected = protocol, options = {}, ended } = about;
  return {
    name,
    path,
    protocol,
    detected,
    options,
    ended,
    stream: new Uint8Array(stream),
    snapshot,
    violations,
    toolCalls,
  };
}
