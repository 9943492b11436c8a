// The messages of a chat for every stream of the corpus, at every update: the AI SDK accepts them,
// visible content stays visible, and unchanged parts are the same objects.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import * as ai6 from "ai";
import { DIALECTS } from "../../../../pkg/build/generated/registry/dialects.js";
import * as agentwire from "../../../../pkg/build/entries/agentwire.js";
import { cases } from "../support/cases.mjs";

const { resolve } = createRequire(createRequire(import.meta.url).resolve("ai-sdk-react-4"));
const ai7 = await import(resolve("ai"));

/** The most updates of one stream whose messages are validated. */
const MOST = 60;
const USER = { id: "u", parts: [{ type: "text", text: "Hi" }] };
const exchange = (status, snapshot, replies = []) => ({
  id: "a",
  user: USER,
  status,
  snapshot,
  replies,
});

async function accepted(messages) {
  const given = messages.map((message) => ({ ...message }));
  for (const { validateUIMessages, convertToModelMessages } of [ai6, ai7]) {
    await validateUIMessages({ messages: given });
    await convertToModelMessages(given);
  }
}

/** Returns the chunks of a stream: one per line, at most. */
function* chunksOf(stream) {
  for (let start = 0; start < stream.length; ) {
    const end = stream.indexOf(10, start) + 1 || stream.length;
    yield stream.subarray(start, end);
    start = end;
  }
}

/** Returns the part after `from` that a part has become; undefined if it is gone. */
function successor({ type, text, toolCallId }, parts, from) {
  const at = parts.findIndex(
    (part, index) =>
      index >= from &&
      (text === undefined
        ? part.type === type && part.toolCallId === toolCallId
        : part.type === type && part.text.startsWith(text)),
  );
  return at < 0 ? undefined : at;
}

/** The objects of a snapshot that parts are made of. */
const UNITS = {
  "agent-api": ({ output }) =>
    output.flatMap(({ content }) =>
      content.flatMap((each) => (each.data == null ? [each] : [each.data])),
    ),
  agentscope: ({ content }) => content,
  "ag-kit": ({ parts }) => parts,
  responses: ({ output }) =>
    output.flatMap((item) => [item, ...(item.content ?? []), ...(item.summary ?? [])]),
  a2a: ({ task, message }) =>
    [
      ...(task?.artifacts ?? []),
      ...(task?.history ?? []),
      task?.status?.message ?? {},
      message ?? {},
    ].flatMap(({ parts = [] }) => parts),
  "ai-sdk": ({ parts }) => parts,
  "ag-ui": ({ messages }) => messages.flatMap((message) => [message, ...(message.toolCalls ?? [])]),
};

/** Returns whether a snapshot of the server has replaced or removed messages of the thread. */
function isRewriting(before, now) {
  const byId = new Map(now.map((message) => [message.id, message]));
  return before.some(
    ({ id, content }) =>
      !byId.has(id) ||
      (typeof content === "string" && !String(byId.get(id).content).startsWith(content)),
  );
}

function mustStay(parts, next) {
  let from = 0;
  for (const part of parts) {
    // Progress is replaced by the next one.
    if (part.type === "data-status") continue;
    const at = successor(part, next, from);
    assert.notEqual(at, undefined, `${JSON.stringify(part)} is gone: ${JSON.stringify(next)}`);
    from = at + 1;
  }
}

