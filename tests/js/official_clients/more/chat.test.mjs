// Clients of Chat Completions: LangChain, and the AI SDK with its provider for compatible servers.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { HumanMessage, ToolMessage } from "@langchain/core/messages";
import { ChatOpenAI } from "@langchain/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import * as provider2 from "@ai-sdk/openai-compatible-2";
import * as ai6 from "ai-6";
import * as ai7 from "ai";
import { z } from "zod";
import { start } from "./server.mjs";

let site;
before(async () => {
  site = await start();
});
after(() => site.close());

describe("LangChain", () => {
  const TOOL = {
    type: "function",
    function: {
      name: "pick_color",
      description: "",
      parameters: { type: "object", properties: { of: { type: "string" } } },
    },
  };
  const model = () =>
    new ChatOpenAI({
      model: "agent",
      apiKey: "unused",
      useResponsesApi: false,
      maxRetries: 0,
      configuration: { baseURL: `${site.url}/v1` },
    });
  const streamed = async (runnable, input) => {
    let whole;
    for await (const chunk of await runnable.stream(input)) {
      whole = whole === undefined ? chunk : whole.concat(chunk);
    }
    return whole;
  };

  test("text, streamed and not streamed", async () => {
    assert.equal((await model().invoke("hi")).text, "Hello 你好");
    assert.equal((await streamed(model(), "hi")).text, "Hello 你好");
  });

  test("a tool of the agent is not a call", async () => {
    for (const message of [
      await model().invoke("the weather"),
      await streamed(model(), "the weather"),
    ]) {
      assert.deepEqual([message.text, message.tool_calls], ["Let me look. 19 degrees.", []]);
    }
  });

  test("a tool of the client, and its result", async () => {
    const asked = new HumanMessage("a color");
    const bound = model().bindTools([TOOL]);
    for (const message of [await bound.invoke([asked]), await streamed(bound, [asked])]) {
      const [{ name, args, id }] = message.tool_calls;
      assert.deepEqual([name, args, id], ["pick_color", { of: "sky" }, "call_2"]);
      const result = new ToolMessage({ content: "blue", tool_call_id: id });
      assert.equal((await bound.invoke([asked, message, result])).text, "You picked blue.");
    }
  });

  test("a failure is thrown", async () => {
    await assert.rejects(model().invoke("fail"), /no more today/);
    await assert.rejects(streamed(model(), "fail"), /no more today/);
  });
});

for (const [name, { generateText, stepCountIs, isStepCount, streamText, tool }, create] of [
  ["ai 6", ai6, provider2.createOpenAICompatible],
  ["ai 7", ai7, createOpenAICompatible],
]) {
  describe(name, () => {
    const model = () =>
      create({ name: "agentwire", baseURL: `${site.url}/v1`, includeUsage: true }).chatModel(
        "agent",
      );
    const pick_color = tool({
      description: "",
      inputSchema: z.object({ of: z.string() }),
      execute: async () => "blue",
    });
    const streamed = async (options) => {
      const errors = [];
      const run = streamText({
        model: model(),
        maxRetries: 0,
        onError: ({ error }) => void errors.push(error),
        ...options,
      });
      const kinds = [];
      for await (const part of run.fullStream) kinds.push(part.type);
      return { run, kinds, errors };
    };

    test("text", async () => {
      const { text, finishReason } = await generateText({
        model: model(),
        prompt: "hi",
        maxRetries: 0,
      });
      assert.deepEqual([text, finishReason], ["Hello 你好", "stop"]);
      const { run, errors } = await streamed({ prompt: "hi" });
      assert.deepEqual(
        [await run.text, await run.finishReason, errors],
        ["Hello 你好", "stop", []],
      );
    });

    test("a tool of the agent is not executed by the client", async () => {
      const { run, kinds, errors } = await streamed({
        prompt: "the weather",
        tools: { pick_color },
      });
      assert.deepEqual(
        [await run.text, await run.finishReason, errors],
        ["Let me look. 19 degrees.", "stop", []],
      );
      assert.ok(!kinds.includes("tool-call"), kinds.join());
    });

    test("a tool of the client is executed by the client", async () => {
      const options = {
        prompt: "a color",
        tools: { pick_color },
        stopWhen: (stepCountIs ?? isStepCount)(3),
      };
      const { text, steps } = await generateText({ model: model(), maxRetries: 0, ...options });
      assert.deepEqual([text, steps[0].toolCalls[0].input], ["You picked blue.", { of: "sky" }]);
      assert.equal(steps[0].finishReason, "tool-calls");
      const { run, errors } = await streamed(options);
      assert.deepEqual([await run.text, errors], ["You picked blue.", []]);
    });

    test("a failure is an error", async () => {
      const { run, errors } = await streamed({ prompt: "fail" });
      await assert.rejects(generateText({ model: model(), prompt: "fail", maxRetries: 0 }));
      assert.match(JSON.stringify([errors.map(String), errors]), /no more today/);
      assert.notEqual(await Promise.resolve(run.finishReason).catch(() => "error"), "stop");
    });
  });
}
