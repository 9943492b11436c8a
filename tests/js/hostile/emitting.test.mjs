// Agents that throw, hang and write too late: the stream ends with its terminal event, the client
// learns nothing that it should not, and no process dies.
import assert from "node:assert/strict";
import { test } from "node:test";
import { defineProtocol } from "agentwire";
import { AgentError, respond } from "agentwire/server";
import { outcomeOf, texts } from "../node/support/runs.mjs";
import { settled } from "../node/support/sources.mjs";
import { MASKED, THROWN, coded, fails, nobody, ran } from "./thrown.mjs";
import { unhandledIn } from "./unhandled.mjs";

for (const [name, thrown] of Object.entries(THROWN)) {
  test(`the agent throws ${name}`, async () => {
    const received = [];
    const onError = (error, { id }) => void received.push([error, id]);
    const throwing = {
      "at once": () => {
        throw thrown;
      },
      later: async (out) => {
        await out.message().text().delta("so far");
        throw thrown;
      },
    };
    for (const [when, agent] of Object.entries(throwing)) {
      const unhandled = await unhandledIn(async () => {
        const { snapshot: response, text } = await ran(agent, { onError });
        assert.equal(response.status, "failed", when);
        assert.equal(response.error.code, "AGENT_UNKNOWN_ERROR");
        assert.doesNotMatch(text, /secret/);
        const [, id] = MASKED.exec(response.error.message);
        const [error, recorded] = received.pop();
        assert.ok(Object.is(error, thrown));
        assert.equal(recorded, id);
      });
      assert.deepEqual(unhandled, []);
    }
  });
}

test("two errors have different ids", async () => {
  const ids = await Promise.all([1, 2].map(async () => (await ran(fails)).snapshot.error.message));
  assert.notEqual(ids[0], ids[1]);
});

test("an error without an onError handler is logged to the console", async (context) => {
  const said = context.mock.method(console, "error", () => {});
  const { snapshot: response } = await ran(fails, { onError: undefined });
  const [, id] = MASKED.exec(response.error.message);
  assert.equal(said.mock.callCount(), 1);
  const [text, error] = said.mock.calls[0].arguments;
  assert.ok(text.includes(id));
  assert.match(error.message, /^secret/);
});

test("a console that throws does not end the process", async (context) => {
  context.mock.method(console, "error", fails);
  const unhandled = await unhandledIn(async () => {
    assert.equal((await ran(fails, { onError: undefined })).snapshot.status, "failed");
  });
  assert.deepEqual(unhandled, []);
});

test("an AgentError is sent to the client unchanged", async () => {
  const { snapshot: response } = await ran(() => {
    throw new AgentError("MODEL_TIMEOUT", "the model is gone", { cause: new Error("secret") });
  });
  assert.deepEqual(response.error, { code: "MODEL_TIMEOUT", message: "the model is gone" });
  const failed = await ran((out) => out.fail({ code: "C", message: "m" }));
  assert.deepEqual(failed.snapshot.error, { code: "C", message: "m" });
  class Quota extends AgentError {}
  const sub = await ran(() => Promise.reject(new Quota("QUOTA", "no more today")));
  assert.deepEqual(sub.snapshot.error, { code: "QUOTA", message: "no more today" });
});

test("an AgentError that throws when inspected is masked", async () => {
  class Trap extends AgentError {
    get message() {
      return fails();
    }
  }
  const { snapshot: response, text } = await ran(() => {
    throw Object.create(Trap.prototype);
  });
  assert.match(response.error.message, MASKED);
  assert.doesNotMatch(text, /secret/);
});

test("an agent that never returns does not block the client or an abort", async () => {
  const unhandled = await unhandledIn(async () => {
    const hangs = async (out) => {
      await out.message().text().delta("x");
      await new Promise(() => {});
    };
    const controller = new AbortController();
    const aborted = outcomeOf(
      respond({ signal: controller.signal }, { protocol: "agent-api" }, hangs),
    );
    await settled();
    controller.abort();
    assert.equal((await aborted).snapshot.status, "canceled");
    const reader = respond(nobody, { protocol: "agent-api" }, hangs).body.getReader();
    await reader.read();
    await reader.cancel();
  });
  assert.deepEqual(unhandled, []);
});

