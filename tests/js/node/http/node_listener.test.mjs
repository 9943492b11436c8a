// `toNodeListener` in servers of node:http and Express: bodies that are parsed before, slow
// clients, clients that disconnect.
import assert from "node:assert/strict";
import { createServer, request as httpRequest } from "node:http";
import { createServer as createHttp2Server, connect as connectHttp2 } from "node:http2";
import { connect as connectSocket } from "node:net";
import { test } from "node:test";
import { AgentwireError } from "agentwire";
import { createHandler } from "agentwire/server";
import { connect } from "agentwire/ag-ui";
import { toNodeListener } from "agentwire/node";
import express from "express";
import { until } from "../../support/until.mjs";

const code = (code) => (error) => error instanceof AgentwireError && error.code === code;
const serve = createHandler({
  protocols: ["ag-ui", "agent-api"],
  agent: (out, request) =>
    out.message().text().delta(request.toJSON().input.at(-1).content[0].text),
});
const post = { method: "POST", headers: { "content-type": "application/json" } };

/** Starts a server for the time of a test; its address. */
async function started(context, server) {
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  context.after(() => {
    server.close();
    server.closeAllConnections?.();
  });
  return `http://127.0.0.1:${server.address().port}`;
}

/** A server of Express with these handlers. */
const app = (...handlers) =>
  createServer(handlers.reduce((app, handler) => app.use(handler), express()));

const PARSERS = {
  "express.json()": express.json(),
  "express.text()": express.text({ type: "*/*" }),
  "express.raw()": express.raw({ type: "*/*" }),
  "no parser": (_request, _response, next) => next(),
};
for (const [name, parser] of Object.entries(PARSERS)) {
  test(`Express with ${name} before the agent`, async (context) => {
    const url = await started(context, app(parser, toNodeListener(serve)));
    const agent = connect(`${url}/ag-ui`);
    const { snapshot } = await agent.send("你好").finished();
    assert.equal(snapshot.messages.at(-1).content, "你好");
    const form = await fetch(`${url}/ag-ui`, {
      method: "POST",
      body: new URLSearchParams({ a: "b" }),
    });
    assert.equal(form.status, 415);
    assert.equal((await fetch(`${url}/elsewhere`, post)).status, 404);
  });
}

test("a handler mounted in an Express router receives the full path", async (context) => {
  const url = await started(
    context,
    createServer(
      express().use(
        "/api",
        toNodeListener((request) => Response.json(new URL(request.url).pathname)),
      ),
    ),
  );
  assert.equal(await (await fetch(`${url}/api/ag-ui?x=1`)).json(), "/api/ag-ui");
});

test("a body consumed by middleware causes an error that describes the fix", async (context) => {
  const errors = [];
  const reads = (request, _response, next) => request.resume().on("end", next);
  const url = await started(
    context,
    app(reads, toNodeListener(serve, { onError: (error) => errors.push(error) })),
  );
  assert.equal((await fetch(`${url}/ag-ui`, { ...post, body: "{}" })).status, 500);
  assert.ok(
    code("body-used")(errors[0]) && /before the middleware/.test(errors[0].message),
    errors[0],
  );
});

test("status, headers and multiple cookies are sent, and HEAD has no body", async (context) => {
  let request;
  const answer = (received) => {
    request = received;
    const headers = new Headers({ "x-one": "1" });
    headers.append("set-cookie", "a=1");
    headers.append("set-cookie", "b=2");
    return new Response("text", { status: 201, headers });
  };
  const url = await started(context, createServer(toNodeListener(answer)));
  const response = await fetch(`${url}//two/slashes?q=1`, { headers: { "x-two": "2" } });
  assert.deepEqual(
    [
      response.status,
      await response.text(),
      response.headers.get("x-one"),
      response.headers.getSetCookie(),
    ],
    [201, "text", "1", ["a=1", "b=2"]],
  );
  assert.deepEqual([request.url, request.headers.get("x-two")], [`${url}//two/slashes?q=1`, "2"]);
  const head = await fetch(url, { method: "HEAD" });
  assert.deepEqual([head.status, await head.text()], [201, ""]);
});

