// Clients that send too much, too slowly, or nothing: a request's body is read as far as it may go,
// and no further.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { connect } from "node:net";
import { Readable } from "node:stream";
import { after, before, test } from "node:test";
import { AgentwireError, defineProtocol, RequestError } from "agentwire";
import {
  agentApiAdapter,
  agKitAdapter,
  createHandler,
  defineAdapter,
  readBody,
} from "agentwire/server";
import { unhandledIn } from "./unhandled.mjs";

const MEGABYTE = 1 << 20;
const coded = (code) => (error) => error instanceof AgentwireError && error.code === code;
const refused = (status, code) => (error) =>
  error instanceof RequestError &&
  error.status === status &&
  error.problems[0].code === code &&
  error.problems[0].path === "body";

/**
 * A request whose body has `pieces` chunks of `size` bytes, produced on demand; the log contains
 * the number of bytes produced.
 */
function sending(pieces, size, headers = {}) {
  const log = { bytes: 0, canceled: false };
  const body = new ReadableStream(
    {
      pull(controller) {
        if (log.bytes >= pieces * size) {
          return controller.close();
        }
        log.bytes += size;
        controller.enqueue(new Uint8Array(size).fill(32));
      },
      cancel: () => void (log.canceled = true),
    },
    { highWaterMark: 0 },
  );
  return { request: posting(body, headers), log };
}

function posting(body, headers = {}) {
  return new Request("http://localhost/process", {
    method: "POST",
    body,
    headers: { "content-type": "application/json", ...headers },
    duplex: "half",
  });
}

const adapters = [
  agentApiAdapter(),
  agKitAdapter({ path: "/process" }),
  defineAdapter({
    path: "/process",
    protocol: defineProtocol({ name: "p", encode: () => {} }),
    convertRequest: () => assert.fail("was read"),
  }),
];

test("a body of 300 MB is rejected after 36 MB, and the rest is not read", async () => {
  for (const adapter of adapters) {
    const { request, log } = sending(300 * 16, MEGABYTE / 16);
    const answer = await createHandler({
      adapters: [adapter],
      agent: () => assert.fail("the agent was called"),
    })(request);
    assert.equal(answer.status, 413);
    assert.deepEqual((await answer.json()).detail, [
      {
        type: "body_too_long",
        loc: ["body"],
        msg: "The body should have at most 4194304 bytes",
        input: null,
      },
    ]);
    assert.ok(log.bytes <= 36 * MEGABYTE + 2 * (MEGABYTE / 16), `${log.bytes} bytes were read`);
    assert.ok(log.canceled);
  }
});

test("a large content-length is rejected without reading, and a small one is not trusted", async () => {
  const { request, log } = sending(1, 10, { "content-length": String(40 * MEGABYTE) });
  await assert.rejects(readBody(request), refused(413, "body_too_long"));
  assert.equal(log.bytes, 0);
  assert.ok(log.canceled);
  // A small declared length is not trusted.
  const more = sending(100, MEGABYTE, { "content-length": "10" });
  await assert.rejects(readBody(more.request), refused(413, "body_too_long"));
  assert.ok(more.log.bytes <= 38 * MEGABYTE);
  for (const length of ["", "many", "-1", "1e999"]) {
    assert.equal(
      await readBody(sending(1, 10, { "content-length": length }).request).catch(
        ({ status }) => status,
      ),
      length === "1e999" ? 413 : " ".repeat(10),
    );
  }
});

test("a body slightly above the limit is read to its end, so that the client receives the response", async () => {
  for (const headers of [{}, { "content-length": String(11 * MEGABYTE) }]) {
    const { request, log } = sending(11, MEGABYTE, headers);
    await assert.rejects(readBody(request), refused(413, "body_too_long"));
    assert.deepEqual([log.bytes, log.canceled], [11 * MEGABYTE, false]);
  }
});

