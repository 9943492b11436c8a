// Error handlers that throw, hang and return unusable values, and clients that disconnect while a
// handler runs: the error stays masked, and no process dies.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Decoder } from "agentwire";
import { AgentError, respond } from "agentwire/server";
import { outcomeOf, texts } from "../node/support/runs.mjs";
import { settled } from "../node/support/sources.mjs";
import { MASKED, THROWN, coded, fails, nobody, ran, revoked } from "./thrown.mjs";
import { unhandledIn } from "./unhandled.mjs";

test("the return value of onError is sent to the client, synchronously or asynchronously", async () => {
  const info = { code: "INTERNAL", message: "something went wrong" };
  for (const onError of [
    () => info,
    async () => {
      await settled();
      return info;
    },
    () => ({ then: (resolve) => resolve(info) }),
  ]) {
    assert.deepEqual((await ran(fails, { onError })).snapshot.error, info);
  }
  // The handler overrides the info of an AgentError.
  const agent = () => Promise.reject(new AgentError("C", "m"));
  assert.deepEqual((await ran(agent, { onError: () => info })).snapshot.error, info);
});

test("an unusable return value of onError leaves the error masked", async (context) => {
  context.mock.method(console, "error", () => {});
  const handlers = {
    undefined: () => undefined,
    null: () => null,
    "a number": () => 3,
    text: () => "secret",
    "an object without a message": () => ({ error: "secret" }),
    "a message that is not a string": () => ({ code: "secret", message: 5 }),
    "an object that throws when inspected": () => THROWN["a proxy with throwing traps"],
    "a revoked proxy": () => revoked(),
    "a promise of one": async () => ({
      get message() {
        return fails();
      },
    }),
    throws: fails,
    "throws a proxy": () => {
      throw revoked();
    },
    rejects: () => Promise.reject(new Error("secret")),
    "a thenable that throws": () => ({ then: fails }),
    "a then that cannot be read": () => ({
      get then() {
        return fails();
      },
    }),
  };
  for (const [name, onError] of Object.entries(handlers)) {
    const unhandled = await unhandledIn(async () => {
      const { snapshot: response, text } = await ran(() => Promise.reject(new Error("secret")), {
        onError,
      });
      assert.match(response.error.message, MASKED, name);
      assert.equal(response.error.code, "AGENT_UNKNOWN_ERROR", name);
      assert.doesNotMatch(text, /secret/, name);
    });
    assert.deepEqual(unhandled, [], name);
  }
});

test("a message without a code gets the default code", async () => {
  const { snapshot: response } = await ran(fails, { onError: () => ({ message: "m" }) });
  assert.deepEqual(response.error, { code: "AGENT_UNKNOWN_ERROR", message: "m" });
});

test("an onError that never settles is awaited for five seconds, with heartbeats", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  const answer = respond(
    nobody,
    { protocol: "agent-api", heartbeatMs: 1000, onError: () => new Promise(() => {}) },
    async (out) => {
      await out.message().text().delta("so far");
      throw new Error("secret");
    },
  );
  let text = "";
  const decoder = new TextDecoder();
  const pumping = answer.body.pipeTo(
    new WritableStream({ write: (chunk) => void (text += decoder.decode(chunk)) }),
  );
  for (let second = 0; second < 5; second++) {
    await turn();
    assert.doesNotMatch(text, /"status":"failed"/, `${second} s`);
    context.mock.timers.tick(999);
    await turn();
    context.mock.timers.tick(1);
  }
  await pumping;
  assert.ok(text.split(": heartbeat\n\n").length - 1 >= 4, text);
  const decoding = new Decoder({ protocol: "agent-api" });
  decoding.push(new TextEncoder().encode(text));
  const { snapshot: response, report } = decoding.finish();
  assert.deepEqual(report.violations, []);
  assert.match(response.error.message, MASKED);
});

test("clients disconnect and requests are aborted while onError is pending", async (context) => {
  context.mock.method(console, "error", () => {});
  const leaving = {
    cancel: async (answer) => {
      const reader = answer.body.getReader();
      await reader.read();
      await reader.cancel("enough");
    },
    abort: async (answer, controller) => {
      controller.abort(new Error("stop"));
      const { snapshot: response } = await outcomeOf(answer);
      assert.equal(response.status, "canceled");
    },
    // The abort comes first, and nothing is left to cancel.
    both: async (answer, controller) => {
      controller.abort();
      await answer.body.cancel();
    },
  };
  for (const [name, leave] of Object.entries(leaving)) {
    let settle;
    let signal;
    const unhandled = await unhandledIn(async () => {
      const controller = new AbortController();
      const onError = () => new Promise((_, reject) => (settle = () => reject(new Error("late"))));
      const answer = respond(
        { signal: controller.signal },
        { protocol: "agent-api", onError },
        async (out) => {
          signal = out.signal;
          await out.message().text().delta("so far");
          throw new Error("secret");
        },
      );
      await settled();
      await leave(answer, controller);
      assert.equal(signal.aborted, true, name);
      settle();
    });
    assert.deepEqual(unhandled, [], name);
  }
});

test("writes are rejected while onError is pending", async () => {
  const late = [];
  const unhandled = await unhandledIn(async () => {
    const { snapshot: response } = await ran(
      async (out) => {
        const text = out.message().text();
        await text.delta("so far");
        setTimeout(() => {
          late.push(out.ended);
          text.delta(" and more"); // the promise is not awaited
          late.push(assert.rejects(text.delta("!"), coded("ended")));
        }, 2);
        throw new Error("secret");
      },
      { onError: settled },
    );
    assert.deepEqual(texts(response), [["so far"]]);
    assert.equal(await Promise.all(late).then(([ended]) => ended), true);
  });
  assert.deepEqual(unhandled, []);
});
