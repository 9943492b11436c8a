// How runs end: by the agent, by an error, by the client.
import assert from "node:assert/strict";
import { test } from "node:test";
import { AgentwireError } from "agentwire";
import { AgentError, respond } from "agentwire/server";
import { nobody, outcomeOf, run, texts } from "../support/runs.mjs";
import { settled } from "../support/sources.mjs";

const coded = (code) => (error) => error instanceof AgentwireError && error.code === code;

test("an exception ends the run as failed and closes open messages", async () => {
  const { snapshot: response } = await run(async (out) => {
    await out.message().text().delta("so far");
    throw new AgentError("MODEL_TIMEOUT", "the model is gone");
  });
  assert.equal(response.status, "failed");
  assert.deepEqual(response.error, { code: "MODEL_TIMEOUT", message: "the model is gone" });
  assert.deepEqual(
    response.output.map(({ status }) => status),
    ["failed"],
  );
  assert.deepEqual(texts(response), [["so far"]]);
});

// `tests/js/hostile/emitting.test.mjs` has everything that can be thrown.
test("an error is masked for the client unless it is an AgentError, and onError receives it complete", async () => {
  const received = [];
  const secret = new Error("password is 1234");
  const onError = (error, { id }) => void received.push([error, id]);
  const { snapshot: response } = await run(() => Promise.reject(secret), { onError });
  const [[error, id]] = received;
  assert.equal(error, secret);
  assert.deepEqual(response.error, {
    code: "AGENT_UNKNOWN_ERROR",
    message: `an internal error happened, its id is ${id}`,
  });
});

test("the return value of onError is the error sent to the client", async () => {
  const onError = () => ({ code: "INTERNAL", message: "something went wrong" });
  const { snapshot: response } = await run(() => Promise.reject(new Error("password is 1234")), {
    onError,
  });
  assert.deepEqual(response.error, { code: "INTERNAL", message: "something went wrong" });
});

test("an agent can end its run with each status, and later calls are rejected", async () => {
  const error = { code: "C", message: "m" };
  const ends = {
    failed: (out) => out.fail(error),
    rejected: (out) => out.reject(error),
    canceled: (out) => out.cancel(),
    incomplete: (out) => out.incomplete("max_tokens"),
  };
  for (const [status, end] of Object.entries(ends)) {
    const { snapshot: response } = await run(async (out) => {
      const text = out.message().text();
      await text.delta("x");
      await end(out);
      assert.ok(out.ended);
      await assert.rejects(text.delta("y"), coded("ended"));
      await assert.rejects(end(out), coded("ended"));
      assert.throws(() => out.message(), coded("ended"));
      assert.throws(() => out.usage({}), coded("ended"));
    });
    assert.equal(response.status, status);
    assert.deepEqual(response.error, status === "failed" || status === "rejected" ? error : null);
    assert.deepEqual(
      response.incomplete_details,
      status === "incomplete" ? { reason: "max_tokens" } : undefined,
    );
    assert.deepEqual(texts(response), [["x"]]);
  }
});

test("methods of an ended run are rejected with `ended`", async () => {
  let kept;
  await run((out) => void (kept = { out, text: out.message().text() }));
  await assert.rejects(kept.text.delta("x"), coded("ended"));
  await assert.rejects(kept.out.fail({ code: "C", message: "m" }), coded("ended"));
  assert.throws(() => kept.out.tool("t"), coded("ended"));
  await settled();
  assert.throws(() => kept.out.builder.id, coded("freed"));
});

test("an aborted request ends the run as canceled", async () => {
  const controller = new AbortController();
  let agent;
  const answer = respond({ signal: controller.signal }, { protocol: "agent-api" }, (out) => {
    agent = (async () => {
      await out.message().text().delta("x");
      await new Promise((resolve) => out.signal.addEventListener("abort", resolve));
      await out.message().text().delta("y");
    })();
    return agent;
  });
  const outcome = outcomeOf(answer);
  await settled();
  controller.abort(new Error("stop"));
  const { snapshot: response } = await outcome;
  assert.equal(response.status, "canceled");
  assert.deepEqual(texts(response), [["x"]]);
  await assert.rejects(agent, /stop/);
});

test("the agent is not called for a request that is already aborted", async () => {
  const answer = respond({ signal: AbortSignal.abort() }, { protocol: "agent-api" }, () =>
    assert.fail("the agent was called"),
  );
  assert.equal((await outcomeOf(answer)).snapshot.status, "canceled");
});

test("canceling the stream aborts the agent", async () => {
  let signal;
  const answer = respond(nobody, { protocol: "agent-api" }, async (out) => {
    signal = out.signal;
    const text = out.message().text();
    for (;;) {
      await text.delta("x".repeat(1000));
    }
  });
  const reader = answer.body.getReader();
  await reader.read();
  await settled();
  assert.equal(signal.aborted, false);
  await reader.cancel("enough");
  assert.equal(signal.aborted, true);
  assert.equal(signal.reason, "enough");
});

test("a failed write aborts the agent", async (context) => {
  let signal;
  let go;
  const answer = respond(nobody, { protocol: "agent-api" }, async (out) => {
    signal = out.signal;
    const text = out.message().text();
    await new Promise((resolve) => (go = resolve));
    await text.delta("x");
    await assert.rejects(text.delta("y"), /broken pipe/);
  });
  await settled();
  context.mock.method(ReadableStreamDefaultController.prototype, "enqueue", () => {
    throw new Error("broken pipe");
  });
  go();
  await settled();
  assert.equal(signal.aborted, true);
  assert.match(signal.reason.message, /broken pipe/);
  void answer;
});

test("an agent that does not await its writes does not cause unhandled rejections", async () => {
  const unhandled = [];
  const note = (reason) => unhandled.push(reason);
  process.on("unhandledRejection", note);
  const controller = new AbortController();
  const errors = [];
  const answer = respond(
    { signal: controller.signal },
    { protocol: "agent-api", onError: (error) => void errors.push(error) },
    async (out) => {
      const message = out.message();
      const text = message.text();
      const tool = out.tool("t", { parallel: true });
      await settled();
      controller.abort();
      text.delta("x");
      tool.arguments("x");
      message.image("x");
      message.complete();
      out.fail({ code: "C", message: "m" });
      await settled();
      throw new Error("late");
    },
  );
  assert.equal((await outcomeOf(answer)).snapshot.status, "canceled");
  await new Promise((resolve) => setTimeout(resolve, 30));
  process.off("unhandledRejection", note);
  assert.deepEqual(unhandled, []);
  assert.deepEqual(errors, []);
});
