// Logs of threads within their days and bytes: shortened, and then expired; and the reaction of
// clients.
import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { read } from "agentwire/ag-ui";
import { input, openRuns, ran } from "../support/runs_site.mjs";
import { until } from "../support/until.mjs";

const story = (demo, threadId) =>
  input("tell me a long story", { variant: "long", ...demo }, threadId && { threadId });
const readRun = (text) =>
  read(new Response(text, { headers: { "content-type": "text/event-stream" } })).finished();

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

  test("older runs are compacted and then expire to stay within the byte limit, and the history is kept", async () => {
    // A run has about 15,000 bytes, and 1,700 when it is shortened.
    const site = await open({ LOG_BYTES: "20000" });
    const client = site.client();
    const runs = [];
    for (let more = 0; more < 25; more++) {
      const request = story({ delay: more === 22 ? 3 : 0, tokens: 100 }, runs[0]?.threadId);
      const { threadId, runId } = request;
      const { taskId } = await client.createRun(request);
      const text = await (await ask(site, threadId, runId)).text();
      const [first] = idsOf(text);
      runs.push({ request, taskId, threadId, runId, first, text });
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
    // Nothing expires before all is shortened; then the oldest do.
    await until(async () => /^(410 ){3,}(200 ?){5,}$/.test(await found()));
    const [first] = runs;
    await refused(await ask(site, threadId, first.runId), 410, "AGENT_RUN_EXPIRED");
    await assert.rejects(client.events(threadId, first.runId).finished(), { status: 410 });
    const last = await client.events(threadId, runs.at(-1).runId).finished();
    assert.equal(last.report.endReason, "completed");
    // Cursors of a run stay valid: the events before a cursor, as written or shortened, and the
    // events after it give the snapshot.
    const { runId, text } = runs[22];
    const short = await (await ask(site, threadId, runId)).text();
    assert.ok(idsOf(text).length > 20 && idsOf(short).length < 20, text);
    const { snapshot: whole } = await client.events(threadId, runId).finished();
    const frames = (text) => text.split("\n\n").filter((frame) => frame.startsWith("id: "));
    for (const given of [text, short]) {
      for (const [at, id] of idsOf(given).slice(0, -1).entries()) {
        const rest = await ask(site, threadId, runId, id);
        assert.equal(rest.status, 200, id);
        const all = [...frames(given).slice(0, at + 1), ...frames(await rest.text())]
          .map((frame) => `${frame}\n\n`)
          .join("");
        const { snapshot, report } = await readRun(all);
        assert.deepEqual([report.endReason, snapshot], ["completed", whole], id);
      }
    }
    assert.equal((await ask(site, threadId, runId, idsOf(text).at(-1))).status, 204);
    const { messages } = await client.history({ threadId });
    assert.equal(messages.filter(({ role }) => role === "user").length, runs.length);
    assert.equal((await client.createRun(first.request)).taskId, first.taskId);
  });

  test("a run that is larger than the log expires when it ends and does not run again", async () => {
    const site = await open({ LOG_BYTES: "1000" });
    const client = site.client();
    const request = story({ delay: 0, tokens: 500 });
    const { threadId, runId } = request;
    const { taskId } = await client.createRun(request);
    await until(async () => (await ask(site, threadId, runId)).status === 410);
    await refused(await ask(site, threadId, runId), 410, "AGENT_RUN_EXPIRED");
    assert.equal((await client.createRun(request)).taskId, taskId);
    const next = input("echo next", undefined, { threadId });
    await client.createRun(next);
    await until(async () => (await client.history({ threadId })).messages.length === 4);
    const { messages } = await client.history({ threadId });
    assert.deepEqual(
      messages.map(({ role }) => role),
      ["user", "assistant", "user", "assistant"],
    );
  });
});
