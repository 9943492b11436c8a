// The official Gemini client returns the chunks of random streams, whose parts, joined, equal those
// of the reader: `STREAMS` sets their number. Also the requests of `createRequest`, `nextRequest`
// and `submitToolResults`.
import assert from "node:assert/strict";
import { test } from "node:test";
import { GoogleGenAI } from "@google/genai";
import { convertRequest } from "agentwire";
import { createRequest, pendingToolCalls, read, submitToolResults } from "agentwire/gemini";
import { randomOf } from "../../support/random.mjs";

const STREAMS = Number(process.env.STREAMS ?? 100);
const PIECES = ["a", "", "é\n", "👨‍👩‍👧", '"\\', "\u2028"];

/** The chunks of a random response. */
function chunks(below) {
  const piece = () => PIECES[below(PIECES.length)];
  const part = () => {
    switch (below(8)) {
      case 0:
        return {
          functionCall: { name: "f", args: { [piece()]: piece() } },
          ...(below(2) === 0 && { thoughtSignature: "c2ln" }),
        };
      case 1:
        return { text: piece(), thoughtSignature: "c2ln" };
      case 2:
        return { inlineData: { mimeType: "image/png", data: "aQ==" } };
      case 3:
      case 4:
        return { text: piece(), thought: true };
      default:
        return { text: piece() };
    }
  };
  const count = 1 + below(20);
  return Array.from({ length: count }, (_, at) => ({
    candidates: [
      {
        content: { role: "model", parts: Array.from({ length: 1 + below(3) }, part) },
        ...(at + 1 === count && { finishReason: ["STOP", "MAX_TOKENS", "SAFETY"][below(3)] }),
      },
    ],
    usageMetadata: { promptTokenCount: 4, totalTokenCount: 4 + (below(2) === 0 ? 0 : at) },
    modelVersion: "m",
    responseId: "r",
  }));
}

/** Joins the texts that follow each other, as the documentation of thought signatures allows. */
function joined(parts) {
  const out = [];
  const isText = (part) =>
    part !== undefined && Object.keys(part).every((name) => name === "text" || name === "thought");
  for (const part of parts) {
    const last = out.at(-1);
    if (isText(part) && isText(last) && part.thought === last.thought) last.text += part.text;
    else out.push({ ...part });
  }
  return out;
}

const sse = (chunks) => chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join("");
const response = (body) => new Response(body, { headers: { "content-type": "text/event-stream" } });

test("random streams: the snapshot has the parts, texts and calls of the official client", async (t) => {
  t.mock.method(console, "warn", () => {});
  for (let seed = 1; seed <= STREAMS; seed++) {
    const body = sse(chunks(randomOf(seed)));
    t.mock.method(globalThis, "fetch", async () => response(body));
    const returned = [];
    const stream = await new GoogleGenAI({ apiKey: "x" }).models.generateContentStream({
      model: "m",
      contents: "x",
    });
    for await (const chunk of stream) returned.push(chunk);
    const { snapshot, report } = await read(response(body)).finished();
    assert.deepEqual(report.violations, [], `seed ${seed}`);
    const { content, finishReason } = structuredClone(snapshot.candidates[0]);
    const last = returned.at(-1);
    assert.deepEqual(
      content.parts,
      joined(returned.flatMap((chunk) => chunk.candidates[0].content.parts)),
      `seed ${seed}`,
    );
    const texts = content.parts
      .filter(({ thought }) => thought !== true)
      .map(({ text }) => text ?? "");
    assert.equal(
      texts.join(""),
      returned.map((chunk) => chunk.text ?? "").join(""),
      `seed ${seed}`,
    );
    const calls = content.parts.flatMap(({ functionCall }) => functionCall ?? []);
    assert.deepEqual(
      calls,
      returned.flatMap((chunk) => chunk.functionCalls ?? []),
      `seed ${seed}`,
    );
    assert.deepEqual(
      [finishReason, snapshot.usageMetadata, snapshot.responseId],
      [last.candidates[0].finishReason, last.usageMetadata, last.responseId],
      `seed ${seed}`,
    );
  }
});

test("requests: a text, a conversation with tool results, and a converted agent request", async () => {
  const url = "http://localhost/v1beta/models/m:streamGenerateContent?alt=sse";
  const asked = await createRequest(url, "Weather?", {
    generationConfig: { temperature: 0 },
  }).json();
  assert.deepEqual(asked, {
    generationConfig: { temperature: 0 },
    contents: [{ role: "user", parts: [{ text: "Weather?" }] }],
  });
  const parts = [
    { functionCall: { name: "f", args: { a: 1 } }, thoughtSignature: "c2ln" },
    { functionCall: { id: "i", name: "f", args: {} } },
  ];
  const { snapshot } = await read(
    response(sse([{ candidates: [{ content: { role: "model", parts }, finishReason: "STOP" }] }])),
  ).finished();
  const calls = pendingToolCalls(snapshot);
  assert.deepEqual(
    calls.map(({ id, name, arguments: args }) => [id, name, args]),
    [
      ["call-0-0", "f", { a: 1 }],
      ["i", "f", {}],
    ],
  );
  const { contents } = submitToolResults(asked, snapshot, {
    "call-0-0": { sunny: true },
    i: "rain",
  });
  assert.deepEqual(contents.slice(1), [
    { role: "model", parts },
    {
      role: "user",
      parts: [
        { functionResponse: { name: "f", response: { sunny: true } } },
        { functionResponse: { id: "i", name: "f", response: { output: "rain" } } },
      ],
    },
  ]);
  assert.throws(() => submitToolResults(asked, snapshot, {}), { code: "answer-missing" });
  const { request } = convertRequest(
    { model: "m", input: "hi" },
    { from: "responses", to: "gemini" },
  );
  assert.deepEqual(request.contents, [{ role: "user", parts: [{ text: "hi" }] }]);
});
