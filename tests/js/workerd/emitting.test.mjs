import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { Decoder } from "agentwire";
import { COMPATIBILITY_DATES, startWorker } from "../support/worker.mjs";
import { until } from "../support/until.mjs";

const entry = fileURLToPath(new URL("emitting.worker.mjs", import.meta.url));

for (const compatibilityDate of COMPATIBILITY_DATES) {
  describe(`in workerd of ${compatibilityDate}`, () => {
    let worker;
    before(async () => {
      // Without this flag the runtime does not report that a client has disconnected
      // (workerd#6832).
      worker = await startWorker(entry, {
        compatibilityDate,
        compatibilityFlags: ["enable_request_signal"],
      });
    });
    after(() => worker?.dispose());

    /** Returns the outcome of an agent, whose stream must be valid. */
    async function outcomeOf(path) {
      const response = await worker.dispatchFetch(`http://localhost${path}`);
      assert.equal(response.headers.get("content-type"), "text/event-stream; charset=utf-8");
      const decoder = new Decoder({ protocol: "agent-api" });
      decoder.push(new Uint8Array(await response.arrayBuffer()));
      const outcome = decoder.finish();
      assert.deepEqual(outcome.report.violations, []);
      return outcome;
    }

    test("a run is streamed", async () => {
      const { snapshot: response } = await outcomeOf("/text");
      assert.equal(response.status, "completed");
      assert.equal(response.output[0].content[0].text, "Hello");
    });

    test("an exception of the agent ends the run as failed", async () => {
      const { snapshot: response } = await outcomeOf("/throws");
      assert.equal(response.status, "failed");
      assert.equal(response.error.message, "the model is gone");
      assert.equal(response.output[0].content[0].text, "so far");
    });

    test("an error that is not meant for the client is masked", async () => {
      const { snapshot: response } = await outcomeOf("/breaks");
      assert.equal(response.error.code, "AGENT_UNKNOWN_ERROR");
      assert.match(response.error.message, /^an internal error happened, its id is [0-9a-f-]{36}$/);
    });

    test("heartbeats keep the connection of a silent agent open", async () => {
      const { snapshot: response, report } = await outcomeOf("/silent");
      assert.ok(report.comments >= 2, `${report.comments} heartbeats`);
      assert.equal(response.output[0].content[0].text, "at last");
    });

    test("a run that is larger than all buffers is complete", async () => {
      const { snapshot: response } = await outcomeOf("/long");
      assert.equal(response.output[0].content[0].text.length, 200_000);
    });

    test("the agent is stopped when the client disconnects", async () => {
      const leave = new AbortController();
      const { body } = await fetch(new URL("/left", await worker.ready), { signal: leave.signal });
      await body.getReader().read();
      leave.abort();
      const told = async () => (await worker.dispatchFetch("http://localhost/told")).json();
      await until(told, 20);
    });

    test("the agent is stopped when a reader in the same worker leaves the loop", async () => {
      const response = await worker.dispatchFetch("http://localhost/within");
      assert.deepEqual(await response.json(), { ended: "aborted", told: true });
    });
  });
}
