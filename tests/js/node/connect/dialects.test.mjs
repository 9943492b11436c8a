// The requests of each protocol for a conversation: what the page shows is what the agent receives,
// and a repeated request has the same ids.
import assert from "node:assert/strict";
import { test } from "node:test";
import { parseRequest } from "agentwire/server";
import { DIALECTS } from "../../../../pkg/build/generated/registry/dialects.js";

const URLS = {
  "agent-api": "process",
  agentscope: "chat/",
  "ag-kit": "send-message",
  responses: "v1/responses",
  a2a: "a2a",
  "ai-sdk": "api/chat",
};
const PNG = "iVBORw0KGgo=";
const IMAGE = {
  type: "file",
  mediaType: "image/png",
  url: `data:image/png;base64,${PNG}`,
  filename: "a.png",
};
const PDF = {
  type: "file",
  mediaType: "application/pdf",
  url: "https://example.com/a.pdf",
  filename: "a.pdf",
};
const NOTE = { type: "file", mediaType: "text/plain", url: "data:text/plain,h%C3%A9" };
const SOUND = { type: "file", mediaType: "audio/mpeg", url: `data:audio/mpeg;base64,${PNG}` };
const ANSWER_ERROR = "Error: the call was not answered";

const text = (text) => ({ type: "text", text });
const user = (id, ...parts) => ({
  id,
  parts: parts.map((part) => (typeof part === "string" ? text(part) : part)),
});
const exchange = (id, own, status, snapshot, replies = []) => ({
  id,
  user: own,
  status,
  snapshot,
  replies,
});
const call = (id, value, more) => ({ kind: "call", id, name: "paint", value, ...more });
const decision = (id, approved, value = null, more) => ({
  kind: "approval",
  id,
  name: null,
  value,
  approved,
  ...more,
});

/** Returns the request of a protocol, after the check that a server accepts its body. */
async function requestOf(protocol, { before = [], user, history = [], ...more }, options = {}) {
  const dialect = DIALECTS[protocol];
  const { request } = dialect.request(
    `http://agent.test/${URLS[protocol]}`,
    { conversationId: "chat", before, user, history, ...more },
    options,
    {},
  );
  const body = await request.json();
  parseRequest(protocol, JSON.stringify(protocol === "a2a" ? body.params : body));
  return protocol === "a2a" ? body.params : body;
}

const refused = (protocol, given) =>
  assert.rejects(requestOf(protocol, given), { code: "message-not-sendable" });

// --- Responses -----------------------------------------------------------------------------------

const said = (id, words, more = {}) => ({
  id,
  status: "completed",
  output: [
    {
      type: "message",
      id: `m${id}`,
      role: "assistant",
      status: "completed",
      content: [{ type: "output_text", text: words }],
    },
  ],
  ...more,
});
const PAINT = {
  type: "function_call",
  id: "f",
  call_id: "c",
  name: "paint",
  arguments: "{}",
  status: "completed",
};
const ASK = {
  type: "mcp_approval_request",
  id: "q",
  name: "delete",
  arguments: "{}",
  server_label: "s",
};

test("Responses: texts and files", async () => {
  assert.equal((await requestOf("responses", { user: user("u", "Hi") })).input, "Hi");
  const { input } = await requestOf("responses", {
    user: user("u", "Look", IMAGE, PDF, NOTE, SOUND),
  });
  assert.deepEqual(input, [
    {
      type: "message",
      role: "user",
      content: [
        { type: "input_text", text: "Look" },
        { type: "input_image", image_url: IMAGE.url, detail: "auto" },
        { type: "input_file", file_url: PDF.url },
        {
          type: "input_file",
          filename: "file",
          file_data: `data:text/plain;base64,${Buffer.from("hé").toString("base64")}`,
        },
        { type: "input_audio", input_audio: { data: PNG, format: "mp3" } },
      ],
    },
  ]);
});

