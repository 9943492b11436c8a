// Further exports of Anthropic Messages in `agentwire/server`.

export { type AnthropicAdapterDefinition, messagesEcho } from "./adapter.js";
