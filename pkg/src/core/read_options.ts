// The options for reading: built-in and custom protocols. Types only.

import type { Losses, Report } from "./findings.js";
import type { CommonOptions, DefaultProtocol, Limits } from "../generated/contract.js";
import type { AllOptions, Answers, OptionsOf } from "../generated/registry/types.js";

/** A built-in protocol. */
export type Protocol = keyof Answers;

/** The name of a built-in protocol, or `auto` to detect it. */
export type ProtocolChoice = Protocol | "auto";

/** A protocol to read: a name, `auto`, or a custom protocol. */
export type AnyProtocol = ProtocolChoice | CustomProtocol;

/** The reading options of all protocols. All are optional. */
export interface SharedOptions extends CommonOptions {
  /** The limits on the memory that a stream can make the reader use. Missing ones have their defaults. */
  readonly limits?: Partial<Limits> | undefined;
  /**
   * Whether integers in free JSON that a number cannot hold become `bigint` (true, the default), or the nearest number.
   */
  readonly bigint?: boolean | undefined;
}

/** The options of a reader for a single protocol. All are optional. */
export type OptionsFor<P extends Protocol> = SharedOptions & OptionsOf[P] & { readonly protocol?: P | undefined };

/** The reading options. All are optional. An option of one protocol has no effect on the others. */
export interface DecoderOptions<P extends AnyProtocol = DefaultProtocol> extends SharedOptions, AllOptions {
  /**
   * The protocol of the stream. With `auto`, the default, its first event determines it; until then there is no
   * snapshot, and if no event does, the first of the protocols is used. A custom protocol (`defineProtocol`) is read in
   * the shape of that one.
   */
  readonly protocol?: P | undefined;
}

/** The framing of events: one per line, or the data of server-sent events. */
export type Framing = "lines" | "sse";

/** A custom protocol for `read`, `Decoder`, `convert`, `Converter` and `respond`. */
export interface CustomProtocol {
  readonly name: string;
  readonly contentType: string;
  readonly framing: Framing;
  /** The protocol of the snapshot; the first of the protocols by default. */
  readonly as?: Protocol;
  /** The protocol of the bytes, if they are shown in the shape of `as`. */
  readonly shows?: AnyProtocol;
  /** See {@link ProtocolDefinition.detect}. */
  detect(event: string): boolean;
  /** Starts a conversion of the protocol's bytes to those of the protocol of the snapshot. For `read` and `Decoder`. */
  open(options: DecoderOptions<never>): Front;
  /** Starts a conversion of bytes to steps, as lines of JSON. */
  source(losses: Losses): Source;
  /** Starts a conversion of steps, as lines of JSON, to bytes. */
  target(): Target;
}

/** A conversion before a reader. */
export interface Front {
  push(bytes: Uint8Array): Uint8Array;
  finish(aborted: boolean): Uint8Array;
  /** Returns the report on the stream, if it differs from that of the reader. */
  report?(): Report | undefined;
  free(): void;
}

/** The side of a conversion that reads a custom protocol. */
export interface Source {
  /** The name of the protocol; `undefined` until an event has determined it. */
  readonly from: string | undefined;
  push(bytes: Uint8Array): string;
  finish(): string;
  free(): void;
}

/** The side of a conversion that writes a custom protocol. */
export interface Target {
  write(lines: string): string;
}
