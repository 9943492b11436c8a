// Newline-delimited JSON: read with the option, reported without it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { AgentwireError, Converter, Decoder, read } from "agentwire";
import { explain } from "agentwire/rules";

const encoder = new TextEncoder();
const lines = [
  { object: "response", status: "created", id: "r" },
  { object: "response", status: "in_progress", id: "r" },
  { object: "message", status: "in_progress", id: "m", type: "message", role: "assistant" },
  {
    object: "content",
    status: "in_progress",
    type: "text",
    index: 0,
    delta: true,
    msg_id: "m",
    text: "你",
  },
  {
    object: "content",
    status: "in_progress",
    type: "text",
    index: 0,
    delta: true,
    msg_id: "m",
    text: "好",
  },
  { object: "content", status: "completed", type: "text", index: 0, msg_id: "m", text: "你好" },
  {
    object: "message",
    status: "completed",
    id: "m",
    type: "message",
    role: "assistant",
    content: [{ type: "text", index: 0, status: "completed", text: "你好" }],
  },
  {
    object: "response",
    status: "completed",
    id: "r",
    completed_at: 1,
    output: [
      {
        object: "message",
        status: "completed",
        id: "m",
        type: "message",
        content: [{ type: "text", index: 0, status: "completed", text: "你好" }],
      },
    ],
  },
].map((event, sequence_number) => JSON.stringify({ sequence_number, ...event }));

function outcome(text, options, size = Infinity) {
  const decoder = new Decoder({ protocol: "agent-api", ...options });
  const bytes = encoder.encode(text);
  for (let at = 0; at < bytes.length; at += size) {
    decoder.push(bytes.subarray(at, at + size));
  }
  return decoder.finish();
}

test("lines are parsed as events with any line end and at any chunk boundary", () => {
  for (const protocol of ["agent-api", "auto"]) {
    for (const text of [lines.join("\n"), `${lines.join("\r\n")}\r\n`, lines.join("\n\n \n")]) {
      const whole = outcome(text, { framing: "ndjson", protocol });
      assert.deepEqual(whole.report.violations, []);
      assert.equal(whole.snapshot.output[0].content[0].text, "你好");
      for (const size of [1, 7, 64]) {
        assert.deepEqual(outcome(text, { framing: "ndjson", protocol }, size), whole);
      }
    }
  }
});

test("a line is visible as soon as it is complete, even in small chunks", () => {
  const decoder = new Decoder({ protocol: "ag-kit", framing: "ndjson" });
  const texts = ["a", "b"].map((content) => {
    const line = `{"type":"text","content":"${content}"}\n`;
    const [first, second] = [line.slice(0, 9), line.slice(9)].map((part) => {
      decoder.push(encoder.encode(part));
      return decoder.snapshot.parts[0]?.text;
    });
    return [first, second];
  });
  assert.deepEqual(texts, [
    [undefined, "a"],
    ["a", "ab"],
  ]);
  decoder.free();
});

test("NDJSON that is read as SSE is read, and reported as a violation", () => {
  const expected = outcome(lines.join("\n"), { framing: "ndjson" });
  for (const protocol of ["agent-api", "auto"]) {
    const { report, snapshot } = outcome(lines.join("\n"), { protocol });
    const [violation] = report.violations;
    assert.deepEqual([violation.rule, violation.severity], ["ndjson", "warning"]);
    assert.match(explain(violation).recovery, /JSON outside of server-sent events read as events/);
    assert.deepEqual(snapshot, expected.snapshot);
  }
});

test('a response with an NDJSON content type is read with `framing: "ndjson"`', async () => {
  for (const type of [
    "application/x-ndjson",
    "application/jsonl; charset=utf-8",
    "application/json",
    "text/event-stream",
    "text/plain",
  ]) {
    const response = new Response(lines.join("\n"), { headers: { "content-type": type } });
    const { report, snapshot: answer } = await read(response, {
      protocol: "agent-api",
      framing: "ndjson",
    }).finished();
    assert.deepEqual([report.violations, answer.status], [[], "completed"], type);
  }
  for (const [type, framing] of [
    ["text/html", "ndjson"],
    ["application/x-ndjson", "sse"],
  ]) {
    const response = new Response("x", { headers: { "content-type": type } });
    await assert.rejects(
      read(response, { protocol: "agent-api", framing }).finished(),
      (error) => error.code === "content-type",
      type,
    );
  }
});

test("NDJSON is converted", () => {
  const converter = new Converter({ from: "auto", to: "ag-kit", framing: "ndjson" });
  const out =
    new TextDecoder().decode(converter.push(encoder.encode(lines.join("\n")))) +
    new TextDecoder().decode(converter.finish());
  assert.match(out, /^data: {"type":"text","content":"你"}/);
  assert.match(out, /data: \[DONE\]\n\n$/);
});

test("an unknown framing is rejected", () => {
  assert.throws(
    () => new Decoder({ protocol: "agent-api", framing: "json" }),
    (error) => error instanceof AgentwireError && error.code === "wrong-option",
  );
});
