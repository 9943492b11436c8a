// The conversation that an agent receives, in one form for all protocols.
import assert from "node:assert/strict";
import { test } from "node:test";
import { convertToModelMessages } from "ai";
import { callModel, conversationOf, createHandler, parseRequest } from "agentwire/server";

/** Returns the conversation that an agent receives for a request. */
async function receivedAt(path, body, { headers, ...options } = {}) {
  let received;
  const handler = createHandler({
    agent(_, request) {
      received = request;
      return "ok";
    },
    ...options,
  });
  const response = await handler(
    new Request(`http://localhost${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    }),
  );
  await response.text();
  assert.equal(response.status, 200);
  return received;
}

const PARAMETERS = { type: "object", properties: { city: { type: "string" } } };
const PNG = "data:image/png;base64,iVBORw0KGgo=";
const ARGUMENTS = '{"city":"Paris"}';
const BODIES = {
  "/v1/chat/completions": {
    model: "m",
    temperature: 0.5,
    messages: [
      { role: "system", content: "Be brief." },
      {
        role: "user",
        content: [
          { type: "text", text: "How warm?" },
          { type: "image_url", image_url: { url: PNG } },
        ],
      },
      {
        role: "assistant",
        content: "Let me see.",
        tool_calls: [
          { id: "c", type: "function", function: { name: "weather", arguments: ARGUMENTS } },
        ],
      },
      { role: "tool", tool_call_id: "c", content: "25" },
    ],
    tools: [
      {
        type: "function",
        function: { name: "weather", description: "Looks it up.", parameters: PARAMETERS },
      },
    ],
  },
  "/v1/messages": {
    model: "m",
    temperature: 0.5,
    max_tokens: 9,
    system: "Be brief.",
    messages: [
      {
        role: "user",
        content: [
          { type: "text", text: "How warm?" },
          {
            type: "image",
            source: { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" },
          },
        ],
      },
      {
        role: "assistant",
        content: [
          { type: "text", text: "Let me see." },
          { type: "tool_use", id: "c", name: "weather", input: { city: "Paris" } },
        ],
      },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "c", content: "25" }] },
    ],
    tools: [{ name: "weather", description: "Looks it up.", input_schema: PARAMETERS }],
  },
  "/v1/responses": {
    model: "m",
    temperature: 0.5,
    store: false,
    instructions: "Be brief.",
    input: [
      {
        role: "user",
        content: [
          { type: "input_text", text: "How warm?" },
          { type: "input_image", image_url: PNG, detail: "auto" },
        ],
      },
      { role: "assistant", content: "Let me see." },
      { type: "function_call", call_id: "c", name: "weather", arguments: ARGUMENTS },
      { type: "function_call_output", call_id: "c", output: "25" },
    ],
    tools: [
      {
        type: "function",
        name: "weather",
        description: "Looks it up.",
        parameters: PARAMETERS,
        strict: false,
      },
    ],
  },
  "/ag-ui": {
    threadId: "t",
    runId: "r",
    state: { a: 1 },
    context: [],
    forwardedProps: {},
    messages: [
      { id: "1", role: "system", content: "Be brief." },
      {
        id: "2",
        role: "user",
        content: [
          { type: "text", text: "How warm?" },
          { type: "binary", mimeType: "image/png", data: "iVBORw0KGgo=" },
        ],
      },
      {
        id: "3",
        role: "assistant",
        content: "Let me see.",
        toolCalls: [
          { id: "c", type: "function", function: { name: "weather", arguments: ARGUMENTS } },
        ],
      },
      { id: "4", role: "tool", toolCallId: "c", content: "25" },
    ],
    tools: [{ name: "weather", description: "Looks it up.", parameters: PARAMETERS }],
  },
  "/api/chat": {
    id: "t",
    trigger: "submit-message",
    messages: [
      { id: "1", role: "system", parts: [{ type: "text", text: "Be brief." }] },
      {
        id: "2",
        role: "user",
        parts: [
          { type: "text", text: "How warm?" },
          { type: "file", mediaType: "image/png", url: PNG },
        ],
      },
      {
        id: "3",
        role: "assistant",
        parts: [
          { type: "text", text: "Let me see." },
          {
            type: "dynamic-tool",
            toolName: "weather",
            toolCallId: "c",
            state: "output-available",
            input: { city: "Paris" },
            output: "25",
          },
        ],
      },
    ],
  },
};

for (const [path, body] of Object.entries(BODIES)) {
  test(`the conversation of a request at ${path}`, async () => {
    const asked = await receivedAt(path, body);
    assert.equal(asked.text, "How warm?");
    assert.deepEqual(asked.answers, [
      { kind: "call", id: "c", name: "weather", text: "25", value: 25 },
    ]);
    assert.deepEqual(
      asked.messages.map(({ role, parts, status }) => [
        role,
        status,
        parts.map(({ type, text, url, mediaType, toolName, input, output }) =>
          type === "text" ? text : type === "file" ? [mediaType, url] : [toolName, input, output],
        ),
      ]),
      [
        ["system", "done", ["Be brief."]],
        ["user", "done", ["How warm?", ["image/png", PNG]]],
        ["assistant", "done", ["Let me see.", ["weather", { city: "Paris" }, "25"]]],
      ],
    );
    if (body.tools !== undefined) {
      const tool = { name: "weather", description: "Looks it up.", parameters: PARAMETERS };
      assert.deepEqual(asked.tools, [tool]);
    }
    if (body.temperature !== undefined) {
      const { model, temperature } = asked.settings;
      assert.deepEqual([model, temperature], ["m", 0.5]);
    }
    assert.deepEqual(asked.state, body.state);
    assert.deepEqual(asked.native.body, body);
    assert.equal(asked.id !== "" && (body.threadId ?? body.id ?? asked.id), asked.id);
    // The messages are those of the AI SDK.
    const model = await convertToModelMessages(structuredClone(asked.messages));
    assert.deepEqual(
      model.map(({ role }) => role),
      ["system", "user", "assistant", "tool"],
    );
  });
}

test("a conversation has its user, and the protocol of its client", async () => {
  const body = {
    session_id: "s",
    input: [{ role: "user", content: [{ type: "text", text: "Hi" }] }],
  };
  const asked = await receivedAt("/process", body, { authenticate: () => "alice" });
  assert.deepEqual(
    [asked.id, asked.user, asked.text, asked.native],
    ["s", "alice", "Hi", { protocol: "agent-api", body }],
  );
  const message = { messageId: "m", role: "ROLE_USER", parts: [{ text: "Hi" }] };
  const task = await receivedAt(
    "/a2a",
    { jsonrpc: "2.0", id: 1, method: "SendMessage", params: { message } },
    { headers: { "a2a-version": "1.0" } },
  );
  assert.deepEqual([task.text, task.native], ["Hi", undefined]);
});

test("conversationOf() returns the conversation of a parsed request", () => {
  const { text, tools, messages } = conversationOf(
    "ag-ui",
    parseRequest("ag-ui", JSON.stringify(BODIES["/ag-ui"])),
  );
  assert.deepEqual([text, tools.length, messages.length], ["How warm?", 1, 3]);
  assert.throws(() => conversationOf("ag-ui", {}), { name: "RequestError" });
});

test("a copy without the messages is refused; a copy of the request of the Agent API is not", async () => {
  const sent = [];
  const errors = [];
  const answer = (copied) =>
    receivedAt("/ag-ui", BODIES["/ag-ui"], {
      onError: (error) => void errors.push(error.code),
      async agent(out, request) {
        const model = { protocol: "chat", key: "k", model: "m", request: copied(request) };
        await out.forward(
          await callModel({
            ...model,
            fetch: async (asked) => {
              sent.push((await asked.json()).messages.length);
              return new Response("data: [DONE]\n\n");
            },
          }),
        );
      },
    });
  await answer((request) => request);
  await answer((request) => ({ ...request.toJSON(), temperature: 0.5 }));
  assert.deepEqual([sent, errors], [[4, 4], []]);
  await answer((request) => ({ ...request, input: [] }));
  assert.deepEqual([sent, errors], [[4, 4], ["wrong-argument"]]);
});

test("messages without content, and of unknown types, lose nothing else", () => {
  const input = [
    { role: "user" },
    { role: "assistant", content: null },
    { type: "plugin_call", role: "assistant", content: [{ type: "data", data: null }] },
    { role: "user", content: [{ type: "text", text: "last" }] },
  ];
  const asked = conversationOf("agent-api", { input });
  assert.deepEqual(
    asked.messages.map(({ role, parts }) => [role, parts.filter(({ type }) => type === "text")]),
    [
      ["user", []],
      ["assistant", []],
      ["user", [{ type: "text", text: "last", state: "done" }]],
    ],
  );
  assert.equal(conversationOf("agent-api", {}).messages.length, 0);
});
