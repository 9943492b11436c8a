// OpenAI Agents for JavaScript on Responses.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Agent, OpenAIResponsesModel, Runner, hostedMcpTool, tool } from "@openai/agents";
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
const pick = tool({
  name: "pick_color",
  description: "",
  parameters: z.object({ of: z.string() }),
  execute: ({ of }) => {
    ran.push(of);
    return "blue";
  },
});

/** Runs an agent with these tools; `again` continues with a state of the same agent. */
async function begin(question, stream, tools) {
  const client = new OpenAI({ apiKey: "unused", baseURL: `${site.url}/v1`, maxRetries: 0 });
  const agent = new Agent({ name: "a", model: new OpenAIResponsesModel(client, "agent"), tools });
  const runner = new Runner({ tracingDisabled: true });
  const again = async (input) => {
    const result = await runner.run(agent, input, { stream });
    if (stream) {
      for await (const _ of result);
      await result.completed;
    }
    return result;
  };
  return { result: await again(question), again };
}

async function run(question, stream, tools = [pick]) {
  return (await begin(question, stream, tools)).result;
}

/** The tools of the server as the SDK names them: an approval is for one of these. */
const deleting = (options) =>
  hostedMcpTool({
    serverLabel: "agent",
    serverUrl: "https://agent.example",
    requireApproval: "always",
    ...options,
  });

for (const stream of [false, true]) {
  const how = stream ? "streamed" : "whole";
  test(`text, ${how}`, async () => {
    assert.equal((await run("hi", stream)).finalOutput, "Hello 你好");
  });

  test(`a tool of the agent, ${how}`, async () => {
    assert.equal((await run("the weather", stream)).finalOutput, "19 degrees.");
  });

  test(`a client tool, ${how}`, async () => {
    ran.length = 0;
    assert.equal((await run("a color", stream)).finalOutput, "You picked blue.");
    assert.deepEqual(ran, ["sky"]);
  });

  for (const [decide, answer] of [
    ["approve", "Decided: true."],
    ["reject", "Decided: false."],
  ]) {
    test(`an approval interrupts the run, which continues after ${decide}, ${how}`, async () => {
      const { result, again } = await begin("delete all", stream, [deleting()]);
      assert.deepEqual(
        result.interruptions.map(({ name, rawItem }) => [name, rawItem.providerData.arguments]),
        [["delete_files", "{}"]],
      );
      result.state[decide](result.interruptions[0]);
      assert.equal((await again(result.state)).finalOutput, answer);
    });
  }

  test(`a function decides on an approval, ${how}`, async () => {
    for (const approve of [true, false]) {
      const asked = [];
      const onApproval = async (_, { name }) => {
        asked.push(name);
        return { approve };
      };
      assert.equal(
        (await run("delete all", stream, [deleting({ onApproval })])).finalOutput,
        `Decided: ${approve}.`,
      );
      assert.deepEqual(asked, ["delete_files"]);
    }
  });
}

test("a failure throws an error", async () => {
  await assert.rejects(run("fail", true));
});