test("Responses: the next request names the last complete response, and repeats what followed it", async () => {
  const before = [
    exchange("a", user("1", "One"), "done", said("r1", "First")),
    exchange("b", user("2", "Two"), "stopped", { ...said("r2", "Half"), status: "in_progress" }),
    exchange("c", user("3", "Three"), "failed"),
  ];
  const message = (role, content) => ({ type: "message", role, content });
  const unsent = [
    message("user", "Two"),
    message("assistant", "Half"),
    message("user", "Three"),
    message("user", "Four"),
  ];
  const stored = await requestOf("responses", { before, user: user("4", "Four") });
  assert.deepEqual([stored.previous_response_id, stored.input], ["r1", unsent]);
  const all = await requestOf("responses", { before, user: user("4", "Four") }, { store: false });
  assert.deepEqual(
    [all.previous_response_id, all.store, all.input],
    [undefined, false, [message("user", "One"), ...said("r1", "First").output, ...unsent]],
  );
  const ofServer = [
    { ...before[0], snapshot: said("r1", "First", { store: false }) },
    ...before.slice(1),
  ];
  assert.deepEqual(
    (await requestOf("responses", { before: ofServer, user: user("4", "Four") })).input,
    all.input,
  );
  const kept = await requestOf(
    "responses",
    { before, user: user("4", "Four") },
    { body: { conversation: "conv" } },
  );
  assert.deepEqual(
    [kept.previous_response_id, kept.conversation, kept.input],
    [undefined, "conv", unsent],
  );
});

test("Responses: replies, skipped calls and skipped questions", async () => {
  const snapshot = said("r1", "I paint", {
    output: [PAINT, { ...PAINT, id: "g", call_id: "d" }, ASK, { ...ASK, id: "p" }],
  });
  const asked = (replies) => [exchange("a", user("1", "Paint"), "done", snapshot, replies)];
  const outputs = [
    { type: "function_call_output", call_id: "c", output: '{"done":true}' },
    { type: "function_call_output", call_id: "d", output: ANSWER_ERROR },
    { type: "mcp_approval_response", approval_request_id: "q", approve: true },
    { type: "mcp_approval_response", approval_request_id: "p", approve: false, reason: "why" },
  ];
  const given = [
    call("c", { done: true }),
    call("d", "skipped", { isDropped: true }),
    decision("q", true),
    decision("p", false, "why"),
  ];
  assert.deepEqual((await requestOf("responses", { before: asked(given) })).input, outputs);
  // The request with the replies has failed, so they are sent again.
  const { input } = await requestOf("responses", {
    before: [...asked(given), exchange("b", undefined, "failed")],
    user: user("2", "Go on"),
  });
  assert.deepEqual(input, [...outputs, { type: "message", role: "user", content: "Go on" }]);
  const skipped = (
    await requestOf("responses", {
      before: asked([decision("q", true, null, { isDropped: true })]),
      user: user("2", "Go on"),
    })
  ).input;
  assert.deepEqual(
    skipped.map(({ output, approve }) => output ?? approve),
    [ANSWER_ERROR, ANSWER_ERROR, false, false, undefined],
  );
  const whole = (
    await requestOf(
      "responses",
      {
        before: [...asked(given), exchange("b", undefined, "done", said("r2", "Painted"))],
        user: user("2", "Go on"),
      },
      { store: false },
    )
  ).input;
  assert.deepEqual(
    whole.map(({ type }) => type),
    [
      "message",
      ...snapshot.output.map(({ type }) => type),
      ...outputs.map(({ type }) => type),
      "message",
      "message",
    ],
  );
});

test("Responses: messages of the application precede the first one, with their calls", async () => {
  const history = [
    { id: "s", role: "system", parts: [text("Be short.")] },
    { id: "h", role: "user", parts: [text("Hi"), IMAGE] },
    {
      id: "i",
      role: "assistant",
      parts: [
        { type: "step-start" },
        { type: "reasoning", text: "Hm" },
        text("I "),
        text("paint."),
        {
          type: "tool-paint",
          toolCallId: "c",
          state: "output-available",
          input: { n: 1 },
          output: { done: true },
        },
        {
          type: "dynamic-tool",
          toolName: "look",
          toolCallId: "d",
          state: "output-error",
          input: "x",
          errorText: "no",
        },
        {
          type: "dynamic-tool",
          toolName: "cut",
          toolCallId: "e",
          state: "input-streaming",
          rawInput: "{",
        },
        {
          type: "dynamic-tool",
          toolName: "wait",
          toolCallId: "f",
          state: "input-available",
          input: {},
        },
        text("Done."),
      ],
    },
  ];
  const leading = [
    { type: "message", role: "system", content: "Be short." },
    {
      type: "message",
      role: "user",
      content: [
        { type: "input_text", text: "Hi" },
        { type: "input_image", image_url: IMAGE.url, detail: "auto" },
      ],
    },
    { type: "message", role: "assistant", content: "I paint." },
    { type: "function_call", call_id: "c", name: "paint", arguments: '{"n":1}' },
    { type: "function_call_output", call_id: "c", output: '{"done":true}' },
    { type: "function_call", call_id: "d", name: "look", arguments: "x" },
    { type: "function_call_output", call_id: "d", output: "no" },
    { type: "function_call", call_id: "f", name: "wait", arguments: "{}" },
    { type: "function_call_output", call_id: "f", output: ANSWER_ERROR },
    { type: "message", role: "assistant", content: "Done." },
  ];
  const first = await requestOf("responses", { history, user: user("1", "One") });
  assert.deepEqual(first.input, [...leading, { type: "message", role: "user", content: "One" }]);
  const before = [exchange("a", user("1", "One"), "done", said("r1", "First"))];
  assert.equal(
    (await requestOf("responses", { history, before, user: user("2", "Two") })).input.length,
    1,
  );
  assert.equal(
    (await requestOf("responses", { history, before, user: user("2", "Two") }, { store: false }))
      .input.length,
    leading.length + 3,
  );
});

