// Chats with the AI SDK's own server: `streamText` and its response, with a mock model.
import assert from "node:assert/strict";
import { test } from "node:test";
import { connect } from "agentwire/ai-sdk";
import {
  convertToModelMessages,
  simulateReadableStream,
  stepCountIs,
  streamText,
  tool,
  validateUIMessages,
} from "ai";
import { MockLanguageModelV3 } from "ai/test";
import * as z from "zod";
import { lastText } from "./agents.mjs";
import { watch } from "./watch.mjs";

const text = (delta) => [
  { type: "text-start", id: "t" },
  { type: "text-delta", id: "t", delta },
  { type: "text-end", id: "t" },
];
const call = (toolCallId) => [{ type: "tool-call", toolCallId, toolName: "remove", input: "{}" }];

/**
 * A server whose model has these answers, and the prompts that the model has received. A function
 * is executed in place of an answer.
 */
function serving(answers) {
  const prompts = [];
  const removed = [];
  const tools = {
    remove: tool({
      inputSchema: z.object({}),
      needsApproval: true,
      execute: (_, { toolCallId }) => {
        removed.push(toolCallId);
        return "removed";
      },
    }),
  };
  const model = new MockLanguageModelV3({
    doStream: async ({ prompt }) => {
      prompts.push(prompt);
      const answer = answers.shift();
      const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
      const chunks = [
        { type: "stream-start", warnings: [] },
        ...(typeof answer === "function" ? answer() : answer),
        { type: "finish", finishReason: { unified: "stop", raw: "stop" }, usage },
      ];
      return {
        stream: simulateReadableStream({ chunks, initialDelayInMs: null, chunkDelayInMs: null }),
      };
    },
  });
  const fetch = async (request) => {
    const { messages } = await request.json();
    await validateUIMessages({ messages, tools });
    const options = {
      model,
      tools,
      messages: await convertToModelMessages(messages, { tools }),
      stopWhen: stepCountIs(3),
      maxRetries: 0,
      onError: () => {},
    };
    return streamText(options).toUIMessageStreamResponse({
      originalMessages: messages,
      onError: ({ message }) => message,
    });
  };
  return { fetch, prompts, removed };
}

/** The results of calls in a prompt: their ids and types. */
const resultsOf = (prompt) =>
  prompt.flatMap(({ role, content }) =>
    role === "tool" ? content.map(({ toolCallId, output }) => [toolCallId, output.type]) : [],
  );

test("an approval that a message skips is a denied call for the model", async () => {
  const { fetch, prompts, removed } = serving([call("c1"), text("As you like."), text("Yes?")]);
  const chat = connect("http://agent.test/api/chat", { fetch });
  const watched = watch(chat);
  await chat.send("Remove it.").finished();
  assert.equal(chat.getSnapshot().pending.length, 1);
  assert.equal(lastText(await chat.send("No, wait.").finished()), "As you like.");
  assert.equal(lastText(await chat.send("Hello?").finished()), "Yes?");
  assert.deepEqual(prompts.slice(1).map(resultsOf), [
    [["c1", "error-text"]],
    [["c1", "error-text"]],
  ]);
  assert.deepEqual(removed, []);
  watched.end();
});

test("a decision whose request has failed is a result of the call in requests with another message", async () => {
  for (const [decide, state] of [
    ["approve", "output-error"],
    ["decline", "output-denied"],
  ]) {
    const { fetch, prompts, removed } = serving([call("c1"), text("I see."), text("Yes?")]);
    let isDown = false;
    const sent = [];
    const chat = connect("http://agent.test/api/chat", {
      fetch: async (request) => {
        sent.push(await request.clone().json());
        return isDown ? new Response("down", { status: 503 }) : fetch(request);
      },
    });
    await chat.send("Remove it.").finished();
    isDown = true;
    chat[decide](chat.getSnapshot().pending[0].approval.id);
    assert.equal((await chat.finished()).error.status, 503);
    isDown = false;
    assert.equal(lastText(await chat.send("Another one.").finished()), "I see.", decide);
    await chat.send("Hello?").finished();
    const states = sent.map(({ messages }) =>
      messages.flatMap(({ parts }) =>
        parts.flatMap((part) => (part.toolCallId === "c1" ? part.state : [])),
      ),
    );
    assert.deepEqual(states, [[], ["approval-responded"], [state], [state]]);
    assert.deepEqual([resultsOf(prompts[1]), removed], [[["c1", "error-text"]], []]);
  }
});

test("a decision continues the answer: the call is executed or denied once", async () => {
  const { fetch, prompts, removed } = serving([
    [...call("c1"), ...call("c2")],
    text("Done."),
    text("Yes?"),
  ]);
  const chat = connect("http://agent.test/api/chat", { fetch });
  const watched = watch(chat);
  const { pending } = await chat.send("Remove it.").finished();
  chat.approve(pending[0].approval.id);
  chat.decline(pending[1].approval.id, "Not this one.");
  assert.equal(lastText(await chat.finished()), "Done.");
  await chat.send("Hello?").finished();
  assert.deepEqual(removed, ["c1"]);
  assert.deepEqual(resultsOf(prompts[2]), [
    ["c1", "text"],
    ["c2", "error-text"],
  ]);
  watched.end();
});

test("calls without a result in the option `messages` are answered in requests", async () => {
  const { fetch, prompts } = serving([text("Hello!")]);
  const part = (toolCallId, more) => ({ type: "tool-remove", toolCallId, input: {}, ...more });
  const parts = [
    part("h1", { state: "input-available" }),
    part("h2", { state: "approval-requested", approval: { id: "q" } }),
    part("h3", { state: "approval-responded", approval: { id: "r", approved: true } }),
  ];
  const messages = [
    { id: "u", role: "user", parts: [{ type: "text", text: "Remove it." }] },
    { id: "a", role: "assistant", parts },
  ];
  const chat = connect("http://agent.test/api/chat", { fetch, messages });
  assert.equal(lastText(await chat.send("Hi").finished()), "Hello!");
  assert.deepEqual(
    resultsOf(prompts[0]).map(([id]) => id),
    ["h1", "h2", "h3"],
  );
});
