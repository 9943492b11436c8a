// The public API of `agentwire/store`: a stream as a store, for user interfaces. It reads nothing by itself: the streams are those of `read`.

export { type StreamStore, type StreamStoreOptions, createStreamStore } from "./store/stream_store.js";
export type { StreamFunction, StreamSource } from "./store/follower.js";
export type { ChatError } from "./store/ending.js";
export type { StreamState, StreamStatus } from "./store/state.js";