for (const { path, protocol, options, stream, violations } of await cases()) {
  const dialect = DIALECTS[protocol];
  if (dialect === undefined) {
    continue;
  }
  test(`${path}: messages`, async () => {
    const view = dialect.view(new Set(["get_weather"]));
    const decoder = new agentwire.Decoder({ protocol, ...options });
    // What violates the protocol may also be taken back.
    const mayRetract = JSON.parse(violations).length > 0;
    let [shown, checked, units, thread] = [[], 0, new Set(), []];
    const look = async (status, snapshot) => {
      const messages = view([exchange(status, snapshot)]);
      if (messages === shown) {
        return;
      }
      const [now, then] = [messages, shown].map(
        (each) => each.find(({ role }) => role === "assistant")?.parts ?? [],
      );
      const isRewritten = protocol === "ag-ui" && isRewriting(thread, snapshot.messages);
      thread = snapshot.messages;
      if (!(mayRetract || isRewritten)) {
        mustStay(then, now);
      }
      const list = UNITS[protocol](snapshot);
      const created = now.filter(
        (part, at) => part !== then[at] && isDeepStrictEqual(part, then[at]),
      );
      const fresh = list.filter((unit) => !units.has(unit));
      assert.ok(
        created.length <= fresh.length,
        `${created.length} equal parts are other objects, and ${fresh.length} objects have changed`,
      );
      units = new Set(list);
      JSON.stringify(messages);
      if (checked++ < MOST || status !== "streaming") {
        await accepted(messages);
      }
      shown = messages;
    };
    for (const chunk of chunksOf(stream)) {
      decoder.push(chunk);
      const { snapshot } = decoder;
      if (snapshot) {
        await look("streaming", snapshot);
      }
    }
    const { snapshot } = decoder.finish();
    for (const status of ["streaming", "stopped", "done"]) {
      await look(status, snapshot);
    }
    const parts = shown.flatMap((message) => message.parts);
    assert.deepEqual(
      parts.filter(({ state }) => state === "streaming"),
      [],
    );
    const again = dialect.view(new Set(["get_weather"]))([exchange("done", snapshot)]);
    assert.deepEqual(again, shown);
    assert.equal(
      dialect.view(new Set())([exchange("done", JSON.parse(agentwire.stringifyJson(snapshot)))])
        .length,
      again.length,
    );
  });
}

// --- Single values -------------------------------------------------------------------------------

/** Returns the parts of an answer without its first step. */
const partsOf = (protocol, snapshot, { status = "done", replies = [], tools = [] } = {}) => {
  const messages = DIALECTS[protocol].view(new Set(tools))([exchange(status, snapshot, replies)]);
  return messages.find(({ role }) => role === "assistant")?.parts.slice(1) ?? [];
};
const dataContent = (data, status = "completed") => ({ type: "data", status, data });
const agentApi = (...output) => ({
  id: "r",
  status: "completed",
  session_id: "s",
  output: output.map(([type, ...content]) => ({
    id: type,
    type,
    role: "assistant",
    status: "completed",
    content,
  })),
});
const responses = (...output) => ({ id: "r", status: "completed", output });
const agKit = (...parts) => ({ status: "interrupted", parts, error: null, pendingToolCallIds: [] });
const waiting = (...parts) => ({
  task: {
    id: "t",
    status: { state: "TASK_STATE_INPUT_REQUIRED", message: { messageId: "m", parts } },
  },
  message: null,
  error: null,
});
const aiSdk = (...parts) => ({ id: "m", role: "assistant", status: "completed", parts });

