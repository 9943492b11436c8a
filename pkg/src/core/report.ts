// The report of a stream as the core writes it: counters in the header, and findings, if any, as
// words after a patch.

import type { Report, Violation } from "./findings.js";
import { put } from "./tables.js";
import { type Patch, PatchWords } from "./words.js";

/**
 * The data that can be requested from a reader of the core, by number: see
 * `RawReader::write_report`.
 */
export const FINDINGS = 0;
export const VIOLATIONS = 1;
export const LAST_EVENT_ID = 2;

/** The end reasons by number; must match `Ended` in Rust. */
const END_REASONS = [null, "completed", "error", "truncated", "aborted", "refused"] as const;
/** The names of the end reasons in Rust, which JSON uses. */
const NAMES = ["open", "terminal", "error-frame", "eof", "aborted", "refused"];
const SEVERITIES = ["note", "warning", "error"] as const;

/** The bits of a violation's first word; must match `Report::write_new_findings` in Rust. */
const SEVERITY = 3;
const HAS_ID = 1 << 2;
const HAS_INDEX = 1 << 3;
const RULE = 4;

/** The bits of the connection's word. */
const HAS_LAST_EVENT_ID = 1;
const HAS_RETRY = 2;

/** The properties of a report that are not counters. */
export type Findings = Pick<
  Report,
  "violations" | "counts" | "unknown" | "unfinished" | "lastEventId" | "retryMs"
> & {
  /** The number of violations before each violation. */
  readonly numbers: readonly number[];
};

/**
 * Returns a report with these counters: the end reason, and the numbers of events, comments and
 * bytes.
 */
export function reportOf(
  ended: number,
  events: number,
  comments: number,
  bytes: number,
  findings: Findings,
): Report {
  const { violations, counts, unknown, unfinished, lastEventId, retryMs } = findings;
  return {
    endReason: END_REASONS[ended]!,
    events,
    comments,
    bytes,
    violations,
    counts,
    unknown,
    unfinished,
    lastEventId,
    retryMs,
  };
}

/** Returns the findings of a stream without violations. */
export function nothing(): Findings {
  return {
    violations: [],
    numbers: [],
    counts: {},
    unknown: {},
    unfinished: [],
    lastEventId: null,
    retryMs: null,
  };
}

/** Reads the findings after the operations of a patch. */
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
    return {
      violations,
      numbers: this.#numbers,
      counts,
      unknown,
      unfinished,
      lastEventId,
      retryMs,
    };
  }

  /**
   * Reads a table of counts. A loop, because `Object.fromEntries` takes several times as long for
   * few entries.
   */
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

/** Returns the report of a stream whose core is lost. */
export function unknownReport(): Report {
  return reportOf(0, 0, 0, 0, nothing());
}

/** Returns the report for the JSON of the core. */
export function reportFromJson(json: string): Report {
  const { ended, retry, violations, ...rest } = JSON.parse(json) as Omit<
    Report,
    "endReason" | "retryMs" | "violations"
  > & {
    readonly ended: string;
    readonly retry: number | null;
    readonly violations: readonly (Omit<Violation, "actual"> & { readonly got: string })[];
  };
  const renamed = violations.map(({ got, ...violation }) => ({ ...violation, actual: got }));
  return {
    endReason: END_REASONS[NAMES.indexOf(ended)]!,
    ...rest,
    violations: renamed,
    retryMs: retry,
  };
}
