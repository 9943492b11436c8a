// Several messages to a conversation, and several runs of a thread, while an answer is being
// written: none is lost, and each follows those before it.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { RunsClient } from "agentwire/runs";
import { handlerStore, memoryStore } from "agentwire/stores";
import { openHistory } from "../../support/history.mjs";
import { language, openService } from "../../support/services.mjs";
import { until } from "../../support/until.mjs";

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** A store whose calls take 0 to 8 ms, as those of a database in another process. */
function slowStore() {
  const memory = memoryStore();
  const slow =
    (name) =>
    async (...values) => {
      await pause(Math.random() * 8);
      const result = await memory[name](...values);
      await pause(Math.random() * 8);
      return result;
    };
  const names = ["append", "read", "list", "delete"];
  return handlerStore(Object.fromEntries(names.map((name) => [name, slow(name)])));
}

const TEXTS = ["two", "three", "four", "five", "six", "seven"];

describe(`several messages: ${language}`, () => {
  for (const whileRunning of ["enqueue", "interrupt"]) {
    test(`begin in their order, and the last one is answered: \`${whileRunning}\``, async () => {
      const site = openHistory({ store: slowStore(), whileRunning });
      const name = crypto.randomUUID();
      const first = site.say(name, "wait");
      await until(async () => (await site.waiting()).includes("wait"));
      const others = [];
      for (const text of TEXTS) {
        others.push(site.say(name, text).then((response) => response.text()));
        await pause(10);
      }
      if (whileRunning === "enqueue") await site.release("wait");
      await (await first).text();
      const answers = await Promise.all(others);
      assert.match(answers.at(-1), /answer to seven/);
      assert.match(answers.at(-1), /"status": ?"completed"/);
      assert.doesNotMatch(answers.at(-1), /canceled/);
      const questions = (await site.said(name, "eight")).filter((text) => text.startsWith("user"));
      assert.deepEqual(
        questions,
        ["wait", ...TEXTS, "eight"].map((text) => `user: ${text}`),
      );
      await site.handler.close();
    });
  }

  test("a repeated request does not wait for the messages after it", async () => {
    const site = openHistory({ whileRunning: "enqueue" });
    const name = crypto.randomUUID();
    const headers = { "idempotency-key": crypto.randomUUID(), prefer: "resumable" };
    const message = { role: "user", content: [{ type: "text", text: "wait" }] };
    const ask = () => site.ask("/process", { session_id: name, input: [message] }, headers);
    const first = await ask();
    await until(async () => (await site.waiting()).includes("wait"));
    const second = site.say(name, "two");
    await pause(50);
    const again = await Promise.race([ask(), pause(2_000)]);
    assert.equal(again?.headers.get("content-location"), first.headers.get("content-location"));
    await site.release("wait");
    assert.equal(await first.text(), await again.text());
    await (await second).text();
    await site.handler.close();
  });
});

describe(`several runs of a thread: ${language}`, () => {
  const started = async (whileRunning) => {
    const runs = openService(memoryStore(), { whileRunning });
    const client = new RunsClient("http://h/api/v1/agent", {
      headers: { authorization: "Bearer ann" },
      fetch: (url, init) => runs(new Request(url, init)),
    });
    const threadId = crypto.randomUUID();
    const run = (content) =>
      client.createRun({
        threadId,
        runId: crypto.randomUUID(),
        messages: [{ id: crypto.randomUUID(), role: "user", content }],
        forwardedProps: { runtime_mode: "chat" },
      });
    const read = async ({ runId }) => (await client.events(threadId, runId).finished()).snapshot;
    return { runs, run, read };
  };
  const textOf = ({ messages }) => messages.map(({ content }) => content).join("");

  test("wait for the end of the active one: `enqueue`", async () => {
    const { runs, run, read } = await started("enqueue");
    const first = await run("count 10 20");
    const second = await run("count 3");
    assert.equal(textOf(await read(first)), "1 2 3 4 5 6 7 8 9 10 ");
    assert.equal(textOf(await read(second)), "1 2 3 ");
    await runs.close();
  });

  test("stop the active one: `interrupt`", async () => {
    const { runs, run, read } = await started("interrupt");
    const first = await run("count 500 20");
    const second = await run("count 3");
    assert.equal(textOf(await read(second)), "1 2 3 ");
    assert.notEqual((await read(first)).status, "finished");
    await runs.close();
  });
});
