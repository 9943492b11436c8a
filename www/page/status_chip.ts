// A status as a small coloured label.

import type { Answer } from "./cursor.js";
import { el } from "./dom.js";

/** Returns the chip of a status; unknown statuses are neutral. */
export function statusChip(status: string): HTMLElement {
  return el("span", { class: `chip ${MOODS[status] ?? "idle"}` }, status.replaceAll(/[_-]/g, " "));
}

const MOODS: Readonly<Record<string, string>> = {
  queued: "busy",
  created: "busy",
  in_progress: "busy",
  streaming: "busy",
  running: "busy",
  completed: "good",
  finished: "good",
  failed: "bad",
  rejected: "bad",
  canceled: "stopped",
  cancelled: "stopped",
  aborted: "stopped",
  incomplete: "stopped",
  unfinished: "stopped",
  truncated: "stopped",
  stopped: "stopped",
  "awaiting-tool-results": "waiting",
  interrupted: "waiting",
  refused: "bad",
  "no answer": "bad",
  connected: "good",
  waiting: "waiting",
};

/**
 * Returns the status of an answer; for an A2A task the equivalent status of the other protocols,
 * and `failed` after an error.
 */
export function statusOf(answer: Answer): string | undefined {
  if (answer.protocol === "a2a") {
    return answer.snapshot.error !== null
      ? "failed"
      : answer.snapshot.task?.status?.state?.replace("TASK_STATE_", "").toLowerCase();
  }
  return answer.snapshot?.status;
}
