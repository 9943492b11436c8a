// A service in Rust and one in JavaScript use the same data, one after the other.
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { withoutPostgres, withoutRedis } from "../support/databases.mjs";
import {
  closeServers,
  openRustIn,
  openSqliteIn,
  serverOf,
  startService,
  withoutCargo,
  withoutSqlite,
} from "../support/runs_stores.mjs";
import { until } from "../support/until.mjs";

after(closeServers);

/** The stores that both languages have. Each opens the data of a folder, or of an address. */
const STORES = {
  SQLite: {
    skip: withoutSqlite,
    Rust: (folder) => openRustIn(folder),
    JavaScript: (folder) => openSqliteIn(folder),
  },
  Postgres: onServer("Postgres", withoutPostgres),
  Redis: onServer("Redis", withoutRedis),
};

function onServer(kind, skip) {
  return {
    skip,
    create: async () => (await serverOf(kind)).create(),
    Rust: (folder, address) => openRustIn(folder, {}, address),
    JavaScript: (folder, address) => startService(folder, { kind, address, leaseMs: 1000 }),
  };
}

const request = (text, threadId) => ({
  threadId,
  runId: crypto.randomUUID(),
  messages: [{ id: crypto.randomUUID(), role: "user", content: text }],
  forwardedProps: { runtime_mode: "chat" },
});

/** Texts with characters of one, two and four bytes, and one that databases do not store. */
const TEXTS = ["count 3", "x é 漢 😀", "\u0001 \0 and \u2028"];

for (const [kind, first, second] of Object.keys(STORES).flatMap((kind) => [
  [kind, "Rust", "JavaScript"],
  [kind, "JavaScript", "Rust"],
])) {
  const { create, ...store } = STORES[kind];
  const skip = withoutCargo || store.skip;
  test(`a thread of a service in ${first} is continued in ${second}: ${kind}`, {
    skip,
  }, async () => {
    const address = await create?.();
    const folder = await mkdtemp(join(tmpdir(), "agentwire-languages-"));
    const threadId = crypto.randomUUID();
    const ran = async (site, body) => {
      const client = site.client();
      await client.createRun(body);
      const { snapshot } = await client.events(threadId, body.runId).finished();
      return snapshot.messages.at(-1).content;
    };
    const historyOf = async (site) => {
      const headers = { authorization: "Bearer ann" };
      const page = await (await fetch(`${site.base}/history`, { headers })).json();
      return page;
    };
    try {
      const runs = TEXTS.map((text) => request(text, threadId));
      const one = await store[first](folder, address);
      for (const run of runs) await ran(one, run);
      // A run whose process is killed: the other one ends it.
      const cut = request("count 1000 10", threadId);
      const client = one.client();
      await client.changeThread(threadId, { title: TEXTS[1] });
      await client.createRun(cut);
      for await (const _ of client.events(threadId, cut.runId)) break;
      await one.end("SIGKILL");
      const other = await store[second](folder, address);
      try {
        const { snapshot } = await other.client().events(threadId, cut.runId).finished();
        assert.equal(snapshot.error.code, "AGENT_RUN_INTERRUPTED");
        const titlesIn = async (which) =>
          (await other.client().threads(which)).threads.map(({ title }) => title);
        assert.deepEqual(await titlesIn({ search: "😀" }), [TEXTS[1]]);
        await other.client().changeThread(threadId, { archived: true });
        assert.deepEqual(
          [await titlesIn({}), await titlesIn({ archived: true })],
          [[], [TEXTS[1]]],
        );
        const page = await historyOf(other);
        assert.equal(page.threadId, threadId);
        const asked = page.messages.filter(({ role }) => role === "user");
        assert.deepEqual(
          asked.map(({ content }) => content),
          [...TEXTS, "count 1000 10"],
        );
        const answers = page.messages.filter(({ role }) => role === "assistant");
        assert.equal(answers[0].content, "1 2 3 ");
        // The events of a run of the other language, and the agent's history.
        const events = await other.client().events(threadId, runs[0].runId).finished();
        assert.equal(events.snapshot.messages.at(-1).content, "1 2 3 ");
        assert.equal(
          await ran(other, request("recall", threadId)),
          [...TEXTS, cut.messages[0].content].join("|"),
        );
      } finally {
        await other.close();
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  test(`a session of AgentScope in ${first} is continued in ${second}: ${kind}`, {
    skip,
  }, async () => {
    const address = await create?.();
    const folder = await mkdtemp(join(tmpdir(), "agentwire-languages-"));
    const session_id = crypto.randomUUID();
    const says = (text) => ({ name: "user", role: "user", content: [{ type: "text", text }] });
    /** Says something in one of the languages; returns the messages then, and those before. */
    const saidIn = async (language, ...inputs) => {
      const site = await store[language](folder, address);
      const { origin } = new URL(site.base);
      const headers = { authorization: "Bearer ann", "content-type": "application/json" };
      const get = async (action) =>
        (await fetch(`${origin}/sessions/${session_id}/${action}`, { headers })).json();
      const before = await get("messages");
      for (const input of inputs) {
        const body = JSON.stringify({ agent_id: "a", session_id, input });
        const response = await fetch(`${origin}/chat/`, { method: "POST", headers, body });
        assert.equal(response.status, 200);
        await until(async () => (await get("status")).status !== "running");
      }
      const after = await get("messages");
      await site.close();
      return { before, after };
    };
    try {
      const asked = await saidIn(first, says("count 2"), says("ask"));
      const reply = asked.after.messages.at(-1);
      const [call] = reply.content.filter(({ type }) => type === "tool_call");
      assert.equal(call.state, "asking");
      const answered = await saidIn(second, {
        ...{ type: "USER_CONFIRM_RESULT", id: "event", reply_id: reply.id },
        confirm_results: [{ confirmed: true, tool_call: call }],
      });
      assert.deepEqual(answered.before, asked.after);
      const { id, content } = answered.after.messages.at(-1);
      assert.equal(id, reply.id);
      assert.equal(content.at(-1).text, "approved");
      assert.deepEqual((await saidIn(first)).before, answered.after);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
}