test("a body of exactly the limit is accepted, and one byte more is rejected", async () => {
  for (const [bytes, most] of [
    [0, 0],
    [7, 7],
    [MEGABYTE * 4, undefined],
    [5 * MEGABYTE, 5 * MEGABYTE],
    [5 * MEGABYTE, Infinity],
  ]) {
    assert.equal(
      (await readBody(posting("x".repeat(bytes)), { maxBodyBytes: most })).length,
      bytes,
    );
    if (most !== Infinity) {
      await assert.rejects(
        readBody(posting("x".repeat(bytes + 1)), { maxBodyBytes: most }),
        refused(413, "body_too_long"),
      );
    }
  }
});

test("characters are decoded across chunks, and invalid UTF-8 is replaced", async () => {
  const text = "你好 👋 \u2028 é";
  const bytes = new TextEncoder().encode(text);
  const pieces = new ReadableStream({
    start(controller) {
      bytes.forEach((byte) => {
        controller.enqueue(Uint8Array.of(byte));
        controller.enqueue(new Uint8Array());
      });
      controller.close();
    },
  });
  assert.equal(await readBody(posting(pieces)), text);
  assert.equal(await readBody(posting(Uint8Array.of(0xff, 0x61))), "\ufffda");
  assert.equal(await readBody(new Request("http://localhost/", { method: "POST" })), "");
});

test("a million chunks of one byte are copied in linear time", async () => {
  const { request } = sending(MEGABYTE, 1);
  const { set } = Uint8Array.prototype;
  let copied = 0;
  Uint8Array.prototype.set = function (bytes, at) {
    copied += bytes.length;
    set.call(this, bytes, at);
  };
  try {
    assert.equal((await readBody(request, { bodyTimeoutMs: 0 })).length, MEGABYTE);
  } finally {
    Uint8Array.prototype.set = set;
  }
  assert.ok(copied <= 4 * MEGABYTE, `${copied} bytes were copied`);
});

test("a body that does not arrive returns 408, and canceling it is not awaited", async (context) => {
  for (const [bodyTimeoutMs, wait] of [
    [undefined, 30_000],
    [1000, 1000],
  ]) {
    context.mock.timers.enable({ apis: ["setTimeout"] });
    let canceled;
    // A client that keeps even the cancelling waiting.
    const silent = new ReadableStream({
      cancel: (reason) => {
        canceled = reason;
        return new Promise(() => {});
      },
    });
    const answering = createHandler({
      adapters: [agentApiAdapter({ bodyTimeoutMs })],
      agent: () => assert.fail("the agent was called"),
    })(posting(silent));
    let answer;
    void answering.then((response) => (answer = response));
    const turn = () => new Promise((resolve) => setImmediate(resolve));
    await turn();
    context.mock.timers.tick(wait - 1);
    await turn();
    assert.equal(answer, undefined);
    context.mock.timers.tick(1);
    await turn();
    assert.equal(answer.status, 408);
    assert.equal((await answer.json()).detail[0].type, "body_timeout");
    assert.ok(refused(408, "body_timeout")(canceled));
    context.mock.timers.reset();
  }
});

test("a body that arrives slowly without end times out", async () => {
  let drops;
  const slow = new ReadableStream({
    start: (controller) =>
      void (drops = setInterval(() => controller.enqueue(Uint8Array.of(32)), 5)),
    cancel: () => clearInterval(drops),
  });
  await assert.rejects(
    readBody(posting(slow), { bodyTimeoutMs: 60 }),
    refused(408, "body_timeout"),
  );
});

test("`bodyTimeoutMs: 0` disables the timeout, and timers are cleared", async (context) => {
  const timer = context.mock.method(globalThis, "setTimeout");
  assert.equal(await readBody(posting("x"), { bodyTimeoutMs: 0 }), "x");
  assert.equal(timer.mock.callCount(), 0);
  const cleared = context.mock.method(globalThis, "clearTimeout");
  assert.equal(await readBody(posting("x")), "x");
  assert.equal(cleared.mock.calls[0].arguments[0], timer.mock.calls[0].result);
});

