// Responses over WebSocket: the official client and `socketFetch` against `createHandler`, behind the
// sockets of `ws`.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { after, before, describe, test } from "node:test";
import OpenAI from "openai";
import { ResponsesWS } from "openai/resources/responses/ws";
import { WebSocket, WebSocketServer } from "ws";
import { toNodeListener } from "agentwire/node";
import { connect, socketFetch } from "agentwire/responses";
import { callModel, createHandler, serveSocket } from "agentwire/server";

/** What the agent has received, and whether its clients have left. */
const seen = { texts: [], aborted: 0 };

async function agent(out, request) {
  seen.texts.push(
    request.messages.map(({ parts }) => parts.map(({ text }) => text ?? "").join("")),
  );
  const [given] = request.answers;
  if (given !== undefined) return out.text(`It is ${given.text}.`);
  if (request.text.includes("weather"))
    return out.tool("get_weather", { callId: "call_1" }).arguments({ city: "Oslo" });
  if (request.text.includes("endless")) {
    out.signal.addEventListener("abort", () => seen.aborted++);
    for (;;) await out.text("more ");
  }
  if (request.text.includes("wait")) await new Promise((resolve) => setTimeout(resolve, 100));
  for (const piece of ["You said: ", request.text]) await out.text(piece);
}

const users = new Set(["Bearer key"]);
const handler = createHandler({
  agent,
  authenticate: (request) => {
    const key = request.headers.get("authorization");
    return users.has(key) ? key : undefined;
  },
});

let server;
let sockets;
let url;

