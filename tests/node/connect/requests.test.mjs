// The requests of `connect`: addresses, headers, the members that each protocol repeats, and mistakes in options.
import assert from "node:assert/strict";
import { test } from "node:test";
import { RunAgentInputSchema } from "@ag-ui/core/schemas";
import { AgentwireError, connect } from "agentwire";
import { parseRequest } from "agentwire/server";
import { connect as agUi } from "agentwire/ag-ui";
import { connect as connectAny } from "agentwire/reader";
import { connect as responses } from "agentwire/responses";
import { until } from "../support/sources.mjs";
import { connected, handler, reaching, read, storing, textOf } from "./agents.mjs";

const code = (code, words = /./) => (error) => error instanceof AgentwireError && error.code === code && words.test(error.message);
const wait = async (agent) => {
  for await (const { snapshot } of agent.send("Wait.")) {
    if (textOf(snapshot).includes("I wait")) break;
  }
};

test("the root and the reader accept the protocol as an option", async () => {
  for (const connect_ of [connect, connectAny]) {
    const agent = connect_("http://agent.test/ag-ui", { protocol: "ag-ui", fetch: handler });
    assert.equal((await read(agent.send("One."))).text, "You said: One.");
    assert.throws(() => connect_("/ag-ui", { protocol: "agui" }), code("unknown-protocol", /ag-ui/));
    assert.throws(() => connect_("/ag-ui"), code("unknown-protocol"));
  }
});

test("a relative URL outside of a page is an error that describes the fix when a request is sent", async () => {
  const agent = agUi("/ag-ui");
  await assert.rejects(agent.send("One.").finished(), code("wrong-argument", /`\/ag-ui` needs a base URL.*https:/));
  assert.equal(agent.status, "failed");
});

test("`headers` is an object or a function called per request; `credentials` is passed to fetch", async () => {
  const { fetch, sent } = reaching();
  const inits = [];
  let count = 0;
  const agent = agUi("http://agent.test/ag-ui", {
    credentials: "include",
    headers: async () => ({ authorization: `Bearer ${++count}`, accept: "text/event-stream, */*" }),
    fetch: (request, init) => (inits.push(init), fetch(request)),
  });
  await read(agent.send("One."));
  await read(agent.send("Two."));
  assert.deepEqual(sent.map(({ headers }) => [headers.get("authorization"), headers.get("accept"), headers.get("content-type")]), [
    ["Bearer 1", "text/event-stream, */*", "application/json"],
    ["Bearer 2", "text/event-stream, */*", "application/json"],
  ]);
  assert.deepEqual(inits, [{ credentials: "include" }, { credentials: "include" }]);
  const failing = agUi("http://agent.test/ag-ui", { fetch, headers: () => Promise.reject(new Error("signed out")) });
  await assert.rejects(failing.send("One.").finished(), /signed out/);
});

test("an unknown option is rejected, and the error suggests the closest name", () => {
  const wrong = (options, words) => assert.throws(() => agUi("/ag-ui", options), code("wrong-option", words));
  wrong({ header: {} }, /no option `header`: did you mean `headers`\?/);
  wrong({ tool: {} }, /did you mean `tools`/);
  wrong({ protocl: "ag-ui" }, /no option `protocl`: the options are headers, /);
  wrong({ tools: { paint: { exec: () => 1 } } }, /`paint`.*did you mean `execute`/);
  wrong({ tools: { paint: () => 1 } }, /`paint` is an object/);
  wrong({ maxToolRounds: -1 }, /`maxToolRounds` is an integer/);
  assert.throws(() => connected("a2a", { maxToolRounds: 1 }), code("wrong-option"));
  assert.throws(() => agUi("/ag-ui", "x"), code("wrong-argument"));
  assert.throws(() => agUi(undefined), code("wrong-argument", /`url`/));
});

test("an unknown read option is rejected when a request is sent", async () => {
  await assert.rejects(connected("ag-ui", { read: { mod: "strict" } }).agent.send("x").finished(), code("wrong-option"));
});

