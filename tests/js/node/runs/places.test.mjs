// The places of a user's runs: one is free when its agent has ended, or 5 seconds after the agent
// was asked to stop.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { memoryStore } from "agentwire/stores";
import { runsService } from "../../support/runs_agent.mjs";
import { until } from "../../support/until.mjs";

const ORIGIN = "http://runs.example";
const json = { authorization: "Bearer ann", "content-type": "application/json" };

/**
 * Agents that take no notice of their signal until `end` is fulfilled. `note` is called with 1 when
 * one begins, and with -1 when it ends.
 */
const AGENTS = {
  "an agent that has written something": (note, end) => async (out) => {
    note(1);
    try {
      await out.message().text().delta("x");
      await end;
    } finally {
      note(-1);
    }
  },
  "an agent before its first event": (note, end) => async () => {
    note(1);
    await end;
    note(-1);
  },
};

const ask = (runs, path, init) => runs(new Request(ORIGIN + path, { headers: json, ...init }));
const runsPath = "/api/v1/agent/runs";

describe("agents that go on after their run", { concurrency: true }, () => {
  for (const [name, agent] of Object.entries(AGENTS)) {
    for (const how of ["delete", "cancel"]) {
      test(`count until they have ended: ${name}, ${how}`, async () => {
        let [running, most, accepted, refused] = [0, 0, 0, 0];
        let endAll;
        const end = new Promise((resolve) => (endAll = resolve));
        const note = (change) => (most = Math.max(most, (running += change)));
        const runs = runsService({
          store: memoryStore(),
          agent: agent(note, end),
          limits: { userRuns: 3 },
        });
        while (refused < 5) {
          const threadId = crypto.randomUUID();
          const body = JSON.stringify({
            threadId,
            runId: "r",
            messages: [{ id: "m", role: "user", content: "x" }],
            forwardedProps: { runtime_mode: "chat" },
          });
          const { status } = await ask(runs, runsPath, { method: "POST", body });
          accepted += status === 202;
          refused += status === 429;
          await sleep(10);
          await ask(
            runs,
            how === "delete" ? `${runsPath}/${threadId}` : `${runsPath}/${threadId}/cancel?runId=r`,
            { method: how === "delete" ? "DELETE" : "POST" },
          );
        }
        // A run may be deleted before its agent has begun.
        assert.ok(accepted >= 3 && most === 3, `${accepted} were accepted, ${most} were running`);
        endAll();
        await until(() => running === 0);
        // Their places are free again.
        const again = async () => {
          const body = JSON.stringify({
            threadId: crypto.randomUUID(),
            runId: "r",
            messages: [{ id: "m", role: "user", content: "x" }],
            forwardedProps: { runtime_mode: "chat" },
          });
          return (await ask(runs, runsPath, { method: "POST", body })).status === 202;
        };
        await until(again, 20);
        await until(again, 20);
        await until(again, 20);
        await runs.close();
      });
    }
  }

  test("count in answers of the protocols, too", async () => {
    let [running, most, accepted, refused] = [0, 0, 0, 0];
    let endAll;
    const end = new Promise((resolve) => (endAll = resolve));
    const runs = runsService({
      store: memoryStore(),
      protocols: ["ag-ui"],
      agent: async () => {
        most = Math.max(most, ++running);
        await end;
        running--;
      },
      limits: { userRuns: 3 },
    });
    while (refused < 5) {
      const response = await ask(runs, "/ag-ui", {
        method: "POST",
        headers: { ...json, prefer: "resumable" },
        body: JSON.stringify({
          threadId: "t",
          runId: "r",
          messages: [{ id: "m", role: "user", content: "x" }],
          tools: [],
          context: [],
          state: {},
          forwardedProps: {},
        }),
      });
      accepted += response.status === 200;
      refused += response.status === 429;
      await response.body.cancel();
      if (response.status === 200)
        await ask(runs, response.headers.get("content-location"), { method: "DELETE" });
      await sleep(10);
    }
    assert.deepEqual([accepted, most], [3, 3]);
    endAll();
    await until(() => running === 0);
    await runs.close();
  });

  test("no longer count 5 seconds after they were asked to stop", async () => {
    let running = 0;
    async function agent() {
      running++;
      await new Promise(() => {});
    }
    const runs = runsService({
      agent,
      store: memoryStore(),
      limits: { userRuns: 1 },
    });
    const create = async (threadId) => {
      const body = JSON.stringify({
        threadId,
        runId: "r",
        messages: [{ id: "m", role: "user", content: "x" }],
        forwardedProps: { runtime_mode: "chat" },
      });
      return (await ask(runs, runsPath, { method: "POST", body })).status;
    };
    const threadId = crypto.randomUUID();
    assert.equal(await create(threadId), 202);
    await until(() => running === 1);
    const begun = Date.now();
    await ask(runs, `${runsPath}/${threadId}`, { method: "DELETE" });
    assert.equal(await create(crypto.randomUUID()), 429);
    await until(async () => (await create(crypto.randomUUID())) === 202, 50);
    assert.ok(Date.now() - begun >= 4900);
    await runs.close();
  });

  test("do not count for the next owner of their thread, who counts for nobody else", async () => {
    const runs = runsService({
      store: memoryStore(),
      limits: { userRuns: 1 },
    });
    const create = (user, threadId, content) => {
      const body = JSON.stringify({
        threadId,
        runId: "r",
        messages: [{ id: "m", role: "user", content }],
        forwardedProps: { runtime_mode: "chat" },
      });
      return ask(runs, runsPath, {
        method: "POST",
        body,
        headers: { ...json, authorization: `Bearer ${user}` },
      });
    };
    const threadId = crypto.randomUUID();
    await create("ann", threadId, "count 1000 5");
    await sleep(20);
    await ask(runs, `${runsPath}/${threadId}`, { method: "DELETE" });
    assert.equal((await create("eve", threadId, "count 100 5")).status, 202);
    await until(
      async () => (await create("ann", crypto.randomUUID(), "count 1")).status === 202,
      20,
    );
    assert.equal(
      (await ask(runs, "/api/v1/agent/history")).status,
      200,
      "the latest thread of a user may be another user's",
    );
    await runs.close();
  });
});
