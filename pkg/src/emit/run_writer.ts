// The interface between a run that is being written and its parts. Types only.

import type { BuilderEvent } from "./event.js";

/** The methods of a run that its messages, contents and notes use. */
export interface RunWriter {
  /**
   * Frees a handle with the run, not earlier, so that a call after the end of the part still throws a specific error.
   */
  own<T extends { free(): void }>(handle: T): T;
  /** Writes events without waiting for the consumer. */
  begin(make: () => readonly BuilderEvent[]): void;
  /**
   * Creates events and sends them before other events can be created. If `make` throws, the events of the calls before
   * it are not lost.
   */
  sent(make: () => readonly BuilderEvent[]): Promise<void>;
  /** Runs a function that writes, if the run is still open. `work` throws errors synchronously. */
  writing(work: () => Promise<void> | void): Promise<void>;
  /** Sends events. Resolves when the consumer has room for more. */
  put(events: readonly BuilderEvent[]): Promise<void>;
  /**
   * Sends the events for the end of an `await using` block. Does nothing if the run has ended, which is not an error of
   * the block.
   */
  disposed(make: () => readonly BuilderEvent[]): Promise<void>;
  /** Whether the run has ended and rejects further writes. */
  readonly ended: boolean;
}
