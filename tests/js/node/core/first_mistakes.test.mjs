// The mistakes of first-time users: each throws an error with a code and with a message that names
// the remedy.
import assert from "node:assert/strict";
import { test } from "node:test";
import * as agentwire from "agentwire";
import { createRequest } from "agentwire/agent-api";
import * as server from "agentwire/server";
import { load } from "../../../../pkg/build/core/wasm.js";
import { RunsClient, resumableFetch } from "agentwire/runs";
import { connect as connectAgUi } from "agentwire/ag-ui";
import { createStreamStore } from "agentwire/store";

const { read } = agentwire;
const EVENTS = [
  '{"type":"RUN_STARTED","threadId":"t","runId":"r"}',
  '{"type":"RUN_FINISHED","threadId":"t","runId":"r"}',
]
  .map((event) => `data: ${event}\n\n`)
  .join("");
const stream = (body, init) =>
  new Response(body, { headers: { "content-type": "text/event-stream" }, ...init });
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
/** A response whose address is known, as of `fetch`. */
const at = (url, status) =>
  Object.defineProperty(new Response("Not found", { status }), "url", { value: url });
const cut = () =>
  stream(
    new ReadableStream({ pull: (controller) => controller.error(new TypeError("terminated")) }),
  );

/** The mistake, the code of the error, and its message. */
const MISTAKES = {
  "a string instead of a response": [() => read(EVENTS), "wrong-source", /Response/],
  "a URL instead of a response": [() => read("/process"), "wrong-source", /Response/],
  "a Request instead of a response": [
    () => read(new Request("http://localhost/process")),
    "wrong-source",
    /Response/,
  ],
  "an axios response instead of a response": [
    () => read({ status: 200, data: EVENTS, headers: {} }),
    "wrong-source",
    /Response/,
  ],
  "undefined instead of a response": [() => read(undefined), "wrong-source", /Response/],
  "an HTML page": [
    () =>
      read(
        new Response("<!doctype html><title>Sign in</title>", {
          headers: { "content-type": "text/html" },
        }),
      ).finished(),
    "content-type",
    /text\/html, not text\/event-stream: Sign in$/,
  ],
  "a missing token": [
    () => read(Response.json({ error: { message: "bad key" } }, { status: 401 })).finished(),
    "http-status",
    /^the server answered 401: bad key$/,
  ],
  "an error page of a proxy": [
    () =>
      read(
        new Response("<html>\n<head><title>\n502 Bad Gateway</title></head><hr>nginx</html>", {
          status: 502,
        }),
      ).finished(),
    "http-status",
    /^the server answered 502: 502 Bad Gateway$/,
  ],
  "a problem details body": [
    () =>
      read(
        Response.json(
          { type: "about:blank", title: "Too Many Requests", detail: "Wait a while." },
          { status: 429 },
        ),
      ).finished(),
    "http-status",
    /^the server answered 429: Wait a while\.$/,
  ],
  "an error that is a string": [
    () => read(Response.json({ error: "no such path", message: "" }, { status: 404 })).finished(),
    "http-status",
    /^the server answered 404: no such path$/,
  ],
  "a path that the server does not have": [
    () => read(at("http://localhost:5173/ag-ui?token=secret#part", 404)).finished(),
    "http-status",
    /^the server answered 404 at http:\/\/localhost:5173\/ag-ui: Not found$/,
  ],
  "a path with another method": [
    () => read(at("http://localhost:5173/ag-ui", 405)).finished(),
    "http-status",
    /^the server answered 405 at http:\/\/localhost:5173\/ag-ui: Not found$/,
  ],
  "a model at a wrong address": [
    () =>
      server.callModel({
        protocol: "chat",
        model: "m",
        request: "Hi",
        fetch: () => at("http://localhost/v2/chat/completions?key=secret", 404),
      }),
    "http-status",
    /^the server answered 404 at http:\/\/localhost\/v2\/chat\/completions: Not found$/,
  ],
  "a JSON error body without a message": [
    () => read(Response.json(null, { status: 500 })).finished(),
    "http-status",
    /^the server answered 500: null$/,
  ],
  "a request body that is not an object": [
    () =>
      read(
        Response.json(
          {
            detail: [
              {
                loc: ["body"],
                msg: "Input should be a valid dictionary or object to extract fields from",
                type: "model_attributes_type",
              },
            ],
          },
          { status: 422 },
        ),
      ).finished(),
    "http-status",
    /content-type: application\/json/,
  ],
  "a body that is already used": [used, "body-used", /was read/],
  "a run that is iterated twice": [twice, "consumed", /read once/],
  "a broken connection": [() => read(cut()).finished(), "connection-lost", /terminated/],
  "a port that is not allowed": [
    () => read(fetch("http://127.0.0.1:9/")).finished(),
    "connection-lost",
    /fetch failed: connect ECONNREFUSED 127\.0\.0\.1:9|fetch failed: bad port/,
  ],
  "a server that is not running": [
    () => read(fetch("http://127.0.0.1:59999/")).finished(),
    "connection-lost",
    /fetch failed: connect ECONNREFUSED 127\.0\.0\.1:59999/,
  ],
  "a response blocked by CORS": [
    () => read(Promise.reject(new TypeError("Failed to fetch"))).finished(),
    "connection-lost",
    /CORS/,
  ],
  "a misspelled option of read()": [
    () => read(stream(EVENTS), { protocl: "ag-ui" }),
    "wrong-option",
    /`protocl`.*protocol, /,
  ],
  "a misspelled option of a decoder": [
    () => new agentwire.Decoder({ limit: {} }),
    "wrong-option",
    /`limit`.*limits/,
  ],
  "a misspelled option of an event decoder": [
    () => new agentwire.EventDecoder({ protocl: "ag-ui" }),
    "wrong-option",
    /`protocl`/,
  ],
  "a misspelled option of a handler": [
    () => server.createHandler({ agent: () => {}, corss: true }),
    "wrong-option",
    /createHandler\(\): there is no option `corss`: did you mean `cors`\?/,
  ],
  "a misspelled option of an adapter": [
    () => server.agentApiAdapter({ pth: "/x" }),
    "wrong-option",
    /`pth`.*path, /,
  ],
  "a misspelled option of a2aAdapter()": [
    () => server.a2aAdapter({ skill: [] }),
    "wrong-option",
    /`skill`.*skills/,
  ],
  "an adapter without `convertRequest`": [
    () => server.defineAdapter({ path: "/x", protocol: "ag-ui" }),
    "missing-argument",
    /`convertRequest`/,
  ],
  "a misspelled option of CORS": [
    () => server.createHandler({ agent: () => {}, cors: { origins: "*" } }),
    "wrong-option",
    /`origins`.*origin, /,
  ],
  "a misspelled option of respond()": [
    () =>
      server.respond(
        new Request("http://localhost"),
        { protocol: "agent-api", hartbeatMs: 1 },
        () => {},
      ),
    "wrong-option",
    /`hartbeatMs`.*heartbeatMs/,
  ],
  "a misspelled option of convert()": [
    () => agentwire.convert({ form: "ag-ui", to: "agent-api" }),
    "wrong-option",
    /`form`.*from, to, /,
  ],
  "a misspelled option of createRequest()": [
    () => createRequest("http://localhost", "?", { sesionId: "s" }),
    "wrong-option",
    /`sesionId`.*sessionId, /,
  ],
  "a misspelled option of RunsClient": [
    () => new RunsClient("http://localhost", { header: {} }),
    "wrong-option",
    /`header`.*headers/,
  ],
  "a misspelled option of resumableFetch()": [
    () => resumableFetch({ idleTimeout: 1 }),
    "wrong-option",
    /`idleTimeout`: did you mean `idleTimeoutMs`/,
  ],
  "a misspelled option of connect()": [
    () => connectAgUi("/ag-ui", { tool: {} }),
    "wrong-option",
    /`tool`.*tools/,
  ],
  "a message that is not a text": [
    () => connectAgUi("/ag-ui").send({ text: "Hi" }),
    "wrong-argument",
    /the input is a text, or a list/,
  ],
  "a misspelled option of createStreamStore()": [
    () => createStreamStore(() => {}, { keep: true }),
    "wrong-option",
    /`keep`.*keepAlive/,
  ],
  "a relative URL without a base": [
    () => createRequest("/process", "?"),
    "wrong-argument",
    /`\/process` needs a base URL/,
  ],
  "an adapter that was not called": [
    () => server.createHandler({ adapters: [server.agentApiAdapter], agent: () => {} }),
    "wrong-argument",
    /`agentApiAdapter\(\)`/,
  ],
  "an object that is not an adapter": [
    () => server.createHandler({ adapters: [{}], agent: () => {} }),
    "wrong-argument",
    /adapters\.0/,
  ],
  "an unknown protocol": [
    () => read(stream(EVENTS), { protocol: "agui" }),
    "unknown-protocol",
    /ag-ui/,
  ],
  "a string as a chunk": [() => new agentwire.Decoder().push(EVENTS), "wrong-chunk", /TextEncoder/],
  "a string in a stream to convert": [
    () =>
      new Response(
        new ReadableStream({ start: (to) => to.enqueue(EVENTS) }).pipeThrough(
          agentwire.convert({ to: "agent-api" }),
        ),
      ).text(),
    "wrong-chunk",
    /TextEncoder/,
  ],
  "a handler without an agent": [
    () => server.createHandler({ adapters: [server.agUiAdapter()] }),
    "wrong-argument",
    /`agent`, a function/,
  ],
  "a handler without adapters": [
    () => server.createHandler({ adapters: [], agent: () => {} }),
    "wrong-argument",
    /at least/,
  ],
  "an adapter instead of a list of adapters": [
    () => server.createHandler({ adapters: server.agUiAdapter(), agent: () => {} }),
    "wrong-argument",
    /`adapters` is a list/,
  ],
  "`adapter` instead of `adapters`": [
    () => server.createHandler({ adapter: [], agent: () => {} }),
    "wrong-option",
    /`adapter`.*adapters/,
  ],
  "an unknown protocol of a handler": [
    () => server.createHandler({ protocols: ["agui"], agent: () => {} }),
    "unknown-protocol",
    /ag-ui/,
  ],
  "an agent that is not a function": [
    () => server.respond(new Request("http://localhost"), { protocol: "agent-api" }, "agent"),
    "wrong-argument",
    /takes a function/,
  ],
  "completed() before created()": [
    () => new server.AgentApiStreamBuilder({ sessionId: "s" }).completed(),
    "response-not-created",
    /call `created\(\)`/,
  ],
  "a message before the response is created": [
    () => new server.AgentApiStreamBuilder({ sessionId: "s" }).createMessageBuilder().inProgress(),
    "response-not-created",
    /call `created\(\)`/,
  ],
};

