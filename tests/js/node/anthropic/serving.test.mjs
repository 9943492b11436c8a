// The official Anthropic client asks agents for messages: streams, whole messages, tools of both
// sides, thinking, token usage, questions and failures.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Anthropic } from "@anthropic-ai/sdk";
import { read } from "agentwire/anthropic";
import {
  AgentError,
  anthropicAdapter,
  apiKeyOf,
  createHandler,
  messagesEcho,
} from "agentwire/server";
import { MODEL_AGENTS, say, serving } from "../../support/model_agents.mjs";

const TOOL = {
  name: "pick_color",
  description: "Returns a color.",
  input_schema: { type: "object", properties: { of: { type: "string" } }, required: ["of"] },
};

/** The agents, by the text of the user. */
const AGENTS = {
  ...MODEL_AGENTS,
  async text(out) {
    const text = out.message().text();
    for (const piece of ["Hel", "lo 你好", ' "👋"\n\u2028']) await text.delta(piece);
    out.usage({ input_tokens: 5, output_tokens: 4, cached_input_tokens: 2 });
  },
  /** A model of Gemini, whose text is followed by the state that belongs to it. */
  async gemini(out) {
    const chunk = (part, more = {}) => ({
      candidates: [{ content: { role: "model", parts: [part] }, index: 0, ...more }],
      responseId: "r",
      modelVersion: "gemini-3-flash",
    });
    const chunks = [
      chunk({ text: "It is written." }),
      chunk({ text: "", thoughtSignature: "c2ln" }, { finishReason: "STOP" }),
    ];
    const stream = chunks.map((data) => `data: ${JSON.stringify(data)}\n\n`).join("");
    await out.forward(new Response(stream).body, { protocol: "gemini" });
  },
  async now(out) {
    await out.tool("pick_color", { callId: "call_now" }).complete();
  },
  async fail(out) {
    await say(out, "half");
    throw new AgentError("rate_limit_exceeded", "no more today");
  },
};

const handler = serving(anthropicAdapter(), AGENTS);

const client = (more = {}) =>
  new Anthropic({
    apiKey: "unused",
    baseURL: "http://localhost",
    maxRetries: 0,
    fetch: (url, init) => handler(new Request(url, init)),
    ...more,
  });

const ask = (content, more = {}) => ({
  model: "claude",
  max_tokens: 100,
  messages: [{ role: "user", content }],
  ...more,
});

