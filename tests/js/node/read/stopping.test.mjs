// Reading that ends before the stream does.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ConnectionError, defineProtocol, read } from "agentwire";
import { shortRun } from "../support/events.mjs";
import { answer, body, settled, updatesOf } from "../support/sources.mjs";

const textOf = (response) => response.output[0]?.content[0]?.text;

test("leaving the loop cancels the body and ends the run as aborted", async () => {
  const { stream, log } = body(shortRun());
  const run = read(stream, { protocol: "agent-api" });
  for await (const update of run) {
    if (textOf(update.snapshot) === "He") {
      break;
    }
  }
  assert.ok(log.canceled);
  const { snapshot: response, report } = await run.finished();
  assert.equal(report.endReason, "aborted");
  assert.equal(textOf(response), "He");
});

test("an exception in the loop cancels the body and is rethrown", async () => {
  const { stream, log } = body(shortRun());
  const run = read(stream, { protocol: "agent-api" });
  await assert.rejects(async () => {
    for await (const update of run) {
      throw new Error(`mine, after ${update.snapshot.output.length}`);
    }
  }, /mine, after 1/);
  assert.ok(log.canceled);
  assert.equal((await run.finished()).report.endReason, "aborted");
});

test("an abort interrupts a pending read", async () => {
  const { stream, log } = body([...shortRun().slice(0, 2), "never"]);
  const controller = new AbortController();
  const run = read(stream, { protocol: "agent-api", signal: controller.signal });
  const updates = updatesOf(run);
  await settled();
  controller.abort(new Error("stop"));
  const all = await updates;
  assert.equal(all.length, 3);
  assert.equal(all[2].snapshot.status, "canceled");
  assert.equal(log.canceled.reason.message, "stop");
  const { snapshot: response, report } = await run.finished();
  assert.equal(report.endReason, "aborted");
  assert.equal(textOf(response), "He");
});

test("an abort ends the run also without a loop, and before anything was read", async () => {
  for (const consume of [true, false]) {
    const { stream, log } = body([shortRun()[0], "never"]);
    const controller = new AbortController();
    const run = read(stream, { protocol: "agent-api", signal: controller.signal });
    const early = consume ? run.finished() : undefined;
    await settled();
    controller.abort();
    assert.equal((await (early ?? run.finished())).report.endReason, "aborted");
    await settled();
    assert.ok(log.canceled);
  }
});

test("an aborted signal ends the run immediately", async () => {
  const { stream, log } = body(shortRun());
  const run = read(stream, { protocol: "agent-api", signal: AbortSignal.abort() });
  assert.deepEqual((await run.finished()).snapshot.output, []);
  await settled();
  assert.ok(log.canceled);
  assert.equal(log.pulled, 0);
});

test("an abort before the response arrives ends the run, and the late response is canceled", async () => {
  let respond;
  const { response, log } = answer(shortRun());
  const controller = new AbortController();
  const run = read(new Promise((resolve) => (respond = resolve)), {
    protocol: "agent-api",
    signal: controller.signal,
  });
  const updates = updatesOf(run);
  await settled();
  controller.abort();
  assert.equal((await run.finished()).report.endReason, "aborted");
  await updates;
  respond(response);
  await settled();
  assert.ok(log.canceled);
});

test("an AbortError of the request ends the run as aborted", async () => {
  const aborted = Object.assign(new Error("aborted"), { name: "AbortError" });
  const run = read(body([shortRun()[0], aborted]).stream, { protocol: "agent-api" });
  assert.equal((await run.finished()).report.endReason, "aborted");
  assert.equal(
    (await read(Promise.reject(aborted), { protocol: "agent-api" }).finished()).report.endReason,
    "aborted",
  );
});

test("an abort after the end changes nothing", async () => {
  const controller = new AbortController();
  const run = read(body(shortRun()).stream, { protocol: "agent-api", signal: controller.signal });
  const outcome = await run.finished();
  controller.abort();
  assert.equal(await run.finished(), outcome);
  assert.equal(outcome.report.endReason, "completed");
});

