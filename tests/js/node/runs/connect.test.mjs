// `connect` of `agentwire/runs` against the service of the package: conversations, tools,
// questions, lost connections, reloads and stops.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { connect, messageText } from "agentwire/runs";
import { memoryStore } from "agentwire/stores";
import { runsService } from "../../support/runs_agent.mjs";
import { until } from "../../support/until.mjs";

const BASE = "http://agent.test/api/v1/agent";
let runs;
/** The runs that the agent has begun: their new messages. */
const begun = [];
let gate;

async function answer(out, request) {
  const [result] = request.answers;
  const text = result?.text ?? request.text;
  begun.push(result === undefined ? text : `result ${text}`);
  if (result !== undefined) return out.message().text().delta(`The page returned ${text}.`);
  if (text === "Paint it.") return out.tool("paint", { callId: "c1" }).arguments({ color: "teal" });
  const message = out.message().text();
  await message.delta("You said ");
  await gate;
  await message.delta(text);
}

before(() => {
  runs = runsService({
    store: memoryStore(),
    authenticate: () => "user",
    onError: (error) => console.error(error),
    agent: answer,
  });
});
after(() => runs.close());

/** A chat, the requests that were sent, and the connections that are cut after so many bytes. */
function opened(options = {}, cuts = []) {
  const sent = [];
  const fetch = async (request) => {
    sent.push(`${request.method} ${new URL(request.url).pathname.split("/").at(-1)}`);
    const response = await runs(request);
    const cut = request.method === "GET" ? cuts.shift() : undefined;
    if (cut === undefined) {
      return response;
    }
    let left = cut;
    const body = response.body.pipeThrough(
      new TransformStream({
        transform(chunk, out) {
          out.enqueue(chunk.subarray(0, left));
          left -= chunk.length;
          if (left <= 0) {
            out.error(new TypeError("terminated"));
          }
        },
      }),
    );
    return new Response(body, response);
  };
  return {
    chat: connect(BASE, {
      fetch,
      tools: { paint: { execute: ({ color }) => `painted ${color}` } },
      ...options,
    }),
    sent,
  };
}

const texts = ({ messages }) => messages.map(messageText);

test("a conversation, whose history the service keeps", async () => {
  begun.length = 0;
  const { chat, sent } = opened();
  await chat.send("One.").finished();
  const state = await chat.send("Two.").finished();
  assert.deepEqual(
    [texts(state), state.status, state.canEdit],
    [["One.", "You said One.", "Two.", "You said Two."], "ready", false],
  );
  assert.deepEqual(
    [begun, sent],
    [
      ["One.", "Two."],
      ["POST runs", "GET events", "POST runs", "GET events"],
    ],
  );
});

test("a tool of the client is executed, and its result continues the run", async () => {
  begun.length = 0;
  const { chat } = opened();
  const { messages } = await chat.send("Paint it.").finished();
  assert.deepEqual(
    messages[1].parts.map(({ type, state }) => state ?? type),
    ["step-start", "output-available", "step-start", "done"],
  );
  assert.deepEqual(
    [messageText(messages[1]), begun],
    ["The page returned painted teal.", ["Paint it.", "result painted teal"]],
  );
});

test("a lost connection is no failure: the run continues, once, and the text never shrinks", async () => {
  for (const cut of [1, 150, 300, 450, 600]) {
    begun.length = 0;
    let open;
    gate = new Promise((resolve) => (open = resolve));
    const { chat, sent } = opened({}, [cut]);
    const run = chat.send("Again.");
    let length = 0;
    setTimeout(open, 50);
    for await (const state of run) {
      const text = texts(state)[1] ?? "";
      assert.ok(text.length >= length, text);
      length = text.length;
    }
    gate = undefined;
    assert.deepEqual(
      [texts(chat.getSnapshot()), chat.getSnapshot().error, begun.length],
      [["Again.", "You said Again."], undefined, 1],
      `${cut}`,
    );
    assert.equal(sent.filter((each) => each === "POST runs").length, 1);
  }
});

test("after a reload the answer continues, and a second tab shows it", async () => {
  begun.length = 0;
  const items = new Map();
  const storage = {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, text) => items.set(key, text),
    removeItem: (key) => items.delete(key),
  };
  const persist = { key: "chat", storage };
  let open;
  gate = new Promise((resolve) => (open = resolve));
  const first = opened({ persist });
  first.chat.send("Once.");
  await until(() => texts(first.chat.getSnapshot())[1] === "You said ");
  const tabs = [opened({ persist }), opened({ persist })];
  assert.deepEqual(
    tabs.map(({ chat }) => [texts(chat.getSnapshot())[0], chat.getSnapshot().isBusy]),
    [
      ["Once.", true],
      ["Once.", true],
    ],
  );
  open();
  gate = undefined;
  for (const { chat, sent } of [first, ...tabs]) {
    await until(() => !chat.getSnapshot().isBusy);
    assert.deepEqual(
      [texts(chat.getSnapshot()), chat.getSnapshot().status],
      [["Once.", "You said Once."], "ready"],
    );
    assert.equal(sent.includes("POST runs"), chat === first.chat);
  }
  assert.equal(begun.length, 1);
});

test("stop() cancels the run, and retry() starts another one", async () => {
  begun.length = 0;
  let open;
  gate = new Promise((resolve) => (open = resolve));
  const { chat, sent } = opened();
  chat.send("Slow.");
  await until(() => texts(chat.getSnapshot())[1] === "You said ");
  chat.stop();
  assert.deepEqual(
    chat.getSnapshot().messages.map(({ status }) => status),
    ["done", "stopped"],
  );
  await until(() => sent.includes("POST cancel"));
  open();
  gate = undefined;
  await until(async () => true);
  assert.equal(chat.retry(), true);
  assert.deepEqual(texts(await chat.finished()), ["Slow.", "You said Slow."]);
  assert.equal(begun.length, 2);
});

test("a message that the service refuses is an error, and is sent with the next one", async () => {
  begun.length = 0;
  let isDown = true;
  const { chat } = opened({
    fetch: (request) =>
      isDown
        ? Response.json({ detail: "no" }, { status: 503, headers: { "retry-after": "3" } })
        : runs(request),
  });
  const { error } = await chat.send("One.").finished();
  assert.deepEqual(
    [error.code, error.status, error.retryAfterMs, error.remedy],
    ["http-status", 503, 3000, "try again in 3 s"],
  );
  isDown = false;
  const state = await chat.send("Two.").finished();
  assert.deepEqual(
    [begun, texts(state)],
    [["One.\nTwo."], ["One.", "Two.", "You said One.\nTwo."]],
  );
});
