// Agents that do not wait, and agents that do not stop: the driver stores their events, and ends their run.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { pageModule } from "../browser/page_modules.mjs";

const { Driver } = await pageModule("../worker/runs/driver.ts");

/** A run whose events are kept in memory. */
function drive(agent, { timeout = 60_000, onBatch = () => {} } = {}) {
  const stored = [];
  const storage = {
    together: (work) => work(),
    append: (_, events) => stored.push(...events.map(({ data }) => data)),
    end: () => {},
  };
  const script = {
    isOver: false,
    append(data) {
      this.isOver = data.startsWith("end");
      return "event";
    },
    ending: (failure) => [`end ${failure?.code ?? "of its own"}`],
    free: () => {},
  };
  const readers = { published: (entries) => onBatch(entries, driver) };
  const driver = new Driver({ sync: async () => {} }, storage, readers, "r", script, () => {});
  return driver.drive(agent, timeout).then(() => stored);
}

async function* endless() {
  for (let number = 0; ; number++) yield `event ${number}`;
}

describe("an agent that never waits", { concurrency: true }, () => {
  test("lets timers run between its batches", async () => {
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

  test("is left soon after its run was cancelled, though it does not look at its signal", async () => {
    let batches = 0;
    const stored = await drive(endless, { onBatch: (_, driver) => ++batches === 3 && driver.cancel() });
    assert.equal(stored.at(-1), "end AGENT_RUN_CANCELLED");
    assert.ok(stored.length <= 128 * 5 + 1, `${stored.length} events`);
  });

  test("is left when its time is over", async () => {
    const stored = await drive(endless, { timeout: 20 });
    assert.equal(stored.at(-1), "end AGENT_TIMEOUT");
  });

  test("is left when it waits for what never comes", async () => {
    const stored = await drive(async function* () {
      yield "event";
      await new Promise(() => {});
    }, { timeout: 20 });
    assert.deepEqual(stored, ["event", "end AGENT_TIMEOUT"]);
  });

  test("that ends when its signal aborts ends as it says", async () => {
    const stored = await drive(async function* (signal) {
      for (let number = 0; !signal.aborted; number++) yield `event ${number}`;
      yield "end as I say";
    }, { timeout: 20 });
    assert.equal(stored.at(-1), "end as I say");
  });
});
