// The runs service in several processes with one store: followers, cancellations and deletions in
// another process than the run, and processes that are killed, or do not respond.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { STORES, clientOf, closeServers, openFleet } from "../support/runs_stores.mjs";
import { until } from "../support/until.mjs";

const LEASE = 1500;

const request = (text, threadId = crypto.randomUUID()) => ({
  threadId,
  runId: crypto.randomUUID(),
  messages: [{ id: crypto.randomUUID(), role: "user", content: text }],
  forwardedProps: { runtime_mode: "chat" },
});
const counted = (count) => Array.from({ length: count }, (_, at) => `${at + 1} `).join("");
const answerOf = ({ snapshot }) =>
  snapshot.messages.find(({ role }) => role === "assistant")?.content ?? "";
const deltasIn = (text) =>
  [...text.matchAll(/"delta":"([^"]*)"/g)].map(([, delta]) => delta).join("");
/**
 * Checks that the events of a run are in order, and that it has one end. Pieces of a text that
 * arrive together are one event.
 */
function isWhole(text) {
  assert.match(text, /^id: /m);
  const ids = [...text.matchAll(/^id: .*-(\d+)$/gm)].map(([, number]) => Number(number));
  assert.deepEqual(
    ids,
    [...new Set(ids)].sort((one, other) => one - other),
  );
  assert.equal(text.match(/event: RUN_STARTED/g).length, 1);
  assert.equal(text.match(/event: RUN_(FINISHED|ERROR)/g).length, 1);
  return text;
}

after(closeServers);

