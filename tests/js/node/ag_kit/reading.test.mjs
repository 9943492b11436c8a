import assert from "node:assert/strict";
import { test } from "node:test";
import { AgentwireError, Decoder, read } from "agentwire";
import { cases } from "../support/cases.mjs";
import { pushed } from "../support/events.mjs";

const encoder = new TextEncoder();
const frame = (event) =>
  encoder.encode(`data: ${typeof event === "string" ? event : JSON.stringify(event)}\n\n`);
const text = (content) => frame({ type: "text", content });
const start = (toolCallId, toolCallName) =>
  frame({ type: "tool-call-start", toolCallId, toolCallName });
const args = (toolCallId, delta) => frame({ type: "tool-call-args", toolCallId, delta });
const end = (toolCallId) => frame({ type: "tool-call-end", toolCallId });
const DONE = frame("[DONE]");

test("an update names the changed part and the offset of the new text", () => {
  const decoder = new Decoder({ protocol: "ag-kit" });
  const changes = (bytes) => pushed(decoder, bytes).changes;
  assert.deepEqual(changes(text("Hel")), [{ kind: "add", path: ["parts", 0] }]);
  assert.deepEqual(changes(text("lo")), [{ kind: "append", path: ["parts", 0, "text"], from: 3 }]);
  assert.deepEqual(changes(start("a", "f")), [{ kind: "add", path: ["parts", 1] }]);
  assert.deepEqual(changes(args("a", '{"x":')), [
    { kind: "append", path: ["parts", 1, "arguments"], from: 0 },
  ]);
  assert.deepEqual(changes(args("a", "1}")), [
    { kind: "append", path: ["parts", 1, "arguments"], from: 5 },
  ]);
  assert.deepEqual(changes(end("a")), [
    { kind: "set", path: ["parts", 1, "parsedArguments"] },
    { kind: "set", path: ["parts", 1, "state"] },
  ]);
  decoder.free();
});

test("an unchanged part keeps its identity", () => {
  const decoder = new Decoder({ protocol: "ag-kit" });
  const before = pushed(decoder, text("Hello")).snapshot;
  const { snapshot, toolCalls } = pushed(decoder, start("a", "f"));
  assert.equal(snapshot.parts[0], before.parts[0]);
  assert.notEqual(snapshot, before);
  assert.equal(before.parts.length, 1);
  assert.equal(toolCalls[0], snapshot.parts[1]);
  assert.deepEqual(structuredClone(snapshot), snapshot);
});

test("`clientTools` determines which calls are pending", () => {
  const pending = (options) => {
    const decoder = new Decoder({ protocol: "ag-kit", ...options });
    for (const bytes of [start("a", "mine"), end("a"), start("b", "theirs"), end("b"), DONE]) {
      decoder.push(bytes);
    }
    const { snapshot: response } = decoder.finish();
    return [response.status, response.pendingToolCallIds];
  };
  assert.deepEqual(pending({}), ["awaiting-tool-results", ["a", "b"]]);
  assert.deepEqual(pending({ clientTools: ["mine"] }), ["awaiting-tool-results", ["a"]]);
  assert.deepEqual(pending({ clientTools: [] }), ["completed", []]);
});

test("a missing [DONE] is a warning; a stream that stops inside a call is truncated", () => {
  const end = (stream, options) => {
    const decoder = new Decoder({ protocol: "ag-kit", ...options });
    decoder.push(stream);
    const { snapshot: response, report } = decoder.finish();
    return [response.status, report.violations.map(({ rule, severity }) => `${severity} ${rule}`)];
  };
  assert.deepEqual(end(text("x"), {}), ["completed", ["warning no-done"]]);
  assert.deepEqual(end(text("x"), { doneIsOptional: true }), ["completed", []]);
  const call = encoder.encode(
    'data: {"type":"tool-call-start","toolCallId":"c","toolCallName":"f"}\n\n',
  );
  for (const doneIsOptional of [false, true]) {
    assert.deepEqual(end(call, { doneIsOptional }), [
      "truncated",
      ["error truncated", "warning call-not-ended"],
    ]);
  }
});

test("with auto, there is no snapshot before the first event", () => {
  const decoder = new Decoder({ protocol: "auto" });
  assert.equal(pushed(decoder, encoder.encode(": ping\n\nda")), undefined);
  assert.deepEqual(
    [decoder.protocol, decoder.snapshot, decoder.toolCalls],
    [undefined, undefined, []],
  );
  assert.equal(pushed(decoder, encoder.encode('ta: {"type":"text","content":"a')), undefined);
  const update = pushed(decoder, encoder.encode('b"}\n\n'));
  assert.equal(update.protocol, "ag-kit");
  assert.deepEqual(update.changes, [{ kind: "set", path: [] }]);
  assert.deepEqual(update.snapshot.parts, [{ type: "text", text: "ab" }]);
  assert.equal(decoder.finish().report.comments, 1);
});

test("with auto, a stream without a recognizable event is read as Agent API", () => {
  for (const bytes of ["", ": ping\n\n", "data: {}\n\n"]) {
    const decoder = new Decoder({ protocol: "auto" });
    decoder.push(encoder.encode(bytes));
    const { protocol, snapshot: response } = decoder.finish();
    assert.deepEqual([protocol, response.object], ["agent-api", "response"]);
  }
});

test("read() reads an AG-Kit response", async () => {
  const run = read(
    new Response(new Blob([text("Hi"), DONE]), {
      headers: { "content-type": "text/event-stream" },
    }),
    {
      protocol: "ag-kit",
    },
  );
  const { protocol, snapshot: response, report } = await run.finished();
  assert.deepEqual(
    [protocol, response.status, report.endReason],
    ["ag-kit", "completed", "completed"],
  );
});

test("an AG-UI stream read as AG-Kit is refused with the rule `dialect-ag-ui`", () => {
  const decoder = new Decoder({ protocol: "ag-kit" });
  decoder.push(frame({ type: "RUN_STARTED", threadId: "t", runId: "r" }));
  const { report } = decoder.finish();
  assert.equal(report.endReason, "refused");
  assert.equal(report.violations[0].rule, "dialect-ag-ui");
});

test("an unknown protocol is rejected, and the error lists the known ones", () => {
  assert.throws(
    () => new Decoder({ protocol: "smoke" }),
    (error) =>
      error instanceof AgentwireError &&
      error.code === "unknown-protocol" &&
      /ag-kit/.test(error.message),
  );
});

test("the tool calls are the parts of type tool-call in every recorded turn", async () => {
  const turns = (await cases()).filter(({ protocol }) => protocol === "ag-kit");
  let calls = 0;
  for (const { path, stream, options } of turns) {
    const decoder = new Decoder({ protocol: "ag-kit", ...options });
    decoder.push(stream);
    const { snapshot: response, toolCalls } = decoder.finish();
    assert.deepEqual(
      toolCalls,
      response.parts.filter(({ type }) => type === "tool-call"),
      path,
    );
    calls += toolCalls.length;
  }
  assert.ok(calls > 20, `${calls}`);
});
