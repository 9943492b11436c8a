// The AI SDK, both majors, with its provider for OpenAI Responses: text, tools of both sides,
// questions and failures.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import * as provider3 from "@ai-sdk/openai-3";
import * as provider4 from "@ai-sdk/openai";
import * as ai6 from "ai-6";
import * as ai7 from "ai";
import { z } from "zod";
import { start } from "./server.mjs";

let site;
before(async () => {
  site = await start();
});
after(() => site.close());

for (const [
  name,
  { generateText, stepCountIs, isStepCount, streamText, tool },
  { createOpenAI },
] of [
  ["ai 6", ai6, provider3],
  ["ai 7", ai7, provider4],
]) {
  describe(name, () => {
    const model = () =>
      createOpenAI({ baseURL: `${site.url}/v1`, apiKey: "unused" }).responses("agent");
    const pick_color = tool({
      description: "",
      inputSchema: z.object({ of: z.string() }),
      execute: async () => "blue",
    });
    const streamed = async (options) => {
      const kinds = [];
      const errors = [];
      const run = streamText({
        model: model(),
        maxRetries: 0,
        onError: ({ error }) => void errors.push(error),
        ...options,
      });
      for await (const part of run.fullStream) kinds.push(part.type);
      return { kinds, errors, run };
    };

    test("text", async () => {
      const { text, finishReason } = await generateText({
        model: model(),
        prompt: "hi",
        maxRetries: 0,
      });
      assert.deepEqual([text, finishReason], ["Hello 你好", "stop"]);
      const { run, errors } = await streamed({ prompt: "hi" });
      assert.deepEqual([await run.text, errors], ["Hello 你好", []]);
    });

    test("a tool of the agent is not executed by the client", async () => {
      const { text, finishReason, toolCalls } = await generateText({
        model: model(),
        prompt: "the weather",
        maxRetries: 0,
      });
      assert.deepEqual([text, finishReason], ["Let me look. 19 degrees.", "stop"]);
      assert.deepEqual(
        toolCalls.map(({ providerExecuted }) => providerExecuted),
        [true],
      );
      const { run, kinds, errors } = await streamed({ prompt: "the weather" });
      assert.deepEqual(
        [await run.text, await run.finishReason, errors],
        ["Let me look. 19 degrees.", "stop", []],
      );
      assert.ok(kinds.includes("tool-result"), kinds.join());
    });

    test("a client tool is executed by the client", async () => {
      const options = {
        prompt: "a color",
        tools: { pick_color },
        stopWhen: (stepCountIs ?? isStepCount)(3),
      };
      const { text, steps } = await generateText({ model: model(), maxRetries: 0, ...options });
      assert.deepEqual([text, steps[0].toolCalls[0].input], ["You picked blue.", { of: "sky" }]);
      const { run, errors } = await streamed(options);
      assert.deepEqual([await run.text, errors], ["You picked blue.", []]);
    });

    test("an approval request is emitted", async () => {
      const { kinds, errors } = await streamed({ prompt: "delete all" });
      assert.deepEqual(errors, []);
      assert.ok(kinds.includes("tool-approval-request"), kinds.join());
    });

    test("a failure is reported as an error", async () => {
      const { run, errors } = await streamed({ prompt: "fail" });
      assert.equal(await run.text, "half");
      assert.match(JSON.stringify([errors, await run.finishReason]), /no more today|error/);
    });
  });
}
