// Threads of AG-UI servers: other ids, rewritten and dropped histories, and what no answer of
// `createHandler` has.
import assert from "node:assert/strict";
import { test } from "node:test";
import { connect } from "agentwire/ag-ui";
import { linesOf, storageOf, textOf } from "./agents.mjs";
import { bodyOf } from "./network.mjs";
import { watch } from "./watch.mjs";

const text = (id, content) => [
  { type: "TEXT_MESSAGE_START", messageId: id, role: "assistant" },
  ...content
    .split(/(?<= )/)
    .map((delta) => ({ type: "TEXT_MESSAGE_CONTENT", messageId: id, delta })),
  { type: "TEXT_MESSAGE_END", messageId: id },
];

/** A server whose runs have these events: those of `eventsOf(body, number of the request)`. */
function serving(eventsOf) {
  const bodies = [];
  const fetch = async (request) => {
    const body = await request.json();
    bodies.push(body);
    const { threadId, runId } = body;
    const events = [
      { type: "RUN_STARTED", threadId, runId },
      ...eventsOf(body, bodies.length),
      { type: "RUN_FINISHED", threadId, runId },
    ];
    return new Response(bodyOf(events.map((event) => `data: ${JSON.stringify(event)}\n\n`)), {
      headers: { "content-type": "text/event-stream" },
    });
  };
  return { bodies, fetch };
}

const open = (fetch, options = {}) => connect("http://agent.test/ag-ui", { fetch, ...options });
const contents = ({ messages }) => messages.map(({ content }) => content);

test("a server with its own ids for the messages of the user: ids stay, questions precede their answers", async () => {
  for (const place of ["before the answer", "after the answer"]) {
    const thread = [];
    const { bodies, fetch } = serving((body, count) => {
      thread.push({ id: `srv-u${count}`, role: "user", content: body.messages.at(-1).content });
      const before = { type: "MESSAGES_SNAPSHOT", messages: [...thread] };
      thread.push({ id: `a${count}`, role: "assistant", content: `Answer ${count}` });
      const after = { type: "MESSAGES_SNAPSHOT", messages: [...thread] };
      return place === "before the answer"
        ? [before, ...text(`a${count}`, `Answer ${count}`)]
        : [...text(`a${count}`, `Answer ${count}`), after];
    });
    const storage = storageOf();
    const chat = open(fetch, { persist: { key: "chat", storage } });
    const watched = watch(chat);
    const ids = [];
    for (const question of ["One.", "Two.", "Three."]) {
      const { messageId } = chat.send(question);
      ids.push(messageId);
      await chat.finished();
    }
    const expected = [1, 2, 3].flatMap((at) => [
      `user: ${["One.", "Two.", "Three."][at - 1]}`,
      `assistant: Answer ${at}`,
    ]);
    assert.deepEqual(linesOf(chat), expected, place);
    assert.deepEqual(
      chat
        .getSnapshot()
        .messages.filter(({ role }) => role === "user")
        .map(({ id }) => id),
      ids,
      place,
    );
    assert.deepEqual(
      contents(bodies[2]),
      ["One.", "Answer 1", "Two.", "Answer 2", "Three."],
      place,
    );
    assert.equal(new Set(bodies[2].messages.map(({ id }) => id)).size, 5);
    watched.end();
    const reloaded = open(fetch, { persist: { key: "chat", storage } });
    assert.deepEqual(
      reloaded.getSnapshot().messages.map(({ id }) => id),
      chat.getSnapshot().messages.map(({ id }) => id),
      place,
    );
    await reloaded.send("Four.").finished();
    assert.deepEqual(
      contents(bodies[3]),
      ["One.", "Answer 1", "Two.", "Answer 2", "Three.", "Answer 3", "Four."],
      place,
    );
    // Edit and regenerate go back in the thread of the server.
    reloaded.edit(ids[1], "Second.");
    await reloaded.finished();
    assert.deepEqual(contents(bodies[4]), ["One.", "Answer 1", "Second."], place);
  }
});

