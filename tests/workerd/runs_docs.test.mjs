// The examples of docs/protocols/runs.md against the reference worker.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import * as agentApi from "agentwire/agent-api";
import * as runs from "agentwire/runs";
import * as store from "agentwire/store";
import { folderFor, javascriptOf, outputOf, samplesOf, show, shownIn } from "../node/support/programs.mjs";
import { openRuns } from "../support/runs_site.mjs";
import { configuration } from "../../www/configuration.mjs";

const samples = await samplesOf("docs/protocols/runs.md");
let site;
before(async () => (site = await openRuns({})));
after(() => site?.close());

test("the page has the expected samples", () => assert.deepEqual(samples.map(({ name }) => name), ["client", "resumable", "reload"]));

for (const program of samples.filter(({ name }) => name !== "reload")) {
  test(`${program.name} prints the documented output`, async (context) => {
    const output = await outputOf(await folderFor(context), program.code.replaceAll("http://127.0.0.1:8787", site.url));
    if (process.env.UPDATE_SNAPSHOTS) return show(program, output);
    assert.equal(output, shownIn(program.code));
  });
}

/** Runs the sample `reload` as in a page of that site, with the names that its page provides and replacements for imported ones. */
async function load(page, imported) {
  const entries = { "agentwire/agent-api": agentApi, "agentwire/runs": runs, "agentwire/store": store };
  const { code } = samples.find(({ name }) => name === "reload");
  const body = javascriptOf(code).replace(/^import (\{.*\}) from "(.*)";$/gm, (_, names, entry) => `const ${names} = { ...entries[${JSON.stringify(entry)}], ...imported };`);
  const AsyncFunction = (async () => {}).constructor;
  await new AsyncFunction("entries", "imported", ...Object.keys(page), body)(entries, imported, ...Object.values(page));
}

test("a chat continues after a page reload during a response, without a second request", async () => {
  const kept = new Map();
  const [turnsAsked, questions] = [[], []];
  /** Opens the page; resolves to its conversation, and to the function that closes the page. */
  const opened = async () => {
    let conversation, leave;
    const sessionStorage = { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => kept.set(key, value) };
    await load(
      { sessionStorage, addEventListener: (_, listener) => (leave = listener) },
      {
        createConversation(options) {
          const request = (turn) => (turnsAsked.push(turn.message), options.request(turn));
          return (conversation = store.createConversation({ ...options, request }));
        },
        createRequest: (path, message, options) => (questions.push(message), agentApi.createRequest(new URL(path, site.url), message, options)),
        resumableFetch: (options) => {
          const fetch = runs.resumableFetch(options);
          return (path, init) => fetch(path instanceof Request ? path : new URL(path, site.url).href, init);
        },
      },
    );
    return { conversation, leave: () => (leave(), conversation.stop()) };
  };
  const before = async () => (await (await fetch(`${site.url}/health`)).json()).runs;
  const { finished, active } = await before();
  const first = await opened();
  first.conversation.send("Tell me a long story");
  await new Promise((resolve) => {
    const leave = first.conversation.subscribe(() => {
      const [said] = first.conversation.getSnapshot().turns.at(-1).snapshot?.output ?? [];
      if (said?.content[0]?.text?.length > 100) resolve(leave());
    });
  });
  first.leave();
  const { turns: [cut] } = agentApi.parseJson(kept.get("chat"));
  assert.equal(cut.status, "streaming");

  const second = await opened();
  const { turns, status } = await second.conversation.finished();
  assert.deepEqual([turns.length, status, turns[0].message, turnsAsked.length, questions], [1, "done", "Tell me a long story", 2, ["Tell me a long story"]]);
  const textOf = ({ snapshot }) => snapshot.output.at(-1).content[0].text;
  assert.ok(textOf(turns[0]).startsWith(textOf(cut)) && textOf(turns[0]).length > textOf(cut).length);
  assert.equal((await before()).finished + (await before()).active, finished + active + 1, "one run of the agent");

  // No answer is cut off any more: the next page sends no request, and its user continues.
  second.leave();
  const third = await opened();
  assert.equal(third.conversation.getSnapshot().isBusy, false);
  third.conversation.send("echo and now?");
  const end = await third.conversation.finished();
  assert.deepEqual([end.turns.length, textOf(end.turns[1])], [2, "and now?"]);
});

test("the documented environment has exactly the bindings of the tests", async () => {
  const text = await readFile(new URL("../../www/worker/README.md", import.meta.url), "utf8");
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
