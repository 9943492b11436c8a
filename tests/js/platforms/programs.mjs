// The programs that run in the environments: a program, a page, a worker, a test.

export const PROGRAM = `const started = performance.now();
const [agentwire, { respond }, { exercise }] = await Promise.all([import("agentwire"), import("agentwire/server"), import("./exercise.mjs")]);
console.log("OUTCOME " + JSON.stringify(await exercise({ ...agentwire, respond }, started)));
`;
export const PAGE_PROGRAM = `import * as agentwire from "agentwire";
import { respond } from "agentwire/server";
import { exercise } from "./exercise.mjs";
globalThis.outcome = exercise({ ...agentwire, respond }, 0).catch((error) => ({ error: String(error?.stack ?? error) }));
globalThis.outcome.then((outcome) => location.search === "?tell" && fetch("/outcome", { method: "POST", body: JSON.stringify(outcome) }));
`;
export const WORKER = `import * as agentwire from "agentwire";
import { respond } from "agentwire/server";
import { exercise } from "./exercise.mjs";
export default { fetch: async () => Response.json(await exercise({ ...agentwire, respond })) };
`;
export const page = (script) =>
  `<!doctype html><meta charset="utf-8"><title>t</title><link rel="icon" href="data:,"><script type="module" src="${script}"></script>\n`;

export const VITEST = `import { expect, test } from "vitest";
import * as agentwire from "agentwire";
import { respond } from "agentwire/server";
import { exercise } from "./exercise.mjs";
test("home", async () => {
  const outcome = await exercise({ ...agentwire, respond });
  console.log("\\nOUTCOME " + JSON.stringify(outcome) + "\\n");
  expect(outcome.emitted).toBe("Hello back");
});
`;
