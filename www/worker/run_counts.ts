// Counts the agent's runs in this instance: what shows that one stops when its reader leaves.

/** How many runs there are and were. */
export const runs = { active: 0, finished: 0, stopped: 0 };

/** Counts a run; `stopped` are those whose reader left before the end. */
export async function counted(signal: AbortSignal, run: () => Promise<void>): Promise<void> {
  runs.active++;
  try {
    await run();
  } finally {
    runs.active--;
    signal.aborted ? runs.stopped++ : runs.finished++;
  }
}
