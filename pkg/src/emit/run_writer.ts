// What the parts of a run that is being written need of it. Types only.

import type { BuilderEvent } from "./event.js";

/** A run, as far as its parts write there. */
export interface RunWriter {
  /** Frees something with the run. Not earlier, so that a call on what has ended is told what is wrong with it. */
  own<T extends { free(): void }>(handle: T): T;
  /** Writes what nobody has to wait for. */
  begin(make: () => readonly BuilderEvent[]): void;
  /** Makes events and sends them before anything else can be made. What has been made must not be lost by a throw. */
  sent(make: () => readonly BuilderEvent[]): Promise<void>;
  /** Does something that writes, as far as it still can. `work` throws at once what is wrong. */
  writing(work: () => Promise<void> | void): Promise<void>;
  /** Sends events. Resolves when there is room for more. */
  put(events: readonly BuilderEvent[]): Promise<void>;
  /** What is made at the end of a block: nothing any more if the run has ended, which is no mistake of the block's. */
  disposed(make: () => readonly BuilderEvent[]): Promise<void>;
  /** Nothing can be written any more. */
  readonly ended: boolean;
}
