// Joins the pieces of a text when a log is shortened, and reads a joined text from a place within it.

import { type Json, parseJson, stringifyJson } from "agentwire";
import { type RunLogEntry, RunSubscription } from "agentwire/runs/server";
import type { JoinedEvent } from "./rows.js";

/** Returns the log of a run as a reader receives it after the end; `batches` are its entries. */
export function joined(runId: string, generation: string, batches: Iterable<readonly RunLogEntry[]>): JoinedEvent[] {
  const subscription = new RunSubscription({ runId, generation, after: 0, idleLimit: 1 });
  const lengths: number[] = [];
  let last = 0;
  for (const entries of batches) {
    for (const entry of entries) {
      subscription.read(entry);
      lengths.push(unitsIn(entry.data));
      last = entry.number;
    }
  }
  let from = last - lengths.length;
  const first = from;
  const frames = subscription.flush().split("\n\n").filter((frame) => frame !== "");
  subscription.free();
  return frames.map((frame) => {
    const number = Number(fieldOf(frame, "id").split("-").at(-1));
    const pieces = number - from > 1 ? JSON.stringify(lengths.slice(from - first, number - first)) : null;
    from = number;
    return { number, kind: fieldOf(frame, "event"), data: fieldOf(frame, "data"), pieces };
  });
}

/** Returns an entry of joined pieces, without the pieces up to a place of the log. */
export function joinedAfter(entry: RunLogEntry, pieces: string, after: number): RunLogEntry {
  const { number, runId, kind, data } = entry;
  const lengths = JSON.parse(pieces) as number[];
  const isKnown = lengths.slice(0, Math.max(0, after - (number - lengths.length)));
  if (isKnown.length === 0) {
    return { number, runId, kind, data };
  }
  const event = parseJson(data) as { readonly [key: string]: Json; readonly delta: string };
  const delta = event.delta.slice(isKnown.reduce((sum, length) => sum + length, 0));
  return { number, runId, kind, data: stringifyJson({ ...event, delta }) };
}

/** Returns the value of a field of a frame; it may have several lines. */
function fieldOf(frame: string, name: string): string {
  const lines = frame.split("\n").filter((line) => line.startsWith(`${name}: `));
  return lines.map((line) => line.slice(name.length + 2)).join("\n");
}

/** Returns the number of UTF-16 units that an event adds to a text. */
function unitsIn(data: string): number {
  const { delta } = JSON.parse(data) as { readonly delta?: unknown };
  return typeof delta === "string" ? delta.length : 0;
}
