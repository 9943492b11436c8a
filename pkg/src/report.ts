// What was found out about a stream, as it comes from the core: figures in the header, and findings as words after a patch if
// there are any.

import type { Report, Violation } from "./findings.js";
import { put } from "./members.js";
import { type Patch, PatchWords } from "./patch_words.js";

/** What a reader of the core tells, by number: see `RawReader::tell`. */
export const FINDINGS = 0;
export const VIOLATIONS = 1;
export const LAST_EVENT_ID = 2;

/** How a stream has ended, by number: the contract with `Ended` in Rust. */
const END_REASONS = [null, "completed", "error", "truncated", "aborted", "refused"] as const;
/** The same by their names in Rust, which are in JSON. */
const NAMES = ["open", "terminal", "error-frame", "eof", "aborted", "refused"];
const SEVERITIES = ["note", "warning", "error"] as const;

/** What of a violation there is, in its first word: the contract with `tell_findings` in Rust. */
const SEVERITY = 3;
const HAS_ID = 1 << 2;
const HAS_INDEX = 1 << 3;
const RULE = 4;

/** What of the connection there is. */
const HAS_LAST_EVENT_ID = 1;
const HAS_RETRY = 2;

/** What a report has besides its figures. */
export type Findings = Pick<Report, "violations" | "counts" | "unknown" | "unfinished" | "lastEventId" | "retryMs"> & {
  /** For each of the violations, how many there were before it. */
  readonly numbers: readonly number[];
};

/** A report of the figures, which are how the stream ended and the numbers of events, comments and bytes. */
export function reportOf(ended: number, events: number, comments: number, bytes: number, findings: Findings): Report {
  const { violations, counts, unknown, unfinished, lastEventId, retryMs } = findings;
  return { endReason: END_REASONS[ended]!, events, comments, bytes, violations, counts, unknown, unfinished, lastEventId, retryMs };
}

/** The findings of a clean stream. */
export function nothing(): Findings {
  return { violations: [], numbers: [], counts: {}, unknown: {}, unfinished: [], lastEventId: null, retryMs: null };
}

/** Reads the findings that stand after the ops of a patch. */
export class FindingsReader extends PatchWords {
  readonly #rules: string[] = [];
  readonly #numbers: number[] = [];

  read(patch: Patch): Findings {
    const { words, end } = patch;
    this.begin(patch, end + 2, words[end]!, words[end + 1]!);
    const counts = this.#tally(this.#rules);
    const violations: Violation[] = [];
    for (let left = this.number(); left > 0; left--) {
      violations.push(this.#violation());
    }
    const unknown = this.#tally([]);
    const unfinished: string[] = [];
    for (let left = this.number(); left > 0; left--) {
      unfinished.push(this.string());
    }
    const connection = this.number();
    const lastEventId = (connection & HAS_LAST_EVENT_ID) !== 0 ? this.string() : null;
    const retryMs = (connection & HAS_RETRY) !== 0 ? this.large() : null;
    return { violations, numbers: this.#numbers, counts, unknown, unfinished, lastEventId, retryMs };
  }

  /** By a loop: `Object.fromEntries` takes several times as long for the few that there are. */
  #tally(names: string[]): Record<string, number> {
    const tally: Record<string, number> = {};
    for (let left = this.number(); left > 0; left--) {
      const name = this.string();
      names.push(name);
      put(tally, name, this.large());
    }
    return tally;
  }

  #violation(): Violation {
    const first = this.number();
    const rule = this.#rules[first >>> RULE]!;
    const severity = SEVERITIES[first & SEVERITY]!;
    const event = this.large();
    const offset = this.large();
    const index = (first & HAS_INDEX) !== 0 ? this.number() : null;
    this.#numbers.push(this.large());
    const messageId = (first & HAS_ID) !== 0 ? this.string() : null;
    return { rule, severity, event, offset, messageId, index, actual: this.string() };
  }
}

/** What is known of a stream when the core that has read it is gone. */
export const UNKNOWN: Report = {
  endReason: null,
  events: 0,
  comments: 0,
  bytes: 0,
  violations: [],
  counts: {},
  unknown: {},
  unfinished: [],
  lastEventId: null,
  retryMs: null,
};

/** Returns the report that the core has written as JSON. */
export function reportFromJson(json: string): Report {
  const { ended, retry, violations, ...rest } = JSON.parse(json) as Omit<Report, "endReason" | "retryMs" | "violations"> & {
    readonly ended: string;
    readonly retry: number | null;
    readonly violations: readonly (Omit<Violation, "actual"> & { readonly got: string })[];
  };
  const renamed = violations.map(({ got, ...violation }) => ({ ...violation, actual: got }));
  return { endReason: END_REASONS[NAMES.indexOf(ended)]!, ...rest, violations: renamed, retryMs: retry };
}
