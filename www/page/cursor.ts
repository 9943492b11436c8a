// The answer as it was at any moment. Nothing is stored per event: forwards the core reads on, backwards it reads again
// from the start, which takes a millisecond for a megabyte or so.

import { Decoder, type AgentResponse, type ToolCall } from "agentwire";
import type { Recording } from "./recording.js";

/** The answer at one moment. */
export interface Moment {
  readonly response: AgentResponse;
  readonly toolCalls: readonly ToolCall[];
  /** The response one row earlier; what has not changed since is the same object in both. */
  readonly before: AgentResponse | null;
}

/** Walks a recording. A position is a number of rows that have been read. */
export class Cursor {
  readonly #recording: Recording;
  #decoder = new Decoder();
  #position = 0;
  #offset = 0;

  constructor(recording: Recording) {
    this.#recording = recording;
  }

  /** The moment at a position. */
  at(position: number): Moment {
    if (position <= this.#position) {
      this.free();
      this.#decoder = new Decoder();
      this.#position = this.#offset = 0;
    }
    let before: AgentResponse | null = null;
    if (position > 0) {
      this.#readTo(position - 1);
      before = this.#decoder.response;
      this.#readTo(position);
    }
    return { response: this.#decoder.response, toolCalls: this.#decoder.toolCalls, before };
  }

  /** Gives the core's memory back. */
  free(): void {
    this.#decoder.free();
  }

  #readTo(position: number): void {
    const row = this.#recording.rows[position - 1];
    if (position === this.#position || row === undefined) {
      return;
    }
    this.#decoder.push(this.#recording.bytes.subarray(this.#offset, row.end));
    this.#offset = row.end;
    if (row.label.kind === "end") {
      this.#recording.report?.ended === "aborted" ? this.#decoder.abort() : this.#decoder.finish();
    }
    this.#position = position;
  }
}
