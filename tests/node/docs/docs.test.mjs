// The JavaScript examples of the documents in `docs` behave as documented.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, test } from "node:test";
import * as agentwire from "agentwire";
import * as agentApi from "agentwire/agent-api";
import * as responsesEntry from "agentwire/responses";
import * as server from "agentwire/server";
import * as store from "agentwire/store";
import { asked, posting } from "../support/asking.mjs";
import { examplesOf } from "../support/examples.mjs";

const agKit = await examplesOf("docs/protocols/ag-kit.md", 14);
const agUi = await examplesOf("docs/protocols/ag-ui.md", 20);
const converting = await examplesOf("docs/guides/converting.md", 25);
const errors = await examplesOf("docs/reference/errors.md", 12);
const frontEnds = await examplesOf("docs/guides/front-ends.md", 20);
const connects = await examplesOf("docs/guides/connect.md", 14);
const servers = await examplesOf("docs/guides/servers.md", 14);
const validating = await examplesOf("docs/guides/validating.md", 16);
/** Those that `tests/browser` and readme.test.mjs run. */
const ELSEWHERE = ["vue", "svelte", "connect"];
const documents = [agKit, agUi, converting, errors, frontEnds, connects, servers, validating].flatMap(({ names }) => names);
const run = new Set(ELSEWHERE);
after(() => assert.deepEqual([...run].sort(), [...documents].sort(), "every example is run"));

function example({ example }, name, ...given) {
  run.add(name);
  return example(name, ...given);
}

/** `connect` as in a page, with this server. */
const connecting = (connect, fetch) => (url, options) => connect(new URL(url, "http://127.0.0.1"), { ...options, fetch: (request) => fetch(request) });

/** A server that answers each request with the stream of the next case, and keeps the requests. */
function serving(...cases) {
  const questions = [];
  const fetch = async (path, init) => {
    assert.equal(new URL(path instanceof Request ? path.url : path, "http://127.0.0.1").pathname, "/send-message");
    questions.push(await asked(path, init));
    const stream = await readFile(new URL(`../../corpus/ag-kit/${cases[questions.length - 1]}/stream.sse`, import.meta.url));
    return new Response(stream, { headers: { "content-type": "text/event-stream" } });
  };
  return { fetch, questions };
}

test("basic chat", async () => {
  const { fetch } = serving("k01_basic_text");
  const seen = [];
  const render = (parts, changes) => seen.push([parts.length, changes.length]);
  const code = example(agKit, "basic-chat", "fetch", "conversationId", "render", "offerRetry");
  await code({}, fetch, "c", render, () => assert.fail("it was whole"));
  assert.ok(seen.some(([parts, changes]) => parts === 1 && changes > 0));
});

test("client tool calls", async () => {
  const { fetch, questions } = serving("k03_client_tool_call", "k04_client_tool_result_followup");
  const ran = [];
  const runTool = async (name, args) => (ran.push([name, args]), "it is blue");
  const tools = [{ name: "change-background-color", description: "d", parameters: {} }];
  const code = example(agKit, "client-tools", "fetch", "conversationId", "tools", "runTool");
  const turn = await code({}, fetch, "c", tools, runTool);
  assert.equal(turn.status, "completed");
  assert.deepEqual(ran, [["change-background-color", { color: "blue" }]]);
  assert.deepEqual(questions[1].messages, [{ role: "tool", toolCallId: "a_b_c", content: "it is blue" }]);
  assert.equal(questions[1].tools[0].parameters, "{}");
});

test("AG-UI: asking, answering calls, resuming", async () => {
  const requests = [];
  const fetch = async (request) => {
    const input = server.parseRequest("ag-ui", await request.text());
    requests.push(input);
    const run = new server.AgUiStreamBuilder({ threadId: input.threadId, runId: input.runId, ids: "numbered" });
    const events = [
      [() => run.toolCallStart("c1", "book"), () => run.toolCallArgs("c1", '{"seats":2}'), () => run.toolCallEnd("c1"), () => run.finish()],
      [() => run.finish({ type: "interrupt", interrupts: [{ id: "i1", reason: "confirmation", message: "Sure?" }] })],
      [() => run.text("Booked."), () => run.finish()],
    ][requests.length - 1];
    const sse = [() => run.start(), ...events].flatMap((make) => make()).map((event) => event.toSse());
    return new Response(sse.join(""), { headers: { "content-type": "text/event-stream" } });
  };
  const ran = [];
  const runTool = async (name, value) => (ran.push([name, value]), { row: 7 });
  const code = example(agUi, "asking", "fetch", "threadId", "tools", "runTool", "confirm");
  const tools = [{ name: "book", description: "d", parameters: {} }];
  const snapshot = await code({}, fetch, "t", tools, runTool, async (message) => message === "Sure?");
  assert.deepEqual(ran, [["book", { seats: 2 }]]);
  assert.equal(requests[1].messages.at(-1).content, '{"row":7}');
  assert.deepEqual(requests[2].resume, [{ interruptId: "i1", status: "resolved", payload: { approved: true } }]);
  assert.deepEqual(requests[2].tools, tools);
  assert.equal(snapshot.messages.at(-1).content, "Booked.");
});

