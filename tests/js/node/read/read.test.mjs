import assert from "node:assert/strict";
import { test } from "node:test";
import { AgentwireError, ConnectionError, read } from "agentwire";
import { Events, concat, shortRun } from "../support/events.mjs";
import { answer, body, settled, updatesOf } from "../support/sources.mjs";

const coded = (code) => (error) => error instanceof AgentwireError && error.code === code;
const textOf = (response) => response.output[0]?.content[0]?.text;

test("there is one update per network chunk", async () => {
  const chunks = shortRun();
  const { response } = answer([concat(chunks.slice(0, 3)), concat(chunks.slice(3))]);
  const run = read(response, { protocol: "agent-api" });
  const texts = [];
  for await (const { snapshot, isFinal } of run) {
    texts.push([textOf(snapshot), isFinal]);
  }
  assert.deepEqual(texts, [
    ["Hello", false],
    ["Hello", true],
  ]);
  const { snapshot: answered, toolCalls, report } = await run.finished();
  assert.equal(answered.status, "completed");
  assert.deepEqual(toolCalls, []);
  assert.equal(report.endReason, "completed");
});

test("every kind of source is read", async () => {
  async function* generator() {
    yield* shortRun();
  }
  const sources = {
    response: answer(shortRun()).response,
    "response without a content type": answer(shortRun(), { contentType: null }).response,
    "promise of a response": Promise.resolve(answer(shortRun()).response),
    stream: body(shortRun()).stream,
    "async iterable": generator(),
    "async iterable of an object": { [Symbol.asyncIterator]: generator },
  };
  for (const [name, source] of Object.entries(sources)) {
    const { snapshot: response, report } = await read(source, { protocol: "agent-api" }).finished();
    assert.equal(textOf(response), "Hello", name);
    assert.equal(report.endReason, "completed", name);
  }
});

test("a response without a body is an empty stream", async () => {
  const { report } = await read(new Response(null, { status: 204 }), {
    protocol: "agent-api",
  }).finished();
  assert.equal(report.endReason, "truncated");
});

test("nothing is read before the run is consumed", async () => {
  const { stream, log } = body(shortRun());
  const run = read(stream, { protocol: "agent-api" });
  await settled();
  assert.equal(log.pulled, 0);
  await run.finished();
  assert.equal(log.pulled, 6);
});

test("nothing is read ahead of the loop", async () => {
  const { stream, log } = body(shortRun());
  let turn = 0;
  for await (const _ of read(stream, { protocol: "agent-api" })) {
    await settled();
    assert.equal(log.pulled, ++turn);
  }
});

test("finished() may be called before the loop", async () => {
  const run = read(body(shortRun()).stream, { protocol: "agent-api" });
  const done = run.finished();
  assert.equal((await updatesOf(run)).length, 6);
  assert.equal((await done).report.endReason, "completed");
});

test("a run can be iterated once", async () => {
  const run = read(body(shortRun()).stream, { protocol: "agent-api" });
  await updatesOf(run);
  assert.throws(() => run[Symbol.asyncIterator](), coded("consumed"));
  const other = read(body(shortRun()).stream, { protocol: "agent-api" });
  await other.finished();
  assert.throws(() => other[Symbol.asyncIterator](), coded("consumed"));
});

test("normal completion releases the body and does not cancel it", async () => {
  const { stream, log } = body(shortRun());
  await read(stream, { protocol: "agent-api" }).finished();
  assert.equal(log.canceled, undefined);
  assert.equal(stream.locked, false);
});

test("a truncated stream ends with an update that reports the violations", async () => {
  const updates = await updatesOf(
    read(body(shortRun().slice(0, 3)).stream, { protocol: "agent-api" }),
  );
  assert.equal(updates.length, 4);
  assert.equal(updates[3].snapshot.status, "incomplete");
  assert.deepEqual(updates[3].violations.map(({ rule }) => rule).sort(), [
    "message-not-ended",
    "no-terminal",
  ]);
});

test("a broken connection throws an error with the outcome so far", async () => {
  const cause = new TypeError("terminated");
  const run = read(body([...shortRun().slice(0, 2), cause]).stream, { protocol: "agent-api" });
  const updates = [];
  await assert.rejects(
    async () => {
      for await (const update of run) {
        updates.push(update);
      }
    },
    (error) =>
      error instanceof ConnectionError && error.code === "connection-lost" && error.cause === cause,
  );
  assert.equal(updates.length, 2);
  const error = await run.finished().catch((error) => error);
  assert.equal(textOf(error.outcome.snapshot), "He");
  assert.equal(error.outcome.report.endReason, "truncated");
});

test("a failed request throws a ConnectionError", async () => {
  await assert.rejects(
    read(Promise.reject(new TypeError("fetch failed")), { protocol: "agent-api" }).finished(),
    ConnectionError,
  );
});

test("a connection that breaks after the terminal event is not an error", async () => {
  const run = read(body([...shortRun(), new TypeError("terminated")]).stream, {
    protocol: "agent-api",
  });
  assert.equal((await run.finished()).report.endReason, "completed");
});

test("a connection that stays open after the terminal event is closed after `drainMs`", async () => {
  const { stream, log } = body([...shortRun(), "never"]);
  const run = read(stream, { protocol: "agent-api", drainMs: 20 });
  const updates = await updatesOf(run);
  assert.ok(updates.at(-1).isFinal);
  assert.equal((await run.finished()).report.endReason, "completed");
  assert.ok(log.canceled);
});

test("events after the terminal event are reported as violations", async () => {
  const events = new Events();
  const chunks = [events.opening(), events.end([]), events.text("m", 0, "late")];
  const { report } = await read(body(chunks).stream, { protocol: "agent-api" }).finished();
  assert.equal(report.counts["after-terminal"], 1);
  assert.equal(report.endReason, "completed");
});

test("errors of unread runs are not unhandled rejections", async () => {
  const unhandled = [];
  const note = (reason) => unhandled.push(reason);
  process.on("unhandledRejection", note);
  const cause = new TypeError("terminated");
  await assert.rejects(updatesOf(read(body([cause]).stream, { protocol: "agent-api" })));
  await assert.rejects(updatesOf(read(Promise.reject(cause), { protocol: "agent-api" })));
  void read(body([cause]).stream, { protocol: "agent-api" }).finished();
  void read(answer([], { status: 500 }).response, { protocol: "agent-api" }).finished();
  void read(body([cause]).stream, { protocol: "agent-api" }).cancel();
  await settled();
  process.off("unhandledRejection", note);
  assert.deepEqual(unhandled, []);
});

test("a body that is used or locked is rejected", async () => {
  const { response } = answer(shortRun());
  await response.text();
  await assert.rejects(read(response, { protocol: "agent-api" }).finished(), coded("body-used"));
  const { stream } = body(shortRun());
  stream.getReader();
  await assert.rejects(read(stream, { protocol: "agent-api" }).finished(), coded("body-used"));
});

test("chunks that are not bytes are rejected, and the body is canceled", async () => {
  const { stream, log } = body(["data: {}\n\n"]);
  await assert.rejects(read(stream, { protocol: "agent-api" }).finished(), coded("wrong-chunk"));
  assert.ok(log.canceled);
});

test("invalid arguments throw synchronously", () => {
  assert.throws(() => read(), coded("wrong-source"));
  assert.throws(() => read("data: {}", { protocol: "agent-api" }), coded("wrong-source"));
  assert.throws(
    () => read(body([]).stream, { protocol: "agent-api", mode: "loose" }),
    coded("wrong-option"),
  );
});
