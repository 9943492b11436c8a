// The exports of `agentwire/anthropic` that only this protocol has.

export { createRequest, nextRequest, submitToolResults } from "./create_request.js";
export type { AnthropicInput as Input, AnthropicRequestOptions as RequestOptions } from "./create_request.js";
export type { AnthropicEvent as Event } from "../generated/anthropic/events.js";
export type {
  AnthropicBlock as Block,
  AnthropicBlockType as BlockType,
  AnthropicContent as Content,
  AnthropicMcpToolUse as McpToolUse,
  AnthropicMessage as Snapshot,
  AnthropicRedactedThinking as RedactedThinking,
  AnthropicRequestBlock as RequestBlock,
  AnthropicRequestMessage as RequestMessage,
  AnthropicServerToolUse as ServerToolUse,
  AnthropicStatus as Status,
  AnthropicText as Text,
  AnthropicThinking as Thinking,
  AnthropicTool as Tool,
  AnthropicToolUse as ToolUse,
  MessagesRequest as RequestInput,
} from "../agentwire.js";