test("AG-UI: writing", async () => {
  const model = async function* (messages) {
    yield* [`${messages.length}`, " asked"];
  };
  const handler = await example(agUi, "writing", "model")({}, model);
  const body = JSON.stringify({
    threadId: "t", runId: "r", state: { city: "Oslo" }, messages: [{ role: "user", id: "m", content: "Hi!" }], tools: [], context: [], forwardedProps: {},
  });
  const answer = await handler.fetch(new Request("http://127.0.0.1/ag-ui", { method: "POST", headers: { "content-type": "application/json" }, body }));
  const { snapshot, report } = await agentwire.read(answer, { protocol: "ag-ui", state: { city: "Oslo" } }).finished();
  assert.deepEqual(report.violations, []);
  assert.deepEqual([snapshot.threadId, snapshot.state, snapshot.status], ["t", { asked: 1 }, "interrupted"]);
  assert.deepEqual(snapshot.messages.map(({ role }) => role), ["activity", "assistant"]);
  assert.equal(snapshot.messages.at(-1).content, "1 asked");
});

test("AG-UI: the builder", async () => {
  const frames = [];
  const send = (...events) => frames.push(...events.flat().map((event) => event.toSse()));
  const state = { dish: "meat", place: "a small one by the sea, with a view" };
  await example(agUi, "builder", "threadId", "runId", "state", "send")({}, "t", "r", state, send);
  assert.ok(frames.some((frame) => frame.includes("TEXT_MESSAGE_CHUNK")) && frames.some((frame) => frame.includes("STATE_DELTA")));
  const { snapshot, report } = await agentwire.read(new Response(frames.join("")).body, { protocol: "ag-ui", state }).finished();
  assert.deepEqual(report.violations, []);
  assert.deepEqual([snapshot.state.dish, snapshot.status], ["salmon", "finished"]);
  assert.deepEqual(snapshot.messages.map(({ role }) => role), ["reasoning", "assistant", "tool"]);
});

test("one shape of answer for every protocol", async () => {
  const { fetch } = serving("server_tool");
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ conversationId: "c", messages: [{ role: "user", content: "Hi!" }] });
  const types = [];
  const render = (output) => types.push(output.map(({ type }) => type));
  const code = example(converting, "as", "fetch", "url", "headers", "body", "render", "log");
  await code({}, fetch, "/send-message", headers, body, render, () => assert.fail("nothing is lost"));
  assert.ok(types.at(-1).includes("function_call_output"), JSON.stringify(types.at(-1)));
});

test("server tool calls", async () => {
  const { fetch } = serving("server_tool");
  const calls = [];
  const code = example(agKit, "server-tools", "fetch", "conversationId", "showCall");
  await code({}, fetch, "c", (...call) => calls.push(call));
  assert.deepEqual(calls.at(-1), ["get_weather", "answered", { city: "北京" }, '{"temp":25}']);
});

test("interrupts", async () => {
  const { fetch, questions } = serving("interrupt", "resumed");
  const code = example(agKit, "interrupts", "fetch", "conversationId", "confirm");
  const turn = await code({}, fetch, "c", async ({ q }) => q === "Delete it?");
  assert.equal(turn.status, "completed");
  assert.deepEqual(questions[1].resume.payload, '{"approved":true}');
});

test("an AG-Kit server", async () => {
  async function* model([{ content }]) {
    yield* ["You said ", content];
  }
  const worker = await example(agKit, "server", "model")({}, model);
  const body = JSON.stringify({ conversationId: "c", messages: [{ role: "user", content: "hi" }] });
  const response = await worker.fetch(posting("/send-message", body));
  const outcome = await agentwire.read(response, { protocol: "ag-kit" }).finished();
  assert.deepEqual(outcome.report.violations, []);
  assert.equal(outcome.snapshot.parts[0].text, "You said hi");
});

