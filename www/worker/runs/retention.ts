// How long the log of a thread is kept: runs that are old, or more than there is room for, tell only what they have come to, pieces of a
// text joined; and where that is still too much, the oldest are forgotten. The messages of the history stay.

import { RunSubscription } from "agentwire";
import { EventScript } from "./event_script.js";
import type { EndedRun, ThreadStorage } from "./storage.js";

/** What is kept. */
export interface Retention {
  /** Milliseconds for which a log is kept as it was said. */
  readonly life: number;
  /** The most bytes of all logs together. */
  readonly bytes: number;
}

/** How many entries are read at once. */
const BATCH = 256;

/** Keeps a log within what is said; gives the time at which the next run is old, if there is one. */
export function retain(storage: ThreadStorage, { life, bytes }: Retention, now: number): number | undefined {
  const runs = storage.endedRuns();
  const whole = runs.filter(({ began }) => began === null);
  const old = whole.filter(({ at }) => at + life <= now);
  const rest = whole.slice(old.length);
  old.forEach((run) => shorten(storage, run));
  while (storage.bytes > bytes && rest.length > 0) {
    shorten(storage, rest.shift()!);
  }
  while (storage.bytes > bytes && runs.length > 0) {
    const { runId } = runs.shift()!;
    storage.together(() => storage.forgetRun(runId));
  }
  const [next] = rest;
  return next === undefined ? undefined : next.at + life;
}

/** What a reader is told who comes when the run is over is all that is kept of it. */
function shorten(storage: ThreadStorage, run: EndedRun): void {
  const { runId, terminal } = run;
  const subscription = new RunSubscription({ runId, generation: storage.generation, after: 0, idleLimit: 1 });
  for (let after = 0; after < terminal; ) {
    const entries = storage.entries(runId, after, terminal, BATCH);
    entries.forEach((entry) => subscription.read(entry));
    after = entries.at(-1)?.number ?? terminal;
  }
  const frames = subscription.flush().split("\n\n");
  subscription.free();
  const script = new EventScript(storage.threadId, runId);
  const told = frames.flatMap((frame) => frame.split("\n").filter((line) => line.startsWith(DATA)));
  const events = told.map((line) => line.slice(DATA.length)).map((data) => ({ kind: script.append(data), data }));
  script.free();
  storage.together(() => storage.shorten(run, events));
}

const DATA = "data: ";
