import assert from "node:assert/strict";
import { test } from "node:test";
import {
  AgentwireError,
  convert,
  Converter,
  Decoder,
  defineProtocol,
  detectProtocol,
  read,
  toolCalls,
} from "agentwire";
import { AgentError, respond } from "agentwire/server";
import { chatLines } from "../support/chat_lines.mjs";
import { pieces, sizes } from "../support/cuts.mjs";
import { pushed } from "../support/events.mjs";

const chat = chatLines();
const encoder = new TextEncoder();
const decoder = new TextDecoder();
const coded = (code) => (error) => error instanceof AgentwireError && error.code === code;
const lines = (...events) =>
  encoder.encode(events.map((event) => `${JSON.stringify(event)}\n`).join(""));

const RUN = [
  { think: "Hmm" },
  { say: "I look it " },
  { say: "up. 你好 🙂" },
  { call: "c1", name: "get_weather" },
  { call: "c1", args: '{"city":' },
  { call: "c1", args: '"北京"}' },
  { call: "c1", done: true },
  { call: "c1", result: "晴" },
  { say: "Sunny." },
  { bye: true },
];

function outcome(bytes, options = {}) {
  const reader = new Decoder({ protocol: chat, ...options });
  for (const piece of bytes) {
    reader.push(piece);
  }
  return reader.finish();
}

test("a custom protocol is decoded at any chunk boundary", () => {
  const whole = lines(...RUN);
  const shape = ({ snapshot: response, toolCalls, report }) => ({
    status: response.status,
    messages: response.output.map(({ type, status, content }) => [
      type,
      status,
      content.map(({ text, data }) => text ?? data),
    ]),
    calls: toolCalls.map(({ callId, name, state }) => [callId, name, state]),
    violations: report.violations,
    ended: report.endReason,
  });
  const read = outcome([whole]);
  assert.deepEqual(shape(read), {
    status: "completed",
    messages: [
      ["reasoning", "completed", ["Hmm"]],
      ["message", "completed", ["I look it up. 你好 🙂"]],
      [
        "function_call",
        "completed",
        [{ call_id: "c1", name: "get_weather", arguments: '{"city":"北京"}' }],
      ],
      ["function_call_output", "completed", [{ call_id: "c1", name: null, output: "晴" }]],
      ["message", "completed", ["Sunny."]],
    ],
    calls: [["c1", "get_weather", "answered"]],
    violations: [],
    ended: "completed",
  });
  assert.deepEqual(toolCalls(read.snapshot)[0].arguments, { city: "北京" });
  for (const size of [() => 1, sizes(1), sizes(2)]) {
    assert.deepEqual(shape(outcome(pieces(whole, size))), shape(read));
  }
});

test("each event is visible immediately, and the last line needs no line end", () => {
  const reader = new Decoder({ protocol: chat });
  const { snapshot, changes } = pushed(reader, encoder.encode('{"say":"Hel"}\n{"say":"lo"'));
  assert.equal(snapshot.output[0].content[0].text, "Hel");
  assert.deepEqual(changes.at(-1), { kind: "add", path: ["output", 0] });
  reader.push(encoder.encode("}"));
  const { snapshot: response } = reader.finish();
  assert.equal(response.output[0].content[0].text, "Hello");
  assert.equal(response.status, "incomplete");
});

test("read() reads a custom protocol", async () => {
  const run = read(new Blob([lines(...RUN)]).stream(), { protocol: chat });
  const { snapshot: response } = await run.finished();
  assert.equal(response.output.length, 5);
});

test("a custom protocol is converted to and from built-in protocols", () => {
  const through = (bytes, from, to) => {
    const converter = new Converter({ from, to });
    return {
      text: decoder.decode(converter.push(bytes)) + decoder.decode(converter.finish()),
      ...converter.conversion,
    };
  };
  const agKit = through(lines(...RUN), chat, "ag-kit");
  assert.equal(agKit.from, "chat-lines");
  assert.deepEqual(
    agKit.losses.map(({ kind }) => kind),
    ["reasoning"],
  );
  const back = through(encoder.encode(agKit.text), "ag-kit", chat);
  // The reasoning was lost, as the losses report, and AG-Kit has no text boundaries that keep
  // deltas separate.
  assert.deepEqual(
    back.text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line)),
    RUN.slice(1),
  );
  const same = through(lines(...RUN), chat, chat);
  assert.deepEqual(
    same.text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line)),
    RUN,
  );
  const agentApi = through(lines(...RUN), chat, "agent-api");
  const again = through(encoder.encode(agentApi.text), "auto", chat);
  assert.deepEqual(
    again.text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line)),
    RUN,
  );
});

