// The official client returns the events of random streams. What its documented loop joins of them
// equals the snapshot of the reader: `STREAMS` sets their number. Also the requests of
// `createRequest`, `nextRequest`, `submitToolResults` and `resumeRequest`, which the client sends.
import assert from "node:assert/strict";
import { test } from "node:test";
import { GoogleGenAI } from "@google/genai";
import { convertRequest } from "agentwire";
import {
  createRequest,
  nextRequest,
  pendingToolCalls,
  read,
  resumeRequest,
  submitToolResults,
} from "agentwire/interactions";
import { randomOf } from "../../support/random.mjs";

const STREAMS = Number(process.env.STREAMS ?? 100);
const PIECES = ["a", "", "é\n", "👨‍👩‍👧", '"\\', "\u2028"];
const URL = "http://localhost/v1beta/interactions";

/** The events of a random interaction. */
function events(below) {
  const piece = () => PIECES[below(PIECES.length)];
  const many = (create) => Array.from({ length: below(4) }, create);
  const step = (index, first, deltas) => [
    { index, step: first, event_type: "step.start" },
    ...deltas.map((delta) => ({ index, delta, event_type: "step.delta" })),
    { index, event_type: "step.stop" },
  ];
  const random = (index) => {
    switch (below(5)) {
      case 0:
        return step(index, { type: "thought" }, [
          ...many(() => ({ content: { type: "text", text: piece() }, type: "thought_summary" })),
          { signature: `s${index}`, type: "thought_signature" },
        ]);
      case 1: {
        const text = JSON.stringify({ [piece()]: piece() });
        const cut = below(text.length);
        const pieces = below(2) === 0 ? [text] : [text.slice(0, cut), text.slice(cut)];
        return step(
          index,
          { type: "function_call", id: `c${index}`, name: "f", arguments: {} },
          pieces.map((part) => ({ arguments: part, type: "arguments_delta" })),
        );
      }
      case 2:
        return step(index, { type: "google_search_call", id: `c${index}`, signature: "" }, [
          { type: "google_search_call", arguments: { queries: [piece()] }, signature: `s${index}` },
        ]);
      case 3:
        return step(index, { type: "google_search_result", call_id: `c${index}` }, [
          { type: "google_search_result", result: [{ search_suggestions: piece() }] },
        ]);
      default:
        return step(
          index,
          { type: "model_output" },
          many(() =>
            below(4) === 0
              ? { type: "image", mime_type: "image/png", data: "aQ==" }
              : { type: "text", text: piece() },
          ),
        );
    }
  };
  const head = { id: "v1_a", object: "interaction", model: "m" };
  const status = ["completed", "requires_action", "incomplete"][below(3)];
  return [
    { interaction: { ...head, status: "in_progress" }, event_type: "interaction.created" },
    ...Array.from({ length: below(8) }, (_, index) => random(index)).flat(),
    {
      interaction: { ...head, status, usage: { total_tokens: below(100) } },
      event_type: "interaction.completed",
    },
  ];
}

/** Joins the events, as the documentation of the API does. */
function joined(returned) {
  const steps = [];
  let interaction = {};
  const append = (list, text) => {
    if (list.at(-1)?.type === "text") list.at(-1).text += text;
    else list.push({ type: "text", text });
  };
  for (const event of returned) {
    interaction = { ...interaction, ...event.interaction };
    if (event.event_type === "step.start") steps.push(structuredClone(event.step));
    if (event.event_type !== "step.delta") continue;
    const { delta } = event;
    const step = steps[event.index];
    switch (delta.type) {
      case "text":
        append((step.content ??= []), delta.text);
        break;
      case "image":
        (step.content ??= []).push(delta);
        break;
      case "thought_summary":
        append((step.summary ??= []), delta.content.text);
        break;
      case "thought_signature":
        step.signature = delta.signature;
        break;
      case "arguments_delta":
        step.partial_arguments = (step.partial_arguments ?? "") + delta.arguments;
        step.arguments = undefined;
        break;
      default:
        Object.assign(step, delta);
    }
  }
  for (const step of steps) {
    if (step.partial_arguments !== undefined) step.arguments = JSON.parse(step.partial_arguments);
  }
  return { ...interaction, steps };
}

const sse = (list) =>
  `${list.map((event) => `event: ${event.event_type}\ndata: ${JSON.stringify(event)}\n\n`).join("")}event: done\ndata: [DONE]\n\n`;
const response = (body) => new Response(body, { headers: { "content-type": "text/event-stream" } });
const client = () => new GoogleGenAI({ apiKey: "key", apiVersion: "v1beta" }).interactions;

