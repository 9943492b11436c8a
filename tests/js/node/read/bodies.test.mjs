// Bodies that are not streams of events of the protocol: whole answers, lists of events, errors in
// other forms, pages.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Converter, Decoder, PROTOCOLS, read } from "agentwire";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

function outcome(text, protocol) {
  const reader = new Decoder({ protocol });
  reader.push(encoder.encode(text));
  return reader.finish();
}

function converted(text, from, to = "ag-ui") {
  const converter = new Converter({ from, to });
  return decoder.decode(converter.push(encoder.encode(text))) + decoder.decode(converter.finish());
}

const WHOLE = {
  chat: {
    id: "c",
    object: "chat.completion",
    created: 1,
    model: "m",
    choices: [
      { index: 0, message: { role: "assistant", content: "Hello" }, finish_reason: "stop" },
    ],
  },
  anthropic: {
    id: "m",
    type: "message",
    role: "assistant",
    model: "m",
    content: [{ type: "text", text: "Hello" }],
    stop_reason: "end_turn",
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  },
  gemini: {
    candidates: [
      { content: { role: "model", parts: [{ text: "Hello" }] }, finishReason: "STOP", index: 0 },
    ],
  },
  interactions: {
    id: "i",
    status: "completed",
    steps: [{ type: "model_output", content: [{ type: "text", text: "Hello" }] }],
    object: "interaction",
    model: "m",
  },
  responses: {
    id: "r",
    object: "response",
    created_at: 1,
    status: "completed",
    model: "m",
    output: [
      {
        type: "message",
        id: "m",
        role: "assistant",
        status: "completed",
        content: [{ type: "output_text", text: "Hello", annotations: [] }],
      },
    ],
  },
  a2a: {
    jsonrpc: "2.0",
    id: 1,
    result: {
      kind: "task",
      id: "t",
      contextId: "c",
      status: { state: "completed" },
      artifacts: [{ artifactId: "a", parts: [{ kind: "text", text: "Hello" }] }],
    },
  },
  "agent-api": {
    object: "response",
    status: "completed",
    id: "r",
    session_id: "s",
    output: [
      {
        object: "message",
        status: "completed",
        id: "m",
        type: "message",
        role: "assistant",
        content: [{ object: "content", type: "text", index: 0, text: "Hello" }],
      },
    ],
  },
  "ag-ui": [
    { type: "RUN_STARTED", threadId: "t", runId: "r" },
    { type: "TEXT_MESSAGE_START", messageId: "m", role: "assistant" },
    { type: "TEXT_MESSAGE_CONTENT", messageId: "m", delta: "Hello" },
    { type: "TEXT_MESSAGE_END", messageId: "m" },
    { type: "RUN_FINISHED", threadId: "t", runId: "r" },
  ],
  agentscope: [
    { type: "REPLY_START", session_id: "s", reply_id: "r", name: "n" },
    { type: "TEXT_BLOCK_START", reply_id: "r", block_id: "t" },
    { type: "TEXT_BLOCK_DELTA", reply_id: "r", block_id: "t", delta: "Hello" },
    { type: "TEXT_BLOCK_END", reply_id: "r", block_id: "t" },
    { type: "REPLY_END", session_id: "s", reply_id: "r" },
  ],
  "ag-kit": [{ type: "text", content: "Hello" }],
  "ai-sdk": [
    { type: "start", messageId: "m" },
    { type: "text-start", id: "t" },
    { type: "text-delta", id: "t", delta: "Hello" },
    { type: "text-end", id: "t" },
    { type: "finish" },
  ],
};

test("a whole answer of each protocol is read and converted, also without its protocol", async () => {
  assert.deepEqual(Object.keys(WHOLE).sort(), [...PROTOCOLS].sort());
  for (const [protocol, answer] of Object.entries(WHOLE)) {
    for (const text of [
      JSON.stringify(answer),
      JSON.stringify(answer, null, 2),
      `data: ${JSON.stringify(answer)}\n\n`,
    ]) {
      const { snapshot, report } = outcome(text, protocol);
      assert.ok(
        JSON.stringify(snapshot).includes('"Hello"'),
        `${protocol}: ${JSON.stringify(snapshot)}`,
      );
      // The Agent API requires the events before the last one.
      const errors = report.violations.filter(({ severity }) => severity === "error");
      assert.ok(
        errors.length === 0 || protocol === "agent-api",
        `${protocol}: ${JSON.stringify(errors)}`,
      );
      const detected = await read(new Response(text).body, { protocol: "auto" }).finished();
      assert.deepEqual(detected.snapshot, snapshot, protocol);
      // A list of AG-Kit has no `[DONE]`: the stream is not complete.
      const end = protocol === "ag-kit" ? "RUN_ERROR.*incomplete" : "RUN_FINISHED";
      assert.match(
        converted(text, protocol),
        new RegExp(`"type":"TEXT_MESSAGE_CONTENT".*"delta":"Hello"[^]*${end}`),
        protocol,
      );
    }
  }
});

test("the message of an error in another form reaches the answer and its conversion", () => {
  for (const protocol of PROTOCOLS) {
    for (const text of [
      '{"error":{"message":"quota exceeded","code":"insufficient_quota"}}',
      '{\n  "detail": "quota exceeded"\n}\n',
      'event: error\ndata: {"message":"quota exceeded"}\n\n',
      "event: error\ndata: quota exceeded\n\n",
      "<html>quota exceeded</html>",
    ]) {
      const { snapshot } = outcome(text, protocol);
      assert.ok(JSON.stringify(snapshot).includes("quota exceeded"), `${protocol}: ${text}`);
      assert.match(
        converted(text, protocol).split("\n\n").at(-2),
        /RUN_ERROR.*quota exceeded/,
        `${protocol}: ${text}`,
      );
    }
  }
});
