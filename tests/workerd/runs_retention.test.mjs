// Logs of threads within their days and bytes: shortened, and then forgotten; and what clients do about it.
import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { input, openRuns, ran } from "../support/runs_site.mjs";
import { until } from "../support/until.mjs";

const story = (demo, threadId) => input("tell me a long story", { variant: "long", ...demo }, threadId && { threadId });
/** Milliseconds of a day. */
const DAY = 24 * 3600 * 1000;

describe("retention of logs", () => {
  const sites = [];
  after(() => Promise.all(sites.map((site) => site.close())));
  async function open(vars) {
    const site = await openRuns({ KEEP_ALIVE: "100", ...vars }, { runsLimit: 100_000 });
    sites.push(site);
    return site;
  }
  const ask = (site, threadId, runId, cursor) =>
    fetch(`${site.base}/runs/${threadId}/events?runId=${runId}`, {
      headers: { authorization: "Bearer demo", ...(cursor && { "last-event-id": cursor }) },
    });
  const idsOf = (text) => [...text.matchAll(/^id: (.*)$/gm)].map(([, id]) => id);
  async function refused(response, status, code) {
    const text = await response.text();
    assert.equal(response.status, status, text);
    const problem = JSON.parse(text);
    assert.equal(problem.code, code);
    return problem;
  }

  test("an old run tells what it has come to; a cursor from before is refused, and the client reads it from its beginning", async () => {
    const life = 3000;
    const site = await open({ LOG_DAYS: String(life / DAY) });
    const client = site.client();
    const request = story({ delay: 2, tokens: 300 });
    const { threadId, runId } = await client.createRun(request);
    const text = await (await ask(site, threadId, runId)).text();
    const ids = idsOf(text);
    assert.ok(ids.length > 50, text);
    const early = ids[ids.length >> 1];
    assert.ok(idsOf(await (await ask(site, threadId, runId, early)).text()).length > 1);
    const { snapshot: whole } = await client.events(threadId, runId).finished();
    await until(async () => (await ask(site, threadId, runId, early)).status !== 200);
    const { detail } = await refused(await ask(site, threadId, runId, early), 422, "AGENT_INVALID_LAST_EVENT_ID");
    assert.match(detail, /shortened/);
    assert.equal((await ask(site, threadId, runId, ids.at(-1))).status, 204);
    const short = await (await ask(site, threadId, runId)).text();
    assert.ok(idsOf(short).length < 10 && idsOf(short).length > 2, short);
    assert.equal(idsOf(short).at(-1), ids.at(-1));
    // The same fold, from the beginning, with a cursor of old, and from each of those that are there now.
    for (const after of [undefined, early, ...idsOf(short).slice(0, -1)]) {
      const run = client.events(threadId, runId, { after });
      const { snapshot, report } = await run.finished();
      assert.deepEqual(snapshot, whole);
      assert.equal(report.ended, "terminal");
    }
    // The same request is the same run still, and the thread takes the next.
    assert.equal((await client.createRun(request)).created, true);
    const next = await ran(client, input("echo next", undefined, { threadId }));
    assert.equal(next.snapshot.messages.at(-1).content, "next");
  });

  test("a log is within its bytes: older runs are shortened, then forgotten, and the history stays", async () => {
    // A run has about 15,000 bytes, and 1,200 when it is shortened.
    const site = await open({ LOG_BYTES: "20000" });
    const client = site.client();
    const runs = [];
    for (let more = 0; more < 25; more++) {
      const request = story({ delay: 0, tokens: 100 }, runs[0]?.threadId);
      const { threadId, runId } = request;
      await client.createRun(request);
      const [first] = idsOf(await (await ask(site, threadId, runId)).text());
      runs.push({ threadId, runId, first });
    }
    const { threadId } = runs[0];
    const found = async () => {
      const statuses = [];
      for (const { runId, first } of runs) {
        const answer = await ask(site, threadId, runId, first);
        await answer.text();
        statuses.push(answer.status);
      }
      return statuses.join(" ");
    };
    // Nothing is forgotten before all is shortened; then the oldest are.
    await until(async () => /^(404 ){3,}(422 ?){5,}$/.test(await found()));
    const [first] = runs;
    await refused(await ask(site, threadId, first.runId), 404, "AGENT_RUN_NOT_FOUND");
    await assert.rejects(client.events(threadId, first.runId).finished(), { status: 404 });
    const last = await client.events(threadId, runs.at(-1).runId).finished();
    assert.equal(last.report.ended, "terminal");
    const { messages } = await client.history({ threadId });
    assert.equal(messages.filter(({ role }) => role === "user").length, runs.length);
  });
});
