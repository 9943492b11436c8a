// Compares the present run with another run of this page, or with itself in another protocol.

import { WRITABLE, type WritableProtocol } from "agentwire";
import { type Aspect, type DiffPart, differenceOf, textOfRun } from "./comparison.js";
import { byId, el, fill } from "./dom.js";
import type { Playback } from "./playback.js";
import { nameOf, titleOf } from "./protocols.js";
import type { Recording } from "./recording.js";
import { countText } from "./words.js";

/** Equal lines around a change that are shown. */
const CONTEXT = 3;

export class CompareView {
  readonly #playback: Playback;
  readonly #with = byId<HTMLSelectElement>("compare-with");
  readonly #aspect = byId<HTMLSelectElement>("compare-aspect");
  readonly #ids = byId<HTMLInputElement>("compare-ids");
  readonly #summary = byId("compare-summary");
  readonly #text = byId("compared");
  /** The entries of the select: runs, and protocols for the present run. */
  #choices: readonly (Recording | WritableProtocol)[] = [];
  #drawn = "";

  constructor(playback: Playback) {
    this.#playback = playback;
    for (const control of [this.#with, this.#aspect, this.#ids]) {
      control.addEventListener("change", () => this.#draw());
    }
  }

  /** Shows the present state of the playback. */
  render(): void {
    const { recording, seen } = this.#playback;
    const look = `${recording?.id} ${recording?.finished} ${seen.map(({ id, finished }) => `${id}${finished}`).join()}`;
    if (look === this.#drawn) {
      return;
    }
    this.#drawn = look;
    const others = seen
      .filter((other) => other !== recording && other.finished && other.events > 0)
      .reverse();
    const chosen = this.#choices[Number(this.#with.value)];
    this.#choices =
      recording?.finished && recording.events > 0
        ? [...others, ...WRITABLE.filter((protocol) => protocol !== recording.protocol)]
        : [];
    const option = (choice: Recording | WritableProtocol, at: number): HTMLElement =>
      el(
        "option",
        { value: at },
        typeof choice === "string" ? `the same run in ${titleOf(choice)}` : labelOf(choice),
      );
    fill(this.#with, ...this.#choices.map(option));
    this.#with.value = String(Math.max(0, this.#choices.indexOf(chosen!)));
    this.#with.disabled = this.#aspect.disabled = this.#ids.disabled = this.#choices.length === 0;
    this.#draw();
  }

  #draw(): void {
    const { recording } = this.#playback;
    const choice = this.#choices[Number(this.#with.value)];
    if (recording === null || choice === undefined) {
      this.#summary.textContent = "";
      fill(
        this.#text,
        el(
          "span",
          { class: "hint" },
          "Compare a complete run with an earlier one of this page, or with itself in another protocol.",
        ),
      );
      return;
    }
    const aspect = this.#aspect.value as Aspect;
    const text = (of: Recording, to: WritableProtocol | null): string =>
      textOfRun(of, to, aspect, this.#ids.checked);
    const first = typeof choice === "string" ? text(recording, choice) : text(choice, null);
    const parts = differenceOf(first, text(recording, null));
    if (parts === null) {
      this.#summary.textContent = "too different";
      fill(
        this.#text,
        el("span", { class: "hint" }, "The runs are too long, or differ in too many lines."),
      );
      return;
    }
    const count = (sign: DiffPart["sign"]): number =>
      parts.filter((part) => part.sign === sign).reduce((sum, { lines }) => sum + lines.length, 0);
    const [added, removed] = [count("+"), count("-")];
    this.#summary.textContent = added + removed === 0 ? "equal" : `+${added} −${removed}`;
    fill(
      this.#text,
      ...parts.flatMap((part, at) => piecesOf(part, at === 0, at === parts.length - 1)),
    );
  }
}

function labelOf(recording: Recording): string {
  const { source, question } = recording.origin;
  const from =
    source?.kind === "sample"
      ? source.file
      : source?.kind === "file"
        ? source.name
        : (question ?? (source?.kind === "request" ? source.url : "stream"));
  return `run ${recording.id}: ${from.slice(0, 40)} (${nameOf(recording) ?? "unknown"}, ${countText(recording.events, "event")})`;
}

/** Returns the lines of a part; of equal lines only those around changes. */
function piecesOf({ sign, lines }: DiffPart, isFirst: boolean, isLast: boolean): Node[] {
  if (sign !== " ") {
    return [
      el(sign === "+" ? "ins" : "del", {}, lines.map((line) => `${sign} ${line}\n`).join("")),
    ];
  }
  const [head, tail] = [isFirst ? 0 : CONTEXT, isLast ? 0 : CONTEXT];
  const isLong = lines.length > head + tail + 1;
  const shown = (some: readonly string[]): Node =>
    document.createTextNode(some.map((line) => `  ${line}\n`).join(""));
  const hidden = el(
    "span",
    { class: "hint" },
    `… ${countText(lines.length - head - tail, "equal line")}\n`,
  );
  return isLong
    ? [shown(lines.slice(0, head)), hidden, shown(lines.slice(lines.length - tail))]
    : [shown(lines)];
}
