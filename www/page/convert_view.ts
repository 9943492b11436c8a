// The stream as another protocol: the output, its verdict, and the losses.

import type { Loss, WritableProtocol } from "agentwire";
import { Converted, leastLossy } from "./conversion.js";
import { byId, el, fill } from "./dom.js";
import type { Playback } from "./playback.js";
import { WRITTEN, titleOf } from "./protocols.js";
import { Recording } from "./recording.js";
import { verdictOf } from "./verdict.js";

/** The maximum number of characters around the selected event that are laid out. */
const MOST_TEXT = 60_000;
/** The maximum number of listed places of one loss. */
const MOST_PLACES = 50;

export class ConvertView {
  readonly #playback: Playback;
  readonly #target = byId<HTMLSelectElement>("convert-to");
  readonly #verdict = byId("convert-verdict");
  readonly #text = byId("converted");
  readonly #losses = byId("losses");
  readonly #copy = byId<HTMLButtonElement>("convert-copy");
  readonly #open = byId<HTMLButtonElement>("convert-open");
  /** The choice of the reader; by default the protocol with the fewest losses. */
  #chosen: WritableProtocol | null = null;
  #best: {
    readonly recording: Recording;
    readonly finished: boolean;
    readonly to: WritableProtocol;
  } | null = null;
  #converted: Converted | null = null;
  #textDrawn = "";
  #lossesDrawn = "";

  constructor(playback: Playback) {
    this.#playback = playback;
    this.#target.append(...WRITTEN.map((value) => el("option", { value }, titleOf(value))));
    this.#target.addEventListener("change", () => {
      this.#chosen = this.#target.value as WritableProtocol;
      this.render();
    });
    this.#copy.addEventListener("click", () => void this.#copyText());
    this.#open.addEventListener("click", () => this.#openAsStream());
    this.#losses.addEventListener("click", (event) =>
      playback.selectEventAt(event.target as Element),
    );
  }

  /** Shows the present state of the playback. */
  render(): void {
    const { recording, position } = this.#playback;
    const hasEvents = recording !== null && !(recording.finished && recording.events === 0);
    const converted = hasEvents ? this.#convertedOf(recording) : null;
    converted?.grow();
    this.#copy.disabled = this.#open.disabled = converted?.report == null;
    if (converted === null) {
      fill(this.#verdict);
      fill(this.#text);
      this.#textDrawn = this.#lossesDrawn = "";
      fill(
        this.#losses,
        el(
          "p",
          { class: "empty" },
          "The same run in another protocol, and the content that the protocol cannot carry.",
        ),
      );
      return;
    }
    fill(this.#verdict, verdictOf(converted.report?.violations ?? [], converted.report !== null));
    this.#renderLosses(converted);
    this.#renderText(converted, position);
  }

  #convertedOf(recording: Recording): Converted {
    const to = this.#chosen ?? this.#bestFor(recording);
    this.#target.value = to;
    if (this.#converted?.recording !== recording || this.#converted.to !== to) {
      this.#converted?.free();
      this.#converted = new Converted(recording, to);
      this.#copy.textContent = "Copy";
    }
    return this.#converted;
  }

  /** Returns the target with the fewest losses; while the recording grows, the first one. */
  #bestFor(recording: Recording): WritableProtocol {
    if (this.#best?.recording !== recording || this.#best.finished !== recording.finished) {
      this.#best = { recording, finished: recording.finished, to: leastLossy(recording) };
    }
    return this.#best.to;
  }

  #renderText(converted: Converted, position: number): void {
    const { recording, to, output } = converted;
    const look = `${recording.id} ${to} ${output.length} ${position}`;
    // Drawing it again would clear the reader's selection.
    if (look === this.#textDrawn) {
      return;
    }
    this.#textDrawn = look;
    const mark = el("mark");
    fill(this.#text, ...piecesOf(converted, position, mark));
    // A part of the text before the mark stays visible.
    this.#text.scrollTop = mark.offsetTop - this.#text.clientHeight / 3;
  }

  #renderLosses(converted: Converted): void {
    const { losses, recording, to, report } = converted;
    const look = `${recording.id} ${to} ${losses.length} ${report !== null}`;
    if (look === this.#lossesDrawn) {
      return;
    }
    this.#lossesDrawn = look;
    const total = converted.total;
    const done = report === null ? " so far" : "";
    fill(
      this.#losses,
      el(
        "h3",
        { id: "losses-title" },
        total === 0
          ? `No losses${done}`
          : `${`${total.toLocaleString("en")} ${total === 1 ? "loss" : "losses"}`}${done}`,
      ),
      el(
        "ul",
        { class: "rules" },
        ...[...Map.groupBy(losses, ({ kind, reason }) => `${kind} ${reason}`).values()].map(
          lossElement,
        ),
      ),
      total > losses.length
        ? el(
            "p",
            { class: "more" },
            `and ${(total - losses.length).toLocaleString("en")} more of these kinds`,
          )
        : null,
    );
  }

  async #copyText(): Promise<void> {
    try {
      await navigator.clipboard.writeText(this.#converted!.output);
      this.#copy.textContent = "Copied";
    } catch {
      this.#copy.textContent = "Not allowed";
    }
  }

  #openAsStream(): void {
    const { output, recording } = this.#converted!;
    this.#playback.load(
      Recording.of({ question: recording.origin.question }, new TextEncoder().encode(output)),
    );
    // The next conversion is back to the protocol of this recording, if it is written.
    this.#chosen = WRITTEN.find((protocol) => protocol === recording.protocol) ?? null;
  }
}

/**
 * Returns the output: the output of the last row is in `mark`, the output of later rows is pale.
 */
function piecesOf(
  converted: Converted,
  position: number,
  mark: HTMLElement,
): (Node | string | null)[] {
  const { output } = converted;
  const [start, end] = converted.outputOf(position);
  const from = Math.max(0, start - MOST_TEXT);
  const to = Math.min(output.length, end + MOST_TEXT);
  const made = output.slice(start, end);
  mark.textContent = made.length > MOST_TEXT ? `${made.slice(0, MOST_TEXT)}…` : made;
  return [
    from > 0
      ? el("span", { class: "hint" }, `… ${from.toLocaleString("en")} characters before\n\n`)
      : null,
    output.slice(from, start),
    mark,
    end < to ? el("span", { class: "future" }, output.slice(end, to)) : null,
    to < output.length
      ? el(
          "span",
          { class: "hint" },
          `… ${(output.length - to).toLocaleString("en")} characters more`,
        )
      : null,
  ];
}

/** Returns the element of a kind of loss with its places. */
function lossElement(same: readonly Loss[]): HTMLElement {
  const { kind, reason } = same[0]!;
  const more = same.length - MOST_PLACES;
  return el(
    "li",
    { class: "rule loss", "data-kind": kind },
    el("h3", {}, kind, el("span", { class: "times" }, ` × ${same.length.toLocaleString("en")}`)),
    el("p", {}, reason),
    el("ul", {}, ...same.slice(0, MOST_PLACES).map(placeElement)),
    more > 0 ? el("p", { class: "more" }, `and ${more.toLocaleString("en")} more`) : null,
  );
}

function placeElement({ location, event }: Loss): HTMLElement {
  const name = location === "" ? "the run" : location;
  const attributes = { type: "button", class: "event-link", "data-event": event };
  return el(
    "li",
    {},
    el(
      "button",
      attributes,
      el("span", { class: "event" }, el("span", { class: "hidden" }, "event "), String(event)),
      el("span", { dir: "auto" }, name),
    ),
  );
}
