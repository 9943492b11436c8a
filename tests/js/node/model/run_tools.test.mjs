// The rounds of `runTools`: one result for each call, whatever its id, and no exception of a tool
// reaches the client or the model.
import assert from "node:assert/strict";
import { test } from "node:test";
import { read, toolCalls } from "agentwire";
import * as agUi from "agentwire/ag-ui";
import { AgentError, createHandler, defineTool, runTools } from "agentwire/server";

const sse = (...list) =>
  list
    .map((event) => `data: ${typeof event === "string" ? event : JSON.stringify(event)}\n\n`)
    .join("");
const named = (...list) =>
  list.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
const chunk = (delta, more = {}) => ({
  id: "c",
  object: "chat.completion.chunk",
  created: 1,
  model: "m",
  choices: [{ index: 0, delta, ...more }],
});
const withId = (name, id) => (id === undefined ? {} : { [name]: id });
const item = ([city, id], at) => ({
  type: "function_call",
  id: `fc${at}`,
  ...withId("call_id", id),
  name: "f",
  arguments: JSON.stringify({ city }),
  status: "completed",
});

/** A stream with calls of `f` for these cities, and one without calls. */
const MODELS = {
  chat: [
    (calls) =>
      sse(
        ...calls.map(([city, id], index) =>
          chunk({
            tool_calls: [
              {
                index,
                ...withId("id", id),
                type: "function",
                function: { name: "f", arguments: JSON.stringify({ city }) },
              },
            ],
          }),
        ),
        chunk({}, { finish_reason: "tool_calls" }),
        "[DONE]",
      ),
    sse(chunk({ content: "ok" }), chunk({}, { finish_reason: "stop" }), "[DONE]"),
  ],
  anthropic: [
    (calls) =>
      named(
        {
          type: "message_start",
          message: {
            id: "m",
            type: "message",
            role: "assistant",
            model: "x",
            content: [],
            usage: { input_tokens: 1, output_tokens: 0 },
          },
        },
        ...calls.flatMap(([city, id], index) => [
          {
            type: "content_block_start",
            index,
            content_block: { type: "tool_use", ...withId("id", id), name: "f", input: {} },
          },
          {
            type: "content_block_delta",
            index,
            delta: { type: "input_json_delta", partial_json: JSON.stringify({ city }) },
          },
          { type: "content_block_stop", index },
        ]),
        {
          type: "message_delta",
          delta: { stop_reason: "tool_use", stop_sequence: null },
          usage: { output_tokens: 1 },
        },
        { type: "message_stop" },
      ),
    named(
      {
        type: "message_start",
        message: {
          id: "n",
          type: "message",
          role: "assistant",
          model: "x",
          content: [],
          usage: { input_tokens: 1, output_tokens: 0 },
        },
      },
      { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 1 } },
      { type: "message_stop" },
    ),
  ],
  interactions: [
    (calls) =>
      sse(
        { interaction: { id: "v1_r", status: "in_progress" }, event_type: "interaction.created" },
        ...calls.flatMap(([city, id], index) => [
          {
            index,
            step: { type: "function_call", ...withId("id", id), name: "f", arguments: {} },
            event_type: "step.start",
          },
          {
            index,
            delta: { type: "arguments_delta", arguments: JSON.stringify({ city }) },
            event_type: "step.delta",
          },
          { index, event_type: "step.stop" },
        ]),
        {
          interaction: { id: "v1_r", status: "requires_action" },
          event_type: "interaction.completed",
        },
      ),
    sse(
      { interaction: { id: "v1_s", status: "in_progress" }, event_type: "interaction.created" },
      { interaction: { id: "v1_s", status: "completed" }, event_type: "interaction.completed" },
    ),
  ],
  gemini: [
    (calls) =>
      sse({
        candidates: [
          {
            content: {
              role: "model",
              parts: calls.map(([city, id]) => ({
                functionCall: { ...withId("id", id), name: "f", args: { city } },
              })),
            },
            finishReason: "STOP",
          },
        ],
        responseId: "r",
      }),
    sse({
      candidates: [{ content: { role: "model", parts: [{ text: "ok" }] }, finishReason: "STOP" }],
    }),
  ],
  responses: [
    (calls) =>
      named(
        {
          type: "response.created",
          response: { id: "r", object: "response", status: "in_progress", output: [] },
        },
        ...calls.flatMap((call, output_index) => [
          {
            type: "response.output_item.added",
            output_index,
            item: { ...item(call, output_index), arguments: "", status: "in_progress" },
          },
          {
            type: "response.function_call_arguments.delta",
            item_id: `fc${output_index}`,
            output_index,
            delta: item(call, output_index).arguments,
          },
          { type: "response.output_item.done", output_index, item: item(call, output_index) },
        ]),
        {
          type: "response.completed",
          response: { id: "r", object: "response", status: "completed", output: calls.map(item) },
        },
      ),
    named(
      {
        type: "response.created",
        response: { id: "s", object: "response", status: "in_progress", output: [] },
      },
      {
        type: "response.completed",
        response: { id: "s", object: "response", status: "completed", output: [] },
      },
    ),
  ],
};

