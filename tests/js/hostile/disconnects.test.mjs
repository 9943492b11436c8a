// Clients that disconnect while an agent writes from event callbacks and timers: nothing that the
// agent calls throws because of it, and no promise that nobody awaits ends the process. Mistakes of
// the agent while its client is connected still throw.
import assert from "node:assert/strict";
import { test } from "node:test";
import { AgentwireError } from "agentwire";
import { respond } from "agentwire/server";
import { nobody } from "../node/support/runs.mjs";
import { settled } from "../node/support/sources.mjs";
import { unhandledIn } from "./unhandled.mjs";

const PROTOCOLS = ["agent-api", "ag-ui", "responses", "a2a"];
const stream = () =>
  new Response('data: {"choices":[{"index":0,"delta":{"content":"x"}}]}\n\ndata: [DONE]\n\n', {
    headers: { "content-type": "text/event-stream" },
  });
const coded = (code) => (error) => error instanceof AgentwireError && error.code === code;

/**
 * Everything that can be called on `out` without a promise that someone awaits. `kept` was opened
 * before the disconnect.
 */
const CALLS = {
  message: (out) => out.message(),
  "a whole message": (out) => {
    const message = out.message({ role: "assistant", parallel: true });
    message.text().delta("x");
    message.text({ parallel: true }).complete();
    message.refusal().delta("x");
    message.data().delta({ a: 1 });
    message.data({ a: 1 });
    message.image("https://example.com/a.png");
    message.video("https://example.com/a.mp4");
    message.audio({ data: "AAAA", format: "wav" });
    message.file({ file_url: "https://example.com/a.txt" });
    message.metadata({ a: 1 });
    message.usage({ input_tokens: 1 });
    message.complete();
    message[Symbol.asyncDispose]();
    String(message.id);
  },
  reasoning: (out) => void out.reasoning().delta("x"),
  tool: (out) => {
    const call = out.tool("t");
    call.arguments("{");
    call.arguments({ a: 1 });
    call.result({ a: 1 });
    call.complete();
    String(call.callId);
  },
  step: (out) => void out.step("s").complete(),
  subagent: (out) => {
    const subagent = out.subagent("s", { task: "t" });
    subagent.complete(1);
    out.subagent("s").fail({ code: "C", message: "m" });
    String(subagent.id);
  },
  activity: (out) => void out.activity("plan").update({ a: 1 }),
  notes: (out) => {
    out.state({ a: 1 });
    out.custom("c", 1);
    out.usage({ input_tokens: 1 });
  },
  ends: (out) => {
    out.fail({ code: "C", message: "m" });
    out.interrupt({ reason: "r", payload: 1 });
    out.incomplete("length");
    out.reject();
    out.cancel();
  },
  forward: (out) => void out.forward(stream(), { protocol: "chat" }),
  "forward of a failure": (out) => void out.forward(Promise.reject(new Error("no model"))),
  "forward of no source": (out) => void out.forward(undefined),
  builder: (out) => {
    const message = out.builder.createMessageBuilder();
    out.send(message.inProgress());
    const content = message.createContentBuilder("text");
    out.send(
      content.addTextDelta("x"),
      content.addTextDelta("y"),
      content.complete(),
      message.complete(),
    );
    out.send(
      ...out.builder.addMessage({
        id: "m",
        type: "message",
        role: "assistant",
        status: "completed",
        content: [],
      }),
    );
    out.send(out.builder.completed(), ...out.builder.finishWith("failed"));
    out.builder.setUsage({ input_tokens: 1 });
    message.free();
  },
  "opened before": (_, kept) => {
    kept.text.delta("x");
    kept.text.complete();
    kept.message.text().delta("x");
    kept.message.metadata({ a: 1 });
    kept.call.result("x");
    kept.step.complete();
    kept.subagent.complete();
    kept.builder.inProgress();
    kept.content.addTextDelta("x");
    kept.builder.complete();
  },
  "derived promises": (out) => {
    out.state({ a: 1 }).then(() => {});
    out
      .message()
      .text()
      .delta("x")
      .finally(() => {});
    out.forward(stream(), { protocol: "chat" }).then(() => {});
    out.forward(Promise.reject(new Error("no model"))).finally(() => {});
    out
      .step("s")
      .complete()
      .then(() => {}, undefined);
  },
  dispose: (out) => void out[Symbol.asyncDispose](),
};

/**
 * Runs an agent that lives on after its client has disconnected, and does `call` at several times
 * then.
 */
