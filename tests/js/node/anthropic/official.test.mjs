// The official Anthropic client folds random Messages streams as the reader does: `STREAMS` sets
// their number. Also the requests of
// `createRequest`, `nextRequest` and `submitToolResults`.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Anthropic } from "@anthropic-ai/sdk";
import { convertRequest } from "agentwire";
import {
  createRequest,
  nextRequest,
  pendingToolCalls,
  read,
  submitToolResults,
} from "agentwire/anthropic";
import { randomOf } from "../../support/random.mjs";

const STREAMS = Number(process.env.STREAMS ?? 100);
const PIECES = ["a", "", "é\n", "👨‍👩‍👧", '"\\', "\u2028"];

/** The events of a random message. */
function events(random) {
  const usage = { input_tokens: 9, output_tokens: 1 };
  const out = [
    {
      type: "message_start",
      message: {
        id: "m",
        type: "message",
        role: "assistant",
        model: "x",
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage,
      },
    },
  ];
  const open = [];
  const delta = (index, delta) => out.push({ type: "content_block_delta", index, delta });
  const stop = (at) => {
    const [{ index, kind, json }] = open.splice(at, 1);
    if (kind === "tool_use" && json > 0)
      delta(index, { type: "input_json_delta", partial_json: "]}" });
    out.push({ type: "content_block_stop", index });
  };
  let count = 0;
  for (let step = random(40); step > 0; step--) {
    const what = random(8);
    if (what === 0 && open.length > 0) {
      stop(random(open.length));
    } else if (what <= 2 || open.length === 0) {
      const kind = ["text", "thinking", "tool_use"][random(3)];
      const block = {
        text: { text: "" },
        thinking: { thinking: "", signature: "" },
        tool_use: { id: `t${count}`, name: "f", input: {} },
      }[kind];
      open.push({ index: count++, kind, json: 0 });
      out.push({
        type: "content_block_start",
        index: count - 1,
        content_block: { type: kind, ...block },
      });
    } else {
      const block = open[random(open.length)];
      const piece = PIECES[random(PIECES.length)];
      if (block.kind === "text" && what === 3) {
        delta(block.index, {
          type: "citations_delta",
          citation: { type: "char_location", cited_text: piece },
        });
      } else if (block.kind === "thinking" && what === 3) {
        delta(block.index, { type: "signature_delta", signature: piece });
      } else if (block.kind === "tool_use") {
        delta(block.index, {
          type: "input_json_delta",
          partial_json: (block.json++ === 0 ? '{"a":[' : ",") + JSON.stringify(piece),
        });
      } else {
        delta(
          block.index,
          block.kind === "text"
            ? { type: "text_delta", text: piece }
            : { type: "thinking_delta", thinking: piece },
        );
      }
    }
  }
  while (open.length > 0) stop(0);
  const reason = ["end_turn", "tool_use", "max_tokens"][random(3)];
  return [
    ...out,
    {
      type: "message_delta",
      delta: { stop_reason: reason, stop_sequence: null },
      usage: { output_tokens: count },
    },
    { type: "message_stop" },
  ];
}

const sse = (events) =>
  events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
const response = (body) => new Response(body, { headers: { "content-type": "text/event-stream" } });

test("random streams: the snapshot equals the message of the official client", async () => {
  for (let seed = 1; seed <= STREAMS; seed++) {
    const body = sse(events(randomOf(seed)).map((event) => event));
    const client = new Anthropic({ apiKey: "x", maxRetries: 0, fetch: async () => response(body) });
    const stream = client.messages.stream({
      model: "x",
      max_tokens: 9,
      messages: [{ role: "user", content: "x" }],
    });
    const expected = JSON.parse(
      JSON.stringify(await stream.finalMessage(), (key, value) =>
        key === "parsed_output" ? undefined : value,
      ),
    );
    const { snapshot, report } = await read(response(body)).finished();
    assert.deepEqual(report.violations, [], `seed ${seed}`);
    const { status: _, content, ...held } = structuredClone(snapshot);
    assert.deepEqual(
      { ...held, content: content.map(({ partial_json: _, ...block }) => block) },
      expected,
      `seed ${seed}`,
    );
  }
});

test("requests: a text, a conversation with tool results, and a converted agent request", async () => {
  const asked = await createRequest("http://localhost/v1/messages", "Weather?", {
    model: "m",
    maxTokens: 9,
  }).json();
  assert.deepEqual(asked, {
    model: "m",
    max_tokens: 9,
    stream: true,
    messages: [{ role: "user", content: "Weather?" }],
  });
  const head = {
    id: "m",
    type: "message",
    role: "assistant",
    model: "x",
    content: [],
    usage: { output_tokens: 1 },
  };
  const body = sse([
    { type: "message_start", message: head },
    {
      type: "content_block_start",
      index: 0,
      content_block: { type: "tool_use", id: "t", name: "f", input: {} },
    },
    {
      type: "content_block_delta",
      index: 0,
      delta: { type: "input_json_delta", partial_json: '{"a":1}' },
    },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: "tool_use" }, usage: { output_tokens: 2 } },
    { type: "message_stop" },
  ]);
  const { snapshot } = await read(response(body)).finished();
  assert.deepEqual(
    pendingToolCalls(snapshot).map(({ id, name, arguments: input }) => [id, name, input]),
    [["t", "f", { a: 1 }]],
  );
  const { messages } = submitToolResults(asked, snapshot, { t: { sunny: true } });
  assert.deepEqual(messages.slice(1), [
    { role: "assistant", content: [{ type: "tool_use", id: "t", name: "f", input: { a: 1 } }] },
    {
      role: "user",
      content: [{ type: "tool_result", tool_use_id: "t", content: '{"sunny":true}' }],
    },
  ]);
  assert.throws(() => submitToolResults(asked, snapshot, {}), { code: "answer-missing" });
  const { request } = convertRequest(
    { model: "m", input: "hi" },
    { from: "responses", to: "anthropic" },
  );
  assert.deepEqual(request.messages, [{ role: "user", content: [{ type: "text", text: "hi" }] }]);
});

test("a signed compaction replaces the messages before it, another one does not", () => {
  const request = {
    model: "m",
    compaction: { type: "summarize" },
    messages: [{ role: "user", content: "hi" }],
  };
  const after = (block, stopReason) =>
    nextRequest(request, { content: [block], stop_reason: stopReason }, "and?");
  const signed = { type: "compaction", content: "They said hi.", signature: "c2ln" };
  const next = { role: "user", content: "and?" };
  assert.deepEqual(after(signed, "compaction"), {
    model: "m",
    messages: [{ role: "assistant", content: [signed] }, next],
  });
  const unsigned = { type: "compaction", content: "They said hi.", encrypted_content: "ZQ==" };
  const failed = { type: "compaction", content: null };
  for (const [block, stopReason] of [
    [unsigned, "compaction"],
    [failed, "compaction"],
    [signed, "end_turn"],
  ]) {
    assert.deepEqual(after(block, stopReason), {
      ...request,
      messages: [...request.messages, { role: "assistant", content: [block] }, next],
    });
  }
});
