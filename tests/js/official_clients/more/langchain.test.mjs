// LangChain's model for OpenAI Responses.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { HumanMessage, ToolMessage } from "@langchain/core/messages";
import { ChatOpenAI } from "@langchain/openai";
import { start } from "./server.mjs";

let site;
before(async () => {
  site = await start();
});
after(() => site.close());

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
    useResponsesApi: true,
    maxRetries: 0,
    configuration: { baseURL: `${site.url}/v1` },
  });

test("text, streamed and not streamed", async () => {
  assert.equal((await model().invoke("hi")).text, "Hello 你好");
  let text = "";
  for await (const chunk of await model().stream("hi")) text += chunk.text;
  assert.equal(text, "Hello 你好");
});

test("a tool of the agent is not a pending call", async () => {
  const message = await model().invoke("the weather");
  assert.deepEqual([message.text, message.tool_calls], ["Let me look. 19 degrees.", []]);
  let whole;
  for await (const chunk of await model().stream("the weather"))
    whole = whole === undefined ? chunk : whole.concat(chunk);
  assert.deepEqual([whole.text, whole.tool_calls], ["Let me look. 19 degrees.", []]);
});

test("a client tool", async () => {
  const asked = new HumanMessage("a color");
  const bound = model().bindTools([TOOL]);
  const message = await bound.invoke([asked]);
  const [{ name, args, id }] = message.tool_calls;
  assert.deepEqual([name, args, id], ["pick_color", { of: "sky" }, "call_2"]);
  const next = await bound.invoke([
    asked,
    message,
    new ToolMessage({ content: "blue", tool_call_id: id }),
  ]);
  assert.equal(next.text, "You picked blue.");
});
