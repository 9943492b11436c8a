// Reports that the worker is healthy, and the number of runs of this instance.

import { version } from "agentwire";
import { jsonResponse } from "./replies.js";
import { runs } from "./run_counts.js";

/** Answers `GET /health`. */
export function health(): Response {
  return jsonResponse(200, { status: "healthy", version: version(), runs: { ...runs } });
}