test("a stream in passing", async () => {
  const input = [{ role: "user", content: [{ type: "text", text: "hi" }] }];
  for (const session of [{ session_id: "s" }, {}]) {
    const { fetch, questions } = serving("interrupt_then_error");
    const worker = await example(converting, "pipe", "fetch", "log")({}, fetch, () => {});
    const response = await worker.fetch(posting("/process", { input, ...session }));
    const outcome = await agentwire.read(response, { protocol: "agent-api" }).finished();
    assert.deepEqual([outcome.snapshot.status, outcome.report.violations], ["failed", []]);
    assert.equal(questions[0].messages[0].content, "hi");
    assert.equal(outcome.snapshot.session_id, session.session_id ?? questions[0].conversationId);
  }
});

test("one agent behind many protocols", async () => {
  async function* model(input) {
    yield input[0].content[0].text;
  }
  const worker = await example(converting, "mount", "model")({}, model);
  const body = JSON.stringify({ conversationId: "c", messages: [{ role: "user", content: "hi" }] });
  const response = await worker.fetch(posting("/send-message", body));
  assert.match(await response.text(), /"content":"hi"/);
});

test("errors", async () => {
  const reported = [];
  const secret = new Error("password is 1234");
  const answerTo = async () => Promise.reject(secret);
  const given = ["mayAsk", "answerTo", "report"];
  const code = example(converting, "errors", ...given);
  const ends = async (mayAsk) => {
    const worker = await code({}, async () => mayAsk, answerTo, (id, error) => reported.push([id, error]));
    const response = await worker.fetch(posting("/process", { session_id: "s", input: [] }));
    return (await agentwire.read(response, { protocol: "agent-api" }).finished()).snapshot.error;
  };
  assert.deepEqual(await ends(false), { code: "QUOTA_EXCEEDED", message: "no more questions today" });
  const masked = await ends(true);
  const [id, error] = reported.at(-1);
  assert.equal(error, secret);
  assert.deepEqual(masked, { code: "AGENT_UNKNOWN_ERROR", message: `an internal error happened, its id is ${id}` });
});

test("a protocol of your own", async () => {
  const agent = async (out, request) => {
    const text = out.message().text();
    await text.delta(request.input[0].content[0].text);
  };
  const worker = await example(converting, "own", "agent")({}, agent);
  const response = await worker.fetch(posting("/chat", { ask: "hi", room: "r" }));
  assert.equal(await response.text(), '{"say":"hi"}\n{"bye":true}\n');
});

test("catching errors", async () => {
  const body = JSON.stringify({ session_id: "s", input: [] });
  const code = example(errors, "catching", "fetch", "body");
  const outcome = (response) => code({}, async (path, init) => (await asked(path, init), response), body);
  const stream = await readFile(new URL("../../corpus/agent-api/34_unicode/stream.sse", import.meta.url));
  const type = { "content-type": "text/event-stream" };
  assert.equal(await outcome(new Response(stream, { headers: type })), "completed");
  assert.equal(await outcome(new Response("", { status: 429, headers: { "retry-after": "7" } })), "later: in 7 s");
  const broken = new ReadableStream({ start: (controller) => controller.error(new TypeError("terminated")) });
  assert.equal(await outcome(new Response(broken, { headers: type })), "broken off after 0 events");
  await assert.rejects(outcome(new Response("", { status: 500 })), agentwire.HttpError);
});

/** A server of the Agent API that answers with these streams, and keeps the requests. */
function processing(...streams) {
  const questions = [];
  const fetch = async (path, init) => {
    questions.push(await asked(path, init));
    return server.respond({}, { protocol: "agent-api" }, streams[questions.length - 1]);
  };
  return { fetch, questions };
}

const saying = (text) => (out) => out.message().text().delta(text);

test("a run as a store", async () => {
  const { fetch, questions } = processing(saying("Hello"));
  const body = JSON.stringify({ session_id: "s", input: [] });
  const drawn = [];
  const code = example(frontEnds, "store", "fetch", "body", "draw");
  await code({}, fetch, body, (state) => drawn.push(state));
  assert.equal(questions.length, 1);
  assert.deepEqual([drawn.at(-1).status, drawn.at(-1).snapshot.output[0].content[0].text], ["done", "Hello"]);
});

test("a conversation", async () => {
  const calling = (out) => out.tool("get-location", { callId: "1" }).arguments("{}");
  const { fetch, questions } = processing(calling, saying("In 杭州."));
  let conversation;
  const createConversation = (...given) => (conversation = store.createConversation(...given));
  const code = example(frontEnds, "conversation");
  await code({ connect: connecting(agentApi.connect, fetch), createConversation });
  const { turns, status } = conversation.getSnapshot();
  assert.deepEqual([turns.length, status, turns[1].snapshot.output[0].content[0].text], [2, "done", "In 杭州."]);
  assert.equal(questions[0].session_id, questions[1].session_id);
  assert.equal(questions[0].input[0].content[0].text, "Where am I?");
  const [{ type, content }] = questions[1].input;
  const data = { call_id: "1", name: "get-location", output: '{"city":"杭州"}' };
  assert.deepEqual([type, content[0].data], ["function_call_output", data]);
});

