// Tasks of A2A in Durable Objects, by the official client: they outlive their connection.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { StreamResponse, taskStateToJSON } from "a2a-sdk-1";
import { SignJWT } from "jose";
import { openRuns } from "../support/runs_site.mjs";
import { folded, followed, say, stateOf, tasksAt, textOf } from "../support/tasks.mjs";

const SECRET = "a secret of at least thirty-two bytes";
const tokenOf = (sub, expiration = "1h") =>
  new SignJWT({ sub })
    .setProtectedHeader({ alg: "HS256" })
    .setExpirationTime(expiration)
    .sign(new TextEncoder().encode(SECRET));
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

describe("stored tasks", () => {
  let site;
  let client;
  let get;
  before(async () => {
    site = await openRuns({ KEEP_ALIVE: "100", JWT_SECRET: SECRET }, { runsLimit: 100_000 });
    ({ client, get } = tasksAt(site.url));
  });
  after(() => site?.close());

  test("a task continues without its reader and can be followed by another", async () => {
    // The client does not cancel the body: its connection stays open without a reader.
    const begun = await followed(
      (await client()).sendMessageStream(
        say("a long story", { variant: "long", tokens: 400, delay: 3 }),
      ),
      12,
    );
    const { id } = begun[0].task;
    const events = await followed((await client()).resubscribeTask({ tenant: "", id }));
    assert.equal(events[0].task.id, id);
    assert.equal(stateOf(events.at(-1).statusUpdate), "COMPLETED");
    const task = await get(id);
    assert.equal(stateOf(task), "COMPLETED");
    assert.equal(textOf(folded(events)), textOf(task));
    assert.ok(textOf(task).startsWith(textOf(folded(begun))));
    assert.match(events.at(-1).statusUpdate.status.timestamp, TIMESTAMP);
  });

  test("a running task contains all events that were sent", async () => {
    const stream = (await client()).sendMessageStream(
      say("a long story", { variant: "long", tokens: 300, delay: 5 }),
    );
    const events = [];
    for await (const event of stream) {
      events.push(StreamResponse.toJSON(event));
      if (events.length % 40 === 0) {
        assert.ok(textOf(await get(events[0].task.id)).startsWith(textOf(folded(events))));
      }
    }
    assert.ok(events.length > 100);
  });

  test("a task can be canceled from another connection and repeatedly, but not after it has completed", async () => {
    const task = await (await client()).sendMessage(
      say(
        "a long story",
        { variant: "slow" },
        {},
        { acceptedOutputModes: [], returnImmediately: true },
      ),
    );
    const following = followed((await client()).resubscribeTask({ tenant: "", id: task.id }));
    const canceled = await (await client()).cancelTask({
      tenant: "",
      id: task.id,
      metadata: undefined,
    });
    assert.equal(taskStateToJSON(canceled.status.state), "TASK_STATE_CANCELED");
    assert.equal(stateOf((await following).at(-1).statusUpdate), "CANCELED");
    const again = await (await client()).cancelTask({
      tenant: "",
      id: task.id,
      metadata: undefined,
    });
    assert.equal(taskStateToJSON(again.status.state), "TASK_STATE_CANCELED");
    const { id } = await (await client()).sendMessage(say("echo hi"));
    await assert.rejects(
      async () => (await client()).cancelTask({ tenant: "", id, metadata: undefined }),
      /cannot be canceled/,
    );
  });

  test("JSON-RPC accepts only POST", async () => {
    for (const method of ["GET", "DELETE"]) {
      const { status, headers } = await fetch(`${site.url}/a2a`, { method });
      assert.deepEqual([status, headers.get("allow")], [405, "POST, OPTIONS"]);
    }
  });

  test("tasks are listed in pages, by state, and only for their user", async () => {
    const contextId = crypto.randomUUID();
    const ids = [];
    for (let number = 0; number < 7; number++) {
      ids.unshift(
        (
          await (
            await client()
          ).sendMessage(say(number === 3 ? "reject this" : "echo hi", { delay: 0 }, { contextId }))
        ).id,
      );
    }
    const list = async (more) =>
      (await client()).listTasks({ tenant: "", contextId, pageToken: "", status: 0, ...more });
    const listed = [];
    for (let pageToken = ""; ; ) {
      const page = await list({ pageSize: 3, pageToken });
      listed.push(...page.tasks.map(({ id }) => id));
      assert.equal(page.totalSize, 7);
      if ((pageToken = page.nextPageToken) === "") break;
    }
    assert.deepEqual(listed, ids);
    assert.equal((await list({ status: 7 })).totalSize, 1);
    await assert.rejects(list({ contextId: "" }), /contextId/);
    const rest = (path, token) =>
      fetch(`${site.url}/a2a${path}`, {
        headers: { "a2a-version": "1.0", authorization: `Bearer ${token}` },
      });
    const mine = await tokenOf("ann");
    assert.equal((await rest(`/tasks/${ids[0]}`, mine)).status, 404);
    const post = {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "a2a-version": "1.0",
        authorization: `Bearer ${mine}`,
      },
    };
    const body = JSON.stringify({
      message: { messageId: "m", role: "ROLE_USER", parts: [{ text: "echo mine" }] },
    });
    const { task } = await (await fetch(`${site.url}/a2a/message:send`, { ...post, body })).json();
    // A user's tasks are listed with any token of that user.
    for (const token of [mine, await tokenOf("ann", "2h")]) {
      assert.deepEqual(
        (await (await rest("/tasks", token)).json()).tasks.map(({ id }) => id),
        [task.id],
      );
    }
    assert.equal((await (await rest("/tasks", await tokenOf("eve"))).json()).totalSize, 0);
  });

  test("an invalid token is rejected in the error form of the version", async () => {
    const answers = async (headers) => {
      const post = {
        method: "POST",
        headers: {
          "content-type": "application/json",
          "a2a-version": "1.0",
          authorization: "Bearer anything",
          ...headers,
        },
      };
      const message = { messageId: "m", role: "ROLE_USER", parts: [{ text: "echo mine" }] };
      const call = JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "SendMessage",
        params: { message },
      });
      return [
        await fetch(`${site.url}/a2a`, { ...post, body: call }),
        await fetch(`${site.url}/a2a/message:send`, { ...post, body: JSON.stringify({ message }) }),
      ];
    };
    for (const headers of [
      {},
      { prefer: "resumable" },
      { authorization: "Basic YTpi" },
      { authorization: `Bearer ${await tokenOf("")}` },
    ]) {
      const [rpc, rest] = await answers(headers);
      assert.deepEqual([rpc.status, rest.status], [401, 401]);
      assert.equal((await rpc.json()).error.code, -32600);
      assert.equal((await rest.json()).error.status, "UNAUTHENTICATED");
    }
    // Protocols without tasks ignore it.
    const response = await fetch(`${site.url}/v1/responses`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: "Bearer anything" },
      body: JSON.stringify({ model: "m", input: "echo hi" }),
    });
    assert.equal(response.status, 200);
  });

  test("a message of 500 KB is stored with its answer, and one of more than 4 MiB is refused", async () => {
    const text = "é".repeat(250_000);
    await assert.rejects(
      followed((await client()).sendMessageStream(say(`echo ${text.repeat(9)}`))),
      /at most 4194304 bytes/,
    );
    const events = await followed((await client()).sendMessageStream(say(`echo ${text}`)));
    assert.equal(stateOf(events.at(-1).statusUpdate), "COMPLETED");
    const task = await get(events[0].task.id);
    assert.equal(stateOf(task), "COMPLETED");
    assert.equal(textOf(task).length, text.length);
  });
});
