// A message to a conversation in which an answer is being written.

import type { WhileRunning } from "../../server/service.js";
import type { RunsThreads } from "./local.js";
import type { RunsRefusal } from "./refusal.js";
import type { CreatedRun, NewThreadRun } from "./thread.js";

/** The code of the refusal of a run while another one is active. */
const ACTIVE = "AGENT_SESSION_RUN_LIMIT_EXCEEDED";

/** The last of the requests that wait for the end of a run, by their threads. */
const waiting = new WeakMap<RunsThreads, Map<string, Promise<unknown>>>();

/**
 * Creates a run. While another one is active, it is refused, waits for the end of the other one, or
 * stops it before. The runs that wait in this process begin in the order of their requests.
 */
export async function created(
  threads: RunsThreads,
  thread: string,
  run: NewThreadRun,
  whileRunning: WhileRunning = "refuse",
  signal?: AbortSignal,
): Promise<RunsRefusal | CreatedRun> {
  if (whileRunning === "refuse") {
    return threads.call(thread, "create", run);
  }
  const last = waiting.get(threads) ?? new Map<string, Promise<unknown>>();
  waiting.set(threads, last);
  const before = last.get(thread);
  const answer = createdAfter(before, threads, thread, run, whileRunning, signal);
  const settled = Promise.allSettled([before, answer]);
  last.set(thread, settled);
  try {
    return await answer;
  } finally {
    void settled.then(() => {
      if (last.get(thread) === settled) {
        last.delete(thread);
      }
    });
  }
}

async function createdAfter(
  before: Promise<unknown> | undefined,
  threads: RunsThreads,
  thread: string,
  run: NewThreadRun,
  whileRunning: WhileRunning,
  signal: AbortSignal | undefined,
): Promise<RunsRefusal | CreatedRun> {
  if (before !== undefined) {
    // A repeated request does not wait.
    const repeated = await threads.call(thread, "repeated", run);
    if (repeated !== null && !isActive(repeated)) {
      return repeated;
    }
    await before;
    if (signal?.aborted) {
      return { refused: ACTIVE, detail: "the client has left" };
    }
  }
  for (let interrupts = whileRunning === "interrupt"; ; interrupts = false) {
    const answer = await threads.call(thread, "create", run);
    if (!isActive(answer)) {
      return answer;
    }
    // A run that another process begins meanwhile can be that of a later message.
    if (interrupts) {
      await threads.call(thread, "cancel", run.owner, null);
    }
    await threads.call(thread, "entries", run.owner, null, "end");
    if (signal?.aborted) {
      return answer;
    }
  }
}

function isActive(answer: RunsRefusal | CreatedRun): boolean {
  return "refused" in answer && answer.refused === ACTIVE;
}

/** Stores a turn that was written in another thread. It waits for the answer in progress. */
export async function recorded(
  threads: RunsThreads,
  thread: string,
  run: NewThreadRun,
): Promise<RunsRefusal | CreatedRun> {
  for (;;) {
    const answer = await threads.call(thread, "record", run);
    if (!isActive(answer)) {
      return answer;
    }
    await threads.call(thread, "entries", run.owner, null, "end");
  }
}
