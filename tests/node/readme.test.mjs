// The JavaScript examples of the README do what it says.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import * as agentwire from "agentwire";
import { asked, posting } from "./asking.mjs";
import { examplesOf } from "./examples.mjs";

const { example } = await examplesOf("README.md", 11);

test("the browser example renders the answer", async () => {
  const stream = await readFile(new URL("../corpus/agent-api/34_unicode/stream.sse", import.meta.url));
  const questions = [];
  const fetch = async (path, init) => {
    questions.push([path, (await asked(path, init)).input[0].role]);
    return new Response(stream, { headers: { "content-type": "text/event-stream" } });
  };
  const seen = [];
  const render = (output, changes) => seen.push([output.length, changes.length]);
  await example("browser", "fetch", "render", "offerRetry")(agentwire, fetch, render, () => assert.fail("ended well"));
  assert.deepEqual(questions, [["/process", "user"]]);
  assert.ok(seen.length > 0 && seen.at(-1)[0] > 0 && seen.at(-1)[1] > 0);
});

test("the edge example answers with a legal stream", async () => {
  async function* model(signal) {
    assert.ok(signal instanceof AbortSignal);
    yield* ["Hel", "lo"];
  }
  const worker = await example("worker", "model")(agentwire, model);
  const response = worker.fetch(posting("/process", { session_id: "s", input: [] }));
  const outcome = await agentwire.read(response).finished();
  assert.deepEqual(outcome.report.violations, []);
  assert.equal(outcome.response.output[0].content[0].text, "Hello");
});