test("AG-UI: each request repeats the thread and the state; skipped calls get an error result", async () => {
  const { agent, sent } = connected("ag-ui", { body: { state: { n: 1 }, forwardedProps: { a: 1 } }, id: "thread", tools: { paint: {} } });
  await agent.send("Paint it.").finished();
  const [call] = agent.pending;
  await read(agent.send("Never mind."));
  const [first, second] = sent.map(({ body }) => body);
  for (const body of [first, second]) {
    assert.deepEqual([body.threadId, body.forwardedProps, body.state, body.tools.map(({ name }) => name)], ["thread", { a: 1 }, { n: 1 }, ["paint"]]);
    parseRequest("ag-ui", JSON.stringify(body));
    RunAgentInputSchema.parse(body);
  }
  assert.notEqual(first.runId, second.runId);
  assert.deepEqual(second.messages.map(({ role, content, toolCallId }) => [role, content, toolCallId]), [
    ["user", "Paint it.", undefined],
    ["assistant", undefined, undefined],
    ["tool", "Error: the call was not answered", call.id],
    ["user", "Never mind.", undefined],
  ]);
});

test("AG-UI: a stopped run keeps its text, and drops calls with incomplete arguments", async () => {
  const stream = [
    { type: "RUN_STARTED", threadId: "t", runId: "r" },
    { type: "TEXT_MESSAGE_START", messageId: "m", role: "assistant" },
    { type: "TEXT_MESSAGE_CONTENT", messageId: "m", delta: "I paint" },
    { type: "TEXT_MESSAGE_END", messageId: "m" },
    { type: "TOOL_CALL_START", toolCallId: "c", toolCallName: "paint", parentMessageId: "m" },
    { type: "TOOL_CALL_ARGS", toolCallId: "c", delta: '{"color":"te' },
  ];
  const text = stream.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
  const bodies = [];
  const agent = agUi("http://agent.test/ag-ui", {
    async fetch(request) {
      bodies.push(await request.clone().json());
      const headers = { "content-type": "text/event-stream" };
      return bodies.length === 1 ? new Response(text, { headers }) : handler(request);
    },
  });
  await agent.send("Paint it.").finished();
  assert.deepEqual([agent.status, agent.error.code, agent.pending], ["failed", "cut-off", []]);
  await read(agent.send("Two."));
  assert.deepEqual(bodies[1].messages.map(({ role, content, toolCalls }) => [role, content, toolCalls]), [
    ["user", "Paint it.", undefined],
    ["assistant", "I paint", undefined],
    ["user", "Two.", undefined],
  ]);
});

test("AG-UI: a message that was stopped before the response began is sent again", async () => {
  const { fetch, sent } = reaching();
  let count = 0;
  const agent = agUi("http://agent.test/ag-ui", { fetch: (request) => (count++ === 0 ? new Promise(() => {}) : fetch(request)) });
  agent.send("One.");
  await until(() => count === 1);
  agent.stop();
  await read(agent.send("Two."));
  assert.deepEqual(sent.at(-1).body.messages.map(({ content }) => content), ["One.", "Two."]);
});

test("AG-UI: messages whose requests failed before the response began are sent again, in their order", async () => {
  const refusals = [() => new Response("log in", { status: 401 }), () => Promise.reject(new TypeError("fetch failed")), () => new Response("<title>Log in</title>", { headers: { "content-type": "text/html" } })];
  const { fetch, sent } = reaching();
  const agent = agUi("http://agent.test/ag-ui", { fetch: (request) => refusals.shift()?.() ?? fetch(request) });
  for (const text of ["One.", "Two.", "Three."]) {
    await agent.send(text).finished().catch(() => {});
    assert.equal(agent.status, "failed");
  }
  await read(agent.send("Four."));
  await read(agent.send("Five."));
  const contents = sent.map(({ body }) => body.messages.map(({ content }) => content));
  assert.deepEqual(contents, [["One.", "Two.", "Three.", "Four."], ["One.", "Two.", "Three.", "Four.", "You said: Four.", "Five."]]);
});

test("AG-UI: resuming an expired interrupt fails once, and the next request cancels it", async () => {
  const expiresAt = "2020-01-01T00:00:00Z";
  const snapshot = { status: "interrupted", threadId: "t", runId: "r", messages: [], state: {}, pendingToolCallIds: [], pendingInterrupts: [{ id: "q", reason: "x", expiresAt }] };
  const state = { protocol: "ag-ui", id: "t", turns: [{ message: "x", answers: [], snapshot, status: "done" }] };
  const { agent, sent } = connected("ag-ui", { state });
  for (const decision of [null, {}, { approved: "yes" }]) {
    assert.throws(() => agent.resume({ q: decision }), code("wrong-argument", /`q`/));
  }
  await assert.rejects(agent.resume({ q: true }).finished(), code("interrupt-expired"));
  await agent.send("Two.").finished();
  assert.deepEqual(sent.map(({ body }) => body.resume), [[{ interruptId: "q", status: "cancelled" }]]);
});