const post = (path, body, init = {}) =>
  handler(
    new Request(`http://localhost${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
      ...init,
    }),
  );

/** Returns the bytes of a stream. */
const bytesOf = async (params) =>
  (await post("/v1/messages?beta=true", { ...params, stream: true })).text();

const eventsIn = (bytes) =>
  [...bytes.matchAll(/^event: (.*)\ndata: (\{.*)$/gm)].map(([, name, json]) => {
    const event = JSON.parse(json);
    assert.equal(event.type, name);
    return event;
  });

/** Asserts that blocks follow each other, and that none is empty. */
function mustBeInOrder(events) {
  let [next, open] = [0, undefined];
  for (const { type, index, content_block: block, delta } of events) {
    if (type === "content_block_start") {
      assert.deepEqual([open, index], [undefined, next]);
      open = { index, block, text: "" };
      next += 1;
    } else if (type === "content_block_delta") {
      assert.equal(index, open.index);
      open.text += delta.text ?? delta.thinking ?? "";
    } else if (type === "content_block_stop") {
      assert.equal(index, open.index);
      assert.ok(!["text", "thinking"].includes(open.block.type) || open.text !== "");
      open = undefined;
    } else if (type === "message_stop") {
      assert.equal(open, undefined);
    }
  }
}

describe("streams", () => {
  test("every stream is legal for the reader and the official client", async () => {
    for (const name of Object.keys(AGENTS)) {
      for (const tools of [undefined, [TOOL]]) {
        const params = ask(name, { tools });
        const bytes = await bytesOf(params);
        const { report, snapshot } = await read(new Response(bytes), {
          mode: "strict",
        }).finished();
        assert.deepEqual(report.violations, [], name);
        const events = eventsIn(bytes);
        mustBeInOrder(events);
        const last = events.at(-1).type;
        const hasFailed = ["fail", "early", "empty"].includes(name) && last === "error";
        assert.equal(last, hasFailed ? "error" : "message_stop", name);
        assert.ok(hasFailed || events[0].type === "message_start", name);
        if (!hasFailed) {
          const sent = new Response(bytes, { headers: { "content-type": "text/event-stream" } });
          const message = await client({ fetch: async () => sent })
            .messages.stream(params)
            .finalMessage();
          const { status: _, ...own } = snapshot;
          const { parsed_output: __, ...theirs } = message;
          own.content = own.content.map(({ partial_json: ___, ...block }) => block);
          assert.deepEqual(theirs.content, own.content, name);
          assert.equal(theirs.stop_reason, own.stop_reason, name);
          assert.deepEqual(theirs.usage, own.usage, name);
        }
      }
    }
  });

  test("a text, with its token usage", async () => {
    const events = eventsIn(await bytesOf(ask("text")));
    assert.deepEqual(
      events.map(({ type, delta }) => delta?.text ?? type),
      [
        "message_start",
        "content_block_start",
        "Hel",
        "lo 你好",
        ' "👋"\n\u2028',
        "content_block_stop",
        "message_delta",
        "message_stop",
      ],
    );
    const [{ message }] = events;
    assert.match(message.id, /^msg_|./);
    assert.equal(message.model, "claude");
    assert.deepEqual(events.at(-2), {
      type: "message_delta",
      delta: { stop_reason: "end_turn", stop_sequence: null },
      usage: { input_tokens: 3, cache_read_input_tokens: 2, output_tokens: 4 },
    });
    // The counts of the end are those of the message: at its start they are not known.
    const { usage } = await client().messages.stream(ask("text")).finalMessage();
    assert.deepEqual(usage, { input_tokens: 3, cache_read_input_tokens: 2, output_tokens: 4 });
  });

  test("Claude Code receives the name of its model, and `claude -p` a text as the last block", async () => {
    for (const [name, types] of [
      ["claude-cli/2.1.332 (external, sdk-cli)", ["redacted_thinking", "text"]],
      ["claude-cli/2.1.332 (external, cli)", ["text", "redacted_thinking"]],
      ["Anthropic/JS 1.14.0", ["text", "redacted_thinking"]],
    ]) {
      const { messages } = client({ defaultHeaders: { "user-agent": name } });
      const streamed = await messages.stream(ask("gemini")).finalMessage();
      assert.equal(streamed.model, "claude");
      assert.deepEqual(
        streamed.content.map(({ type }) => type),
        types,
      );
      const whole = await messages.create(ask("gemini"));
      assert.deepEqual(
        whole.content.map(({ type }) => type),
        types,
      );
    }
  });

  test("thinking has a signature, and clients send it back", async () => {
    const { content, stop_reason } = await client().messages.stream(ask("thoughts")).finalMessage();
    assert.equal(stop_reason, "end_turn");
    assert.deepEqual(
      content.map(({ type, thinking, text }) => [type, thinking ?? text]),
      [
        ["thinking", "Hm."],
        ["text", "Yes."],
      ],
    );
    assert.ok(content[0].signature.length > 0);
  });

  test("a refusal is a text, and the stop reason", async () => {
    const { content, stop_reason } = await client().messages.stream(ask("refusal")).finalMessage();
    assert.deepEqual(
      [content, stop_reason],
      [[{ type: "text", text: "I can't help." }], "refusal"],
    );
  });

  test("parallel calls of the client's tools are one after the other", async () => {
    const params = ask("colors", { tools: [TOOL] });
    const message = await client().messages.stream(params).finalMessage();
    assert.equal(message.stop_reason, "tool_use");
    assert.deepEqual(message.content, [
      { type: "text", text: "Two colors. " },
      { type: "tool_use", id: "call_sky", name: "pick_color", input: { of: "sky" } },
      { type: "tool_use", id: "call_sea", name: "pick_color", input: { of: "sea" } },
    ]);
    const results = message.content.slice(1).map(({ id, input }) => ({
      type: "tool_result",
      tool_use_id: id,
      content: `blue as the ${input.of}`,
    }));
    const next = await client().messages.create({
      ...params,
      messages: [
        ...params.messages,
        { role: "assistant", content: message.content },
        { role: "user", content: results },
      ],
    });
    assert.deepEqual(next.content, [
      { type: "text", text: "You picked blue as the sky and blue as the sea." },
    ]);
  });

  test("a call without arguments has an empty input", async () => {
    const message = await client()
      .messages.stream(ask("now", { tools: [TOOL] }))
      .finalMessage();
    assert.deepEqual(message.content, [
      { type: "tool_use", id: "call_now", name: "pick_color", input: {} },
    ]);
  });

  test("the tool runner of the client runs its tools, and not those of the agent", async () => {
    const asked = [];
    const run = (content) =>
      client().beta.messages.toolRunner({
        ...ask(content),
        tools: [
          {
            ...TOOL,
            type: "custom",
            run: ({ of }) => {
              asked.push(of);
              return "blue";
            },
            parse: (input) => input,
          },
        ],
      });
    const message = await run("colors");
    assert.deepEqual(asked, ["sky", "sea"]);
    assert.equal(message.content[0].text, "You picked blue and blue.");
    const weather = await run("weather");
    assert.deepEqual(
      weather.content.map(({ type }) => type),
      ["text", "mcp_tool_use", "mcp_tool_result", "text"],
    );
    assert.deepEqual(weather.content[1].input, { city: "Paris" });
    assert.equal(weather.stop_reason, "end_turn");
  });

  test("a question is its text", async () => {
    const { content, stop_reason } = await client().messages.stream(ask("question")).finalMessage();
    assert.deepEqual(
      [content.map(({ text }) => text), stop_reason],
      [["Wait.", "Delete all files?"], "end_turn"],
    );
  });

  test("a limit is the stop reason", async () => {
    const { stop_reason } = await client().messages.stream(ask("limit")).finalMessage();
    assert.equal(stop_reason, "max_tokens");
  });

  test("a run that fails ends with the error, and not with `message_stop`", async () => {
    const events = eventsIn(await bytesOf(ask("fail")));
    assert.deepEqual(events.at(-1), {
      type: "error",
      error: { type: "rate_limit_error", message: "no more today" },
    });
    assert.ok(events.every(({ type }) => type !== "message_stop"));
    await assert.rejects(client().messages.stream(ask("fail")).finalMessage(), (error) => {
      assert.match(error.message, /no more today/);
      return true;
    });
  });

  test("pings show that the stream is alive", async () => {
    const slow = createHandler({
      adapters: [anthropicAdapter({ options: () => ({ heartbeatMs: 20 }) })],
      async agent(out) {
        await say(out, "a");
        await new Promise((resolve) => setTimeout(resolve, 120));
        await say(out, "b");
      },
    });
    const response = await slow(
      new Request("http://localhost/v1/messages", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ ...ask("text"), stream: true }),
      }),
    );
    const bytes = await response.text();
    assert.match(bytes, /event: ping\ndata: {"type":"ping"}\n\n/);
    assert.ok(!bytes.includes("\n: "));
  });
});

describe("whole messages", () => {
  test("have the blocks of the stream", async () => {
    for (const name of ["text", "thoughts", "refusal", "weather", "colors", "now", "limit"]) {
      const params = ask(name, { tools: [TOOL] });
      const streamed = await client().messages.stream(params).finalMessage();
      const whole = await client().messages.create(params);
      const essence = ({ type, role, model, content, stop_reason, stop_sequence, usage }) => ({
        ...{ type, role, model, stop_reason, stop_sequence, usage },
        // The ids of the agent's calls are new ones in each run.
        content: content.map(({ id: _, tool_use_id: __, ...block }) => block),
      });
      assert.deepEqual(essence(whole), essence(streamed), name);
      assert.match(whole.id, /./);
    }
  });

  test("a run that fails is an error response", async () => {
    const response = await post("/v1/messages", ask("fail"));
    assert.equal(response.status, 429);
    assert.match(response.headers.get("content-type"), /^application\/json/);
    assert.deepEqual(await response.json(), {
      type: "error",
      error: { type: "rate_limit_error", message: "no more today" },
    });
  });
});

describe("requests", () => {
  test("a body that is not a request is refused in the format of the API", async () => {
    for (const body of [[], { messages: "hi" }, { messages: [{ role: 3, content: "hi" }] }]) {
      const response = await post("/v1/messages", body);
      assert.equal(response.status, 400, JSON.stringify(body));
      const { type, error } = await response.json();
      assert.deepEqual([type, error.type], ["error", "invalid_request_error"]);
    }
    await assert.rejects(
      client().messages.create({ model: "m", max_tokens: 1, messages: [{ content: "hi" }] }),
      (error) => {
        assert.equal(error.constructor, Anthropic.BadRequestError);
        assert.equal(error.type, "invalid_request_error");
        return true;
      },
    );
  });

  test("the agent receives the history, the system prompt, the tools and cache breakpoints", async () => {
    let seen;
    const recording = createHandler({
      adapters: [anthropicAdapter()],
      agent(out, request) {
        seen = request;
        return say(out, "ok");
      },
    });
    const own = new Anthropic({
      apiKey: "unused",
      baseURL: "http://localhost",
      fetch: (url, init) => recording(new Request(url, init)),
    });
    await own.messages.create({
      ...ask("hi"),
      system: [{ type: "text", text: "Be brief.", cache_control: { type: "ephemeral" } }],
      tools: [TOOL],
      temperature: 0.5,
    });
    assert.deepEqual(
      seen.messages.map(({ role }) => role),
      ["system", "user"],
    );
    assert.equal(seen.tools[0].name, "pick_color");
    assert.equal(seen.settings.temperature, 0.5);
  });

  test("other methods, and large bodies", async () => {
    const other = await handler(new Request("http://localhost/v1/messages"));
    assert.equal(other.status, 405);
    assert.equal((await other.json()).error.type, "invalid_request_error");
    const small = createHandler({
      adapters: [anthropicAdapter({ maxBodyBytes: 100 })],
      agent() {},
    });
    const response = await small(
      new Request("http://localhost/v1/messages", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(ask("x".repeat(200))),
      }),
    );
    assert.equal(response.status, 413);
    assert.equal((await response.json()).error.type, "request_too_large");
  });

  test("the tokens of a request are counted", async () => {
    const count = (content) =>
      client().messages.countTokens({ model: "m", messages: [{ role: "user", content }] });
    const { input_tokens: few } = await count("hi");
    const { input_tokens: many } = await count("hi ".repeat(4000));
    assert.ok(few > 0 && few < 20, String(few));
    assert.ok(many > 2900 && many < 3100, String(many));
    const own = createHandler({
      adapters: [anthropicAdapter({ countTokens: ({ messages }) => messages.length })],
      agent() {},
    });
    const response = await own(
      new Request("http://localhost/v1/messages/count_tokens", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(ask("hi")),
      }),
    );
    assert.deepEqual(await response.json(), { input_tokens: 1 });
    assert.equal((await post("/v1/messages/count_tokens", { messages: 7 })).status, 400);
    const get = await handler(new Request("http://localhost/v1/messages/count_tokens"));
    assert.equal(get.status, 405);
  });

  test("`HEAD /` shows that the server is there", async () => {
    const head = await handler(new Request("http://localhost/", { method: "HEAD" }));
    assert.equal(head.status, 200);
    assert.equal((await handler(new Request("http://localhost/"))).status, 404);
  });

  test("both headers of a key name the user", async () => {
    const own = createHandler({
      adapters: [anthropicAdapter()],
      authenticate: (request) => (apiKeyOf(request) === "secret" ? "me" : undefined),
      agent: (out, _, { user }) => say(out, user),
    });
    for (const init of [{ apiKey: "secret" }, { apiKey: null, authToken: "secret" }]) {
      const asked = new Anthropic({
        baseURL: "http://localhost",
        maxRetries: 0,
        fetch: (url, init) => own(new Request(url, init)),
        ...init,
      });
      const { content } = await asked.messages.create(ask("hi"));
      assert.equal(content[0].text, "me");
    }
    const response = await own(
      new Request("http://localhost/v1/messages", { method: "POST", body: "{}" }),
    );
    assert.equal(response.status, 401);
    assert.equal((await response.json()).error.type, "authentication_error");
  });

  test("`messagesEcho` returns what the writer needs of the request", () => {
    assert.deepEqual(messagesEcho(ask("hi", { tools: [TOOL], stream: true })), {
      model: "claude",
      stream: true,
      tools: [{ name: "pick_color" }],
    });
  });
});