test("respond() writes a custom protocol", async () => {
  const response = respond(new Request("http://localhost/"), { protocol: chat }, async (out) => {
    const text = out.message().text();
    await text.delta("Hi ");
    await text.delta("there");
    const call = out.tool("f", { callId: "c1" });
    await call.arguments("{}");
    await call.result("1");
  });
  assert.equal(response.headers.get("content-type"), "application/x-ndjson; charset=utf-8");
  assert.deepEqual(
    (await response.text())
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line)),
    [
      { say: "Hi " },
      { say: "there" },
      { call: "c1", name: "f" },
      { call: "c1", args: "{}" },
      { call: "c1", done: true },
      { call: "c1", result: "1" },
      { bye: true },
    ],
  );
});

test("an agent that throws ends the stream with an error event", async () => {
  const response = respond(new Request("http://localhost/"), { protocol: chat }, () => {
    throw new AgentError("NO_MEMORY", "out of memory");
  });
  assert.equal(await response.text(), '{"error":"out of memory"}\n');
});

test("detectProtocol() recognizes a custom protocol by its first event", () => {
  const from = (bytes) => {
    const converter = new Converter({ from: detectProtocol([chat]), to: "agent-api" });
    for (const piece of pieces(bytes, () => 3)) {
      converter.push(piece);
    }
    converter.finish();
    return converter.conversion.from;
  };
  assert.equal(from(lines(...RUN)), "chat-lines");
  assert.equal(from(encoder.encode('data: {"type":"text","content":"Hi"}\n\n')), "ag-kit");
  assert.equal(
    from(encoder.encode(': ping\n\ndata: {"object":"response","status":"created"}\n\n')),
    "agent-api",
  );
  assert.equal(from(encoder.encode("")), "agent-api");
  const reader = new Decoder({ protocol: detectProtocol([chat]) });
  reader.push(lines(...RUN));
  assert.equal(reader.finish().snapshot.status, "completed");
});

test("a custom protocol can use SSE framing", () => {
  const sse = chatLines({ name: "chat-events", framing: "sse" });
  assert.equal(sse.contentType, "text/event-stream; charset=utf-8");
  const converter = new Converter({ from: chat, to: sse });
  const text =
    decoder.decode(converter.push(lines({ say: "a" }))) + decoder.decode(converter.finish());
  assert.equal(text, 'data: {"say":"a"}\n\ndata: {"bye":true}\n\n');
  const back = new Converter({ from: sse, to: chat });
  assert.equal(
    decoder.decode(back.push(encoder.encode(text.replaceAll("\n", "\r\n")))),
    '{"say":"a"}\n{"bye":true}\n',
  );
  assert.equal(decoder.decode(back.finish()), "");
});

test("emitted steps are written unchanged, and invalid steps are listed as losses", () => {
  const raw = defineProtocol({
    name: "raw",
    decode: (line, hub) =>
      line === "lost"
        ? hub.lose("lost-line", "here", "nobody wants it")
        : hub.emit(JSON.parse(line)),
  });
  const converter = new Converter({ from: raw, to: "agent-api" });
  converter.push(
    lines(
      { type: "open", message: 7, messageType: "reasoning" },
      { type: "text", message: 7, part: 0, piece: "thought" },
      { type: "nonsense" },
      { type: "end", status: "failed", error: { message: "over" } },
    ),
  );
  converter.push(encoder.encode("lost\n"));
  const end = decoder.decode(converter.finish());
  assert.equal(end, "");
  const { losses, counts } = converter.conversion;
  assert.ok(losses.some(({ kind, location }) => kind === "lost-line" && location === "here"));
  assert.ok(
    losses.some(({ kind, location }) => kind === "unknown-step" && location.includes("nonsense")),
    JSON.stringify(losses),
  );
  assert.equal(counts["unknown-step"], 1);
});

