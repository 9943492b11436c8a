// The worker's stream as others read it: the parser that most TypeScript clients have inside.
import assert from "node:assert/strict";
import { after, before, describe, test } from "./test.mjs";
import { createParser } from "eventsource-parser";
import { openSite } from "./playground.mjs";

describe("eventsource-parser reads the worker's stream", () => {
  let site;
  before(async () => {
    site = await openSite();
  });
  after(() => site?.close());

  for (const demo of ["answer", "failure", "cancel", "incomplete", "reject", "echo"]) {
    test(`${demo}: every frame is one event, and the order is valid`, async () => {
      const { events, comments } = await readAll(site.url, { variant: demo, delay: 0 });
      assert.deepEqual(comments, []);
      assertLegal(events);
    });
  }

  test("heartbeats are parsed as comments", async () => {
    const { events, comments } = await readAll(site.url, {
      variant: "echo",
      delay: 300,
      heartbeat: 100,
    });
    assert.ok(comments.length >= 2, `${comments.length} comments`);
    assert.ok(comments.every((comment) => comment.trim() === "heartbeat"));
    assertLegal(events);
  });
});

async function readAll(url, demo) {
  const response = await fetch(`${url}/process`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      input: [{ role: "user", content: [{ type: "text", text: "echo 杭州 👋" }] }],
      biz_params: { demo },
    }),
  });
  const events = [];
  const comments = [];
  const parser = createParser({
    onEvent({ id, event, data }) {
      assert.deepEqual([id, event], [undefined, undefined]);
      events.push(JSON.parse(data));
    },
    onComment: (comment) => comments.push(comment),
    onRetry: () => assert.fail("a retry field"),
    onError: (error) => assert.fail(error),
  });
  const text = response.body.pipeThrough(new TextDecoderStream());
  for await (const piece of text) {
    parser.feed(piece);
  }
  return { events, comments };
}

/** The rules that a client lives by, written down once more and without our reader. */
function assertLegal(events) {
  const statuses = events.filter(({ object }) => object === "response").map(({ status }) => status);
  assert.deepEqual(statuses.slice(0, 2), ["created", "in_progress"]);
  assert.equal(statuses.length, 3);
  assert.equal(events.at(-1).object, "response");
  assert.ok(
    ["completed", "failed", "canceled", "rejected", "incomplete"].includes(statuses[2]),
    statuses[2],
  );
  const open = new Map();
  const texts = new Map();
  events.forEach((event, at) => {
    const { object, status, sequence_number, delta, msg_id, index } = event;
    assert.equal(sequence_number, at);
    if (object === "message") {
      assert.equal(open.has(event.id), status !== "in_progress", `message ${event.id}`);
      if (status === "in_progress") {
        open.set(event.id, new Set());
      } else {
        open.delete(event.id);
      }
    } else if (object === "content") {
      const place = `${msg_id} ${index}`;
      assert.ok(open.has(msg_id), `content of a message that is not open at ${at}`);
      assert.equal(status, delta ? "in_progress" : "completed");
      if (event.type === "text") {
        if (delta) {
          texts.set(place, (texts.get(place) ?? "") + event.text);
        } else {
          assert.equal(event.text, texts.get(place));
        }
      }
    }
  });
  assert.equal(open.size, 0);
  // Unfinished ones as well: the official page shows only the messages that the last event lists.
  const ended = events
    .filter(({ object, status }) => object === "message" && status !== "in_progress")
    .map(({ id }) => id);
  assert.deepEqual(
    (events.at(-1).output ?? []).map(({ id }) => id),
    ended,
  );
}
