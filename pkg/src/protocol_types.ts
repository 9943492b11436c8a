// Made by `cargo xtask build` from the declarations in Rust; changed there, never here.

import type { AgentApiOptions } from "./agent_api/tables.js";
import type { AgentApiTypes } from "./agent_api/types.js";
import type { AgKitOptions } from "./ag_kit/tables.js";
import type { AgKitTypes } from "./ag_kit/types.js";
import type { AgUiOptions } from "./ag_ui/tables.js";
import type { AgUiTypes } from "./ag_ui/types.js";
import type { ResponsesOptions } from "./responses/tables.js";
import type { ResponsesTypes } from "./responses/types.js";
import type { A2aOptions } from "./a2a/tables.js";
import type { A2aTypes } from "./a2a/types.js";

/** What an answer and its tool calls are in each protocol. */
export interface Answers {
  readonly "agent-api": Pick<AgentApiTypes, "answer" | "toolCall">;
  readonly "ag-kit": Pick<AgKitTypes, "answer" | "toolCall">;
  readonly "ag-ui": Pick<AgUiTypes, "answer" | "toolCall">;
  readonly "responses": Pick<ResponsesTypes, "answer" | "toolCall">;
  readonly "a2a": Pick<A2aTypes, "answer" | "toolCall">;
}

/** The events of each protocol. */
export interface Events {
  readonly "agent-api": AgentApiTypes["event"];
  readonly "ag-kit": AgKitTypes["event"];
  readonly "ag-ui": AgUiTypes["event"];
  readonly "responses": ResponsesTypes["event"];
  readonly "a2a": A2aTypes["event"];
}

/** The requests of each protocol. */
export interface RequestInputs {
  readonly "agent-api": AgentApiTypes["request"];
  readonly "ag-kit": AgKitTypes["request"];
  readonly "ag-ui": AgUiTypes["request"];
  readonly "responses": ResponsesTypes["request"];
  readonly "a2a": A2aTypes["request"];
}

/** The options of each protocol alone. */
export interface OptionsOf {
  readonly "agent-api": AgentApiOptions;
  readonly "ag-kit": AgKitOptions;
  readonly "ag-ui": AgUiOptions;
  readonly "responses": ResponsesOptions;
  readonly "a2a": A2aOptions;
}

/** The options that only some protocols have. */
export interface AllOptions extends AgentApiOptions, AgKitOptions, AgUiOptions, ResponsesOptions, A2aOptions {}
