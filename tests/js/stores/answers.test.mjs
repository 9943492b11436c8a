// Answers of the protocols on each store: resumed, followed, owned, cancelled, and continued after
// their process was killed.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import OpenAI from "openai";
import { Decoder, read } from "agentwire";
import { resumableFetch } from "agentwire/runs";
import { REQUESTS, optionsOf } from "../support/answers.mjs";
import { STORES, closeServers, openFleet } from "../support/runs_stores.mjs";
import { cutFirst } from "../support/runs_site.mjs";
import { until } from "../support/until.mjs";

const counted = (count) => Array.from({ length: count }, (_, at) => `${at + 1} 好 `).join("");
const idsIn = (text) => [...text.matchAll(/^id: (.*)$/gm)].map(([, id]) => id);
const framesIn = (text) =>
  text.split(/(?<=\n\n)/).filter((frame) => frame.startsWith("id: ") && frame.endsWith("\n\n"));
const textOf = ({ artifacts = [] }) =>
  artifacts.flatMap(({ parts }) => parts.map(({ text = "" }) => text)).join("");
const errorsIn = ({ violations }) => violations.filter(({ severity }) => severity === "error");

function folded(name, text) {
  const decoder = new Decoder(optionsOf(name));
  decoder.push(Buffer.from(text));
  return decoder.finish();
}

/** Reads at least so many frames of a stream, and cancels it. */
async function begun(response, count) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  while (framesIn(text).length < count) text += (await reader.read()).value;
  await reader.cancel().catch(() => {});
  return framesIn(text).join("");
}

/**
 * Clients of a service. A runtime that was killed closes its connections, so a request is repeated.
 */
function clientsOf(site) {
  const { origin } = new URL(site.base);
  const headersOf = (user) => ({
    "content-type": "application/json",
    authorization: `Bearer ${user}`,
  });
  const ask = (path, { user = "ann", headers, ...init } = {}) =>
    fetch(origin + path, { ...init, headers: { ...headersOf(user), ...headers } });
  const post = ([path, body], headers, user) =>
    ask(path, {
      method: "POST",
      body: JSON.stringify(body),
      headers: { prefer: "resumable", ...headers },
      user,
    });
  const get = (where, cursor, user) =>
    ask(where, { headers: cursor && { "last-event-id": cursor }, user });
  const openai = (user = "ann") =>
    new OpenAI({ apiKey: user, baseURL: `${origin}/v1`, maxRetries: 5 });
  const call = (method, params, user) =>
    ask("/a2a", {
      method: "POST",
      headers: { "a2a-version": "1.0" },
      user,
      body: JSON.stringify({ jsonrpc: "2.0", id: "q", method, params }),
    });
  const tasks = async (...given) => {
    const { result, error } = await (await call(...given)).json();
    if (error) throw Object.assign(new Error(error.message), { code: error.code });
    return result;
  };
  return { origin, ask, post, get, openai, call, tasks };
}

const message = (text, more) => ({
  message: { messageId: crypto.randomUUID(), role: "ROLE_USER", parts: [{ text }], ...more },
});
const atOnce = { configuration: { returnImmediately: true } };

after(closeServers);

