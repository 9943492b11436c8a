// `connect` of any protocol.

import { A2A_DIALECT, type A2aConnectOptions } from "./a2a/connect.js";
import type { A2aInput } from "./a2a/create_request.js";
import { AG_KIT_DIALECT, type AgKitConnectInput, type AgKitConnectOptions } from "./ag_kit/connect.js";
import { AG_UI_DIALECT, type AgUiConnectInput, type AgUiConnectOptions } from "./ag_ui/connect.js";
import { AGENT_API_DIALECT, type AgentApiConnectInput, type AgentApiConnectOptions } from "./agent_api/connect.js";
import type { AgentClient } from "./connect/agent.js";
import { connected } from "./connect/connection.js";
import type { Dialect } from "./connect/dialect.js";
import { AgentwireError } from "./errors.js";
import { PROTOCOLS } from "./generated.js";
import type { Protocol } from "./outcome.js";
import { RESPONSES_DIALECT, type ResponsesConnectInput, type ResponsesConnectOptions } from "./responses/connect.js";

/** The input of `send` in each protocol. */
export interface ConnectInputs {
  readonly "agent-api": AgentApiConnectInput;
  readonly "ag-kit": AgKitConnectInput;
  readonly "ag-ui": AgUiConnectInput;
  readonly responses: ResponsesConnectInput;
  readonly a2a: A2aInput;
}

/** The options of `connect` in each protocol. */
interface OptionsOf {
  readonly "agent-api": AgentApiConnectOptions;
  readonly "ag-kit": AgKitConnectOptions;
  readonly "ag-ui": AgUiConnectOptions;
  readonly responses: ResponsesConnectOptions;
  readonly a2a: A2aConnectOptions;
}

/** The options of `connect` for a protocol, and its name. */
export type ConnectOptions<P extends Protocol = Protocol> = { readonly [Each in Protocol]: OptionsOf[Each] & { readonly protocol: Each } }[P];

const DIALECTS = {
  "agent-api": AGENT_API_DIALECT,
  "ag-kit": AG_KIT_DIALECT,
  "ag-ui": AG_UI_DIALECT,
  responses: RESPONSES_DIALECT,
  a2a: A2A_DIALECT,
};

/**
 * Connects to an agent of any protocol. Sends nothing yet. The entry point of a single protocol has the same function
 * without `protocol`, and is smaller.
 *
 * ```js
 * const agent = connect("/ag-ui", { protocol: "ag-ui" });
 * for await (const { snapshot } of agent.send("Weather in Beijing?")) render(snapshot.messages);
 * ```
 *
 * @param url the URL of the agent; must be absolute outside of pages
 * @throws AgentwireError `unknown-protocol`, and `wrong-option` for an option that does not exist
 */
export function connect<P extends Protocol>(url: string | URL, options: { readonly protocol: P } & OptionsOf[P]): AgentClient<P, ConnectInputs[P]> {
  const { protocol, ...rest } = Object(options) as typeof options;
  if (!Object.hasOwn(DIALECTS, protocol)) {
    throw new AgentwireError("unknown-protocol", `connect(): option \`protocol\` is one of ${PROTOCOLS.join(", ")}`);
  }
  return connected(DIALECTS[protocol] as unknown as Dialect<P, ConnectInputs[P], object>, url, rest);
}
