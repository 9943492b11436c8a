// Made by `cargo xtask build` from the declarations in Rust; changed there, never here.

import { AGENT_API, type AgentApiTypes, callsOf as agentApiCalls } from "./agent_api/protocol.js";
import type { AgentApiOptions } from "./agent_api/tables.js";
import { AG_KIT, type AgKitTypes, callsOf as agKitCalls } from "./ag_kit/protocol.js";
import type { AgKitOptions } from "./ag_kit/tables.js";
import { AG_UI, type AgUiTypes, callsOf as agUiCalls } from "./ag_ui/protocol.js";
import type { AgUiOptions } from "./ag_ui/tables.js";

/** All of them. */
export const ALL = [AGENT_API, AG_KIT, AG_UI] as const;

/** How the tool calls of an answer are found: each says nothing of another protocol's. */
export const CALLS = [agentApiCalls, agKitCalls, agUiCalls] as const;

/** What an answer and its tool calls are in each protocol. */
export interface Answers {
  readonly "agent-api": Pick<AgentApiTypes, "answer" | "toolCall">;
  readonly "ag-kit": Pick<AgKitTypes, "answer" | "toolCall">;
  readonly "ag-ui": Pick<AgUiTypes, "answer" | "toolCall">;
}

/** The events of each protocol. */
export interface Events {
  readonly "agent-api": AgentApiTypes["event"];
  readonly "ag-kit": AgKitTypes["event"];
  readonly "ag-ui": AgUiTypes["event"];
}

/** The options of each protocol alone. */
export interface OptionsOf {
  readonly "agent-api": AgentApiOptions;
  readonly "ag-kit": AgKitOptions;
  readonly "ag-ui": AgUiOptions;
}

/** The options that only some protocols have. */
export interface AllOptions extends AgentApiOptions, AgKitOptions, AgUiOptions {}