for (const [store, { open, skip = false, isDurable = false }] of Object.entries(STORES)) {
  describe(`answers: ${store}`, { skip }, () => {
    let site;
    let clients;
    before(async () => {
      site = await open({ limits: { keepAliveMs: 200 } });
      clients = clientsOf(site);
    });
    after(() => site?.close());

    for (const [name, request] of Object.entries(REQUESTS)) {
      test(`${name}: two readers, and each cursor, receive each frame once`, async () => {
        const { post, get } = clients;
        const response = await post(request("count 30 2"));
        const where = response.headers.get("content-location");
        const [text, other] = await Promise.all([
          response.text(),
          get(where).then((response) => response.text()),
        ]);
        const frames = framesIn(text);
        assert.deepEqual(framesIn(other), frames);
        assert.equal(new Set(idsIn(text)).size, frames.length);
        assert.match(JSON.stringify(folded(name, text).snapshot), new RegExp(counted(30)));
        for (const [at, id] of idsIn(text).slice(0, -1).entries()) {
          assert.deepEqual(framesIn(await (await get(where, id)).text()), frames.slice(at + 1));
        }
        assert.equal((await get(where, idsIn(text).at(-1))).status, 204);
        assert.equal((await get(where, undefined, "eve")).status, 404);
      });

      test(`${name}: the process is killed, and the next one ends the answer; each frame is read once`, {
        skip: !isDurable && "memory does not survive its process",
      }, async () => {
        const { post, get } = clients;
        const response = await post(request("count 3000 5"));
        const where = response.headers.get("content-location");
        const first = await begun(response, 12);
        await site.kill();
        let rest;
        await until(
          async () => (rest = await get(where, idsIn(first).at(-1)).catch(() => undefined))?.ok,
          50,
        );
        const text = first + framesIn(await rest.text()).join("");
        assert.deepEqual(framesIn(await (await get(where)).text()), framesIn(text));
        const { snapshot, report } = folded(name, text);
        assert.deepEqual([report.endReason, errorsIn(report)], ["completed", []]);
        assert.match(JSON.stringify(snapshot), /1 好 .*2 好 .*3 好 /);
        assert.match(JSON.stringify(snapshot), /interrupted/);
      });
    }

    test("the running answer of a chat is found by the id of the chat, until it has ended", async () => {
      const { ask, post } = clients;
      const [path, body] = REQUESTS["ai-sdk"]("count 300 5");
      const id = `chat ${crypto.randomUUID()} 好`;
      const find = (user) => ask(`${path}/${encodeURIComponent(id)}/stream`, { user });
      const first = await post([path, { ...body, id }]);
      await first.body.cancel();
      const response = await post([path, { ...body, id }]);
      const found = await find();
      assert.equal(found.status, 200);
      assert.equal(found.headers.get("content-location"), response.headers.get("content-location"));
      assert.equal((await find("eve")).status, 204);
      assert.deepEqual(framesIn(await found.text()), framesIn(await response.text()));
      await until(async () => (await find()).status === 204);
      const { tasks } = await clients.tasks("ListTasks", {});
      assert.ok(tasks.every(({ contextId }) => contextId));
    });

    test("a client reads an answer through connections that are cut", async () => {
      const { origin, post } = clients;
      const key = { "idempotency-key": crypto.randomUUID() };
      const request = REQUESTS["agent-api"]("count 8");
      const whole = await (await post(request, key)).text();
      const expected = folded("agent-api", whole).snapshot;
      for (let cut = 0; cut <= Buffer.byteLength(whole); cut += 97) {
        const fetch = resumableFetch({ fetch: cutFirst(cut), baseDelayMs: 1, maxDelayMs: 1 });
        const headers = { "content-type": "application/json", authorization: "Bearer ann", ...key };
        const answer = fetch(origin + request[0], {
          method: "POST",
          headers,
          body: JSON.stringify(request[1]),
        });
        assert.deepEqual(
          (await read(answer, { protocol: "agent-api" }).finished()).snapshot,
          expected,
          `cut after ${cut}`,
        );
      }
    });

    test("equal requests at once are one answer, which its user can stop", async () => {
      const { ask, post, get } = clients;
      const key = { "idempotency-key": crypto.randomUUID() };
      const request = REQUESTS["ag-ui"]("count 100000 5");
      const answers = await Promise.all(Array.from({ length: 5 }, () => post(request, key)));
      const [where, ...more] = new Set(
        answers.map(({ headers }) => headers.get("content-location")),
      );
      assert.deepEqual(more, []);
      assert.equal((await ask(where, { method: "DELETE", user: "eve" })).status, 404);
      assert.equal((await ask(where, { method: "DELETE" })).status, 202);
      const texts = await Promise.all(answers.map((answer) => answer.text()));
      assert.equal(folded("ag-ui", await (await get(where)).text()).snapshot.status, "cancelled");
      assert.equal(new Set(texts.map((text) => framesIn(text).join(""))).size, 1);
    });

    test("OpenAI responses are read, continued, cancelled and deleted by their user", async () => {
      const client = clients.openai();
      const first = await client.responses.create({ model: "demo", input: "count 2" });
      assert.equal((await client.responses.retrieve(first.id)).output_text, counted(2));
      const second = await client.responses.create({
        model: "demo",
        input: "recall",
        previous_response_id: first.id,
      });
      assert.equal(second.output_text, `count 2|${counted(2)}`);
      await assert.rejects(clients.openai("eve").responses.retrieve(first.id), { status: 404 });
      const slow = await client.responses.create({
        model: "demo",
        input: "count 100000 5",
        background: true,
      });
      assert.equal((await client.responses.retrieve(slow.id)).status, "in_progress");
      assert.equal((await client.responses.cancel(slow.id)).status, "cancelled");
      await client.responses.delete(first.id);
      await assert.rejects(client.responses.retrieve(first.id), { status: 404 });
    });

    test("A2A tasks are read, continued, cancelled and listed by their user", async () => {
      const { tasks } = clients;
      const asked = await tasks("SendMessage", message("ask"));
      assert.equal(asked.task.status.state, "TASK_STATE_INPUT_REQUIRED");
      const { id: taskId, contextId } = asked.task;
      await assert.rejects(tasks("SendMessage", message("yes", { taskId, contextId }), "eve"), {
        code: -32001,
      });
      const { task } = await tasks("SendMessage", message("yes", { taskId, contextId }));
      assert.deepEqual(
        [task.id, task.status.state, textOf(task)],
        [taskId, "TASK_STATE_COMPLETED", "approved"],
      );
      assert.deepEqual(await tasks("GetTask", { id: taskId }), task);
      const { id } = (await tasks("SendMessage", { ...message("count 100000 5"), ...atOnce })).task;
      assert.equal((await tasks("CancelTask", { id })).status.state, "TASK_STATE_CANCELED");
      const listed = async (query, user) =>
        (await tasks("ListTasks", query, user)).tasks.map(({ id }) => id);
      assert.deepEqual(await listed({ contextId }), [taskId]);
      assert.deepEqual(await listed({ contextId }, "eve"), []);
      await until(async () => (await listed({ status: "TASK_STATE_CANCELED" })).includes(id), 20);
    });

    test("a task that waits survives a kill, and a list has it", {
      skip: !isDurable && "memory does not survive its process",
    }, async () => {
      const { tasks } = clients;
      const { id: taskId, contextId } = (
        await tasks("SendMessage", message("ask", { contextId: crypto.randomUUID() }))
      ).task;
      const running = (
        await tasks("SendMessage", { ...message("count 100000 5", { contextId }), ...atOnce })
      ).task.id;
      await site.kill();
      let failed;
      await until(
        async () =>
          (failed = await tasks("GetTask", { id: running }).catch(() => undefined))?.status
            .state === "TASK_STATE_FAILED",
        50,
      );
      assert.match(JSON.stringify(failed.status), /AGENT_RUN_INTERRUPTED/);
      const { task } = await tasks("SendMessage", message("no", { taskId, contextId }));
      assert.equal(textOf(task), "declined");
      const list = await tasks("ListTasks", { contextId });
      assert.deepEqual(
        [list.totalSize, new Set(list.tasks.map(({ id }) => id))],
        [2, new Set([taskId, running])],
      );
      await until(
        async () =>
          (await tasks("ListTasks", { contextId, status: "TASK_STATE_FAILED" })).totalSize === 1,
        20,
      );
    });

    test("answers are deleted at the end of their life", async (context) => {
      const own = await open({ retention: { answerMs: 500, taskMs: 500 } });
      context.after(() => own.close());
      const { post, get, tasks } = clientsOf(own);
      const response = await post(REQUESTS["ag-kit"]("count 3"));
      const where = response.headers.get("content-location");
      await response.text();
      const { id } = (await tasks("SendMessage", message("count 1"))).task;
      await until(async () => (await get(where)).status === 404, 50);
      await until(
        () =>
          tasks("GetTask", { id }).then(
            () => false,
            ({ code }) => code === -32001,
          ),
        50,
      );
      assert.equal((await tasks("ListTasks", {})).totalSize, 0);
    });
  });
}

