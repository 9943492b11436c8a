// The error before `init()` names the entry point whose module is missing: a page can have
// initialized another one.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import * as agUi from "agentwire/ag-ui/slim";
import * as responses from "agentwire/responses/slim";
import * as runs from "agentwire/runs/slim";

const wasm = (name) => readFile(new URL(import.meta.resolve(`agentwire/${name}.wasm`)));
const missing = (entry) => ({
  code: "not-initialized",
  message: `agentwire/${entry} is not initialized: await init() of agentwire/${entry} first`,
});

test("the error names the entry point, also when another one is initialized", async () => {
  const offering = {
    "content-type": "text/event-stream",
    "preference-applied": "resumable",
    "content-location": "/x",
  };
  const resumed = () =>
    runs.resumableFetch({
      attempts: 1,
      fetch: async () => new Response("", { headers: offering }),
    })("http://localhost/", { method: "POST" });
  const client = new runs.RunsClient("http://localhost");
  const input = {
    threadId: crypto.randomUUID(),
    runId: "r",
    messages: [{ id: "m", role: "user", content: "Hi" }],
    forwardedProps: { runtime_mode: "chat" },
  };
  for (const initialized of [undefined, agUi]) {
    await initialized?.init(wasm("ag-ui"));
    assert.throws(() => new responses.Decoder(), missing("responses"));
    await assert.rejects(resumed(), missing("runs"));
    await assert.rejects(client.createRun(input), missing("runs"));
    assert.throws(() => client.events("t", "r"), missing("runs"));
  }
  await runs.init(wasm("runs"));
  assert.equal(await (await resumed()).text().catch(({ code }) => code), "connection-lost");
});
