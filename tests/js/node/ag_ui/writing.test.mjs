import assert from "node:assert/strict";
import { test } from "node:test";
import { AgentwireError, read, RequestError } from "agentwire";
import { AgUiStreamBuilder, parseRequest, validateRequest } from "agentwire/server";
import { createRequest, nextRequest, resume, submitToolResults } from "agentwire/ag-ui";

const coded = (code) => (error) => error instanceof AgentwireError && error.code === code;
const INPUT = {
  threadId: "t",
  runId: "r",
  state: {},
  messages: [],
  tools: [],
  context: [],
  forwardedProps: {},
};

/** Returns the snapshot of a run; asserts that the reader has found no violation. */
async function snapshotOf(write) {
  const out = new AgUiStreamBuilder({ threadId: "t", runId: "r", ids: "numbered" });
  const events = [out.start(), ...write(out), out.finishWith()].flat();
  out.free();
  const { snapshot, report } = await read(
    new Response(events.map((event) => event.toSse()).join("")).body,
    { protocol: "ag-ui" },
  ).finished();
  assert.deepEqual(report.violations, []);
  assert.equal(report.endReason, "completed");
  return snapshot;
}

/** Returns the events of the second of two calls; the first has none. */
const second = (_, events) => events;
const names = (events) => events.map((event) => event.toObject().type);

test("a text message continues until another event begins, and its deltas are written without the core", () => {
  for (const chunks of [false, true]) {
    const out = new AgUiStreamBuilder({ threadId: "t", runId: "r", chunks, ids: "numbered" });
    const events = [
      out.start(),
      out.text("Hel"),
      out.text("lo"),
      out.reasoning("hm"),
      out.text("\u2028\ud83d"),
      out.finish(),
    ].flat();
    const kind = chunks ? "TEXT_MESSAGE_CHUNK" : "TEXT_MESSAGE_CONTENT";
    const pieces = events
      .map((event) => event.toObject())
      .filter(({ type, delta }) => type === kind && delta !== undefined);
    assert.deepEqual(
      pieces.map(({ delta }) => delta),
      ["Hel", "lo", "\u2028\ufffd"],
    );
    assert.ok(events.some((event) => event.toSse().includes("\\u2028")));
    assert.equal(names(events).includes("REASONING_MESSAGE_END"), !chunks);
  }
});

test("an illegal call is rejected with the message of the official client and does not change the state", () => {
  const out = new AgUiStreamBuilder({ threadId: "t", runId: "r" });
  assert.throws(() => out.text("a"), coded("first-event"));
  out.start();
  assert.throws(
    () => out.event({ type: "TEXT_MESSAGE_END", messageId: "m" }),
    (error) => {
      assert.match(
        error.message,
        /Cannot send 'TEXT_MESSAGE_END' event: No active text message found with ID 'm'/,
      );
      return coded("not-started")(error);
    },
  );
  assert.throws(
    () => out.event({ type: "STATE_DELTA", delta: [{ op: "add", path: "a", value: 1 }] }),
    coded("malformed-event"),
  );
  assert.throws(() => out.toolCallArgs("c", "{}"), coded("not-started"));
  assert.throws(() => out.text(5), coded("wrong-argument"));
  out.toolCallStart("c", "f");
  assert.throws(() => out.finish(), coded("finished-early"));
  assert.deepEqual(names(out.finishWith()), ["RUN_ERROR"]);
  assert.deepEqual(out.finishWith(), []);
  assert.throws(() => out.text("late"), coded("after-error"));
});

