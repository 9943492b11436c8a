// The exports of AG-UI that `agentwire/server` exports.

export { agUiAdapter } from "./adapter.js";
export { AG_UI_BINARY, type AgUiFrame, compactAgUiEvents, encodeAgUiFrame } from "./events.js";
