// Counts the agent's runs in this instance. Tests use it to verify that a run stops when its reader leaves.

/** The numbers of runs. */
export const runs = { active: 0, finished: 0, stopped: 0 };

/** Counts a run; `stopped` counts the runs whose reader left before the end. */
export async function counted(signal: AbortSignal, run: () => Promise<void>): Promise<void> {
  runs.active++;
  try {
    await run();
  } finally {
    runs.active--;
    signal.aborted ? runs.stopped++ : runs.finished++;
  }
}
