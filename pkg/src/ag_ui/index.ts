// The names of AG-UI that only the whole toolkit has.

export { parseRunAgentInput, runAgentInputBody, validateRunAgentInput } from "./request.js";
export { agUiAdapter } from "./adapter.js";
export { toRunAgentInput } from "./convert_request.js";
export type { RunAgentInput } from "../agentwire.js";

export { AG_UI_BINARY, agUiFrame } from "./binary.js";
export type { AgUiFrame } from "./binary.js";
export { compactEvents } from "./compact.js";
export type { AgUiEvent } from "./events.js";