test("an interrupted or missing body returns 400", async () => {
  const unhandled = await unhandledIn(async () => {
    const broken = new ReadableStream({
      pull: (controller) => controller.error(new TypeError("secret: the peer has gone")),
    });
    const cause = await readBody(posting(broken)).catch((error) => {
      assert.ok(refused(400, "body_incomplete")(error));
      assert.doesNotMatch(error.body, /secret/);
      return error.cause;
    });
    assert.match(cause.message, /the peer has gone/);
    const text = new ReadableStream({
      start: (controller) => {
        controller.enqueue("text");
        return controller.close();
      },
    });
    await assert.rejects(
      readBody({ body: text, headers: new Headers(), bodyUsed: false }),
      refused(400, "body_incomplete"),
    );
  });
  assert.deepEqual(unhandled, []);
});

test("a body that is used or locked is rejected", async () => {
  const request = posting("x");
  await request.text();
  await assert.rejects(readBody(request), coded("body-used"));
  const locked = posting("x");
  locked.body.getReader();
  await assert.rejects(readBody(locked), coded("body-used"));
});

test("invalid limits are rejected when they are set", async () => {
  for (const options of [
    { maxBodyBytes: -1 },
    { maxBodyBytes: NaN },
    { maxBodyBytes: "1" },
    { bodyTimeoutMs: -1 },
    { bodyTimeoutMs: NaN },
    { bodyTimeoutMs: Infinity },
    { bodyTimeoutMs: 2 ** 31 },
    { bodyTimeoutMs: "1" },
  ]) {
    assert.throws(() => agentApiAdapter(options), coded("wrong-option"), JSON.stringify(options));
    await assert.rejects(readBody(posting("x"), options), coded("wrong-option"));
  }
});

// The same from a socket: the platform may buffer, so only the order is tested: the response is
// sent before the body ends.

let server;
let url;
const answering = createHandler({
  adapters: [agentApiAdapter({ bodyTimeoutMs: 200 }), agKitAdapter()],
  agent: () => {},
});
before(async () => {
  server = createServer(async (request, response) => {
    const body = Readable.toWeb(request);
    const answer = await answering(
      new Request(`http://localhost${request.url}`, {
        method: "POST",
        headers: request.headers,
        body,
        duplex: "half",
      }),
    );
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = server.address();
});
after(() => {
  server.closeAllConnections();
  server.close();
});

/**
 * Sends chunks until the response arrives; resolves to the response and the number of bytes sent.
 */
function flood(chunk, pause) {
  return new Promise((resolve, reject) => {
    const socket = connect(url.port, "127.0.0.1");
    let [sent, answer] = [0, ""];
    socket.write(
      "POST /process HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n",
    );
    const more = () => {
      if (answer !== "" || socket.destroyed) {
        return;
      }
      sent += chunk.length;
      const room = socket.write(`${chunk.length.toString(16)}\r\n${chunk}\r\n`);
      if (pause > 0) {
        setTimeout(more, pause);
      } else {
        if (room) {
          setImmediate(more);
        } else {
          socket.once("drain", more);
        }
      }
    };
    more();
    socket.setEncoding("utf8").on("data", (text) => {
      answer += text;
      socket.destroy();
      resolve({ status: Number(answer.split(" ")[1]), sent });
    });
    // The server may close the connection before all data is sent.
    socket.on("error", (error) => (answer === "" ? reject(error) : undefined));
  });
}

test("over a connection, the fetch of Node receives the response to 11 and 30 MB", async () => {
  for (const size of [11, 30]) {
    const answer = await fetch(`http://127.0.0.1:${url.port}/send-message`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: " ".repeat(size * MEGABYTE),
    });
    assert.equal(answer.status, 413, `${size} MB`);
    await answer.text();
  }
});

test("over a connection, a large body is rejected while it is sent", async () => {
  const { status, sent } = await flood("x".repeat(64 * 1024), 0);
  assert.equal(status, 413);
  assert.ok(sent < 72 * MEGABYTE, `${sent} bytes were sent before the response`);
});

test("over a connection, a slow body is rejected after the timeout", async () => {
  assert.equal((await flood(" ", 10)).status, 408);
});
