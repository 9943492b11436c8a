// How long and how many responses and tasks are stored, and how many tasks may be started.
import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { ClientFactory as ClientFactory03 } from "a2a-sdk-0/client";
import OpenAI from "openai";
import { limitPeriod, openRuns } from "../support/runs_site.mjs";
import { say, stateOf, tasksAt } from "../support/tasks.mjs";
import { until } from "../support/until.mjs";

/** Milliseconds of a day. */
const DAY = 24 * 3600 * 1000;

describe("limits of stored responses and tasks", () => {
  const sites = [];
  after(() => Promise.all(sites.map((site) => site.close())));
  async function open(vars, runsLimit = 100_000) {
    const site = await openRuns({ KEEP_ALIVE: "100", ...vars }, { runsLimit });
    sites.push(site);
    return site;
  }
  const body = (text) =>
    JSON.stringify({ message: { messageId: "m", role: "ROLE_USER", parts: [{ text }] } });

  test("ANSWER_DAYS: a stored response is deleted after its end, and not while it runs", async () => {
    const life = 2000;
    const { url } = await open({ ANSWER_DAYS: String(life / DAY) });
    const client = new OpenAI({ apiKey: "unused", baseURL: `${url}/v1`, maxRetries: 0 });
    const slow = await client.responses.create({
      model: "demo",
      input: "a slow story",
      background: true,
      metadata: { demo: "slow" },
    });
    const { id } = await client.responses.create({ model: "demo", input: "echo hi" });
    const begun = Date.now();
    assert.equal((await client.responses.retrieve(id)).output_text, "hi");
    const asked = JSON.stringify({
      conversationId: "c",
      messages: [{ role: "user", content: "echo hi" }],
    });
    const answer = await fetch(`${url}/send-message`, {
      method: "POST",
      headers: { "content-type": "application/json", prefer: "resumable" },
      body: asked,
    });
    await answer.text();
    const where = url + answer.headers.get("content-location");
    assert.equal((await fetch(where)).status, 200);
    await until(() =>
      client.responses.retrieve(id).then(
        () => false,
        ({ status }) => status === 404,
      ),
    );
    assert.ok(Date.now() - begun > life / 2);
    await until(async () => (await fetch(where)).status === 404);
    const going = await client.responses.retrieve(slow.id);
    assert.equal(going.status, "in_progress", "an active run is not deleted");
    await client.responses.cancel(slow.id);
    await until(() =>
      client.responses.retrieve(slow.id).then(
        () => false,
        ({ status }) => status === 404,
      ),
    );
  });

  test("TASK_DAYS: a task is deleted when it has not changed for that time", async () => {
    const life = 2000;
    const { url } = await open({ TASK_DAYS: String(life / DAY) });
    const { client, get } = tasksAt(url);
    const begun = Date.now();
    const { id, contextId } = await (await client()).sendMessage(say("echo hi"));
    assert.equal(stateOf(await get(id)), "COMPLETED");
    await until(() =>
      get(id).then(
        () => false,
        (error) => /not found/i.test(error.message) || assert.fail(error),
      ),
    );
    assert.ok(Date.now() - begun > life);
    const { totalSize } = await (await client()).listTasks({
      tenant: "",
      contextId,
      pageToken: "",
      status: 0,
    });
    assert.equal(totalSize, 0);
  });

  test("TASKS_KEPT: the least recently changed tasks are deleted first, and running ones are kept", async () => {
    const { url } = await open({ TASKS_KEPT: "3" });
    const post = {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "a2a-version": "1.0",
        authorization: "Bearer demo",
      },
    };
    const get = async (path) =>
      (await fetch(`${url}/a2a${path}`, { headers: post.headers })).json();
    const sent = async (text) =>
      (await (await fetch(`${url}/a2a/message:send`, { ...post, body: body(text) })).json()).task
        .id;
    const working = await fetch(`${url}/a2a/message:stream`, {
      ...post,
      body: body("a slow story"),
    });
    const reader = working.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    // A comment may precede the first event.
    while (!/^data: .*\n\n/m.test(text)) text += (await reader.read()).value;
    const { id: first } = JSON.parse(/^data: (.*)$/m.exec(text)[1]).task;
    const ids = [];
    for (let number = 0; number < 5; number++) ids.unshift(await sent("echo hi"));
    const { tasks, totalSize } = await get("/tasks");
    assert.deepEqual(
      tasks.map(({ id }) => id),
      [...ids.slice(0, 3), first],
    );
    assert.equal(totalSize, 4);
    assert.equal((await get(`/tasks/${ids[4]}`)).error.code, 404);
    await reader.cancel();
    await fetch(`${url}/a2a/tasks/${first}:cancel`, post);
  });

  test("the number of new tasks per period is limited, with `retry-after` and the error form of the version", async () => {
    const { url } = await open({}, 2);
    await limitPeriod();
    const { client, get } = tasksAt(url);
    const { id } = await (await client()).sendMessage(say("echo one"));
    await (await client()).sendMessage(say("echo two"));
    const message = "too many requests of this kind (answer) in a short time";
    const pattern = /too many requests of this kind \(answer\)/;
    await assert.rejects(async () => (await client()).sendMessage(say("echo three")), pattern);
    await assert.rejects(async () => {
      for await (const event of (await client()).sendMessageStream(say("echo three"))) void event;
    }, pattern);
    const old = await new ClientFactory03().createFromUrl(`${url}/`);
    const said = {
      kind: "message",
      messageId: "m",
      role: "user",
      parts: [{ kind: "text", text: "echo" }],
    };
    await assert.rejects(old.sendMessage({ message: said }), pattern);
    const post = (path, body) =>
      fetch(url + path, { method: "POST", headers: { "content-type": "application/json" }, body });
    const call = (method) =>
      JSON.stringify({ jsonrpc: "2.0", id: "mine", method, params: JSON.parse(body("echo")) });
    for (const [answer, expected] of [
      [
        await post("/a2a", call("SendMessage")),
        { jsonrpc: "2.0", id: "mine", error: { code: -32000, message } },
      ],
      [
        await post("/a2a", call("message/stream")),
        { jsonrpc: "2.0", id: "mine", error: { code: -32000, message } },
      ],
      [
        await post("/a2a/message:send", body("echo")),
        { error: { code: 429, status: "RESOURCE_EXHAUSTED", message, details: [] } },
      ],
      [
        await post(
          "/a2a/v1/message:stream",
          JSON.stringify({
            message: { messageId: "m", role: "ROLE_USER", content: [{ text: "echo" }] },
          }),
        ),
        { code: -32000, message },
      ],
    ]) {
      assert.deepEqual([answer.status, answer.headers.get("retry-after")], [429, "10"]);
      assert.deepEqual(await answer.json(), expected);
    }
    // Requests that start no task are not limited.
    assert.equal(stateOf(await get(id)), "COMPLETED");
    assert.equal((await post("/a2a", "no JSON")).status, 200);
  });
});
