// Reads the JSON body of a request.

import { RequestError } from "agentwire";
import { readBody } from "agentwire/server";
import { runsRefusal } from "agentwire/runs/server";
import { type RunsEnv, timeoutOf } from "./env.js";

/** The maximum number of bytes of a body. */
const MOST = 1024 * 1024;

/** Reads the body; throws a refusal. */
export async function bodyOf(request: Request, env: RunsEnv): Promise<string> {
  try {
    // Every content type is accepted: a page of another site cannot send the token.
    return await readBody(request, { maxBodyBytes: MOST, bodyTimeoutMs: timeoutOf(env), contentTypes: ["*"] });
  } catch (error) {
    if (!(error instanceof RequestError)) {
      throw error;
    }
    const code = { 413: "AGENT_BODY_TOO_LARGE", 408: "AGENT_BODY_TIMEOUT" }[error.status] ?? "AGENT_RUN_INPUT_INVALID";
    throw runsRefusal(code, error.message);
  }
}