test("the same question three times, with ids of the server", async () => {
  const thread = [];
  const { bodies, fetch } = serving((body, count) => {
    thread.push(
      { id: `srv-u${count}`, role: "user", content: body.messages.at(-1).content },
      { id: `a${count}`, role: "assistant", content: `Answer ${count}` },
    );
    return [
      ...text(`a${count}`, `Answer ${count}`),
      { type: "MESSAGES_SNAPSHOT", messages: [...thread] },
    ];
  });
  const chat = open(fetch);
  for (let count = 1; count <= 3; count++) {
    for await (const { messages } of chat.send("Again.")) {
      assert.equal(messages.filter(({ role }) => role === "user").length, count);
    }
  }
  assert.deepEqual(
    linesOf(chat),
    [1, 2, 3].flatMap((count) => ["user: Again.", `assistant: Answer ${count}`]),
  );
  assert.deepEqual(contents(bodies[2]), ["Again.", "Answer 1", "Again.", "Answer 2", "Again."]);
});

test("a server that drops the message of the user from its snapshot: it stays, and is sent on", async () => {
  const { bodies, fetch } = serving((_, count) => [
    {
      type: "MESSAGES_SNAPSHOT",
      messages: [{ id: "old", role: "assistant", content: "Hello from before." }],
    },
    ...text(`a${count}`, `Answer ${count}`),
  ]);
  const chat = open(fetch);
  const watched = watch(chat);
  await chat.send("One.").finished();
  assert.ok(linesOf(chat).includes("user: One."));
  await chat.send("Two.").finished();
  assert.deepEqual(
    chat
      .getSnapshot()
      .messages.filter(({ role }) => role === "user")
      .map(textOf),
    ["One.", "Two."],
  );
  assert.ok(contents(bodies[1]).includes("Two."));
  watched.end();
});

test("a server that sends only the last messages of a thread: nothing that is visible disappears", async () => {
  const { bodies, fetch } = serving((body, count) => [
    ...text(`a${count}`, `Answer ${count}`),
    {
      type: "MESSAGES_SNAPSHOT",
      messages: [
        body.messages.at(-1),
        { id: `a${count}`, role: "assistant", content: `Answer ${count}` },
      ],
    },
  ]);
  const chat = open(fetch);
  const watched = watch(chat);
  for (const question of ["One.", "Two.", "Three."]) {
    await chat.send(question).finished();
  }
  assert.deepEqual(
    linesOf(chat),
    ["One.", "Two.", "Three."].flatMap((question, at) => [
      `user: ${question}`,
      `assistant: Answer ${at + 1}`,
    ]),
  );
  watched.end();
  assert.equal(bodies.length, 3);
});

test("an empty snapshot at the end of a run: nothing that is visible disappears", async () => {
  const { fetch } = serving((_, count) => [
    ...text(`a${count}`, `Answer ${count}`),
    { type: "MESSAGES_SNAPSHOT", messages: [] },
  ]);
  const chat = open(fetch);
  const watched = watch(chat);
  await chat.send("One.").finished();
  await chat.send("Two.").finished();
  assert.deepEqual(linesOf(chat), [
    "user: One.",
    "assistant: Answer 1",
    "user: Two.",
    "assistant: Answer 2",
  ]);
  watched.end();
});

test("a history of the server is shown with its ids, and sent on", async () => {
  const history = [
    { id: "h1", role: "user", content: "Before." },
    { id: "h2", role: "assistant", content: "Answer 0" },
  ];
  const { bodies, fetch } = serving((body, count) => [
    {
      type: "MESSAGES_SNAPSHOT",
      messages: [...history, ...body.messages.filter(({ id }) => id !== "h1" && id !== "h2")],
    },
    ...text(`a${count}`, `Answer ${count}`),
  ]);
  const chat = open(fetch);
  const watched = watch(chat);
  await chat.send("One.").finished();
  await chat.send("Two.").finished();
  const shown = linesOf(chat).join("\n");
  for (const each of ["Before.", "Answer 0", "One.", "Answer 1", "Two.", "Answer 2"]) {
    assert.equal(shown.split(each).length, 2, shown);
  }
  assert.deepEqual(
    chat
      .getSnapshot()
      .messages.filter(({ id }) => id === "h1")
      .map(({ status }) => status),
    ["done"],
  );
  assert.deepEqual(contents(bodies[1]).sort(), ["Answer 0", "Answer 1", "Before.", "One.", "Two."]);
  watched.end();
});

