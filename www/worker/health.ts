// The health of the worker, and the number of the agent's runs in this instance. Tests use it to
// verify that a run stops when its reader leaves.

import { version } from "agentwire";
import { jsonResponse } from "./replies.js";

const runs = { active: 0, finished: 0, stopped: 0 };

/** Counts a run; `stopped` counts the runs whose reader left before the end. */
export async function counted(signal: AbortSignal, run: () => Promise<void>): Promise<void> {
  runs.active++;
  try {
    await run();
  } finally {
    runs.active--;
    if (signal.aborted) {
      runs.stopped++;
    } else {
      runs.finished++;
    }
  }
}

/** Answers `GET /health`. */
export function health(): Response {
  return jsonResponse(200, { status: "healthy", version: version(), runs: { ...runs } });
}
