// Waiting for a condition. No wait has a time limit: a test whose condition is never met is ended
// by the limit of the suite, and a busy machine fails no test.
import { setTimeout as sleep } from "node:timers/promises";

/** Resolves once the condition, which may be asynchronous, holds. */
export async function until(holds, pause = 5) {
  while (!(await holds())) {
    await sleep(pause);
  }
}