test("an agent that asks, and its state", async () => {
  const sent = [];
  const agent = (out, { input }) => {
    const { type, content } = input.at(-1);
    return type === "mcp_approval_response" ? out.message().text().delta(String(content[0].data.approve)) : out.interrupt({ id: "q", reason: "approval", payload: { all: true } });
  };
  const handler = server.createHandler({ protocols: ["responses"], agent });
  const fetch = async (request) => (sent.push([request.headers.get("authorization"), await request.clone().json()]), handler(request));
  const code = example(connects, "approval", "url", "token", "confirm");
  const { connect } = { connect: connecting(responsesEntry.connect, fetch) };
  await code({ ...agentwire, connect }, "/v1/responses", async () => "t", async ({ all }) => all);
  assert.deepEqual(sent.map(([authorization]) => authorization), ["Bearer t", "Bearer t"]);
  assert.deepEqual(sent[1][1].input.at(-1), { type: "mcp_approval_response", approval_request_id: "q", approve: true });
});

test("one agent behind every protocol, and what it is given", async () => {
  const [counted, logged, keys] = [[], [], []];
  async function* model(input, { key, signal }) {
    assert.ok(signal instanceof AbortSignal);
    keys.push(key);
    yield input.at(-1).content[0].text;
  }
  const given = ["model", "count", "log"];
  const worker = await example(servers, "agent", ...given)({}, model, async (...call) => void counted.push(call), (...call) => void logged.push(call));
  const kept = [];
  const ctx = { waitUntil: (work) => void kept.push(work) };
  const message = { id: "m", role: "user", content: "hi" };
  for (const path of ["/ag-ui", "/send-message"]) {
    const request = posting(path, JSON.stringify({ threadId: "t", runId: "r", messages: [message], state: {}, tools: [], context: [], forwardedProps: {} }));
    const response = await worker.fetch(request, { KEY: "k" }, ctx);
    const { snapshot, report } = await agentwire.read(response, { protocol: "ag-ui" }).finished();
    assert.deepEqual([report.violations, snapshot.messages.at(-1).content, snapshot.state], [[], "hi", { phase: "thinking" }]);
    assert.equal(counted.at(-1)[0], response.headers.get("x-request-id"));
  }
  const turn = await agentwire.read(await worker.fetch(posting("/send-message", { conversationId: "c", messages: [{ role: "user", content: "yo" }] }), { KEY: "k" }, ctx), { protocol: "ag-kit" }).finished();
  assert.deepEqual(turn.snapshot.parts, [{ type: "text", text: "yo" }]);
  assert.deepEqual([keys, kept.length, logged], [["k", "k", "k"], 6, []]);
});

test("OpenAI Responses on a server", async () => {
  const kept = (id) => (id === "resp_1" ? Response.json({ id }) : undefined);
  const worker = await example(servers, "responses", "kept", "agent")({}, kept, (out) => out.message().text().delta("Sunny"));
  const asked = await worker.fetch(posting("/v1/responses", { model: "m", input: "Weather?" }));
  const { status, output } = await asked.json();
  assert.deepEqual([status, output[0].content[0].text], ["completed", "Sunny"]);
  const get = async (id) => (await worker.fetch(new Request(`http://localhost/v1/responses/${id}`))).status;
  assert.deepEqual([await get("resp_1"), await get("resp_2")], [200, 404]);
});

test("asking an agent", async () => {
  const { fetch, questions } = processing(saying("Sunny"));
  const code = example(servers, "request", "fetch", "url", "session", "signal");
  const ask = async (request) => fetch("/process", { method: request.method, headers: request.headers, body: await request.text() });
  const snapshot = await code({}, ask, "http://localhost/process", "s", new AbortController().signal);
  assert.equal(snapshot.output[0].content[0].text, "Sunny");
  assert.deepEqual([questions[0].session_id, questions[0].input[0].content[0].text], ["s", "Weather in Beijing?"]);
});

test("validating prints the violations that the page shows", async () => {
  const { explain } = await import("agentwire/rules");
  const lines = [];
  await example(validating, "testing", "console")({ ...agentwire, explain }, { log: (line) => lines.push(line) });
  const page = await readFile(new URL("../../../docs/guides/validating.md", import.meta.url), "utf8");
  assert.deepEqual(lines, [...page.matchAll(/^\/\/ (error .*)$/gm)].map(([, line]) => line));
});
