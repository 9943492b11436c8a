// How streams are read.

/** A protocol that can be read. */
export type Protocol = "agent-api";

/** How a stream is read. Everything is optional. */
export interface ReadOptions {
  /** `auto` (the default) finds out by itself; at present there is one protocol to find. */
  readonly protocol?: Protocol | "auto" | undefined;
  /**
   * `lenient` (the default) recovers from what the server does wrong and reports it, `strict` reads no further than the
   * first violation of severity error, `raw` recovers and says nothing.
   */
  readonly mode?: "strict" | "lenient" | "raw" | undefined;
  /**
   * What becomes of a last event without the blank line behind it: `lenient` (the default) takes it if it is whole,
   * `strict` drops it, as browsers do.
   */
  readonly ending?: "strict" | "lenient" | undefined;
  /**
   * Which of the two official rules merges pieces of data. `builder` (the default) adds, concatenates and replaces as
   * the server's builder does; `message` only continues texts and lists that are already there.
   */
  readonly dataMerge?: "builder" | "message" | undefined;
  /** Keep messages of type heartbeat in the answer. */
  readonly keepHeartbeats?: boolean | undefined;
  /** Bounds on what a stream can make the reader hold; what is left out has its default. */
  readonly limits?: Partial<Limits> | undefined;
  /**
   * Integers in free JSON that a number cannot hold become `bigint` (the default), or with `false` the nearest number.
   */
  readonly bigint?: boolean | undefined;
}

/**
 * How much a stream may make the reader keep: integers below 2^32. Real servers reach none of the defaults. What is too
 * much is dropped and reported as a violation, and reading goes on.
 */
export interface Limits {
  /** Bytes of one line; 64 MiB. */
  readonly lineBytes: number;
  /** Bytes of one event; 64 MiB. */
  readonly eventBytes: number;
  /** How deep arrays and objects of one event nest; 128. */
  readonly jsonDepth: number;
  /** Messages of one response; 100,000. */
  readonly messages: number;
  /** Contents of one message; 1,000. */
  readonly contents: number;
  /** Bytes of text of one content; 256 MiB. */
  readonly contentBytes: number;
  /** Keys and elements of one data content that arrives in pieces; 100,000. */
  readonly dataNodes: number;
  /** Violations kept in full; 1,000. The others are only counted. */
  readonly violations: number;
  /** Names of unknown events and types that are kept; 100. The others are only counted. */
  readonly unknown: number;
}

/** The protocol that is meant. */
export function protocolOf({ protocol = "auto" }: ReadOptions): Protocol {
  // A detector would look at the first bytes here; with one protocol there is nothing to detect.
  return protocol === "auto" ? "agent-api" : protocol;
}

/** The options that concern the core, as it wants them. */
export function optionsJson({ mode, ending, dataMerge, keepHeartbeats, limits }: ReadOptions): string {
  return JSON.stringify({ mode, ending, dataMerge, keepHeartbeats, limits });
}
