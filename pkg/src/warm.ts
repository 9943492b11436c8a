// Reads a sample stream while a request is pending, so that the code for the first stream of a process is compiled
// before it arrives.

import { Fold } from "./fold.js";
import type { AnyProtocol } from "./outcome.js";
import type { Readables } from "./readable.js";
import { core, isReady } from "./wasm.js";

/**
 * Reads the sample of a protocol; the first one if the argument is not a name of these. See `warm` of each entry point.
 */
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
    // There is not enough memory; the reader will throw an error.
  }
}
