// The mistakes of first-time users: each throws an error with a code and with a message that names the remedy.
import assert from "node:assert/strict";
import { test } from "node:test";
import * as agentwire from "agentwire";
import { createRequest } from "agentwire/agent-api";
import * as server from "agentwire/server";
import { init } from "agentwire/reader/slim";
import { RunsClient, resumableFetch } from "agentwire/runs";
import { createConversation, createRunStore } from "agentwire/store";

const { read } = agentwire;
const EVENTS = ['{"type":"RUN_STARTED","threadId":"t","runId":"r"}', '{"type":"RUN_FINISHED","threadId":"t","runId":"r"}'].map((event) => `data: ${event}\n\n`).join("");
const stream = (body, init) => new Response(body, { headers: { "content-type": "text/event-stream" }, ...init });
const used = async () => {
  const response = stream(EVENTS);
  await response.text();
  return read(response, { protocol: "ag-ui" }).finished();
};
const twice = async () => {
  const run = read(stream(EVENTS), { protocol: "ag-ui" });
  for await (const _ of run);
  for await (const _ of run);
};
const cut = () => stream(new ReadableStream({ pull: (controller) => controller.error(new TypeError("terminated")) }));

/** The mistake, the code of the error, and its message. */
const MISTAKES = {
  "a text in the place of a response": [() => read(EVENTS), "wrong-source", /Response/],
  "an address in its place": [() => read("/process"), "wrong-source", /Response/],
  "a request in its place": [() => read(new Request("http://localhost/process")), "wrong-source", /Response/],
  "the answer of axios in its place": [() => read({ status: 200, data: EVENTS, headers: {} }), "wrong-source", /Response/],
  "nothing in its place": [() => read(undefined), "wrong-source", /Response/],
  "a page of HTML": [() => read(new Response("<!doctype html><title>Sign in</title>", { headers: { "content-type": "text/html" } })).finished(), "content-type", /text\/html, not text\/event-stream: Sign in$/],
  "JSON in one piece": [() => read(Response.json({ id: "r", status: "completed" })).finished(), "content-type", /application\/json.*completed/],
  "no token": [() => read(Response.json({ error: { message: "bad key" } }, { status: 401 })).finished(), "http-status", /^the server answered 401: bad key$/],
  "a page of a proxy": [() => read(new Response("<html>\n<head><title>\n502 Bad Gateway</title></head><hr>nginx</html>", { status: 502 })).finished(), "http-status", /^the server answered 502: 502 Bad Gateway$/],
  "a problem body": [() => read(Response.json({ type: "about:blank", title: "Too Many Requests", detail: "Wait a while." }, { status: 429 })).finished(), "http-status", /^the server answered 429: Wait a while\.$/],
  "an error that is a text": [() => read(Response.json({ error: "no such path", message: "" }, { status: 404 })).finished(), "http-status", /^the server answered 404: no such path$/],
  "JSON that says nothing": [() => read(Response.json(null, { status: 500 })).finished(), "http-status", /^the server answered 500: null$/],
  "a body that is no object": [() => read(Response.json({ detail: [{ loc: ["body"], msg: "Input should be a valid dictionary or object to extract fields from", type: "model_attributes_type" }] }, { status: 422 })).finished(), "http-status", /content-type: application\/json/],
  "a body that was read": [used, "body-used", /was read/],
  "a run that was read": [twice, "consumed", /read once/],
  "a network that breaks": [() => read(cut()).finished(), "connection-lost", /terminated/],
  "a server that is not there": [() => read(fetch("http://127.0.0.1:9/")).finished(), "connection-lost", /fetch failed: connect ECONNREFUSED 127\.0\.0\.1:9|fetch failed: bad port/],
  "a server that refuses": [() => read(fetch("http://127.0.0.1:59999/")).finished(), "connection-lost", /fetch failed: connect ECONNREFUSED 127\.0\.0\.1:59999/],
  "a page that is not let through": [() => read(Promise.reject(new TypeError("Failed to fetch"))).finished(), "connection-lost", /CORS/],
  "an option with a slip": [() => read(stream(EVENTS), { protocl: "ag-ui" }), "wrong-option", /`protocl`.*protocol, /],
  "an option of a decoder with a slip": [() => new agentwire.Decoder({ limit: {} }), "wrong-option", /`limit`.*limits/],
  "an option of events with a slip": [() => new agentwire.EventDecoder({ protocl: "ag-ui" }), "wrong-option", /`protocl`/],
  "an option of a handler with a slip": [() => server.createHandler({ agent: () => {}, corss: true }), "wrong-option", /createHandler\(\): there is no option `corss`: did you mean `cors`\?/],
  "an option of an adapter with a slip": [() => server.agentApiAdapter({ pth: "/x" }), "wrong-option", /`pth`.*path, /],
  "an option of A2A with a slip": [() => server.a2aAdapter({ skill: [] }), "wrong-option", /`skill`.*skills/],
  "an adapter that reads nothing": [() => server.defineAdapter({ path: "/x", protocol: "ag-ui" }), "missing-argument", /`convertRequest`/],
  "an option of CORS with a slip": [() => server.createHandler({ agent: () => {}, cors: { origins: "*" } }), "wrong-option", /`origins`.*origin, /],
  "an option of an answer with a slip": [() => server.respond(new Request("http://localhost"), { protocol: "agent-api", hartbeatMs: 1 }, () => {}), "wrong-option", /`hartbeatMs`.*heartbeatMs/],
  "an option of a conversion with a slip": [() => agentwire.convert({ form: "ag-ui", to: "agent-api" }), "wrong-option", /`form`.*from, to, /],
  "an option of a request with a slip": [() => createRequest("http://localhost", "?", { sesionId: "s" }), "wrong-option", /`sesionId`.*sessionId, /],
  "an option of runs with a slip": [() => new RunsClient("http://localhost", { header: {} }), "wrong-option", /`header`.*headers/],
  "an option of resumable answers with a slip": [() => resumableFetch({ idleTimeout: 1 }), "wrong-option", /`idleTimeout`: did you mean `idleTimeoutMs`/],
  "a conversation without a request": [() => createConversation({}), "missing-argument", /`request`, a function/],
  "an option of a conversation with a slip": [() => createConversation({ request: () => {}, tool: {} }), "wrong-option", /`tool`.*tools/],
  "an option of a store with a slip": [() => createRunStore(() => {}, { keep: true }), "wrong-option", /`keep`.*keepAlive/],
  "an address without a base": [() => createRequest("/process", "?"), "wrong-argument", /`\/process` needs a base URL/],
  "an adapter that was not called": [() => server.createHandler({ adapters: [server.agentApiAdapter], agent: () => {} }), "wrong-argument", /`agentApiAdapter\(\)`/],
  "an adapter that is none": [() => server.createHandler({ adapters: [{}], agent: () => {} }), "wrong-argument", /adapters\.0/],
  "a protocol that nobody has": [() => read(stream(EVENTS), { protocol: "agui" }), "unknown-protocol", /ag-ui/],
  "a text as a chunk": [() => new agentwire.Decoder().push(EVENTS), "wrong-chunk", /TextEncoder/],
  "a text in a stream to convert": [() => new Response(new ReadableStream({ start: (to) => to.enqueue(EVENTS) }).pipeThrough(agentwire.convert({ to: "agent-api" }))).text(), "wrong-chunk", /TextEncoder/],
  "no agent to mount": [() => server.createHandler({ adapters: [server.agUiAdapter()] }), "wrong-argument", /`agent`, a function/],
  "nothing to mount": [() => server.createHandler({ adapters: [], agent: () => {} }), "wrong-argument", /at least/],
  "one adapter without a list": [() => server.createHandler({ adapters: server.agUiAdapter(), agent: () => {} }), "wrong-argument", /`adapters` is a list/],
  "an option of a handler with a slip": [() => server.createHandler({ adapter: [], agent: () => {} }), "wrong-option", /`adapter`.*adapters/],
  "a protocol that no adapter has": [() => server.createHandler({ protocols: ["agui"], agent: () => {} }), "unknown-protocol", /ag-ui/],
  "an agent that is no function": [() => server.respond(new Request("http://localhost"), { protocol: "agent-api" }, "agent"), "wrong-argument", /takes a function/],
  "the end before the beginning": [() => new server.AgentApiStreamBuilder({ sessionId: "s" }).completed(), "response-not-created", /call `created\(\)`/],
  "a message before the response": [() => new server.AgentApiStreamBuilder({ sessionId: "s" }).createMessageBuilder().inProgress(), "response-not-created", /call `created\(\)`/],
};

