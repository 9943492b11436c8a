// `POST /process`: the Agent API.

import { type ErrorInfo, emit } from "agentwire";
import { askOf } from "./ask.js";
import { demoAgent } from "./demo_agent.js";
import { readAgentRequest } from "./requests.js";
import { counted } from "./runs.js";

/**
 * Answers a request with the demo agent's stream. The runtime refuses a second request with the same user and session
 * while one runs; this worker does not, because its agent keeps nothing that two runs could get into each other's way at.
 */
export async function process(request: Request): Promise<Response> {
  const asked = await readAgentRequest(request);
  if (asked instanceof Response) {
    return asked;
  }
  const ask = askOf(asked);
  const options = {
    protocol: "agent-api",
    sessionId: asked.session_id ?? crypto.randomUUID(),
    responseId: asked.id ?? undefined,
    // As the runtime announces a response.
    nullOutput: true,
    heartbeat: ask.heartbeat,
    onError: unknownError,
  } as const;
  return emit(request, options, (out) => counted(out.signal, () => demoAgent(out, ask)));
}

/** An error that the agent did not mean, as the runtime tells it. */
function unknownError(error: unknown): ErrorInfo {
  const what = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return { code: "AGENT_UNKNOWN_ERROR", message: `Unknown agent error: ${what}` };
}
