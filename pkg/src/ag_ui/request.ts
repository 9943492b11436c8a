// AG-UI requests: reading them on a server, writing them as the official client does.

import type { Json, RunAgentInput } from "../agentwire.js";
import { check } from "../arguments.js";
import { jsonOf } from "../emit/options.js";
import { parseJson } from "../json.js";
import { type RequestProblem, accepted } from "../request.js";
import { toolkit } from "../wasm.js";

/**
 * Reads the body of a request. Both spellings of names are taken, null for what may be left out, and the parts of older
 * versions; what comes back is in the documented form. Throws a `RequestError` that names everything that is wrong.
 */
export function parseRunAgentInput(body: string): RunAgentInput {
  check("parseRunAgentInput", { body: "string" }, [body]);
  return accepted(toolkit().call("parseRunAgentInput", body))[0] as RunAgentInput;
}

/**
 * A request as the body to send: with the version of the protocol, and without activities, of which agents are not told.
 *
 * Throws an `AgentwireError` if it is no request (`bad-request`).
 */
export function runAgentInputBody(input: RunAgentInput): string {
  check("runAgentInputBody", { input: "object" }, [input]);
  return toolkit().call("writeRunAgentInput", jsonOf(input as unknown as Json));
}

/** What a server would refuse in a request as it is. */
export function validateRunAgentInput(input: RunAgentInput): RequestProblem[] {
  check("validateRunAgentInput", { input: "object" }, [input]);
  return parseJson(toolkit().call("validateRunAgentInput", jsonOf(input as unknown as Json))) as unknown as RequestProblem[];
}
