// The messages of a run's events in the history and for a later run's agent, without a runtime.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  ThreadLog,
  historyOf,
  memoryStore,
  messagesIn,
  messagesOf,
  newRun,
} from "../../support/runs_modules.mjs";

/** A thread in memory. */
class Memory {
  store = new ThreadLog(memoryStore(), "t");
  #runs = 0;

  /** Stores a run with the messages of its request and the events of its response. */
  async ran(messages, ...events) {
    const runId = `r${++this.#runs}`;
    await this.store.addRun(
      newRun(runId, { messages: await messagesIn(this.store, { runId, messages }, 0) }),
    );
    const all = [
      { type: "RUN_STARTED", threadId: "t", runId },
      ...events,
      { type: "RUN_FINISHED", threadId: "t", runId },
    ];
    const entries = all.map((event) => ({ kind: event.type, data: JSON.stringify(event) }));
    // A part is stored before the end.
    const latest = entries.splice(entries.length >> 1);
    await this.store.append(runId, entries);
    await this.store.append(runId, latest, await messagesOf(this.store, runId, latest, 0));
  }

  async shown() {
    const { messages } = await this.store.history("9999", Infinity, Infinity);
    return messages.map(({ role, content }) => [role, content]);
  }
}

const text = (messageId, delta, metadata) => [
  { type: "TEXT_MESSAGE_START", messageId, role: "assistant" },
  { type: "TEXT_MESSAGE_CONTENT", messageId, delta },
  { type: "TEXT_MESSAGE_END", messageId, ...(metadata && { metadata }) },
];
const user = (id, content) => ({ id, role: "user", content });

test("messages with `history: false` are stored for the agent only", async () => {
  const memory = new Memory();
  await memory.ran(
    [user("u", "hi")],
    ...text("m1", "a note to myself", { ui: { history: false } }),
    ...text("m2", "hello", { ui: { history: true } }),
    { type: "TOOL_CALL_START", toolCallId: "c", toolCallName: "look" },
    { type: "TOOL_CALL_ARGS", toolCallId: "c", delta: "{}" },
    { type: "TOOL_CALL_END", toolCallId: "c" },
    { type: "TOOL_CALL_RESULT", messageId: "t", toolCallId: "c", content: "found", role: "tool" },
  );
  assert.deepEqual(await memory.shown(), [
    ["user", "hi"],
    ["assistant", "hello"],
    ["tool", "found"],
  ]);
  const instruction = { id: "s", role: "system", content: "be brief" };
  const { history: received } = await historyOf(memory.store, {
    messages: [user("u2", "and?"), instruction],
  });
  assert.deepEqual(
    received.map(({ role }) => role),
    ["system", "user", "assistant", "assistant", "assistant", "tool"],
  );
  assert.deepEqual(received.at(-2).toolCalls, [
    { id: "c", type: "function", function: { name: "look", arguments: "{}" } },
  ]);
  assert.deepEqual(received.at(-1), { id: "t", role: "tool", content: "found", toolCallId: "c" });
});

test("a messages snapshot is not stored again, and a reused message id does not hide a message", async () => {
  const memory = new Memory();
  await memory.ran([user("u", "hi")], ...text("m", "hello"));
  await memory.ran([], ...text("m", "hello"));
  assert.deepEqual(await memory.shown(), [
    ["user", "hi"],
    ["assistant", "hello"],
    ["assistant", "hello"],
  ]);
  const messages = [
    user("u", "hi"),
    { id: "m", role: "assistant", content: "hello" },
    { id: "n", role: "assistant", content: "more" },
  ];
  await memory.ran([], { type: "MESSAGES_SNAPSHOT", messages });
  assert.deepEqual((await memory.shown()).slice(3), [["assistant", "more"]]);
});

test("an agent receives a bounded part of the thread that begins with a user message", async () => {
  const memory = new Memory();
  const long = "x".repeat(300 * 1024);
  for (let turn = 0; turn < 5; turn++) {
    await memory.ran([user(`u${turn}`, `${turn}`)], ...text(`m${turn}`, `${turn}${long}`));
  }
  const { history: received, isCut } = await historyOf(memory.store, { messages: [] });
  assert.ok(isCut);
  assert.deepEqual(
    received.map(({ content }) => content[0]),
    ["2", "2", "3", "3", "4", "4"],
  );
  assert.equal(received[0].role, "user");
});
