import assert from "node:assert/strict";
import { test } from "node:test";
import { AgentwireError, read, RequestError } from "agentwire";
import { parseRequest, validateRequest } from "agentwire/server";
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

/** Returns the snapshot of a run with these events, and with the members of its end. */
async function snapshotOf(events, end = {}) {
  const run = { threadId: "t", runId: "r" };
  const all = [
    { type: "RUN_STARTED", ...run },
    ...events,
    { type: "RUN_FINISHED", ...run, ...end },
  ];
  const sse = all.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
  const { snapshot, report } = await read(new Response(sse).body, {
    protocol: "ag-ui",
  }).finished();
  assert.deepEqual(report.violations, []);
  assert.equal(report.endReason, "completed");
  return snapshot;
}

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
  const asked = await snapshotOf([
    { type: "ACTIVITY_SNAPSHOT", messageId: "plan", activityType: "PLAN", content: {} },
    { type: "TOOL_CALL_START", toolCallId: "c1", toolCallName: "f" },
    { type: "TOOL_CALL_END", toolCallId: "c1" },
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
  const waiting = await snapshotOf([], {
    outcome: { type: "interrupt", interrupts: [{ id: "i", reason: "r" }, expired] },
  });
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
