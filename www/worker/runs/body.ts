// The body of a request that is JSON.

import { RequestError } from "agentwire";
import { readBody } from "agentwire/server";
import { runsRefusal } from "agentwire/runs/server";
import { type RunsEnv, timeoutOf } from "./env.js";

/** The most bytes of it. */
const MOST = 1024 * 1024;

/** Reads it; throws a refusal. */
export async function bodyOf(request: Request, env: RunsEnv): Promise<string> {
  try {
    // Of any type: a page of another site cannot send the token.
    return await readBody(request, { maxBodyBytes: MOST, bodyTimeoutMs: timeoutOf(env), contentTypes: ["*"] });
  } catch (error) {
    if (!(error instanceof RequestError)) {
      throw error;
    }
    const code = { 413: "AGENT_BODY_TOO_LARGE", 408: "AGENT_BODY_TIMEOUT" }[error.status] ?? "AGENT_RUN_INPUT_INVALID";
    throw runsRefusal(code, error.message);
  }
}
