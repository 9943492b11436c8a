// Made by `cargo xtask build` from the declarations in Rust; changed there, never here.

import { agentApiAdapter } from "./agent_api/adapter.js";
import { agKitAdapter } from "./ag_kit/adapter.js";
import { agUiAdapter } from "./ag_ui/adapter.js";
import { responsesAdapter } from "./responses/adapter.js";
import { a2aAdapter } from "./a2a/adapter.js";

/** The adapter of each protocol. */
export const ADAPTERS = {
  "agent-api": agentApiAdapter,
  "ag-kit": agKitAdapter,
  "ag-ui": agUiAdapter,
  "responses": responsesAdapter,
  "a2a": a2aAdapter,
} as const;
