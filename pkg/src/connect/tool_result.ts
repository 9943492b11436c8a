// Tool results and tools in the format of most protocols.

import type { Json } from "../agentwire.js";
import { stringifyJson } from "../json.js";
import type { AgentTools } from "./tool.js";

/** The result of a call that the user has skipped: models reject a thread with a call without a result. */
export const NOT_ANSWERED = "Error: the call was not answered";

/** Returns a result as text: JSON, unless it is a string. */
export function textOf(value: Json): string {
  return typeof value === "string" ? value : stringifyJson(value);
}

/** Returns the tools as functions with a name, a description and a schema. */
export function functionsOf(tools: AgentTools | undefined): { readonly name: string; readonly description: string; readonly parameters: Json }[] {
  return Object.entries(tools ?? {}).map(([name, { description = "", parameters = NO_PARAMETERS }]) => ({ name, description, parameters: parameters as Json }));
}

const NO_PARAMETERS = { type: "object", properties: {} };
