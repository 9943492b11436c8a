// The writer of single events: what a reader takes without a violation is written; anything else is
// refused and changes nothing.
import assert from "node:assert/strict";
import { test } from "node:test";
import * as agentwire from "agentwire";
import * as server from "agentwire/server";
import { cases } from "../support/cases.mjs";

const { AgentwireError, Decoder, EventDecoder, stringifyJson } = agentwire;
const { EventError, EventWriter } = server;
const agKit = () => new EventWriter({ protocol: "ag-kit" });

const refused = (rule) => (error) => {
  assert.ok(error instanceof EventError && error instanceof AgentwireError, String(error));
  assert.equal(error.code, "event-refused");
  assert.equal(error.violation.rule, rule);
  return true;
};

const encode = (text) => new TextEncoder().encode(text);

/** The options of a case that a writer has. */
const optionsOf = ({ protocol, options: { framing, ...options } }) => ({ protocol, ...options });

/** Returns the first violation that is more than a note, of a stream that is read to its end. */
function violationOf(wanted, stream) {
  const decoder = new Decoder(optionsOf(wanted));
  decoder.push(encode(stream));
  const { report } = decoder.finish();
  return report.violations.find(({ severity }) => severity !== "note");
}

let whole = 0;
let cut = 0;
for (const wanted of await cases()) {
  test(`${wanted.protocol} ${wanted.name} is written but for its violations`, () => {
    const decoder = new EventDecoder({ protocol: wanted.protocol, ...wanted.options });
    const entries = [...decoder.push(wanted.stream), ...decoder.finish()];
    const writer = new EventWriter(optionsOf(wanted));
    let stream = "";
    let refusals = 0;
    const take = (write) => {
      try {
        stream += write();
      } catch (error) {
        assert.ok(error instanceof EventError, String(error));
        assert.notEqual(error.violation.severity, "note");
        refusals++;
      }
    };
    for (const { kind, event, data } of entries) {
      if (kind !== "comment") {
        take(() => writer.write(event ?? data));
      }
    }
    const before = refusals;
    take(() => writer.finish());
    writer.free();
    cut += refusals > 0 ? 1 : 0;
    if (refusals === before) {
      assert.equal(violationOf(wanted, stream), undefined);
    }
    const original = new Decoder({ protocol: wanted.protocol, ...wanted.options });
    original.push(wanted.stream);
    const { snapshot, report } = original.finish();
    if (report.violations.every(({ severity }) => severity === "note")) {
      assert.equal(refusals, 0);
      const written = new Decoder(optionsOf(wanted));
      written.push(encode(stream));
      assert.equal(stringifyJson(written.finish().snapshot), stringifyJson(snapshot));
      whole++;
    }
  });
}

test("streams with and without violations were written", () => {
  assert.ok(whole >= 200 && cut >= 100, `${whole} ${cut}`);
});

test("a refused event changes nothing, and names the rule, the event and what is expected", () => {
  const writer = agKit();
  const event = { type: "tool-call-args", toolCallId: "c", delta: "{}" };
  assert.throws(
    () => writer.write(event),
    (error) => {
      refused("call-not-started")(error);
      assert.equal(error.event, event);
      assert.equal(error.violation.event, 0);
      assert.equal(error.violation.messageId, "c");
      assert.match(error.message, /^call-not-started: the event was not written: got /);
      return true;
    },
  );
  let stream = writer.write({ type: "tool-call-start", toolCallId: "c", toolCallName: "f" });
  for (const wrong of ["", "{", '{"type":"text"}', { type: "text", content: 5 }, [event]]) {
    assert.throws(() => writer.write(wrong), EventError);
  }
  assert.throws(() => writer.finish(), refused("call-not-ended"));
  stream += writer.write(event);
  stream += writer.write({ type: "tool-call-end", toolCallId: "c" });
  stream += writer.finish();
  assert.equal(
    stream,
    [
      'data: {"type":"tool-call-start","toolCallId":"c","toolCallName":"f"}\n\n',
      'data: {"type":"tool-call-args","toolCallId":"c","delta":"{}"}\n\n',
      'data: {"type":"tool-call-end","toolCallId":"c"}\n\n',
      "data: [DONE]\n\n",
    ].join(""),
  );
  assert.throws(() => writer.write(event), { code: "finished" });
  assert.throws(() => writer.finish(), { code: "finished" });
});

test("an event after the end marker is refused", () => {
  const writer = agKit();
  assert.equal(writer.write("[DONE]"), "data: [DONE]\n\n");
  assert.throws(() => writer.write({ type: "text", content: "a" }), refused("after-done"));
  assert.equal(writer.finish(), "");
});

test("an event of another protocol is refused", () => {
  const writer = agKit();
  assert.throws(
    () => writer.write({ id: "c", object: "chat.completion.chunk", choices: [] }),
    refused("unknown-protocol"),
  );
  assert.equal(
    writer.write({ type: "text", content: "a" }),
    'data: {"type":"text","content":"a"}\n\n',
  );
  writer.free();
  assert.throws(() => writer.write({ type: "text", content: "a" }), { code: "freed" });
});

test("an event above a limit is refused", () => {
  const writer = new EventWriter({ protocol: "ag-kit", limits: { eventBytes: 100 } });
  const text = (length) => ({ type: "text", content: "x".repeat(length) });
  assert.throws(() => writer.write(text(100)), refused("limit-exceeded"));
  assert.ok(writer.write(text(10)));
});

test("the framing is that of the protocol, or lines", () => {
  const event = { type: "response.created", sequence_number: 0, response: { id: "r" } };
  const json = JSON.stringify(event);
  const named = new EventWriter({ protocol: "responses" });
  assert.equal(named.write(event), `event: response.created\ndata: ${json}\n\n`);
  const lines = new EventWriter({ protocol: "responses", framing: "ndjson" });
  assert.equal(lines.write(`${JSON.stringify(event, null, 2)}\n`), `${json}\n`);
});

test("options are checked", () => {
  assert.throws(() => new EventWriter({}), { code: "wrong-option" });
  assert.throws(() => new EventWriter({ protocol: "auto" }), { code: "wrong-option" });
  assert.throws(() => new EventWriter({ protocol: "telegraph" }), { code: "unknown-protocol" });
  assert.throws(() => new EventWriter({ protocol: "ag-kit", name: "x" }), { code: "wrong-option" });
});