/** The calls of the history and the results, by id, in the second request of a model. */
const HISTORIES = {
  chat: ({ messages }) => [
    messages
      .find(({ tool_calls: calls }) => calls)
      .tool_calls.map(({ id, function: called }) => [id, JSON.parse(called.arguments).city]),
    messages
      .filter(({ role }) => role === "tool")
      .map(({ tool_call_id: id, content }) => [id, content]),
  ],
  anthropic: ({ messages }) => [
    messages[1].content
      .filter(({ type }) => type === "tool_use")
      .map(({ id, input }) => [id, input.city]),
    messages[2].content.map(({ tool_use_id: id, content: [{ text }] }) => [id, text]),
  ],
  gemini: ({ contents }) => [
    contents[1].parts.map(({ functionCall: { id, args } }, at) => [id ?? at, args.city]),
    contents[2].parts.map(({ functionResponse: { id, response } }, at) => [
      id ?? at,
      response.output,
    ]),
  ],
  interactions: ({ input }) => [
    input
      .filter(({ type }) => type === "function_call")
      .map(({ id, arguments: args }) => [id, args.city]),
    input
      .filter(({ type }) => type === "function_result")
      .map(({ call_id: id, result }) => [id, result]),
  ],
  // The server has the calls.
  responses: ({ input }) => [
    undefined,
    input
      .filter(({ type }) => type === "function_call_output")
      .map(({ call_id: id, output }) => [id, output]),
  ],
};

/**
 * Runs an agent whose model sends these bodies in order. Returns its requests, its errors and the
 * outcome of its client.
 */
async function run(bodies, tools, { protocol = "chat", onError, ...more } = {}) {
  const asked = [];
  const errors = [];
  const fetch = async (request) => {
    asked.push(JSON.parse(await request.text()));
    return new Response(bodies[asked.length - 1], {
      headers: { "content-type": "text/event-stream" },
    });
  };
  const handler = createHandler({
    protocols: ["ag-ui"],
    onError: onError ?? ((error, { id }) => void errors.push([error, id])),
    agent: (out, request) =>
      runTools(out, { protocol, key: "k", model: "m", request, tools, fetch, ...more }),
  });
  const outcome = await read(handler(agUi.createRequest("http://localhost/ag-ui", "Hi")), {
    protocol: "ag-ui",
  }).finished();
  return { asked, errors, outcome };
}

const f = defineTool({
  parameters: { type: "object", properties: { city: { type: "string" } } },
  execute: ({ city }) => `r:${city}`,
});
const IDS = [
  ["x", "y"],
  [undefined, undefined],
  ["", ""],
  ["same", "same"],
  ["x", undefined],
  ["", "x"],
  [undefined, ""],
];

