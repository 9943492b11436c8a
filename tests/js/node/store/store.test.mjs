// A run as a store.
import assert from "node:assert/strict";
import { test } from "node:test";
import { read } from "agentwire";
import { createStreamStore } from "agentwire/store";
import { Events, concat, shortRun } from "../support/events.mjs";
import { answer, settled, until } from "../support/sources.mjs";

const [opening, first, ...rest] = shortRun("Hello");

/** A chunk that arrives when the test releases it. */
function deferred() {
  let release;
  const promise = new Promise((resolve) => (release = resolve));
  return { promise, release };
}

const textOf = ({ snapshot }) => snapshot?.output?.[0]?.content[0]?.text;

/** The states of a store, one for each call of its listener. */
function statesOf(store) {
  const states = [];
  const leave = store.subscribe(() => states.push(store.getSnapshot()));
  return { states, leave };
}

test("a run is idle until the first subscription, and then sending, streaming and done", async () => {
  const { promise, release } = deferred();
  let asked = 0;
  const store = createStreamStore(() => {
    asked++;
    return read(answer([opening, first, promise]).response, { protocol: "agent-api" });
  });
  assert.equal(store.getSnapshot().status, "idle");
  assert.equal(asked, 0);
  const { states } = statesOf(store);
  assert.equal(store.getSnapshot().status, "sending");
  await until(() => store.getSnapshot().status === "streaming");
  await until(() => textOf(store.getSnapshot()) !== undefined);
  assert.equal(textOf(store.getSnapshot()), "He");
  assert.equal(store.getSnapshot(), store.getSnapshot());
  release(concat(rest));
  const state = await store.finished();
  assert.equal(state, store.getSnapshot());
  assert.deepEqual(
    [state.status, textOf(state), state.error, state.report.endReason],
    ["done", "Hello", undefined, "completed"],
  );
  assert.deepEqual(
    [...new Set(states.map(({ status }) => status))],
    ["sending", "streaming", "done"],
  );
  assert.equal(states.at(-1), state);
  assert.equal(asked, 1);
  assert.equal(store.getServerSnapshot().status, "idle");
});

test("changes between two frames are notified once, and the end immediately", async () => {
  const frames = [];
  const cancelled = [];
  globalThis.document = { visibilityState: "visible" };
  globalThis.requestAnimationFrame = (work) => frames.push(work);
  globalThis.cancelAnimationFrame = (frame) => cancelled.push(frame);
  try {
    const { promise, release } = deferred();
    const events = new Events();
    const pieces = Array.from({ length: 50 }, (_, at) => events.text("m", 0, `${at} `));
    const { response, log } = answer([opening, ...pieces, promise]);
    const store = createStreamStore(read(response, { protocol: "agent-api" }));
    const { states } = statesOf(store);
    await until(() => log.pulled === 51);
    await settled();
    assert.deepEqual([states.length, frames.length], [1, 1]);
    frames[0]();
    assert.equal(states.length, 2);
    assert.match(textOf(states[1]), /^0 1 .* 49 $/);
    release(
      concat([
        events.text("m", 0, "last"),
        events.message("m", "completed"),
        events.response("completed"),
      ]),
    );
    const { status } = await store.finished();
    // No frame was drawn since.
    assert.deepEqual([status, states.length, states[2].status], ["done", 3, "done"]);
    assert.match(textOf(states[2]), /last$/);
    assert.deepEqual(cancelled.at(-1), frames.length);
  } finally {
    delete globalThis.document;
    delete globalThis.requestAnimationFrame;
    delete globalThis.cancelAnimationFrame;
  }
});

test("frames without a page, as in a worker, are not waited for", async () => {
  globalThis.requestAnimationFrame = () => {};
  try {
    const store = createStreamStore(
      read(answer([opening, first, "never"]).response, { protocol: "agent-api" }),
    );
    const { leave } = statesOf(store);
    await until(() => textOf(store.getSnapshot()) === "He");
    leave();
  } finally {
    delete globalThis.requestAnimationFrame;
  }
});

test("a state does not change, and unchanged parts keep their identity", async () => {
  const events = new Events();
  const call = (arguments_) =>
    events.data("c", 0, { call_id: "1", name: "f", arguments: arguments_ });
  const [one, two] = [deferred(), deferred()];
  const chunks = [
    concat([
      events.opening("c"),
      events.message("c", "in_progress", { type: "plugin_call" }),
      call('{"a"'),
    ]),
    one.promise.then(() => call(":1}")),
    two.promise.then(() => concat([events.message("n", "in_progress"), events.text("n", 0, "x")])),
    "never",
  ];
  const store = createStreamStore(read(answer(chunks).response, { protocol: "agent-api" }));
  store.start();
  await until(() => store.getSnapshot().toolCalls.length === 1);
  const before = store.getSnapshot();
  assert.deepEqual(
    [before.toolCalls[0].argumentsText, before.toolCalls[0].state],
    ['{"a"', "streaming"],
  );
  one.release();
  await until(() => store.getSnapshot() !== before);
  const after = store.getSnapshot();
  assert.notEqual(after, before);
  assert.equal(before.toolCalls[0].argumentsText, '{"a"');
  assert.deepEqual(after.toolCalls[0].partialArguments, { a: 1 });
  two.release();
  await until(() => store.getSnapshot() !== after);
  const last = store.getSnapshot();
  assert.notEqual(last, after);
  assert.equal(last.toolCalls, after.toolCalls);
  assert.equal(last.snapshot.output[0], after.snapshot.output[0]);
  await store[Symbol.asyncDispose]();
});