// --- AI SDK --------------------------------------------------------------------------------------

const message = (id, parts, status = "completed", more = {}) => ({
  id,
  role: "assistant",
  parts,
  status,
  ...more,
});

test("AI SDK: all messages, with the metadata of the user's and the parts of incomplete answers", async () => {
  const before = [
    exchange(
      "a",
      { ...user("1", "One", IMAGE), metadata: { n: 1 } },
      "stopped",
      message(
        "",
        [{ type: "step-start" }, { type: "text", text: "Ha", state: "streaming" }],
        "aborted",
      ),
    ),
    exchange("b", user("2", "Two"), "failed"),
  ];
  const body = await requestOf(
    "ai-sdk",
    { before, user: user("3", "Three") },
    { body: { model: "m" } },
  );
  assert.deepEqual(body, {
    id: "chat",
    trigger: "submit-message",
    model: "m",
    messages: [
      { id: "1", role: "user", metadata: { n: 1 }, parts: [text("One"), IMAGE] },
      {
        id: "a",
        role: "assistant",
        parts: [{ type: "step-start" }, { type: "text", text: "Ha", state: "done" }],
      },
      { id: "2", role: "user", parts: [text("Two")] },
      { id: "3", role: "user", parts: [text("Three")] },
    ],
  });
  const history = [
    { id: "h", role: "assistant", status: "done", metadata: { a: 1 }, parts: [text("Welcome")] },
  ];
  const { messages } = await requestOf("ai-sdk", { history, user: user("3", "Three") });
  assert.deepEqual(messages[0], {
    id: "h",
    role: "assistant",
    metadata: { a: 1 },
    parts: [text("Welcome")],
  });
});

test("AI SDK: replies are in the parts, also of earlier answers, and a continued answer is one message", async () => {
  const part = (toolCallId, state, more) => ({
    type: "tool-paint",
    toolCallId,
    state,
    input: {},
    ...more,
  });
  const asked = message("m1", [
    part("c", "input-available"),
    part("d", "input-available"),
    part("e", "approval-requested", { approval: { id: "q" } }),
    part("f", "approval-requested", { approval: { id: "p" } }),
    part("g", "input-available", { providerExecuted: true }),
  ]);
  const replies = [
    call("c", { done: true }),
    call("d", "Error: no", { isError: true }),
    decision("q", true, "fine"),
    decision("p", true, null, { isDropped: true }),
  ];
  const parts = [
    part("c", "output-available", { output: { done: true } }),
    part("d", "output-error", { errorText: "Error: no" }),
    part("e", "approval-responded", { approval: { id: "q", approved: true, reason: "fine" } }),
    part("f", "approval-responded", { approval: { id: "p", approved: false } }),
    part("g", "input-available", { providerExecuted: true }),
  ];
  const first = exchange("a", user("1", "Paint"), "done", asked, replies);
  const continued = await requestOf("ai-sdk", { before: [first] });
  assert.deepEqual(
    [continued.messages.at(-1), continued.messageId, continued.trigger],
    [{ id: "m1", role: "assistant", parts }, "m1", "submit-message"],
  );
  const second = exchange("b", undefined, "done", message("m1", [text("Painted")]));
  const { messages } = await requestOf("ai-sdk", {
    before: [first, second],
    user: user("2", "Two"),
  });
  assert.deepEqual(
    messages.map(({ id, parts }) => [id, parts.length]),
    [
      ["1", 1],
      ["m1", 6],
      ["2", 1],
    ],
  );
  const skipped = await requestOf("ai-sdk", {
    before: [{ ...first, replies: [] }],
    user: user("2", "Two"),
  });
  assert.deepEqual(
    skipped.messages[1].parts.map(
      ({ state, errorText, approval }) => errorText ?? approval?.approved ?? state,
    ),
    [ANSWER_ERROR, ANSWER_ERROR, false, false, "input-available"],
  );
});

