// The requests of `connect`: addresses, headers, the members that each protocol repeats, and
// mistakes in options.
import assert from "node:assert/strict";
import { test } from "node:test";
import { RunAgentInputSchema } from "@ag-ui/core/schemas";
import { AgentwireError, connect } from "agentwire";
import { parseRequest } from "agentwire/server";
import { connect as agUi } from "agentwire/ag-ui";
import { connect as connectAny } from "agentwire/reader";
import { connect as responses } from "agentwire/responses";
import { until } from "../support/sources.mjs";
import {
  ask,
  handler,
  lastText,
  linesOf,
  opened,
  reaching,
  storageOf,
  storing,
} from "./agents.mjs";

const code =
  (code, words = /./) =>
  (error) =>
    error instanceof AgentwireError && error.code === code && words.test(error.message);
const stream = (events) =>
  new Response(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""), {
    headers: { "content-type": "text/event-stream" },
  });
const wait = async (chat) => {
  for await (const state of chat.send("Wait.")) {
    if (lastText(state).includes("I wait")) {
      chat.stop();
    }
  }
};

test("the root and the reader accept the protocol as an option", async () => {
  for (const connect_ of [connect, connectAny]) {
    const chat = connect_("http://agent.test/ag-ui", { protocol: "ag-ui", fetch: handler });
    assert.equal(await ask(chat, "One."), "You said: One.");
    assert.throws(
      () => connect_("/ag-ui", { protocol: "agui" }),
      code("unknown-protocol", /ag-ui/),
    );
    assert.throws(() => connect_("/ag-ui"), code("unknown-protocol"));
  }
});

test("a relative URL outside of a page is an error that describes the fix when a request is sent", async () => {
  const chat = agUi("/ag-ui");
  await assert.rejects(
    chat.send("One.").text(),
    code("wrong-argument", /`\/ag-ui` needs a base URL.*https:/),
  );
  assert.deepEqual(linesOf(chat), ["user: One. (failed)"]);
});

test("`headers` is an object or a function called per request; `credentials` is passed to fetch", async () => {
  const { fetch, sent } = reaching();
  const inits = [];
  let count = 0;
  const chat = agUi("http://agent.test/ag-ui", {
    credentials: "include",
    headers: async () => ({ authorization: `Bearer ${++count}`, accept: "text/event-stream, */*" }),
    fetch: (request, init) => {
      inits.push(init);
      return fetch(request);
    },
  });
  await ask(chat, "One.");
  await ask(chat, "Two.");
  assert.deepEqual(
    sent.map(({ headers }) => [
      headers.get("authorization"),
      headers.get("accept"),
      headers.get("content-type"),
    ]),
    [
      ["Bearer 1", "text/event-stream, */*", "application/json"],
      ["Bearer 2", "text/event-stream, */*", "application/json"],
    ],
  );
  assert.deepEqual(inits, [{ credentials: "include" }, { credentials: "include" }]);
  const failing = agUi("http://agent.test/ag-ui", {
    fetch,
    headers: () => Promise.reject(new Error("signed out")),
  });
  await assert.rejects(failing.send("One.").text(), /signed out/);
  assert.equal(failing.getSnapshot().error.code, "source-failed");
});

test("an unknown option is rejected, and the error suggests the closest name", () => {
  const wrong = (options, words) =>
    assert.throws(() => agUi("/ag-ui", options), code("wrong-option", words));
  wrong({ header: {} }, /no option `header`: did you mean `headers`\?/);
  wrong({ tool: {} }, /did you mean `tools`/);
  wrong({ protocl: "ag-ui" }, /no option `protocl`: the options are headers, /);
  wrong({ persits: { key: "chat" } }, /`persits`: did you mean `persist`/);
  wrong({ tools: { paint: { exec: () => 1 } } }, /`paint`.*did you mean `execute`/);
  wrong({ tools: { paint: () => 1 } }, /`paint` is an object/);
  wrong({ maxToolRounds: -1 }, /`maxToolRounds` is an integer/);
  wrong({ whileBusy: "wait" }, /`whileBusy` is "queue" or "refuse"/);
  wrong({ upload: true }, /`upload` is a function/);
  wrong(
    { messages: [{ role: "user", content: "x" }] },
    /`messages` is a list of messages: \{ id, role, parts \}/,
  );
  wrong({ persist: { storage: storageOf() } }, /`persist` has `key`/);
  wrong({ persist: { key: "chat", stored: 1 } }, /`stored`/);
  assert.throws(() => opened("a2a", { maxToolRounds: 1 }), code("wrong-option"));
  assert.throws(() => agUi("/ag-ui", "x"), code("wrong-argument"));
  assert.throws(() => agUi(undefined), code("wrong-argument", /`url`/));
  const chat = agUi("/ag-ui");
  assert.throws(() => chat.set({ id: "other" }), code("wrong-option", /set\(\).*`id`/));
  assert.throws(() => chat.set({ whileBusy: "wait" }), code("wrong-option"));
});