for (const [mistake, [make, code, words]] of Object.entries(MISTAKES)) {
  test(mistake, async () => {
    await assert.rejects(
      async () => make(),
      (error) => {
        assert.ok(error instanceof agentwire.AgentwireError, String(error));
        assert.equal(error.code, code);
        assert.match(error.message, words);
        return true;
      },
    );
  });
}

test("an aborted run, a wrong protocol and a body without events are visible in the report", async () => {
  const reportOf = async (...given) => (await read(...given).finished()).report;
  const aborted = await reportOf(stream(EVENTS), { signal: AbortSignal.abort() });
  assert.equal(aborted.endReason, "aborted");
  const other = await reportOf(stream(EVENTS), { protocol: "responses" });
  assert.deepEqual([other.endReason, other.violations[0].rule], ["truncated", "unknown-protocol"]);
  const compressed = new Blob([EVENTS]).stream().pipeThrough(new CompressionStream("gzip"));
  const { endReason, events, bytes } = await reportOf(stream(compressed), { protocol: "ag-ui" });
  assert.deepEqual([endReason, events], ["truncated", 0]);
  assert.ok(bytes > 0);
});

test("a page or JSON in place of a stream is a failed answer with its text", async () => {
  for (const [source, words] of [
    [stream("<!doctype html><title>Sign in</title>\n\n"), /Sign in/],
    [Response.json({ id: "r", status: "completed" }), /"status":"completed"/],
  ]) {
    const { snapshot, report } = await read(source, { protocol: "ag-ui" }).finished();
    assert.equal(snapshot.status, "failed");
    assert.match(snapshot.error.message, words);
    assert.ok(report.violations.some(({ rule }) => rule === "foreign-error"));
  }
});

test("a request that times out ends as aborted", async () => {
  const timedOut = () =>
    Promise.reject(new DOMException("The operation was aborted due to timeout", "TimeoutError"));
  assert.equal((await read(timedOut()).finished()).report.endReason, "aborted");
  for await (const _ of agentwire.events(timedOut())) assert.fail();
});

test("a WebAssembly error of the browser is reported with its remedy", async () => {
  const failing = (message) =>
    load(
      () => ({}),
      [],
      () => Promise.reject(new TypeError(message)),
    );
  const policy =
    "Refused to compile or instantiate WebAssembly module because 'unsafe-eval' is not an allowed source of script";
  await assert.rejects(failing(policy), {
    code: "wasm-unavailable",
    message: /'wasm-unsafe-eval'/,
  });
  await assert.rejects(failing("import() is disallowed on ServiceWorkerGlobalScope"), {
    code: "wasm-unavailable",
    message: /`slim`/,
  });
});
