// The connections of one thread, without a network in between: they receive events from the disk or
// from the last stored ones, and connections that read nothing are closed.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { RunFollowers, eventForm } from "../../support/runs_modules.mjs";
import { until } from "../../support/until.mjs";

const BEAT = 20;

/** A log in memory that counts its reads. */
class Log {
  entries_ = [];
  asked = 0;

  last() {
    return this.entries_.length;
  }

  read(runId, after, until, most) {
    this.asked++;
    return this.entries_
      .filter((entry) => entry.runId === runId && entry.number > after && entry.number <= until)
      .slice(0, most);
  }

  /** Adds events of a run, and returns their entries. */
  add(runId, ...events) {
    const added = events.map((event) => {
      const entry = {
        number: this.entries_.length + 1,
        runId,
        kind: event.type,
        data: JSON.stringify(event),
      };
      this.entries_.push(entry);
      return entry;
    });
    return added;
  }
}

const started = (runId) => ({ type: "RUN_STARTED", threadId: "t", runId });
const finished = (runId) => ({ type: "RUN_FINISHED", threadId: "t", runId });
const custom = (value) => ({ type: "CUSTOM", name: "n", value });

function open(readers, runId, after = 0, signal = new AbortController().signal) {
  return readers.stream(runId, eventForm("g"), { after, idleLimit: 300 }, signal);
}
const idsIn = (text) => [...text.matchAll(/^id: g-(\d+)$/gm)].map(([, number]) => Number(number));

