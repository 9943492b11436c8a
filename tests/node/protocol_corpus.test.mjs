// The readers of one protocol, all in this process: each reads its own streams.
import assert from "node:assert/strict";
import { test } from "node:test";
import * as agKit from "agentwire/ag-kit";
import * as agentApi from "agentwire/agent-api";
import { cases } from "./cases.mjs";
import { complaints } from "./corpus.mjs";

const entries = { "ag-kit": agKit, "agent-api": agentApi };

for (const wanted of await cases()) {
  const entry = entries[wanted.protocol];
  // What is no stream of one protocol is what the reader of all is for.
  test(`agentwire/${wanted.protocol} reads ${wanted.name} however it is cut`, { skip: entry === undefined }, () => {
    assert.deepEqual(complaints(entry, { ...wanted, only: true }), []);
  });
}
