// The types of reading: protocols and options, updates, and the outcome of a stream. Types only.

import type { Losses, Report, Violation } from "./findings.js";
import type {
  CommonOptions,
  DefaultProtocol,
  FirstProtocol,
  Limits,
} from "../generated/contract.js";
import type { AllOptions, Snapshots, OptionsOf } from "../generated/registry/types.js";

/** A built-in protocol. */
export type Protocol = keyof Snapshots;

/** The name of a built-in protocol, or `auto` to detect it. */
export type ProtocolChoice = Protocol | "auto";

/** A protocol to read: a name, `auto`, or a custom protocol. */
export type AnyProtocol = ProtocolChoice | CustomProtocol;

/** The reading options of all protocols. All are optional. */
export interface SharedOptions extends CommonOptions {
  /**
   * The limits on the memory that a stream can make the reader use. Missing ones have their
   * defaults.
   */
  readonly limits?: Partial<Limits> | undefined;
  /**
   * Whether integers in free JSON that a number cannot hold become `bigint` (true, the default), or
   * the nearest number.
   */
  readonly bigint?: boolean | undefined;
}

/** The options of a reader for a single protocol. All are optional. */
export type OptionsFor<P extends Protocol> = SharedOptions &
  OptionsOf[P] & { readonly protocol?: P | undefined };

/** The reading options. All are optional. An option of one protocol has no effect on the others. */
export interface DecoderOptions<P extends AnyProtocol = DefaultProtocol>
  extends SharedOptions,
    AllOptions {
  /**
   * The protocol of the stream. With `auto`, the default, its first event determines it; until then
   * there is no snapshot, and if no event does, the first of the protocols is used. A custom
   * protocol (`defineProtocol`) is read in the shape of that one.
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
  /**
   * Starts a conversion of the protocol's bytes to those of the protocol of the snapshot. For
   * `read` and `Decoder`.
   */
  open(options: DecoderOptions<never>): InputConverter;
  /** Starts a conversion of bytes to steps, as lines of JSON. */
  source(losses: Losses): Source;
  /** Starts a conversion of steps, as lines of JSON, to bytes. */
  target(): Target;
}

/** A conversion before a reader. */
export interface InputConverter {
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

export type { Snapshots } from "../generated/registry/types.js";

/** An update of the snapshot. With `auto`, `switch` on `protocol`. */
export type Update<P extends AnyProtocol = DefaultProtocol> = P extends Protocol
  ? UpdateOf<P>
  : P extends "auto"
    ? { [Each in Protocol]: UpdateOf<Each> }[Protocol]
    : UpdateOf<FirstProtocol>;

/** The outcome of a stream. With `auto`, `switch` on `protocol`. */
export type Outcome<P extends AnyProtocol = DefaultProtocol> = P extends Protocol
  ? OutcomeOf<P>
  : P extends "auto"
    ? { [Each in Protocol]: OutcomeOf<Each> }[Protocol]
    : OutcomeOf<FirstProtocol>;

/**
 * An update of a snapshot of protocol `P`. It is immutable, and shares its unchanged objects with
 * the update before.
 */
export interface UpdateOf<P extends Protocol> extends AnyUpdate {
  readonly protocol: P;
  /** The snapshot so far. */
  readonly snapshot: Snapshots[P]["answer"];
  /** All tool calls with their results, in the order of their first appearance. */
  readonly toolCalls: readonly Snapshots[P]["toolCall"][];
}

interface AnyUpdate {
  /** The changes of the snapshot since the update before, in the order of the first change. */
  readonly changes: readonly Change[];
  /** The new violations of the protocol, as far as `limits.violations` keeps them in full. */
  readonly violations: readonly Violation[];
  /** Whether the snapshot is final: further events cannot change it. */
  readonly isFinal: boolean;
}

/**
 * A path in a snapshot: property names and list positions, from the outside in. Empty for the
 * snapshot itself.
 */
export type Path = readonly (string | number)[];

/**
 * A change in a snapshot. Values without a change are the same as before. Tool calls are not
 * listed: an unchanged one is the same object as before.
 *
 * - `set`: the value at the path was replaced or removed. For a list: its elements or their order
 *   have changed.
 * - `add`: an object was inserted into a list, at the position at the end of the path. Its
 *   content is not listed.
 * - `append`: a string or list has grown. The part before `from` (in UTF-16 units, or elements)
 *   is unchanged.
 */
export type Change =
  | { readonly kind: "set"; readonly path: Path }
  | { readonly kind: "add"; readonly path: Path }
  | { readonly kind: "append"; readonly path: Path; readonly from: number };

/** The outcome of a stream of protocol `P`. */
export interface OutcomeOf<P extends Protocol> {
  readonly protocol: P;
  /** The final snapshot. */
  readonly snapshot: Snapshots[P]["answer"];
  /** All tool calls with their results, in the order of their first appearance. */
  readonly toolCalls: readonly Snapshots[P]["toolCall"][];
  /**
   * The report on the stream: how it ended, its violations, and its unknown events and unfinished
   * messages.
   */
  readonly report: Report;
}