test("an abort closes the connection while the loop is busy", async () => {
  const { stream, log } = body(shortRun());
  const controller = new AbortController();
  const run = read(stream, { protocol: "agent-api", signal: controller.signal });
  for await (const update of run) {
    if (update.isFinal || log.canceled) {
      continue;
    }
    controller.abort();
    assert.ok(log.canceled);
    assert.equal((await run.finished()).report.endReason, "aborted");
  }
});

test("cancel() stops the run and resolves to the outcome so far", async () => {
  const { stream, log } = body([...shortRun().slice(0, 2), "never"]);
  const run = read(stream, { protocol: "agent-api" });
  const updates = updatesOf(run);
  await settled();
  const { snapshot: response, report } = await run.cancel("enough");
  assert.equal(report.endReason, "aborted");
  assert.equal(textOf(response), "He");
  assert.equal(log.canceled.reason, "enough");
  assert.equal((await updates).length, 3);
  assert.equal((await run.cancel()).report, report);
});

test("cancel() before the first read cancels the body", async () => {
  const { stream, log } = body(shortRun());
  const { report } = await read(stream, { protocol: "agent-api" }).cancel();
  assert.equal(report.endReason, "aborted");
  await settled();
  assert.ok(log.canceled);
});

test("the return() method of an async iterable is called", async () => {
  let returned = 0;
  async function* source() {
    try {
      yield* shortRun();
    } finally {
      returned++;
    }
  }
  for await (const _ of read(source(), { protocol: "agent-api" })) {
    break;
  }
  await settled();
  assert.equal(returned, 1);
});

test("a finished run removes its listeners from the signal", async () => {
  let listeners = 0;
  const signal = new EventTarget();
  signal.aborted = false;
  for (const [name, step] of [
    ["addEventListener", 1],
    ["removeEventListener", -1],
  ]) {
    const original = signal[name];
    signal[name] = (...call) => {
      listeners += step;
      return original.apply(signal, call);
    };
  }
  await read(body(shortRun()).stream, { protocol: "agent-api", signal }).finished();
  assert.equal(listeners, 0);
});

test("a run that ends before its loop begins yields its last update to the loop", async () => {
  for (const stop of ["before", "by its signal", "by cancel"]) {
    const { stream, log } = body(shortRun());
    const controller = new AbortController();
    if (stop === "before") {
      controller.abort();
    }
    const run = read(stream, { protocol: "agent-api", signal: controller.signal });
    if (stop === "by its signal") {
      controller.abort();
    } else if (stop === "by cancel") {
      void run.cancel();
    }
    await settled();
    const updates = await updatesOf(run);
    assert.deepEqual(
      updates.map(({ snapshot }) => snapshot.status),
      ["canceled"],
      stop,
    );
    assert.equal((await run.finished()).report.endReason, "aborted");
    assert.equal(log.pulled, 0);
    assert.ok(log.canceled);
    assert.throws(() => run[Symbol.asyncIterator](), { code: "consumed" });
  }
});

test("the error of a response that fails before it is read is thrown to the reader", async () => {
  const unhandled = [];
  const note = (error) => unhandled.push(error);
  process.on("unhandledRejection", note);
  try {
    for (const look of [updatesOf, (run) => run.finished()]) {
      const run = read(Promise.reject(new TypeError("fetch failed")), { protocol: "agent-api" });
      await settled();
      await assert.rejects(
        look(run),
        (error) => error instanceof ConnectionError && error.cause.message === "fetch failed",
      );
      await assert.rejects(run.finished(), ConnectionError);
    }
    // The result of this run is never read.
    read(Promise.reject(new TypeError("fetch failed")), { protocol: "agent-api" });
    await settled();
    assert.deepEqual(unhandled, []);
  } finally {
    process.off("unhandledRejection", note);
  }
});

test("an exception of a custom protocol is not reported as a broken connection", async () => {
  const mine = new Error("mine");
  const protocol = defineProtocol({
    name: "broken",
    decode() {
      throw mine;
    },
  });
  const { stream, log } = body([new TextEncoder().encode("line\n"), "never"]);
  const run = read(stream, { protocol });
  const its = (error) => error.cause === mine && !(error instanceof ConnectionError);
  await assert.rejects(updatesOf(run), its);
  await assert.rejects(run.finished(), its);
  assert.ok(log.canceled);
});
