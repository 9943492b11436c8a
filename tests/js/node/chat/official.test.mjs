// The official OpenAI client folds random Chat Completions streams as the reader does: `STREAMS`
// sets their number. Also the requests of
// `createRequest`, `nextRequest` and `submitToolResults`.
import assert from "node:assert/strict";
import { test } from "node:test";
import { OpenAI } from "openai";
import { convertRequest } from "agentwire";
import {
  createRequest,
  nextRequest,
  pendingToolCalls,
  read,
  submitToolResults,
} from "agentwire/chat";
import { randomOf } from "../../support/random.mjs";

const STREAMS = Number(process.env.STREAMS ?? 100);
const PIECES = ["a", "", "é\n", "👨‍👩‍👧", '"\\', "\u2028"];

/** The chunks of a random completion. */
function chunks(random) {
  const chunk = (index, delta, more = {}) => ({
    id: "c",
    object: "chat.completion.chunk",
    created: 1,
    model: "m",
    choices: [{ index, delta, finish_reason: null, logprobs: null, ...more }],
  });
  const count = 1 + random(3);
  const out = [];
  for (let index = 0; index < count; index++)
    out.push(chunk(index, { role: "assistant", content: random(2) === 0 ? "" : null }));
  const calls = Array.from({ length: count }, () => 0);
  for (let step = random(30); step > 0; step--) {
    const [index, piece] = [random(count), PIECES[random(PIECES.length)]];
    const kind = random(4);
    if (kind === 0) {
      out.push(chunk(index, { content: piece }));
    } else if (kind === 1) {
      out.push(chunk(index, { refusal: piece }));
    } else if (kind === 2 || calls[index] === 0) {
      const at = calls[index]++;
      out.push(
        chunk(index, {
          tool_calls: [
            {
              index: at,
              id: `call_${index}_${at}`,
              type: "function",
              function: { name: "f", arguments: "" },
            },
          ],
        }),
      );
    } else {
      out.push(
        chunk(index, {
          tool_calls: [{ index: random(calls[index]), function: { arguments: piece } }],
        }),
      );
    }
  }
  for (let index = 0; index < count; index++)
    out.push(chunk(index, {}, { finish_reason: ["stop", "length", "tool_calls"][random(3)] }));
  out.push({
    ...chunk(0, {}),
    choices: [],
    usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
  });
  return out;
}

const sse = (events) =>
  [...events.map((event) => JSON.stringify(event)), "[DONE]"]
    .map((data) => `data: ${data}\n\n`)
    .join("");
const response = (body) => new Response(body, { headers: { "content-type": "text/event-stream" } });

test("random streams: the snapshot equals the completion of the official client", async () => {
  for (let seed = 1; seed <= STREAMS; seed++) {
    const body = sse(chunks(randomOf(seed)));
    const client = new OpenAI({ apiKey: "x", maxRetries: 0, fetch: async () => response(body) });
    const expected = await client.chat.completions
      .stream({ model: "m", messages: [{ role: "user", content: "x" }] })
      .finalChatCompletion();
    const { snapshot, report } = await read(response(body)).finished();
    assert.deepEqual(report.violations, [], `seed ${seed}`);
    const { status: _, ...held } = structuredClone(snapshot);
    assert.deepEqual(
      held,
      JSON.parse(JSON.stringify(expected, (key, value) => (key === "parsed" ? undefined : value))),
      `seed ${seed}`,
    );
  }
});

test("requests: a text, a conversation with tool results, and a converted agent request", async () => {
  const first = createRequest("http://localhost/v1/chat/completions", "Weather?", {
    model: "m",
    headers: { authorization: "Bearer k" },
  });
  assert.equal(first.headers.get("authorization"), "Bearer k");
  const asked = await first.json();
  assert.deepEqual(asked, {
    stream: true,
    stream_options: { include_usage: true },
    model: "m",
    messages: [{ role: "user", content: "Weather?" }],
  });
  const call = { id: "call_1", type: "function", function: { name: "f", arguments: "{}" } };
  const chunk = (delta, finish_reason = null) => ({
    id: "c",
    object: "chat.completion.chunk",
    choices: [{ index: 0, delta, finish_reason }],
  });
  const body = sse([
    chunk({ role: "assistant", content: null, tool_calls: [{ index: 0, ...call }] }),
    chunk({}, "tool_calls"),
  ]);
  const { snapshot } = await read(response(body)).finished();
  assert.deepEqual(
    pendingToolCalls(snapshot).map(({ id, name, arguments: input }) => [id, name, input]),
    [["call_1", "f", {}]],
  );
  const { messages } = submitToolResults(
    asked,
    snapshot,
    { call_1: { sunny: true } },
    { input: "And tomorrow?" },
  );
  assert.deepEqual(messages.slice(1), [
    { role: "assistant", content: null, tool_calls: [call] },
    { role: "tool", tool_call_id: "call_1", content: '{"sunny":true}' },
    { role: "user", content: "And tomorrow?" },
  ]);
  assert.throws(() => submitToolResults(asked, snapshot, {}), { code: "answer-missing" });
  assert.equal(nextRequest(asked, snapshot, "Well?").messages.at(-1).content, "Well?");
  assert.throws(() => createRequest("http://localhost", 5), { code: "wrong-argument" });
  const { request } = convertRequest(
    { model: "m", input: "hi" },
    { from: "responses", to: "chat" },
  );
  assert.deepEqual(request.messages, [{ role: "user", content: "hi" }]);
});
