// `ai` 6 against this package; tests/js/official_clients/more does the same with `ai` 7. Also the
// requests of `createRequest` and related functions.
import assert from "node:assert/strict";
import { test } from "node:test";
import * as ai from "ai";
import { Converter, convertRequest, read as readAny } from "agentwire";
import {
  connect,
  createRequest,
  nextRequest,
  pendingToolCalls,
  read,
  resume,
  submitToolResults,
  toolCalls,
} from "agentwire/ai-sdk";
import { createHandler } from "agentwire/server";
import { fold, uiTests } from "../../support/ai_ui.mjs";
import { randomOf } from "../../support/random.mjs";

uiTests(test, ai, 6);

const STREAMS = Number(process.env.STREAMS ?? 100);
const PIECES = ["a", "", "é\n", "👨‍👩‍👧", '"\\', "\u2028"];
const sse = (chunks) =>
  [...chunks.map((chunk) => JSON.stringify(chunk)), "[DONE]"]
    .map((data) => `data: ${data}\n\n`)
    .join("");
const response = (body) => new Response(body, { headers: { "content-type": "text/event-stream" } });

/** The chunks of a random message. */
function chunks(random) {
  const below = (most) => Math.floor(random() * most);
  const pick = (list) => list[below(list.length)];
  const out = [
    { type: "start", messageId: "m", messageMetadata: { a: { b: below(9) } } },
    { type: "start-step" },
  ];
  const open = [];
  let count = 0;
  const end = (at) => {
    const [{ kind, id, json }] = open.splice(at, 1);
    if (kind !== "tool") {
      out.push({ type: `${kind}-end`, id });
    } else if (below(5) === 0) {
      out.push({ type: "tool-output-error", toolCallId: id, errorText: "failed" });
    } else {
      out.push({
        type: "tool-input-available",
        toolCallId: id,
        toolName: "f",
        input: JSON.parse(`${json || "["}]`),
      });
      if (below(3) > 0)
        out.push({
          type: "tool-output-available",
          toolCallId: id,
          output: pick([null, "o", { a: [1] }]),
          ...(below(4) === 0 && { preliminary: true }),
        });
    }
  };
  for (let step = below(40); step > 0; step--) {
    const what = below(10);
    if (what === 0) {
      while (open.length > 0) end(0);
      out.push({ type: "finish-step" }, { type: "start-step" });
    } else if (what === 1 && open.length > 0) {
      end(below(open.length));
    } else if (what === 2) {
      out.push(
        pick([
          { type: "data-x", id: `d${below(2)}`, data: below(9) },
          { type: "file", url: "https://example.com/a.png", mediaType: "image/png" },
          { type: "message-metadata", messageMetadata: { a: { c: below(9) } } },
        ]),
      );
    } else if (what <= 4 || open.length === 0) {
      const kind = pick(["text", "reasoning", "tool"]);
      const id = `i${count++}`;
      open.push({ kind, id, json: "" });
      out.push(
        kind === "tool"
          ? { type: "tool-input-start", toolCallId: id, toolName: "f" }
          : { type: `${kind}-start`, id },
      );
    } else {
      const part = pick(open);
      const piece = pick(PIECES);
      if (part.kind === "tool") {
        const inputTextDelta = (part.json === "" ? "[" : ",") + JSON.stringify(piece);
        part.json += inputTextDelta;
        out.push({ type: "tool-input-delta", toolCallId: part.id, inputTextDelta });
      } else {
        out.push({ type: `${part.kind}-delta`, id: part.id, delta: piece });
      }
    }
  }
  while (open.length > 0) end(0);
  return [
    ...out,
    { type: "finish-step" },
    { type: "finish", finishReason: "stop", messageMetadata: { usage: { totalTokens: 3 } } },
  ];
}

test("random streams: the snapshot equals the message of the official client", async () => {
  for (let seed = 1; seed <= STREAMS; seed++) {
    const body = sse(chunks(randomOf(seed)));
    const { message, errors } = await fold(ai, async () => response(body));
    const { snapshot, report } = await read(response(body)).finished();
    const { status, finishReason, ...held } = snapshot;
    assert.deepEqual(
      [errors, status, finishReason, report.violations],
      [[], "completed", "stop", []],
      `seed ${seed}`,
    );
    assert.deepEqual(held, message, `seed ${seed}`);
  }
});

