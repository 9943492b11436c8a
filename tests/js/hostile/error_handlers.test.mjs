// Error handlers that throw, reject, hang or are no functions: no entry point lets the process end.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";
import { AgentwireError } from "agentwire";
import {
  agentApiAdapter,
  a2aAdapter,
  createHandler,
  defineAdapter,
  respond,
} from "agentwire/server";
import { toNodeListener } from "agentwire/node";
import { THROWN, revoked } from "./thrown.mjs";
import { unhandledIn } from "./unhandled.mjs";

const fails = () => {
  throw new Error("the logger has failed");
};
const HANDLERS = {
  throws: fails,
  rejects: async () => fails(),
  "rejects later": () => new Promise((_, reject) => setTimeout(() => reject(new Error("late")), 5)),
  "never settles": () => new Promise(() => {}),
  "throws a proxy": () => {
    throw revoked();
  },
  "returns a proxy": () => revoked(),
  "returns a thenable that throws": () => ({ then: fails }),
  "has a `then` that cannot be read": () => ({
    get then() {
      return fails();
    },
  }),
};

test("toNodeListener() survives every error handler, with every error", async (context) => {
  const logged = context.mock.method(console, "error", () => {});
  for (const [name, onError] of Object.entries(HANDLERS)) {
    for (const thrown of [new Error("no agent"), ...Object.values(THROWN)]) {
      const unhandled = await unhandledIn(async () => {
        const handler = () => {
          throw thrown;
        };
        const server = createServer(toNodeListener(handler, { onError })).listen(0, "127.0.0.1");
        await new Promise((resolve) => server.once("listening", resolve));
        const response = await fetch(`http://127.0.0.1:${server.address().port}`, {
          headers: { connection: "close" },
        });
        assert.equal(response.status, 500, name);
        server.close();
      });
      assert.deepEqual(unhandled, [], name);
    }
  }
  // What the handler has thrown is not lost.
  assert.ok(logged.mock.calls.some(({ arguments: [what] }) => /onError has failed/.test(what)));
});

test("a console that throws does not end the process", async (context) => {
  context.mock.method(console, "error", fails);
  for (const onError of [undefined, fails]) {
    const unhandled = await unhandledIn(async () => {
      const server = createServer(toNodeListener(fails, { onError })).listen(0, "127.0.0.1");
      await new Promise((resolve) => server.once("listening", resolve));
      assert.equal(
        (
          await fetch(`http://127.0.0.1:${server.address().port}`, {
            headers: { connection: "close" },
          })
        ).status,
        500,
      );
      server.close();
    });
    assert.deepEqual(unhandled, []);
  }
});

test("an `onError` that is not a function is refused when the handler is created", () => {
  const wrong = (error) =>
    error instanceof AgentwireError &&
    error.code === "wrong-option" &&
    /`onError` is a function/.test(error.message);
  for (const onError of [null, "log", {}, 5]) {
    assert.throws(() => toNodeListener(() => new Response(""), { onError }), wrong);
    assert.throws(() => createHandler({ agent: () => {}, onError }), wrong);
    assert.throws(() => agentApiAdapter({ onError }), wrong);
    assert.throws(() => a2aAdapter({ onError }), wrong);
    assert.throws(
      () =>
        defineAdapter({
          path: "/x",
          protocol: "agent-api",
          convertRequest: () => ({ input: [] }),
          onError,
        }),
      wrong,
    );
    assert.throws(() => respond({}, { protocol: "agent-api", onError }, () => {}), wrong);
  }
});
