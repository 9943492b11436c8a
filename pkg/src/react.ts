"use client";
// The public API of `agentwire/react`: hooks for the stores of `agentwire/store`. React 18 and 19.

import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import type { DefaultProtocol } from "./generated/contract.js";
import type { AnyProtocol, Protocol } from "./core/outcome.js";
import type { StreamLike } from "./read/read.js";
import {
  type Conversation,
  type ConversationAgent,
  type ConversationOptions,
  type ConversationSettings,
  type ConversationState,
  type RunFunction,
  type RunState,
  type RunStore,
  type StoreOptions,
  createConversation,
  createRunStore,
} from "./store.js";

export * from "./store.js";

/** The state of a run and the functions to control it. */
export interface RunView<P extends AnyProtocol = DefaultProtocol> extends RunState<P>, Pick<RunStore<P>, "abort" | "retry"> {}

/** The state of a conversation and the functions to control it. */
export interface ConversationView<P extends AnyProtocol = DefaultProtocol, M = string>
  extends ConversationState<P, M>,
    Pick<Conversation<P, M>, "send" | "stop" | "retry" | "answer" | "approve" | "decline" | "clear"> {}

/**
 * Returns the state of a run while it is read. The run starts when the component mounts, once even in strict mode, and
 * never on a server; it is aborted when the component unmounts, unless `keepAlive` is true.
 *
 * ```jsx
 * function Answer({ run }) {
 *   const { status, snapshot, error, abort } = useRun(run); // run: from read(fetch(…)), in an event handler
 *   return <p>{status}: {snapshot?.output.length ?? 0} messages {error?.message}</p>;
 * }
 * ```
 *
 * @param source a run, or null or undefined before it exists; a store, which several components may share; or a
 * function that starts a run: that of the first render is called once, and the newest one by `retry`. Another run or
 * store replaces the current one
 */
export function useRun<P extends AnyProtocol = DefaultProtocol>(
  source: RunStore<P> | StreamLike<P> | RunFunction<P> | null | undefined,
  options: StoreOptions = {},
): RunView<P> {
  const latest = useLatest(source);
  const [own] = useState(() => createRunStore<P>((signal) => (latest.current as RunFunction<P>)(signal), options));
  const store = source == null ? (NOTHING as RunStore<AnyProtocol> as RunStore<P>) : typeof source === "function" ? own : storeOf(source, options);
  const state = useSyncExternalStore(store.subscribe, store.getSnapshot, store.getServerSnapshot);
  return { ...store, ...state };
}

/**
 * Returns a conversation: its turns, and the functions to continue it. It lives as long as the component, which may
 * render twice, on a server, or in strict mode; requests are sent only by calls such as `send`.
 *
 * ```jsx
 * function Chat() {
 *   const { turns, send, stop, isBusy, pending, approve, decline, error, retry } = useConversation({
 *     request: ({ conversationId, message, answers, signal }) => read(ask(conversationId, message, answers, signal), { signal }),
 *     tools: { "change-background-color": ({ color }) => (setColor(color), "done") },
 *   });
 *   …
 * }
 * ```
 *
 * @param given the options, of which the newest `request` and `tools` are used; or a conversation, which several
 * components may share. Another conversation replaces the current one, which stops as after its last subscriber
 */
export function useConversation<P extends AnyProtocol = DefaultProtocol, M = string>(
  given: ConversationOptions<P, M> | Conversation<P, M>,
): ConversationView<P, M>;
/**
 * Returns a conversation with an agent of `connect`: a complete chat.
 *
 * ```jsx
 * const { turns, send, stop, isBusy } = useConversation(connect("/ag-ui"), { persist: { key: "chat" } });
 * ```
 *
 * @param agent the agent; the one of the newest render sends the requests and executes the tools
 * @param settings the options; those of the first render are used
 */
export function useConversation<P extends Protocol, M = string>(
  agent: ConversationAgent<P, NoInfer<M>>,
  settings?: ConversationSettings<P, M>,
): ConversationView<P, M>;
export function useConversation<P extends AnyProtocol, M>(
  given: ConversationOptions<P, M> | Conversation<P, M> | ConversationAgent<P, M>,
  settings: ConversationSettings<P, M> = {},
): ConversationView<P, M> {
  const latest = useLatest(given);
  const own = useRef<Conversation<P, M> | null>(null);
  // The arguments of the last render.
  const newest = <G,>(_: G): G => latest.current as G;
  const withAgent = (agent: ConversationAgent<P, M>): Conversation<P, M> => {
    const { protocol, state, maxToolRounds } = agent;
    const request: typeof agent.request = (turn) => newest(agent).request(turn);
    const standIn = {
      ...{ protocol, state, maxToolRounds, request, fits: (turn: unknown) => agent.fits(turn) },
      get tools() {
        return newest(agent).tools;
      },
    };
    return createConversation(standIn as ConversationAgent<Protocol, M>, settings as ConversationSettings<Protocol, M>) as unknown as Conversation<P, M>;
  };
  const withOptions = (options: ConversationOptions<P, M>): Conversation<P, M> =>
    createConversation<P, M>({
      ...options,
      ...(typeof options.request === "function" && { request: (turn) => newest(options).request(turn) }),
      get tools() {
        return newest(options).tools;
      },
    });
  const conversation = isStore(given) ? given : (own.current ??= isAgent(given) ? withAgent(given) : withOptions(given));
  const state = useSyncExternalStore(conversation.subscribe, conversation.getSnapshot, conversation.getServerSnapshot);
  return { ...conversation, ...state };
}

function useLatest<T>(value: T): { readonly current: T } {
  const latest = useRef(value);
  useEffect(() => {
    latest.current = value;
  });
  return latest;
}

/** Returns the store of a run, the same one for each call: React may render a component more often than it shows it. */
function storeOf<P extends AnyProtocol>(source: RunStore<P> | StreamLike<P>, options: StoreOptions): RunStore<P> {
  if (isStore(source)) {
    return source;
  }
  const known = stores.get(source) as RunStore<P> | undefined;
  const store = known ?? createRunStore<P>(source, options);
  known ?? stores.set(source, store);
  return store;
}

const stores = new WeakMap<object, unknown>();

function isStore<T extends object>(value: T): value is Extract<T, { readonly getSnapshot: unknown }> {
  return "getSnapshot" in value;
}

function isAgent<P extends AnyProtocol, M>(given: object): given is ConversationAgent<P, M> {
  return "protocol" in given;
}

const nothing = (): void => {};

/** The store for a missing run. */
const NOTHING: RunStore<never> = {
  .../* @__PURE__ */ createRunStore<never>(() => new Promise(() => {})),
  subscribe: () => nothing,
  retry: () => false,
};