test("reasoning, activities, several messages and calls of the server are one answer", async () => {
  const { fetch } = serving(() => [
    { type: "REASONING_START", messageId: "r1" },
    { type: "REASONING_MESSAGE_START", messageId: "r1", role: "reasoning" },
    { type: "REASONING_MESSAGE_CONTENT", messageId: "r1", delta: "Hmm" },
    { type: "REASONING_MESSAGE_END", messageId: "r1" },
    { type: "REASONING_END", messageId: "r1" },
    { type: "STEP_STARTED", stepName: "plan" },
    { type: "ACTIVITY_SNAPSHOT", messageId: "x", activityType: "PLAN", content: { steps: ["a"] } },
    { type: "STEP_FINISHED", stepName: "plan" },
    { type: "TOOL_CALL_START", toolCallId: "c", toolCallName: "search", parentMessageId: "m1" },
    { type: "TOOL_CALL_ARGS", toolCallId: "c", delta: '{"q":"x' },
    { type: "TOOL_CALL_ARGS", toolCallId: "c", delta: '"}' },
    { type: "TOOL_CALL_END", toolCallId: "c" },
    {
      type: "TOOL_CALL_RESULT",
      toolCallId: "c",
      messageId: "t1",
      content: '{"hits":3}',
      role: "tool",
    },
    ...text("m2", "Found it."),
  ]);
  const chat = open(fetch);
  const watched = watch(chat);
  const { messages } = await chat.send("One.").finished();
  assert.deepEqual(
    messages[1].parts.map((part) => [part.type, part.text ?? part.output ?? part.data]),
    [
      ["step-start", undefined],
      ["reasoning", "Hmm"],
      ["data-PLAN", { steps: ["a"] }],
      ["dynamic-tool", { hits: 3 }],
      ["step-start", undefined],
      ["text", "Found it."],
    ],
  );
  watched.end();
});

test("a run that fails in front of its first message, and one without a terminal event, keep the question at its place", async () => {
  const { bodies, fetch } = serving((_, count) =>
    count === 2
      ? [{ type: "RUN_ERROR", message: "no model", code: "E" }]
      : text(`a${count}`, `Answer ${count}`),
  );
  const chat = open(fetch);
  const watched = watch(chat);
  await chat.send("One.").finished();
  const { error } = await chat.send("Two.").finished();
  assert.deepEqual(
    [error.code, error.message, linesOf(chat).at(-1)],
    ["E", "no model", "user: Two. (failed)"],
  );
  await chat.send("Three.").finished();
  assert.deepEqual(linesOf(chat), [
    "user: One.",
    "assistant: Answer 1",
    "user: Two. (failed)",
    "user: Three.",
    "assistant: Answer 3",
  ]);
  assert.deepEqual(contents(bodies[2]), ["One.", "Answer 1", "Two.", "Three."]);
  watched.end();
});

test("a server that streams into a message of an earlier answer", async () => {
  const { fetch } = serving((_, count) => text("same", `Answer ${count} `));
  const chat = open(fetch);
  const watched = watch(chat);
  await chat.send("One.").finished();
  await chat.send("Two.").finished();
  const { messages } = chat.getSnapshot();
  assert.deepEqual(messages.filter(({ role }) => role === "user").map(textOf), ["One.", "Two."]);
  assert.ok(messages.some((message) => textOf(message).includes("Answer 2")));
  watched.end();
});