for (const [protocol, [calling, done]] of Object.entries(MODELS)) {
  test(`${protocol}: each call has its own result under its own id, whatever ids the model has sent`, async () => {
    for (const ids of [...IDS, ["same", "same", "same", undefined], ["a", "", "a", ""]]) {
      const cities = ids.map((_, at) => "ABCD"[at]);
      const { asked, errors, outcome } = await run(
        [calling(cities.map((city, at) => [city, ids[at]])), done],
        { f },
        { protocol },
      );
      assert.deepEqual([errors, outcome.snapshot.status], [[], "finished"], JSON.stringify(ids));
      const [calls, results] = HISTORIES[protocol](asked[1]);
      assert.deepEqual(
        results.map(([, result]) => result),
        cities.map((city) => `r:${city}`),
        JSON.stringify(ids),
      );
      assert.equal(new Set(results.map(([id]) => id)).size, ids.length);
      assert.ok(results.every(([id]) => id !== "" && id != null));
      if (calls !== undefined) {
        assert.deepEqual(
          calls,
          results.map(([id], at) => [id, cities[at]]),
        );
      }
    }
  });
}

test("calls with the same arguments and no ids have one result each", async () => {
  let count = 0;
  const counting = defineTool({ execute: () => `r${count++}` });
  const [calling, done] = MODELS.chat;
  const { asked } = await run(
    [
      calling([
        ["A", undefined],
        ["A", undefined],
        ["A", "x"],
      ]),
      done,
    ],
    { f: counting },
  );
  const [, results] = HISTORIES.chat(asked[1]);
  assert.deepEqual(results.map(([, result]) => result).sort(), ["r0", "r1", "r2"]);
});

const SECRET = /postgres|secret/;
const THROWN = {
  "an Error": () => {
    throw new Error("connect ECONNREFUSED postgres://admin:secret@db");
  },
  "a rejection": async () => {
    throw Object.assign(new Error("x"), { code: "secret" });
  },
  "a text": () => {
    throw "secret";
  },
  "an Error with a cause": () => {
    throw new Error("x", { cause: new Error("secret") });
  },
  "a trap": () => {
    throw new Proxy(
      {},
      {
        get() {
          throw new Error("secret");
        },
        getPrototypeOf() {
          throw new Error("secret");
        },
      },
    );
  },
};

for (const [name, execute] of Object.entries(THROWN)) {
  test(`a tool that throws ${name}: onError receives it; the client and the model receive a masked error`, async () => {
    const [calling, done] = MODELS.chat;
    const { asked, errors, outcome } = await run(
      [
        calling([
          ["A", "x"],
          ["B", "y"],
        ]),
        done,
      ],
      { f: { execute: (args) => (args.city === "A" ? execute() : "fine") } },
    );
    assert.equal(errors.length, 1);
    const results = Object.fromEntries(HISTORIES.chat(asked[1])[1]);
    assert.deepEqual(results, {
      x: `Error: the tool failed, its id is ${errors[0][1]}`,
      y: "fine",
    });
    assert.doesNotMatch(JSON.stringify([asked, outcome.snapshot]), SECRET);
    assert.equal(toolCalls(outcome.snapshot)[0].result.text, results.x);
    assert.equal(outcome.snapshot.status, "finished");
  });
}

test("an `AgentError` and the value of onError are sent as they are", async () => {
  const [calling, done] = MODELS.chat;
  const own = await run([calling([["A", "x"]]), done], {
    f: {
      execute: () => {
        throw new AgentError("NO_CITY", "no such city");
      },
    },
  });
  assert.deepEqual(HISTORIES.chat(own.asked[1])[1], [["x", "Error: no such city"]]);
  const replaced = await run(
    [calling([["A", "x"]]), done],
    { f: { execute: THROWN["an Error"] } },
    { onError: () => ({ code: "DOWN", message: "the database is down" }) },
  );
  assert.deepEqual(HISTORIES.chat(replaced.asked[1])[1], [["x", "Error: the database is down"]]);
  const failing = await run(
    [calling([["A", "x"]]), done],
    { f: { execute: THROWN["an Error"] } },
    {
      onError: () => {
        throw new Error("onError");
      },
    },
  );
  assert.match(HISTORIES.chat(failing.asked[1])[1][0][1], /^Error: the tool failed, its id is /);
});