describe("followers of a thread", () => {
  test("receive the same events from memory and from the log, from every cursor", async () => {
    const log = new Log();
    const readers = new RunFollowers(log, 1000);
    // More than is remembered, and another run in between.
    for (const [run, count] of [
      ["a", 700],
      ["b", 900],
      ["c", 300],
    ]) {
      readers.published(log.add(run, started(run)));
      for (let at = 0; at < count; at += 50) {
        readers.published(
          log.add(run, ...Array.from({ length: 50 }, (_, more) => custom(at + more))),
        );
      }
      readers.published(log.add(run, finished(run)));
    }
    for (const run of ["a", "b", "c"]) {
      const own = log.entries_.filter(({ runId }) => runId === run).map(({ number }) => number);
      for (const after of [0, own[0], own[10], own[255], own.at(-2)]) {
        const text = await new Response(open(readers, run, after)).text();
        assert.deepEqual(
          idsIn(text),
          own.filter((number) => number > after),
          `${run} after ${after}`,
        );
      }
    }
    const before = log.asked;
    await new Response(open(readers, "c", log.last() - 3)).text();
    assert.equal(log.asked, before, "the latest events are read from memory");
    assert.equal(readers.open, 0);
  });

  test("receive only events that are in the log", async () => {
    const log = new Log();
    const readers = new RunFollowers(log, 1000);
    readers.published(log.add("a", started("a")));
    const reader = open(readers, "a").getReader();
    assert.deepEqual(idsIn(Buffer.from((await reader.read()).value).toString()), [1]);
    const added = log.add("a", custom(1));
    const next = reader.read();
    assert.equal(await Promise.race([next.then(() => "told"), sleep(50, "silent")]), "silent");
    readers.published(added);
    assert.deepEqual(idsIn(Buffer.from((await next).value).toString()), [2]);
    await reader.cancel();
    assert.equal(readers.open, 0);
  });

  test("are closed if they do not read, and do not delay others", async () => {
    const log = new Log();
    let closed = 0;
    const readers = new RunFollowers(log, BEAT, () => closed++);
    readers.published(log.add("a", started("a"), custom(1)));
    const idle = Array.from({ length: 500 }, () => open(readers, "a"));
    // One has begun and then stops.
    const begun = open(readers, "a").getReader();
    await begun.read();
    const busy = new Response(open(readers, "a")).text();
    assert.equal(readers.open, 502);
    for (let beat = 0; beat < 10; beat++) {
      await sleep(BEAT);
      readers.published(log.add("a", custom(beat)));
    }
    await until(() => readers.open === 1);
    assert.equal(closed, 501);
    readers.published(log.add("a", finished("a")));
    assert.deepEqual(
      idsIn(await busy),
      Array.from({ length: 13 }, (_, at) => at + 1),
    );
    assert.equal((await begun.read()).done, true);
    assert.equal((await idle[0].getReader().read()).done, true);
    assert.equal(readers.open, 0);
  });

  test("share the serialization of events if they have the same cursor", async () => {
    const log = new Log();
    const readers = new RunFollowers(log, 1000);
    let written = 0;
    const form = eventForm("g");
    const counting = {
      ...form,
      write: (...given) => {
        written++;
        return form.write(...given);
      },
    };
    const signal = new AbortController().signal;
    const READERS = 300;
    const all = Array.from({ length: READERS }, () =>
      new Response(readers.stream("a", counting, { after: 0, idleLimit: 300 }, signal)).text(),
    );
    const batches = [
      [started("a")],
      ...Array.from({ length: 20 }, (_, at) => [custom(at)]),
      [finished("a")],
    ];
    for (const batch of batches) {
      readers.published(log.add("a", ...batch));
      await sleep(1);
    }
    const texts = await Promise.all(all);
    assert.equal(new Set(texts).size, 1);
    assert.deepEqual(
      idsIn(texts[0]),
      Array.from({ length: 22 }, (_, at) => at + 1),
    );
    // Each batch is written once; the events after it, an empty list, are written once more.
    assert.ok(written <= 3 * batches.length, `${written} times`);
  });

  test("do not keep the agent, which runs in the same thread, from continuing", async () => {
    const log = new Log();
    const readers = new RunFollowers(log, 1000);
    const order = [];
    let isOver = false;
    const agent = () => {
      if (!isOver) {
        order.push("agent");
        setImmediate(agent);
      }
    };
    const all = Array.from({ length: 400 }, async () => {
      for await (const piece of open(readers, "a")) order.push(`${piece.length} bytes`);
    });
    await sleep(10);
    agent();
    readers.published(log.add("a", started("a"), custom(1)));
    readers.published(log.add("a", finished("a")));
    await Promise.all(all);
    isOver = true;
    const runs = order
      .join()
      .split(/(?:agent,?)+/)
      .map((pieces) => pieces.split(",").filter(Boolean).length);
    assert.equal(
      runs.reduce((sum, length) => sum + length),
      800,
      "each follower receives two pieces",
    );
    assert.ok(
      Math.max(...runs) <= 32,
      `${Math.max(...runs)} followers were served without a pause`,
    );
  });

  test("receive comments while idle, and are closed after `idleLimit`", async () => {
    const readers = new RunFollowers(new Log(), BEAT);
    const text = await new Response(
      readers.stream("a", eventForm("g"), { after: 0, idleLimit: 3 }, new AbortController().signal),
    ).text();
    assert.equal(text, ": keep-alive\n\n".repeat(3));
    assert.equal(readers.open, 0);
  });

  test("are closed with the thread, and can resume", async () => {
    const log = new Log();
    const readers = new RunFollowers(log, 1000);
    readers.published(log.add("a", started("a")));
    const texts = Array.from({ length: 3 }, () => new Response(open(readers, "a")).text());
    await sleep(20);
    readers.close();
    assert.deepEqual((await Promise.all(texts)).map(idsIn), [[1], [1], [1]]);
    assert.equal(readers.open, 0);
  });

  test("receive all events of a store that responds late", async () => {
    const log = new Log();
    const { read } = log;
    log.read = async (...given) => {
      const entries = read.apply(log, given);
      await sleep(2);
      return entries;
    };
    const readers = new RunFollowers(log, 60_000);
    log.add("a", started("a"));
    readers.durable = 1;
    const text = new Response(open(readers, "a")).text();
    for (let at = 0; at < 30; at++) {
      const added = log.add("a", custom(at));
      // Each batch is stored later than the numbers before it: nothing is in memory.
      readers.durable = added[0].number - 2;
      readers.published(added);
      await sleep(1);
    }
    readers.published(log.add("a", finished("a")));
    assert.deepEqual(
      idsIn(await text),
      Array.from({ length: 32 }, (_, at) => at + 1),
    );
  });

  test("are not kept if their signal is already aborted", () => {
    const readers = new RunFollowers(new Log(), BEAT);
    open(readers, "a", 0, AbortSignal.abort());
    assert.equal(readers.open, 0);
  });
});

describe("many followers of a long log", () => {
  for (const [shape, sizes] of Object.entries({
    "of small events": Array(3000).fill(300),
    "of large events": Array(20).fill(60_000),
    "of one event": [1_000_000],
  })) {
    test(`share what they read: a log ${shape}`, async () => {
      const log = new Log();
      const readers = new RunFollowers(log, 1000);
      log.add("r", started("r"), ...sizes.map((size) => custom("x".repeat(size))), finished("r"));
      readers.durable = log.last();
      const form = eventForm("g");
      let writes = 0;
      const counting = {
        name: form.name,
        write: (...given) => {
          writes++;
          return form.write(...given);
        },
      };
      const follow = () =>
        readers.stream("r", counting, { after: 0, idleLimit: 300 }, new AbortController().signal);
      await new Response(follow()).text();
      const [alone, asked] = [writes, log.asked];
      const texts = await Promise.all(
        Array.from({ length: 100 }, () => new Response(follow()).text()),
      );
      assert.equal(new Set(texts).size, 1);
      assert.equal(idsIn(texts[0]).length, sizes.length + 2);
      assert.ok(
        writes <= 2 * alone && log.asked <= 2 * asked,
        `${writes} writes and ${log.asked} reads, of ${alone} and ${asked} for one`,
      );
    });
  }
});
