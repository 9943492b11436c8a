// The verdict of a recording, and the facts of its report.

import type { EndReason, Report, Violation } from "agentwire";
import { el } from "./dom.js";
import { nameOf } from "./protocols.js";
import type { Recording } from "./recording.js";
import { statusOf } from "./status_chip.js";
import { bytesText } from "./words.js";

/** The severity of a violation. */
export type Severity = Violation["severity"];

/** From the highest to the lowest. */
export const SEVERITIES: readonly Severity[] = ["error", "warning", "note"];

const WORDS = {
  error: ["bad", "invalid, content lost"],
  warning: ["stopped", "invalid, the answer is correct"],
  note: ["good", "valid, with notes"],
} as const;

/** The verdicts of a failed run, which is never shown as good. */
const WORDS_OF_FAILED = {
  error: WORDS.error,
  warning: ["stopped", "invalid, the run failed"],
  note: ["stopped", "valid with notes, the run failed"],
} as const;

const ENDINGS: Readonly<Record<EndReason, string>> = {
  completed: "with its terminal event",
  error: "with a bare error",
  truncated: "without a terminal event",
  aborted: "stopped by you",
  refused: "refused",
};

/** Returns the chip with the verdict on a recording. A recording without events has none. */
export function verdictOn(recording: Recording): HTMLElement {
  if (recording.finished && recording.events === 0) {
    return el(
      "span",
      { class: "chip bad" },
      recording.trouble === null ? "no events" : "no stream",
    );
  }
  return verdictOf(recording.allViolations, recording.finished, hasFailed(recording));
}

/**
 * Returns whether the run in a finished recording failed: by its status, or by an error that ended
 * the stream.
 */
export function hasFailed({ outcome, report }: Recording): boolean {
  const status = outcome === null ? undefined : statusOf(outcome);
  return (
    report?.endReason === "error" ||
    (status !== undefined && ["failed", "rejected"].includes(status))
  );
}

/** Returns the chip of the worst violation. */
export function verdictOf(
  found: readonly Violation[],
  finished: boolean,
  failed = false,
): HTMLElement {
  const worst = SEVERITIES.find((severity) =>
    found.some((violation) => violation.severity === severity),
  );
  if (worst === undefined) {
    const [mood, word] = failed
      ? ["stopped", "valid, the run failed"]
      : finished
        ? ["good", "valid"]
        : ["busy", "valid so far"];
    return el("span", { class: `chip ${mood}` }, word);
  }
  const [mood, word] = (failed ? WORDS_OF_FAILED : WORDS)[worst];
  return el("span", { class: `chip ${mood}` }, word);
}

/** Returns the facts of a report without the violations; absent facts are omitted. */
export function factsOf(report: Report, recording: Recording): HTMLElement {
  const { endReason, events, comments, bytes, unknown, unfinished, lastEventId } = report;
  const facts: readonly (readonly [string, string])[] = [
    ["protocol", protocolOf(recording)],
    ["ended", endReason === null ? "not yet" : ENDINGS[endReason]],
    ["events", events.toLocaleString("en")],
    ["heartbeats", comments === 0 ? "" : comments.toLocaleString("en")],
    ["bytes", `${bytes.toLocaleString("en")} (${bytesText(bytes)})`],
    ["unfinished", unfinished.join(", ")],
    [
      "unknown",
      Object.entries(unknown)
        .map(([name, count]) => `${name} × ${count}`)
        .join(", "),
    ],
    ["last event id", lastEventId ?? ""],
  ];
  const filled = facts.filter(([, value]) => value !== "");
  return el(
    "dl",
    { class: "facts" },
    ...filled.flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, value)]),
  );
}

/**
 * Returns the title of the recording's protocol, and whether it was detected; empty if no event
 * identifies it.
 */
function protocolOf(recording: Recording): string {
  const name = nameOf(recording);
  return name === null
    ? ""
    : `${name}${recording.protocolOption === "auto" ? ", detected from the first event" : ""}`;
}
