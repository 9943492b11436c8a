// The exports of a chat, which the entry points with `connect` share.

export type {
  Chat,
  ChatState,
  ChatStatus,
  Run as ChatRun,
  SendOptions,
  UserInput,
} from "./connect/chat.js";
export type {
  ChatError,
  Message as ChatMessage,
  MessageStatus,
  Part as ChatPart,
  ToolPart,
  UserPart,
} from "./connect/message.js";
export { isToolPart, messageText } from "./connect/message.js";
export { type AgentTool, type AgentTools, type ToolContext, defineTool } from "./connect/tool.js";
export type { Persist, StoredChat } from "./connect/persist.js";
