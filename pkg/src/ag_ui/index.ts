// The exports of AG-UI that `agentwire/server` exports.

export { AgUiStreamBuilder } from "./stream_builder.js";
export type { AgUiBuilderOptions, AgUiOutcome, AgUiTokenUsage } from "./stream_builder.js";
export { agUiAdapter } from "./adapter.js";
export { AG_UI_BINARY, encodeAgUiFrame } from "./binary.js";
export type { AgUiFrame } from "./binary.js";
export { compactAgUiEvents } from "./compact.js";
