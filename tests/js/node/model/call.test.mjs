// `callModel`, `out.forward` and `runTools`: every protocol in front of every model API.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { WRITABLE, read, toolCalls } from "agentwire";
import * as a2a from "agentwire/a2a";
import * as agKit from "agentwire/ag-kit";
import * as aiSdk from "agentwire/ai-sdk";
import * as agUi from "agentwire/ag-ui";
import * as agentApi from "agentwire/agent-api";
import * as agentscope from "agentwire/agentscope";
import * as anthropic from "agentwire/anthropic";
import * as chat from "agentwire/chat";
import * as responses from "agentwire/responses";
import { callModel, createHandler, defineTool, runTools } from "agentwire/server";

const corpus = (path) =>
  readFileSync(new URL(`../../../data/corpus/${path}/stream.sse`, import.meta.url));
const stream = (bytes) => new Response(bytes, { headers: { "content-type": "text/event-stream" } });

/** A response whose chunks are single bytes. */
const bytewise = (bytes) =>
  stream(
    new ReadableStream({
      pull: (controller) => {
        controller.enqueue(bytes.subarray(0, 1));
        bytes = bytes.subarray(1);
        if (bytes.length === 0) controller.close();
      },
    }),
  );

const PROTOCOLS = {
  anthropic,
  a2a,
  "ai-sdk": aiSdk,
  "ag-kit": agKit,
  "ag-ui": agUi,
  "agent-api": agentApi,
  agentscope,
  chat,
  responses,
};
const PATHS = {
  a2a: "/a2a",
  "ai-sdk": "/api/chat",
  "ag-kit": "/send-message",
  "ag-ui": "/ag-ui",
  "agent-api": "/process",
  agentscope: "/chat/",
  responses: "/v1/responses",
  anthropic: "/v1/messages",
  chat: "/v1/chat/completions",
};
const MODELS = {
  chat: "chat/text",
  anthropic: "anthropic/text",
  gemini: "gemini/text",
  interactions: "interactions/text",
};

/** The path below the base address, and the header of the key. */
const ENDPOINTS = {
  chat: ["/chat/completions", "authorization", "Bearer secret"],
  anthropic: ["/v1/messages", "x-api-key", "secret"],
  gemini: ["/models/some:streamGenerateContent?alt=sse", "x-goog-api-key", "secret"],
  interactions: ["/interactions", "x-goog-api-key", "secret"],
};

/** Sends a text to a handler in a protocol. */
async function ask(handler, protocol, text = "Hi") {
  const request = PROTOCOLS[protocol].createRequest(
    `http://localhost${PATHS[protocol]}`,
    inputOf(protocol, text),
  );
  return read(await handler(request), { protocol, as: "agent-api" }).finished();
}

const inputOf = (protocol, text) =>
  ({
    "ag-kit": { conversationId: "c", messages: [{ role: "user", content: text }] },
    responses: { model: "m", input: text },
  })[protocol] ?? text;

const textOf = ({ snapshot }) =>
  snapshot.output
    .filter(({ type }) => type === "message")
    .flatMap(({ content }) => content.map((part) => part.text ?? ""))
    .join("");