test("a stream of another protocol is read as a UIMessage", async () => {
  const events = ['{"type":"text","content":"Hello"}', "[DONE]"];
  const run = readAny(response(events.map((data) => `data: ${data}\n\n`).join("")), {
    protocol: "ag-kit",
    as: "ai-sdk",
  });
  const { snapshot } = await run.finished();
  assert.deepEqual(
    snapshot.parts.filter(({ type }) => type === "text"),
    [{ type: "text", state: "done", text: "Hello" }],
  );
});

test("`__proto__` in a stream of another protocol does not stop the client", async () => {
  const converter = new Converter({ from: "ag-ui", to: "ai-sdk" });
  const events = [
    '{"type":"RUN_STARTED","threadId":"t","runId":"r"}',
    '{"type":"CUSTOM","name":"x","value":{"__proto__":{"a":1},"b":2}}',
    '{"type":"TEXT_MESSAGE_START","messageId":"m","role":"assistant"}',
    '{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"Hi"}',
    '{"type":"TEXT_MESSAGE_END","messageId":"m"}',
    '{"type":"RUN_FINISHED","threadId":"t","runId":"r"}',
  ];
  const body = Buffer.concat([
    converter.push(Buffer.from(events.map((data) => `data: ${data}\n\n`).join(""))),
    converter.finish(),
  ]);
  const { message, errors } = await fold(ai, async () => response(body));
  assert.deepEqual(errors, []);
  assert.deepEqual(message.parts.slice(1), [
    { type: "data-x", data: { b: 2 } },
    { type: "text", text: "Hi", state: "done" },
  ]);
});

test("the next request contains the conversation and the results of client tools", async () => {
  const first = await createRequest("http://localhost/api/chat", "Paint it.", {
    chatId: "c",
  }).json();
  const [{ id, ...message }] = first.messages;
  assert.ok(id);
  assert.deepEqual(
    [first.id, first.trigger, message],
    ["c", "submit-message", { role: "user", parts: [{ type: "text", text: "Paint it." }] }],
  );
  const call = [
    { type: "start", messageId: "m" },
    { type: "tool-input-available", toolCallId: "x", toolName: "paint", input: { color: "teal" } },
    { type: "tool-input-available", toolCallId: "y", toolName: "delete", input: {} },
    { type: "tool-approval-request", approvalId: "q", toolCallId: "y" },
    { type: "finish", finishReason: "tool-calls" },
  ];
  const { snapshot } = await read(response(sse(call))).finished();
  assert.deepEqual(
    pendingToolCalls(snapshot).map(({ kind, id }) => [kind, id]),
    [
      ["call", "x"],
      ["approval", "q"],
    ],
  );
  assert.deepEqual(toolCalls(snapshot)[0].arguments, { color: "teal" });
  const next = submitToolResults(
    first,
    snapshot,
    { x: { painted: true } },
    { decisions: { q: true } },
  );
  const parts = next.messages.at(-1).parts;
  assert.deepEqual(
    [parts[0].state, parts[0].output, parts[1].state, parts[1].approval],
    ["output-available", { painted: true }, "approval-responded", { id: "q", approved: true }],
  );
  assert.throws(() => resume(first, snapshot, { q: true }), { code: "answer-missing" });
  assert.equal(nextRequest(first, snapshot, "And?").messages.length, 3);
});

test("connect() holds a conversation with createHandler()", async () => {
  const bodies = [];
  const handler = createHandler({
    protocols: ["ai-sdk"],
    agent: (out, request) => out.text(`${request.messages.length}`),
  });
  const agent = connect("http://localhost/api/chat", {
    fetch: async (request) => {
      bodies.push(await request.clone().json());
      return handler(request);
    },
  });
  for (const text of ["one", "two"]) await agent.send(text).finished();
  assert.equal(bodies[0].id, bodies[1].id);
  assert.deepEqual(
    bodies[1].messages.map(({ role }) => role),
    ["user", "assistant", "user"],
  );
});

test("convertRequest() converts a request to that of a model API", () => {
  const { request } = convertRequest(
    { id: "c", messages: [{ role: "user", parts: [{ type: "text", text: "hi" }] }], model: "m" },
    { from: "ai-sdk", to: "chat" },
  );
  assert.deepEqual(request.messages, [{ role: "user", content: "hi" }]);
});
