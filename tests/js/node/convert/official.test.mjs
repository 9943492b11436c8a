// Every recorded stream, converted to AG-UI, through the official AG-UI client: it accepts each
// without an error or a warning, and yields the same snapshot.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Converter, Decoder } from "agentwire";
import { official } from "../../support/official_ag_ui.mjs";
import { cases } from "../support/cases.mjs";

const decoder = new TextDecoder();

function converted({ protocol, stream, options }) {
  const converter = new Converter({ ids: "numbered", from: protocol, to: "ag-ui", ...options });
  return decoder.decode(converter.push(stream)) + decoder.decode(converter.finish());
}

function ours(sse) {
  // The client parses numbers as JavaScript does.
  const reader = new Decoder({ protocol: "ag-ui", bigint: false });
  reader.push(new TextEncoder().encode(sse));
  const { messages, state, pendingInterrupts } = reader.finish().snapshot;
  return { messages, state, pendingInterrupts };
}

/**
 * Warnings of the client for events that are copied from AG-UI to itself: an unknown event, and a
 * call's other name.
 */
const KEPT = [/Dropping unrecognised event/, /already exists with name/];

for (const wanted of await cases()) {
  test(`the official client accepts ${wanted.protocol} ${wanted.name} converted to AG-UI`, async () => {
    const sse = converted(wanted);
    const { said, ...theirs } = await official(sse);
    const kept = wanted.protocol === "ag-ui" ? KEPT : [];
    assert.deepEqual(
      said.filter((words) => !kept.some((known) => known.test(words))),
      [],
      sse,
    );
    const own = ours(sse);
    // A client that has received no state has an object without members.
    const state = sse.includes('"STATE_SNAPSHOT"') ? own.state : (own.state ?? {});
    assert.deepEqual({ ...own, state }, theirs, sse);
  });
}