test("questions have the native question, and their text wherever the agent has put it", () => {
  const asked = (protocol, snapshot) =>
    partsOf(protocol, snapshot).map(({ toolName, toolCallId, state, approval }) => [
      toolName,
      toolCallId,
      state,
      approval.id,
      approval.requestReason,
    ]);
  const question = (name, reason) => [[name, "q", "approval-requested", "q", reason]];
  for (const payload of [
    { text: "Delete?" },
    { question: "Delete?" },
    { message: "Delete?", n: 1 },
    "Delete?",
  ]) {
    assert.deepEqual(
      asked("ag-kit", agKit({ type: "interrupt", id: "q", reason: "confirmation", payload })),
      question("confirmation", "Delete?"),
    );
    assert.deepEqual(
      asked(
        "agent-api",
        agentApi([
          "mcp_approval_request",
          dataContent({ id: "q", reason: "confirmation", payload }),
        ]),
      ),
      question("confirmation", "Delete?"),
    );
    assert.deepEqual(
      asked("a2a", waiting({ data: { id: "q", reason: "confirmation", payload } })),
      question("confirmation", "Delete?"),
    );
  }
  assert.deepEqual(
    asked(
      "agent-api",
      agentApi([
        "mcp_approval_request",
        dataContent({ id: "q", name: "delete", arguments: "{}", text: "Really?" }),
      ]),
    ),
    question("delete", "Really?"),
  );
  assert.deepEqual(
    asked(
      "a2a",
      waiting({ text: "Really?" }, { data: { id: "q", name: "delete", arguments: {} } }),
    ),
    question("delete", "Really?"),
  );
  const made = {
    type: "mcp_approval_request",
    id: "q",
    name: "interrupt",
    server_label: "agent",
    arguments: '{"question":"Delete?"}',
  };
  assert.deepEqual(asked("responses", responses(made)), question("interrupt", "Delete?"));
  // The arguments of a tool are not the text of a question.
  assert.deepEqual(
    asked("responses", responses({ ...made, name: "post", server_label: "s" })),
    question("post", undefined),
  );
  assert.deepEqual(partsOf("responses", responses(made))[0].approval.descriptor, made);
  assert.deepEqual(
    partsOf("ag-kit", agKit({ type: "interrupt", id: "q", reason: null, payload: { a: 1 } }))[0]
      .input,
    { a: 1 },
  );
});

test("replies are shown in the parts of their calls and questions", () => {
  const calls = [
    [
      "responses",
      responses({
        type: "function_call",
        call_id: "c",
        name: "paint",
        arguments: '{"a":1}',
        status: "completed",
      }),
    ],
    [
      "agent-api",
      agentApi([
        "function_call",
        dataContent({ call_id: "c", name: "paint", arguments: '{"a":1}' }),
      ]),
    ],
    [
      "ag-kit",
      agKit({
        type: "tool-call",
        toolCallId: "c",
        toolCallName: "paint",
        state: "input-available",
        arguments: '{"a":1}',
        result: null,
      }),
    ],
    [
      "ai-sdk",
      aiSdk({ type: "tool-paint", toolCallId: "c", state: "input-available", input: { a: 1 } }),
    ],
  ];
  const questions = [
    [
      "responses",
      responses({ type: "mcp_approval_request", id: "c", name: "paint", arguments: "{}" }),
    ],
    [
      "agent-api",
      agentApi(["mcp_approval_request", dataContent({ id: "c", name: "paint", arguments: "{}" })]),
    ],
    ["ag-kit", agKit({ type: "interrupt", id: "c", reason: "x", payload: null })],
    ["a2a", waiting({ data: { id: "c" } })],
    [
      "ai-sdk",
      aiSdk({
        type: "tool-paint",
        toolCallId: "d",
        state: "approval-requested",
        input: {},
        approval: { id: "c" },
      }),
    ],
  ];
  const reply = (kind, more) => ({ id: "c", name: null, kind, value: null, ...more });
  for (const [protocol, snapshot] of calls) {
    const shown = (...replies) => partsOf(protocol, snapshot, { replies, tools: ["paint"] })[0];
    assert.deepEqual(
      shown(),
      { type: "tool-paint", toolCallId: "c", state: "input-available", input: { a: 1 } },
      protocol,
    );
    assert.deepEqual(
      [
        shown(reply("call", { value: { n: 1 } })).state,
        shown(reply("call", { value: { n: 1 } })).output,
      ],
      ["output-available", { n: 1 }],
      protocol,
    );
    assert.equal(
      shown(reply("call", { value: "Error: no", isError: true })).errorText,
      "Error: no",
      protocol,
    );
    // A decision on a question with the same id is none on the call.
    assert.equal(shown(reply("approval", { approved: true })).state, "input-available", protocol);
    assert.equal(
      partsOf(protocol, snapshot)[0].type,
      protocol === "ai-sdk" ? "tool-paint" : "dynamic-tool",
    );
  }
  for (const [protocol, snapshot] of questions) {
    const shown = (more) =>
      (({ state, approval }) => [state, approval.approved, approval.reason])(
        partsOf(protocol, snapshot, { replies: [reply("approval", more)] })[0],
      );
    assert.deepEqual(shown({ approved: true }), ["approval-responded", true, undefined], protocol);
    assert.deepEqual(
      shown({ approved: false, value: "why" }),
      ["approval-responded", false, "why"],
      protocol,
    );
    assert.deepEqual(shown({ approved: false, isDropped: true })[0], "output-denied", protocol);
  }
});

