// Random streams, and mutated streams of the corpus, through the official accumulator: its state is
// that of this package's reader, and each stream on which it throws has an error here. `PROGRAMS`
// sets the number of streams.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Decoder } from "agentwire";
import { Stream } from "openai/core/streaming";
import { ResponseStream } from "openai/lib/responses/ResponseStream";
import { cases } from "../support/cases.mjs";
import { randomOf } from "../../support/random.mjs";
import { generated, mutate } from "../../support/responses_streams.mjs";

const PROGRAMS = Number(process.env.PROGRAMS ?? 200);

/** Errors that the client accepts, and the reason why they are errors. */
const STRICTER = {
  truncated: "the client resolves as if nothing was missing, the one for Python does not (O15)",
  "member-type":
    "the client hands on whatever stands there; where a text belongs, a text stands here",
  "malformed-event":
    "an event without the member that it is about: the client passes it by, or writes `undefined` into a text",
};

/**
 * Members that the client adds to those of the stream, and the one that the reader adds: a partial
 * image.
 */
const ADDED = ["output_text", "output_parsed", "parsed", "parsed_arguments", "partial_image_b64"];

const types = (event) => event?.type ?? "";
const isEnd = (event) => /^response\.(completed|failed|incomplete)$/.test(types(event));

/**
 * An item changes after it is done, and the end does not list it: the client forgets the change,
 * the reader keeps it.
 */
function changesLate(events) {
  const done = new Set();
  let isLate = false;
  for (const event of events) {
    const { type, output_index: at } = event;
    isLate ||= done.has(at) && type !== "response.output_item.done";
    if (type === "response.output_item.done") done.add(at);
  }
  return isLate && events.some((event) => isEnd(event) && !Array.isArray(event.response?.output));
}

/**
 * A final value is empty: the client takes away what was streamed, the reader keeps it and reports
 * the difference.
 */
const KEPT = /^(?:0 bytes that|nothing for|an empty list|an item without the parts)/;
const keepsMore = ({ violations }) =>
  violations.some(
    ({ rule, actual }) => (rule === "done-differs" || rule === "output-lost") && KEPT.test(actual),
  );

/** Returns the value with members sorted by name; halves of characters are U+FFFD. */
function bare(value) {
  if (typeof value === "string") return Buffer.from(value).toString();
  if (Array.isArray(value)) return value.map(bare);
  if (value === null || typeof value !== "object") return value;
  const names = Object.keys(value).filter((name) => !ADDED.includes(name));
  return Object.fromEntries(names.sort().map((name) => [name, bare(value[name])]));
}

async function theirs(text) {
  const body = Stream.fromSSEResponse(
    new Response(text, { headers: { "content-type": "text/event-stream" } }),
    new AbortController(),
  );
  const runner = new ResponseStream(null);
  runner._run(() =>
    runner._createOrRetrieveResponse({ responses: { create: async () => body } }, {}, {}),
  );
  return runner.finalResponse().then(
    (final) => ({ final: JSON.parse(JSON.stringify(final)) }),
    ({ message }) => ({ error: message }),
  );
}

function ours(text) {
  const decoder = new Decoder({ protocol: "responses", bigint: false });
  decoder.push(new TextEncoder().encode(text));
  const { snapshot, report } = decoder.finish();
  const errors = report.violations
    .filter(({ severity }) => severity === "error")
    .map(({ rule }) => rule);
  return { snapshot: JSON.parse(JSON.stringify(snapshot)), report, errors };
}

const known = (await cases())
  .filter(({ path }) => path.includes("/responses/"))
  .map(({ stream }) => eventsOf(stream))
  .filter((events) => events.length > 0);

function eventsOf(stream) {
  const data = new TextDecoder().decode(stream).match(/^data: ?\{.*\}$/gm) ?? [];
  return data.flatMap((line) => {
    try {
      return [JSON.parse(line.replace(/^data: ?/, ""))];
    } catch {
      return [];
    }
  });
}

function written(events, random) {
  const end = random(5) === 0 ? "\r\n" : "\n";
  const isNamed = random(4) > 0;
  const frames = events.map((event) => {
    const name = isNamed && event.type ? `event: ${event.type}${end}` : "";
    return `${random(20) === 0 ? `: ping${end}${end}` : ""}${name}data: ${JSON.stringify(event)}${end}${end}`;
  });
  return frames.join("") + (random(3) === 0 ? `data: [DONE]${end}${end}` : "");
}

test("random streams: the snapshot equals that of the official accumulator, and streams it rejects have an error", async () => {
  const counts = { held: 0, refused: 0 };
  for (let program = 0; program < PROGRAMS; program++) {
    const random = randomOf(program);
    const events =
      program % 3 === 2 ? structuredClone(known[random(known.length)]) : generated(random);
    if (program % 3 === 2 || random(2) === 0) mutate(events, random, 1 + random(3));
    const text = written(events, random);
    const { snapshot, report, errors } = ours(text);
    // Events after the end are reported; the client does not have its items any more at that point.
    // Arguments as an object, which the client keeps as one, are a text here.
    if (
      report.violations.some(({ rule }) => rule === "after-end" || rule === "tool-arguments") ||
      keepsMore(report)
    )
      continue;
    const { final, error } = await theirs(text);
    const about = `program ${program}: ${error ?? ""} ${JSON.stringify(report.violations)}\n${text}`;
    if (error !== undefined) {
      // A Response object in place of an event is read as a whole answer; the client throws.
      const isWhole = report.violations.some(({ rule }) => rule === "whole-answer");
      assert.ok(
        isWhole || errors.some((rule) => rule !== "truncated") || report.endReason === "error",
        about,
      );
      counts.refused++;
      continue;
    }
    const stricter = errors.filter((rule) => rule !== "truncated");
    assert.ok(stricter.every((rule) => rule in STRICTER) && report.endReason !== "error", about);
    if (stricter.length > 0 || changesLate(events)) continue;
    assert.deepEqual(bare(snapshot), bare(final), about);
    counts.held++;
  }
  assert.ok(counts.held > PROGRAMS / 4 && counts.refused > PROGRAMS / 10, JSON.stringify(counts));
});
