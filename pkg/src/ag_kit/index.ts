// The exports of AG-Kit that `agentwire/server` exports.

export { AgKitStreamBuilder } from "./stream_builder.js";
export { agKitAdapter } from "./adapter.js";
