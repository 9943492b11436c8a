// The JavaScript examples of the README, and of the page that npm shows, do what is said there.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import * as agentwire from "agentwire";
import { createRequest } from "agentwire/agent-api";
import { asked, posting } from "../support/asking.mjs";
import { examplesOf } from "../support/examples.mjs";

const ORIGIN = "http://127.0.0.1";

for (const path of ["README.md", "pkg/README.md"]) {
  const { example } = await examplesOf(path, 11);

  test(`${path}: the browser example renders the answer`, async () => {
    const stream = await readFile(new URL("../../corpus/agent-api/34_unicode/stream.sse", import.meta.url));
    const questions = [];
    const fetch = async (request) => {
      questions.push((await asked(request)).input[0].role);
      return new Response(stream, { headers: { "content-type": "text/event-stream" } });
    };
    const seen = [];
    const render = (output, changes) => seen.push([output.length, changes.length]);
    await example("browser", "fetch", "render", "offerRetry")({}, fetch, render, () => assert.fail("ended well"));
    assert.deepEqual(questions, ["user"]);
    assert.ok(seen.length > 0 && seen.at(-1)[0] > 0 && seen.at(-1)[1] > 0);
  });

  test(`${path}: the edge example answers with a legal stream, in every protocol`, async () => {
    const worker = await example("worker")();
    const run = agentwire.read(worker.fetch(createRequest(`${ORIGIN}/process`, "hi", { sessionId: "s" })), { protocol: "agent-api" });
    const { snapshot, report } = await run.finished();
    assert.deepEqual([report.violations, snapshot.session_id, snapshot.output[0].content[0].text], [[], "s", "You said: hi"]);
    const input = { threadId: "t", runId: "r", messages: [{ id: "m", role: "user", content: "ho" }], state: {}, tools: [], context: [], forwardedProps: {} };
    const thread = await agentwire.read(worker.fetch(posting("/ag-ui", input)), { protocol: "ag-ui" }).finished();
    assert.deepEqual([thread.report.violations, thread.snapshot.messages.at(-1).content], [[], "You said: ho"]);
    const turn = await agentwire.read(worker.fetch(posting("/send-message", { conversationId: "c", messages: [{ role: "user", content: "hu" }] })), { protocol: "ag-kit" }).finished();
    assert.deepEqual([turn.report.violations, turn.snapshot.parts[0].text], [[], "You said: hu"]);
    const response = await agentwire.read(worker.fetch(posting("/v1/responses", { model: "m", input: "he", stream: true })), { protocol: "responses" }).finished();
    assert.deepEqual([response.report.violations, response.snapshot.output[0].content[0].text], [[], "You said: he"]);
    const message = { messageId: "m", role: "ROLE_USER", parts: [{ text: "ha" }] };
    const rpc = posting("/a2a", { jsonrpc: "2.0", id: 1, method: "SendStreamingMessage", params: { message } });
    const task = await agentwire.read(worker.fetch(rpc), { protocol: "a2a" }).finished();
    assert.deepEqual([task.report.violations, task.snapshot.task.artifacts[0].parts[0].text], [[], "You said: ha"]);
  });
}
