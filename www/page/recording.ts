// A received stream: its bytes, a row for each part of it, and the core's results.

import {
  Decoder,
  EventDecoder,
  type Outcome,
  type Protocol,
  type Report,
  type StreamEntry,
  type Violation,
} from "agentwire";
import type { Conversation } from "./conversation.js";
import { labelOf } from "./label.js";
import type { Label } from "./label_parts.js";
import type { ProtocolOption } from "./protocols.js";
import type { Source } from "./source.js";

/**
 * One line of the events pane: an event, a comment, other fields, or (the last one) the end of the
 * stream.
 */
export interface Row {
  /** Its index in the rows, from 0. */
  readonly at: number;
  /** The number of the event in violations; null for rows that are not events. */
  readonly event: number | null;
  /** The offsets of its first byte, and of the byte after its last one. */
  readonly start: number;
  readonly end: number;
  /** Milliseconds from the request to the chunk that completed it; null if unknown. */
  readonly time: number | null;
  readonly label: Label;
}

/** A part of a stream as it arrived. */
export interface Chunk {
  readonly bytes: Uint8Array;
  /** Milliseconds since the request; null if unknown. */
  readonly time: number | null;
}

/** The origin of the stream. */
export interface Origin {
  /** The user's question, if the stream answers one. */
  readonly question?: string | undefined;
  /** The request, file or sample of the stream. */
  readonly source?: Source | undefined;
  /** The conversation of the stream, if others may belong to it. */
  readonly conversation?: Conversation | undefined;
}

let recordings = 0;

/** A stream, during and after its recording. */
export class Recording {
  /** A number that identifies this reading of a stream. */
  readonly id = ++recordings;
  readonly origin: Origin;
  readonly protocolOption: ProtocolOption;
  readonly rows: Row[] = [];
  /** By event number; violations at the end of the stream have the number of events. */
  readonly violations = new Map<number, Violation[]>();
  /** A problem of the transport, which is not a violation of the stream. */
  trouble: string | null = null;

  readonly #events: EventDecoder<ProtocolOption>;
  readonly #decoder: Decoder<ProtocolOption>;
  #store = new Uint8Array(4096);
  #length = 0;
  /** The number of events. */
  #count = 0;
  /** The offset of the end of the last row. */
  #end = 0;
  #judged = 0;
  #protocol: Protocol | undefined;
  #outcome: Outcome<ProtocolOption> | null = null;
  #stopped = false;
  /** The end and the arrival time of each chunk. */
  readonly #chunks: { readonly end: number; readonly time: number | null }[] = [];
  #time: number | null = null;

  constructor(origin: Origin, protocol: ProtocolOption = "auto") {
    this.origin = origin;
    this.protocolOption = protocol;
    this.#events = new EventDecoder<ProtocolOption>({ protocol });
    this.#decoder = new Decoder({ protocol });
  }

  /** Returns a finished recording, of bytes or of chunks with their times. */
  static of(
    origin: Origin,
    content: Uint8Array | readonly Chunk[],
    protocol?: ProtocolOption,
  ): Recording {
    const recording = new Recording(origin, protocol);
    recording.#pushAll(content instanceof Uint8Array ? [{ bytes: content, time: null }] : content);
    recording.finish(false);
    return recording;
  }

  /** Returns a recording of the same bytes, read in another protocol. */
  readAs(protocol: ProtocolOption): Recording {
    // The page's replies belong to this reading of the stream, so the conversation is left out.
    const { question, source } = this.origin;
    const recording = new Recording({ question, source }, protocol);
    recording.#pushAll(this.chunks);
    recording.finish(this.#stopped, this.#time);
    return recording;
  }

  #pushAll(chunks: readonly Chunk[]): void {
    chunks.forEach(({ bytes, time }) => this.push(bytes, time));
  }

  /** Receives the next bytes, cut anywhere, and the milliseconds since the request. */
  push(chunk: Uint8Array, time: number | null = null): void {
    this.#keep(chunk);
    this.#time = time;
    this.#chunks.push({ end: this.#length, time });
    this.#add(this.#events.push(chunk));
    this.#judge();
  }

  /** Ends the stream; `stopped` is whether this page stopped it. */
  finish(stopped: boolean, time = this.#time): void {
    if (this.#outcome !== null) {
      return;
    }
    this.#time = time;
    this.#stopped = stopped;
    this.#add(this.#events.finish());
    this.#addFields(this.#length);
    this.#outcome = this.endOf(this.#decoder);
    const { protocol, report } = this.#outcome;
    this.#protocol = protocol;
    // The complete list: violations at the end are only in the report, and errors may have replaced
    // milder violations.
    this.violations.clear();
    this.#file(report.violations);
    const detail = report.endReason === "completed" ? "closed" : report.endReason;
    this.rows.push({
      at: this.rows.length,
      event: null,
      start: this.#length,
      end: this.#length,
      time: this.#time,
      label: {
        kind: "end",
        object: "end",
        detail: `of stream · ${detail}`,
        preview: "",
        sequence: null,
      },
    });
  }