test("an exception of the handler returns 500, and a malformed host 400", async (context) => {
  const errors = [];
  const fails = () => {
    throw new Error("no agent");
  };
  const url = await started(
    context,
    createServer(toNodeListener(fails, { onError: ({ message }) => errors.push(message) })),
  );
  assert.equal((await fetch(url)).status, 500);
  const status = await new Promise((resolve) =>
    httpRequest(url, { headers: { host: "a b" } }, ({ statusCode }) => resolve(statusCode)).end(),
  );
  assert.deepEqual(
    [status, errors],
    [400, ["no agent", "the address of the request is malformed"]],
  );
});

test("a slow client slows the handler down, and a disconnected client aborts it", async (context) => {
  let pulled = 0;
  let aborted = false;
  let canceled = false;
  const endless = ({ signal }) => {
    signal.addEventListener("abort", () => (aborted = true));
    const pull = (controller) => {
      pulled++;
      return controller.enqueue(new Uint8Array(65536));
    };
    return new Response(new ReadableStream({ pull, cancel: () => void (canceled = true) }));
  };
  const url = await started(
    context,
    createServer(toNodeListener(endless, { onError: assert.fail })),
  );
  const socket = connectSocket(new URL(url).port, "127.0.0.1");
  socket.write("GET / HTTP/1.1\r\nhost: a\r\n\r\n");
  socket.pause();
  let before = -1;
  await until(() => pulled > 0 && (pulled === before || void (before = pulled)), 100);
  const count = pulled;
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.equal(pulled, count);
  assert.ok(count < 500, `${count} chunks of 64 KiB were read for a client that reads none`);
  socket.destroy();
  await until(() => aborted && canceled);
});

test("a request body is read with back-pressure, and the connection is closed after an early response", async (context) => {
  const handler = async (request) => {
    const reader = request.body.getReader();
    const { value } = await reader.read();
    await reader.cancel();
    return new Response(String(value.length > 0), { status: 413 });
  };
  const url = await started(context, createServer(toNodeListener(handler)));
  const socket = connectSocket(new URL(url).port, "127.0.0.1");
  socket.on("error", () => {});
  socket.write(`POST / HTTP/1.1\r\nhost: a\r\ncontent-length: ${1 << 30}\r\n\r\nx`);
  const text = await new Promise((resolve) =>
    socket.once("data", (chunk) => resolve(String(chunk))),
  );
  assert.match(text, /^HTTP\/1.1 413/);
  const closed = new Promise((resolve) => socket.once("close", resolve));
  const writing = setInterval(() => socket.write(Buffer.alloc(1024)), 20);
  await closed;
  clearInterval(writing);
});

test("an interrupted request body is an error for the handler", async (context) => {
  let failure;
  const handler = async (request) => {
    await request.text().catch((error) => (failure = error));
    return new Response("");
  };
  const url = await started(
    context,
    createServer(toNodeListener(handler, { onError: assert.fail })),
  );
  const socket = connectSocket(new URL(url).port, "127.0.0.1");
  socket.write("POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 10\r\n\r\nabc");
  setTimeout(() => socket.destroy(), 50);
  await until(() => failure !== undefined);
});

test("HTTP/2 is supported", async (context) => {
  const server = createHttp2Server(toNodeListener(serve));
  const url = await started(context, server);
  const client = connectHttp2(url);
  const stream = client.request({
    ":method": "POST",
    ":path": "/process",
    "content-type": "application/json",
  });
  stream.end(
    JSON.stringify({ input: [{ role: "user", content: [{ type: "text", text: "over two" }] }] }),
  );
  let text = "";
  for await (const chunk of stream) text += chunk;
  client.close();
  assert.match(text, /over two/);
});

