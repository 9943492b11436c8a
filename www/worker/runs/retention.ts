// The retention of a thread's log. A run that is old, or exceeds the limit, is shortened: pieces of a text are joined. If that is not
// enough, the logs of the oldest runs are deleted. The messages of the history stay.

import type { RunLogEntry } from "agentwire/runs/server";
import { joined } from "./joined.js";
import type { ThreadStorage } from "./storage.js";

/** The limits of a log. */
export interface Retention {
  /** Milliseconds for which a log is kept as it was written. */
  readonly life: number;
  /** The maximum number of bytes of all logs together. */
  readonly bytes: number;
}

/** The number of entries that are read at once. */
const BATCH = 256;

/** Keeps a log within its limits; returns the time at which the next run is old, if there is one. */
export function retain(storage: ThreadStorage, { life, bytes }: Retention, now: number): number | undefined {
  const runs = storage.endedRuns();
  const whole = runs.filter(({ is_short }) => is_short === 0);
  const old = whole.filter(({ at }) => at + life <= now);
  const rest = whole.slice(old.length);
  old.forEach(({ runId }) => shorten(storage, runId));
  while (storage.bytes > bytes && rest.length > 0) {
    shorten(storage, rest.shift()!.runId);
  }
  while (storage.bytes > bytes && runs.length > 0) {
    const { runId } = runs.shift()!;
    storage.together(() => storage.expire(runId));
  }
  const [next] = rest;
  return next === undefined ? undefined : next.at + life;
}

function shorten(storage: ThreadStorage, runId: string): void {
  const events = joined(runId, storage.generation, batchesOf(storage, runId));
  storage.together(() => storage.shorten(runId, events));
}

function* batchesOf(storage: ThreadStorage, runId: string): Generator<readonly RunLogEntry[], void, undefined> {
  for (let after = 0; ; ) {
    const entries = storage.entries(runId, after, Number.MAX_SAFE_INTEGER, BATCH);
    if (entries.length === 0) {
      return;
    }
    yield entries;
    after = entries.at(-1)!.number;
  }
}