before(async () => {
  server = createServer(toNodeListener(handler));
  sockets = new WebSocketServer({ server, path: "/v1/responses" });
  sockets.on("connection", (socket, request) =>
    serveSocket(handler, socket, request, { maxMessageBytes: 4096, maxResponses: 2 }),
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  url = `http://127.0.0.1:${server.address().port}/v1`;
});

after(() => {
  for (const socket of sockets.clients) socket.terminate();
  server.closeAllConnections();
  server.close();
});

/** The official client, and the events that it receives as far as the end of a response. */
function official(apiKey = "key") {
  const client = new OpenAI({ apiKey, baseURL: url });
  const socket = new ResponsesWS(client);
  socket.on("error", () => {});
  const events = [];
  const waiting = [];
  socket.on("event", (event) => {
    events.push(event);
    for (const look of waiting.splice(0)) look();
  });
  const received = async (isIt) => {
    for (;;) {
      const at = events.findIndex(isIt);
      if (at >= 0) return events.splice(0, at + 1).at(-1);
      await new Promise((resolve) => waiting.push(resolve));
    }
  };
  return { socket, received, ended: () => received(({ type }) => ENDS.has(type)), events };
}

const ENDS = new Set(["response.completed", "response.failed", "response.incomplete", "error"]);
const user = (content) => [{ type: "message", role: "user", content }];
const textOf = ({ response }) =>
  response.output
    .flatMap(({ content }) => content ?? [])
    .map(({ text }) => text)
    .join("");

describe("the official client", () => {
  test("has several responses on one connection, and continues the last one by its id", async () => {
    const { socket, ended } = official();
    socket.send({ type: "response.create", model: "agent", input: user("hi") });
    const first = await ended();
    assert.equal(textOf(first), "You said: hi");
    assert.equal(first.response.store, false);
    const previous = { previous_response_id: first.response.id };
    socket.send({ type: "response.create", model: "agent", input: user("and?"), ...previous });
    assert.equal(textOf(await ended()), "You said: and?");
    assert.deepEqual(seen.texts.at(-1), ["hi", "You said: hi", "and?"]);
    socket.close();
  });

  test("returns the result of a tool", async () => {
    const { socket, ended } = official();
    const tools = [{ type: "function", name: "get_weather", strict: false, parameters: {} }];
    socket.send({ type: "response.create", model: "agent", input: user("weather?"), tools });
    const { response } = await ended();
    const [call] = response.output;
    assert.deepEqual([call.type, call.call_id], ["function_call", "call_1"]);
    socket.send({
      type: "response.create",
      model: "agent",
      previous_response_id: response.id,
      input: [{ type: "function_call_output", call_id: "call_1", output: "18 °C" }],
    });
    assert.equal(textOf(await ended()), "It is 18 °C.");
    socket.close();
  });

  test("has events in the order and with the numbers of server-sent events", async () => {
    const { socket, ended, events } = official();
    socket.send({ type: "response.create", model: "agent", input: user("hi") });
    const received = [];
    socket.on("event", (event) => received.push(event));
    await ended();
    const response = await fetch(`${url}/responses`, {
      method: "POST",
      headers: { authorization: "Bearer key", "content-type": "application/json" },
      body: JSON.stringify({ model: "agent", input: user("hi"), stream: true }),
    });
    const streamed = [...(await response.text()).matchAll(/^data: (\{.*)$/gm)];
    const kinds = (list) => list.map(({ type, sequence_number: number }) => `${number} ${type}`);
    assert.deepEqual(kinds(received), kinds(streamed.map(([, data]) => JSON.parse(data))));
    assert.equal(events.length, 0);
    socket.close();
  });

  test("prepares a response without output, and continues it", async () => {
    const { socket, ended } = official();
    const asked = { type: "response.create", model: "agent" };
    socket.send({ ...asked, generate: false, input: user("first") });
    const { response } = await ended();
    assert.deepEqual([response.status, response.output], ["completed", []]);
    socket.send({ ...asked, previous_response_id: response.id, input: user("second") });
    await ended();
    assert.deepEqual(seen.texts.at(-1), ["first", "second"]);
    socket.close();
  });

  test("has responses at once by `stream_id`, within a limit, and one at a time without", async () => {
    const { socket, received } = official();
    const ask = (id, text) =>
      socket.send({ type: "response.create", model: "agent", stream_id: id, input: user(text) });
    ask("a", "wait 1");
    ask("b", "wait 2");
    ask("a", "again");
    ask("c", "too many");
    const refused = [];
    for (const lane of ["a", "c"])
      refused.push(
        (await received((event) => event.type === "error" && event.stream_id === lane)).error.code,
      );
    assert.deepEqual(refused, ["response_in_progress", "too_many_responses"]);
    const texts = {};
    for (let at = 0; at < 2; at++) {
      const end = await received(({ type }) => type === "response.completed");
      texts[end.stream_id] = textOf(end);
    }
    assert.deepEqual(texts, { a: "You said: wait 1", b: "You said: wait 2" });
    socket.close();
  });

  test("receives refusals as errors with their status, and the socket stays open", async () => {
    const { socket, ended, received } = official();
    for (const [event, status, code] of [
      [{ type: "response.create", model: "agent", input: 5 }, 400, undefined],
      [
        { type: "response.create", input: user("x"), previous_response_id: "resp_9" },
        400,
        "previous_response_not_found",
      ],
      [{ type: "response.unheard" }, 400, "unknown_event"],
    ]) {
      socket.send(event);
      const error = await ended();
      assert.deepEqual([error.type, error.status], ["error", status]);
      if (code) assert.equal(error.error.code, code);
    }
    socket.sendRaw("{");
    assert.equal((await ended()).error.code, "invalid_json");
    socket.send({ type: "response.steer", previous_response_id: "resp_1", input: "Shorter." });
    const failed = await received(({ type }) => type === "response.steer.failed");
    assert.equal(failed.error.code, "steering_not_supported");
    assert.deepEqual(failed.steer, { previous_response_id: "resp_1", input: "Shorter." });
    socket.send({ type: "response.create", model: "agent", input: user("still here") });
    assert.equal(textOf(await ended()), "You said: still here");
    socket.close();
  });

  test("without a key is refused", async () => {
    const { socket, ended } = official("other");
    socket.send({ type: "response.create", model: "agent", input: user("hi") });
    assert.equal((await ended()).status, 401);
    socket.close();
  });
});

describe("a socket", () => {
  const opened = async () => {
    const socket = new WebSocket(`${url.replace("http", "ws")}/responses`, {
      headers: { authorization: "Bearer key" },
    });
    await once(socket, "open");
    return socket;
  };

  test("is closed with 1009 by a message that is too large, with 1003 by a binary one", async () => {
    for (const [message, expected] of [
      [JSON.stringify({ type: "response.create", input: "x".repeat(5000) }), 1009],
      [JSON.stringify({ type: "response.create", input: "é".repeat(3000) }), 1009],
      [Buffer.from("{}"), 1003],
    ]) {
      const socket = await opened();
      socket.send(message);
      const [code] = await once(socket, "close");
      assert.equal(code, expected);
    }
  });

  test("that is closed stops its agent", async () => {
    const socket = await opened();
    const before = seen.aborted;
    socket.send(JSON.stringify({ type: "response.create", model: "agent", input: "endless" }));
    await once(socket, "message");
    socket.close();
    while (seen.aborted === before) await new Promise((resolve) => setTimeout(resolve, 5));
  });

  test("whose client does not read slows the agent down", async () => {
    // The socket of a client that takes nothing.
    const listeners = {};
    const socket = {
      readyState: 1,
      bufferedAmount: 0,
      sent: 0,
      send(text) {
        this.sent += text.length;
        this.bufferedAmount += text.length;
      },
      close() {},
      addEventListener: (type, listener) => (listeners[type] = listener),
    };
    const headers = { authorization: "Bearer key", host: "localhost" };
    serveSocket(handler, socket, { url: "/v1/responses", headers }, { maxBufferedBytes: 10_000 });
    listeners.message({
      data: JSON.stringify({ type: "response.create", model: "agent", input: "endless" }),
    });
    while (socket.sent < 10_000) await new Promise((resolve) => setTimeout(resolve, 5));
    await new Promise((resolve) => setTimeout(resolve, 50));
    const { sent } = socket;
    await new Promise((resolve) => setTimeout(resolve, 200));
    assert.equal(socket.sent, sent);
    assert.ok(sent < 200_000, String(sent));
    socket.bufferedAmount = 0;
    while (socket.sent === sent) await new Promise((resolve) => setTimeout(resolve, 5));
    listeners.close();
  });

  test("is not opened by the handler where the platform does not do it", async () => {
    const response = await handler(
      new Request(`${url}/responses`, {
        headers: { upgrade: "websocket", authorization: "Bearer key" },
      }),
    );
    assert.equal(response.status, 426);
    assert.equal(response.headers.get("upgrade"), "websocket");
  });

  test("is not opened for the page of another origin", async () => {
    const headers = {
      upgrade: "websocket",
      authorization: "Bearer key",
      origin: "https://evil.example",
    };
    const response = await handler(new Request(`${url}/responses`, { headers }));
    assert.equal(response.status, 403);
  });
});

describe("socketFetch", () => {
  const counted = () => {
    const opened = [];
    class Counted extends WebSocket {
      constructor(...given) {
        super(...given);
        opened.push(this);
      }
    }
    return { opened, fetch: socketFetch({ WebSocket: Counted }) };
  };
  const headers = { authorization: "Bearer key" };

  test("is the connection of a chat: a conversation with a tool on one socket", async () => {
    const { opened, fetch } = counted();
    const tools = { get_weather: { parameters: {}, execute: () => "18 °C" } };
    const chat = connect(`${url}/responses`, { fetch, headers, tools });
    assert.equal(await chat.send("hi").text(), "You said: hi");
    assert.equal(await chat.send("How is the weather?").text(), "It is 18 °C.");
    assert.equal(opened.length, 1);
    fetch.close();
    await once(opened[0], "close");
  });

  test("is the connection of a model", async () => {
    const { fetch } = counted();
    const model = {
      protocol: "responses",
      url,
      key: "key",
      model: "agent",
      fetch,
    };
    const front = createHandler({
      agent: async (out, request) =>
        out.forward(await callModel({ ...model, request, signal: out.signal })),
    });
    const chat = connect("http://localhost/v1/responses", { fetch: front });
    assert.equal(await chat.send("hi").text(), "You said: hi");
    fetch.close();
  });

  test("has the status of a refusal", async () => {
    const { fetch } = counted();
    const ask = (key, input) =>
      fetch(`${url}/responses`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}` },
        body: JSON.stringify({ model: "agent", stream: true, input }),
      });
    const response = await ask("other", "hi");
    assert.equal(response.status, 401);
    assert.equal(typeof (await response.json()).error.message, "string");
    const answer = await ask("key", "hi");
    assert.equal(answer.status, 200);
    assert.match(await answer.text(), /response\.completed/);
    fetch.close();
  });

  test("closes the socket of a request that is aborted, and the agent stops", async () => {
    const { opened, fetch } = counted();
    const before = seen.aborted;
    const chat = connect(`${url}/responses`, { fetch, headers });
    const run = chat.send("endless");
    for await (const message of run) if (JSON.stringify(message).includes("more")) break;
    chat.stop();
    await once(opened[0], "close");
    while (seen.aborted === before) await new Promise((resolve) => setTimeout(resolve, 5));
  });

  test("fails when the server is gone", async () => {
    const { fetch } = counted();
    const request = { method: "POST", body: JSON.stringify({ stream: true, input: "hi" }) };
    await assert.rejects(fetch("http://127.0.0.1:9/v1/responses", request), TypeError);
  });

  test("sends other requests over HTTP", async () => {
    const { opened, fetch } = counted();
    const response = await fetch(`${url}/models`, { headers });
    assert.equal(response.status, 200);
    assert.equal(opened.length, 0);
  });
});