for (const [name, { skip, isRust }] of Object.entries(STORES).filter(
  ([, { isShared }]) => isShared,
)) {
  describe(`several processes: ${name}`, { skip }, () => {
    let fleet;
    let first;
    let second;
    before(async () => {
      fleet = await openFleet(
        name,
        2,
        { limits: { keepAliveMs: 200, userConnections: 10 } },
        LEASE,
      );
      [first, second] = fleet.sites;
    });
    after(() => fleet?.close());

    const post = ({ base }, body, user = "ann") =>
      fetch(`${base}/runs`, {
        method: "POST",
        body: JSON.stringify(body),
        headers: { authorization: `Bearer ${user}`, "content-type": "application/json" },
      });
    const events = ({ base }, { threadId, runId }, user = "ann") =>
      fetch(`${base}/runs/${threadId}/events?runId=${runId}`, {
        headers: { authorization: `Bearer ${user}` },
      });
    const ran = async (site, body) => {
      await site.client().createRun(body);
      return site.client().events(body.threadId, body.runId).finished();
    };

    test("a run is followed, while it continues, in another process", async () => {
      const run = request("count 60 10");
      await first.client().createRun(run);
      for (const text of await Promise.all(
        [first, second].map(async (site) => (await events(site, run)).text()),
      )) {
        assert.equal(deltasIn(isWhole(text)), counted(60));
      }
      // The events arrive while the run continues, not at its end.
      const next = request("count 100 20", run.threadId);
      await first.client().createRun(next);
      const following = second.client().events(next.threadId, next.runId);
      const seen = new Set();
      for await (const update of following) seen.add(answerOf(update));
      assert.ok(seen.size > 10, `${seen.size} updates`);
    });

    test("a run is cancelled, and a thread is deleted, in another process", async () => {
      const run = request("count 1000 10");
      await first.client().createRun(run);
      const following = first.client().events(run.threadId, run.runId);
      await sleep(100);
      await second.client().cancel(run.threadId, run.runId);
      assert.equal((await following.finished()).snapshot.error.code, "AGENT_RUN_CANCELLED");

      const next = request("count 1000 10", run.threadId);
      await first.client().createRun(next);
      const texts = Promise.all(
        [first, second].map(async (site) => (await events(site, next)).text()),
      );
      await sleep(100);
      await second.client().deleteThread(run.threadId);
      for (const text of await texts) assert.doesNotMatch(text, /RUN_FINISHED|RUN_ERROR/);
      assert.equal((await events(first, next)).status, 404);
      // The id is free, also where the thread was driven.
      assert.equal(answerOf(await ran(first, request("count 3", run.threadId))), counted(3));
    });

    test("the runs of a thread are created in turns", async () => {
      const threadId = crypto.randomUUID();
      for (let at = 0; at < 6; at++) {
        const [site, other] = at % 2 === 0 ? [first, second] : [second, first];
        const run = request(`count ${at + 1}`, threadId);
        await until(async () => (await post(site, run)).status === 202, 20);
        const { snapshot, report } = await other.client().events(threadId, run.runId).finished();
        assert.deepEqual([answerOf({ snapshot }), report.violations], [counted(at + 1), []]);
      }
      const recalled = request("recall", threadId);
      await until(async () => (await post(second, recalled)).status === 202, 20);
      const { snapshot } = await first.client().events(threadId, recalled.runId).finished();
      assert.equal(
        answerOf({ snapshot }),
        [1, 2, 3, 4, 5, 6].map((count) => `count ${count}`).join("|"),
      );
    });

    test("requests at once in all processes: equal ones are one run, of different ones one is accepted", async () => {
      const run = request("count 3 5");
      const sites = Array.from({ length: 20 }, (_, at) => [first, second][at % 2]);
      const answers = await Promise.all(sites.map((site) => post(site, run)));
      assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([202]));
      assert.equal(
        new Set(
          (await Promise.all(answers.map((answer) => answer.json()))).map(({ taskId }) => taskId),
        ).size,
        1,
      );
      isWhole(await (await events(second, run)).text());
      const threadId = crypto.randomUUID();
      const different = await Promise.all(
        sites.map((site) => post(site, request("count 20 20", threadId))),
      );
      assert.deepEqual(different.map(({ status }) => status).sort(), [202, ...Array(19).fill(409)]);
      const shared = crypto.randomUUID();
      const raced = await Promise.all([
        post(first, request("count 1", shared), "eve"),
        post(second, request("count 1", shared), "bob"),
      ]);
      assert.deepEqual(raced.map(({ status }) => status).sort(), [202, 403]);
    });

    test("connections of a user are counted in all processes", async () => {
      const run = request("count 300 20");
      await post(first, run, "carl");
      const statuses = [];
      const open = [];
      for (let at = 0; at < 11; at++) {
        const response = await events([first, second][at % 2], run, "carl");
        open.push(response);
        statuses.push(response.status);
      }
      assert.deepEqual(statuses, [...Array(10).fill(200), 429]);
      await Promise.all(open.map(({ body }) => body.cancel()));
      await first.client("carl").cancel(run.threadId, run.runId);
    });

    test("the process of a run is killed: another one ends the run, and followers continue there", async (context) => {
      const codes = {};
      for (let at = 1; at <= 8; at++) {
        const run = request("count 60 25");
        await first.client().createRun(run);
        const following = second.client().events(run.threadId, run.runId);
        const seen = [];
        let isKilled = false;
        for await (const update of following) {
          seen.push(answerOf(update));
          if (!isKilled && following.connections.events >= at) {
            isKilled = true;
            await first.end();
          }
        }
        const { snapshot, report } = await following.finished();
        assert.deepEqual(
          [report.endReason, report.violations],
          ["completed", []],
          `killed at event ${at}`,
        );
        assert.ok(
          counted(60).startsWith(answerOf({ snapshot })) &&
            answerOf({ snapshot }).startsWith(seen.at(-1)),
        );
        codes[snapshot.error?.code ?? "finished"] =
          (codes[snapshot.error?.code ?? "finished"] ?? 0) + 1;
        assert.equal(
          deltasIn(isWhole(await (await events(second, run)).text())),
          answerOf({ snapshot }),
        );
        assert.equal(answerOf(await ran(second, request("count 2", run.threadId))), counted(2));
        await first.start();
      }
      assert.ok(codes.AGENT_RUN_INTERRUPTED >= 6, JSON.stringify(codes));
      context.diagnostic(JSON.stringify(codes));
    });

    test("accepted runs of a killed process are driven by another one, without a request", async () => {
      const runs = Array.from({ length: 6 }, () => request("count 3"));
      await Promise.all(runs.map((run) => post(first, run)));
      await first.end();
      await sleep(4 * LEASE);
      for (const run of runs) {
        assert.match(
          isWhole(await (await events(second, run)).text()),
          /RUN_FINISHED|AGENT_RUN_INTERRUPTED/,
        );
      }
      await first.start();
    });

    test("a process that did not respond is replaced, and cannot write any more", async () => {
      const run = request("count 200 25");
      await first.client().createRun(run);
      const following = second.client().events(run.threadId, run.runId);
      let isStopped = false;
      for await (const _ of following) {
        if (!isStopped && following.connections.events >= 5) {
          isStopped = true;
          first.signal("SIGSTOP");
        }
      }
      const { snapshot } = await following.finished();
      assert.equal(snapshot.error.code, "AGENT_RUN_INTERRUPTED");
      first.signal("SIGCONT");
      await sleep(LEASE);
      const texts = await Promise.all(
        [first, second].map(async (site) => (await events(site, run)).text()),
      );
      assert.equal(isWhole(texts[0]), texts[1]);
      assert.equal(answerOf(await ran(first, request("count 2", run.threadId))), counted(2));
    });

    // `Runs::close` ends the runs in progress at once.
    const waits = { skip: isRust && "the service in Rust does not wait for its runs" };
    test(
      "a process that is asked to end accepts no more runs, and ends those in progress",
      waits,
      async () => {
        const run = request("count 60 25");
        await first.client().createRun(run);
        const following = second.client().events(run.threadId, run.runId).finished();
        const ended = first.ended();
        first.signal("SIGTERM");
        await until(async () => (await post(first, request("count 1"))).status === 503, 20);
        const { snapshot } = await following;
        assert.deepEqual([snapshot.status, answerOf({ snapshot })], ["finished", counted(60)]);
        await ended;
        await first.start();
      },
    );

    test("the database is killed: followers resume, and the run ends once", async () => {
      const run = request("count 80 25");
      await first.client().createRun(run);
      const following = ["first", "second"].map((_, at) =>
        clientOf([first, second][at].base, "ann").events(run.threadId, run.runId),
      );
      await sleep(500);
      await fleet.killDatabase();
      const [one, other] = await Promise.all(following.map((stream) => stream.finished()));
      assert.deepEqual(one.snapshot, other.snapshot);
      assert.ok(counted(80).startsWith(answerOf(one)));
      assert.equal(deltasIn(isWhole(await (await events(second, run)).text())), answerOf(one));
      const more = await ran(first, request("count 2", run.threadId));
      assert.equal(answerOf(more), counted(2), JSON.stringify(more.snapshot.error));
    });
  });
}
