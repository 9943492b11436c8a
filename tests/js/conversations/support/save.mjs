// With the variable CONVERSATIONS_SAVE, the requests of conversations are written into folders
// below its path.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Writes the requests of a client with their answers, and those that the fake models have received.
 * Returns a line about it.
 */
export function saveRequests(names, { requests, recorded }) {
  const root = process.env.CONVERSATIONS_SAVE;
  if (root === undefined) return "  CONVERSATIONS_SAVE=<folder> writes the requests into files";
  const folder = join(
    root,
    names
      .join("-")
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-"),
  );
  mkdirSync(folder, { recursive: true });
  const write = (at, name, text) => writeFileSync(join(folder, `${at + 1}-${name}`), `${text}\n`);
  for (const [at, { path, body, answer }] of recorded.entries()) {
    write(at, "client-request.json", pretty(body));
    write(at, "client-received.txt", `POST ${path}\n\n${answer}`);
  }
  for (const [at, { path, text, refused, lost, state }] of requests.entries()) {
    write(at, "model-request.json", pretty(text));
    write(at, "model-verdict.json", JSON.stringify({ path, refused, lost, state }, null, 2));
  }
  return `  requests: ${folder}`;
}

const pretty = (text) => JSON.stringify(JSON.parse(text), null, 2);
