// The worker with a model behind every protocol: with a server of Chat Completions on this machine,
// and with the model that it contains.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, describe, test } from "node:test";
import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI } from "@google/genai";
import OpenAI from "openai";
import { read, toolCalls } from "agentwire";
import * as a2a from "agentwire/a2a";
import * as agKit from "agentwire/ag-kit";
import * as aiSdk from "agentwire/ai-sdk";
import * as agUi from "agentwire/ag-ui";
import * as agentApi from "agentwire/agent-api";
import * as responses from "agentwire/responses";
import { openSite } from "../browser/playground.mjs";

/** Requests of each protocol to the worker at `url`. */
const REQUESTS = {
  "agent-api": (url, text) => agentApi.createRequest(`${url}/process`, text),
  "ag-ui": (url, text) => agUi.createRequest(`${url}/ag-ui`, text),
  "ag-kit": (url, text) =>
    agKit.createRequest(`${url}/send-message`, {
      conversationId: crypto.randomUUID(),
      messages: [{ role: "user", content: text }],
    }),
  responses: (url, text) =>
    responses.createRequest(`${url}/v1/responses`, { model: "any", input: text, store: false }),
  "ai-sdk": (url, text) => aiSdk.createRequest(`${url}/api/chat`, text),
  a2a: (url, text) => a2a.createRequest(`${url}/a2a`, text),
};

/**
 * Asks in a protocol, and returns the outcome as one of the Agent API, with its calls and the texts
 * of the answer.
 */
async function ask(protocol, url, text) {
  const outcome = await read(fetch(REQUESTS[protocol](url, text)), {
    protocol,
    as: "agent-api",
  }).finished();
  assert.deepEqual(outcome.report.violations, []);
  const { snapshot } = outcome;
  const messages = snapshot.output.filter(
    ({ type, role }) => type === "message" && role === "assistant",
  );
  return {
    snapshot,
    calls: toolCalls(snapshot),
    texts: messages.flatMap(({ content }) => content.map(({ text }) => text)),
  };
}

describe("the worker with a model", () => {
  const asked = [];
  let server, site;
  before(async () => {
    server = createServer(async (request, response) => {
      const parts = [];
      for await (const part of request) parts.push(part);
      const body = JSON.parse(Buffer.concat(parts));
      asked.push({ url: request.url, key: request.headers.authorization, body });
      const last = body.messages.at(-1);
      const call = {
        index: 0,
        id: "call_1",
        type: "function",
        function: { name: "get_weather", arguments: '{"city":"Lisbon"}' },
      };
      const choices =
        last.role === "tool"
          ? [{ content: `It is ${JSON.parse(last.content).celsius} °C.` }]
          : [{ tool_calls: [call] }];
      response.writeHead(200, { "content-type": "text/event-stream" });
      const send = (event) => response.write(`data: ${JSON.stringify({ id: "c", ...event })}\n\n`);
      choices.forEach((delta) =>
        send({ choices: [{ index: 0, delta: { role: "assistant", ...delta } }] }),
      );
      send({
        choices: [
          { index: 0, delta: {}, finish_reason: last.role === "tool" ? "stop" : "tool_calls" },
        ],
      });
      response.end("data: [DONE]\n\n");
    });
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    const MODEL_URL = `http://127.0.0.1:${server.address().port}/v1`;
    site = await openSite({
      vars: { MODEL_PROTOCOL: "chat", MODEL_URL, MODEL_KEY: "secret", MODEL: "some" },
    });
  });
  after(async () => {
    await site?.close();
    server?.close();
  });

  for (const protocol of Object.keys(REQUESTS)) {
    test(`serves ${protocol} with the tool of the agent`, async () => {
      asked.length = 0;
      const {
        calls: [call],
        texts,
      } = await ask(protocol, site.url, "How warm is it in Lisbon?");
      assert.deepEqual(
        [call.name, call.arguments, call.result.value.city],
        ["get_weather", { city: "Lisbon" }, "Lisbon"],
      );
      assert.deepEqual(texts, [`It is ${call.result.value.celsius} °C.`]);
      assert.deepEqual(
        asked.map(({ url, key, body }) => [url, key, body.model, body.messages.length]),
        [
          ["/v1/chat/completions", "Bearer secret", "some", 1],
          ["/v1/chat/completions", "Bearer secret", "some", 3],
        ],
      );
    });
  }
});

