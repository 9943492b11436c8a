// The exports of `agentwire/chat` that only this protocol has.

export { createRequest, nextRequest, submitToolResults } from "./create_request.js";
export type { ChatInput as Input, ChatRequestOptions as RequestOptions } from "./create_request.js";
export type { ChatEvent as Event } from "../generated/chat/events.js";
export type {
  ChatAudio as Audio,
  ChatChoice as Choice,
  ChatCompletion as Snapshot,
  ChatContent as Content,
  ChatContentPart as ContentPart,
  ChatCustomTool as CustomTool,
  ChatFunction as Function,
  ChatMessage as Message,
  ChatRequest as RequestInput,
  ChatRequestFunction as RequestFunction,
  ChatRequestMessage as RequestMessage,
  ChatRequestToolCall as RequestToolCall,
  ChatStatus as Status,
  ChatTool as Tool,
  ChatToolCall as ToolCallPart,
  ChatToolFunction as ToolFunction,
} from "../agentwire.js";
