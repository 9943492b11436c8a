// Further exports of OpenAI Responses in `agentwire/server`.

export { responsesEcho } from "./adapter.js";
