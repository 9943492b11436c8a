// The official OpenAI client asks agents for completions: streams, whole completions, tools of both
// sides, token usage, questions and failures.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { OpenAI } from "openai";
import { read } from "agentwire/chat";
import { AgentError, chatAdapter } from "agentwire/server";
import { MODEL_AGENTS, say, serving } from "../../support/model_agents.mjs";

const TOOL = {
  type: "function",
  function: {
    name: "pick_color",
    description: "Returns a color.",
    parameters: { type: "object", properties: { of: { type: "string" } }, required: ["of"] },
  },
};

/** The agents, by the text of the user. */
const AGENTS = {
  ...MODEL_AGENTS,
  async text(out) {
    const text = out.message().text();
    for (const piece of ["Hel", "lo 你好", ' "👋"\n\u2028']) await text.delta(piece);
    out.usage({ input_tokens: 3, output_tokens: 4, cached_input_tokens: 2, reasoning_tokens: 1 });
  },
  async fail(out) {
    await say(out, "half");
    throw new AgentError("QUOTA", "no more today");
  },
};

const handler = serving(chatAdapter(), AGENTS);

const client = () =>
  new OpenAI({
    apiKey: "unused",
    baseURL: "http://localhost/v1",
    maxRetries: 0,
    fetch: (url, init) => handler(new Request(url, init)),
  });

const ask = (content, more = {}) => ({
  model: "agent",
  messages: [{ role: "user", content }],
  ...more,
});

/** Returns the chunks of a stream, or the error that it ends with. */
async function chunksOf(params) {
  const chunks = [];
  try {
    const stream = await client().chat.completions.create({ ...params, stream: true });
    for await (const chunk of stream) chunks.push(chunk);
  } catch (error) {
    return { chunks, error };
  }
  return { chunks };
}

/** Returns the bytes of a stream. */
async function bytesOf(params) {
  const response = await handler(
    new Request("http://localhost/v1/chat/completions", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ ...params, stream: true }),
    }),
  );
  return response.text();
}