async function abandoned(protocol, leave, call, lives) {
  const controller = new AbortController();
  const errors = [];
  let called = 0;
  const response = respond(
    { signal: controller.signal },
    { protocol, onError: (error) => void errors.push(error) },
    async (out) => {
      // The builder's own messages come last: they end what is open.
      const message = out.message({ parallel: true });
      const kept = {
        message,
        text: message.text(),
        call: out.tool("t", { parallel: true }),
        step: out.step("s"),
        subagent: out.subagent("a"),
      };
      kept.builder = out.builder.createMessageBuilder();
      await out.send(kept.builder.inProgress());
      kept.content = kept.builder.createContentBuilder("text");
      await new Promise((resolve) => {
        const timer = setInterval(() => {
          if (out.signal.aborted) {
            called++;
            call(out, kept);
          }
          if (called === 1 && !lives) resolve();
          if (called === 3) resolve(clearInterval(timer));
        }, 1);
      });
    },
  );
  const reader = response.body.getReader();
  await reader.read();
  await (leave === "cancel" ? reader.cancel("gone") : controller.abort(new Error("gone")));
  while (called < 3) await settled();
  reader.cancel().catch(() => {});
  return errors;
}

for (const [name, call] of Object.entries(CALLS)) {
  test(`after a disconnect, nothing is thrown by: ${name}`, async () => {
    for (const protocol of PROTOCOLS) {
      for (const leave of ["cancel", "abort"]) {
        for (const lives of [true, false]) {
          let errors;
          const unhandled = await unhandledIn(
            async () => (errors = await abandoned(protocol, leave, call, lives)),
          );
          assert.deepEqual(
            [unhandled, errors],
            [[], []],
            `${protocol}, ${leave}, the agent ${lives ? "runs" : "has ended"}`,
          );
        }
      }
    }
  });
}

test("after a disconnect, an awaited write still rejects with the reason, so that the agent stops", async () => {
  let reason;
  let partial;
  let failure;
  const response = respond(nobody, { protocol: "agent-api" }, (out) =>
    (async () => {
      const text = out.message().text();
      await text.delta("so far");
      await new Promise((resolve) => out.signal.addEventListener("abort", resolve));
      await assert.rejects(out.message().text().delta("x"), /gone/);
      await assert.rejects(out.forward(stream(), { protocol: "chat" }), /gone/);
      await assert.rejects(out.step("s").complete(), /gone/);
      // What was written can still be read.
      partial = out.builder.getResponseData().output[0].role;
      await text.delta("y").catch((error) => (reason = error));
      throw reason;
    })().catch((error) => (failure = error)),
  );
  const reader = response.body.getReader();
  await reader.read();
  await settled();
  await reader.cancel(new Error("gone"));
  await settled();
  assert.match(String(failure), /gone/);
  assert.equal(partial, "assistant");
});

test("a response that is passed on is canceled when its client has disconnected before", async () => {
  let canceled = 0;
  const response = respond(nobody, { protocol: "agent-api" }, async (out) => {
    await out.state(1);
    await new Promise((resolve) => out.signal.addEventListener("abort", resolve));
    void out.forward(new Response(new ReadableStream({ cancel: () => void canceled++ })), {
      protocol: "chat",
    });
    await settled();
  });
  const unhandled = await unhandledIn(async () => {
    const reader = response.body.getReader();
    await reader.read();
    await reader.cancel();
    await settled();
  });
  assert.deepEqual([unhandled, canceled], [[], 1]);
});

test("mistakes of the agent still throw while its client is connected", async () => {
  const thrown = [];
  const note = (call) => {
    try {
      call();
    } catch (error) {
      thrown.push(error.code);
    }
  };
  let later;
  await respond(nobody, { protocol: "agent-api" }, async (out) => {
    await out.message().text().delta("x");
    const { builder } = out;
    note(() => out.message("hi"));
    note(() => builder.createMessageBuilder("nobody").inProgress());
    await out.incomplete();
    note(() => out.message());
    note(() => out.step("s"));
    note(() => out.usage({}));
    later = () =>
      [
        () => out.message(),
        () => out.subagent("s"),
        () => out.builder.createMessageBuilder(),
      ].forEach(note);
  }).text();
  later();
  assert.deepEqual(thrown, [
    "wrong-argument",
    "unknown-role",
    "ended",
    "ended",
    "ended",
    "ended",
    "ended",
    "freed",
  ]);
});
