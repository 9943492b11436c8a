// Random streams, and mutated streams of the corpus, through AG-UI's official client: its state is
// that of this package's reader, and the event that it refuses is that of the first error here. As
// text with every kind of line end, and in binary form. `PROGRAMS` sets the number of streams.
import assert from "node:assert/strict";
import { test } from "node:test";
import { encode } from "@ag-ui/proto";
import { Decoder } from "agentwire";
import { cases } from "../support/cases.mjs";
import { generated, mutate } from "../../support/ag_ui_streams.mjs";
import { officialByFrames } from "../../support/official_ag_ui.mjs";
import { randomOf } from "../../support/random.mjs";

const PROGRAMS = Number(process.env.PROGRAMS ?? 200);
const BINARY = "application/vnd.ag-ui.event+proto";

/** Streams that are not compared; in each the reader is right. */
const EXCEPTIONS = {
  "the dialect of the endpoints app": ({ rules }) => rules.includes("dialect-endpoints"),
  // In the client a value that is moved into itself becomes a circle, a member of a value without
  // members is ignored, a built-in property of a list (`/length`) is copied, and a missing value
  // can replace the whole document: none of these follows RFC 6902.
  "patches that RFC 6902 refuses": ({ rules, events }) =>
    rules.includes("patch-failed") && events.some(isOdd),
  // A described member of an event (U7); the client drops it unread.
  "titles that are no text": ({ events }) =>
    events.some(
      ({ type, title }) => type === "THINKING_START" && (title ?? "") !== String(title ?? ""),
    ),
  // In the list of the client, both positions then contain the same object.
  "snapshots in which an id comes twice": ({ events }) =>
    events.some(({ messages, input }) => isTwice(messages) || isTwice(input?.messages)),
  // The client refuses arguments that are not a text; here their text is kept.
  "arguments as an object": ({ rules }) => rules.includes("tool-arguments"),
  // The client throws at an event without a type; here its message is the error of the run.
  "errors in the form of another server": ({ rules }) => rules.includes("foreign-error"),
  // The client replaces them by U+FFFD without an error.
  "bytes that are not UTF-8": ({ rules }) => rules.includes("invalid-utf8"),
};
const isOdd = ({ type, snapshot, delta, patch }) =>
  (type === "STATE_SNAPSHOT" && (typeof snapshot !== "object" || snapshot === null)) ||
  [delta, patch].some(
    (list) =>
      Array.isArray(list) &&
      list.some(
        ({ op, path, from } = {}) =>
          path === "" || /length/.test(from) || (op === "move" && path?.startsWith(from)),
      ),
  );
const isTwice = (messages) =>
  Array.isArray(messages) && new Set(messages.map((message) => message?.id)).size < messages.length;

/**
 * Returns the value with members sorted by name; halves of characters are U+FFFD; generated ids are
 * numbered.
 */
function bare(value) {
  const made = new Map();
  const of = (value) => {
    if (Array.isArray(value)) return value.map(of);
    if (value === null || typeof value !== "object")
      return typeof value === "string" ? Buffer.from(value).toString() : value;
    return Object.keys(value)
      .filter((name) => value[name] !== undefined)
      .sort()
      .map((name) => [`${name}:`, of(value[name])]);
  };
  return JSON.stringify(of(value)).replace(
    /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f-]{21}|thinking-\d+/g,
    (id) => made.get(id) ?? made.set(id, `<${made.size}>`).get(id),
  );
}

function ours(pieces, options = {}) {
  const decoder = new Decoder({ protocol: "ag-ui", mode: "strict", bigint: false, ...options });
  pieces.forEach((piece) => decoder.push(piece));
  const { snapshot, report } = decoder.finish();
  const [first] = report.violations.filter(({ severity }) => severity === "error");
  return {
    snapshot,
    report,
    rules: report.violations.map(({ rule }) => rule),
    refused: first && { said: first.actual, at: first.event },
  };
}

const known = (await cases())
  .filter(
    ({ protocol, path, options }) =>
      protocol === "ag-ui" && path.includes("/ag-ui/") && options.framing === undefined,
  )
  .map(({ stream }) =>
    (new TextDecoder().decode(stream).match(/^data: ?\{.*\}$/gm) ?? []).flatMap(parsed),
  )
  .filter((events) => events.length > 0);

function parsed(line) {
  try {
    return [JSON.parse(line.replace(/^data: ?/, ""))];
  } catch {
    return [];
  }
}

function eventsOf(program, random) {
  const events =
    program % 4 === 3
      ? structuredClone(known[random(known.length)])
      : generated(random, program % 4 === 0 ? 0 : 12);
  if (program % 4 > 1) mutate(events, random, 1 + random(3));
  return events;
}