test("incomplete arguments have their value so far", () => {
  const cut = '{"city":"Os';
  const live = [
    [
      "responses",
      {
        ...responses({
          type: "function_call",
          call_id: "c",
          name: "look",
          arguments: cut,
          status: "in_progress",
        }),
        status: "in_progress",
      },
    ],
    [
      "agent-api",
      {
        ...agentApi(),
        status: "in_progress",
        output: [
          {
            id: "m",
            type: "function_call",
            role: "assistant",
            status: "in_progress",
            content: [dataContent({ call_id: "c", name: "look", arguments: cut }, "in_progress")],
          },
        ],
      },
    ],
    [
      "ag-kit",
      {
        ...agKit({
          type: "tool-call",
          toolCallId: "c",
          toolCallName: "look",
          state: "input-streaming",
          arguments: cut,
          result: null,
        }),
        status: "streaming",
      },
    ],
    [
      "ai-sdk",
      {
        ...aiSdk({ type: "tool-look", toolCallId: "c", state: "input-streaming", rawInput: cut }),
        status: "streaming",
      },
    ],
  ];
  for (const [protocol, snapshot] of live) {
    const [{ state, input, rawInput }] = partsOf(protocol, snapshot, { status: "streaming" });
    assert.deepEqual([state, input, rawInput], ["input-streaming", { city: "Os" }, cut], protocol);
  }
  const custom = {
    ...responses({
      type: "custom_tool_call",
      call_id: "c",
      name: "sql",
      input: "12",
      status: "in_progress",
    }),
    status: "in_progress",
  };
  assert.deepEqual(partsOf("responses", custom, { status: "streaming" })[0].input, "12");
  // The input of a custom tool is a text, also if it is JSON.
  assert.equal(
    partsOf(
      "responses",
      responses({
        type: "custom_tool_call",
        call_id: "c",
        name: "sql",
        input: "12",
        status: "completed",
      }),
    )[0].input,
    "12",
  );
});

test("no part has a `bigint`", () => {
  const big = 2n ** 60n;
  const shown = [
    partsOf(
      "ai-sdk",
      aiSdk(
        {
          type: "tool-f",
          toolCallId: "c",
          state: "output-available",
          input: { big },
          output: [big],
        },
        { type: "data-n", data: big },
      ),
    ),
    partsOf("a2a", {
      task: {
        status: { state: "TASK_STATE_COMPLETED" },
        artifacts: [
          {
            artifactId: "a",
            parts: [{ data: { call_id: "c", name: "f", arguments: { big } } }, { data: [big] }],
          },
        ],
      },
      message: null,
      error: null,
    }),
    partsOf(
      "responses",
      responses(
        { type: "web_search_call", id: "w", status: "completed", action: { big } },
        { type: "new", big },
      ),
    ),
    partsOf(
      "agent-api",
      agentApi(
        ["a2ui_response", dataContent({ big })],
        ["function_call", dataContent({ call_id: "c", arguments: { big } })],
      ),
    ),
    partsOf("ag-kit", agKit({ type: "interrupt", id: "q", reason: null, payload: { big } })),
  ];
  assert.deepEqual(
    shown.map((parts) => JSON.stringify(parts).includes("1152921504606847000")),
    [true, true, true, true, true],
  );
  const part = { type: "tool-f", toolCallId: "c", state: "output-available", input: {}, output: 1 };
  assert.equal(partsOf("ai-sdk", aiSdk(part))[0], part);
});

