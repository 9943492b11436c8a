// The retention of a log in memory: shortened, and then deleted.
import assert from "node:assert/strict";
import { test } from "node:test";
import { read } from "agentwire/ag-ui";
import { ThreadLog, eventsIn, memoryStore, newRun, retain } from "../../support/runs_modules.mjs";

/** Returns a thread with ended runs. */
async function threadOf(...runs) {
  return (await logsOf(...runs)).store;
}

/** Returns the same with its logs, and the names of all that were written. */
async function logsOf(...runs) {
  const logs = memoryStore();
  const written = [];
  const append = (name, ...values) => {
    written.push(name);
    return logs.append(name, ...values);
  };
  const methods = { read: logs.read.bind(logs), delete: logs.delete.bind(logs), append };
  const store = new ThreadLog(methods, "t");
  for (const [number, { at, events }] of runs.entries()) {
    const runId = `r${number}`;
    await store.addRun(newRun(runId, { at }));
    const all = [
      { type: "RUN_STARTED", threadId: "t", runId },
      ...events,
      { type: "RUN_FINISHED", threadId: "t", runId },
    ];
    await store.append(
      runId,
      all.map((event) => ({ kind: event.type, data: JSON.stringify(event) })),
      [],
    );
  }
  return { store, logs, written };
}

const logOf = (store, runId, after = 0) => store.read(runId, after, Infinity, Infinity);
const text = (messageId, ...deltas) => [
  { type: "TEXT_MESSAGE_START", messageId, role: "assistant" },
  ...deltas.map((delta) => ({
    type: "TEXT_MESSAGE_CONTENT",
    messageId,
    delta,
    big: 12345678901234567000,
  })),
  { type: "TEXT_MESSAGE_END", messageId },
];

test("old and large logs are compacted, and the oldest runs expire", async () => {
  const many = () => ({ events: text("m", ...Array(100).fill("word ")) });
  const { store, logs, written } = await logsOf(
    { at: 0, ...many() },
    { at: 100, ...many() },
    { at: 200, ...many() },
  );
  const kinds = () =>
    ["r0", "r1", "r2"].map((id) =>
      store.run(id).status === "expired" ? "expired" : store.run(id).isShort ? "short" : "whole",
    );
  assert.equal(await retain(store, { logMs: 1000, logBytes: 1e6 }, 999), 1000);
  assert.deepEqual(kinds(), ["whole", "whole", "whole"]);
  assert.equal(await retain(store, { logMs: 1000, logBytes: 1e6 }, 1000), 1100);
  assert.deepEqual(kinds(), ["short", "whole", "whole"]);
  const one = (await store.state()).bytes / 2;
  assert.equal(await retain(store, { logMs: 1000, logBytes: one * 1.5 }, 1000), 1200);
  assert.deepEqual(kinds(), ["short", "short", "whole"]);
  // A log that is read does not change.
  assert.equal(await retain(store, { logMs: 1000, logBytes: 2000 }, 1000, () => true), 3000);
  assert.deepEqual(kinds(), ["short", "short", "whole"]);
  assert.equal(await retain(store, { logMs: 1000, logBytes: 2000 }, 1000), undefined);
  assert.deepEqual(kinds(), ["expired", "short", "short"]);
  // The bytes of the logs that are kept, with the lengths of joined pieces.
  const names = [...new Set(written)];
  const events = names.flatMap((name) =>
    logs.read(name, 0, Infinity).entries.flatMap((entry) => eventsIn(entry, "")),
  );
  assert.equal(
    (await store.state()).bytes,
    events.reduce(
      (sum, { data, pieces }) => sum + data.length + (pieces ? JSON.stringify(pieces).length : 0),
      0,
    ),
  );
});

test("a compacted run yields the same snapshot from every cursor", async () => {
  const deltas = [
    "a",
    "",
    'é"\\',
    "\ud83e",
    "\udd8a",
    "\n汉\u0000",
    "x".repeat(20_000),
    "y".repeat(20_000),
    "z",
  ];
  const store = await threadOf({
    at: 0,
    events: [
      ...text("m", ...deltas),
      { type: "CUSTOM", name: "n", value: 1 },
      ...text("n", ...deltas),
    ],
  });
  const before = await logOf(store, "r0");
  await retain(store, { logMs: 0, logBytes: 1e6 }, 0);
  assert.ok((await logOf(store, "r0")).length < before.length - 8);
  const snapshotOf = async (entries) => {
    const stream = new Response(entries.map(({ data }) => `data: ${data}\n\n`).join(""), {
      headers: { "content-type": "text/event-stream" },
    });
    return (await read(stream).finished()).snapshot;
  };
  const whole = await snapshotOf(before);
  for (let after = 0; after < before.length; after++) {
    assert.deepEqual(
      await snapshotOf([...before.slice(0, after), ...(await logOf(store, "r0", after))]),
      whole,
      `after ${after}`,
    );
  }
  // Once more changes nothing.
  const log = await logOf(store, "r0");
  await retain(store, { logMs: 0, logBytes: 1e6 }, 0);
  assert.deepEqual(await logOf(store, "r0"), log);
});
