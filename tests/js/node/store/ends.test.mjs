// The ends of runs in a store.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { read } from "agentwire";
import { createStreamStore } from "agentwire/store";
import { Events, shortRun } from "../support/events.mjs";
import { answer } from "../support/sources.mjs";

const [opening, first] = shortRun("Hello");

const textOf = ({ snapshot }) => snapshot?.output?.[0]?.content[0]?.text;

/** A run of AG-UI that ends with this event. */
function agUi(last) {
  const run = { threadId: "t", runId: "r" };
  const events = [
    { type: "RUN_STARTED", ...run },
    { type: "RUN_FINISHED", ...run, ...last },
  ];
  const chunks = events.map((event) =>
    new TextEncoder().encode(`data: ${JSON.stringify(event)}\n\n`),
  );
  return read(answer(chunks).response, { protocol: "ag-ui" });
}

test("each end of a stream sets the status of the run", async () => {
  const events = () => new Events();
  const failing = events();
  const broken = [opening, first, new TypeError("terminated")];
  for (const [source, status, code, text] of [
    [
      () => read(answer([opening, first]).response, { protocol: "agent-api" }),
      "failed",
      "cut-off",
      "He",
    ],
    [
      () => read(answer(broken).response, { protocol: "agent-api" }),
      "failed",
      "connection-lost",
      "He",
    ],
    [
      () => read(Promise.reject(new TypeError("no network")), { protocol: "agent-api" }),
      "failed",
      "connection-lost",
      undefined,
    ],
    [
      () =>
        read(
          answer([
            failing.opening(),
            failing.response("failed", { error: { code: "X", message: "x" } }),
          ]).response,
          { protocol: "agent-api" },
        ),
      "failed",
      "X",
      undefined,
    ],
    [
      () => read(answer([events().response("failed")]).response, { protocol: "agent-api" }),
      "failed",
      "agent-failed",
      undefined,
    ],
    [
      () => read(answer([events().response("rejected")]).response, { protocol: "agent-api" }),
      "failed",
      "agent-failed",
      undefined,
    ],
    [
      () => read(answer([events().response("canceled")]).response, { protocol: "agent-api" }),
      "stopped",
      undefined,
      undefined,
    ],
    [
      () => read(answer([events().response("incomplete")]).response, { protocol: "agent-api" }),
      "done",
      undefined,
      undefined,
    ],
    [
      () =>
        read(answer(["data: {\n\n"].map((text) => new TextEncoder().encode(text))).response, {
          protocol: "agent-api",
          mode: "strict",
        }),
      "failed",
      "refused",
      undefined,
    ],
    [
      () =>
        read(
          answer([new TextEncoder().encode("<title>Log in</title>")], { contentType: "text/html" })
            .response,
          { protocol: "agent-api" },
        ),
      "failed",
      "content-type",
      undefined,
    ],
    [() => agUi({ outcome: { type: "cancelled" } }), "stopped", undefined, undefined],
    [
      () => agUi({ outcome: { type: "interrupt", interrupts: [{ id: "i", reason: "r" }] } }),
      "done",
      undefined,
      undefined,
    ],
    [() => agUi({ type: "RUN_ERROR", message: "no", code: "E" }), "failed", "E", undefined],
    [() => agUi({ type: "CUSTOM", name: "c", value: 1 }), "failed", "cut-off", undefined],
    [
      () => {
        throw new Error("no body");
      },
      "failed",
      "source-failed",
      undefined,
    ],
    [() => Promise.reject(new Error("no token")), "failed", "source-failed", undefined],
  ]) {
    const store = createStreamStore(source);
    store.start();
    const state = await store.finished();
    assert.deepEqual(
      [state.status, state.error?.code, textOf(state)],
      [status, code, text],
      String(source),
    );
    assert.equal(typeof state.error?.message, code === undefined ? "undefined" : "string");
  }
});

test("the error of a truncated stream states whether the body had events of the protocol", async () => {
  const encoder = new TextEncoder();
  const [start, finish] = ["RUN_STARTED", "RUN_FINISHED"].map((type) =>
    encoder.encode(`data: {"type":"${type}","threadId":"t","runId":"r"}\n\n`),
  );
  for (const [chunks, words, code = "cut-off"] of [
    [[opening, first], "the stream ended before the answer was complete"],
    [[opening, start], "the stream ended before the answer was complete"],
    [[start, finish], /^the stream is of another protocol: .*AG-UI.*ag-ui/],
    [[], "no event has come: the body is empty, or no event stream"],
    [
      [encoder.encode("<!doctype html><title>Sign in</title>\n\n")],
      "<!doctype html><title>Sign in</title>",
      "STREAM_ERROR",
    ],
  ]) {
    const store = createStreamStore(() => read(answer(chunks).response, { protocol: "agent-api" }));
    store.start();
    const { status, error } = await store.finished();
    assert.deepEqual([status, error?.code], ["failed", code]);
    if (words instanceof RegExp) {
      assert.match(error.message, words);
    } else {
      assert.equal(error.message, words);
    }
  }
});

test("A2A: the state of the task sets the status of the run", async () => {
  const state = async (state, parts) => {
    const status = {
      state,
      ...(parts && { message: { messageId: "m", role: "ROLE_AGENT", parts } }),
    };
    const events = [
      { task: { id: "t", contextId: "c", status: { state: "TASK_STATE_WORKING" } } },
      { statusUpdate: { taskId: "t", contextId: "c", status } },
    ];
    const text = events
      .map((result) => `data: ${JSON.stringify({ jsonrpc: "2.0", id: 1, result })}\n\n`)
      .join("");
    const store = createStreamStore(() =>
      read(new Response(text, { headers: { "content-type": "text/event-stream" } }), {
        protocol: "a2a",
      }),
    );
    store.start();
    const { status: ended, error } = await store.finished();
    return [ended, error?.code, error?.message];
  };
  assert.deepEqual(await state("TASK_STATE_COMPLETED"), ["done", undefined, undefined]);
  assert.deepEqual(await state("TASK_STATE_INPUT_REQUIRED"), ["done", undefined, undefined]);
  assert.deepEqual(await state("TASK_STATE_CANCELED"), ["stopped", undefined, undefined]);
  assert.deepEqual(await state("TASK_STATE_FAILED", [{ text: "no more" }]), [
    "failed",
    "agent-failed",
    "no more",
  ]);
  assert.deepEqual(await state("TASK_STATE_REJECTED"), [
    "failed",
    "agent-failed",
    "the run is rejected",
  ]);
});

test("AG-Kit: calls are pending only if the run has completed", async () => {
  const cases = new URL("../../../data/corpus/ag-kit/", import.meta.url);
  for (const [name, status, pending] of [
    ["k03_client_tool_call", "done", ["call a_b_c"]],
    ["interrupt", "done", ["approval i1"]],
    ["no_done_after_a_call", "done", 1],
    ["interrupt_then_error", "failed", []],
    ["cut_off_in_a_call", "failed", []],
  ]) {
    const stream = await readFile(new URL(`${name}/stream.sse`, cases));
    const store = createStreamStore(() => read(answer([stream]).response, { protocol: "ag-kit" }));
    store.start();
    const state = await store.finished();
    assert.equal(state.status, status, name);
    const waits = state.pending.map(({ kind, id }) => `${kind} ${id}`);
    assert.deepEqual(typeof pending === "number" ? waits.length : waits, pending, name);
  }
});
