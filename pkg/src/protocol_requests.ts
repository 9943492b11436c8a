// Made by `cargo xtask build` from the declarations in Rust; changed there, never here.

import { AgentwireError } from "./errors.js";
import { PROTOCOLS } from "./generated.js";
import { REQUESTS as agentApi } from "./agent_api/request.js";
import { REQUESTS as agKit } from "./ag_kit/request.js";
import { REQUESTS as agUi } from "./ag_ui/request.js";
import { REQUESTS as responses } from "./responses/request.js";
import { REQUESTS as a2a } from "./a2a/request.js";
import type { RequestInputs } from "./protocol_types.js";
import type { RequestTools } from "./request_tools.js";

const REQUESTS: { readonly [P in keyof RequestInputs]: RequestTools<RequestInputs[P]> } = {
  "agent-api": agentApi,
  "ag-kit": agKit,
  "ag-ui": agUi,
  "responses": responses,
  "a2a": a2a,
};

/** Returns the functions of a protocol for its requests. Throws an `AgentwireError` with code `unknown-protocol`. */
export function toolsOf<P extends keyof RequestInputs>(protocol: P): RequestTools<RequestInputs[P]> {
  if (!PROTOCOLS.includes(protocol)) {
    throw new AgentwireError("unknown-protocol", `the protocol is one of ${PROTOCOLS.join(", ")}, not ${protocol}`);
  }
  return REQUESTS[protocol];
}
