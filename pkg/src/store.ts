// The public API of `agentwire/store`: streams as stores, for user interfaces. It reads nothing by itself: the runs are
// created with any entry point for reading.

export { type RunStore, type StoreOptions, createRunStore } from "./store/run_store.js";
export type { RunFunction, RunSource } from "./store/follower.js";
export type {
  ApprovalDecision,
  ClientTool,
  Conversation,
  ConversationAnswer,
  ConversationState,
  PendingCall,
  RunError,
  RunState,
  StoreStatus,
  StoredTurn,
  ToolResult,
  Turn,
  TurnRequest,
} from "./store/state.js";
export { type ConversationAgent, type ConversationOptions, type ConversationSettings, createConversation } from "./store/conversation.js";
export type { Persist, StoredConversation, TextStorage } from "./store/persist.js";
