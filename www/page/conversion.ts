// A recording converted to another protocol: the output, the event of each part of it, and the
// losses.

import {
  type Conversion,
  Converter,
  Decoder,
  type Loss,
  WRITABLE,
  type WritableProtocol,
  type Report,
} from "agentwire";
import type { Recording } from "./recording.js";

/** A conversion that grows with its recording. */
export class Converted {
  readonly recording: Recording;
  readonly to: WritableProtocol;
  /** The losses so far. */
  losses: readonly Loss[] = [];
  readonly #converter: Converter;
  readonly #text = new TextDecoder();
  /** The length of the output after each row. */
  readonly #ends: number[] = [];
  #output = "";
  #offset = 0;
  #report: Report | null = null;

  constructor(recording: Recording, to: WritableProtocol) {
    this.recording = recording;
    this.to = to;
    this.#converter = new Converter({ from: recording.protocolOption, to });
  }

  /** Converts the bytes since the last call. */
  grow(): void {
    const { rows, bytes } = this.recording;
    for (const row of rows.slice(this.#ends.length)) {
      const made = this.#converter.push(bytes.subarray(this.#offset, row.end));
      this.#offset = row.end;
      this.#output += this.#text.decode(made, { stream: true });
      if (row.label.kind === "end") {
        this.#output += this.#text.decode(this.recording.endOf(this.#converter));
      }
      this.#ends.push(this.#output.length);
    }
    this.losses = this.#converter.conversion?.losses ?? [];
  }

  /** The output so far, as text: the protocols are UTF-8. */
  get output(): string {
    return this.#output;
  }

  /** The report of the target protocol's reader on the output; null until it is complete. */
  get report(): Report | null {
    this.#report ??=
      this.#ends.length > 0 && this.recording.finished ? reportOn(this.#output, this.to) : null;
    return this.#report;
  }

  /** The number of losses of each kind, including those that are not listed. */
  get counts(): Conversion["counts"] {
    return this.#converter.conversion?.counts ?? {};
  }

  /** The number of losses of all kinds. */
  get total(): number {
    return Object.values(this.counts).reduce((sum, count) => sum + count, 0);
  }

  /** Returns the range of a row's output, by the number of rows that have been read. */
  outputOf(position: number): readonly [start: number, end: number] {
    return [this.#ends[position - 2] ?? 0, this.#ends[position - 1] ?? 0];
  }

  /** Frees the memory in the core. */
  free(): void {
    this.#converter.free();
  }
}

/** Trying all targets takes a multiple of the time of one conversion. */
const LARGEST_TO_TRY = 1_000_000;

/**
 * Returns the protocol, other than that of the recording, to which it converts with the fewest
 * losses.
 */
export function leastLossy(recording: Recording): WritableProtocol {
  const targets = WRITABLE.filter((protocol) => protocol !== recording.protocol);
  if (!recording.finished || recording.bytes.length > LARGEST_TO_TRY) {
    return targets[0]!;
  }
  const totals = targets.map((to) => {
    const converted = new Converted(recording, to);
    converted.grow();
    const { total } = converted;
    converted.free();
    return total;
  });
  return targets[totals.indexOf(Math.min(...totals))]!;
}

function reportOn(output: string, protocol: WritableProtocol): Report {
  const decoder = new Decoder({ protocol });
  decoder.push(new TextEncoder().encode(output));
  return decoder.finish().report;
}