test("arguments that are not JSON are an error for the model alone", async () => {
  const broken = sse(
    chunk({
      tool_calls: [
        { index: 0, id: "x", type: "function", function: { name: "f", arguments: "{city:" } },
      ],
    }),
    chunk({}, { finish_reason: "tool_calls" }),
    "[DONE]",
  );
  const { asked, errors } = await run([broken, MODELS.chat[1]], { f });
  assert.match(asked[1].messages.at(-1).content, /^Error: .*JSON/);
  assert.deepEqual(errors, []);
});
test("`signal` ends the loop, and so do its tools", async () => {
  const controller = new AbortController();
  const [calling, done] = MODELS.chat;
  let seen;
  const waiting = {
    execute: (_, { signal }) =>
      new Promise((_, reject) => {
        seen = signal;
        signal.addEventListener("abort", () => reject(signal.reason));
        controller.abort(new Error("enough"));
      }),
  };
  const { asked, errors, outcome } = await run(
    [calling([["A", "x"]]), done],
    { f: waiting },
    { signal: controller.signal },
  );
  assert.ok(seen.aborted);
  assert.deepEqual(
    [asked.length, outcome.snapshot.status, errors.length, errors[0][0].message],
    [1, "failed", 1, "enough"],
  );
  const early = await run(
    [calling([["A", "x"]]), done],
    { f },
    { signal: AbortSignal.abort(new Error("never")) },
  ).catch((error) => error);
  assert.equal(early.outcome.snapshot.status, "failed");
});

test("an answer that the model has paused is continued without a result", async () => {
  const paused = named(
    {
      type: "message_start",
      message: {
        id: "m",
        type: "message",
        role: "assistant",
        model: "x",
        content: [],
        usage: { input_tokens: 1, output_tokens: 0 },
      },
    },
    {
      type: "content_block_start",
      index: 0,
      content_block: { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: {} },
    },
    {
      type: "content_block_delta",
      index: 0,
      delta: { type: "input_json_delta", partial_json: '{"query":"q"}' },
    },
    { type: "content_block_stop", index: 0 },
    {
      type: "message_delta",
      delta: { stop_reason: "pause_turn", stop_sequence: null },
      usage: { output_tokens: 1 },
    },
    { type: "message_stop" },
  );
  const { asked, outcome } = await run(
    [paused, MODELS.anthropic[1]],
    { f },
    { protocol: "anthropic" },
  );
  assert.equal(asked.length, 2);
  assert.deepEqual(asked[1].messages.slice(1), [
    {
      role: "assistant",
      content: [
        { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "q" } },
      ],
    },
  ]);
  assert.equal(outcome.snapshot.status, "finished");
});

test("a tool whose name the model does not accept has its own name for the client and for its function", async () => {
  const name = "files.read";
  const given = [];
  const tools = {
    [name]: {
      execute: (args, { call }) => {
        given.push([args, call.name]);
        return "read";
      },
    },
  };
  const [, done] = MODELS.chat;
  const calling = sse(
    chunk({
      tool_calls: [
        {
          index: 0,
          id: "x",
          type: "function",
          function: { name: "files_read", arguments: '{"path":"a"}' },
        },
      ],
    }),
    chunk({}, { finish_reason: "tool_calls" }),
    "[DONE]",
  );
  const { asked, outcome } = await run([calling, done], tools);
  assert.equal(asked[0].tools[0].function.name, "files_read");
  assert.deepEqual(given, [[{ path: "a" }, name]]);
  assert.deepEqual(
    toolCalls(outcome.snapshot).map((call) => [call.name, call.result.text]),
    [[name, "read"]],
  );
  assert.equal(asked[1].messages.at(-2).tool_calls[0].function.name, "files_read");
  assert.deepEqual(asked[1].messages.at(-1), { role: "tool", tool_call_id: "x", content: "read" });
});

test("the next request is the first one with messages added: nothing else of it changes", async () => {
  const [calling, done] = MODELS.chat;
  const request = {
    input: [{ role: "user", content: [{ type: "text", text: "Hi" }] }],
    temperature: 0.5,
    response_format: { type: "json_object" },
  };
  const { asked } = await run([calling([["A", "x"]]), done], { f }, { request });
  const [{ messages: before, ...first }, { messages: after, ...second }] = asked;
  assert.deepEqual(second, first);
  assert.equal(first.temperature, 0.5);
  assert.deepEqual(after.slice(0, before.length), before);
  assert.equal(after.length, before.length + 2);
});