test("AI SDK: another answer names the message that it replaces", async () => {
  const replaced = exchange("a", user("1", "One"), "done", message("m1", [text("First")]));
  const again = await requestOf("ai-sdk", { user: user("1", "One"), replaces: replaced });
  assert.deepEqual(
    [again.trigger, again.messageId, again.messages.length],
    ["regenerate-message", "m1", 1],
  );
  const unnamed = await requestOf("ai-sdk", {
    user: user("1", "One"),
    replaces: { ...replaced, snapshot: message("", [text("First")]) },
  });
  assert.equal(unnamed.messageId, "a");
});

// --- A2A -----------------------------------------------------------------------------------------

const task = (id, state, more) => ({
  task: { id, contextId: "ctx", status: { state: `TASK_STATE_${state}`, ...more } },
  message: null,
  error: null,
});

test("A2A: one message with the parts of all that the agent has not received, and the id of the user's", async () => {
  const error = { task: null, message: null, error: { code: -32603, message: "down" } };
  const before = [
    exchange("a", user("1", "One"), "done", task("t1", "COMPLETED")),
    exchange("b", { ...user("2", "Two"), metadata: { a: 1, b: 1 } }, "failed"),
    exchange("c", user("3", "Three", NOTE), "failed", error),
  ];
  const given = { before, user: { ...user("4", IMAGE, PDF), metadata: { b: 2 } } };
  const { message: sent, metadata } = await requestOf("a2a", given, {
    body: { metadata: { m: 1 } },
  });
  assert.deepEqual(metadata, { m: 1 });
  assert.deepEqual(sent, {
    messageId: "4",
    role: "ROLE_USER",
    contextId: "ctx",
    metadata: { a: 1, b: 2 },
    parts: [
      { text: "Two" },
      { text: "Three" },
      { raw: Buffer.from("hé").toString("base64"), mediaType: "text/plain" },
      { raw: PNG, mediaType: "image/png", filename: "a.png" },
      { url: PDF.url, mediaType: "application/pdf", filename: "a.pdf" },
    ],
  });
  assert.deepEqual((await requestOf("a2a", given)).message, sent);
});

test("A2A: decisions continue the task, and a message that ignores the question starts another", async () => {
  const waits = task("t", "INPUT_REQUIRED", {
    message: {
      messageId: "m",
      parts: [{ text: "Delete?" }, { data: { id: "q", reason: "confirmation" } }],
    },
  });
  const asked = (replies) => [exchange("a", user("1", "Delete"), "done", waits, replies)];
  const { message: answer } = await requestOf("a2a", {
    before: asked([decision("q", true, { n: 1 })]),
  });
  assert.deepEqual(
    [answer.taskId, answer.messageId, answer.parts],
    ["t", "a-replies", [{ data: { approval_request_id: "q", approved: true, value: { n: 1 } } }]],
  );
  const { message: other } = await requestOf("a2a", {
    before: asked([decision("q", false, null, { isDropped: true })]),
    user: user("2", "Wait"),
  });
  assert.deepEqual(
    [other.taskId, other.contextId, other.parts],
    [undefined, "ctx", [{ text: "Wait" }]],
  );
  const plain = task("t", "INPUT_REQUIRED", {
    message: { messageId: "m", parts: [{ text: "Which city?" }] },
  });
  assert.equal(
    (
      await requestOf("a2a", {
        before: [exchange("a", user("1", "x"), "done", plain)],
        user: user("2", "Oslo"),
      })
    ).message.taskId,
    "t",
  );
});

// --- Agent API, AG-Kit
// -----------------------------------------------------------------------------

