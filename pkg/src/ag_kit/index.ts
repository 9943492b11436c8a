// The exports of AG-Kit that `agentwire/server` exports.

export { agKitAdapter } from "./adapter.js";
