// A message to a conversation in which an answer is being written.

import type { WhileRunning } from "../../server/service.js";
import type { RunsThreads } from "./local.js";
import type { RunsRefusal } from "./refusal.js";
import type { CreatedRun, NewThreadRun } from "./thread.js";

/** The code of the refusal of a run while another one is active. */
const ACTIVE = "AGENT_SESSION_RUN_LIMIT_EXCEEDED";

/**
 * Creates a run. While another one is active, it is refused, waits for the end of the other one, or
 * stops it before.
 */
export async function created(
  threads: RunsThreads,
  thread: string,
  run: NewThreadRun,
  whileRunning: WhileRunning = "refuse",
  signal?: AbortSignal,
): Promise<RunsRefusal | CreatedRun> {
  for (;;) {
    const answer = await threads.call(thread, "create", run);
    if (!("refused" in answer) || answer.refused !== ACTIVE || whileRunning === "refuse") {
      return answer;
    }
    if (whileRunning === "interrupt") {
      await threads.call(thread, "cancel", run.owner, null);
    }
    await threads.call(thread, "entries", run.owner, null, "end");
    if (signal?.aborted) {
      return answer;
    }
  }
}

/** Stores a turn that was written in another thread. It waits for the answer in progress. */
export async function recorded(
  threads: RunsThreads,
  thread: string,
  run: NewThreadRun,
): Promise<RunsRefusal | CreatedRun> {
  for (;;) {
    const answer = await threads.call(thread, "record", run);
    if (!("refused" in answer) || answer.refused !== ACTIVE) {
      return answer;
    }
    await threads.call(thread, "entries", run.owner, null, "end");
  }
}