test("an invalid handler or option is rejected", () => {
  assert.throws(() => toNodeListener(undefined), code("wrong-argument"));
  assert.throws(
    () => toNodeListener(serve, { onerror: () => {} }),
    (error) => code("wrong-option")(error) && /did you mean `onError`/.test(error.message),
  );
});

/**
 * Sends text to a server; resolves to what it has answered when it closes the connection, or after
 * 300 milliseconds of silence.
 */
const raw = (url, text) =>
  new Promise((resolve) => {
    let answer = "";
    const socket = connectSocket(new URL(url).port, "127.0.0.1", () => socket.write(text));
    let timer;
    const done = () => {
      clearTimeout(timer);
      socket.destroy();
      return resolve(answer);
    };
    const wait = () => {
      clearTimeout(timer);
      return (timer = setTimeout(done, 300));
    };
    wait();
    socket.on("data", (chunk) => {
      answer += chunk;
      wait();
    });
    socket.on("error", () => {});
    socket.on("close", done);
  });

test("odd requests are refused, and are not errors of the server", async (context) => {
  const errors = [];
  const url = await started(
    context,
    createServer(toNodeListener(serve, { onError: (error) => errors.push(error.message) })),
  );
  const statusOf = async (line, headers = "Host: x\r\n") =>
    Number(
      (await raw(url, `${line} HTTP/1.1\r\n${headers}Connection: close\r\n\r\n`)).slice(9, 12),
    );
  const quiet = {
    "TRACE /": 405,
    "TRACE /ag-ui": 405,
    "OPTIONS *": 404,
    "PROPFIND /ag-ui": 405,
    "M-SEARCH *": 404,
    "GET http://other.example/ag-ui": 405,
    "GET //": 404,
    "GET /%00%ff": 404,
    "DELETE /a2a?x=%": 404,
  };
  for (const [line, status] of Object.entries(quiet)) {
    assert.equal(await statusOf(line), status, line);
  }
  assert.match(
    await raw(url, "TRACE / HTTP/1.1\r\nHost: x\r\n\r\n"),
    /\r\nallow: GET, HEAD, POST/i,
  );
  assert.deepEqual(errors, []);
  const malformed = [
    ["GET http://user:password@x/ag-ui"],
    ["GET ftp://x/ag-ui"],
    ["GET javascript:alert(1)"],
    ["GET /ag-ui", "Host: user:password@x\r\n"],
    ["GET /ag-ui", "Host: a b\r\n"],
    ["GET /ag-ui", "Host: [::\r\n"],
    ["GET /ag-ui", "Host: x:99999\r\n"],
    ["POST /ag-ui", "Host: x/../\\@\r\nContent-Length: 0\r\n"],
  ];
  for (const [line, headers] of malformed) {
    const status = await statusOf(line, headers);
    assert.ok(status === 400 || status === 404, `${line} ${headers}: ${status}`);
  }
  assert.ok(
    errors.every((message) => message === "the address of the request is malformed"),
    errors.join(),
  );
  // The server still serves.
  assert.equal(
    await (
      await fetch(`${url}/process`, {
        ...post,
        body: JSON.stringify({
          input: [{ role: "user", content: [{ type: "text", text: "alive" }] }],
        }),
      })
    )
      .text()
      .then((text) => /alive/.test(text)),
    true,
  );
  // CONNECT is an event of its own in node:http, and a request in HTTP/2 and in other servers.
  for (const method of ["CONNECT", "track", "Trace"]) {
    const given = [];
    const outgoing = {
      statusCode: 0,
      headersSent: false,
      writableFinished: true,
      destroyed: false,
      setHeader: (...header) => given.push(header),
      end: () => {},
      on() {},
      off() {},
      destroy() {},
    };
    await toNodeListener(serve, { onError: assert.fail })(
      {
        method,
        url: "/",
        rawHeaders: [],
        complete: true,
        readableDidRead: false,
        on() {},
        pause() {},
        resume() {},
        destroy() {},
      },
      outgoing,
    );
    assert.deepEqual([outgoing.statusCode, given.length], [405, 1]);
  }
});
