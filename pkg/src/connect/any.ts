// `connect` of any protocol.

import type { AgentClient } from "./agent.js";
import { connected } from "./connection.js";
import type { Dialect } from "./dialect.js";
import { AgentwireError } from "../core/errors.js";
import { WRITABLE, type WritableProtocol } from "../generated/contract.js";
import { type ConnectInputs, DIALECTS, type DialectOptions } from "../generated/registry/dialects.js";

export type { ConnectInputs } from "../generated/registry/dialects.js";

/** The options of `connect` for a protocol, and its name. */
export type ConnectOptions<P extends WritableProtocol = WritableProtocol> = { readonly [Each in WritableProtocol]: DialectOptions[Each] & { readonly protocol: Each } }[P];

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
export function connect<P extends WritableProtocol>(url: string | URL, options: { readonly protocol: P } & DialectOptions[P]): AgentClient<P, ConnectInputs[P]> {
  const { protocol, ...rest } = Object(options) as typeof options;
  if (!Object.hasOwn(DIALECTS, protocol)) {
    throw new AgentwireError("unknown-protocol", `connect(): option \`protocol\` is one of ${WRITABLE.join(", ")}`);
  }
  return connected(DIALECTS[protocol] as unknown as Dialect<P, ConnectInputs[P], object>, url, rest);
}
