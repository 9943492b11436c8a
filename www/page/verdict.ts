// The verdict in a word, and the facts behind it.

import type { Report, Violation } from "agentwire";
import { el } from "./dom.js";
import { nameOf } from "./protocols.js";
import type { Recording } from "./recording.js";
import { bytesText } from "./words.js";

/** How bad a breach is. */
export type Severity = Violation["severity"];

/** The worst first. */
export const SEVERITIES: readonly Severity[] = ["error", "warning", "note"];

const WORDS = {
  error: ["bad", "something was lost"],
  warning: ["stopped", "illegal, the answer is right"],
  note: ["good", "legal, with notes"],
} as const;

const ENDINGS: Readonly<Record<Report["ended"], string>> = {
  open: "not yet",
  terminal: "with its terminal event",
  "error-frame": "with a bare error",
  eof: "without a terminal event",
  aborted: "stopped by you",
  refused: "refused",
};

/** The chip that says it all. */
export function verdictOf(found: readonly Violation[], finished: boolean): HTMLElement {
  const worst = SEVERITIES.find((severity) => found.some((violation) => violation.severity === severity));
  if (worst === undefined) {
    return el("span", { class: `chip ${finished ? "good" : "busy"}` }, finished ? "legal" : "legal so far");
  }
  const [mood, word] = WORDS[worst];
  return el("span", { class: `chip ${mood}` }, word);
}

/** What the report says besides the violations; only what there is. */
export function factsOf(report: Report, recording: Recording): HTMLElement {
  const { ended, events, comments, bytes, unknown, unfinished, lastEventId } = report;
  const facts: readonly (readonly [string, string])[] = [
    ["protocol", `${nameOf(recording)}${recording.protocolOption === "auto" ? ", as its first event says" : ""}`],
    ["ended", ENDINGS[ended]],
    ["events", events.toLocaleString("en")],
    ["heartbeats", comments === 0 ? "" : comments.toLocaleString("en")],
    ["bytes", `${bytes.toLocaleString("en")} (${bytesText(bytes)})`],
    ["unfinished", unfinished.join(", ")],
    ["unknown", Object.entries(unknown).map(([name, count]) => `${name} × ${count}`).join(", ")],
    ["last event id", lastEventId ?? ""],
  ];
  const told = facts.filter(([, value]) => value !== "");
  return el("dl", { class: "facts" }, ...told.flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, value)]));
}