test("an unknown read option is an error of the run", async () => {
  const { chat } = opened("ag-ui", { read: { mod: "strict" } });
  await assert.rejects(chat.send("x").text(), code("wrong-option"));
});

test("AG-UI: each request repeats the thread and the state; skipped calls get an error result", async () => {
  const { chat, sent } = opened("ag-ui", {
    body: { state: { n: 1 }, forwardedProps: { a: 1 } },
    id: "thread",
    tools: { paint: {} },
  });
  await chat.send("Paint it.").finished();
  const [call] = chat.getSnapshot().pending;
  await ask(chat, "Never mind.");
  const [first, second] = sent.map(({ body }) => body);
  for (const body of [first, second]) {
    assert.deepEqual(
      [body.threadId, body.forwardedProps, body.state, body.tools.map(({ name }) => name)],
      ["thread", { a: 1 }, { n: 1 }, ["paint"]],
    );
    parseRequest("ag-ui", JSON.stringify(body));
    RunAgentInputSchema.parse(body);
  }
  assert.notEqual(first.runId, second.runId);
  assert.deepEqual(
    second.messages.map(({ role, content, toolCallId }) => [role, content, toolCallId]),
    [
      ["user", "Paint it.", undefined],
      ["assistant", undefined, undefined],
      ["tool", "Error: the call was not answered", call.toolCallId],
      ["user", "Never mind.", undefined],
    ],
  );
  assert.deepEqual(
    chat
      .getSnapshot()
      .messages[1].parts.map(({ state, output, errorText }) => [state, output ?? errorText])
      .at(-1),
    ["output-error", "Error: the call was not answered"],
  );
});

test("AG-UI: a stopped run keeps its text, and drops calls with incomplete arguments", async () => {
  const cut = [
    { type: "RUN_STARTED", threadId: "t", runId: "r" },
    { type: "TEXT_MESSAGE_START", messageId: "m", role: "assistant" },
    { type: "TEXT_MESSAGE_CONTENT", messageId: "m", delta: "I paint" },
    { type: "TEXT_MESSAGE_END", messageId: "m" },
    { type: "TOOL_CALL_START", toolCallId: "c", toolCallName: "paint", parentMessageId: "m" },
    { type: "TOOL_CALL_ARGS", toolCallId: "c", delta: '{"color":"te' },
  ];
  const bodies = [];
  const chat = agUi("http://agent.test/ag-ui", {
    async fetch(request) {
      bodies.push(await request.clone().json());
      return bodies.length === 1 ? stream(cut) : handler(request);
    },
  });
  await chat.send("Paint it.").finished();
  const { status, error, pending } = chat.getSnapshot();
  assert.deepEqual([status, error.code, pending], ["error", "cut-off", []]);
  await ask(chat, "Two.");
  assert.deepEqual(
    bodies[1].messages.map(({ role, content, toolCalls }) => [role, content, toolCalls]),
    [
      ["user", "Paint it.", undefined],
      ["assistant", "I paint", undefined],
      ["user", "Two.", undefined],
    ],
  );
});

