// The raw events, one row each. Only the visible rows have elements.

import { byId, el, setAttribute } from "./dom.js";
import { EventFilter } from "./event_filter.js";
import { FramePane } from "./frame_pane.js";
import type { Playback } from "./playback.js";
import { visibleLine } from "./invisible.js";
import type { Recording, Row } from "./recording.js";
import { bytesText, countText, timeText } from "./words.js";

/**
 * The number of rows above and below the visible ones that have elements, so that scrolling shows
 * no gaps.
 */
const SPARE = 8;

export class EventsPane {
  readonly #playback: Playback;
  readonly #list = byId("list");
  readonly #rows = byId("rows");
  readonly #empty = byId("events-empty");
  readonly #count = byId("events-count");
  readonly #frame: FramePane;
  readonly #filter = new EventFilter();
  readonly #query = byId<HTMLInputElement>("filter");
  readonly #shown = new Map<number, { readonly element: HTMLElement; readonly drawn: string }>();
  #selected: Row | undefined;
  #of: Recording | null = null;

  constructor(playback: Playback) {
    this.#playback = playback;
    this.#frame = new FramePane();
    this.#list.addEventListener("scroll", () => this.#draw());
    this.#list.addEventListener("keydown", (event) => this.#key(event));
    this.#rows.addEventListener("click", (event) => this.#click(event));
    this.#query.addEventListener("input", () => {
      this.#filter.query = this.#query.value;
      this.#clear();
      this.render();
      this.#reveal();
    });
    new ResizeObserver(() => this.#resized()).observe(this.#list);
  }

  /** Shows the present state of the playback. */
  render(): void {
    const { recording, row } = this.#playback;
    this.#empty.hidden = recording !== null;
    // A list box must have options.
    setAttribute(
      this.#list,
      "role",
      this.#filter.rowsOf(recording).length > 0 ? "listbox" : "group",
    );
    const rows = this.#filter.rowsOf(recording);
    this.#rows.style.height = `${rows.length * this.#rowHeight}px`;
    this.#count.textContent =
      recording === null
        ? ""
        : this.#filter.isOn
          ? `${rows.length.toLocaleString("en")} of ${countText(recording.rows.length, "row")}`
          : `${countText(recording.events, "event")} · ${bytesText(recording.bytes.length)}`;
    if (recording !== this.#of) {
      // Rows of the new recording may look like those of the previous one.
      this.#of = recording;
      this.#clear();
    }
    if (row !== this.#selected) {
      this.#selected = row;
      this.#reveal();
      this.#frame.show(recording, row);
    }
    this.#draw();
  }

  #clear(): void {
    this.#shown.clear();
    this.#rows.replaceChildren();
  }

  /** The row height of the style sheet, which is larger on touch screens. */
  get #rowHeight(): number {
    return Number.parseFloat(getComputedStyle(this.#list).getPropertyValue("--row")) || 28;
  }

  #draw(): void {
    const { recording } = this.#playback;
    const height = this.#rowHeight;
    const first = Math.max(0, Math.floor(this.#list.scrollTop / height) - SPARE);
    const rows = this.#filter.rowsOf(recording);
    const last = Math.min(
      rows.length,
      Math.ceil((this.#list.scrollTop + this.#list.clientHeight) / height) + SPARE,
    );
    for (const [at, { element }] of this.#shown) {
      if (at < first || at >= last) {
        element.remove();
        this.#shown.delete(at);
      }
    }
    for (let at = first; at < last; at++) {
      this.#place(rows[at]!, at, height);
    }
    const isShown = this.#selected !== undefined && rows.includes(this.#selected);
    setAttribute(this.#list, "aria-activedescendant", isShown ? `row-${this.#selected!.at}` : null);
  }

  /** Scrolls to the selection: a hidden list could not be scrolled. */
  #resized(): void {
    this.#reveal();
    this.#draw();
  }

  #place(row: Row, at: number, height: number): void {
    const drawn = this.#lookOf(row);
    const present = this.#shown.get(at);
    if (present?.drawn === drawn) {
      return;
    }
    const element = rowElement(row, drawn, this.#playback.length);
    element.style.transform = `translateY(${at * height}px)`;
    if (present === undefined) {
      this.#rows.append(element);
    } else {
      present.element.replaceWith(element);
    }
    this.#shown.set(at, { element, drawn });
  }

  /** Returns a text of everything that determines the appearance of a row. */
  #lookOf(row: Row): string {
    const worst = this.#playback
      .recording!.violationsOf(row)
      .reduce((sum, { severity }) => `${sum} ${severity}`, "");
    const tint = ["error", "warning", "note"].find((severity) => worst.includes(severity)) ?? "";
    const future = row.at >= this.#playback.position ? "future" : "";
    const selected = row === this.#selected ? "selected" : "";
    return `row is-${row.label.kind} ${tint} ${future} ${selected} ${row.start}`;
  }

  #reveal(): void {
    if (this.#selected === undefined) {
      return;
    }
    const height = this.#rowHeight;
    const at = this.#filter.rowsOf(this.#playback.recording).indexOf(this.#selected);
    if (at < 0) {
      return;
    }
    const { scrollTop, clientHeight } = this.#list;
    // With its neighbours, so that the direction is visible.
    const top = (at - 2) * height;
    const bottom = (at + 3) * height;
    if (top < scrollTop) {
      this.#list.scrollTop = top;
    } else if (bottom > scrollTop + clientHeight) {
      this.#list.scrollTop = bottom - clientHeight;
    }
  }

  #click(event: Event): void {
    const row = (event.target as Element).closest<HTMLElement>("[data-at]");
    if (row !== null) {
      this.#playback.seek(Number(row.dataset.at) + 1);
    }
  }

  #key(event: KeyboardEvent): void {
    const page = Math.max(1, Math.floor(this.#list.clientHeight / this.#rowHeight) - 1);
    const step = { ArrowUp: -1, ArrowDown: 1, PageUp: -page, PageDown: page }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      const rows = this.#filter.rowsOf(this.#playback.recording);
      const last = rows.findLastIndex(({ at }) => at < this.#playback.position);
      // If the selection is between two rows of a filter, a step back selects the row before it.
      const from = step < 0 && rows[last] !== this.#selected ? last + 1 : last;
      const row = rows[Math.min(Math.max(from + step, 0), rows.length - 1)];
      if (row) {
        this.#playback.select(row);
      }
    }
  }
}

function rowElement(row: Row, look: string, total: number): HTMLElement {
  const { label } = row;
  const element = el(
    "div",
    {
      class: look.replace(/ \d+$/, "").replace(/ +/g, " ").trim(),
      id: `row-${row.at}`,
      role: "option",
      "data-at": row.at,
      "aria-selected": look.includes(" selected "),
      "aria-posinset": row.at + 1,
      "aria-setsize": total,
    },
    el("span", { class: "number" }, row.event === null ? "" : numberOf(row)),
    el("span", { class: "object" }, label.object),
    el("span", { class: "detail" }, label.detail),
    el("span", { class: "preview", dir: "auto" }, visibleLine(label.preview)),
    el("span", { class: "time" }, row.time === null ? "" : row.time.toFixed(0)),
  );
  element.title = `${row.event === null ? label.object : `event ${row.event}`}, from byte ${row.start}${row.time === null ? "" : `, ${timeText(row.time)} after the request`}`;
  return element;
}

/**
 * Returns the server's number of an event, or a dash if it is missing; in protocols without
 * numbers, the position.
 */
function numberOf({ event, label: { sequence } }: Row): string {
  return sequence === null ? "–" : String(sequence ?? event);
}
