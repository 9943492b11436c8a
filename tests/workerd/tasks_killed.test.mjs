// Tasks of A2A in their Durable Object, by the official client: what is left of them when the process was killed.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Message, StreamResponse, Task } from "a2a-sdk-1";
import { ClientFactory } from "a2a-sdk-1/client";
import { killRuntime, openRuns } from "../support/runs_site.mjs";

describe("tasks whose process is killed", () => {
  let site;
  /** A client of its own for each call: whatever works does so across connections. */
  let client;
  before(async () => {
    site = await openRuns({ KEEP_ALIVE: "100" }, { runsLimit: 100_000 });
    client = () => new ClientFactory().createFromUrl(`${site.url}/`);
  });
  after(() => site?.close());

  let messages = 0;
  const say = (text, demo = { delay: 0 }, ids = {}, configuration = undefined) => ({
    tenant: "",
    message: Message.fromJSON({ messageId: `m${++messages}`, role: "ROLE_USER", parts: [{ text }], ...ids }),
    configuration,
    metadata: { demo },
  });
  const get = async (id) => Task.toJSON(await (await client()).getTask({ tenant: "", id }));
  const textOf = ({ artifacts = [] }) => artifacts.flatMap(({ parts }) => parts).map(({ text = "" }) => text).join("");
  const stateOf = ({ status }) => status.state.replace("TASK_STATE_", "");

  /** Follows a stream; leaves after so many events. */
  async function followed(stream, most = Infinity) {
    const events = [];
    for await (const event of stream) {
      events.push(StreamResponse.toJSON(event));
      if (events.length >= most) break;
    }
    return events;
  }
  /** What a follower has: the artifacts of the task, and what was appended or replaced since. */
  function folded(events) {
    const { id, artifacts = [] } = events.find(({ task }) => task).task;
    const all = new Map(artifacts.map((artifact) => [artifact.artifactId, artifact]));
    for (const { artifactUpdate: update } of events) {
      if (update) {
        const before = update.append ? (all.get(update.artifact.artifactId)?.parts ?? []) : [];
        all.set(update.artifact.artifactId, { ...update.artifact, parts: [...before, ...(update.artifact.parts ?? [])] });
      }
    }
    return { id, artifacts: [...all.values()] };
  }
  async function settled(id) {
    for (const start = Date.now(); Date.now() - start < 60_000; ) {
      const task = await get(id).catch(() => undefined);
      if (task !== undefined && !/SUBMITTED|WORKING/.test(stateOf(task))) return task;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error("the task does not end");
  }

  test("killed in the middle of one task: every task is there, what was seen as well, and the one that worked has failed", { timeout: 60_000 }, async () => {
    const done = Task.toJSON(await (await client()).sendMessage(say("echo before")));
    const waits = Task.toJSON(await (await client()).sendMessage(say("Delete all files")));
    assert.equal(stateOf(waits), "INPUT_REQUIRED");
    const events = [];
    await assert.rejects(async () => {
      for await (const event of (await client()).sendMessageStream(say("a long story", { variant: "long", tokens: 5000, delay: 10 }))) {
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
    await assert.rejects(async () => followed((await client()).resubscribeTask({ tenant: "", id })), /ended|subscribed/);
    // One that waited takes its answer.
    const answered = await followed((await client()).sendMessageStream(say("yes", { delay: 0 }, { taskId: waits.id, contextId: waits.contextId })));
    assert.match(textOf(folded(answered)), /Approved/);
    const { tasks, totalSize } = await (await client()).listTasks({ tenant: "", contextId: waits.contextId, pageToken: "", status: 0 });
    assert.deepEqual([tasks.map(({ id }) => id), totalSize], [[waits.id], 1]);
  });
});
