// Responses over WebSocket: the official client and `socketFetch` against `createHandler`, behind the
// sockets of `ws`.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { describe, test } from "node:test";
import { WebSocket, WebSocketServer } from "ws";
import { toNodeListener } from "agentwire/node";
import { connect, socketFetch } from "agentwire/responses";
import { callModel, createHandler, serveSocket } from "agentwire/server";
import { socketAgent } from "../../support/socket_agent.mjs";
import { testSockets } from "../../support/sockets.mjs";
import { until } from "../../support/until.mjs";

const users = new Set(["Bearer key"]);
const agent = socketAgent();
const handler = createHandler({
  agent,
  authenticate: (request) => {
    const key = request.headers.get("authorization");
    return users.has(key) ? key : undefined;
  },
});

let url;

testSockets("createHandler", {
  refusesHandshake: false,
  async start() {
    const server = createServer(toNodeListener(handler));
    const sockets = new WebSocketServer({ server, path: "/v1/responses" });
    sockets.on("connection", (socket, request) =>
      serveSocket(handler, socket, request, { maxMessageBytes: 4096, maxResponses: 2 }),
    );
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    url = `http://127.0.0.1:${server.address().port}/v1`;
    const close = () => {
      for (const socket of sockets.clients) socket.terminate();
      server.closeAllConnections();
      server.close();
    };
    return { url, close };
  },
});

describe("a socket", () => {
  /** The socket of a client that takes nothing, after it has asked for an endless answer. */
  const unread = async () => {
    const listeners = {};
    const socket = {
      readyState: 1,
      bufferedAmount: 0,
      sent: 0,
      closed: [],
      send(text) {
        this.sent += text.length;
        this.bufferedAmount += text.length;
      },
      close(code) {
        this.closed.push(code);
      },
      addEventListener: (type, listener) => (listeners[type] = listener),
    };
    const headers = { authorization: "Bearer key", host: "localhost" };
    serveSocket(handler, socket, { url: "/v1/responses", headers }, { maxBufferedBytes: 10_000 });
    listeners.message({
      data: JSON.stringify({ type: "response.create", model: "agent", input: "endless" }),
    });
    while (socket.sent < 10_000) await new Promise(setImmediate);
    return { socket, listeners };
  };

  test("whose client does not read slows the agent down", async () => {
    const { socket, listeners } = await unread();
    await new Promise((resolve) => setTimeout(resolve, 50));
    const { sent } = socket;
    await new Promise((resolve) => setTimeout(resolve, 200));
    assert.equal(socket.sent, sent);
    assert.ok(sent < 200_000, String(sent));
    socket.bufferedAmount = 0;
    while (socket.sent === sent) await new Promise((resolve) => setTimeout(resolve, 5));
    listeners.close();
  });

  test("whose client does not read for a minute is closed with 1013, and the agent stops", async (t) => {
    const before = agent.dropped();
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const { socket } = await unread();
    const pass = async (milliseconds) => {
      for (let passed = 0; passed < milliseconds; passed += 20) {
        await new Promise(setImmediate);
        t.mock.timers.tick(20);
      }
    };
    await pass(59_000);
    assert.deepEqual(socket.closed, []);
    assert.equal(agent.dropped(), before);
    await pass(2000);
    assert.deepEqual(socket.closed, [1013]);
    assert.equal(agent.dropped(), before + 1);
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
    const before = agent.dropped();
    const chat = connect(`${url}/responses`, { fetch, headers });
    const run = chat.send("endless");
    for await (const message of run) if (JSON.stringify(message).includes("more")) break;
    chat.stop();
    await once(opened[0], "close");
    await until(() => agent.dropped() > before);
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