  /** Whether the stream is over. */
  get finished(): boolean {
    return this.#outcome !== null;
  }

  /** The outcome of the stream; null until its end. */
  get outcome(): Outcome<ProtocolOption> | null {
    return this.#outcome;
  }

  /** The report on the whole stream; null until its end. */
  get report(): Report | null {
    return this.#outcome?.report ?? null;
  }

  /** The protocol of the stream; undefined until the first event, if it is detected. */
  get protocol(): Protocol | undefined {
    return this.#protocol;
  }

  /** Ends another reading of this stream in the same way as this one. */
  endOf<T>(reading: { abort(): T; finish(): T }): T {
    return this.#stopped ? reading.abort() : reading.finish();
  }

  /** The number of events. */
  get events(): number {
    return this.#count;
  }

  /** The bytes so far; read-only. */
  get bytes(): Uint8Array {
    return this.#store.subarray(0, this.#length);
  }

  /** The bytes so far, in the chunks of their arrival. */
  get chunks(): Chunk[] {
    return this.#chunks.map(({ end, time }, at) => ({
      bytes: this.#store.subarray(this.#chunks[at - 1]?.end ?? 0, end),
      time,
    }));
  }

  /** Whether the times of arrival are known. */
  get isTimed(): boolean {
    return this.#chunks.some(({ time }) => time !== null);
  }

  /** All violations so far, in the order in which they were found. */
  get allViolations(): readonly Violation[] {
    return this.report?.violations ?? [...this.violations.values()].flat();
  }

  /** Returns the violations of a row. */
  violationsOf(row: Row): readonly Violation[] {
    const event = row.label.kind === "end" ? this.#count : row.event;
    return (event !== null && this.violations.get(event)) || [];
  }

  /** Returns the row of an event; the last one for the end of the stream. */
  rowOfEvent(event: number): Row | undefined {
    return (
      this.rows.find((row) => row.event === event) ??
      (event >= this.#count ? this.rows.at(-1) : undefined)
    );
  }

  #add(entries: readonly StreamEntry<ProtocolOption>[]): void {
    // A comment within the lines of an event belongs to that row: the next entry, other comments
    // excluded, is that event.
    let follows = Infinity;
    const rows = entries.toReversed().filter((entry) => {
      const isInside = entry.kind === "comment" && follows <= entry.offset;
      follows = entry.kind === "comment" ? follows : entry.offset;
      return !isInside;
    });
    rows.reverse();
    rows.forEach((entry, at) => {
      if (entry.kind === "comment") {
        this.#addRow(entry.offset, rows[at + 1]?.offset ?? this.#length, labelOf(entry), null);
      } else if (entry.end > entry.offset) {
        this.#count = entry.number + 1;
        this.#addRow(entry.offset, entry.end, labelOf(entry), entry.number);
      }
    });
  }

  /** Adds a row for the fields between the last row and `until`, unless they are only line ends. */
  #addFields(until: number): void {
    const text = new TextDecoder().decode(this.#store.subarray(this.#end, until)).trim();
    if (text !== "") {
      this.#push(
        until,
        { kind: "other", object: "fields", detail: "", preview: text, sequence: null },
        null,
      );
    }
  }

  #addRow(start: number, end: number, label: Label, event: number | null): void {
    this.#addFields(start);
    this.#push(end, label, event);
  }

  /** Adds a row, which includes line ends before it. */
  #push(end: number, label: Label, event: number | null): void {
    this.rows.push({ at: this.rows.length, event, start: this.#end, end, time: this.#time, label });
    this.#end = end;
  }

  #judge(): void {
    this.#decoder.push(this.#store.subarray(this.#judged, this.#length));
    this.#protocol = this.#decoder.protocol;
    this.#file(this.#decoder.update()?.violations ?? []);
    this.#judged = this.#length;
  }

  #file(violations: readonly Violation[]): void {
    for (const violation of violations) {
      const same = this.violations.get(violation.event);
      if (same === undefined) {
        this.violations.set(violation.event, [violation]);
      } else {
        same.push(violation);
      }
    }
  }

  #keep(chunk: Uint8Array): void {
    const needed = this.#length + chunk.length;
    if (needed > this.#store.length) {
      const larger = new Uint8Array(Math.max(needed, this.#store.length * 2));
      larger.set(this.bytes);
      this.#store = larger;
    }
    this.#store.set(chunk, this.#length);
    this.#length = needed;
  }
}
