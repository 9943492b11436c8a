// The examples of docs/runs.md against the service that it tells of.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import * as agentwire from "agentwire";
import * as runs from "agentwire/runs";
import { examplesOf } from "../node/examples.mjs";
import { openRuns } from "../support/runs_site.mjs";
import { configuration } from "../../www/configuration.mjs";

const { names, example } = await examplesOf("docs/runs.md", 14);
const run = new Set();
let site;
before(async () => (site = await openRuns({})));
after(async () => {
  await site?.close();
  assert.deepEqual([...run].sort(), names.sort(), "every example is run");
});

/** An example in a page of that site, where an address may be relative. */
function inPage(name, ...given) {
  run.add(name);
  class RunsClient extends runs.RunsClient {
    constructor(path, options) {
      super(new URL(path, site.url).href, options);
    }
  }
  const resumableFetch = (options) => {
    const fetch = runs.resumableFetch(options);
    return (path, init) => fetch(new URL(path, site.url).href, init);
  };
  const code = example(name, ...given);
  return (...values) => code({ ...runs, ...agentwire, RunsClient, resumableFetch }, ...values);
}

test("the client: a run is started, and read to its end", async () => {
  const shown = [];
  const code = inPage("client", "token", "render");
  await code("demo", (messages) => shown.push(messages));
  assert.match(shown.at(-1).findLast(({ role }) => role === "assistant").content, /°C/);
});

test("an answer of any protocol that can be resumed", async () => {
  const shown = [];
  const code = inPage("resumable", "body", "render");
  const input = [{ role: "user", content: [{ type: "text", text: "echo on and on" }] }];
  await code(JSON.stringify({ session_id: "s", input }), (snapshot) => shown.push(snapshot));
  assert.equal(shown.at(-1).output[0].content[0].text, "on and on");
});

test("the environment that is shown has the bindings that the tests run with, and no others", async () => {
  const text = await readFile(new URL("../../docs/runs.md", import.meta.url), "utf8");
  const [, jsonc] = text.match(/^```jsonc\n([\s\S]*?)```/m);
  const { env: { production } } = JSON.parse(`{${jsonc.replace(/(^|\s)\/\/.*$/gm, "")}}`);
  const tested = await configuration();
  const binding = ({ name, binding }) => name ?? binding;
  assert.deepEqual(production.durable_objects, tested.durable_objects);
  for (const kind of ["r2_buckets", "ratelimits"]) {
    assert.deepEqual(production[kind].map(binding), tested[kind].map(binding), kind);
  }
  const known = await readFile(new URL("../../www/worker/runs/env.ts", import.meta.url), "utf8");
  for (const name of [...Object.keys(production.vars), production.ai.binding]) {
    assert.match(known, new RegExp(`readonly ${name}\\??:`), name);
  }
});