for (const [protocol, path] of Object.entries(MODELS)) {
  const bytes = corpus(path);
  test(`${protocol}: a stream is forwarded in every protocol at any chunk boundary`, async () => {
    const { snapshot } = await read(stream(bytes), { protocol, as: "agent-api" }).finished();
    const expected = textOf({ snapshot });
    assert.ok(expected.length > 5);
    for (const served of WRITABLE) {
      for (const answer of [stream, bytewise]) {
        const asked = [];
        const fetch = async (request) => {
          asked.push(request);
          return answer(bytes);
        };
        const handler = createHandler({
          protocols: [served],
          agent: async (out, request) => {
            const end = await out.forward(
              await callModel({
                protocol,
                url: "http://localhost/v1/",
                key: "secret",
                model: "some",
                request,
                signal: out.signal,
                fetch,
              }),
            );
            assert.equal(end.status, "completed");
            assert.equal(end.protocol, protocol);
            assert.equal(end.text, expected);
          },
        });
        const outcome = await ask(handler, served);
        assert.deepEqual(outcome.report.violations, [], served);
        assert.equal(textOf(outcome), expected, served);
        assert.equal(outcome.snapshot.status, "completed", served);
        const [{ url, headers }] = asked;
        const body = await asked[0].json();
        const [path, header, key] = ENDPOINTS[protocol];
        assert.deepEqual([url, headers.get(header)], [`http://localhost/v1${path}`, key]);
        // A request of Anthropic Messages always has a limit of tokens.
        const settings =
          served === "anthropic" ? { generationConfig: { maxOutputTokens: 4096 } } : {};
        if (protocol === "gemini")
          assert.deepEqual(body, {
            contents: [{ role: "user", parts: [{ text: "Hi" }] }],
            ...settings,
          });
        else if (protocol === "interactions")
          assert.deepEqual(body, {
            model: "some",
            input: [{ type: "user_input", content: [{ type: "text", text: "Hi" }] }],
            stream: true,
            ...(served === "anthropic" && { generation_config: { max_output_tokens: 4096 } }),
          });
        else
          assert.deepEqual(
            [body.model, body.stream, body.messages],
            [
              "some",
              true,
              [
                {
                  role: "user",
                  content: protocol === "anthropic" ? [{ type: "text", text: "Hi" }] : "Hi",
                },
              ],
            ],
          );
      }
    }
  });
}

/** The stream of a model that calls tools: one message of each API. */
const CALLING = {
  chat: (calls) => [
    ...calls.map(([id, name, args], index) => ({
      id: "c",
      choices: [
        {
          index: 0,
          delta: {
            role: "assistant",
            content: null,
            tool_calls: [{ index, id, type: "function", function: { name, arguments: args } }],
          },
        },
      ],
    })),
    { id: "c", choices: [{ index: 0, delta: {}, finish_reason: "tool_calls" }] },
    { id: "c", choices: [], usage: { prompt_tokens: 2, completion_tokens: 3, total_tokens: 5 } },
  ],
  anthropic: (calls) => [
    {
      type: "message_start",
      message: {
        id: "m",
        type: "message",
        role: "assistant",
        model: "x",
        content: [],
        usage: { input_tokens: 2, output_tokens: 0 },
      },
    },
    {
      type: "content_block_start",
      index: 0,
      content_block: { type: "thinking", thinking: "", signature: "" },
    },
    { type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "Hm." } },
    {
      type: "content_block_delta",
      index: 0,
      delta: { type: "signature_delta", signature: "signed" },
    },
    { type: "content_block_stop", index: 0 },
    ...calls.flatMap(([id, name, args], at) => [
      {
        type: "content_block_start",
        index: at + 1,
        content_block: { type: "tool_use", id, name, input: {} },
      },
      {
        type: "content_block_delta",
        index: at + 1,
        delta: { type: "input_json_delta", partial_json: args },
      },
      { type: "content_block_stop", index: at + 1 },
    ]),
    {
      type: "message_delta",
      delta: { stop_reason: "tool_use", stop_sequence: null },
      usage: { output_tokens: 3 },
    },
    { type: "message_stop" },
  ],
};
CALLING.gemini = (calls) => {
  // The Developer API has no ids of calls.
  const parts = calls.map(([, name, args], at) => ({
    functionCall: { name, args: JSON.parse(args) },
    ...(at === 0 && { thoughtSignature: "signed" }),
  }));
  const usageMetadata = { promptTokenCount: 2, candidatesTokenCount: 3, totalTokenCount: 5 };
  return [
    {
      candidates: [{ content: { role: "model", parts }, finishReason: "STOP" }],
      usageMetadata,
      responseId: "r",
    },
  ];
};
CALLING.interactions = (calls) => [
  {
    interaction: { id: "v1_r", status: "in_progress", model: "some" },
    event_type: "interaction.created",
  },
  { index: 0, step: { type: "thought" }, event_type: "step.start" },
  {
    index: 0,
    delta: { signature: "signed", type: "thought_signature" },
    event_type: "step.delta",
  },
  { index: 0, event_type: "step.stop" },
  ...calls.flatMap(([id, name, args], at) => [
    {
      index: at + 1,
      step: { type: "function_call", id, name, arguments: {} },
      event_type: "step.start",
    },
    {
      index: at + 1,
      delta: { arguments: args, type: "arguments_delta" },
      event_type: "step.delta",
    },
    { index: at + 1, event_type: "step.stop" },
  ]),
  {
    interaction: {
      id: "v1_r",
      status: "requires_action",
      usage: { total_input_tokens: 2, total_output_tokens: 3, total_tokens: 5 },
    },
    event_type: "interaction.completed",
  },
];
const SAYING = {
  interactions: (text) => [
    { interaction: { id: "v1_s", status: "in_progress" }, event_type: "interaction.created" },
    { index: 0, step: { type: "model_output" }, event_type: "step.start" },
    { index: 0, delta: { text, type: "text" }, event_type: "step.delta" },
    { index: 0, event_type: "step.stop" },
    {
      interaction: {
        id: "v1_s",
        status: "completed",
        usage: { total_input_tokens: 10, total_output_tokens: 20, total_tokens: 30 },
      },
      event_type: "interaction.completed",
    },
  ],
  gemini: (text) => [
    {
      candidates: [{ content: { role: "model", parts: [{ text }] }, finishReason: "STOP" }],
      usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 20, totalTokenCount: 30 },
      responseId: "s",
    },
  ],
  chat: (text) => [
    { id: "d", choices: [{ index: 0, delta: { role: "assistant", content: text } }] },
    { id: "d", choices: [{ index: 0, delta: {}, finish_reason: "stop" }] },
    { id: "d", choices: [], usage: { prompt_tokens: 10, completion_tokens: 20, total_tokens: 30 } },
  ],
  anthropic: (text) => [
    {
      type: "message_start",
      message: {
        id: "n",
        type: "message",
        role: "assistant",
        model: "x",
        content: [],
        usage: { input_tokens: 10, output_tokens: 0 },
      },
    },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text } },
    { type: "content_block_stop", index: 0 },
    {
      type: "message_delta",
      delta: { stop_reason: "end_turn", stop_sequence: null },
      usage: { output_tokens: 20 },
    },
    { type: "message_stop" },
  ],
};
const sse = (protocol, events) =>
  Buffer.from(
    events
      .map(
        (event) =>
          `${protocol === "anthropic" ? `event: ${event.type}\n` : ""}data: ${JSON.stringify(event)}\n\n`,
      )
      .join("") + (protocol === "chat" ? "data: [DONE]\n\n" : ""),
  );

