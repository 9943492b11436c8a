// Agents that do not wait, and agents that do not stop: the driver stores their events, and ends
// their run.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  EventScript,
  RunDriver,
  RunFollowers,
  ThreadLog,
  memoryStore,
  newRun,
} from "../../support/runs_modules.mjs";

/** Drives a run whose events are stored in memory. */
async function drive(agent, { timeout = 60_000, onBatch = () => {}, append } = {}) {
  const store = new ThreadLog(memoryStore(), "t");
  await store.addRun(newRun("r"));
  if (append !== undefined) {
    store.append = append;
  }
  const script = {
    isOver: false,
    append(data) {
      this.isOver = data.startsWith("end");
      return "event";
    },
    ending: (failure) => [`end ${failure?.code ?? "of its own"}`],
    free: () => {},
  };
  const followers = { published: (entries) => onBatch(entries, driver) };
  const driver = new RunDriver({ store, followers, runId: "r", script, onError: () => {} });
  await driver.drive(agent, timeout);
  return (await store.read("r", 0, Infinity, Infinity)).map(({ data }) => data);
}

async function* endless() {
  for (let number = 0; ; number++) yield `event ${number}`;
}

describe("an agent that never waits", { concurrency: true }, () => {
  test("does not block timers between its batches", async () => {
    let ticks = 0;
    const timer = setInterval(() => ticks++, 1);
    const stored = await drive(async function* () {
      for (let number = 0; number < 128 * 50; number++) yield `event ${number}`;
      yield "end";
    });
    clearInterval(timer);
    assert.equal(stored.length, 128 * 50 + 1);
    assert.ok(ticks > 5, `${ticks} ticks`);
  });

  test("is stopped soon after cancel(), even if it ignores its signal", async () => {
    let batches = 0;
    const stored = await drive(endless, {
      onBatch: (_, driver) => ++batches === 3 && driver.cancel(),
    });
    assert.equal(stored.at(-1), "end AGENT_RUN_CANCELLED");
    assert.ok(stored.length <= 128 * 5 + 1, `${stored.length} events`);
  });

  test("is stopped at its timeout", async () => {
    const stored = await drive(endless, { timeout: 20 });
    assert.equal(stored.at(-1), "end AGENT_TIMEOUT");
  });

  test("is stopped at its timeout while it waits", async () => {
    const stored = await drive(
      async function* () {
        yield "event";
        await new Promise(() => {});
      },
      { timeout: 20 },
    );
    assert.deepEqual(stored, ["event", "end AGENT_TIMEOUT"]);
  });

  test("can write its own end when its signal aborts", async () => {
    const stored = await drive(
      async function* (signal) {
        for (let number = 0; !signal.aborted; number++) yield `event ${number}`;
        yield "end as I say";
      },
      { timeout: 20 },
    );
    assert.equal(stored.at(-1), "end as I say");
  });
});

// Alone: it counts the timers of the process.
test("the driver yields to the event loop once per batch, not per event", async () => {
  let yields = 0;
  let batches = 0;
  const { setTimeout: real } = globalThis;
  globalThis.setTimeout = (work, ms, ...more) => {
    // The batch's own timer has a delay.
    yields += ms === undefined ? 1 : 0;
    return real(work, ms, ...more);
  };
  try {
    await drive(
      async function* () {
        for (let number = 0; number < 128 * 10; number++) yield `event ${number}`;
        yield "end";
      },
      { onBatch: () => batches++ },
    );
  } finally {
    globalThis.setTimeout = real;
  }
  assert.ok(yields >= 1 && yields <= batches, `${yields} yields in ${batches} batches`);
});

test("a store error ends drive() with the error and aborts the agent", async () => {
  let signal;
  const full = new Error("database or disk is full");
  const running = drive(
    async function* (given) {
      signal = given;
      for (let number = 0; ; number++) yield `event ${number}`;
    },
    { append: () => Promise.reject(full) },
  );
  await assert.rejects(running, full);
  assert.equal(signal.aborted, true);
});

test("AG-UI events that an agent sends after a failure are not stored", async () => {
  const store = new ThreadLog(memoryStore(), "t");
  await store.addRun(newRun("r"));
  const followers = new RunFollowers(store, 1000);
  const driver = new RunDriver({
    store,
    followers,
    runId: "r",
    script: new EventScript("t", "r"),
    onError: () => {},
  });
  await driver.drive(async function* () {
    yield JSON.stringify({ type: "TEXT_MESSAGE_CONTENT", messageId: "m", delta: "no beginning" });
  }, 1000);
  const kinds = (await store.read("r", 0, 99, 99)).map(({ kind }) => kind);
  assert.deepEqual(kinds, ["RUN_STARTED", "RUN_ERROR"]);
  assert.equal(store.run("r").status, "ended");
});
