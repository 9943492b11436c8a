// Made by `cargo xtask build` from the declarations in Rust; changed there, never here.

import { AGENT_API, callsOf as agentApiCalls } from "./agent_api/protocol.js";
import { AG_KIT, callsOf as agKitCalls } from "./ag_kit/protocol.js";
import { AG_UI, callsOf as agUiCalls } from "./ag_ui/protocol.js";
import { RESPONSES, callsOf as responsesCalls } from "./responses/protocol.js";
import { A2A, callsOf as a2aCalls } from "./a2a/protocol.js";

/** All of them. */
export const ALL = [AGENT_API, AG_KIT, AG_UI, RESPONSES, A2A] as const;

/** How the tool calls of an answer are found: each says nothing of another protocol's. */
export const CALLS = [agentApiCalls, agKitCalls, agUiCalls, responsesCalls, a2aCalls] as const;
