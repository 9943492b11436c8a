// A status as a small coloured word.

import type { RunStatus } from "agentwire";
import { el } from "./dom.js";

/** The chip of a status; statuses that no protocol knows look neutral. */
export function statusChip(status: RunStatus): HTMLElement {
  return el("span", { class: `chip ${MOODS[status] ?? "idle"}` }, status.replaceAll("_", " "));
}

const MOODS: Readonly<Record<string, string>> = {
  queued: "busy",
  created: "busy",
  in_progress: "busy",
  completed: "good",
  failed: "bad",
  rejected: "bad",
  canceled: "stopped",
  incomplete: "stopped",
  unfinished: "stopped",
};
