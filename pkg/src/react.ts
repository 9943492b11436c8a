"use client";
// The public API of `agentwire/react`: hooks for the chats of `connect` and for single streams.
// React 18 and 19.

import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import type { Chat, ChatState } from "./connect/chat.js";
import type { AnyProtocol } from "./core/outcome.js";
import type { DefaultProtocol } from "./generated/contract.js";
import type { StreamLike } from "./read/read.js";
import {
  type StreamFunction,
  type StreamState,
  type StreamStore,
  type StreamStoreOptions,
  createStreamStore,
} from "./store.js";

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
export type {
  StreamFunction,
  StreamState,
  StreamStatus,
  StreamStore,
  StreamStoreOptions,
} from "./store.js";

/** The state of a chat and the functions to control it. */
export type ChatView<S = unknown, O = object> = ChatState<S> &
  Omit<Chat<S, O>, "subscribe" | "getSnapshot" | "getServerSnapshot">;

/**
 * Returns the state of a chat, and the functions to control it.
 *
 * ```jsx
 * const chat = connect("/ag-ui", { persist: { key: "chat" } });
 *
 * function Chat() {
 *   const { messages, send, stop, isBusy } = useChat(chat);
 *   …
 * }
 * ```
 *
 * @param chatOrFactory a chat, which several components may share and which continues without them;
 * or a function that creates one, which is called in the first render: this chat belongs to the
 * component, and its run is stopped when the component has unmounted
 * @param options options that the chat receives after each render, for example `tools` with the
 * closures of the render
 */
export function useChat<S, O>(
  chatOrFactory: Chat<S, O> | (() => Chat<S, O>),
  options?: Partial<O>,
): ChatView<S, O> {
  const own = useRef<Chat<S, O> | null>(null);
  const chat =
    typeof chatOrFactory === "function" ? (own.current ??= chatOrFactory()) : chatOrFactory;
  const isOwn = typeof chatOrFactory === "function";
  const state = useSyncExternalStore(chat.subscribe, chat.getSnapshot, chat.getServerSnapshot);
  useEffect(() => {
    if (options !== undefined) {
      chat.set(options);
    }
  });
  useEffect(() => {
    mounted.set(chat, (mounted.get(chat) ?? 0) + 1);
    return () => {
      mounted.set(chat, mounted.get(chat)! - 1);
      if (isOwn) {
        // Strict mode unmounts and mounts again in the same task.
        setTimeout(() => mounted.get(chat) === 0 && chat.stop());
      }
    };
  }, [chat, isOwn]);
  const { subscribe: _, getSnapshot: __, getServerSnapshot: ___, ...functions } = chat;
  return { ...functions, ...state };
}

/** The number of components that show a chat. */
const mounted = new WeakMap<object, number>();

/** The state of a stream and the functions to control it. */
export interface StreamView<P extends AnyProtocol = DefaultProtocol>
  extends StreamState<P>,
    Pick<StreamStore<P>, "stop" | "retry"> {}

/**
 * Returns the state of a stream while it is read. Reading starts when the component mounts, once
 * even in strict mode, and never on a server; it is stopped when the component unmounts, unless
 * `keepAlive` is true.
 *
 * ```jsx
 * function Answer({ stream }) {
 *   const { status, snapshot, error, stop } = useStream(stream); // stream: from read(fetch(…)), in an event handler
 *   return <p>{status}: {snapshot?.output.length ?? 0} messages {error?.message}</p>;
 * }
 * ```
 *
 * @param source a stream, or null or undefined before it exists; a store, which several components
 * may share; or a function that starts a stream: that of the first render is called once, and the
 * newest one by `retry`. Another stream or store replaces the current one
 */
export function useStream<P extends AnyProtocol = DefaultProtocol>(
  source: StreamStore<P> | StreamLike<P> | StreamFunction<P> | null | undefined,
  options: StreamStoreOptions = {},
): StreamView<P> {
  const latest = useRef(source);
  useEffect(() => {
    latest.current = source;
  });
  const [own] = useState(() =>
    createStreamStore<P>((signal) => (latest.current as StreamFunction<P>)(signal), options),
  );
  const store =
    source == null
      ? (nothing() as StreamStore<AnyProtocol> as StreamStore<P>)
      : typeof source === "function"
        ? own
        : storeOf(source, options);
  const state = useSyncExternalStore(store.subscribe, store.getSnapshot, store.getServerSnapshot);
  return { ...store, ...state };
}

/**
 * Returns the store of a stream, the same one for each call: React may render a component more
 * often than it shows it.
 */
function storeOf<P extends AnyProtocol>(
  source: StreamStore<P> | StreamLike<P>,
  options: StreamStoreOptions,
): StreamStore<P> {
  if ("getSnapshot" in source) {
    return source;
  }
  const known = stores.get(source) as StreamStore<P> | undefined;
  const store = known ?? createStreamStore<P>(source, options);
  if (known === undefined) {
    stores.set(source, store);
  }
  return store;
}

const stores = new WeakMap<object, unknown>();

let missing: StreamStore<never> | undefined;

/**
 * Returns the store for a missing stream. It is created on demand, so that a page with `useChat`
 * only does not contain it.
 */
function nothing(): StreamStore<never> {
  missing ??= {
    ...createStreamStore<never>(() => new Promise(() => {})),
    subscribe: () => () => {},
    retry: () => false,
  };
  return missing;
}
