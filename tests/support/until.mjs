// Waiting for a condition. No wait has a time limit of its own: a test whose condition never holds is ended by the limit of the suite,
// and a busy machine fails no test.
import { setTimeout as sleep } from "node:timers/promises";

/** Resolves once the condition, which may be asynchronous, holds. */
export async function until(holds, pause = 5) {
  while (!(await holds())) {
    await sleep(pause);
  }
}
