// The exports of the AI SDK that `agentwire/server` exports.

export { aiSdkAdapter } from "./adapter.js";
