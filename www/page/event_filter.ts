// Selects the rows of a stream that contain the words of the filter.

import type { Recording, Row } from "./recording.js";

/** Selects the rows with violations. */
const VIOLATIONS = "is:violation";

/** Filters the rows of a recording. The result is kept while the recording grows. */
export class EventFilter {
  #words: readonly string[] = [];
  #of: Recording | null = null;
  #found: Row[] = [];
  #searched = 0;
  readonly #decoder = new TextDecoder();

  /** Sets the words, all of which a row must contain; case is ignored. */
  set query(text: string) {
    this.#words = text.toLowerCase().split(/\s+/).filter(Boolean);
    this.#of = null;
  }

  /** Whether the filter is active. */
  get isOn(): boolean {
    return this.#words.length > 0;
  }

  /** Returns the rows to show. */
  rowsOf(recording: Recording | null): readonly Row[] {
    if (recording === null || !this.isOn) {
      return recording?.rows ?? [];
    }
    // The end adds violations to earlier rows.
    if (recording !== this.#of || (recording.finished && this.#searched < recording.rows.length)) {
      [this.#of, this.#found, this.#searched] = [recording, [], 0];
    }
    for (const row of recording.rows.slice(this.#searched)) {
      if (this.#matches(recording, row)) {
        this.#found.push(row);
      }
    }
    this.#searched = recording.rows.length;
    return this.#found;
  }

  #matches(recording: Recording, row: Row): boolean {
    const { object, detail, preview } = row.label;
    const text =
      `${object} ${detail} ${preview} ${this.#decoder.decode(recording.bytes.subarray(row.start, row.end))}`.toLowerCase();
    return this.#words.every((word) =>
      word === VIOLATIONS ? recording.violationsOf(row).length > 0 : text.includes(word),
    );
  }
}
