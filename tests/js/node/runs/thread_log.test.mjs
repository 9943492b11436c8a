// A thread in a store whose process ends before or after any of its writes: the next process finds
// every run with one end and each message once, and no log that nothing names.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ThreadLog, memoryStore, newRun } from "../../support/runs_modules.mjs";

const message = (id, role = "user") => ({
  id,
  role,
  content: id,
  extra: "{}",
  message: JSON.stringify({ id, role, content: id }),
  isShown: true,
  at: 5,
});
const event = (kind, text = "") => ({ kind, data: JSON.stringify({ type: kind, text }) });

/** A store that fails at its n-th write and afterwards: the write is done, or it is not. */
function failing(store, { at, isDone }) {
  let writes = 0;
  const change =
    (name) =>
    (...values) => {
      writes++;
      if (writes > at || (writes === at && !isDone)) throw new Error("the process has ended");
      const result = store[name](...values);
      if (writes === at) throw new Error("the process has ended");
      return result;
    };
  const read =
    (name) =>
    (...values) =>
      store[name](...values);
  return {
    append: change("append"),
    delete: change("delete"),
    read: read("read"),
    list: read("list"),
    writes: () => writes,
  };
}

/** Two runs, one of which is shortened and then expires, and the deletion of the thread. */
const STEPS = [
  (log) => log.addRun(newRun("a", { messages: [message("u1")], at: 1 })),
  (log) => log.setStatus("a", "running"),
  (log) => log.append("a", [event("RUN_STARTED"), event("TEXT", "x")]),
  (log) => log.append("a", [event("RUN_FINISHED")], [message("m1", "assistant")]),
  (log) => log.addRun(newRun("b", { messages: [message("u2")], at: 2 })),
  (log) =>
    log.append("b", [event("RUN_STARTED"), event("RUN_FINISHED")], [message("m2", "assistant")]),
  (log) => log.shorten("a", [event("RUN_STARTED"), event("TEXT", "x"), event("RUN_FINISHED")]),
  (log) => log.expire("a"),
  (log) => log.delete(),
];

/** Returns everything that a thread has. */
async function contentOf(store) {
  const log = new ThreadLog(store, "t");
  const state = await log.state();
  const runs = [];
  for (const id of ["a", "b"]) {
    const run = log.run(id);
    if (run === undefined) continue;
    const entries = await log.read(id, 0, 99, 99);
    runs.push([
      id,
      run.status,
      run.isShort,
      entries.map(({ number, kind }) => `${number} ${kind}`),
    ]);
  }
  const messages = (await log.latestMessages(Infinity)).messages.map((one) => JSON.parse(one).id);
  const shown = (await log.history("9999", Infinity, Infinity)).messages.map(({ id }) => id);
  assert.deepEqual(shown, messages);
  return JSON.stringify([state?.last, runs, messages]);
}

test("a process that ends at any write leaves a thread as it is before or after the step", async () => {
  const all = failing(memoryStore(), { at: Infinity });
  const states = [];
  {
    const log = new ThreadLog(all, "t");
    states.push(await contentOf(all));
    for (const step of STEPS) {
      await step(log);
      states.push(await contentOf(all));
    }
  }
  assert.equal(states.at(-1), states[0], "a deleted thread has nothing");
  let failures = 0;
  for (let at = 1; at <= all.writes(); at++) {
    for (const isDone of [false, true]) {
      const names = new Set();
      const memory = memoryStore();
      const store = {
        append: (log, ...values) => names.add(log) && memory.append(log, ...values),
        read: memory.read.bind(memory),
        list: memory.list.bind(memory),
        delete: memory.delete.bind(memory),
      };
      const broken = failing(store, { at, isDone });
      const log = new ThreadLog(broken, "t");
      let step = 0;
      try {
        for (; step < STEPS.length; step++) {
          await log.state();
          await STEPS[step](log);
        }
      } catch (error) {
        assert.match(error.message, /has ended/);
        failures++;
        const content = await contentOf(store);
        assert.ok(
          [states[step], states[step + 1]].includes(content),
          `write ${at}, step ${step}: ${content}\n${states[step]}\n${states[step + 1]}`,
        );
        // The next process continues where this one has ended.
        const next = new ThreadLog(store, "t");
        await next.state();
        if (content === states[step]) await STEPS[step](next);
        for (const later of STEPS.slice(step + 1)) {
          await next.state();
          await later(next);
        }
      }
      assert.equal(await contentOf(store), states.at(-1));
      // A log that no record names is in the list of those with work to do.
      for (const { log } of memory.list({ due: Infinity, limit: 99 })) {
        await new ThreadLog(store, "t").removeUnrecorded(log);
      }
      const left = [...names].filter((name) => memory.read(name, 0, 1).head !== undefined);
      // Those of a log that was about to be shortened, or was replaced.
      assert.ok(left.length <= 1, left.join());
    }
  }
  assert.ok(failures >= 2 * (all.writes() - 1), `${failures} failures`);
});

test("several objects that change a thread at once exclude each other", async () => {
  const store = memoryStore();
  const late = Object.fromEntries(
    ["append", "read", "list", "delete"].map((name) => [
      name,
      async (...values) => {
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 3));
        return store[name](...values);
      },
    ]),
  );
  const processes = Array.from({ length: 6 }, (_, at) => ({
    id: `p${at}`,
    taken: async () => {},
    isAlive: async () => true,
  }));
  const logs = processes.map((one) => new ThreadLog(late, "t", one));
  for (let round = 0; round < 5; round++) {
    const ids = logs.map((_, at) => `r${round}-${at}`);
    const added = await Promise.all(
      logs.map((log, at) => log.addRun(newRun(ids[at], { messages: [message(ids[at])] }))),
    );
    assert.equal(added.filter(Boolean).length, 1);
    const winner = added.indexOf(true);
    await logs[winner].append(ids[winner], [event("RUN_FINISHED")], []);
    await Promise.all(logs.map((log) => log.setCancelled(ids[winner])));
  }
  assert.equal((await logs[0].latestMessages(Infinity)).messages.length, 0 + 5);
  await Promise.all(logs.map((log) => log.delete()));
  assert.equal(await logs[1].state(), undefined);
});
