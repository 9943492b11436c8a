// The examples of docs/protocols/runs.md against the reference worker.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import * as agentwire from "agentwire";
import { createRequest } from "agentwire/agent-api";
import * as runs from "agentwire/runs";
import * as store from "agentwire/store";
import { examplesOf } from "../node/support/examples.mjs";
import { openRuns } from "../support/runs_site.mjs";
import { configuration } from "../../www/configuration.mjs";

const { names, example } = await examplesOf("docs/protocols/runs.md", 26);
const run = new Set();
let site;
before(async () => (site = await openRuns({})));
after(async () => {
  await site?.close();
  assert.deepEqual([...run].sort(), names.sort(), "every example is run");
});

/** An example in a page of that site, where an address may be relative. */
function inPage(name, given, own) {
  run.add(name);
  class RunsClient extends runs.RunsClient {
    constructor(path, options) {
      super(new URL(path, site.url).href, options);
    }
  }
  const resumableFetch = (options) => {
    const fetch = runs.resumableFetch(options);
    return (path, init) => fetch(path instanceof Request ? path : new URL(path, site.url).href, init);
  };
  const code = example(name, ...given);
  return (...values) => code({ ...runs, ...agentwire, ...store, RunsClient, resumableFetch, ...own }, ...values);
}

test("the client: a run is started, and read to its end", async () => {
  const shown = [];
  const code = inPage("client", ["token", "render"]);
  await code("demo", (messages) => shown.push(messages));
  assert.match(shown.at(-1).findLast(({ role }) => role === "assistant").content, /°C/);
});

test("an answer of any protocol that can be resumed", async () => {
  const shown = [];
  const code = inPage("resumable", ["body", "render"]);
  const input = [{ role: "user", content: [{ type: "text", text: "echo on and on" }] }];
  await code(JSON.stringify({ session_id: "s", input }), (snapshot) => shown.push(snapshot));
  assert.equal(shown.at(-1).output[0].content[0].text, "on and on");
});

test("a chat goes on after a reload in the middle of an answer, which is not asked again", async () => {
  const kept = new Map();
  const [turnsAsked, questions] = [[], []];
  /** Opens the page; resolves to its conversation, and to the function that closes the page. */
  const opened = async () => {
    let conversation, leave;
    const own = {
      createConversation(options) {
        const request = (turn) => (turnsAsked.push(turn.message), options.request(turn));
        return (conversation = store.createConversation({ ...options, request }));
      },
    };
    const sessionStorage = { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => kept.set(key, value) };
    const requestOf = ({ conversationId: session, message }) => createRequest(`${site.url}/process`, message, { sessionId: session });
    const code = inPage("reload", ["sessionStorage", "addEventListener", "requestOf"], own);
    await code(sessionStorage, (_, listener) => (leave = listener), (turn) => (questions.push(turn.message), requestOf(turn)));
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
  const { turns: [cut] } = agentwire.parseJson(kept.get("chat"));
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

test("the environment that is shown has the bindings that the tests run with, and no others", async () => {
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