describe("streams", () => {
  test("every stream is legal for the reader, and its chunks name one completion", async () => {
    for (const name of Object.keys(AGENTS)) {
      for (const tools of [undefined, [TOOL]]) {
        const bytes = await bytesOf(ask(name, { tools }));
        const { report } = await read(new Response(bytes), { mode: "strict" }).finished();
        assert.deepEqual(report.violations, [], name);
        assert.ok(bytes.endsWith("data: [DONE]\n\n"), name);
        const chunks = [...bytes.matchAll(/^data: (\{.*)$/gm)].map(([, json]) => JSON.parse(json));
        const named = chunks.filter(({ error }) => error === undefined);
        const head = ({ id, object, created, model }) => [id, object, created, model].join();
        assert.equal(new Set(named.map(head)).size, 1, name);
        const [
          {
            choices: [{ delta: first }],
          },
        ] = named;
        assert.equal(first.role, "assistant", name);
        const roles = named.filter(({ choices }) => choices[0]?.delta.role !== undefined);
        assert.equal(roles.length, 1, name);
        const ended = named.filter(({ choices }) => choices[0]?.finish_reason != null);
        const hasFailed = chunks.length > named.length;
        assert.equal(ended.length, hasFailed ? 0 : 1, name);
      }
    }
  });

  test("a text, with its token usage only if it was requested", async () => {
    const { chunks } = await chunksOf(ask("text"));
    assert.deepEqual(
      chunks.map(({ choices: [{ delta, finish_reason }] }) => [delta, finish_reason]),
      [
        [{ role: "assistant", content: "", refusal: null }, null],
        [{ content: "Hel" }, null],
        [{ content: "lo 你好" }, null],
        [{ content: ' "👋"\n\u2028' }, null],
        [{}, "stop"],
      ],
    );
    assert.ok(chunks.every((chunk) => !("usage" in chunk)));
    const asked = await chunksOf(ask("text", { stream_options: { include_usage: true } }));
    const [last, ...before] = asked.chunks.toReversed();
    assert.ok(before.every(({ usage }) => usage === null));
    assert.deepEqual(last.choices, []);
    assert.deepEqual(last.usage, {
      prompt_tokens: 3,
      prompt_tokens_details: { cached_tokens: 2 },
      completion_tokens: 4,
      completion_tokens_details: { reasoning_tokens: 1 },
      total_tokens: 7,
    });
  });

  test("reasoning and refusals", async () => {
    const { chunks } = await chunksOf(ask("thoughts"));
    const deltas = chunks.map(({ choices: [{ delta }] }) => delta);
    assert.deepEqual(deltas.slice(1, 3), [
      { content: null, reasoning_content: "Hm" },
      { content: null, reasoning_content: "." },
    ]);
    assert.equal(deltas[0].content, null);
    const { choices } = await client()
      .chat.completions.stream(ask("refusal"))
      .finalChatCompletion();
    assert.deepEqual(
      [choices[0].message.content, choices[0].message.refusal, choices[0].finish_reason],
      [null, "I can't help.", "stop"],
    );
  });

  test("parallel calls of the client's tools", async () => {
    const { chunks } = await chunksOf(ask("colors", { tools: [TOOL] }));
    const calls = chunks.flatMap(({ choices: [{ delta }] }) => delta.tool_calls ?? []);
    const start = (index, id) => ({
      index,
      id,
      type: "function",
      function: { name: "pick_color", arguments: "" },
    });
    const piece = (index, text) => ({ index, function: { arguments: text } });
    assert.deepEqual(calls, [
      start(0, "call_sky"),
      start(1, "call_sea"),
      piece(0, '{"of":'),
      piece(1, '{"of":'),
      piece(0, '"sky"}'),
      piece(1, '"sea"}'),
    ]);
    assert.equal(chunks.at(-1).choices[0].finish_reason, "tool_calls");
  });

  test("the rounds of `runTools`", async () => {
    const given = [];
    const runner = client().chat.completions.runTools({
      ...ask("colors"),
      stream: true,
      tools: [
        {
          type: "function",
          function: {
            ...TOOL.function,
            parse: JSON.parse,
            function({ of }) {
              given.push(of);
              return of === "sky" ? "blue" : "green";
            },
          },
        },
      ],
    });
    assert.equal(await runner.finalContent(), "You picked blue and green.");
    assert.deepEqual(given, ["sky", "sea"]);
  });

  test("a call that the agent has run is not the client's", async () => {
    for (const tools of [undefined, [TOOL]]) {
      const { chunks } = await chunksOf(ask("weather", { tools }));
      const text = chunks.map(({ choices: [{ delta }] }) => delta.content ?? "").join("");
      assert.equal(text, "Let me look. 19 degrees.");
      assert.ok(chunks.every(({ choices: [{ delta }] }) => delta.tool_calls === undefined));
      assert.equal(chunks.at(-1).choices[0].finish_reason, "stop");
    }
  });

  test("a question is its text", async () => {
    const completion = await client()
      .chat.completions.stream(ask("question"))
      .finalChatCompletion();
    assert.equal(completion.choices[0].message.content, "Wait.\n\nDelete all files?");
    assert.equal(completion.choices[0].finish_reason, "stop");
  });

  test("a limit is not a stop, and an empty answer is one", async () => {
    const limit = await client().chat.completions.stream(ask("limit")).finalChatCompletion();
    assert.equal(limit.choices[0].finish_reason, "length");
    const empty = await client().chat.completions.stream(ask("empty")).finalChatCompletion();
    assert.deepEqual(
      [empty.choices[0].message.content, empty.choices[0].finish_reason],
      ["", "stop"],
    );
  });

  test("a failure after the first output is an error, and no end of the choice", async () => {
    const { chunks, error } = await chunksOf(ask("fail"));
    assert.ok(error instanceof OpenAI.APIError, error);
    assert.deepEqual([error.code, error.error.message], ["QUOTA", "no more today"]);
    assert.ok(chunks.every(({ choices: [{ finish_reason }] }) => finish_reason === null));
    await assert.rejects(
      client().chat.completions.stream(ask("fail")).finalChatCompletion(),
      /no more today/,
    );
  });
});

describe("whole completions", () => {
  test("they have the content of the stream, and always the token usage", async () => {
    for (const name of ["text", "thoughts", "refusal", "weather", "colors", "limit", "empty"]) {
      const tools = [TOOL];
      const whole = await client().chat.completions.create(ask(name, { tools }));
      const streamed = await client()
        .chat.completions.stream(ask(name, { tools, stream_options: { include_usage: true } }))
        .finalChatCompletion();
      assert.equal(whole.object, "chat.completion");
      const { reasoning_content: thoughts, ...message } = whole.choices[0].message;
      const { parsed: _, reasoning_content: __, ...other } = streamed.choices[0].message;
      // The official client parses the calls of a stream, and keeps the last piece of the reasoning.
      const plain = JSON.parse(
        JSON.stringify(other, (key, value) => (key.startsWith("parsed") ? undefined : value)),
      );
      assert.deepEqual(message, plain, name);
      assert.equal(thoughts, name === "thoughts" ? "Hm." : undefined);
      assert.equal(whole.choices[0].finish_reason, streamed.choices[0].finish_reason, name);
      assert.deepEqual(whole.usage ?? undefined, streamed.usage ?? undefined, name);
    }
  });

  test("the rounds of `runTools`", async () => {
    const runner = client().chat.completions.runTools({
      ...ask("colors"),
      tools: [
        {
          type: "function",
          function: { ...TOOL.function, parse: JSON.parse, function: ({ of }) => `dark ${of}` },
        },
      ],
    });
    assert.equal(await runner.finalContent(), "You picked dark sky and dark sea.");
  });

  test("a failure is a status", async () => {
    for (const name of ["fail", "early"]) {
      await assert.rejects(client().chat.completions.create(ask(name)), (error) => {
        assert.ok(error instanceof OpenAI.InternalServerError, error);
        assert.deepEqual([error.code, error.error.message], ["QUOTA", "no more today"]);
        return true;
      });
    }
  });
});

test("what the client sends is refused as OpenAI's server refuses it", async () => {
  const send = (body, headers = { "content-type": "application/json" }) =>
    handler(
      new Request("http://localhost/v1/chat/completions", { method: "POST", headers, body }),
    ).then(async (response) => [response.status, (await response.json()).error]);
  const refused = {
    "{": [400, "body[1]"],
    "[]": [400, undefined],
    '{"model":"m"}': [400, "messages"],
    '{"model":"m","messages":[]}': [400, "messages"],
    '{"model":"m","messages":[{"content":"hi"}]}': [400, "messages[0].role"],
    '{"model":"m","messages":[{"role":"user","content":[{"text":"hi"}]}]}': [
      400,
      "messages[0].content[0].type",
    ],
  };
  for (const [body, [status, param]] of Object.entries(refused)) {
    const [actual, error] = await send(body);
    assert.equal(actual, status, body);
    assert.deepEqual(Object.keys(error), ["message", "type", "param", "code"], body);
    assert.equal(error.type, "invalid_request_error", body);
    assert.equal(error.param ?? undefined, param, body);
  }
  const [status, error] = await send("{}", { "content-type": "text/plain" });
  assert.deepEqual([status, error.type], [415, "invalid_request_error"]);
});
