// The present recording, and the present position in it. The panes subscribe; the controls change
// it.

import { Cursor, type Moment } from "./cursor.js";
import type { Recording, Row } from "./recording.js";

/** The number of earlier recordings that are kept, each with its bytes and its rows. */
const MOST_SEEN = 10;

/** The state that all panes share. */
export class Playback {
  #recording: Recording | null = null;
  #cursor: Cursor | null = null;
  /** The moment of the present position; computed on demand. */
  #moment: Moment | null = null;
  #position = 0;
  /** Whether the position follows the end. */
  #following = true;
  /** The latest recordings, to compare with. */
  readonly #seen: Recording[] = [];
  readonly #listeners: (() => void)[] = [];

  /** Calls `listener` after each possible change of the state. */
  subscribe(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Shows a recording, at its end. */
  load(recording: Recording): void {
    this.#recording = recording;
    this.#note(recording);
    this.#cursor?.free();
    this.#cursor = new Cursor(recording);
    this.#following = true;
    this.#goTo(this.length);
  }

  /** Reports that the recording has grown. */
  grown(): void {
    if (this.#following) {
      this.#goTo(this.length);
    } else {
      this.#notify();
    }
  }

  /** Moves to a position; at the end, follows the recording. */
  seek(position: number): void {
    const within = Math.min(Math.max(Math.round(position), 0), this.length);
    this.#following = within === this.length;
    if (within !== this.#position) {
      this.#goTo(within);
    }
  }

  /** Moves to the moment after a row. */
  select(row: Row): void {
    this.seek(row.at + 1);
  }

  /** Selects the event that an element, or an element around it, has in `data-event`. */
  selectEventAt(target: Element): void {
    const event = target.closest<HTMLElement>("[data-event]")?.dataset.event;
    const row = event === undefined ? undefined : this.#recording?.rowOfEvent(Number(event));
    if (row) {
      this.select(row);
    }
  }

  /** The latest recordings, including the present one. */
  get seen(): readonly Recording[] {
    return this.#seen;
  }

  get recording(): Recording | null {
    return this.#recording;
  }

  /** The number of rows that have been read: from 0 to `length`. */
  get position(): number {
    return this.#position;
  }

  get length(): number {
    return this.#recording?.rows.length ?? 0;
  }

  /** The row that was read last; undefined at the start. */
  get row(): Row | undefined {
    return this.#recording?.rows[this.#position - 1];
  }

  /** The answer at this moment; null without a recording. */
  get moment(): Moment | null {
    this.#moment ??= this.#cursor?.at(this.#position) ?? null;
    return this.#moment;
  }

  #note(recording: Recording): void {
    if (!this.#seen.includes(recording)) {
      this.#seen.push(recording);
      this.#seen.splice(0, this.#seen.length - MOST_SEEN);
    }
  }

  #goTo(position: number): void {
    this.#position = position;
    this.#moment = null;
    this.#notify();
  }

  #notify(): void {
    for (const listener of this.#listeners) {
      listener();
    }
  }
}
