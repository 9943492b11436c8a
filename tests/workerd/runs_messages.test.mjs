// The messages of a run's events in the history and for a later run's agent, without a runtime.
import assert from "node:assert/strict";
import { test } from "node:test";
import { pageModule } from "../browser/page_modules.mjs";

const { keepAnswer, keepQuestion, messagesOfRun } = await pageModule("../worker/runs/messages.ts");

/** The messages of a thread in memory. */
class Memory {
  messages = [];
  events = [];

  entries(_, after) {
    return this.events.slice(after).map((event, at) => ({ number: after + at + 1, runId: "r", kind: event.type, data: JSON.stringify(event) }));
  }

  addMessage(runId, message) {
    this.messages.push({ runId, ...message });
  }

  messagesOf(id, role) {
    return this.messages.filter((one) => one.id === id && one.role === role).map(({ message }) => message);
  }

  hasCall(callId) {
    return this.messages.some(({ message }) => JSON.parse(message).toolCalls?.some(({ id }) => id === callId));
  }

  latestMessages(most) {
    const latest = this.messages.map(({ message }) => message);
    while (latest.join("").length > most) latest.shift();
    return latest;
  }

  get shown() {
    return this.messages.filter(({ isShown }) => isShown).map(({ role, content }) => [role, content]);
  }

  answered(...events) {
    this.events = [{ type: "RUN_STARTED", threadId: "t", runId: "r" }, ...events, { type: "RUN_FINISHED", threadId: "t", runId: "r" }];
    keepAnswer(this, "r");
  }
}

const text = (messageId, delta, metadata) => [
  { type: "TEXT_MESSAGE_START", messageId, role: "assistant" },
  { type: "TEXT_MESSAGE_CONTENT", messageId, delta },
  { type: "TEXT_MESSAGE_END", messageId, ...(metadata && { metadata }) },
];
const user = (id, content) => ({ id, role: "user", content });

test("what is not for the history is kept for the agent", () => {
  const memory = new Memory();
  keepQuestion(memory, { runId: "r", messages: [user("u", "hi")] });
  memory.answered(
    ...text("m1", "a note to myself", { ui: { history: false } }),
    ...text("m2", "hello", { ui: { history: true } }),
    { type: "TOOL_CALL_START", toolCallId: "c", toolCallName: "look" },
    { type: "TOOL_CALL_ARGS", toolCallId: "c", delta: "{}" },
    { type: "TOOL_CALL_END", toolCallId: "c" },
    { type: "TOOL_CALL_RESULT", messageId: "t", toolCallId: "c", content: "found", role: "tool" },
  );
  assert.deepEqual(memory.shown, [["user", "hi"], ["assistant", "hello"], ["tool", "found"]]);
  const instruction = { id: "s", role: "system", content: "be brief" };
  const received = messagesOfRun(memory, { messages: [user("u2", "and?"), instruction] });
  assert.deepEqual(received.map(({ role }) => role), ["system", "user", "assistant", "assistant", "assistant", "tool"]);
  assert.deepEqual(received.at(-2).toolCalls, [{ id: "c", type: "function", function: { name: "look", arguments: "{}" } }]);
  assert.deepEqual(received.at(-1), { id: "t", role: "tool", content: "found", toolCallId: "c" });
});

test("a snapshot of the conversation does not store it again; ids that an agent uses again do not hide its answers", () => {
  const memory = new Memory();
  keepQuestion(memory, { runId: "r", messages: [user("u", "hi")] });
  memory.answered(...text("m", "hello"));
  memory.answered(...text("m", "hello"));
  assert.deepEqual(memory.shown, [["user", "hi"], ["assistant", "hello"], ["assistant", "hello"]]);
  const messages = [user("u", "hi"), { id: "m", role: "assistant", content: "hello" }, { id: "n", role: "assistant", content: "more" }];
  memory.answered({ type: "MESSAGES_SNAPSHOT", messages });
  assert.deepEqual(memory.shown.slice(3), [["assistant", "more"]]);
});

test("an agent receives a bounded part of the thread, which begins with a message of the user", () => {
  const memory = new Memory();
  const long = "x".repeat(300 * 1024);
  for (let turn = 0; turn < 5; turn++) {
    keepQuestion(memory, { runId: `r${turn}`, messages: [user(`u${turn}`, `${turn}`)] });
    memory.answered(...text(`m${turn}`, `${turn}${long}`));
  }
  const received = messagesOfRun(memory, { messages: [] });
  assert.deepEqual(received.map(({ content }) => content[0]), ["2", "2", "3", "3", "4", "4"]);
  assert.equal(received[0].role, "user");
});