for (const [store, { skip }] of Object.entries(STORES).filter(([, { isShared }]) => isShared)) {
  test(`answers in several processes: ${store}`, { skip }, async (context) => {
    const { sites, close } = await openFleet(store, 2, { limits: { keepAliveMs: 200 } });
    context.after(close);
    const [one, other] = sites.map(clientsOf);
    for (const [name, request] of Object.entries(REQUESTS)) {
      const response = await one.post(request("count 30 3"));
      const where = response.headers.get("content-location");
      const texts = await Promise.all([
        response.text(),
        other.get(where).then((response) => response.text()),
      ]);
      assert.deepEqual(framesIn(texts[0]), framesIn(texts[1]), name);
      const endless = await one.post(request("count 100000 5"));
      assert.equal(
        (await other.ask(endless.headers.get("content-location"), { method: "DELETE" })).status,
        202,
      );
      assert.equal(folded(name, await endless.text()).report.endReason, "completed");
    }
    const { id } = (await one.tasks("SendMessage", { ...message("count 100000 5"), ...atOnce }))
      .task;
    assert.equal((await other.tasks("CancelTask", { id })).status.state, "TASK_STATE_CANCELED");
    const response = await one.openai().responses.create({ model: "demo", input: "count 2" });
    const next = await other
      .openai()
      .responses.create({ model: "demo", input: "recall", previous_response_id: response.id });
    assert.equal(next.output_text, `count 2|${counted(2)}`);
    // The process of an answer is killed: its reader continues in another one.
    const long = await one.post(REQUESTS["ag-ui"]("count 3000 5"));
    const first = await begun(long, 12);
    await sites[0].end();
    const rest = await other.get(long.headers.get("content-location"), idsIn(first).at(-1));
    const { snapshot, report } = folded("ag-ui", first + framesIn(await rest.text()).join(""));
    assert.deepEqual(
      [snapshot.error.code, report.endReason, errorsIn(report)],
      ["AGENT_RUN_INTERRUPTED", "completed", []],
    );
  });
}