test("Responses: a request names the previous response, or repeats all items with `store: false` and for a server that stores nothing", async () => {
  const body = { model: "m", instructions: "Be short." };
  const kept = connected("responses", { body, store: undefined, serve: storing });
  await read(kept.agent.send("One."));
  const { id } = kept.agent.snapshot;
  await read(kept.agent.send("Two."));
  assert.deepEqual(kept.sent.map(({ body }) => body), [
    { stream: true, ...body, input: "One." },
    { stream: true, ...body, previous_response_id: id, input: [{ type: "message", role: "user", content: "Two." }] },
  ]);
  const repeated = connected("responses", { body, store: undefined });
  await read(repeated.agent.send("One."));
  await read(repeated.agent.send("Two."));
  assert.equal(repeated.sent[1].body.previous_response_id, undefined);
  assert.deepEqual(repeated.sent[1].body.input.map(({ role }) => role), ["user", "assistant", "user"]);
  const { agent, sent } = connected("responses", { body, store: false, tools: { paint: { execute: () => ({ done: true }) } } });
  await read(agent.send("Paint it."));
  await read(agent.send("Two."));
  assert.deepEqual(sent.map(({ body }) => body.store), [false, false, false]);
  assert.deepEqual(sent[2].body.input.map(({ type, role, output, call_id }) => [type, role ?? output ?? typeof call_id]), [
    ["message", "user"],
    ["function_call", "string"],
    ["function_call_output", '{"done":true}'],
    ["message", "assistant"],
    ["message", "user"],
  ]);
});

test("Responses: results of a failed request are sent with the next one; skipped calls get an output", async () => {
  const { fetch, sent } = reaching();
  let isDown = false;
  const agent = responses("http://agent.test/v1/responses", {
    store: false,
    tools: { paint: { execute: () => ((isDown = true), "painted") } },
    fetch: (request) => (isDown ? Response.json({}, { status: 503 }) : fetch(request)),
  });
  await assert.rejects(agent.send("Paint it.").finished());
  isDown = false;
  await read(agent.send("Two."));
  assert.deepEqual(sent[1].body.input.map(({ type, output }) => [type, output]), [
    ["message", undefined],
    ["function_call", undefined],
    ["function_call_output", "painted"],
    ["message", undefined],
  ]);
  const by = connected("responses", { store: undefined, serve: storing, tools: { paint: {} } });
  await by.agent.send("Paint it.").finished();
  await by.agent.send("Two.").finished();
  assert.deepEqual(by.sent[1].body.input.map(({ type, output }) => [type, output]), [
    ["function_call_output", "Error: the call was not answered"],
    ["message", undefined],
  ]);
});

test("Responses: a message is repeated after a stop, but not after a failed request", async () => {
  const { agent, sent } = connected("responses");
  await wait(agent);
  await read(agent.send("Two."));
  assert.deepEqual(sent[1].body.input.map(({ content }) => content), ["Wait.", "Two."]);
});

test("A2A: requests keep the context id, and a stopped task is not continued", async () => {
  const { agent, sent } = connected("a2a", { body: { metadata: { a: 1 } } });
  await read(agent.send("One."));
  const { contextId, id } = agent.snapshot.task;
  await read(agent.send([{ text: "Two." }]));
  const messages = sent.map(({ body }) => body.params.message);
  assert.deepEqual(messages.map(({ contextId, taskId }) => [contextId, taskId]), [[undefined, undefined], [contextId, undefined]]);
  assert.notEqual(agent.snapshot.task.id, id);
  assert.deepEqual(sent.map(({ body }) => body.params.metadata), [{ a: 1 }, { a: 1 }]);
});

test("AG-Kit: calls of tools that the request does not list are not pending", async () => {
  const { agent, sent } = connected("ag-kit", { tools: { count: {} } });
  const run = agent.send("Paint it.");
  await run.finished();
  assert.deepEqual([agent.pending, sent[0].body.tools.map(({ name, parameters }) => [name, parameters])], [[], [["count", '{"type":"object","properties":{}}']]]);
});

