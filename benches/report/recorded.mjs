// The recorded streams, as Markdown.
import { comparisons } from "./comparisons.mjs";
import { digits, table, thousands } from "./format.mjs";

export function recordedName({ which, chunking, collects }) {
  const streams = which === "all" ? "recorded streams" : "short recorded streams";
  return `${streams}, ${chunking}, ${collects ? "a collection before each pass" : "no collection"}`;
}

export function recorded(list) {
  const titled = list.map((row) => ({
    ...row,
    title: `${thousands(row.streams)} ${recordedName(row)}: ${thousands(row.events)} events, ${thousands(row.bytes)} bytes`,
    count: row.streams,
  }));
  const intro =
    "Streams that a real server sent, each read by a fresh reader. After the last one of a pass no reader is left: a collection then makes V8 throw away what it has compiled, unless something keeps it.";
  return `### Recorded streams\n\n${intro}\n\n${comparisons(titled, "stream")}`;
}

/** Adds the ratio on each stream, because the longest streams dominate a sum. */
export function recordedEach(list) {
  const [{ each }] = list;
  const rows = each.map(({ name, events }, at) => [
    name,
    thousands(events),
    ...list.map(({ each }) => `${digits(each[at].ratio)}x`),
  ]);
  const ahead = list
    .map(({ chunking, ahead, streams }) => `${ahead} of ${streams} (${chunking})`)
    .join(", ");
  const head = ["", "events", ...list.map(({ chunking }) => chunking)];
  return `JavaScript is ahead by more than 1.2x on ${ahead}; without a collection, each stream read again and again:\n\n${table(head, rows)}`;
}
