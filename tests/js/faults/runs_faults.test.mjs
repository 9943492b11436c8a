// Faults between a run and its reader: the runtime is killed, connections are cut, frames are
// repeated, readers are slow. The snapshot is always that of an undisturbed reader, and every run
// has one terminal event. The counts of the faults are printed.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { cutFirst, input, killRuntime, openRuns } from "../support/runs_site.mjs";

/** The minimum number of events of a run at which the runtime is killed. */
const KILLS = 15;

describe("a run and its readers", () => {
  let site;
  let client;
  before(async () => {
    site = await openRuns({ KEEP_ALIVE: "200" });
    client = site.client({ attempts: 100 });
  });
  after(() => site?.close());

  /** The snapshot of a run for a reader without faults, and the bytes that it read. */
  async function undisturbed({ threadId, runId }) {
    const text = await textOf(eventsOf(threadId, runId));
    const kinds = [...text.matchAll(/^event: (\w+)$/gm)].map(([, kind]) => kind);
    assert.equal(
      kinds.filter((kind) => kind === "RUN_FINISHED" || kind === "RUN_ERROR").length,
      1,
      "one terminal event",
    );
    assert.ok(/^RUN_(FINISHED|ERROR)$/.test(kinds.at(-1)), "and it is the last");
    const { snapshot, report } = await client.events(threadId, runId).finished();
    assert.deepEqual(
      report.violations.filter(({ severity }) => severity === "error"),
      [],
    );
    return { snapshot, text };
  }

  const eventsOf = (threadId, runId) =>
    `${site.base}/runs/${threadId}/events?${new URLSearchParams({ runId })}`;

  test("the runtime is killed at every event of a run", async (context) => {
    let kills = 0;
    let events = 0;
    const ended = {};
    for (let at = 1; ; at++) {
      const request = input(
        "echo one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen",
        { delay: 12 },
      );
      const { threadId, runId } = await client.createRun(request);
      const run = client.events(threadId, runId);
      let killed = false;
      for await (const _ of run) {
        if (!killed && run.connections.events >= at) {
          killed = true;
          killRuntime();
        }
      }
      const { snapshot, report } = await run.finished();
      assert.equal(report.endReason, "completed");
      const whole = await undisturbed({ threadId, runId });
      assert.deepEqual(snapshot, whole.snapshot, `killed at event ${at}`);
      const how = snapshot.error?.code ?? snapshot.status;
      ended[how] = (ended[how] ?? 0) + 1;
      kills += killed ? 1 : 0;
      events = Math.max(events, run.connections.events);
      // The thread takes the next run.
      if (at === 1) {
        const next = await client.createRun(input("echo next", { delay: 0 }, { threadId }));
        assert.equal(
          (await client.events(threadId, next.runId).finished()).snapshot.status,
          "finished",
        );
      }
      if (!killed || at > 200) {
        break;
      }
    }
    assert.ok(kills >= KILLS, `${kills} kills`);
    assert.ok(ended.AGENT_RUN_INTERRUPTED >= KILLS / 2, JSON.stringify(ended));
    context.diagnostic(
      `${kills} kills, at every event of ${events}; the runs ended ${JSON.stringify(ended)}`,
    );
  });

  test("the connection is cut after every byte", async (context) => {
    const request = input("echo 你好 👋 a b", { delay: 0 });
    await client.createRun(request);
    const { threadId, runId } = request;
    await client.events(threadId, runId).finished();
    const whole = await undisturbed({ threadId, runId });
    const length = Buffer.byteLength(whole.text);
    for (let cut = 0; cut <= length; cut++) {
      const cutting = site.client({ baseDelayMs: 1, maxDelayMs: 1, fetch: cutFirst(cut) });
      const run = cutting.events(threadId, runId);
      const { snapshot, report } = await run.finished();
      assert.deepEqual(snapshot, whole.snapshot, `cut after ${cut} bytes`);
      assert.equal(report.events, whole.text.match(/^data: /gm).length, `cut after ${cut} bytes`);
      assert.equal(report.endReason, "completed");
    }
    context.diagnostic(`${length + 1} cuts`);
  });

  test("duplicated and replayed frames are ignored", async (context) => {
    const request = input("weather in Tokyo", { delay: 1 });
    const { threadId, runId } = await client.createRun(request);
    const doubled = site.client({ fetch: doubling });
    const live = doubled.events(threadId, runId);
    const { snapshot } = await live.finished();
    const whole = await undisturbed({ threadId, runId });
    assert.deepEqual(snapshot, whole.snapshot);
    // All but the last, after which nothing is read.
    assert.equal(live.connections.redelivered, live.connections.events - 1);
    // A server that does not receive the cursor.
    const forgetful = site.client({
      baseDelayMs: 1,
      maxDelayMs: 1,
      fetch: cutFirst(600, ({ headers, ...init }) => ({ ...init, headers: without(headers) })),
    });
    const again = forgetful.events(threadId, runId);
    assert.deepEqual((await again.finished()).snapshot, whole.snapshot);
    assert.equal(again.connections.resets, 1);
    context.diagnostic(`${live.connections.redelivered} frames came again`);
  });

  test("a slow reader receives all events and does not delay others", async (context) => {
    const request = input("long story", { variant: "long", delay: 0, tokens: 20_000 });
    const { threadId, runId } = await client.createRun(request);
    const slow = client.events(threadId, runId);
    const began = performance.now();
    let fast;
    for await (const { snapshot } of slow) {
      if (fast === undefined) {
        const { snapshot: all } = await client.events(threadId, runId).finished();
        fast = { all, milliseconds: performance.now() - began, behind: snapshot };
      }
      await sleep(1);
    }
    const { snapshot } = await slow.finished();
    assert.deepEqual(snapshot, fast.all);
    assert.notDeepEqual(fast.behind, fast.all);
    context.diagnostic(
      `${snapshot.messages.at(-1).content.length} characters; the fast one was done after ${fast.milliseconds.toFixed()} ms`,
    );
  });

  test("concurrent equal requests are one run, and a thread accepts one of several different ones", async (context) => {
    const request = input("echo once", { delay: 0 });
    const equal = await Promise.all(Array.from({ length: 30 }, () => client.createRun(request)));
    assert.equal(new Set(equal.map(({ taskId }) => taskId)).size, 1);
    const threadId = crypto.randomUUID();
    const impatient = site.client({ attempts: 1 });
    const long = { variant: "long", delay: 5, tokens: 100 };
    const different = await Promise.allSettled(
      Array.from({ length: 30 }, () =>
        impatient.createRun(input("long story", long, { threadId })),
      ),
    );
    const refused = different.filter(
      ({ reason }) => reason?.status === 409 && reason.headers.get("retry-after") !== null,
    );
    assert.equal(refused.length, 29);
    context.diagnostic(
      `${equal.length} equal requests: 1 run; ${different.length} different ones: 1 run and ${refused.length} refusals`,
    );
  });

  test("the client does not depend on its clock", async () => {
    const { now } = Date;
    let jumps = 0;
    Date.now = () => now() + (jumps++ % 2 === 0 ? 3_600_000 : -86_400_000);
    try {
      for (const bytes of [0, 500, 1500]) {
        const request = input("echo one two three four five", { delay: 2 });
        const skewed = site.client({
          fetch: cutFirst(bytes),
          baseDelayMs: 1,
          maxDelayMs: 50,
          attempts: 100,
        });
        const { threadId, runId } = await client.createRun(request);
        const { snapshot, report } = await skewed.events(threadId, runId).finished();
        assert.equal(report.endReason, "completed");
        assert.deepEqual(snapshot, (await undisturbed({ threadId, runId })).snapshot);
      }
    } finally {
      Date.now = now;
    }
  });

  test("the client does not depend on the clock of the server", async () => {
    const request = input("echo late", { delay: 0 });
    const asked = [];
    // The clock of the server, and its date header, are an hour ahead.
    const date = (milliseconds) => new Date(Date.now() + 3_600_000 + milliseconds).toUTCString();
    const busy = async (url, init) => {
      asked.push(performance.now());
      return asked.length === 1
        ? new Response("{}", { status: 503, headers: { date: date(0), "retry-after": date(1000) } })
        : fetch(url, init);
    };
    await site.client({ fetch: busy }).createRun(request);
    // By the clock of this machine it would have been an hour, or no time.
    assert.ok(asked[1] - asked[0] > 400, `${asked[1] - asked[0]} ms`);
  });
});

/** Returns the body of the service's answer, as soon as it answers again. */
async function textOf(url) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await (await fetch(url, { headers: { authorization: "Bearer demo" } })).text();
    } catch (error) {
      if (attempt === 50) {
        throw error;
      }
      await sleep(50);
    }
  }
}

/** A `fetch` whose answers have each frame twice. */
async function doubling(url, init) {
  const response = await fetch(url, init);
  let rest = "";
  const twice = new TransformStream({
    transform(text, controller) {
      const frames = (rest + text).split("\n\n");
      rest = frames.pop();
      frames.forEach((frame) => controller.enqueue(`${frame}\n\n${frame}\n\n`));
    },
  });
  const body = response.body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(twice)
    .pipeThrough(new TextEncoderStream());
  return new Response(body, response);
}

function without(headers) {
  const rest = new Headers(headers);
  rest.delete("last-event-id");
  return rest;
}