/** The same events with other line ends, comments, names, ids and a byte order mark, in chunks. */
function written(events, random) {
  const end = ["\n", "\r\n", "\r"][random(3)];
  const frames = events.map((event, at) => {
    const lines = JSON.stringify(event, null, random(4) === 0 ? 1 : 0).split("\n");
    const before = [
      ...(random(5) === 0 ? [": ping", ""] : []),
      ...(random(6) === 0 ? [`event: ${event.type}`, `id: ${at}`, "retry: 9"] : []),
    ];
    return [...before, ...lines.map((line) => `data:${random(3) ? " " : ""}${line}`), "", ""].join(
      end,
    );
  });
  return cut(Buffer.from((random(3) === 0 ? "\ufeff" : "") + frames.join("")), random);
}

function cut(bytes, random) {
  const places = Array.from({ length: random(12) }, () => random(bytes.length + 1)).sort(
    (a, b) => a - b,
  );
  return [0, ...places].map((from, at) => bytes.subarray(from, places[at] ?? bytes.length));
}

/**
 * The events in binary form, as far as the official encoder accepts them; its warnings are
 * suppressed.
 */
function framesOf(events) {
  const { warn } = console;
  console.warn = () => {};
  try {
    return events.flatMap((event) => {
      try {
        return [framed(Buffer.from(encode(event)))];
      } catch {
        return [];
      }
    });
  } finally {
    console.warn = warn;
  }
}

/** Cuts a frame, adds an unknown field to it, or truncates the last one. */
function harm(frames, random) {
  const at = random(frames.length);
  const message = frames[at].subarray(4);
  if (random(3) === 0)
    return void (frames[frames.length - 1] = frames
      .at(-1)
      .subarray(0, random(frames.at(-1).length)));
  frames[at] = framed(
    random(2) || message.length === 0
      ? message.subarray(0, random(message.length))
      : Buffer.concat([message, Buffer.of(0x82, 0x7d, 1, 7)]),
  );
}

function framed(message) {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(message.length);
  return Buffer.concat([length, message]);
}

/**
 * Errors about the form of an event: the client throws a list of its validator's issues, this
 * package other messages.
 */
const VALIDATOR = /^\[|^Failed to decode|^Invalid event|ended mid-frame/;

function compare(own, theirs, about, counts) {
  if (Object.values(EXCEPTIONS).some((is) => is({ ...own, events: about.events }))) return;
  const text = `program ${about.program}: ${theirs.refused?.said ?? ""} ${JSON.stringify(own.report.violations)}\n${about.events.map((event) => JSON.stringify(event)).join("\n")}`;
  assert.equal(own.refused?.at, theirs.refused?.at, text);
  if (theirs.refused !== undefined && !VALIDATOR.test(theirs.refused.said))
    assert.equal(bare(own.refused.said), bare(theirs.refused.said), text);
  for (const part of ["messages", "state", "pendingInterrupts"])
    assert.equal(bare(own.snapshot[part]), bare(theirs[part]), `${part} of ${text}`);
  counts[theirs.refused === undefined ? "held" : "refused"]++;
  const { status, outcome, result, pendingToolCallIds, error } = own.snapshot;
  if (theirs.refused !== undefined || status === "incomplete") return;
  const ended = error
    ? { error }
    : {
        outcome,
        result: result ?? undefined,
        pendingToolCallIds: outcome === "success" ? pendingToolCallIds : undefined,
      };
  assert.equal(bare(ended), bare(theirs.ended), `the end of ${text}`);
}

test("random streams: the snapshot and the first error equal those of the official client", async () => {
  const counts = { held: 0, refused: 0 };
  for (let program = 0; program < PROGRAMS; program++) {
    const random = randomOf(program);
    const events = eventsOf(program, random);
    const frames = events.map((event) => `data: ${JSON.stringify(event)}\n\n`);
    const own = ours([Buffer.from(frames.join(""))]);
    compare(own, await officialByFrames(frames), { program, events }, counts);
    const other = ours(written(events, random));
    // An object that is the text of a result (dialect of the endpoints) or the arguments of a call
    // is copied, spaces included.
    if (own.rules.includes("dialect-endpoints") || own.rules.includes("tool-arguments")) continue;
    assert.equal(
      bare([other.snapshot, other.rules]),
      bare([own.snapshot, own.rules]),
      `program ${program}, with another layout of the stream`,
    );
  }
  assert.ok(counts.held > PROGRAMS / 5 && counts.refused > PROGRAMS / 4, JSON.stringify(counts));
});

test("random binary streams: the snapshot and the first error equal those of the official client", async () => {
  const counts = { held: 0, refused: 0 };
  for (let program = 0; program < PROGRAMS; program++) {
    const random = randomOf(program);
    const events = eventsOf(program, random);
    const frames = framesOf(events);
    if (frames.length > 0 && random(3) === 0) harm(frames, random);
    const own = ours(cut(Buffer.concat(frames), random), { framing: "length-prefixed" });
    compare(own, await officialByFrames(frames, BINARY), { program, events }, counts);
  }
  assert.ok(counts.held > PROGRAMS / 5 && counts.refused > PROGRAMS / 4, JSON.stringify(counts));
});
