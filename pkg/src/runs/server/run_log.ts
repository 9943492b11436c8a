// The log of one run: its request, then its events in batches, and at the end the messages of the
// answer. A batch is one entry, whose position depends on the number of its last event, so that a
// reader finds the entry of an event without an index.

import type { Json } from "../../agentwire.js";
import type { LogEntry } from "../../stores/log_store.js";
import { parseJson, stringifyJson } from "../../core/json.js";
import { original, storable } from "../../core/texts.js";
import type { RunLogEntry } from "../service.js";
import type { NewEvent } from "./store.js";

/**
 * The positions before the first event, which the request has: the event with the number `n` has
 * the position `n + REQUEST`.
 */
const REQUEST = 64;
/** The maximum number of characters of an entry, which have three bytes each at most. */
const CHARACTERS = 600_000;

/** An event to store; `pieces` has the lengths of those that were joined. */
export interface BatchedEvent extends NewEvent {
  readonly pieces?: readonly number[] | null | undefined;
}

/** Returns the position of the event with that number. */
export function positionOf(number: number): number {
  return number + REQUEST;
}

/** Returns the entries of events that follow the event with that number. */
export function batches(before: number, events: readonly BatchedEvent[]): LogEntry[] {
  const entries: LogEntry[] = [];
  let [from, size, first, last] = [0, 0, before, before];
  for (const [at, { data, pieces }] of events.entries()) {
    if (size > 0 && size + data.length > CHARACTERS) {
      entries.push({ position: positionOf(last), text: encoded(first, events.slice(from, at)) });
      [from, size, first] = [at, 0, last];
    }
    size += data.length;
    last += pieces?.length ?? 1;
  }
  entries.push({ position: positionOf(last), text: encoded(first, events.slice(from)) });
  return entries;
}

/** The properties of the events of a batch: the first line of its entry. */
type BatchHead = readonly [
  before: number,
  kinds: readonly string[],
  kindOf: readonly number[],
  lengths: readonly number[],
  pieces?: readonly (readonly number[] | null)[],
];

function encoded(before: number, events: readonly BatchedEvent[]): string {
  const kinds = [...new Set(events.map(({ kind }) => kind))];
  const head: BatchHead = [
    before,
    kinds,
    events.map(({ kind }) => kinds.indexOf(kind)),
    events.map(({ data }) => data.length),
  ];
  const joined = events.some(({ pieces }) => pieces)
    ? [events.map(({ pieces }) => pieces ?? null)]
    : [];
  const texts = events.map(({ data }) => data).join("");
  return `${JSON.stringify([...head, ...joined])}\n${storable(texts)}`;
}

/** An event of a log, which may be shortened. */
export type LoggedEvent = RunLogEntry & { readonly pieces: readonly number[] | null };

/** Returns the events of an entry; none for an entry of a request or of messages. */
export function eventsIn({ text }: LogEntry, runId: string): LoggedEvent[] {
  if (!text.startsWith("[")) {
    return [];
  }
  const end = text.indexOf("\n");
  const [before, kinds, kindOf, lengths, pieces] = JSON.parse(text.slice(0, end)) as BatchHead;
  const texts = original(text.slice(end + 1));
  let [number, from] = [before, 0];
  return lengths.map((length, at) => {
    const joined = pieces?.[at] ?? null;
    number += joined?.length ?? 1;
    const data = texts.slice(from, (from += length));
    return { number, runId, kind: kinds[kindOf[at]!]!, data, pieces: joined };
  });
}

/**
 * Returns entries that follow a place of the log; the first one has only its pieces after that
 * place.
 */
export function entriesAfter(after: number, entries: readonly LoggedEvent[]): RunLogEntry[] {
  return entries.map(({ pieces, ...entry }, at) =>
    at === 0 && pieces !== null ? joinedAfter(entry, pieces, after) : entry,
  );
}

/** Returns an entry of joined pieces, without the pieces up to a place of the log. */
function joinedAfter(entry: RunLogEntry, lengths: readonly number[], after: number): RunLogEntry {
  const { number, data } = entry;
  const known = lengths.slice(0, Math.max(0, after - (number - lengths.length)));
  if (known.length === 0) {
    return entry;
  }
  const event = parseJson(data) as { readonly [key: string]: Json; readonly delta: string };
  const delta = event.delta.slice(known.reduce((sum, length) => sum + length, 0));
  return { ...entry, data: stringifyJson({ ...event, delta }) };
}

/**
 * Returns a JSON text as entries with ascending positions: one, or several for a text that is
 * large.
 */
export function entriesOfText(text: string, position: number): LogEntry[] {
  const entries: LogEntry[] = [];
  for (let from = 0; from === 0 || from < text.length; ) {
    let to = Math.min(from + CHARACTERS, text.length);
    if (to < text.length && /[\ud800-\udbff]/.test(text[to - 1]!)) {
      to--;
    }
    const mark = to < text.length ? "+" : "=";
    entries.push({ position: position + entries.length, text: mark + text.slice(from, to) });
    from = to;
  }
  return entries;
}

/**
 * Returns the texts in entries, each with the position of its last entry; those of events are
 * omitted.
 */
export function textsIn(entries: readonly LogEntry[]): LogEntry[] {
  const texts: LogEntry[] = [];
  let parts = "";
  for (const { position, text } of entries) {
    if (text.startsWith("[")) {
      continue;
    }
    parts += text.slice(1);
    if (text.startsWith("=")) {
      texts.push({ position, text: parts });
      parts = "";
    }
  }
  return texts;
}