test("random streams: the snapshot is what the events of the official client make", async (t) => {
  for (let seed = 1; seed <= STREAMS; seed++) {
    const body = sse(events(randomOf(seed)));
    t.mock.method(globalThis, "fetch", async () => response(body));
    const returned = [];
    const stream = await client().create({ model: "m", input: "x", stream: true });
    for await (const event of stream) returned.push(event);
    const { snapshot, report } = await read(response(body)).finished();
    assert.deepEqual(report.violations, [], `seed ${seed}`);
    assert.deepEqual(structuredClone(snapshot), joined(returned), `seed ${seed}`);
  }
});

/** Returns the request that the official client sends. */
async function sent(t, call) {
  let asked;
  t.mock.method(globalThis, "fetch", async (url, init) => {
    asked = url instanceof Request ? url : new Request(url, init);
    return response(sse([]));
  });
  for await (const _ of await call(client()));
  const { method, headers } = asked;
  const address = new globalThis.URL(asked.url);
  return {
    method,
    path: address.pathname,
    query: Object.fromEntries(address.searchParams),
    key: headers.get("x-goog-api-key"),
    body: method === "GET" ? undefined : await asked.json(),
  };
}

test("requests are those of the official client", async (t) => {
  const steps = [{ type: "user_input", content: [{ type: "text", text: "Hi" }] }];
  const body = { model: "m", input: steps, stream: true };
  const official = await sent(t, (interactions) => interactions.create(body));
  const own = createRequest(URL, steps, { model: "m", headers: { "x-goog-api-key": "key" } });
  assert.deepEqual(await own.json(), official.body);
  assert.deepEqual(
    [own.method, new globalThis.URL(own.url).pathname, own.headers.get("x-goog-api-key")],
    [official.method, official.path, official.key],
  );
  const resumed = await sent(t, (interactions) =>
    interactions.get("v1_a", { stream: true, last_event_id: "e/1" }),
  );
  const again = resumeRequest(`${URL}?a=b`, { id: "v1_a", last_event_id: "e/1" });
  const { pathname, searchParams } = new globalThis.URL(again.url);
  assert.deepEqual([again.method, pathname], [resumed.method, resumed.path]);
  assert.deepEqual(Object.fromEntries(searchParams), { a: "b", ...resumed.query });
  assert.throws(() => resumeRequest(URL, { id: "" }), { code: "wrong-argument" });
});

test("the next request: stored, or with all steps and their signatures", async () => {
  const steps = [
    { type: "thought", signature: "s", summary: [{ type: "text", text: "hm" }] },
    { type: "google_search_call", id: "g", signature: "t", arguments: { queries: ["q"] } },
    { type: "google_search_result", call_id: "g", signature: "u", result: [] },
    { type: "function_call", id: "c", name: "f", arguments: { a: 1 } },
  ];
  const whole = { id: "v1_a", status: "requires_action", model: "m", object: "interaction", steps };
  const { snapshot } = await read(response(`data: ${JSON.stringify(whole)}\n\n`)).finished();
  assert.deepEqual(
    pendingToolCalls(snapshot).map(({ id, name, arguments: input }) => [id, name, input]),
    [["c", "f", { a: 1 }]],
  );
  const result = { type: "function_result", call_id: "c", name: "f", result: "21" };
  const asked = { model: "m", input: "Hi", tools: [] };
  assert.deepEqual(submitToolResults(asked, snapshot, { c: 21 }), {
    ...asked,
    previous_interaction_id: "v1_a",
    input: [result],
  });
  const input = [{ type: "user_input", content: [{ type: "text", text: "Hi" }] }, ...steps];
  assert.deepEqual(submitToolResults({ ...asked, store: false }, snapshot, { c: 21 }), {
    ...asked,
    store: false,
    input: [...input, result],
  });
  const next = nextRequest(
    { model: "m", input: [{ type: "text", text: "Hi" }], store: false },
    snapshot,
    "And?",
  );
  assert.deepEqual(next.input, [
    ...input,
    { type: "user_input", content: [{ type: "text", text: "And?" }] },
  ]);
});

test("the request of an agent becomes one of a model", () => {
  const request = {
    input: [
      { role: "user", content: [{ type: "text", text: "Weather?" }] },
      {
        type: "function_call",
        role: "assistant",
        content: [
          { type: "data", data: { call_id: "c", name: "weather", arguments: '{"city":"Oslo"}' } },
        ],
      },
      {
        type: "function_call_output",
        role: "tool",
        content: [{ type: "data", data: { call_id: "c", output: "18" } }],
      },
    ],
  };
  const converted = convertRequest(request, { from: "agent-api", to: "interactions" });
  assert.deepEqual(converted.request.input, [
    { type: "user_input", content: [{ type: "text", text: "Weather?" }] },
    { type: "function_call", id: "c", name: "weather", arguments: { city: "Oslo" } },
    { type: "function_result", call_id: "c", name: "weather", result: "18" },
  ]);
});