test("writes after the end that are not awaited do not cause unhandled rejections", async () => {
  for (const end of [
    () => {},
    (out) => out.fail({ code: "C", message: "m" }),
    (out) => out.cancel(),
  ]) {
    const unhandled = await unhandledIn(async () => {
      let late;
      const { snapshot: response } = await ran(async (out) => {
        const message = out.message();
        const text = message.text();
        await text.delta("x");
        const tool = out.tool("t", { parallel: true });
        late = () => {
          text.delta("late");
          text.complete();
          tool.arguments("{}");
          tool.result("late");
          message.image("late");
          message.data({ late: true });
          out.send();
          out.cancel();
          out.incomplete("late");
        };
        setTimeout(late, 2);
        await end(out);
        late();
      });
      assert.deepEqual(texts(response)[0], ["x"]);
      await settled();
    });
    assert.deepEqual(unhandled, []);
  }
});

test("an invalid call that is not awaited fails the run and is reported to onError", async () => {
  const received = [];
  const unhandled = await unhandledIn(async () => {
    const { snapshot: response } = await ran(
      async (out) => {
        const message = out.message();
        message.data([1]);
        await message.text().delta("said all the same");
      },
      { onError: (error) => void received.push(error.code) },
    );
    assert.equal(response.status, "failed");
    assert.match(response.error.message, MASKED);
    assert.deepEqual(texts(response), [["said all the same"]]);
  });
  assert.deepEqual(unhandled, []);
  assert.deepEqual(received, ["not-an-object"]);
});

test("an invalid call that is awaited can be handled by the agent", async () => {
  const { snapshot: response } = await ran(async (out) => {
    const message = out.message();
    const wrong = message.data([1]);
    await message.text().delta("x");
    await assert.rejects(wrong, coded("not-an-object"));
    await assert.rejects(Promise.all([message.data([2])]), coded("not-an-object"));
  });
  assert.equal(response.status, "completed");
});

test("an error after the end is reported to onError and does not change the response", async () => {
  const received = [];
  const { snapshot: response } = await ran(
    async (out) => {
      await out.incomplete("max_tokens");
      throw new Error("afterthought");
    },
    {
      onError: (error) => {
        received.push(error.message);
        return { code: "C", message: "m" };
      },
    },
  );
  assert.deepEqual([response.status, response.error], ["incomplete", null]);
  assert.deepEqual(received, ["afterthought"]);
});

test("invalid options are rejected before the agent starts", () => {
  const agent = () => assert.fail("was begun");
  const refused = [
    [{ protocol: undefined }, "wrong-option"],
    [{ headers: { "x-run": "a\nb" } }, "wrong-option"],
    [{ headers: { "no good": "1" } }, "wrong-option"],
    [{ headers: [["one"]] }, "wrong-option"],
    [{ headers: 5n }, "wrong-option"],
    [{ heartbeatMs: "often" }, "wrong-option"],
    [{ heartbeatMs: NaN }, "wrong-option"],
    [{ heartbeatMs: -1 }, "wrong-option"],
    // A timer treats it as one millisecond.
    [{ heartbeatMs: Infinity }, "wrong-option"],
    [{ heartbeatMs: 2 ** 31 }, "wrong-option"],
    [{ onError: "log" }, "wrong-option"],
    [{ sessionId: 5 }, "wrong-option"],
    [
      { protocol: defineProtocol({ name: "p", contentType: "a\nb", encode: () => {} }) },
      "wrong-option",
    ],
    [{ protocol: defineProtocol({ name: "p" }) }, "protocol-not-converted"],
  ];
  for (const [options, code] of refused) {
    assert.throws(
      () => respond(nobody, { protocol: "agent-api", ...options }, agent),
      coded(code),
      JSON.stringify(options, (_, value) => String(value)),
    );
  }
  for (const agent of [undefined, null, {}, "agent"]) {
    assert.throws(() => respond(nobody, { protocol: "agent-api" }, agent), coded("wrong-argument"));
  }
  for (const request of [undefined, null, 5, { signal: {} }, { signal: "abort" }]) {
    assert.throws(
      () => respond(request, { protocol: "agent-api" }, agent),
      coded("wrong-argument"),
    );
  }
});

test("multiple set-cookie headers are kept", () => {
  const headers = [
    ["set-cookie", "a=1"],
    ["set-cookie", "b=2"],
    ["cache-control", "no-store"],
  ];
  const answer = respond(nobody, { protocol: "agent-api", headers }, () => {});
  assert.deepEqual(answer.headers.getSetCookie(), ["a=1", "b=2"]);
  assert.equal(answer.headers.get("cache-control"), "no-store");
});
