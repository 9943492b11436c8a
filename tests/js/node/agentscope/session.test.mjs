// `connect` to a service of AgentScope: requests start replies, and the stream of the session has the
// events of all of them. The stand-in here has the addresses and the order of the service, and the
// events that it was recorded with.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { connect } from "agentwire/agentscope";

const CORPUS = new URL("../../../data/corpus/agentscope/", import.meta.url);
const encoder = new TextEncoder();

/** The frames of a recorded stream, with another id of the reply and of the answer. */
async function recorded(name, reply, answer) {
  const text = await readFile(new URL(`${name}/stream.sse`, CORPUS), "utf8");
  const [own] = /(?<="reply_id": ")[^"]*/.exec(text);
  return text
    .replaceAll(own, reply)
    .replace(/"id": "[^"]*"(?=[^\n]*"type": "(USER_CONFIRM|EXTERNAL_EXECUTION)_RESULT")/, () =>
      answer === undefined ? "" : `"id": "${answer}"`,
    )
    .split("\n\n")
    .filter((frame) => frame !== "")
    .map((frame) => `${frame}\n\n`);
}

/**
 * A service whose replies are these recordings, in the order of the requests. The stream of a session
 * repeats the last events of earlier replies, and it has events of its own.
 */
function service(names, { busy = 0 } = {}) {
  const requests = [];
  const streams = new Set();
  const [log, next] = [[], [...names]];
  let [reply, status, refused] = [0, "idle", busy];
  const publish = (frame) => {
    log.push(frame);
    streams.forEach((out) => out.enqueue(encoder.encode(frame)));
  };
  const run = async (name, answer) => {
    status = "running";
    reply += answer === undefined ? 1 : 0;
    for (const frame of await recorded(name, `reply_${reply}`, answer)) {
      await new Promise((resolve) => setTimeout(resolve));
      publish(frame);
    }
    publish(
      'data: {"type": "CUSTOM", "id": "x", "created_at": "t", "name": "session_updated", "value": {}}\n\n',
    );
    status = "awaiting";
  };
  const fetch = async (request) => {
    const { method, url } = request;
    const { pathname, searchParams } = new URL(url);
    const body = method === "POST" ? await request.text() : "";
    requests.push({ method, pathname, body: body === "" ? undefined : JSON.parse(body) });
    if (pathname === "/v1/sessions/") {
      return Response.json({ session_id: "created" }, { status: 201 });
    }
    if (pathname.endsWith("/messages")) {
      const replies = Array.from({ length: reply }, (_, at) => ({ id: `reply_${at + 1}` }));
      return Response.json({ messages: replies, event_cursor: null });
    }
    if (pathname.endsWith("/status")) {
      return Response.json({ status });
    }
    assert.equal(request.headers.get("x-user-id"), "ann");
    if (pathname === "/v1/chat/") {
      const { input } = JSON.parse(body);
      if (refused-- > 0) return Response.json({ detail: "running" }, { status: 409 });
      void run(next.shift(), input.type === undefined ? undefined : input.id);
      return Response.json({ status: "started", session_id: "s" });
    }
    assert.equal(searchParams.get("agent_id"), "friday");
    if (pathname.endsWith("/interrupt")) {
      const end = { type: "REPLY_END", session_id: "s", reply_id: `reply_${reply}` };
      setTimeout(() =>
        publish(`data: ${JSON.stringify({ ...end, finished_reason: "interrupted" })}\n\n`),
      );
      return Response.json({}, { status: 202 });
    }
    assert.ok(pathname.endsWith("/stream"));
    let own;
    const stream = new ReadableStream({
      start(out) {
        own = out;
        streams.add(out);
        log.slice(-3).forEach((frame) => out.enqueue(encoder.encode(frame)));
      },
      cancel: () => void streams.delete(own),
    });
    return new Response(stream, { headers: { "content-type": "text/event-stream" } });
  };
  return { fetch, requests, streams };
}

const opened = (served, options) =>
  connect("http://service.test/v1/chat/", {
    agentId: "friday",
    headers: { "x-user-id": "ann" },
    fetch: served.fetch,
    ...options,
  });
const textOf = ({ parts }) => parts.map(({ type, text }) => (type === "text" ? text : "")).join("");
const texts = (chat) =>
  chat
    .getSnapshot()
    .messages.filter(({ role }) => role === "assistant")
    .map(textOf);

test("each turn has its reply: no event of another one is lost or repeated", async () => {
  const served = service(["text", "tool", "thinking"]);
  const chat = opened(served);
  for (const text of ["one", "two", "three"]) {
    await chat.send(text).text();
  }
  assert.deepEqual(texts(chat), ["Hello, world!", "I look.Sunny, 21 °C.", "Hi."]);
  const { report, snapshot } = chat.getSnapshot();
  assert.deepEqual(report.violations, []);
  assert.equal(snapshot.id, "reply_3");
  const inputs = served.requests
    .filter(({ body }) => body !== undefined)
    .map(({ body }) => body.input);
  assert.deepEqual(
    inputs.map(({ content }) => content),
    ["one", "two", "three"].map((text) => [{ type: "text", text }]),
  );
  // The session was that of the chat, and then the one of the replies.
  assert.equal(served.streams.size, 0, "each stream of the session was closed");
});

