// The selected event: its bytes with invisible characters marked, or its JSON.

import { EventDecoder } from "agentwire";
import { byId, el, fill, setAttribute } from "./dom.js";
import { visibleBytes } from "./invisible.js";
import { prettyJson } from "./json_view.js";
import type { Recording, Row } from "./recording.js";
import { bytesText, countText, timeText } from "./words.js";

export class FramePane {
  readonly #pane = byId("frame");
  readonly #title = byId("frame-title");
  readonly #text = byId("frame-text");
  readonly #asBytes = byId("frame-bytes");
  readonly #asJson = byId("frame-json");
  #json = false;
  /** The summary of the stream, at its end. */
  #summary: HTMLElement | null = null;
  #frame: Uint8Array = new Uint8Array(0);

  constructor() {
    this.#asBytes.addEventListener("click", () => this.#choose(false));
    this.#asJson.addEventListener("click", () => this.#choose(true));
  }

  /** Shows the frame of a row; before the first row and after the last one, only the position. */
  show(recording: Recording | null, row: Row | undefined): void {
    this.#pane.hidden = recording === null;
    if (recording === null) {
      return;
    }
    const { start, end, event, label } = row ?? START;
    // A copy: the recording may still grow into a larger buffer.
    this.#frame = recording.bytes.slice(start, end);
    const place =
      start === end
        ? `at byte ${start}`
        : `bytes ${start}–${end} · ${bytesText(end - start)}${row?.time == null ? "" : ` · ${timeText(row.time)}`}`;
    fill(
      this.#title,
      event === null ? `${label.object} ${start === end ? label.detail : ""}` : `event ${event}`,
      el("span", {}, place),
    );
    this.#summary =
      row === undefined || event !== null || start !== end ? null : summaryOf(recording);
    this.#draw();
    this.#text.scrollTop = 0;
  }

  #choose(json: boolean): void {
    this.#json = json;
    setAttribute(this.#asBytes, "aria-pressed", !json);
    setAttribute(this.#asJson, "aria-pressed", json);
    this.#draw();
  }

  #draw(): void {
    if (this.#frame.length === 0) {
      fill(this.#text, this.#summary ?? el("span", { class: "hint" }, NOTHING));
      return;
    }
    const parsed = this.#json ? jsonOf(this.#frame) : undefined;
    fill(this.#text, parsed === undefined ? visibleBytes(this.#frame) : prettyJson(parsed));
  }
}

/** Describes a stream at its end: its size, and its times where they are known. */
function summaryOf(recording: Recording): HTMLElement {
  const {
    rows,
    events,
    bytes,
    chunks,
    isTimed,
    origin: { source },
  } = recording;
  const [first, last] = [rows.find(({ event }) => event !== null), rows.at(-1)];
  const facts = [
    `${countText(events, "event")}, ${bytesText(bytes.length)}${isTimed ? ` in ${countText(chunks.length, "chunk")}` : ""}.`,
    first?.time == null || last?.time == null
      ? ""
      : `First event ${timeText(first.time)} after the request, end after ${timeText(last.time)}.`,
    source?.kind === "request" && source.timing
      ? `First byte ${timeText(source.timing.firstByte)} after the request, last byte after ${timeText(source.timing.total)}.`
      : "",
    "Select a row for its bytes, or go through the stream with the arrow keys.",
  ];
  return el("span", { class: "hint" }, facts.filter(Boolean).join(" "));
}

const START = {
  start: 0,
  end: 0,
  event: null,
  label: { object: "before", detail: "the first byte" },
} as const;
const NOTHING = "No bytes at this position. The arrow keys go through the stream, event by event.";

/**
 * Returns the event; undefined if the frame is not an event: then the pane shows its bytes, and not
 * an error about JSON.
 */
function jsonOf(frame: Uint8Array): unknown {
  const decoder = new EventDecoder({ protocol: "auto" });
  const event = [...decoder.push(frame), ...decoder.finish()].find(({ kind }) => kind === "event");
  return event?.kind === "event" ? event.event : undefined;
}