test("AG-UI: a message that was stopped before the response began is sent again", async () => {
  const { fetch, sent } = reaching();
  let count = 0;
  const chat = agUi("http://agent.test/ag-ui", {
    fetch: (request) => (count++ === 0 ? new Promise(() => {}) : fetch(request)),
  });
  chat.send("One.");
  await until(() => count === 1);
  chat.stop();
  await ask(chat, "Two.");
  assert.deepEqual(
    sent.at(-1).body.messages.map(({ content }) => content),
    ["One.", "Two."],
  );
});

test("AG-UI: messages whose requests failed before the response began are sent again, in their order", async () => {
  const refusals = [
    () => new Response("log in", { status: 401 }),
    () => Promise.reject(new TypeError("fetch failed")),
    () => new Response("<title>Log in</title>", { headers: { "content-type": "text/html" } }),
  ];
  const { fetch, sent } = reaching();
  const chat = agUi("http://agent.test/ag-ui", {
    fetch: (request) => refusals.shift()?.() ?? fetch(request),
  });
  for (const text of ["One.", "Two.", "Three."]) {
    await chat.send(text).finished();
    assert.equal(chat.getSnapshot().status, "error");
  }
  await ask(chat, "Four.");
  await ask(chat, "Five.");
  const contents = sent.map(({ body }) => body.messages.map(({ content }) => content));
  assert.deepEqual(contents, [
    ["One.", "Two.", "Three.", "Four."],
    ["One.", "Two.", "Three.", "Four.", "You said: Four.", "Five."],
  ]);
});

test("AG-UI: resuming an expired interrupt fails once, and the next request cancels it", async () => {
  const expiresAt = "2020-01-01T00:00:00Z";
  const snapshot = {
    status: "interrupted",
    threadId: "t",
    runId: "r",
    messages: [{ id: "u", role: "user", content: "x" }],
    state: {},
    pendingToolCallIds: [],
    pendingInterrupts: [{ id: "q", reason: "x", expiresAt }],
  };
  const exchanges = [
    {
      id: "a",
      user: { id: "u", parts: [{ type: "text", text: "x" }] },
      status: "done",
      snapshot,
      replies: [],
    },
  ];
  const { chat, sent } = opened("ag-ui", {
    persist: {
      key: "chat",
      storage: storageOf(JSON.stringify({ version: 1, protocol: "ag-ui", id: "t", exchanges })),
      onError: assert.fail,
    },
  });
  assert.equal(chat.getSnapshot().pending[0].approval.id, "q");
  assert.equal(chat.approve("q"), true);
  const { error } = await chat.finished();
  assert.deepEqual(
    [error.code, error.remedy],
    ["interrupt-expired", "the question has expired: send a message"],
  );
  await chat.send("Two.").finished();
  assert.deepEqual(
    sent.map(({ body }) => body.resume),
    [[{ interruptId: "q", status: "cancelled" }]],
  );
});

test("Responses: a request names the previous response, or repeats all items with `store: false` and for a server that stores nothing", async () => {
  const body = { model: "m", instructions: "Be short." };
  const kept = opened("responses", { body, store: undefined, serve: storing });
  await ask(kept.chat, "One.");
  const { id } = kept.chat.getSnapshot().snapshot;
  await ask(kept.chat, "Two.");
  assert.deepEqual(
    kept.sent.map(({ body }) => body),
    [
      { stream: true, ...body, input: "One." },
      {
        stream: true,
        ...body,
        previous_response_id: id,
        input: [{ type: "message", role: "user", content: "Two." }],
      },
    ],
  );
  const repeated = opened("responses", { body, store: undefined });
  await ask(repeated.chat, "One.");
  await ask(repeated.chat, "Two.");
  assert.equal(repeated.sent[1].body.previous_response_id, undefined);
  assert.deepEqual(
    repeated.sent[1].body.input.map(({ role }) => role),
    ["user", "assistant", "user"],
  );
  const { chat, sent } = opened("responses", {
    body,
    store: false,
    tools: { paint: { execute: () => ({ done: true }) } },
  });
  await ask(chat, "Paint it.");
  await ask(chat, "Two.");
  assert.deepEqual(
    sent.map(({ body }) => body.store),
    [false, false, false],
  );
  assert.deepEqual(
    sent[2].body.input.map(({ type, role, output, call_id }) => [
      type,
      role ?? output ?? typeof call_id,
    ]),
    [
      ["message", "user"],
      ["function_call", "string"],
      ["function_call_output", '{"done":true}'],
      ["message", "assistant"],
      ["message", "user"],
    ],
  );
});

