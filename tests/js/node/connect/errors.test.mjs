// The errors of a chat: their code, status, remedy and the time to wait.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { AgentwireError, HttpError } from "agentwire";
import { PROTOCOLS, linesOf, opened, textOf } from "./agents.mjs";
import { FAULTS, cutAfter, faulty, server } from "./network.mjs";

const status =
  (code, headers = {}) =>
  () =>
    new Response("no", { status: code, headers });

/** The faults of a request, and the members of the error. */
const ERRORS = [
  [FAULTS[401], { code: "http-status", status: 401, remedy: "sign in again" }],
  [status(403), { code: "http-status", status: 403, remedy: "sign in again" }],
  [status(404), { code: "http-status", status: 404, remedy: "check the address" }],
  [status(408), { code: "http-status", status: 408, remedy: "try again" }],
  [
    status(413),
    { code: "http-status", status: 413, remedy: "send a shorter message, or smaller files" },
  ],
  [status(422), { code: "http-status", status: 422, remedy: undefined }],
  [
    status(429, { "retry-after": "7" }),
    { code: "http-status", status: 429, remedy: "try again in 7 s", retryAfterMs: 7000 },
  ],
  [status(503), { code: "http-status", status: 503, remedy: "try again", retryAfterMs: undefined }],
  [FAULTS["502 with HTML"], { code: "http-status", status: 502, remedy: "try again" }],
  [
    FAULTS["200 with HTML"],
    {
      code: "content-type",
      status: 200,
      remedy: "check the address, and the proxy in front of the server",
    },
  ],
  [
    FAULTS["a refused connection"],
    { code: "connection-lost", status: undefined, remedy: "check the connection, and try again" },
  ],
  [
    FAULTS["an empty stream"],
    {
      code: "cut-off",
      message: "no event has come: the body is empty, or no event stream",
      remedy: "try again",
    },
  ],
  [
    () => new Response(null, { status: 302, headers: { location: "http://agent.test/login" } }),
    {
      code: "redirected",
      remedy: "use the address that the server names, or set `followRedirects`",
    },
  ],
];

for (const protocol of Object.keys(PROTOCOLS)) {
  test(`${protocol}: an error has its code, its status, a remedy and the time to wait`, async () => {
    for (const [fault, expected] of ERRORS) {
      const { handler } = server();
      const { chat } = opened(protocol, { fetch: faulty(handler, [fault]) });
      const { error, messages, status } = await chat.send("One.").finished();
      const found = Object.fromEntries(Object.keys(expected).map((name) => [name, error[name]]));
      assert.deepEqual([found, status], [expected, "error"], error.message);
      assert.ok(error.message !== "" && !/\[object/.test(error.message), error.message);
      assert.deepEqual(
        [messages.length, messages[0].error === error, messages[0].status],
        [1, true, "failed"],
      );
      assert.ok(
        error.code === "cut-off"
          ? error.cause === undefined
          : error.cause instanceof AgentwireError,
        error.code,
      );
      assert.equal(error.cause instanceof HttpError, expected.status !== undefined);
    }
  });

  test(`${protocol}: the failure of an agent has its text, and is on the answer if there is one`, async () => {
    const { handler } = server({
      answer: async (out) => {
        await out.message().text().delta("Half");
        return out.fail({ code: "NO_MODEL", message: "The model is asleep." });
      },
    });
    const { chat } = opened(protocol, { fetch: handler });
    const { error, messages, canRetry } = await chat.send("One.").finished();
    assert.match(error.message, /The model is asleep\./);
    assert.deepEqual(
      [
        canRetry,
        messages.map(({ status }) => status),
        messages[0].error,
        messages[1].error === error,
      ],
      [true, ["done", "failed"], undefined, true],
    );
    assert.ok(textOf(messages[1]).startsWith("Half"));
    await assert.rejects(opened(protocol, { fetch: handler }).chat.send("One.").text(), {
      name: "AgentwireError",
      code: "agent-failed",
      message: /asleep/,
    });
  });
}

describe("errors of options", () => {
  for (const [name, option] of [
    [
      "headers",
      {
        headers: () => {
          throw new Error("no token");
        },
      },
    ],
    ["headers, later", { headers: async () => Promise.reject(new Error("no token")) }],
    [
      "fetch",
      {
        fetch: () => {
          throw new Error("no token");
        },
      },
    ],
  ]) {
    test(`\`${name}\` that throws is an error of the run, and the message stays`, async () => {
      const { chat } = opened("ag-ui", option);
      const { error } = await chat.send("One.").finished();
      assert.match(error.message, /no token/);
      assert.equal(error.code, name === "fetch" ? "connection-lost" : "source-failed");
      assert.deepEqual(linesOf(chat), ["user: One. (failed)"]);
    });
  }

  test("a run that is stopped while `headers` are awaited sends nothing", async () => {
    let resolve;
    const { chat, sent } = opened("ag-ui", {
      headers: () => new Promise((resolved) => (resolve = resolved)),
    });
    const run = chat.send("One.");
    await new Promise((resolved) => setTimeout(resolved, 5));
    chat.stop();
    resolve({});
    await run.finished();
    await new Promise((resolved) => setTimeout(resolved, 5));
    assert.deepEqual([sent.length, linesOf(chat)], [0, ["user: One. (stopped)"]]);
  });

  test("a listener that throws does not stop the chat, nor the other listeners", async () => {
    const thrown = [];
    const listeners = process.listeners("uncaughtException");
    process.removeAllListeners("uncaughtException");
    process.on("uncaughtException", (error) => thrown.push(error.message));
    try {
      const { chat } = opened("ag-ui");
      let calls = 0;
      chat.subscribe(() => {
        throw new Error("a page's mistake");
      });
      chat.subscribe(() => calls++);
      assert.equal(await chat.send("One.").text(), "You said: One.");
      await new Promise((resolve) => setTimeout(resolve, 5));
      assert.ok(
        calls > 0 &&
          thrown.length === calls &&
          thrown.every((message) => message === "a page's mistake"),
      );
    } finally {
      process.removeAllListeners("uncaughtException");
      listeners.forEach((listener) => process.on("uncaughtException", listener));
    }
  });
});

test("an error is kept until the next request, and a partial answer has it", async () => {
  const { handler } = server();
  const { chat } = opened("ag-ui", { fetch: faulty(handler, [cutAfter(3, { isLost: true })]) });
  const { error, messages } = await chat.send("One.").finished();
  assert.deepEqual(
    [error.code, messages.at(-1).role, messages.at(-1).error === error],
    ["connection-lost", "assistant", true],
  );
  const run = chat.send("Two.");
  assert.equal(chat.getSnapshot().error, undefined);
  await run.finished();
  assert.deepEqual(
    [chat.getSnapshot().error, chat.getSnapshot().messages[1].error],
    [undefined, error],
  );
});