test("Agent API: replies, unsent messages and files by their types", async () => {
  const snapshot = { id: "r", status: "completed", session_id: "chat", output: [] };
  const before = [
    exchange("a", user("1", "One"), "done", snapshot, [
      call("c", { n: 1 }),
      call("d", "x", { isDropped: true }),
      decision("q", true, { n: 1 }),
      decision("p", false, "why"),
    ]),
    exchange("b", { ...user("2", "Two"), metadata: { a: 1 } }, "failed"),
  ];
  const { session_id, input } = await requestOf("agent-api", {
    before,
    user: user("3", "Three", IMAGE, PDF, NOTE, SOUND),
  });
  assert.equal(session_id, "chat");
  assert.deepEqual(input, [
    {
      type: "function_call_output",
      role: "tool",
      content: [{ type: "data", data: { call_id: "c", name: "paint", output: '{"n":1}' } }],
    },
    {
      type: "mcp_approval_response",
      role: "user",
      content: [
        { type: "data", data: { approval_request_id: "q", payload: { n: 1 }, approve: true } },
      ],
    },
    {
      type: "mcp_approval_response",
      role: "user",
      content: [
        { type: "data", data: { approval_request_id: "p", reason: "why", approve: false } },
      ],
    },
    { id: "2", role: "user", content: [{ type: "text", text: "Two" }], metadata: { a: 1 } },
    {
      id: "3",
      role: "user",
      content: [
        { type: "text", text: "Three" },
        { type: "image", image_url: IMAGE.url, filename: "a.png" },
        { type: "file", file_url: PDF.url, media_type: "application/pdf", filename: "a.pdf" },
        { type: "file", file_data: Buffer.from("hé").toString("base64"), media_type: "text/plain" },
        { type: "audio", data: PNG, format: "mp3" },
      ],
    },
  ]);
});

test("AG-Kit: results, one decision and texts; a file is an error of its own message only", async () => {
  const snapshot = { status: "interrupted", parts: [], pendingToolCallIds: [], error: null };
  const asked = (...replies) => [exchange("a", user("1", "One"), "done", snapshot, replies)];
  const body = await requestOf("ag-kit", {
    before: [
      ...asked(call("c", { n: 1 }), decision("i", true)),
      exchange("b", user("2", "Two", "!"), "failed"),
    ],
    user: user("3", "Three"),
  });
  assert.deepEqual(body, {
    conversationId: "chat",
    messages: [
      { role: "tool", toolCallId: "c", content: '{"n":1}' },
      { role: "user", content: "Two!" },
      { role: "user", content: "Three" },
    ],
    resume: { interruptId: "i", payload: '{"approved":true,"value":null}' },
  });
  await refused("ag-kit", { user: user("1", "Look", IMAGE) });
  const after = await requestOf("ag-kit", {
    before: [exchange("a", user("1", "Look", IMAGE), "failed")],
    user: user("2", "Two"),
  });
  assert.deepEqual(after.messages, [{ role: "user", content: "Two" }]);
  await refused("ag-kit", { before: asked(decision("i", true), decision("j", true)) });
  assert.equal(
    (
      await requestOf("ag-kit", {
        before: asked(decision("i", true), decision("j", true)),
        user: user("2", "x"),
      })
    ).resume.interruptId,
    "j",
  );
});

// --- Reading again -------------------------------------------------------------------------------

test("an answer is read again where the protocol defines it", async () => {
  const again = (protocol, snapshot) =>
    DIALECTS[protocol].resumption?.(
      `http://agent.test/${URLS[protocol]}?key=1`,
      exchange("a", user("1", "x"), "streaming", snapshot),
      "chat/1",
      {},
      {},
    );
  const stored = again("responses", { id: "r 1", background: true, output: [] });
  assert.deepEqual(
    [stored.method, stored.url],
    ["GET", "http://agent.test/v1/responses/r%201?key=1&stream=true"],
  );
  assert.equal(again("responses", { id: "r", output: [] }), undefined);
  assert.equal(again("responses", undefined), undefined);
  assert.equal(again("ai-sdk", undefined).url, "http://agent.test/api/chat/chat%2F1/stream?key=1");
  const { method, params } = await again("a2a", task("t", "WORKING")).json();
  assert.deepEqual([method, params], ["SubscribeToTask", { id: "t" }]);
  assert.equal(again("a2a", task("t", "COMPLETED")), undefined);
  assert.equal(again("agent-api", { id: "r" }), undefined);
});
