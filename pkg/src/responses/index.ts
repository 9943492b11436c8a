// The exports of OpenAI Responses that `agentwire/server` exports.

export { responsesAdapter } from "./adapter.js";
export { responsesEcho } from "./echo.js";
