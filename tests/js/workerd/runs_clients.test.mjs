// How other clients than the package's own read the events of a run.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { EventSource } from "eventsource";
import { HttpAgent } from "@ag-ui/client";
import { input, openRuns } from "../support/runs_site.mjs";

describe("other clients of the runs endpoints", () => {
  let site;
  let client;
  before(async () => {
    site = await openRuns({ KEEP_ALIVE: "100" });
    client = site.client();
  });
  after(() => site?.close());

  test("an EventSource reads a run and stops at its end", async () => {
    const { threadId, runId } = await client.createRun(input("echo one two three", { delay: 5 }));
    const seen = [];
    let connections = 0;
    const source = new EventSource(`${site.base}/runs/${threadId}/events?runId=${runId}`, {
      fetch: (url, init) => {
        connections++;
        return fetch(url, { ...init, headers: { ...init.headers, authorization: "Bearer demo" } });
      },
    });
    const over = new Promise(
      (resolve) => (source.onerror = () => source.readyState === EventSource.CLOSED && resolve()),
    );
    for (const kind of ["RUN_STARTED", "TEXT_MESSAGE_CONTENT", "RUN_FINISHED"]) {
      source.addEventListener(kind, ({ data, lastEventId }) =>
        seen.push([kind, JSON.parse(data).delta, lastEventId]),
      );
    }
    await over;
    assert.equal(connections, 2);
    assert.equal(seen.flatMap(([, delta]) => delta ?? []).join(""), "one two three");
    assert.deepEqual([seen[0][0], seen.at(-1)[0]], ["RUN_STARTED", "RUN_FINISHED"]);
    assert.equal(new Set(seen.map(([, , id]) => id)).size, seen.length);
  });

  test("the official AG-UI client reads the events", async () => {
    const { threadId, runId } = await client.createRun(input("杭州的天气怎么样？"));
    const events = `${site.base}/runs/${threadId}/events?runId=${runId}`;
    class Resumable extends HttpAgent {
      requestInit() {
        return {
          method: "GET",
          headers: { authorization: "Bearer demo", accept: "text/event-stream" },
        };
      }
    }
    const agent = new Resumable({ url: events, threadId });
    const { newMessages } = await agent.runAgent({ runId });
    const { snapshot } = await client.events(threadId, runId).finished();
    assert.deepEqual(
      newMessages.map(({ role, content }) => [role, content]),
      snapshot.messages.map(({ role, content }) => [role, content]),
    );
    assert.match(newMessages.findLast(({ role }) => role === "assistant").content, /^杭州现在/);
  });
});