test("Responses: results of a failed request are sent with the next one; skipped calls get an output", async () => {
  const { fetch, sent } = reaching();
  let isDown = false;
  const chat = responses("http://agent.test/v1/responses", {
    store: false,
    tools: {
      paint: {
        execute: () => {
          isDown = true;
          return "painted";
        },
      },
    },
    fetch: (request) => (isDown ? Response.json({}, { status: 503 }) : fetch(request)),
  });
  await chat.send("Paint it.").finished();
  assert.equal(chat.getSnapshot().error.status, 503);
  isDown = false;
  await ask(chat, "Two.");
  assert.deepEqual(
    sent[1].body.input.map(({ type, output }) => [type, output]),
    [
      ["message", undefined],
      ["function_call", undefined],
      ["function_call_output", "painted"],
      ["message", undefined],
    ],
  );
  const by = opened("responses", { store: undefined, serve: storing, tools: { paint: {} } });
  await by.chat.send("Paint it.").finished();
  await by.chat.send("Two.").finished();
  assert.deepEqual(
    by.sent[1].body.input.map(({ type, output }) => [type, output]),
    [
      ["function_call_output", "Error: the call was not answered"],
      ["message", undefined],
    ],
  );
});

test("Responses: calls of an incomplete response cannot be answered, and the next request has an output for each of them", async () => {
  const output = [
    {
      id: "m1",
      type: "message",
      role: "assistant",
      status: "completed",
      content: [{ type: "output_text", text: "I call", annotations: [] }],
    },
    {
      id: "f1",
      type: "function_call",
      call_id: "c1",
      name: "paint",
      arguments: "{}",
      status: "completed",
    },
    {
      id: "f2",
      type: "custom_tool_call",
      call_id: "c2",
      name: "write",
      input: "a te",
      status: "incomplete",
    },
  ];
  const response = { id: "r1", object: "response", output: [] };
  const events = [
    { type: "response.created", response: { ...response, status: "in_progress" } },
    ...output.map((item, at) => ({ type: "response.output_item.done", output_index: at, item })),
    {
      type: "response.incomplete",
      response: {
        ...response,
        status: "incomplete",
        incomplete_details: { reason: "max_output_tokens" },
        output,
      },
    },
  ];
  for (const store of [undefined, false]) {
    const { fetch, sent } = reaching();
    const first = () =>
      new Response(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""), {
        headers: { "content-type": "text/event-stream" },
      });
    let requests = 0;
    const chat = responses("http://agent.test/v1/responses", {
      store,
      tools: { paint: { execute: () => assert.fail("the response is incomplete") } },
      fetch: (request) => (requests++ === 0 ? first() : fetch(request)),
    });
    const { messages, pending } = await chat.send("One.").finished();
    assert.deepEqual(
      messages[1].parts.flatMap(({ state, toolCallId }) => (toolCallId ? state : [])),
      ["output-error", "output-error"],
    );
    assert.deepEqual(pending, []);
    await chat.send("Two.").finished();
    const outputs = [
      ["function_call_output", "c1"],
      ["custom_tool_call_output", "c2"],
    ];
    const calls = [
      ["message", undefined],
      ["message", undefined],
      ["function_call", "c1"],
      ["custom_tool_call", "c2"],
    ];
    assert.deepEqual(
      sent[0].body.input.map(({ type, call_id }) => [type, call_id]),
      [...(store === false ? calls : []), ...outputs, ["message", undefined]],
    );
    assert.equal(sent[0].body.previous_response_id, store === false ? undefined : "r1");
  }
});