for (const [mistake, [make, code, words]] of Object.entries(MISTAKES)) {
  test(mistake, async () => {
    await assert.rejects(async () => make(), (error) => {
      assert.ok(error instanceof agentwire.AgentwireError, String(error));
      assert.equal(error.code, code);
      assert.match(error.message, words);
      return true;
    });
  });
}

test("what is no error, and can be told by the report", async () => {
  const reportOf = async (...given) => (await read(...given).finished()).report;
  const aborted = await reportOf(stream(EVENTS), { signal: AbortSignal.abort() });
  assert.equal(aborted.endReason, "aborted");
  const other = await reportOf(stream(EVENTS), { protocol: "responses" });
  assert.deepEqual([other.endReason, other.violations[0].rule], ["truncated", "unknown-protocol"]);
  const compressed = new Blob([EVENTS]).stream().pipeThrough(new CompressionStream("gzip"));
  for (const body of [compressed, "<!doctype html><title>Sign in</title>\n\n"]) {
    const { endReason, events, bytes } = await reportOf(stream(body), { protocol: "ag-ui" });
    assert.deepEqual([endReason, events], ["truncated", 0]);
    assert.ok(bytes > 0);
  }
});

test("a request that has timed out ends as one that was aborted", async () => {
  const timedOut = () => Promise.reject(new DOMException("The operation was aborted due to timeout", "TimeoutError"));
  assert.equal((await read(timedOut()).finished()).report.endReason, "aborted");
  for await (const _ of agentwire.events(timedOut())) assert.fail();
});

test("what browsers report of WebAssembly that they do not load is told with what to do about it", async () => {
  const failing = (message) => init(Promise.reject(new TypeError(message)));
  const policy = "Refused to compile or instantiate WebAssembly module because 'unsafe-eval' is not an allowed source of script";
  await assert.rejects(failing(policy), { code: "wasm-unavailable", message: /'wasm-unsafe-eval'/ });
  await assert.rejects(failing("import() is disallowed on ServiceWorkerGlobalScope"), { code: "wasm-unavailable", message: /`slim`/ });
});
