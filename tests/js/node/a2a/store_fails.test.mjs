// An A2A server whose store fails in the middle of a task: the task ends as failed, for its readers
// and in the store.
import assert from "node:assert/strict";
import { test } from "node:test";
import { a2aAdapter, createHandler, MemoryTaskStore } from "agentwire/server";

/** Fails from the event of that number on, `times` times. */
class FailingStore extends MemoryTaskStore {
  tasks = new Map();

  constructor(from, times = 1) {
    super();
    Object.assign(this, { from, times });
  }

  #fail() {
    if (--this.from < 0 && --this.times >= 0) {
      throw new Error("the disk is full");
    }
  }

  append() {
    this.#fail();
  }

  save(task) {
    if (this.times !== Infinity) this.#fail();
    super.save(task);
    this.tasks.set(task.id, task);
  }
}

const ask = (store, method, onGone = () => {}) => {
  const agent = async (out) => {
    const text = out.message().text();
    out.signal.addEventListener("abort", onGone);
    for (let piece = 0; piece < 200; piece++) {
      await text.delta(`${piece} `);
      await new Promise((resolve) => setTimeout(resolve, 1));
      if (out.signal.aborted) return;
    }
  };
  const body = JSON.stringify({
    jsonrpc: "2.0",
    id: 7,
    method,
    params: { message: { messageId: "m", role: "ROLE_USER", parts: [{ text: "hi" }] } },
  });
  const headers = { "content-type": "application/json", "a2a-version": "1.0" };
  return createHandler({
    adapters: [a2aAdapter({ name: "n", description: "d", tasks: store })],
    agent,
  })(new Request("http://127.0.0.1/a2a", { method: "POST", headers, body }));
};
const isFailed = ({ state, message }) => {
  assert.equal(state, "TASK_STATE_FAILED");
  assert.ok(
    message.parts.some(({ data }) => data?.code === "TASK_STORE_FAILED"),
    JSON.stringify(message),
  );
};

for (const [what, times] of [
  ["once", 1],
  ["for the whole task", 2],
]) {
  test(`a store that fails ${what}: the stream ends with a failed task, and the store contains it`, async () => {
    const store = new FailingStore(5, times);
    let isLeft = false;
    const text = await (await ask(store, "SendStreamingMessage", () => (isLeft = true))).text();
    const events = text
      .split("\n\n")
      .filter((frame) => frame.startsWith("data: "))
      .map((frame) => JSON.parse(frame.slice(6)).result);
    assert.ok(events.length > 2);
    isFailed(events.at(-1).statusUpdate.status);
    assert.equal(
      events.filter(({ statusUpdate }) => statusUpdate?.status.state === "TASK_STATE_FAILED")
        .length,
      1,
    );
    const [task] = [...store.tasks.values()];
    isFailed(task.status);
    assert.equal(isLeft, true, "the agent is stopped");
  });
}

test("SendMessage returns a failed task if the task cannot be stored", async () => {
  const { result } = await (await ask(new FailingStore(3), "SendMessage")).json();
  isFailed(result.task.status);
});
