// The violations of the stream: the rules, the places, and the verdict.

import type { Violation } from "agentwire";
import { explain } from "agentwire/rules";
import { byId, el, fill, setAttribute } from "./dom.js";
import type { Playback } from "./playback.js";
import type { Recording } from "./recording.js";
import { SEVERITIES, type Severity, factsOf, hasFailed, verdictOn } from "./verdict.js";
import { countText } from "./words.js";

/** The maximum number of listed violations of one rule; the report has all of them. */
const MOST = 200;

export class ViolationsPane {
  readonly #playback: Playback;
  readonly #list = byId("violations");
  readonly #count = byId("verdict-count");
  readonly #hidden = new Set<Severity>();
  #drawn = "";

  constructor(playback: Playback) {
    this.#playback = playback;
    this.#list.addEventListener("click", (event) => this.#click(event.target as Element));
  }

  /** Shows the present state of the playback. */
  render(): void {
    const { recording } = this.#playback;
    const found = recording?.allViolations ?? [];
    // Building the list again would remove the focus from it.
    const look = `${recording?.id} ${recording?.finished} ${recording?.trouble} ${found.length} ${[...this.#hidden].join()}`;
    if (look !== this.#drawn) {
      this.#drawn = look;
      this.#draw(recording, found);
    }
    this.#mark();
  }

  #draw(recording: Recording | null, found: readonly Violation[]): void {
    if (recording === null) {
      this.#count.textContent = "";
      fill(
        this.#list,
        el(
          "p",
          { class: "empty" },
          "Violations of the protocol: the rule, the event, and how the reader recovers.",
        ),
      );
      return;
    }
    fill(this.#count, verdictOn(recording));
    if (recording.finished && recording.events === 0) {
      fill(
        this.#list,
        withoutEvents(recording),
        recording.report && factsOf(recording.report, recording),
      );
      return;
    }
    const shown = found.filter(({ severity }) => !this.#hidden.has(severity));
    // Sorted by severity, and then in the order of the stream.
    const sorted = SEVERITIES.flatMap((severity) =>
      shown.filter((violation) => violation.severity === severity),
    );
    const rules = Map.groupBy(sorted, ({ rule }) => rule);
    fill(
      this.#list,
      found.length === 0 ? withoutViolations(recording) : null,
      recording.report && factsOf(recording.report, recording),
      found.length === 0 ? null : this.#filters(found),
      el("ol", { class: "rules" }, ...[...rules.values()].map(ruleElement)),
    );
  }

  #filters(found: readonly Violation[]): HTMLElement {
    const buttons = SEVERITIES.map((severity) => {
      const count = found.filter((violation) => violation.severity === severity).length;
      const pressed = !this.#hidden.has(severity);
      const attributes = {
        type: "button",
        class: severity,
        "data-severity": severity,
        "aria-pressed": pressed,
      };
      return count === 0 ? null : el("button", attributes, countText(count, severity));
    });
    return el(
      "div",
      { class: "filters", role: "group", "aria-label": "Severities shown" },
      ...buttons,
    );
  }

  /** Marks the violations of the selected event. */
  #mark(): void {
    const { recording, row } = this.#playback;
    const here = recording && row ? recording.violationsOf(row)[0]?.event : undefined;
    for (const entry of this.#list.querySelectorAll<HTMLElement>("[data-event]")) {
      const current = here !== undefined && Number(entry.dataset.event) === here;
      if (current && entry.getAttribute("aria-current") === null) {
        entry.scrollIntoView({ block: "nearest" });
      }
      setAttribute(entry, "aria-current", current ? "true" : null);
    }
  }

  #click(target: Element): void {
    const severity = target.closest<HTMLElement>("[data-severity]")?.dataset.severity as
      | Severity
      | undefined;
    if (severity !== undefined) {
      if (!this.#hidden.delete(severity)) {
        this.#hidden.add(severity);
      }
      this.render();
      this.#list.querySelector<HTMLElement>(`[data-severity="${severity}"]`)?.focus();
    }
    this.#playback.selectEventAt(target);
  }
}

function withoutViolations(recording: Recording): HTMLElement {
  if (!recording.finished) {
    return el("p", { class: "empty" }, "No rule is broken so far.");
  }
  if (hasFailed(recording)) {
    return el(
      "p",
      { class: "empty" },
      "The stream follows its protocol; the run that it reports failed.",
    );
  }
  return el(
    "p",
    { class: "praise" },
    "No violations: the events are in a valid order, and each item that started has ended.",
  );
}

/** Explains why a recording without events has no verdict. */
function withoutEvents({ bytes, trouble }: Recording): HTMLElement {
  const reason =
    bytes.length === 0
      ? "Nothing was received."
      : "The bytes hold no event: this is not an event stream.";
  return el(
    "p",
    { class: "empty" },
    trouble === null ? reason : "There is no event stream to check: the request failed.",
  );
}

/** Returns the element of a rule with its violations. */
function ruleElement(violations: readonly Violation[]): HTMLElement {
  const { rule, severity } = violations[0]!;
  const { expected, recovery } = explain(violations[0]!);
  const more = violations.length - MOST;
  return el(
    "li",
    { class: `rule ${severity}` },
    el("h3", {}, rule, el("span", { class: "hidden" }, `, ${severity}`)),
    el("p", {}, el("i", {}, "expected"), expected),
    el("p", {}, el("i", {}, "recovery"), recovery),
    el("ul", {}, ...violations.slice(0, MOST).map(violationElement)),
    more > 0 ? el("p", { class: "more" }, `and ${more.toLocaleString("en")} more`) : null,
  );
}

function violationElement({ event, messageId, index, actual }: Violation): HTMLElement {
  const place = messageId === null ? null : `${messageId}${index === null ? "" : ` [${index}]`}`;
  const button = el(
    "button",
    { type: "button", class: "event-link", "data-event": event },
    el("span", { class: "event" }, el("span", { class: "hidden" }, "event "), String(event)),
    el("span", { dir: "auto" }, actual),
    place && el("span", { class: "place" }, place),
  );
  return el("li", {}, button);
}
