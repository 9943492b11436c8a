import assert from "node:assert/strict";
import { test } from "node:test";
import { AgentwireError, Converter, Decoder, convert } from "agentwire";
import { cases } from "../support/cases.mjs";
import { pieces, sizes } from "../support/cuts.mjs";
import { until } from "../../support/until.mjs";

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const coded = (code) => (error) => error instanceof AgentwireError && error.code === code;

function converted(chunks, options) {
  const converter = new Converter({ ids: "numbered", ...options });
  const out = [...chunks].map((chunk) => decoder.decode(converter.push(chunk)));
  out.push(decoder.decode(converter.finish()));
  return { text: out.join(""), conversion: converter.conversion };
}

function read(text, protocol) {
  const reader = new Decoder({ protocol });
  reader.push(encoder.encode(text));
  return reader.finish();
}

/**
 * Arguments that are not JSON, or are truncated, are copied: a conversion does not complete them.
 */
const otherViolations = ({ violations }) =>
  violations.filter(({ rule }) => rule !== "arguments-not-json");

/** The clock may tick between two conversions. */
const timeless = (text) => text.replace(/"(created|completed)_at":\d+/g, "");

const CONVERTED = ["agent-api", "ag-kit", "ag-ui"];

for (const wanted of await cases()) {
  for (const to of CONVERTED) {
    test(`${wanted.protocol} ${wanted.name} is converted to a valid ${to} stream at any chunk boundary`, () => {
      const options = { from: wanted.protocol, to, ...wanted.options };
      const whole = converted([wanted.stream], options);
      const { report, snapshot: response } = read(whole.text, to);
      // An unknown event is copied from a protocol to itself, and so is the other name of a call.
      const passedOn =
        wanted.protocol === to ? ["unknown-type", "unknown-object", "call-renamed"] : [];
      assert.deepEqual(
        otherViolations(report).filter(({ rule }) => !passedOn.includes(rule)),
        [],
      );
      assert.equal(
        report.endReason === "completed" || (to === "ag-kit" && response.status === "failed"),
        true,
        report.endReason,
      );
      const cut = converted(pieces(wanted.stream, sizes(1)), options);
      assert.equal(timeless(cut.text), timeless(whole.text));
      assert.deepEqual(cut.conversion, whole.conversion);
      const bytes = converted(
        pieces(wanted.stream, () => 1),
        { ...options, from: "auto" },
      );
      // A stream whose events belong to another protocol is read in that protocol.
      assert.equal(bytes.conversion.from, wanted.detected);
      if (wanted.detected === wanted.protocol) {
        assert.equal(timeless(bytes.text), timeless(whole.text));
      }
    });
  }
}

const TEXT = 'data: {"type":"text","content":"Hi"}\n\n';

test("each chunk is converted immediately, and comments are kept", () => {
  const converter = new Converter({ from: "ag-kit", to: "agent-api" });
  assert.match(decoder.decode(converter.push(encoder.encode(": ping\n\n"))), /^:/);
  assert.match(decoder.decode(converter.push(encoder.encode(TEXT))), /"text":"Hi"/);
  assert.equal(converter.ended, false);
  converter.push(encoder.encode("data: [DONE]\n\n"));
  assert.equal(converter.ended, true);
  converter.finish();
  assert.throws(() => converter.push(new Uint8Array()), coded("finished"));
  converter.free();
});

test("with auto, the source protocol is undefined before the first event", () => {
  const converter = new Converter({ from: "auto", to: "agent-api" });
  assert.deepEqual([converter.from, converter.conversion], [undefined, undefined]);
  converter.push(encoder.encode(TEXT));
  assert.equal(converter.from, "ag-kit");
  const end = decoder.decode(converter.abort());
  assert.match(end, /"status":"canceled"/);
  assert.equal(converter.conversion.report.endReason, "aborted");
});