test("A2A: progress while the task works, the last message if it ends without an answer, and reasoning in its place", () => {
  const message = (messageId, text, metadata) => ({
    messageId,
    role: "ROLE_AGENT",
    parts: [{ text }],
    ...(metadata && { metadata }),
  });
  const works = (state, said, more = {}) => ({
    task: {
      id: "t",
      status: { state: `TASK_STATE_${state}`, ...(said && { message: said }) },
      ...more,
    },
    message: null,
    error: null,
  });
  const progress = {
    type: "data-status",
    id: "status",
    data: { state: "TASK_STATE_WORKING", text: "Looking" },
  };
  assert.deepEqual(
    partsOf("a2a", works("WORKING", message("m", "Looking")), { status: "streaming" }),
    [progress],
  );
  assert.deepEqual(
    partsOf("a2a", works("WORKING", message("m", "Looking")), { status: "stopped" }),
    [progress],
  );
  const texts = (snapshot) => partsOf("a2a", snapshot).map(({ type, text }) => [type, text]);
  assert.deepEqual(
    texts(
      works("COMPLETED", undefined, {
        history: [{ role: "ROLE_USER", parts: [{ text: "Hi" }] }, message("m", "Looking")],
      }),
    ),
    [["text", "Looking"]],
  );
  const artifacts = [{ artifactId: "a", parts: [{ text: "4" }, { text: "2" }] }];
  assert.deepEqual(
    texts(
      works("COMPLETED", undefined, {
        artifacts,
        history: [message("m", "Looking"), message("n", "Hm", { type: "reasoning" })],
      }),
    ),
    [
      ["reasoning", "Hm"],
      ["text", "42"],
    ],
  );
});

test("A2A: a task that continues is shown once", () => {
  const artifact = (artifactId, ...texts) => ({
    artifactId,
    parts: texts.map((text) => ({ text })),
  });
  const question = {
    messageId: "m",
    role: "ROLE_AGENT",
    parts: [{ data: { id: "q", reason: "sure" } }],
  };
  const first = {
    task: {
      id: "t",
      status: { state: "TASK_STATE_INPUT_REQUIRED", message: question },
      artifacts: [artifact("a", "I ", "delete")],
      history: [question],
    },
    message: null,
    error: null,
  };
  const second = (state, ...artifacts) => ({
    task: {
      id: "t",
      status: { state: `TASK_STATE_${state}` },
      artifacts: [artifact("a", "I ", "delete"), ...artifacts],
      history: [structuredClone(question)],
    },
    message: null,
    error: null,
  });
  const view = DIALECTS.a2a.view(new Set());
  const asked = exchange("done", first, [
    { kind: "approval", id: "q", name: "sure", value: null, approved: true },
  ]);
  const texts = (snapshot, status = "streaming") =>
    view([asked, { id: "b", status, snapshot, replies: [] }])[1].parts.map(
      ({ type, text }) => text ?? type,
    );
  const before = ["step-start", "I delete", "dynamic-tool"];
  assert.deepEqual(texts(second("WORKING")), before);
  assert.deepEqual(texts(second("WORKING", artifact("b", "Go"))), [...before, "step-start", "Go"]);
  const grown = {
    ...second("COMPLETED"),
    task: { ...second("COMPLETED").task, artifacts: [artifact("a", "I ", "delete", " all")] },
  };
  assert.deepEqual(texts(grown, "done"), [...before, "step-start", " all"]);
  assert.deepEqual(texts(second("COMPLETED"), "done"), before);
  const shown = view([asked, { id: "b", status: "done", snapshot: grown, replies: [] }]);
  assert.equal(view([asked, { id: "b", status: "done", snapshot: grown, replies: [] }]), shown);
});
