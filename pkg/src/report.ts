// What was found out about a stream, as it comes from the core: figures in the header, and the findings as rows of JSON if
// there are any. The names of members would be most of that JSON.

import type { Report, Violation } from "./agentwire.js";
import { put } from "./answer.js";

/** What a reader of the core tells, by number: see `RawReader::tell`. */
export const FIGURES = 0;
export const FINDINGS = 1;
export const VIOLATIONS = 2;
export const LAST_EVENT_ID = 3;

/** How a stream has ended, by number: the contract with `Ended` in Rust. */
const ENDED = ["open", "terminal", "error-frame", "eof", "aborted", "refused"] as const;
const SEVERITIES = ["note", "warning", "error"] as const;

/** Rule, severity, event, offset, message id, index, what came, and how many violations there were before this one. */
export type Row = readonly [string, number, number, number, string | null, number | null, string, number];

/** What a report has besides its figures. */
export type Findings = readonly [
  violations: readonly Row[],
  counts: readonly Count[],
  unknown: readonly Count[],
  unfinished: readonly (readonly [name: string])[],
  connection: readonly [lastEventId: string | null, retry: number | null],
];

type Count = readonly [name: string, count: number];

/** A report of the figures, which are how the stream ended and the numbers of events, comments and bytes. */
export function reportOf(
  ended: number,
  events: number,
  comments: number,
  bytes: number,
  [rows, counted, others, names, [lastEventId, retry]]: Findings,
): Report {
  const violations = rows.map(violationOf);
  const [counts, unknown] = [tallied(counted), tallied(others)];
  const unfinished = names.map(([name]) => name);
  return { ended: ENDED[ended]!, events, comments, bytes, violations, counts, unknown, unfinished, lastEventId, retry };
}

/** By a loop: `Object.fromEntries` takes several times as long for the few that there are. */
function tallied(counts: readonly Count[]): Record<string, number> {
  const tally: Record<string, number> = {};
  for (const [name, count] of counts) {
    put(tally, name, count);
  }
  return tally;
}

export function violationOf([rule, severity, event, offset, messageId, index, got]: Row): Violation {
  return { rule, severity: SEVERITIES[severity]!, event, offset, messageId, index, got };
}

/** The findings of a clean stream. */
export function nothing(): Findings {
  return [[], [], [], [], [null, null]];
}

/** What is known of a stream when the core that has read it is gone. */
export const UNKNOWN: Report = {
  ended: "open",
  events: 0,
  comments: 0,
  bytes: 0,
  violations: [],
  counts: {},
  unknown: {},
  unfinished: [],
  lastEventId: null,
  retry: null,
};