test("state of the thread is repeated, and that of a failed run is not lost", async () => {
  const { bodies, fetch } = serving((body, count) => [
    { type: "STATE_SNAPSHOT", snapshot: { n: (body.state.n ?? 0) + 1 } },
    ...text(`a${count}`, "x"),
  ]);
  const chat = open(fetch, { body: { state: { n: 5 } } });
  for (const question of ["One.", "Two.", "Three."]) {
    await chat.send(question).finished();
  }
  assert.deepEqual(
    [bodies.map(({ state }) => state.n), chat.getSnapshot().snapshot.state],
    [[5, 6, 7], { n: 8 }],
  );
  chat.regenerate();
  await chat.finished();
  assert.equal(bodies[3].state.n, 7);
});

test("a server with its own ids for the messages of the user, whose answer arrives at once", async () => {
  const fetch = async (request) => {
    const { threadId, runId, messages } = await request.json();
    const thread = [
      ...messages.slice(0, -1),
      { ...messages.at(-1), id: `srv-${messages.length}` },
      { id: `a${messages.length}`, role: "assistant", content: "Yes." },
    ];
    const events = [
      { type: "RUN_STARTED", threadId, runId },
      { type: "MESSAGES_SNAPSHOT", messages: thread },
      { type: "RUN_FINISHED", threadId, runId },
    ];
    return new Response(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""), {
      headers: { "content-type": "text/event-stream" },
    });
  };
  const chat = open(fetch);
  const watched = watch(chat);
  const ids = [];
  for (const question of ["One.", "Two."]) {
    ids.push(chat.send(question).messageId);
    await chat.finished();
  }
  assert.deepEqual(
    chat
      .getSnapshot()
      .messages.filter(({ role }) => role === "user")
      .map(({ id }) => id),
    ids,
  );
  watched.end();
});

test("a server that gives other ids to all messages in each run: ids and order stay, in the page and in requests", async () => {
  const { bodies, fetch } = serving((body, count) => {
    const messages = body.messages.map((message, at) => ({ ...message, id: `s${count}-${at}` }));
    return [
      ...text(`m${count}`, `Answer ${count}`),
      {
        type: "MESSAGES_SNAPSHOT",
        messages: [
          ...messages,
          { id: `s${count}-a`, role: "assistant", content: `Answer ${count}` },
        ],
      },
    ];
  });
  const chat = open(fetch);
  const watched = watch(chat);
  const ids = [];
  for (const question of ["One.", "Two.", "Three."]) {
    ids.push(chat.send(question).messageId);
    await chat.finished();
  }
  const all = ["One.", "Answer 1", "Two.", "Answer 2", "Three.", "Answer 3"];
  assert.deepEqual(chat.getSnapshot().messages.map(textOf), all);
  assert.deepEqual(
    chat
      .getSnapshot()
      .messages.filter(({ role }) => role === "user")
      .map(({ id }) => id),
    ids,
  );
  assert.deepEqual(contents(bodies[2]), all.slice(0, 5));
  watched.end();
});

test("a failed answer that only has a call stays visible when the next answer has another call", async () => {
  const call = (id) => [
    { type: "TOOL_CALL_START", toolCallId: id, toolCallName: "find", parentMessageId: `m-${id}` },
    { type: "TOOL_CALL_ARGS", toolCallId: id, delta: "{}" },
    { type: "TOOL_CALL_END", toolCallId: id },
  ];
  const { fetch } = serving((_, count) =>
    count === 1 ? [...call("c1"), { type: "RUN_ERROR", message: "no model" }] : call(`c${count}`),
  );
  const chat = open(fetch, { tools: { find: {} } });
  const watched = watch(chat);
  await chat.send("One.").finished();
  await chat.send("Two.").finished();
  assert.deepEqual(
    chat
      .getSnapshot()
      .messages.map(({ parts }) => parts.find(({ toolCallId }) => toolCallId)?.toolCallId),
    [undefined, "c1", undefined, "c2"],
  );
  watched.end();
});