test("the session is created with the first message", async () => {
  const served = service(["text"]);
  const chat = opened(served, { session: { chat_model_config: { model: "m" } } });
  await chat.send("Hi").text();
  assert.deepEqual(
    served.requests.map(({ method, pathname }) => `${method} ${pathname}`),
    ["POST /v1/sessions/", "GET /v1/sessions/created/stream", "POST /v1/chat/"],
  );
  assert.deepEqual(served.requests[0].body, {
    chat_model_config: { model: "m" },
    agent_id: "friday",
  });
  assert.equal(served.requests[2].body.session_id, "created");
});

test("a question waits for the user, and the reply continues with the decision", async () => {
  const served = service(["confirm", "confirm_allowed"]);
  const chat = opened(served);
  await chat.send("Delete it.").text();
  const [, asked] = chat.getSnapshot().messages;
  const question = asked.parts.find(({ state }) => state === "approval-requested");
  assert.deepEqual([question.toolName, question.input], ["delete", { path: "a.txt" }]);
  assert.ok(chat.approve(question.approval.id));
  await chat.finished();
  const { messages, report } = chat.getSnapshot();
  assert.deepEqual(report.violations, []);
  const [, answer] = messages;
  const call = answer.parts.filter(({ toolCallId }) => toolCallId === "c1");
  assert.equal(call.length, 1);
  assert.deepEqual([call[0].state, call[0].output], ["output-available", "deleted a.txt"]);
  assert.equal(textOf(answer), "I delete it.Finished.");
  const { input } = served.requests.findLast(({ pathname }) => pathname === "/v1/chat/").body;
  assert.deepEqual(input, {
    id: input.id,
    type: "USER_CONFIRM_RESULT",
    reply_id: "reply_1",
    confirm_results: [
      {
        confirmed: true,
        tool_call: { type: "tool_call", id: "c1", name: "delete", input: '{"path": "a.txt"}' },
      },
    ],
  });
});

test("a call that the client executes is executed, and its result is there once", async () => {
  const served = service(["external", "external_result"]);
  const chat = opened(served, {
    tools: { browser: { execute: ({ url }) => `opened ${url}` } },
  });
  await chat.send("Look.").text();
  const { messages, report } = chat.getSnapshot();
  assert.deepEqual(report.violations, []);
  const [, answer] = messages;
  const calls = answer.parts.filter(({ type }) => type === "tool-browser");
  assert.equal(calls.length, 1);
  assert.deepEqual(
    [calls[0].state, calls[0].output],
    ["output-available", "opened https://example.com"],
  );
  assert.equal(textOf(answer), "The page says hi.");
  const { input } = served.requests.findLast(({ pathname }) => pathname === "/v1/chat/").body;
  assert.deepEqual(input.execution_results, [
    {
      type: "tool_result",
      id: "c1",
      name: "browser",
      output: [{ type: "text", text: "opened https://example.com" }],
      state: "success",
    },
  ]);
});

test("a reply that waits is stopped before the next message", async () => {
  const served = service(["confirm", "text"]);
  const chat = opened(served);
  await chat.send("Delete it.").text();
  await chat.send("Never mind.").text();
  assert.deepEqual(texts(chat), ["I delete it.", "Hello, world!"]);
  const paths = served.requests.map(({ pathname }) => pathname.split("/").at(-1) || "chat");
  assert.ok(paths.indexOf("interrupt") < paths.lastIndexOf("chat"), paths.join());
});

test("a chat joins a session, whose stream repeats the last reply", async () => {
  const served = service(["text", "tool"]);
  await opened(served).send("one").text();
  const chat = opened(served);
  await chat.send("two").text();
  assert.deepEqual(texts(chat), ["I look.Sunny, 21 °C."]);
});

test("a session that stores the reply before is asked again", async () => {
  const served = service(["text"], { busy: 3 });
  const chat = opened(served);
  await chat.send("Hi").text();
  assert.deepEqual(texts(chat), ["Hello, world!"]);
});

test("a refusal is the error of the chat", async () => {
  const refuse = async ({ method }) =>
    method === "GET"
      ? Response.json({ detail: "Session 's' not found." }, { status: 404 })
      : Response.json({});
  const chat = opened({ fetch: refuse });
  await chat
    .send("Hi")
    .text()
    .catch(() => {});
  const { error, status } = chat.getSnapshot();
  assert.equal(status, "error");
  assert.match(error.message, /not found|404/);
});

test("stopping a chat stops the reply at the service", async () => {
  const served = service(["interrupted"]);
  const chat = opened(served);
  const run = chat.send("Count.");
  for await (const { messages } of run) {
    if (messages.some((message) => message.role === "assistant" && textOf(message) !== "")) break;
  }
  chat.stop();
  await new Promise((resolve) => setTimeout(resolve, 100));
  assert.ok(served.requests.some(({ pathname }) => pathname.endsWith("/interrupt")));
});
