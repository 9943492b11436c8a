// Further exports of Chat Completions in `agentwire/server`.

export { chatEcho } from "./adapter.js";