describe("the model that the worker contains", () => {
  let site;
  before(async () => {
    site = await openSite();
  });
  after(() => site?.close());

  const QUESTIONS = [
    "Ask the model about Lisbon.",
    "Ask the model of Anthropic about Lisbon.",
    "Ask the model Gemini about Lisbon.",
  ];
  for (const protocol of Object.keys(REQUESTS)) {
    test(`answers in ${protocol}, from each API`, async () => {
      for (const question of QUESTIONS) {
        const {
          calls: [call],
          texts,
        } = await ask(protocol, site.url, question);
        assert.deepEqual(
          [call.name, call.arguments, call.result.value.city],
          ["get_weather", { city: "Lisbon" }, "Lisbon"],
        );
        assert.equal(texts.join(""), `It is ${call.result.value.celsius} °C in Lisbon.`);
      }
    });
  }

  test("fails in the middle on request, in each API", async () => {
    for (const [name, code] of [
      ["", "overloaded"],
      ["Anthropic", "overloaded_error"],
      ["Gemini", "UNAVAILABLE"],
    ]) {
      const { snapshot } = await ask("agent-api", site.url, `The model ${name} is overloaded`);
      assert.deepEqual([snapshot.status, snapshot.error.code], ["failed", code]);
      assert.equal(
        snapshot.output.find(({ type }) => type === "message").content[0].text,
        "I begin, ",
      );
    }
  });

  const TEXT = "You asked “Hello?”. I am a fake model.";
  const parameters = { type: "object", properties: { city: { type: "string" } } };

  test("serves the official client of Chat Completions", async () => {
    const client = new OpenAI({ apiKey: "any", baseURL: `${site.url}/models/v1` });
    const ask = (content, tools) =>
      client.chat.completions
        .stream({ model: "any", messages: [{ role: "user", content }], tools })
        .finalChatCompletion();
    const { choices, usage } = await ask("Hello?");
    assert.deepEqual(
      [choices[0].message.content, choices[0].finish_reason, usage.total_tokens],
      [TEXT, "stop", 36],
    );
    const {
      choices: [{ message, finish_reason }],
    } = await ask("Lisbon?", [{ type: "function", function: { name: "get_weather", parameters } }]);
    assert.deepEqual(
      [
        message.tool_calls.map(({ function: { name, arguments: args } }) => [name, args]),
        finish_reason,
      ],
      [[["get_weather", '{"city":"Lisbon"}']], "tool_calls"],
    );
  });

  test("serves the official client of Anthropic", async () => {
    const client = new Anthropic({ apiKey: "any", baseURL: `${site.url}/models` });
    const ask = (content, tools) =>
      client.messages
        .stream({ model: "any", max_tokens: 100, messages: [{ role: "user", content }], tools })
        .finalMessage();
    const answer = await ask("Hello?");
    assert.deepEqual(
      [answer.content.map(({ type }) => type), answer.content[1].text, answer.stop_reason],
      [["thinking", "text"], TEXT, "end_turn"],
    );
    const called = await ask("Lisbon?", [{ name: "get_weather", input_schema: parameters }]);
    assert.deepEqual(
      [called.content.at(-1).input, called.stop_reason],
      [{ city: "Lisbon" }, "tool_use"],
    );
  });

  test("serves the official client of Gemini", async () => {
    const { models } = new GoogleGenAI({
      apiKey: "any",
      httpOptions: { baseUrl: `${site.url}/models` },
    });
    const ask = async (contents, config) => {
      const chunks = [];
      for await (const chunk of await models.generateContentStream({
        model: "any",
        contents,
        config,
      }))
        chunks.push(chunk);
      return chunks;
    };
    assert.equal((await ask("Hello?")).map(({ text }) => text ?? "").join(""), TEXT);
    const called = await ask("Lisbon?", {
      tools: [
        { functionDeclarations: [{ name: "get_weather", parametersJsonSchema: parameters }] },
      ],
    });
    assert.deepEqual(
      called.flatMap(({ functionCalls = [] }) =>
        functionCalls.map(({ name, args }) => [name, args]),
      ),
      [["get_weather", { city: "Lisbon" }]],
    );
  });

  test("refuses what is no request of its APIs", async () => {
    const headers = { "content-type": "application/json" };
    const post = async (path, body) =>
      (await fetch(site.url + path, { method: "POST", headers, body })).status;
    assert.equal(await post("/models/v1/chat/completions", "no JSON"), 400);
    assert.equal(await post("/models/v1/chat/completions", '{"stream":true,"messages":7}'), 400);
    assert.equal(
      await post("/models/v1/messages", '{"messages":[]}'),
      400,
      "the answer would not be a stream",
    );
    assert.equal(await post("/models/v1/messages", JSON.stringify("x".repeat(2 ** 20))), 413);
    assert.equal(await post("/models/v1/other", "{}"), 404);
  });
});
