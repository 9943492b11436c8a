// The JavaScript examples of the README do what it says.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import * as agentwire from "agentwire";

const readme = await readFile(new URL("../../README.md", import.meta.url), "utf8");
const AsyncFunction = (async () => {}).constructor;

/** The example under that name, as a function of what it takes for granted; it returns what the example exports. */
function example(name, ...given) {
  const [, code] = readme.match(new RegExp("```js " + name + "\\n([\\s\\S]*?)```")) ?? assert.fail(`no example ${name}`);
  assert.ok(code.trim().split("\n").length <= 11, "about ten lines");
  const body = code
    .replace(/^import (\{.*\}) from "agentwire";$/m, "const $1 = agentwire;")
    .replace("export default", "return");
  assert.doesNotMatch(body, /^(import|export)\b/m);
  return new AsyncFunction("agentwire", ...given, body);
}

test("the browser example renders the answer", async () => {
  const stream = await readFile(new URL("../corpus/agent_api/34_unicode/stream.sse", import.meta.url));
  const asked = [];
  const fetch = async (path, { method, body }) => {
    asked.push([path, method, JSON.parse(body).input[0].role]);
    return new Response(stream, { headers: { "content-type": "text/event-stream" } });
  };
  const seen = [];
  const render = (output, changes) => seen.push([output.length, changes.length]);
  await example("browser", "fetch", "render", "offerRetry")(agentwire, fetch, render, () => assert.fail("ended well"));
  assert.deepEqual(asked, [["/process", "POST", "user"]]);
  assert.ok(seen.length > 0 && seen.at(-1)[0] > 0 && seen.at(-1)[1] > 0);
});

test("the edge example answers with a legal stream", async () => {
  async function* model(signal) {
    assert.ok(signal instanceof AbortSignal);
    yield* ["Hel", "lo"];
  }
  const worker = await example("worker", "model")(agentwire, model);
  const response = worker.fetch(new Request("http://127.0.0.1/process", { method: "POST", body: "{}" }));
  const outcome = await agentwire.read(response).done;
  assert.deepEqual(outcome.report.violations, []);
  assert.equal(outcome.response.output[0].content[0].text, "Hello");
});
