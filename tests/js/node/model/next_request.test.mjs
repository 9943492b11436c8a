// One decision what waits, in the core and in the entry points of single protocols: the second
// request of `runTools` is that of
// `submitToolResults`, for every stream of the corpus with calls.
import assert from "node:assert/strict";
import { test } from "node:test";
import { read, toolCalls } from "agentwire";
import * as anthropic from "agentwire/anthropic";
import * as chat from "agentwire/chat";
import * as gemini from "agentwire/gemini";
import * as interactions from "agentwire/interactions";
import * as responses from "agentwire/responses";
import { respond, runTools } from "agentwire/server";
import { cases } from "../support/cases.mjs";

const ENTRIES = { anthropic, chat, gemini, interactions, responses };
/** The list of messages of each protocol. */
const MESSAGES = {
  anthropic: "messages",
  chat: "messages",
  gemini: "contents",
  interactions: "input",
  responses: "input",
};

const stream = (bytes) => new Response(bytes, { headers: { "content-type": "text/event-stream" } });

/** Runs the tools that a stream calls. Returns the requests to the model. */
async function requests(protocol, bytes, names) {
  const asked = [];
  const fetch = async (request) => {
    asked.push(JSON.parse(await request.text()));
    return stream(asked.length === 1 ? bytes : "");
  };
  const tools = Object.fromEntries(
    names.map((name) => [name, { execute: (_, { call }) => `result of ${call.name}` }]),
  );
  const request = {
    input: [{ role: "user", content: [{ type: "text", text: "Hi" }] }],
    ...(["responses", "interactions"].includes(protocol) && { store: false }),
  };
  const response = respond({}, { protocol: "agent-api", onError: () => {} }, (out) =>
    runTools(out, { protocol, key: "k", model: "m", request, tools, fetch }),
  );
  await response.text();
  return asked;
}

const textOf = (content) =>
  typeof content === "string" ? content : content.map(({ text }) => text).join("");

/** The calls of a request with their arguments, and the results by their calls. */
const ROUND = {
  anthropic: ({ messages }) => {
    const blocks = messages.flatMap(({ content }) => (typeof content === "string" ? [] : content));
    return [
      blocks
        .filter(({ type }) => type === "tool_use")
        .map(({ id, name, input }) => [id, name, input]),
      blocks
        .filter(({ type }) => type === "tool_result")
        .map(({ tool_use_id: id, content }) => [id, textOf(content)]),
    ];
  },
  chat: ({ messages }) => [
    messages.flatMap(({ tool_calls: calls = [] }) =>
      calls.map(({ id, function: called, custom }) => [
        id,
        (called ?? custom).name,
        called === undefined ? custom.input : JSON.parse(called.arguments || "{}"),
      ]),
    ),
    messages
      .filter(({ role }) => role === "tool")
      .map(({ tool_call_id: id, content }) => [id, textOf(content)]),
  ],
  gemini: ({ contents }) => {
    const parts = contents.flatMap((content) => content.parts);
    return [
      parts.flatMap(({ functionCall: call }) =>
        call === undefined ? [] : [[call.id, call.name, call.args ?? {}]],
      ),
      parts.flatMap(({ functionResponse: result }) =>
        result === undefined ? [] : [[result.id, result.name, result.response.output]],
      ),
    ];
  },
  interactions: ({ input }) => [
    input
      .filter(({ type }) => type === "function_call")
      .map(({ id, name, arguments: args }) => [id, name, args]),
    input
      .filter(({ type }) => type === "function_result")
      .map(({ call_id: id, result }) => [id, result]),
  ],
  responses: ({ input }) => [
    input
      .filter(({ type }) => type === "function_call" || type === "custom_tool_call")
      .map((call) => [call.call_id, call.name, call.input ?? JSON.parse(call.arguments || "{}")]),
    input
      .filter(({ type }) => type.endsWith("_call_output"))
      .map(({ call_id: id, output }) => [id, textOf(output)]),
  ],
};

const streams = (await cases()).filter(
  ({ protocol, ended, options }) =>
    protocol in ENTRIES && ended === "terminal" && Object.keys(options).length === 0,
);
let compared = 0;

for (const { protocol, name, stream: bytes } of streams) {
  const { snapshot } = await read(stream(bytes), { protocol }).finished();
  const pending = toolCalls(snapshot).filter(
    (call) => call.pending && call.id !== "" && call.kind === "call",
  );
  const ids = new Set(pending.map(({ id }) => id));
  // A call without a name can neither be run nor be sent back; calls with one id, and names that
  // the model has not been given, are renamed in the loop.
  const isUsual = (call) =>
    /^[\w.-]+$/.test(call.name) && call.id !== null && call.arguments !== undefined;
  if (pending.length === 0 || ids.size < pending.length || !pending.every(isUsual)) {
    continue;
  }
  compared++;
  test(`${protocol} ${name}: the loop and submitToolResults() send the same`, async () => {
    const [first, second] = await requests(
      protocol,
      bytes,
      pending.map((call) => call.name),
    );
    const results = Object.fromEntries(pending.map((call) => [call.id, `result of ${call.name}`]));
    const expected = ENTRIES[protocol].submitToolResults(first, snapshot, results);
    const round = ROUND[protocol](second);
    assert.equal(round[1].length, pending.length);
    assert.deepEqual(round, ROUND[protocol](JSON.parse(JSON.stringify(expected))));
    const list = MESSAGES[protocol];
    assert.deepEqual({ ...second, [list]: second[list].slice(0, first[list].length) }, first);
  });
}

test("streams of each protocol were compared", () => assert.ok(compared > 20, `${compared}`));