/** Returns a model that responds with these streams in order, and its requests. */
function model(protocol, ...streams) {
  const asked = [];
  const fetch = async (request) => {
    asked.push(await request.json());
    return stream(sse(protocol, streams[asked.length - 1]));
  };
  return { asked, options: { protocol, key: "k", model: "some", fetch } };
}

const parameters = { type: "object", properties: { city: { type: "string" } } };
const weather = defineTool({
  description: "The weather.",
  parameters,
  execute: ({ city }) => ({ city, degrees: 25 }),
});

for (const protocol of ["chat", "anthropic", "gemini", "interactions"]) {
  test(`${protocol}: runTools() executes tools and sends their results to the model`, async () => {
    for (const served of WRITABLE) {
      const calls = [
        ["call_1", "weather", '{"city":"Beijing"}'],
        ["call_2", "broken", "{}"],
      ];
      const { asked, options } = model(
        protocol,
        CALLING[protocol](calls),
        SAYING[protocol]("It is 25 °C."),
      );
      const broken = {
        execute: () => {
          throw new Error("no network at postgres://admin:secret@db");
        },
      };
      const errors = [];
      const ids = [];
      const onError = (error, { id }) => {
        errors.push(error);
        ids.push(id);
      };
      const handler = createHandler({
        protocols: [served],
        onError,
        agent: (out, request) => runTools(out, { ...options, request, tools: { weather, broken } }),
      });
      const outcome = await ask(handler, served);
      assert.deepEqual(outcome.report.violations, [], served);
      assert.equal(textOf(outcome), "It is 25 °C.", served);
      const seen = toolCalls(outcome.snapshot).map(({ name, arguments: input, result }) => [
        name,
        input,
        result?.value ?? result?.text,
      ]);
      assert.deepEqual(
        seen,
        [
          ["weather", { city: "Beijing" }, { city: "Beijing", degrees: 25 }],
          ["broken", {}, `Error: the tool failed, its id is ${ids.at(-1)}`],
        ],
        served,
      );
      assert.equal(errors.at(-1).message, "no network at postgres://admin:secret@db", served);
      assert.equal(errors.length, 1, served);
      const callIds = toolCalls(outcome.snapshot).map(({ id }) => id);
      if (protocol !== "gemini") assert.deepEqual(callIds, ["call_1", "call_2"]);
      assert.equal(asked.length, 2);
      const [, second] = asked;
      const described = second.tools.flatMap(
        (tool) =>
          tool.functionDeclarations?.map(({ name }) => name) ?? tool.name ?? tool.function.name,
      );
      assert.deepEqual(described, ["weather", "broken"]);
      const sent = JSON.stringify(second.messages ?? second.contents ?? second.input);
      assert.match(sent, /degrees/);
      assert.match(sent, /the tool failed/);
      assert.doesNotMatch(sent, /postgres/);
      if (protocol !== "chat") assert.match(sent, /ignature":"signed"/);
      if (["agent-api", "responses"].includes(served)) {
        assert.deepEqual(
          [outcome.snapshot.usage.input_tokens, outcome.snapshot.usage.output_tokens],
          [12, 23],
          served,
        );
      }
    }
  });

  test(`${protocol}: \`maxRounds\` limits the rounds`, async () => {
    const call = CALLING[protocol]([["call_1", "weather", "{}"]]);
    const { asked, options } = model(protocol, call, call, call);
    const handler = createHandler({
      protocols: ["agent-api"],
      agent: (out, request) =>
        runTools(out, { ...options, request, tools: { weather }, maxRounds: 2 }),
    });
    const { snapshot } = await ask(handler, "agent-api");
    assert.deepEqual([asked.length, snapshot.status], [2, "incomplete"]);
  });
}

/**
 * The first rounds of models that send no ids, one id for all calls, or one index for all calls.
 */
const UNNAMED = {
  "calls without ids": ["chat", "calls_without_ids", { city: "A" }, { city: "B" }],
  "calls without ids at one index": [
    "chat",
    "calls_at_one_index_without_ids",
    { p: 1 },
    { p: 2 },
    { p: 3 },
  ],
  "several calls at one index": [
    "chat",
    "calls_at_one_index",
    { p: 1 },
    { p: 2 },
    { p: 3 },
    { p: 4 },
  ],
  "calls with one id": ["chat", "calls_with_one_id", { p: 1 }, { p: 2 }, { p: 3 }, { p: 4 }],
  "calls of Anthropic without an id of their own": [
    "anthropic",
    "tool_ids",
    { p: 0 },
    { p: 1 },
    { p: 2 },
  ],
};

for (const [name, [protocol, path, ...inputs]] of Object.entries(UNNAMED)) {
  test(`runTools() sends the result of each call to the model: ${name}`, async () => {
    const bodies = [];
    const replies = [corpus(`${protocol}/${path}`), corpus(MODELS[protocol])];
    const fetch = async (request) => {
      bodies.push(await request.json());
      return stream(replies[bodies.length - 1]);
    };
    const tool = defineTool({
      parameters: { type: "object" },
      execute: (input) => `result of ${JSON.stringify(input)}`,
    });
    const tools = Object.fromEntries(
      ["f", "g", "write", "list"].map((tool_name) => [tool_name, tool]),
    );
    const handler = createHandler({
      protocols: ["ag-ui"],
      agent: (out, request) =>
        runTools(out, { protocol, key: "secret", model: "some", fetch, request, tools }),
    });
    await ask(handler, "ag-ui");
    const [calls, results] =
      protocol === "chat"
        ? [
            bodies[1].messages.flatMap(({ tool_calls = [] }) =>
              tool_calls.map(({ id, function: { arguments: input } }) => [id, JSON.parse(input)]),
            ),
            bodies[1].messages
              .filter(({ role }) => role === "tool")
              .map((message) => [message.tool_call_id, message.content]),
          ]
        : ["tool_use", "tool_result"].map((type) =>
            bodies[1].messages.flatMap(({ content }) =>
              (Array.isArray(content) ? content : [])
                .filter((block) => block.type === type)
                .map((block) => [block.id ?? block.tool_use_id, block.input ?? block.content]),
            ),
          );
    assert.deepEqual(
      calls.map(([, input]) => input),
      inputs,
    );
    assert.equal(new Set(calls.map(([id]) => id)).size, inputs.length);
    assert.deepEqual(
      results.map(([id, content]) => [
        id,
        JSON.stringify(content).includes(
          JSON.stringify(JSON.stringify(inputs[calls.findIndex(([of]) => of === id)])).slice(1, -1),
        ),
      ]),
      calls.map(([id]) => [id, true]),
    );
  });
}

test("a call of a tool without `execute` is left to the client", async () => {
  const { asked, options } = model("chat", CALLING.chat([["call_1", "paint", "{}"]]));
  const handler = createHandler({
    protocols: ["ag-ui"],
    agent: (out, request) =>
      runTools(out, { ...options, request, tools: { paint: { parameters } } }),
  });
  const run = read(await handler(agUi.createRequest("http://localhost/ag-ui", "Paint")), {
    protocol: "ag-ui",
  });
  const { snapshot } = await run.finished();
  assert.deepEqual(
    toolCalls(snapshot).map(({ id, pending }) => [id, pending]),
    [["call_1", true]],
  );
  assert.equal(asked.length, 1);
});

test("a response cut by a model limit ends the run as incomplete with its reason", async () => {
  const handler = createHandler({
    protocols: ["responses"],
    agent: (out) => out.forward(stream(corpus("chat/length"))),
  });
  const { snapshot } = await read(
    await handler(responses.createRequest("http://localhost/v1/responses", "Hi")),
  ).finished();
  assert.deepEqual(
    [snapshot.status, snapshot.incomplete_details],
    ["incomplete", { reason: "max_output_tokens" }],
  );
});

test("the agent receives the error of the model, and the client its code", async () => {
  const seen = [];
  const handler = (source) =>
    createHandler({
      protocols: ["agent-api"],
      onError: (error) => void seen.push(error),
      agent: async (out) => out.forward(await source()),
    });
  const failed = await ask(
    handler(() => stream(corpus("anthropic/error_overloaded"))),
    "agent-api",
  );
  assert.deepEqual(
    [failed.snapshot.status, failed.snapshot.error.code],
    ["failed", "overloaded_error"],
  );
  const refusing = async () =>
    Response.json(
      { error: { message: "no quota" } },
      { status: 429, headers: { "retry-after": "2" } },
    );
  const late = createHandler({
    protocols: ["agent-api"],
    onError: (error) => void seen.push(error),
    async agent(out) {
      await out.message().text().delta("Let me see.");
      await out.forward(
        await callModel({ protocol: "chat", key: "k", model: "m", request: "Hi", fetch: refusing }),
      );
    },
  });
  const refused = await ask(late, "agent-api");
  assert.equal(refused.snapshot.status, "failed");
  assert.doesNotMatch(JSON.stringify(refused.snapshot), /quota/);
  assert.deepEqual(
    [seen[1].code, seen[1].status, seen[1].retryAfterMs],
    ["http-status", 429, 2000],
  );
  assert.match(seen[1].message, /no quota/);
  const cut = await ask(
    handler(() => stream(corpus("chat/text").subarray(0, 400))),
    "agent-api",
  );
  assert.equal(cut.snapshot.status, "incomplete");
  const lost = new ReadableStream({
    start: (controller) => controller.enqueue(corpus("chat/text").subarray(0, 400)),
    pull: (controller) =>
      controller.error(Object.assign(new Error("reset"), { code: "ECONNRESET" })),
  });
  const broken = await ask(
    handler(() => stream(lost)),
    "agent-api",
  );
  assert.deepEqual([broken.snapshot.status, seen[2].code], ["failed", "connection-lost"]);
});

test("a client that disconnects cancels the stream of the model", async () => {
  let canceled;
  const gone = new Promise((resolve) => (canceled = resolve));
  const endless = new ReadableStream({
    start: (controller) => controller.enqueue(corpus("chat/text").subarray(0, 400)),
    cancel: canceled,
  });
  const handler = createHandler({
    protocols: ["ag-ui"],
    agent: (out) => out.forward(stream(endless)),
  });
  const { body } = await handler(agUi.createRequest("http://localhost/ag-ui", "Hi"));
  const reader = body.getReader();
  await reader.read();
  await reader.cancel(new Error("left"));
  await gone;
});

test("a slow client slows the model down", async () => {
  let taken = 0;
  const chunk = Buffer.from(
    `data: ${JSON.stringify({ id: "c", choices: [{ index: 0, delta: { content: "x".repeat(1000) } }] })}\n\n`,
  );
  const source = new ReadableStream(
    {
      pull: (controller) => {
        taken++;
        return controller.enqueue(chunk);
      },
    },
    { highWaterMark: 0 },
  );
  const handler = createHandler({
    protocols: ["ag-ui"],
    agent: (out) => out.forward(stream(source)),
  });
  const { body } = await handler(agUi.createRequest("http://localhost/ag-ui", "Hi"));
  const reader = body.getReader();
  await reader.read();
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.ok(taken < 200, `${taken} chunks were read for a client that read one`);
  await reader.cancel();
});

test("out.forward() forwards the state, steps and questions of another agent", async () => {
  const upstream = createHandler({
    protocols: ["ag-ui"],
    async agent(out) {
      await out.state({ step: 1 });
      const step = out.step("search");
      await out.message().text().delta("Found.");
      await step.complete();
      await out.interrupt({ id: "q", reason: "confirmation", payload: { question: "Delete?" } });
    },
  });
  const handler = createHandler({
    protocols: ["ag-ui"],
    agent: async (out, request) =>
      out.forward(
        await callModel({
          protocol: "ag-ui",
          url: "http://localhost/ag-ui",
          request,
          fetch: upstream,
        }),
      ),
  });
  const { snapshot, report } = await read(
    await handler(agUi.createRequest("http://localhost/ag-ui", "Hi")),
    { protocol: "ag-ui" },
  ).finished();
  assert.deepEqual(report.violations, []);
  assert.deepEqual(snapshot.state, { step: 1 });
  assert.equal(snapshot.messages.find(({ role }) => role === "assistant").content, "Found.");
  assert.equal(snapshot.status, "interrupted");
});

test("the usage of a forwarded agent is counted once", async () => {
  for (const protocol of WRITABLE.filter((name) => name !== "ag-kit")) {
    // The paths of the APIs of models are below the address.
    const isOpenAi = ["responses", "chat"].includes(protocol);
    const path = isOpenAi ? "/v1" : protocol === "anthropic" ? "" : PATHS[protocol];
    const url = `http://localhost${path}`;
    const upstream = createHandler({
      protocols: [protocol],
      async agent(out) {
        out.usage({ input_tokens: 2, output_tokens: 3, total_tokens: 5 });
        await out.message().text().delta("Hi");
      },
    });
    const agent = async (out, request) =>
      out.forward(await callModel({ protocol, url, request, fetch: upstream }));
    const { snapshot } = await ask(createHandler({ protocols: ["agent-api"], agent }), "agent-api");
    assert.deepEqual(
      [snapshot.usage?.input_tokens, snapshot.usage?.output_tokens],
      [2, 3],
      protocol,
    );
  }
});

test("the error for an invalid option names the option", async () => {
  const request = "Hi";
  const handler = createHandler({
    protocols: ["agent-api"],
    onError: (error) => void (named = error),
    agent: (out) => out.forward(stream(""), { protocl: "chat" }),
  });
  let named;
  await ask(handler, "agent-api");
  assert.match(named.message, /protocl/);
  await assert.rejects(callModel({ protocol: "ag-ui", request }), {
    code: "wrong-option",
    message: /`url`/,
  });
  await assert.rejects(callModel({ protocol: "chatt", request }), { code: "unknown-protocol" });
  await assert.rejects(callModel({ protocol: "chat", request, apiKey: "k" }), {
    code: "wrong-option",
    message: /apiKey/,
  });
});
