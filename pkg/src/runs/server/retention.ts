// The retention of a thread's log. A run that is old, or exceeds the limit, is shortened: pieces of
// a text are joined. If that is not enough, the logs of the oldest runs are deleted. The messages
// of the history stay.

import type { StoreRetention } from "../../server/service.js";
import { type RunLogEntry, RunSubscription } from "../service.js";
import type { BatchedEvent } from "./run_log.js";
import type { FollowedLog } from "./store.js";
import type { ThreadLog } from "./thread_log.js";

/** The number of entries that are read at once. */
const BATCH = 256;
/** Milliseconds before a log that has followers is looked at again. */
export const RETRY_MS = 2000;

/** The limits with their defaults. */
export type Retention = { readonly [K in keyof StoreRetention]-?: number };

const DAY = 24 * 3600 * 1000;

/** The default retention. */
export const RETENTION: Retention = {
  logMs: 7 * DAY,
  logBytes: 50_000_000,
  answerMs: DAY,
  taskMs: 7 * DAY,
};

/**
 * Keeps a log within its limits, while it is not read; returns the time at which to continue, if
 * there is one.
 */
export async function retain(
  store: ThreadLog,
  { logMs, logBytes }: Pick<Retention, "logMs" | "logBytes">,
  now: number,
  isRead: () => boolean = () => false,
): Promise<number | undefined> {
  const state = await store.state();
  if (state === undefined) {
    return undefined;
  }
  const runs = store.ended();
  const whole = runs.filter(({ isShort }) => !isShort);
  const isLarge = async (): Promise<boolean> => (await store.state())!.bytes > logBytes;
  while (whole.length > 0 && (whole[0]!.at + logMs <= now || (await isLarge()))) {
    const { runId } = whole[0]!;
    const events = await joinedEvents(store, runId, state.generation);
    if (isRead()) {
      return now + RETRY_MS;
    }
    await store.shorten(runId, events);
    whole.shift();
  }
  while (runs.length > 0 && (await isLarge())) {
    if (isRead()) {
      return now + RETRY_MS;
    }
    await store.expire(runs.shift()!.runId);
  }
  const [next] = whole;
  return next && next.at + logMs;
}

/** Returns the log of a run as a reader receives it after the end. */
async function joinedEvents(
  store: FollowedLog,
  runId: string,
  generation: string,
): Promise<BatchedEvent[]> {
  const subscription = new RunSubscription({ runId, generation, after: 0, idleLimit: 1 });
  const lengths: number[] = [];
  let last = 0;
  for await (const entry of entriesOf(store, runId)) {
    subscription.read(entry);
    lengths.push(unitsIn(entry.data));
    last = entry.number;
  }
  const first = last - lengths.length;
  let from = first;
  const frames = subscription
    .flush()
    .split("\n\n")
    .filter((frame) => frame !== "");
  subscription.free();
  return frames.map((frame) => {
    const number = Number(fieldOf(frame, "id").split("-").at(-1));
    const pieces = number - from > 1 ? lengths.slice(from - first, number - first) : null;
    from = number;
    return { kind: fieldOf(frame, "event"), data: fieldOf(frame, "data"), pieces };
  });
}

/** Yields the log of a run. */
export async function* entriesOf(
  store: FollowedLog,
  runId: string,
): AsyncGenerator<RunLogEntry, void, undefined> {
  for (let after = 0; ; ) {
    const entries = await store.read(runId, after, Number.MAX_SAFE_INTEGER, BATCH);
    if (entries.length === 0) {
      return;
    }
    yield* entries;
    after = entries.at(-1)!.number;
  }
}

/** Returns the value of a field of a frame; it may have several lines. */
function fieldOf(frame: string, name: string): string {
  const lines = frame.split("\n").filter((line) => line.startsWith(`${name}: `));
  return lines.map((line) => line.slice(name.length + 2)).join("\n");
}

/** Returns the number of UTF-16 units that an event adds to a text. */
function unitsIn(data: string): number {
  const { delta } = JSON.parse(data) as { readonly delta?: unknown };
  return typeof delta === "string" ? delta.length : 0;
}
