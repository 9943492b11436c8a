// The service of `answers.mjs` in Rust: a handler whose requests go to a process on a SQLite file.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openRustIn } from "./runs_stores.mjs";

/** The folder of each store. */
const folders = new Map();

function folderOf(store) {
  if (!folders.has(store)) folders.set(store, mkdtempSync(join(tmpdir(), "agentwire-answers-")));
  return folders.get(store);
}

process.on("exit", () => {
  for (const folder of folders.values()) rmSync(folder, { recursive: true, force: true });
});

/**
 * Returns a handler as `answersOn` does. Handlers with the same store are processes on the same
 * file, of which one is open.
 */
export function rustAnswersOn(store, options = {}) {
  const opened = openRustIn(folderOf(store), options);
  const handler = async (request) => {
    const { origin } = new URL((await opened).base);
    const { pathname, search } = new URL(request.url);
    return fetch(new Request(origin + pathname + search, request));
  };
  handler.close = async () => (await opened).close();
  return handler;
}
