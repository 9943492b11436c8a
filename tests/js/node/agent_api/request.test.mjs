// Requests to an Agent API server.
import assert from "node:assert/strict";
import { test } from "node:test";
import { read } from "agentwire";
import { createRequest } from "agentwire/agent-api";
import { agentApiAdapter, createHandler, parseRequest, validateRequest } from "agentwire/server";

const URL_ = "http://127.0.0.1/process";
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const input = [{ role: "user", content: [{ type: "text", text: "hi" }] }];

test("createRequest() turns a text into a valid request", async () => {
  const request = createRequest(URL_, "hi", {
    sessionId: "s",
    userId: "u",
    headers: { authorization: "Bearer x" },
  });
  assert.equal(request.method, "POST");
  const { "content-type": type, accept, authorization } = Object.fromEntries(request.headers);
  assert.deepEqual(
    [type, accept, authorization],
    ["application/json", "text/event-stream", "Bearer x"],
  );
  const asked = parseRequest("agent-api", await request.text());
  assert.deepEqual(validateRequest("agent-api", asked), []);
  assert.deepEqual(
    [asked.session_id, asked.user_id, asked.input[0].content[0].text],
    ["s", "u", "hi"],
  );
});

test("requests without a session id get different session ids", async () => {
  const sessions = await Promise.all(
    ["a", "b"].map(async (text) => (await createRequest(URL_, text).json()).session_id),
  );
  assert.notEqual(sessions[0], sessions[1]);
  sessions.forEach((session) => assert.match(session, UUID));
});

test("createRequest() accepts messages and whole requests, including large integers", async () => {
  assert.deepEqual((await createRequest(URL_, input).json()).input, input);
  const whole = createRequest(
    URL_,
    { input, session_id: "mine", biz_params: { id: 9007199254740993n } },
    { sessionId: "other" },
  );
  const body = await whole.text();
  assert.match(body, /"id":9007199254740993\b/);
  assert.equal(JSON.parse(body).session_id, "mine");
  for (const wrong of [undefined, null, 7, {}, { input: "hi" }]) {
    assert.throws(() => createRequest(URL_, wrong), { code: "wrong-argument" });
  }
});

test("aborting the signal stops the request and the agent", async () => {
  const controller = new AbortController();
  const request = createRequest(URL_, "hi", { signal: controller.signal });
  let stopped;
  const serve = createHandler({
    adapters: [agentApiAdapter()],
    agent: async (out) => {
      await new Promise((resolve) => out.signal.addEventListener("abort", resolve));
      stopped = out.signal.reason;
    },
  });
  const run = read(serve(request), { protocol: "agent-api", signal: controller.signal });
  const finished = run.finished();
  setTimeout(() => controller.abort(new Error("enough")), 10);
  assert.equal((await finished).report.endReason, "aborted");
  assert.equal(stopped.message, "enough");
});
