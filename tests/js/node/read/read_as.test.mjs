// Any protocol read in the shape of another one.
import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { test } from "node:test";
import { Decoder, defineProtocol, read } from "agentwire";
import { Decoder as ReaderDecoder } from "agentwire/reader";

const corpus = new URL("../../../data/corpus/", import.meta.url);
const encoder = new TextEncoder();

/** Name, protocol and bytes of every recorded stream. */
async function* streams() {
  for (const protocol of ["agent-api", "ag-kit"]) {
    const folder = new URL(`${protocol}/`, corpus);
    for (const name of await readdir(folder)) {
      const stream = await readFile(new URL(`${name}/stream.sse`, folder)).catch(() => undefined);
      if (stream !== undefined) {
        yield [name, protocol, stream];
      }
    }
  }
}

const plain = (protocol, bytes) => {
  const decoder = new Decoder({ protocol });
  decoder.push(bytes);
  return decoder.finish();
};

const text = (protocol, { snapshot: response }) =>
  protocol === "ag-kit"
    ? response.parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("")
    : response.output
        .filter(({ type }) => type !== "reasoning")
        .flatMap(({ content }) => content.map((part) => part.text ?? part.refusal ?? ""))
        .join("");

test("every recorded stream has the same text in each form, and the report of the source", async () => {
  let count = 0;
  for await (const [name, protocol, bytes] of streams()) {
    const source = plain(protocol, bytes);
    for (const as of ["agent-api", "ag-kit"]) {
      const decoder = new Decoder({ protocol, as });
      for (let at = 0; at < bytes.length; at += 1000) decoder.push(bytes.subarray(at, at + 1000));
      const shown = decoder.finish();
      assert.equal(shown.protocol, as, name);
      assert.deepEqual(shown.report.counts, source.report.counts, name);
      assert.equal(shown.report.bytes, source.report.bytes, name);
      const told = new Set(shown.report.losses.map(({ kind }) => kind));
      const keeps = ["after-end", "text-replaced", "part-dropped", "late-type", "data"].every(
        (what) => !told.has(what),
      );
      const letters = (of, outcome) => [...text(of, outcome)].sort().join("");
      if (keeps) assert.equal(letters(as, shown), letters(protocol, source), `${name} as ${as}`);
      count += 1;
    }
  }
  assert.ok(count > 200, `${count} conversions`);
});

test("read() yields snapshots in the requested form while streaming", async () => {
  const chunks = ["Hel", "lo"].map((content) =>
    encoder.encode(`data: ${JSON.stringify({ type: "text", content })}\n\n`),
  );
  chunks.push(encoder.encode('data: {"type":"new"}\n\ndata: [DONE]\n\n'));
  const run = read(ReadableStream.from(chunks), { protocol: "auto", as: "agent-api" });
  const texts = [];
  for await (const { protocol, snapshot } of run) {
    assert.equal(protocol, "agent-api");
    texts.push(snapshot.output[0]?.content[0]?.text);
  }
  assert.deepEqual(texts.slice(0, 2), ["Hel", "Hello"]);
  const { snapshot: response, report } = await run.finished();
  assert.equal(response.status, "completed");
  assert.deepEqual(report.unknown, { new: 1 });
  assert.deepEqual(
    report.losses.map(({ kind, event }) => [kind, event]),
    [["unknown-event", 2]],
  );
});

test("NDJSON is read in the form of another protocol", () => {
  const decoder = new Decoder({ protocol: "ag-kit", as: "agent-api", framing: "ndjson" });
  decoder.push(encoder.encode('{"type":"text","content":"Hi"}\n[DONE]\n'));
  const { snapshot, report } = decoder.finish();
  assert.deepEqual([snapshot.output[0].content[0].text, report.violations], ["Hi", []]);
});

test("a custom protocol can be read in any form", () => {
  const events = defineProtocol({
    name: "my-events",
    decode(line, hub) {
      const { kind, ...rest } = JSON.parse(line);
      if (kind === "say") {
        hub.text(rest.text);
      } else {
        hub.emit({ type: kind, ...rest });
      }
    },
  });
  const lines = [
    { kind: "say", text: "Hi" },
    { kind: "state", value: { a: 1 } },
    { kind: "lane-start", id: "s1", name: "helper" },
    { kind: "end", status: "completed" },
  ];
  const stream = encoder.encode(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  const decoder = new Decoder({ protocol: events, as: "ag-kit" });
  decoder.push(stream);
  const { snapshot: response, report } = decoder.finish();
  assert.deepEqual(
    response.parts.map((part) => part.text),
    ["Hi"],
  );
  assert.deepEqual(
    report.losses.map(({ kind, event }) => [kind, event]),
    [
      ["state", 1],
      ["lane", 2],
    ],
  );
  const whole = new Decoder({ protocol: events });
  whole.push(stream);
  const types = whole.finish().snapshot.output.map(({ type }) => type);
  // In the order in which they were completed (R15).
  assert.deepEqual(types, ["agentwire.state", "agentwire.lane-start", "message"]);
});

test("an unknown form is rejected, and agentwire/reader supports only the own form of a protocol", () => {
  assert.throws(() => new Decoder({ protocol: "agent-api", as: "soap" }), {
    code: "wrong-option",
    message: /`as` is one of agent-api, agentscope, ag-kit/,
  });
  assert.throws(() => new ReaderDecoder({ protocol: "agent-api", as: "ag-kit" }), {
    code: "wrong-option",
    message: /whole toolkit/,
  });
  assert.equal(plain("ag-kit", encoder.encode("data: [DONE]\n\n")).report.losses, undefined);
});