test("stop() keeps the snapshot and cancels the body", async () => {
  const { response, log } = answer([opening, first, "never"]);
  const store = createStreamStore((signal) => {
    assert.ok(signal instanceof AbortSignal);
    return read(response, { protocol: "agent-api" });
  });
  store.start();
  await until(() => textOf(store.getSnapshot()) === "He");
  store.stop("enough");
  const state = await store.finished();
  assert.deepEqual(
    [state.status, textOf(state), state.report.endReason],
    ["stopped", "He", "aborted"],
  );
  await settled();
  assert.equal(log.canceled.reason, "enough");
});

test("stop() is possible before the response arrives", async () => {
  const { response, log } = answer([opening, "never"]);
  const { promise, release } = deferred();
  const store = createStreamStore(() => promise);
  store.start();
  store.stop();
  assert.equal(store.getSnapshot().status, "stopped");
  release(read(response, { protocol: "agent-api" }));
  await settled();
  assert.notEqual(log.canceled, undefined);
  assert.equal((await store.finished()).status, "stopped");
});

test("the run is stopped when the last subscriber leaves, unless it subscribes again immediately or `keepAlive` is set", async () => {
  for (const [keep, back, status] of [
    [false, false, "stopped"],
    [false, true, "streaming"],
    [true, false, "streaming"],
  ]) {
    let asked = 0;
    const store = createStreamStore(
      () => {
        asked++;
        return read(answer([opening, first, "never"]).response, { protocol: "agent-api" });
      },
      { keepAlive: keep },
    );
    const { leave } = statesOf(store);
    leave();
    leave();
    const again = back ? statesOf(store) : undefined;
    await until(() => store.getSnapshot().status === status);
    await settled();
    assert.deepEqual(
      [store.getSnapshot().status, asked],
      [status, 1],
      `keep: ${keep}, back: ${back}`,
    );
    assert.equal(store.getSnapshot().status, status);
    again?.leave();
    await store[Symbol.asyncDispose]();
    assert.equal(store.getSnapshot().status, "stopped");
  }
});

test("a request is repeated only by retry()", async () => {
  const answers = [new Response("busy", { status: 503 }), answer(shortRun("Hello")).response];
  let asked = 0;
  const store = createStreamStore(() => read(answers[asked++], { protocol: "agent-api" }));
  const { leave } = statesOf(store);
  assert.equal(store.retry(), false);
  const failed = await store.finished();
  assert.deepEqual(
    [failed.status, failed.error.code, failed.error.cause.status, asked],
    ["failed", "http-status", 503, 1],
  );
  leave();
  statesOf(store);
  await settled();
  assert.equal(asked, 1);
  assert.deepEqual([store.retry(), store.retry()], [true, false], "a second click");
  assert.deepEqual([store.getSnapshot().status, store.getSnapshot().error], ["sending", undefined]);
  assert.deepEqual([(await store.finished()).status, asked], ["done", 2]);
});

test("retry() is possible immediately after abort()", async () => {
  const held = () =>
    read(answer([...shortRun("Hello").slice(0, 3), "never"]).response, { protocol: "agent-api" });
  const runs = [
    held,
    held,
    () => read(answer(shortRun("Again")).response, { protocol: "agent-api" }),
  ];
  let asked = 0;
  const store = createStreamStore(() => runs[asked++]());
  const { states } = statesOf(store);
  await until(() => store.getSnapshot().status === "streaming");
  store.stop();
  assert.deepEqual([store.retry(), store.retry()], [true, false]);
  await until(() => asked === 2 && store.getSnapshot().status === "streaming");
  store.stop();
  store.retry();
  store.stop();
  assert.equal((await store.finished()).status, "stopped");
  await settled();
  assert.equal(asked, 2);
  store.retry();
  const last = await store.finished();
  assert.deepEqual([last.status, textOf(last), asked], ["done", "Again", 3]);
  assert.equal(states.at(-1), last);
});

test("a store of an existing run cannot be retried", async () => {
  const store = createStreamStore(
    read(answer(shortRun("Hello")).response, { protocol: "agent-api" }),
  );
  store.start();
  await store.finished();
  assert.equal(store.retry(), false);
  assert.equal(store.getSnapshot().status, "done");
});

test("a listener that throws does not stop the other listeners", async () => {
  const thrown = [];
  const listen = process.listeners("uncaughtException");
  process.removeAllListeners("uncaughtException");
  process.on("uncaughtException", (error) => thrown.push(error.message));
  try {
    const store = createStreamStore(() =>
      read(answer(shortRun()).response, { protocol: "agent-api" }),
    );
    store.subscribe(() => {
      throw new Error("a page's mistake");
    });
    const { states } = statesOf(store);
    await store.finished();
    await settled();
    assert.equal(states.at(-1).status, "done");
    assert.ok(thrown.length > 0 && thrown.every((message) => message === "a page's mistake"));
  } finally {
    process.removeAllListeners("uncaughtException");
    listen.forEach((listener) => process.on("uncaughtException", listener));
  }
});
