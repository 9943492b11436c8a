// The first answer of a process meets code that is not compiled yet. A sample answer that is read before, while there is
// something to wait for, has that done.

import { Fold } from "./fold.js";
import type { AnyProtocol } from "./outcome.js";
import type { Readables } from "./readable.js";
import { core, isReady } from "./wasm.js";

/** Reads the sample of one of these protocols; what is no name of one counts as the first. See `warm` of each entry. */
export function warmed(reads: Readables, protocol?: AnyProtocol): void {
  if (!isReady(reads) || core(reads).kept !== undefined) {
    return;
  }
  const { tables, sample } = reads.find(({ tables }) => tables.name === protocol) ?? reads[0];
  const bytes = new TextEncoder().encode(sample());
  try {
    for (const size of [300, 2000]) {
      const fold = new Fold(reads, { protocol: tables.name });
      for (let from = 0; from < bytes.length; from += size) {
        fold.push(bytes.subarray(from, from + size));
        fold.update();
      }
      fold.end(false);
      void fold.outcome();
    }
  } catch {
    // There is no memory for it; whoever reads will be told.
  }
}