test("Responses: a call with the id of a call in a failed answer waits once", async () => {
  const call = (id, item) => [
    {
      type: "response.created",
      response: { id, object: "response", status: "in_progress", output: [] },
    },
    { type: "response.output_item.done", output_index: 0, item },
    ...(id === "r1"
      ? []
      : [
          {
            type: "response.completed",
            response: { id, object: "response", status: "completed", output: [item] },
          },
        ]),
  ];
  let requests = 0;
  const fetch = () => {
    const events = call(`r${++requests}`, {
      id: `f${requests}`,
      type: "function_call",
      call_id: "call_1",
      name: "find",
      arguments: "{}",
      status: "completed",
    });
    return new Response(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""), {
      headers: { "content-type": "text/event-stream" },
    });
  };
  const chat = responses("http://agent.test/v1/responses", { tools: { find: {} }, fetch });
  assert.equal((await chat.send("One.").finished()).error.code, "cut-off");
  const { pending, messages } = await chat.send("Two.").finished();
  assert.deepEqual([pending.length, messages.at(-1).parts.includes(pending[0])], [1, true]);
});

test("Responses: calls with one id in one answer are executed once, and the page shows the result that is sent", async () => {
  const item = (id) => ({
    id,
    type: "function_call",
    call_id: "call_1",
    name: "paint",
    arguments: "{}",
    status: "completed",
  });
  const response = { id: "r1", object: "response", store: false };
  const events = [
    { type: "response.created", response: { ...response, status: "in_progress", output: [] } },
    ...["f1", "f2"].map((id, at) => ({
      type: "response.output_item.done",
      output_index: at,
      item: item(id),
    })),
    {
      type: "response.completed",
      response: { ...response, status: "completed", output: [item("f1"), item("f2")] },
    },
  ];
  const { fetch, sent } = reaching();
  let requests = 0;
  let executed = 0;
  const first = () =>
    new Response(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""), {
      headers: { "content-type": "text/event-stream" },
    });
  const chat = responses("http://agent.test/v1/responses", {
    tools: { paint: { execute: () => `painted ${++executed}` } },
    fetch: (request) => (requests++ === 0 ? first() : fetch(request)),
  });
  const { messages } = await chat.send("One.").finished();
  assert.equal(executed, 1);
  assert.deepEqual(
    messages[1].parts.flatMap(({ output }) => output ?? []),
    ["painted 1", "painted 1"],
  );
  assert.deepEqual(
    [...new Set(sent[0].body.input.flatMap(({ output }) => output ?? []))],
    ["painted 1"],
  );
});

test("Responses: a message and its partial answer are repeated after a stop, a message after a failed request", async () => {
  const { chat, sent } = opened("responses");
  await wait(chat);
  await ask(chat, "Two.");
  assert.deepEqual(
    sent[1].body.input.map(({ content }) => content),
    ["Wait.", "I wait", "Two."],
  );
  let fails = true;
  const { fetch, sent: later } = reaching();
  const failing = responses("http://agent.test/v1/responses", {
    store: false,
    fetch: (request) => (fails ? Response.json({}, { status: 503 }) : fetch(request)),
  });
  await failing.send("One.").finished();
  fails = false;
  await ask(failing, "Two.");
  assert.deepEqual(
    later[0].body.input.map(({ content }) => content),
    ["One.", "Two."],
  );
});

test("A2A: requests keep the context id, and a completed task is not continued", async () => {
  const { chat, sent } = opened("a2a", { body: { metadata: { a: 1 } } });
  await ask(chat, "One.");
  const { contextId, id } = chat.getSnapshot().snapshot.task;
  await ask(chat, [{ type: "text", text: "Two." }]);
  const messages = sent.map(({ body }) => body.params.message);
  assert.deepEqual(
    messages.map(({ contextId, taskId }) => [contextId, taskId]),
    [
      [undefined, undefined],
      [contextId, undefined],
    ],
  );
  assert.notEqual(chat.getSnapshot().snapshot.task.id, id);
  assert.deepEqual(
    sent.map(({ body }) => body.params.metadata),
    [{ a: 1 }, { a: 1 }],
  );
});

test("AG-Kit: calls of tools that the request does not list are not pending", async () => {
  const { chat, sent } = opened("ag-kit", { tools: { count: {} } });
  await chat.send("Paint it.").finished();
  assert.deepEqual(
    [
      chat.getSnapshot().pending,
      sent[0].body.tools.map(({ name, parameters }) => [name, parameters]),
    ],
    [[], [["count", '{"type":"object","properties":{}}']]],
  );
});