test("subagents, state, activities and usage", async () => {
  const state = (city) => ({ city, why: "a long weekend by the sea", days: 3 });
  const snapshot = await snapshotOf((out) => [
    out.state(state("Oslo")),
    out.activity("plan", "PLAN", { steps: [] }),
    out.text("I ask a colleague."),
    out.event({ type: "SUBAGENT_STARTED", subagentRunId: "s", name: "colleague" }),
    second(out.lane("s"), out.text("Yes?")),
    out.toolCallStart("c", "look"),
    out.toolCallEnd("c"),
    out.toolResult("c", [{ type: "text", text: "found" }]),
    second(out.lane(), out.state(state("Bergen"))),
    out.text("So."),
    second(out.setUsage([{ model: "m", inputTokens: 3 }]), out.finish(undefined, { ok: true })),
  ]);
  assert.deepEqual(snapshot.state, state("Bergen"));
  const lanes = snapshot.messages.map(({ role, subagentRunId }) => [role, subagentRunId]);
  assert.deepEqual(lanes, [
    ["activity", undefined],
    ["assistant", undefined],
    ["assistant", "s"],
    ["tool", "s"],
    ["assistant", undefined],
  ]);
  assert.deepEqual(
    [snapshot.result, snapshot.usage],
    [{ ok: true }, [{ model: "m", inputTokens: 3 }]],
  );
});

test("requests are parsed, serialized and validated", async () => {
  const input = parseRequest(
    "ag-ui",
    '{"thread_id":"t","runId":"r","messages":[{"role":"user","id":"m","content":[{"type":"binary","mimeType":"audio/wav","url":"u"}]}]}',
  );
  assert.deepEqual(input.messages[0].content, [
    { type: "audio", source: { type: "url", value: "u", mimeType: "audio/wav" } },
  ]);
  assert.equal((await createRequest("http://127.0.0.1/", input).json()).protocolVersion, "1.0");
  assert.throws(
    () => parseRequest("ag-ui", '{"messages":{}}'),
    (error) => error instanceof RequestError && error.problems.length === 3,
  );
  assert.deepEqual(validateRequest("ag-ui", INPUT), []);
  assert.equal(
    validateRequest("ag-ui", { ...INPUT, messages: [{ role: "wizard" }] })[0].code,
    "union_tag_invalid",
  );
});

test("submitToolResults(), nextRequest() and resume() build the next request from a snapshot", async () => {
  const asked = await snapshotOf((out) => [
    out.activity("plan", "PLAN", {}),
    out.toolCallStart("c1", "f"),
    out.toolCallEnd("c1"),
  ]);
  assert.throws(() => submitToolResults(INPUT, asked, {}), coded("answer-missing"));
  assert.throws(() => submitToolResults(INPUT, asked, { c1: 1, c2: 2 }), coded("not-pending"));
  const next = submitToolResults(
    { ...INPUT, parentRunId: "p" },
    asked,
    { c1: { a: 1 } },
    { runId: "r2" },
  );
  assert.deepEqual([next.runId, next.parentRunId, next.messages.length], ["r2", undefined, 2]);
  assert.equal(next.messages[1].content, '{"a":1}');
  assert.ok(nextRequest(INPUT, asked).runId.length > 10);

  const expired = { id: "j", reason: "r", expiresAt: "2020-01-01T00:00:00Z" };
  const waiting = await snapshotOf((out) => [
    out.finish({ type: "interrupt", interrupts: [{ id: "i", reason: "r" }, expired] }),
  ]);
  const resolved = (interruptId) => ({ interruptId, status: "resolved", payload: true });
  assert.throws(() => resume(INPUT, waiting, [resolved("i")]), coded("answer-missing"));
  assert.throws(
    () => resume(INPUT, waiting, [resolved("i"), resolved("j"), resolved("k")]),
    coded("not-pending"),
  );
  assert.throws(
    () => resume(INPUT, waiting, [resolved("i"), resolved("j")]),
    coded("interrupt-expired"),
  );
  const { resume: entries } = resume(INPUT, waiting, [
    resolved("i"),
    { interruptId: "j", status: "cancelled" },
  ]);
  assert.equal(entries.length, 2);
  const cancelled = { ...waiting, pendingInterrupts: [{ id: "i", reason: "r" }, expired] };
  assert.deepEqual(resume(INPUT, cancelled, { i: true, j: null }).resume, [
    { interruptId: "i", status: "resolved", payload: { approved: true } },
    { interruptId: "j", status: "cancelled" },
  ]);
});
