// Compaction compared with the official client's: the same snapshot, which the official one does
// not keep for each stream.
import assert from "node:assert/strict";
import { test } from "node:test";
import { compactEvents as official } from "@ag-ui/client";
import { Decoder, EventDecoder, stringifyJson } from "agentwire";
import { compactAgUiEvents } from "agentwire/server";
import { cases } from "../support/cases.mjs";

function eventsOf(stream, options) {
  const decoder = new EventDecoder({ protocol: "ag-ui", framing: options.framing });
  return [...decoder.push(stream), ...decoder.finish()].flatMap(({ event }) => event ?? []);
}

function answerOf(events, { messages, state }) {
  const decoder = new Decoder({ protocol: "ag-ui", messages, state });
  const encoder = new TextEncoder();
  for (const event of events) {
    decoder.push(encoder.encode(`data: ${stringifyJson(event)}\n\n`));
  }
  return decoder.finish().snapshot;
}

test("every recorded stream yields the same snapshot after compaction", async () => {
  let [before, after, kept, moved] = [0, 0, 0, 0];
  for (const { path, protocol, options, stream, violations } of await cases()) {
    if (protocol !== "ag-ui") {
      continue;
    }
    const events = eventsOf(stream, options);
    const fewer = compactAgUiEvents(events);
    const expected = answerOf(events, options);
    assert.deepEqual(answerOf(fewer, options), expected, path);
    before += events.length;
    after += fewer.length;
    // The official client only accepts valid streams.
    if (JSON.parse(violations).length === 0) {
      const { messages, state } = answerOf(official(events), options);
      const isKept =
        stringifyJson([messages, state]) === stringifyJson([expected.messages, expected.state]);
      kept += Number(isKept);
      moved += Number(!isKept);
    }
  }
  assert.ok(after < before, `${before} events became ${after}`);
  // The official client changes at least one snapshot, so the comparison is meaningful.
  assert.ok(kept > 30 && moved > 0, `the official compaction keeps ${kept} and changes ${moved}`);
});

test("a long log of deltas becomes a short one", () => {
  const run = { threadId: "t", runId: "r" };
  const events = [
    { type: "RUN_STARTED", ...run },
    { type: "STATE_SNAPSHOT", snapshot: { steps: [] } },
    { type: "TEXT_MESSAGE_START", messageId: "m" },
    ...Array.from({ length: 100 }, (_, at) => [
      { type: "TEXT_MESSAGE_CONTENT", messageId: "m", delta: `${at} `, timestamp: at },
      { type: "STATE_DELTA", delta: [{ op: "add", path: "/steps/-", value: at }] },
    ]).flat(),
    { type: "TEXT_MESSAGE_END", messageId: "m" },
    { type: "RUN_FINISHED", ...run },
  ];
  const fewer = compactAgUiEvents(events);
  assert.equal(fewer.length, 6);
  assert.ok(fewer.length <= official(events).length);
  assert.deepEqual(answerOf(fewer, {}), answerOf(events, {}));
});

test("a value that is not a list of events is rejected", () => {
  assert.throws(() => compactAgUiEvents("no list"), { code: "wrong-argument" });
});