test("AG-Kit: a request contains at most one decision", async () => {
  const interrupt = (id) => ({ type: "interrupt", id, reason: "r", payload: null });
  const snapshot = {
    status: "interrupted",
    parts: [interrupt("a"), interrupt("b")],
    error: null,
    pendingToolCallIds: [],
  };
  const exchanges = [
    {
      id: "x",
      user: { id: "u", parts: [{ type: "text", text: "x" }] },
      status: "done",
      snapshot,
      replies: [],
    },
  ];
  const { chat, sent } = opened("ag-kit", {
    persist: {
      key: "chat",
      storage: storageOf(JSON.stringify({ version: 1, protocol: "ag-kit", id: "c", exchanges })),
      onError: assert.fail,
    },
  });
  assert.deepEqual(
    chat.getSnapshot().pending.map(({ approval }) => approval.id),
    ["a", "b"],
  );
  chat.approve("a");
  chat.approve("b");
  const { error, canRetry } = await chat.finished();
  assert.deepEqual([error.code, canRetry, sent.length], ["message-not-sendable", true, 0]);
  // The next message is sent nevertheless.
  await chat.send("x").finished();
  assert.deepEqual([sent[0].body.messages.length, sent[0].body.resume.interruptId], [1, "b"]);
});

test("stop() aborts a running tool, and its call is pending again", async () => {
  let seen;
  const execute = (_, { signal }) => {
    seen = signal;
    return new Promise(() => {});
  };
  const { chat } = opened("ag-ui", { tools: { paint: { execute } } });
  const run = chat.send("Paint it.");
  await until(() => seen !== undefined);
  assert.deepEqual([chat.getSnapshot().pending, chat.getSnapshot().status], [[], "streaming"]);
  chat.stop();
  const { pending, canRetry } = await run.finished();
  assert.deepEqual([seen.aborted, pending.length, canRetry], [true, 1, true]);
  chat.answer(pending[0].toolCallId, "painted");
  assert.equal(lastText(await chat.finished()), "The page returned painted.");
});

test("an unread failure is not an unhandled rejection, and a missing input is an error of the call", async () => {
  const { chat } = opened("ag-ui");
  for (const input of [
    undefined,
    null,
    5,
    [5],
    [{ type: "image" }],
    [{ type: "file", url: "x" }],
  ]) {
    assert.throws(() => chat.send(input), code("wrong-argument", /send\(\): the input is a text/));
  }
  assert.throws(() => chat.send("x", { metadata: "m" }), code("wrong-argument"));
  assert.equal(chat.send("  ").messageId, undefined);
  const down = opened("ag-ui", { fetch: () => new Response("", { status: 500 }) });
  down.chat.send("x");
  await new Promise((resolve) => setTimeout(resolve, 20));
  await down.chat[Symbol.asyncDispose]();
  assert.equal(down.chat.getSnapshot().status, "error");
});

test("AG-UI: a repeated request has the ids of the first one, and each message of a thread another", async () => {
  const sent = [];
  const run = [
    { type: "RUN_STARTED", threadId: "t", runId: "r" },
    { type: "RUN_FINISHED", threadId: "t", runId: "r" },
  ];
  const fetch = async (request) => {
    sent.push((await request.json()).messages);
    return sent.length === 1 ? new Response("busy", { status: 503 }) : stream(run);
  };
  const chat = agUi("http://agent.test/ag-ui", { fetch });
  await chat.send("One.").finished();
  chat.retry();
  await chat.finished();
  await chat.send("Two.").finished();
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
  const fetch = async () =>
    stream([
      { type: "RUN_STARTED", threadId: "t", runId: `r${++requests}` },
      ...(requests === 1 ? call : []),
      { type: "RUN_FINISHED", threadId: "t", runId: `r${requests}` },
    ]);
  const now = {
    description: "The time.",
    parameters: { type: "object", properties: {} },
    execute: (args) => {
      received.push(args);
      return "12:00";
    },
  };
  await agUi("http://agent.test/ag-ui", { fetch, tools: { now } }).send("Time?").finished();
  assert.deepEqual([received, requests], [[{}], 2]);
});