test("losses are counted without limit, and a limited number is kept", () => {
  const losing = defineProtocol({
    name: "losing",
    decode: (line, hub) => hub.lose("line", line, "nobody wants it"),
  });
  const converter = new Converter({ from: losing, to: "agent-api" });
  converter.push(encoder.encode("x\n".repeat(3000)));
  converter.finish();
  assert.deepEqual(
    [converter.conversion.losses.length, converter.conversion.counts.line],
    [1000, 3000],
  );
  assert.throws(() => converter.push(encoder.encode("y\n")), coded("finished"));
});

test("an error of decode() or encode() is thrown by the call that caused it", async () => {
  const broken = defineProtocol({
    name: "broken",
    decode: () => {
      throw new RangeError("no such word");
    },
  });
  const reader = new Decoder({ protocol: broken });
  const threw = (error) =>
    coded("protocol-threw")(error) &&
    error.cause instanceof RangeError &&
    /`decode`.*broken/.test(error.message);
  assert.throws(() => reader.push(lines({ say: "a" })), threw);
  const stream = new Blob([lines({ say: "a" })])
    .stream()
    .pipeThrough(convert({ from: broken, to: "ag-kit" }));
  await assert.rejects(new Response(stream).text(), threw);
});

const writing = (framing) =>
  defineProtocol({
    name: `written-${framing}`,
    framing,
    encode(step, emit) {
      if (step.type === "text") emit(step.piece);
    },
  });

test("a text with line breaks stays in one server-sent event", () => {
  for (const [text, lines] of [
    ["hello\r\revent: evil", ["hello", "", "event: evil"]],
    ["hello\n\nevent: evil", ["hello", "", "event: evil"]],
    ["hello\r\n\r\nid: 7", ["hello", "", "id: 7"]],
    ["\rdata: x\r\ndata: y\n", ["", "data: x", "data: y", ""]],
    ["\n\r", ["", "", ""]],
    ["line\u2028separator\u0085", ["line\u2028separator\u0085"]],
    ["", [""]],
  ]) {
    const protocol = writing("sse");
    const converter = new Converter({ from: chat, to: protocol });
    const out = decoder.decode(
      converter.push(encoder.encode(`${JSON.stringify({ say: text })}\n`)),
    );
    assert.equal(out, `${lines.map((line) => `data: ${line}\n`).join("")}\n`, JSON.stringify(text));
    // Its reader receives one event: the same text with LF as line breaks.
    const events = [];
    const reading = defineProtocol({
      name: "reading",
      framing: "sse",
      decode: (event) => void events.push(event),
    });
    const back = new Converter({ from: reading, to: "ag-kit" });
    back.push(encoder.encode(out));
    back.finish();
    assert.deepEqual(events, [lines.join("\n")]);
  }
});

test("an event with a line break is rejected with line framing", () => {
  for (const text of ["a\nb", "a\rb", "a\r\nb", "a\n", "\r"]) {
    const converter = new Converter({ from: chat, to: writing("lines") });
    const push = (say) =>
      decoder.decode(converter.push(encoder.encode(`${JSON.stringify({ say })}\n`)));
    assert.equal(push("before"), "before\n");
    assert.throws(() => push(text), coded("line-break"));
    assert.equal(push("after\u2028"), "after\u2028\n");
  }
});

test("an event that is not a string is rejected", () => {
  for (const framing of ["lines", "sse"]) {
    for (const event of [undefined, null, 5, { say: "a" }]) {
      const wrong = defineProtocol({ name: "wrong", framing, encode: (step, emit) => emit(event) });
      const converter = new Converter({ from: chat, to: wrong });
      assert.throws(() => converter.push(lines({ say: "a" })), coded("event-not-text"));
    }
  }
});

test("an invalid or incomplete definition is rejected when it is created or used", () => {
  assert.throws(() => defineProtocol({ name: "ag-kit" }), coded("wrong-option"));
  assert.throws(() => defineProtocol({ name: "" }), coded("wrong-option"));
  assert.throws(() => defineProtocol({ name: "x", framing: "smoke" }), coded("wrong-option"));
  const mute = defineProtocol({ name: "mute" });
  assert.throws(() => new Converter({ from: mute, to: "ag-kit" }), coded("protocol-not-converted"));
  assert.throws(() => new Converter({ from: "ag-kit", to: mute }), coded("protocol-not-converted"));
  assert.throws(() => new Decoder({ protocol: mute }), coded("protocol-not-converted"));
});
