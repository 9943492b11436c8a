// The public API of `agentwire/store`: a single stream as a store, and a chat as the transport of
// the AI SDK's `useChat`. It reads nothing by itself: the streams and chats are those of other
// entry points.

export {
  type StreamStore,
  type StreamStoreOptions,
  createStreamStore,
} from "./store/stream_store.js";
export type { StreamFunction, StreamSource } from "./store/stream_follower.js";
export type { ChatError } from "./store/ending.js";
export type { StreamState, StreamStatus } from "./store/state.js";
export {
  type AgentChatTransport,
  type TransportedChat,
  chatTransport,
} from "./connect/chat_transport.js";
