// AG-UI's binary form: the output of the official encoder is read, the official decoder reads the
// output of this package, and a response of its content type is read in this form.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { decode, encode } from "@ag-ui/proto";
import { Decoder, EventDecoder, events, read } from "agentwire";
import { AG_UI_BINARY, encodeAgUiFrame } from "agentwire/server";
import { cases } from "../support/cases.mjs";

const all = new Uint8Array(
  await readFile(
    new URL("../../../data/corpus/ag-ui/binary_all_kinds/stream.bin", import.meta.url),
  ),
);

function frameOf(message) {
  const frame = new Uint8Array(4 + message.length);
  new DataView(frame.buffer).setUint32(0, message.length);
  frame.set(message, 4);
  return frame;
}

/** The events of a stream, in text or in binary form. */
function eventsOf(stream, framing) {
  const decoder = new EventDecoder({ protocol: "ag-ui", framing, bigint: false });
  return [...decoder.push(stream), ...decoder.finish()];
}

test("encodeAgUiFrame() writes the same bytes as the official encoder, and the official decoder reads them", () => {
  const told = eventsOf(all, "length-prefixed");
  assert.ok(told.length >= 40);
  for (const { kind, event } of told) {
    assert.equal(kind, "event");
    const { frame, lost } = encodeAgUiFrame(event);
    assert.deepEqual(lost, []);
    assert.deepEqual(frame, frameOf(encode(event)));
    const { type, ...rest } = decode(frame.subarray(4));
    assert.equal(type, event.type);
    assert.ok(Object.keys(rest).length > 0);
  }
});

test("every recorded event is encoded to the same bytes as by the official encoder", async () => {
  let compared = 0;
  const warn = console.warn;
  const warned = [];
  console.warn = (text) => warned.push(text);
  try {
    for (const { path, protocol, options, stream } of await cases()) {
      if (protocol !== "ag-ui" || options.framing !== undefined) {
        continue;
      }
      for (const { kind, event } of eventsOf(stream)) {
        const told = warned.length;
        // Events with a warning are not valid for the official encoder; both omit null.
        const bytes =
          kind === "event" &&
          typeof event.type === "string" &&
          !event.type.startsWith("THINKING_") &&
          official(event);
        if (!bytes || warned.length > told) {
          continue;
        }
        const { frame, lost } = encodeAgUiFrame(event);
        if (lost.length === 0) {
          assert.deepEqual(frame, frameOf(bytes), `${path}: ${JSON.stringify(event)}`);
          compared++;
        }
      }
    }
  } finally {
    console.warn = warn;
  }
  assert.ok(compared >= 300, `${compared} events`);
});

function official(event) {
  try {
    const bytes = encode(event);
    // An unknown event is encoded as nothing.
    decode(bytes);
    return bytes;
  } catch {
    return undefined;
  }
}

const response = (stream, type) => new Response(stream, { headers: { "content-type": type } });

test("a response with the binary content type is read at any chunk boundary", async () => {
  const decoder = new Decoder({ protocol: "ag-ui", framing: "length-prefixed" });
  decoder.push(all);
  const expected = decoder.finish();
  for (const protocol of ["ag-ui", "auto"]) {
    for (const size of [1, 7, all.length]) {
      const body = new ReadableStream({
        start(controller) {
          for (let from = 0; from < all.length; from += size) {
            controller.enqueue(all.slice(from, from + size));
          }
          controller.close();
        },
      });
      const run = read(response(body, `${AG_UI_BINARY}; x=y`), { protocol });
      const { snapshot, report } = await run.finished();
      assert.deepEqual(snapshot, expected.snapshot);
      assert.deepEqual(report.violations, []);
    }
  }
  const told = [];
  for await (const entry of events(response(all, AG_UI_BINARY), { protocol: "ag-ui" })) {
    told.push(entry);
  }
  assert.deepEqual(told, eventsOf(all, "length-prefixed"));
});

test("a binary response is read in the form of another protocol", async () => {
  const text = (content) => [
    { type: "RUN_STARTED", threadId: "t", runId: "r" },
    { type: "TEXT_MESSAGE_START", messageId: "m", role: "assistant" },
    { type: "TEXT_MESSAGE_CONTENT", messageId: "m", delta: content },
    { type: "TEXT_MESSAGE_END", messageId: "m" },
    { type: "RUN_FINISHED", threadId: "t", runId: "r" },
  ];
  const frames = text("你好").map((event) => encodeAgUiFrame(event).frame);
  for (const protocol of ["ag-ui", "auto"]) {
    const told = await read(response(new Blob(frames).stream(), AG_UI_BINARY), {
      protocol,
      as: "agent-api",
    }).finished();
    assert.deepEqual(
      [told.report.violations, told.snapshot.status, told.snapshot.output[0].content[0].text],
      [[], "completed", "你好"],
    );
  }
  const decoder = new Decoder({ protocol: "ag-ui", as: "agent-api", framing: "length-prefixed" });
  frames.forEach((frame) => decoder.push(frame));
  assert.equal(decoder.finish().snapshot.output[0].content[0].text, "你好");
  const refused = read(response(new Blob(frames).stream(), AG_UI_BINARY), {
    protocol: "ag-kit",
    as: "agent-api",
  });
  await assert.rejects(refused.finished(), { code: "content-type" });
});

test("a binary response is rejected by a reader of another protocol", async () => {
  await assert.rejects(read(response(all, AG_UI_BINARY), { protocol: "agent-api" }).finished(), {
    code: "content-type",
  });
});

test("encodeAgUiFrame() lists the properties that the format cannot contain", () => {
  assert.deepEqual(
    encodeAgUiFrame({ type: "CUSTOM", name: "n", value: 2n ** 60n, later: 1 }).lost.sort(),
    ["/later", "/value"],
  );
  assert.throws(() => encodeAgUiFrame({ type: "THINKING_END" }), { code: "wrong-type" });
});
