// TanStack AI's chat client on AG-UI.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { ChatClient, fetchServerSentEvents } from "@tanstack/ai-client";
import { toolDefinition } from "@tanstack/ai";
import { z } from "zod";
import { start } from "./server.mjs";

let site;
before(async () => {
  site = await start();
});
after(() => site.close());

async function chat(question, tools = []) {
  const errors = [];
  const client = new ChatClient({
    connection: fetchServerSentEvents(`${site.url}/ag-ui`),
    tools,
    onError: (error) => void errors.push(error),
  });
  await client.sendMessage(question);
  return { client, errors, messages: client.getMessages() };
}

const partsOf = (messages) =>
  messages.filter(({ role }) => role === "assistant").flatMap(({ parts }) => parts);
const textOf = (messages) =>
  partsOf(messages)
    .map(({ type, content }) => (type === "text" ? content : ""))
    .join("");

test("text", async () => {
  const { messages, errors } = await chat("hi");
  assert.deepEqual([textOf(messages), errors], ["Hello 你好", []]);
});

test("a tool of the agent", async () => {
  const { messages, errors } = await chat("the weather");
  assert.deepEqual([textOf(messages), errors], ["Let me look. 19 degrees.", []]);
  const call = partsOf(messages).find(({ type }) => type === "tool-call");
  assert.deepEqual([call.name, call.arguments], ["get_weather", '{"city":"Paris"}']);
});

test("a client tool is executed if the agent sends the custom event of TanStack", async () => {
  const ran = [];
  const schemas = { inputSchema: z.object({ of: z.string() }), outputSchema: z.string() };
  const pick = toolDefinition({ name: "pick_color", description: "", ...schemas }).client(
    ({ of }) => {
      ran.push(of);
      return "blue";
    },
  );
  const { client, errors } = await chat("a color", [pick]);
  for (let tries = 0; tries < 50 && !textOf(client.getMessages()).includes("picked"); tries++)
    await setTimeout(50);
  assert.deepEqual([ran, errors], [["sky"], []]);
  assert.match(textOf(client.getMessages()), /You picked .*blue/);
});

test("a question is listed; TanStack resolves only those of its own server", async () => {
  const { client, errors } = await chat("delete all");
  const [question] = client.getInterrupts();
  assert.deepEqual(
    [question.id, question.reason, question.kind, errors],
    ["question_1", "approval", "unbound", []],
  );
});

test("a failure is reported as an error", async () => {
  const { errors } = await chat("fail");
  assert.match(String(errors[0]), /no more today/);
});
