// REST of A2A 0.3, by its official client.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { ClientFactory as Factory03, RestTransportFactory as Rest03 } from "a2a-sdk-0/client";
import { openRuns } from "../support/runs_site.mjs";

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

describe("REST of A2A 0.3", () => {
  let site;
  let messages = 0;
  before(async () => {
    site = await openRuns({ KEEP_ALIVE: "100" }, { runsLimit: 100_000 });
  });
  after(() => site?.close());

  /** All events of a stream of the 0.3 client. */
  async function all(stream) {
    const events = [];
    for await (const event of stream) events.push(event);
    return events;
  }

  test("the official client of 0.3 sends, streams, retrieves and cancels tasks", async () => {
    const factory = new Factory03({
      transports: [new Rest03()],
      preferredTransports: ["HTTP+JSON"],
    });
    const old = await factory.createFromUrl(site.url);
    const said = (text, demo = { delay: 0 }, ids = {}) => ({
      message: {
        kind: "message",
        messageId: `m${++messages}`,
        role: "user",
        parts: [{ kind: "text", text }],
        ...ids,
      },
      metadata: { demo },
    });
    const events = await all(old.sendMessageStream(said("Weather in Paris?")));
    assert.deepEqual(
      [events[0].kind, events.at(-1).kind, events.at(-1).status.state, events.at(-1).final],
      ["task", "status-update", "completed", true],
    );
    assert.match(events.at(-1).status.timestamp, TIMESTAMP);
    const { id } = events[0];
    const task = await old.getTask({ id });
    const parts = task.artifacts.flatMap(({ parts }) => parts);
    assert.match(parts.find(({ text }) => text?.startsWith("Paris")).text, /^Paris现在/);
    assert.ok(parts.some(({ kind, data }) => kind === "data" && data.name === "get_weather"));
    assert.ok(parts.some(({ kind, file }) => kind === "file" && file.mimeType === "image/svg+xml"));
    assert.equal(task.history[0].parts[0].text, "Weather in Paris?");
    const whole = await old.sendMessage(said("echo hi"));
    assert.deepEqual(
      [whole.kind, whole.status.state, whole.artifacts[0].parts[0].text],
      ["task", "completed", "hi"],
    );
    const asked = await old.sendMessage(said("Delete all files"));
    assert.equal(asked.status.state, "input-required");
    const answered = await all(
      old.sendMessageStream(
        said("yes", { delay: 0 }, { taskId: asked.id, contextId: asked.contextId }),
      ),
    );
    assert.ok(
      answered.some(({ artifact }) =>
        artifact?.parts.some(({ text }) => text?.startsWith("Approved")),
      ),
    );
    const slow = old.sendMessageStream(said("a long story", { variant: "slow" }));
    const { value: begun } = await slow.next();
    const subscription = old.resubscribeTask({ id: begun.id });
    // The first event shows that the subscription is open: a task that has ended has none.
    await subscription.next();
    const following = all(subscription);
    assert.equal((await old.cancelTask({ id: begun.id })).status.state, "canceled");
    assert.deepEqual(
      [(await following).at(-1).status.state, (await all(slow)).at(-1).status.state],
      ["canceled", "canceled"],
    );
    await assert.rejects(old.getTask({ id: "nobody" }), { name: "TaskNotFoundError" });
    await assert.rejects(old.cancelTask({ id }), { name: "TaskNotCancelableError" });
    const config = { taskId: id, pushNotificationConfig: { id: "p", url: "https://example.com" } };
    await assert.rejects(async () => old.setTaskPushNotificationConfig(config), /push/i);
  });
});
