// The AI SDK and LangChain ask an agent through their own clients of Anthropic Messages: a text with
// thinking, tools of the client in several rounds, tools of the agent, and a failure.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as provider4 from "@ai-sdk/anthropic";
import * as provider3 from "@ai-sdk/anthropic-3";
import { ChatAnthropic } from "@langchain/anthropic";
import * as ai7 from "ai";
import * as ai6 from "ai-6";
import { AgentError, anthropicAdapter, createHandler } from "agentwire/server";

const say = (out, text) => out.message().text().delta(text);

const schema = { type: "object", properties: { of: { type: "string" } }, required: ["of"] };

/** An agent that thinks, asks for two colors, and reports them; or fails, or runs its own tool. */
async function agent(out, request) {
  const asked = JSON.stringify(request.toJSON().input);
  if (asked.includes("fail")) {
    await say(out, "half");
    throw new AgentError("overloaded", "too much");
  }
  if (asked.includes("weather")) {
    const call = out.tool("get_weather");
    await call.arguments('{"city":"Paris"}');
    await call.result("19");
    return say(out, "It is 19.");
  }
  const results = request.answers;
  const thoughts = out.reasoning();
  await thoughts.delta(results.length > 0 ? "I have them." : "I need colors.");
  await thoughts.complete();
  if (results.length > 0) {
    // The thinking of the first answer has come back.
    const { length } = asked.match(/I need colors\./g) ?? [];
    return say(out, `${results.map(({ text }) => text).join(" and ")}, ${length ?? 0}`);
  }
  await say(out, "Two colors.");
  for (const of of ["sky", "sea"]) {
    const call = out.tool("pick_color", { callId: `toolu_${of}` });
    for (const piece of ['{"of":', `"${of}"}`]) await call.arguments(piece);
    await call.complete();
  }
}

const handler = createHandler({ adapters: [anthropicAdapter()], onError: () => {}, agent });
const fetch = (url, init) => handler(new Request(url, init));

for (const [version, ai, { createAnthropic }] of [
  ["6", ai6, provider3],
  ["7", ai7, provider4],
]) {
  describe(`the AI SDK ${version}`, () => aiSdkTests(ai, createAnthropic));
}

function aiSdkTests({ generateText, jsonSchema, stepCountIs, streamText, tool }, createAnthropic) {
  const model = createAnthropic({ baseURL: "http://localhost/v1", apiKey: "unused", fetch })(
    "claude",
  );
  const tools = {
    pick_color: tool({
      inputSchema: jsonSchema(schema),
      execute: async ({ of }) => `blue ${of}`,
    }),
  };
  const options = { model, tools, stopWhen: stepCountIs(4), maxRetries: 0 };

  for (const [name, run] of [
    ["streamText", async (more) => streamText({ ...options, ...more })],
    ["generateText", async (more) => generateText({ ...options, ...more })],
  ]) {
    test(`${name}: rounds of tools, with the thinking sent back`, async () => {
      const result = await run({ prompt: "colors" });
      assert.equal(await result.text, "blue sky and blue sea, 1");
      const steps = await result.steps;
      assert.deepEqual(
        steps.map(({ finishReason, reasoningText }) => [finishReason, reasoningText]),
        [
          ["tool-calls", "I need colors."],
          ["stop", "I have them."],
        ],
      );
    });

    test(`${name}: a tool of the agent is run by the provider`, async () => {
      const result = await run({ prompt: "weather" });
      assert.equal(await result.text, "It is 19.");
      const [call] = await result.toolCalls;
      assert.deepEqual(
        [call.toolName, call.input, call.providerExecuted],
        ["get_weather", { city: "Paris" }, true],
      );
      assert.equal((await result.steps).length, 1);
    });
  }

  test("a stream that fails has the error", async () => {
    const errors = [];
    const { fullStream } = streamText({
      ...options,
      prompt: "fail",
      onError: ({ error }) => errors.push(error),
    });
    for await (const _ of fullStream);
    assert.match(JSON.stringify(errors), /too much/);
  });
}

describe("LangChain", () => {
  const model = new ChatAnthropic({
    model: "claude",
    apiKey: "unused",
    maxRetries: 0,
    anthropicApiUrl: "http://localhost",
    clientOptions: { fetch },
  }).bindTools([{ name: "pick_color", description: "Returns a color.", input_schema: schema }]);

  test("streams: rounds of tools, with the thinking sent back", async () => {
    const messages = [{ role: "user", content: "colors" }];
    let answer;
    for await (const chunk of await model.stream(messages)) {
      answer = answer === undefined ? chunk : answer.concat(chunk);
    }
    assert.deepEqual(
      answer.tool_calls.map(({ name, args }) => [name, args]),
      [
        ["pick_color", { of: "sky" }],
        ["pick_color", { of: "sea" }],
      ],
    );
    const results = answer.tool_calls.map(({ id, args }) => ({
      role: "tool",
      tool_call_id: id,
      content: `blue ${args.of}`,
    }));
    const next = await model.invoke([...messages, answer, ...results]);
    assert.equal(next.text, "blue sky and blue sea, 1");
  });

  test("a whole answer, and one that fails", async () => {
    const answer = await model.invoke([{ role: "user", content: "colors" }]);
    assert.equal(answer.tool_calls.length, 2);
    assert.equal(answer.response_metadata.stop_reason, "tool_use");
    await assert.rejects(model.invoke([{ role: "user", content: "fail" }]), /too much/);
  });
});
