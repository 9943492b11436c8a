// The readers of one protocol, all in this process: each reads its own streams, with EVERY_CASE all
// of them. A build for tests has one module under all of these names; a release has one for each,
// and
// `cargo xtask test release` reads every case.
import assert from "node:assert/strict";
import { test } from "node:test";
import * as a2a from "agentwire/a2a";
import * as agKit from "agentwire/ag-kit";
import * as agUi from "agentwire/ag-ui";
import * as agentApi from "agentwire/agent-api";
import * as agentscope from "agentwire/agentscope";
import * as aiSdk from "agentwire/ai-sdk";
import * as anthropic from "agentwire/anthropic";
import * as chat from "agentwire/chat";
import * as gemini from "agentwire/gemini";
import * as interactions from "agentwire/interactions";
import * as responses from "agentwire/responses";
import { cases, distinctCases } from "../support/cases.mjs";
import { complaints } from "../support/corpus.mjs";

const entries = {
  a2a,
  "ai-sdk": aiSdk,
  "ag-kit": agKit,
  "ag-ui": agUi,
  "agent-api": agentApi,
  agentscope,
  anthropic,
  chat,
  gemini,
  interactions,
  responses,
};

// The module of one protocol does not recognize the others: `unknown-protocol` is a rule of those
// that have several. It does not contain the binary form either, see
// `ag_ui/binary_entry_points.test.mjs`.
const isRead = ({ name, options }) =>
  name !== "other_protocol" && options.framing !== "length-prefixed";
const chosen = await (process.env.EVERY_CASE ? cases() : distinctCases());
for (const wanted of chosen.filter(isRead)) {
  test(`agentwire/${wanted.protocol} reads ${wanted.name} at any chunk boundary`, () => {
    assert.ok(wanted.protocol in entries, `no entry is tested for ${wanted.protocol}`);
    assert.deepEqual(complaints(entries[wanted.protocol], { ...wanted, only: true }), []);
  });
}
