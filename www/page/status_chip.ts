// A status as a small coloured word.

import { el } from "./dom.js";

/** The chip of a status; statuses that no protocol knows look neutral. */
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
  incomplete: "stopped",
  unfinished: "stopped",
  truncated: "stopped",
  "awaiting-tool-results": "waiting",
  interrupted: "waiting",
  refused: "bad",
  connected: "good",
  waiting: "waiting",
};
