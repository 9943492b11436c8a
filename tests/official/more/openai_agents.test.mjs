// OpenAI Agents for JavaScript on Responses.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Agent, OpenAIResponsesModel, Runner, tool } from "@openai/agents";
import { createRequire } from "node:module";
import { z } from "zod";
import { start } from "./server.mjs";

const { OpenAI } = createRequire(import.meta.resolve("@openai/agents"))("openai");
let site;
before(async () => {
  site = await start();
});
after(() => site.close());

const ran = [];
const pick = tool({ name: "pick_color", description: "", parameters: z.object({ of: z.string() }), execute: ({ of }) => (ran.push(of), "blue") });

async function run(question, stream) {
  const client = new OpenAI({ apiKey: "unused", baseURL: `${site.url}/v1`, maxRetries: 0 });
  const agent = new Agent({ name: "a", model: new OpenAIResponsesModel(client, "agent"), tools: [pick] });
  const result = await new Runner({ tracingDisabled: true }).run(agent, question, { stream });
  if (stream) {
    for await (const _ of result);
    await result.completed;
  }
  return result;
}

for (const stream of [false, true]) {
  const how = stream ? "streamed" : "whole";
  test(`text, ${how}`, async () => {
    assert.equal((await run("hi", stream)).finalOutput, "Hello 你好");
  });

  test(`a tool that the agent runs, ${how}`, async () => {
    assert.equal((await run("the weather", stream)).finalOutput, "19 degrees.");
  });

  test(`a tool of the client, ${how}`, async () => {
    ran.length = 0;
    assert.equal((await run("a color", stream)).finalOutput, "You picked blue.");
    assert.deepEqual(ran, ["sky"]);
  });
}

test("a failure is an error", async () => {
  await assert.rejects(run("fail", true));
});