test("content that the target protocol cannot represent is listed as a loss", () => {
  const stream = [
    { object: "response", status: "created", id: "r" },
    { object: "response", status: "in_progress", id: "r" },
    { object: "message", status: "in_progress", id: "m", type: "reasoning", role: "assistant" },
    {
      object: "content",
      type: "text",
      status: "in_progress",
      delta: true,
      index: 0,
      msg_id: "m",
      text: "Hmm",
    },
  ];
  const { conversion } = converted(
    stream.map((event, sequence_number) =>
      encoder.encode(`data: ${JSON.stringify({ sequence_number, ...event })}\n\n`),
    ),
    { from: "agent-api", to: "ag-kit" },
  );
  assert.ok(
    conversion.losses.some(({ kind, location }) => kind === "reasoning" && location === "m"),
    JSON.stringify(conversion.losses),
  );
  assert.equal(conversion.counts.reasoning, 1);
  for (const { kind, location, reason } of conversion.losses) {
    assert.ok(/^[a-z-]+$/.test(kind) && typeof location === "string" && reason !== "");
  }
});

test("invalid options are rejected by the constructor", () => {
  assert.throws(() => new Converter({ from: "smoke", to: "ag-kit" }), coded("unknown-protocol"));
  assert.throws(() => new Converter({ from: "auto", to: "smoke" }), coded("unknown-protocol"));
  assert.throws(
    () => new Converter({ from: "auto", to: "ag-kit", mode: "loose" }),
    coded("wrong-option"),
  );
  assert.throws(
    () => convert({ from: "auto", to: "agent-api", style: "loose" }),
    coded("wrong-option"),
  );
});

test("convert() returns a transform stream for pipeThrough()", async () => {
  const stream = convert({ from: "ag-kit", to: "agent-api" });
  const text = await new Response(
    new Blob([TEXT, "data: [DONE]\n\n"]).stream().pipeThrough(stream),
  ).text();
  assert.equal(read(text, "agent-api").snapshot.status, "completed");
  const { from, losses, report } = await stream.done;
  assert.deepEqual([from, losses, report.endReason], ["ag-kit", [], "completed"]);
});

test("a source that fails is converted to an incomplete response, and the stream ends normally", async () => {
  let sent = false;
  const broken = new ReadableStream({
    pull(controller) {
      if (sent) {
        controller.error(new Error("connection reset"));
      } else {
        controller.enqueue(encoder.encode(TEXT));
      }
      sent = true;
    },
  });
  const stream = convert({ from: "ag-kit", to: "agent-api" });
  const text = await new Response(broken.pipeThrough(stream)).text();
  const { snapshot: response, report } = read(text, "agent-api");
  assert.deepEqual([response.status, report.violations], ["incomplete", []]);
  assert.equal((await stream.done).report.endReason, "truncated");
  // A source that ends without its end marker is truncated, unless the marker is optional.
  for (const [doneIsOptional, status] of [
    [false, "incomplete"],
    [true, "completed"],
  ]) {
    const whole = new Blob([TEXT])
      .stream()
      .pipeThrough(convert({ from: "ag-kit", to: "agent-api", doneIsOptional }));
    assert.equal(read(await new Response(whole).text(), "agent-api").snapshot.status, status);
  }
});

test("canceling the output cancels the source", async () => {
  let canceled;
  const endless = new ReadableStream({
    pull: (controller) => controller.enqueue(encoder.encode(TEXT)),
    cancel: (reason) => void (canceled = reason),
  });
  const stream = convert({ from: "ag-kit", to: "agent-api" });
  const reader = endless.pipeThrough(stream).getReader();
  await reader.read();
  await reader.cancel("enough");
  assert.equal((await stream.done).report.endReason, "aborted");
  await until(() => canceled !== undefined);
});

test("the source is not read ahead of its consumer", async () => {
  let pulled = 0;
  const source = new ReadableStream(
    {
      pull(controller) {
        pulled++;
        controller.enqueue(encoder.encode(TEXT));
      },
    },
    { highWaterMark: 0 },
  );
  const stream = convert({ from: "ag-kit", to: "agent-api" });
  const reader = source.pipeThrough(stream).getReader();
  await reader.read();
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.ok(pulled < 10, `${pulled} chunks were read for one event`);
  await reader.cancel();
});