test("AG-Kit: a request contains at most one decision", async () => {
  const turns = [{ message: "x", answers: [], snapshot: undefined, status: "done" }];
  const answers = ["a", "b"].map((id) => ({ kind: "approval", id, name: null, value: null, approved: true }));
  const { agent, sent } = connected("ag-kit");
  const request = { conversationId: "c", message: undefined, answers, turns, signal: new AbortController().signal };
  assert.throws(() => agent.request(request), code("message-not-sendable"));
  // The next message is sent nevertheless.
  const failed = { message: undefined, answers, snapshot: undefined, status: "failed" };
  await agent.request({ ...request, answers: [], message: "x", turns: [...turns, failed] }).finished();
  assert.deepEqual([sent[0].body.messages.length, sent[0].body.resume.interruptId], [1, "b"]);
});

test("stop() aborts a running tool, and its call is pending again", async () => {
  let seen;
  const execute = (_, { signal }) => ((seen = signal), new Promise(() => {}));
  const { agent } = connected("ag-ui", { tools: { paint: { execute } } });
  const over = agent.send("Paint it.").finished();
  await until(() => seen !== undefined);
  assert.deepEqual([agent.pending, agent.status], [[], "done"]);
  assert.throws(() => agent.send("Too early."), code("busy"));
  agent.stop("enough");
  assert.deepEqual([seen.aborted, seen.reason, agent.pending.length], [true, "enough", 1]);
  assert.equal((await over).report.endReason, "completed");
  assert.equal((await read(agent.submitToolResults({ [agent.pending[0].id]: "painted" }))).text, "The page returned painted.");
});

test("a run is read once, and an unread failure is not an unhandled rejection", async () => {
  const { agent } = connected("ag-ui");
  const run = agent.send("One.");
  await run.finished();
  assert.throws(() => run[Symbol.asyncIterator](), code("consumed"));
  assert.throws(() => agent.send(), code("missing-argument"));
  const down = connected("ag-ui", { fetch: () => new Response("", { status: 500 }) });
  down.agent.send("x");
  await new Promise((resolve) => setTimeout(resolve, 20));
  await down.agent[Symbol.asyncDispose]();
  assert.equal(down.agent.status, "aborted");
});

test("only the turns that the next request needs are kept", async () => {
  const { agent } = connected("ag-ui");
  for (const text of ["One.", "Two.", "Three.", "Four."]) {
    await read(agent.send(text));
  }
  assert.deepEqual(agent.state.turns.map(({ message }) => message), ["Three.", "Four."]);
});

test("AG-UI: a repeated request has the ids of the first one, and each message of a thread another", async () => {
  const sent = [];
  const run = [{ type: "RUN_STARTED", threadId: "t", runId: "r" }, { type: "RUN_FINISHED", threadId: "t", runId: "r" }];
  const stream = () => new Response(run.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""), { headers: { "content-type": "text/event-stream" } });
  const fetch = async (request) => (sent.push((await request.json()).messages), sent.length === 1 ? new Response("busy", { status: 503 }) : stream());
  const agent = agUi("http://agent.test/ag-ui", { fetch });
  await assert.rejects(agent.send("One.").finished());
  await agent.retry().finished();
  await agent.send("Two.").finished();
  assert.deepEqual(sent[1], sent[0]);
  assert.equal(sent[2][0].id, sent[0][0].id);
  assert.equal(new Set(sent[2].map(({ id }) => id)).size, 2);
});

test("a tool whose arguments are an empty text is executed without arguments", async () => {
  const call = [
    { type: "TOOL_CALL_START", toolCallId: "c", toolCallName: "now" },
    { type: "TOOL_CALL_END", toolCallId: "c" },
  ];
  const received = [];
  let requests = 0;
  const fetch = async () => {
    const run = [{ type: "RUN_STARTED", threadId: "t", runId: `r${++requests}` }, ...(requests === 1 ? call : []), { type: "RUN_FINISHED", threadId: "t", runId: `r${requests}` }];
    return new Response(run.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""), { headers: { "content-type": "text/event-stream" } });
  };
  const now = { description: "The time.", parameters: { type: "object", properties: {} }, execute: (args) => (received.push(args), "12:00") };
  await agUi("http://agent.test/ag-ui", { fetch, tools: { now } }).send("Time?").finished();
  assert.deepEqual([received, requests], [[{}], 2]);
});
