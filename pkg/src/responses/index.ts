// The exports of OpenAI Responses that `agentwire/server` exports.

export { responsesAdapter, responsesEcho } from "./adapter.js";
