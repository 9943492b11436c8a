// Tasks of A2A in Durable Objects, by the official client: their state after the process was
// killed.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { StreamResponse, Task } from "a2a-sdk-1";
import { killRuntime, openRuns } from "../support/runs_site.mjs";
import { folded, followed, say, stateOf, tasksAt, textOf } from "../support/tasks.mjs";

describe("tasks whose process is killed", () => {
  let site;
  let client;
  let get;
  let settled;
  before(async () => {
    site = await openRuns({ KEEP_ALIVE: "100" }, { runsLimit: 100_000 });
    ({ client, get, settled } = tasksAt(site.url));
  });
  after(() => site?.close());

  test("after a kill, all tasks and their events are available, and the running task has failed", async () => {
    const done = Task.toJSON(await (await client()).sendMessage(say("echo before")));
    const waits = Task.toJSON(await (await client()).sendMessage(say("Delete all files")));
    assert.equal(stateOf(waits), "INPUT_REQUIRED");
    const events = [];
    await assert.rejects(async () => {
      for await (const event of (await client()).sendMessageStream(
        say("a long story", { variant: "long", tokens: 5000, delay: 10 }),
      )) {
        events.push(StreamResponse.toJSON(event));
        if (events.length === 60) killRuntime();
      }
      throw new Error("cut off");
    });
    const { id } = events[0].task;
    const task = await settled(id);
    assert.equal(stateOf(task), "FAILED");
    assert.ok(task.status.message.parts.some(({ data }) => data?.code === "AGENT_RUN_INTERRUPTED"));
    assert.match(task.status.timestamp, /^\d{4}-/);
    const seen = textOf(folded(events));
    assert.ok(seen.length > 100);
    assert.equal(textOf(task).slice(0, seen.length), seen);
    assert.deepEqual(await get(done.id), done);
    await assert.rejects(
      async () => followed((await client()).resubscribeTask({ tenant: "", id })),
      /ended|subscribed/,
    );
    // A task that waited accepts its reply.
    const answered = await followed(
      (await client()).sendMessageStream(
        say("yes", { delay: 0 }, { taskId: waits.id, contextId: waits.contextId }),
      ),
    );
    assert.match(textOf(folded(answered)), /Approved/);
    const { tasks, totalSize } = await (await client()).listTasks({
      tenant: "",
      contextId: waits.contextId,
      pageToken: "",
      status: 0,
    });
    assert.deepEqual([tasks.map(({ id }) => id), totalSize], [[waits.id], 1]);
  });
});
