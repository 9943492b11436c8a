// A conversation as a store: several runs, the messages of the user, and the answers between runs.

import type { Json } from "../agentwire.js";
import { Answers } from "./answers.js";
import { knownOptions } from "../core/arguments.js";
import { must } from "../core/errors.js";
import type { AnyProtocol, Protocol } from "../core/outcome.js";
import { uuid } from "../core/random.js";
import { isTurn } from "./fits.js";
import { Follower } from "./follower.js";
import type { DefaultProtocol } from "../generated/contract.js";
import { type Persist, Persistence } from "./persist.js";
import { PublishedValue } from "./published_value.js";
import type { StreamLike } from "../read/read.js";
import type { StoreOptions } from "./run_store.js";
import { type ClientTool, type Conversation, type ConversationState, IDLE, type StoredTurn, type Turn, type TurnRequest, callsOf, cutOf, isUnderWay } from "./state.js";

/**
 * Creates a store for a conversation: a list of turns, each with the message of the user and the run that responds to
 * it. The client tools in `tools` are executed, and their results sent, as long as the agent calls them.
 *
 * ```js
 * import { init, read } from "agentwire/reader";
 * import { createConversation } from "agentwire/store";
 *
 * const conversation = createConversation({
 *   async request({ conversationId: session_id, message, signal }) {
 *     await init();
 *     const body = JSON.stringify({ session_id, input: [{ role: "user", content: [{ type: "text", text: message }] }] });
 *     return read(fetch("/process", { method: "POST", headers: { "content-type": "application/json" }, body, signal }), { signal });
 *   },
 * });
 * conversation.subscribe(() => draw(conversation.getSnapshot().turns));
 * conversation.send("Weather in Beijing?");
 * ```
 */
export function createConversation<P extends AnyProtocol = DefaultProtocol, M = string>(options: ConversationOptions<P, M>): Conversation<P, M>;
/**
 * Creates a store for a conversation with an agent of `connect`, whose tools and requests it uses. The state of the
 * agent itself does not change.
 *
 * ```js
 * import { connect } from "agentwire/ag-ui";
 * import { createConversation } from "agentwire/store";
 *
 * const conversation = createConversation(connect("/ag-ui"), { persist: { key: "chat" } });
 * conversation.subscribe(() => draw(conversation.getSnapshot().turns));
 * conversation.send("Weather in Beijing?");
 * ```
 */
export function createConversation<P extends Protocol, M = string>(
  agent: ConversationAgent<P, NoInfer<M>>,
  settings?: ConversationSettings<P, M>,
): Conversation<P, M>;
export function createConversation<P extends AnyProtocol, M>(
  given: ConversationOptions<P, M> | ConversationAgent<P, M>,
  settings?: ConversationSettings<P, M>,
): Conversation<P, M> {
  const options = optionsOf(given, settings);
  const live = new LiveConversation(options);
  return {
    subscribe: (listener) => live.published.subscribe(listener),
    getSnapshot: () => live.published.value,
    getServerSnapshot: () => live.first,
    send: (message) => live.send(message),
    stop: (reason) => live.stop(reason),
    retry: () => live.retry(),
    answer: (id, value) => live.answer(id, value, undefined),
    approve: (id, value = null) => live.answer(id, value, true),
    decline: (id, value = null) => live.answer(id, value, false),
    clear: () => live.clear(),
    finished: () => live.finished(),
    async [Symbol.asyncDispose]() {
      live.stop("the last subscriber left");
      await live.finished();
    },
  };
}

class LiveConversation<P extends AnyProtocol, M> {
  readonly #options: AllOptions<P, M>;
  #id: string;
  /** The turns that have ended. */
  #turns: readonly Turn<P, M>[];
  #current: { readonly turn: Turn<P, M>; readonly follower: Follower<P> } | undefined;
  /** The answers to the last turn. */
  #answers: Answers;
  /** The request to send when the stopped turn has ended, which happens within the current task. */
  #next: (() => void) | undefined;
  /** The number of consecutive turns that only returned tool results. */
  #rounds = 0;
  #state: ConversationState<P, M> | undefined;
  readonly #persistence: Persistence<P, M> | undefined;
  /** Pending until the stored conversation is loaded. */
  #loading: Promise<void> | undefined;
  readonly #waiting: ((state: ConversationState<P, M>) => void)[] = [];
  readonly first: ConversationState<P, M>;
  readonly published: PublishedValue<ConversationState<P, M>>;

  constructor(options: AllOptions<P, M>) {
    this.#options = options;
    this.#id = options.id ?? uuid();
    this.#turns = (options.turns ?? []).map(restored);
    this.#answers = new Answers(this.#turns.at(-1)?.pending);
    this.first = this.#read();
    this.#persistence = options.persist && new Persistence(options.persist);
    this.#load();
    this.published = new PublishedValue(() => this.#read(), {
      joined: () => {},
      left: () => options.keepAlive !== true && this.stop("the last subscriber left"),
    });
  }

  send(message: M): boolean {
    return this.#whenFree(() => {
      this.#rounds = 0;
      this.#ask({ message, answers: [] });
    });
  }

  retry(): boolean {
    return (this.#turns.length > 0 || this.#current !== undefined) && this.#whenFree(() => {
      const last = this.#turns.at(-1);
      if (last !== undefined) {
        this.#turns = this.#turns.slice(0, -1);
        this.#ask(last);
      }
    });
  }

  /** Answers a call, or an approval if `approved` is defined. */
  answer(id: string, value: Json, approved: boolean | undefined): boolean {
    const kind = approved === undefined ? "call" : "approval";
    const call = this.#answers.waiting.find((call) => call.kind === kind && call.id === id);
    if (call === undefined) {
      return false;
    }
    const { name } = call;
    this.#answers.give(call, approved === undefined ? { kind: "call", id, name, value } : { kind: "approval", id, name, approved, value });
    this.#answers.isByHand = true;
    this.#sendAnswers();
    return true;
  }

  stop(reason?: unknown): void {
    this.#next = undefined;
    if (this.#isBusy) {
      this.#answers.stop(reason);
      this.#current?.follower.abort(reason);
      this.#changed(true);
    }
  }

  clear(): void {
    this.#next = undefined;
    this.#loading = undefined;
    this.#answers.stop();
    this.#current?.follower.abort("a new conversation begins");
    this.#current = undefined;
    this.#id = uuid();
    this.#turns = [];
    this.#answers = new Answers();
    this.#changed(true);
    this.#save();
  }

  finished(): Promise<ConversationState<P, M>> {
    return this.#isBusy ? new Promise((resolve) => this.#waiting.push(resolve)) : Promise.resolve(this.published.value);
  }

  get #isBusy(): boolean {
    return this.#current !== undefined || this.#loading !== undefined || this.#answers.isRunning;
  }

  /** Loads the stored conversation. */
  #load(): void {
    const loaded = this.#persistence?.load(this.#options.fits ?? isAnyTurn, restored<P, M>);
    if (!(loaded instanceof Promise)) {
      return this.#restore(loaded);
    }
    const loading: Promise<void> = loaded.then((stored) => {
      // The conversation may have been cleared meanwhile.
      if (this.#loading === loading) {
        this.#loading = undefined;
        this.#restore(stored);
        const next = this.#next;
        this.#next = undefined;
        next === undefined ? this.#changed(true) : next();
      }
    });
    this.#loading = loading;
    this.#state = undefined;
  }

  #restore(stored: { readonly id: string; readonly turns: readonly Turn<P, M>[] } | undefined): void {
    if (stored !== undefined) {
      this.#id = stored.id;
      this.#turns = stored.turns;
      this.#answers = new Answers(this.#turns.at(-1)?.pending);
      this.#state = undefined;
    }
  }

  #save(): void {
    this.#persistence?.save(this.#id, this.#read().turns);
  }

  /**
   * Calls `ask` immediately, or when the stopped turn has ended or the stored conversation is loaded. Returns false if
   * it is not called.
   */
  #whenFree(ask: () => void): boolean {
    if (!this.#isBusy) {
      ask();
      return true;
    }
    const isFreeSoon = this.#loading !== undefined || this.#current?.follower.signal.aborted === true;
    if (this.#next !== undefined || !isFreeSoon) {
      return false;
    }
    this.#next = ask;
    return true;
  }

  #ask({ message, answers }: Pick<Turn<P, M>, "message" | "answers">): void {
    const turns = this.#turns;
    const follower: Follower<P> = new Follower((isFinal) => {
      // A turn that was cleared is ignored.
      if (this.#current?.follower === follower) {
        isFinal ? this.#conclude() : this.#changed(false);
      }
    });
    this.#answers = new Answers();
    this.#current = { turn: { ...IDLE, id: (turns.at(-1)?.id ?? 0) + 1, message, answers }, follower };
    this.#changed(true);
    this.#save();
    const request = { conversationId: this.#id, message, answers, turns };
    void follower.follow((signal) => this.#options.request({ ...request, signal }));
  }

  /** Ends the current turn. */
  #conclude(): void {
    const last = this.#withState()!;
    this.#turns = [...this.#turns, last];
    this.#current = undefined;
    this.#answers = new Answers(last.pending);
    this.#state = undefined;
    const next = this.#next;
    if (next !== undefined) {
      this.#next = undefined;
      return next();
    }
    this.#save();
    const { tools, maxToolRounds: rounds = ROUNDS } = this.#options;
    if (tools !== undefined && this.#rounds < rounds) {
      this.#answers.run(tools, () => this.#sendAnswers());
    }
    this.#changed(true);
  }

  /** Sends the answers if none is missing. */
  #sendAnswers(): void {
    const answers = this.#answers.complete;
    if (answers === undefined) {
      return this.#changed(true);
    }
    this.#rounds = this.#answers.isByHand ? 0 : this.#rounds + 1;
    this.#ask({ message: undefined, answers });
  }

  #changed(atOnce: boolean): void {
    this.#state = undefined;
    if (!atOnce) {
      return this.published.soon();
    }
    this.published.now();
    if (!this.#isBusy) {
      this.#waiting.splice(0).forEach((resolve) => resolve(this.published.value));
    }
  }

  #read(): ConversationState<P, M> {
    return (this.#state ??= this.#made());
  }

  #made(): ConversationState<P, M> {
    const current = this.#withState();
    const turns = current === undefined ? this.#turns : [...this.#turns, current];
    const { status, error } = turns.at(-1) ?? IDLE;
    return { id: this.#id, turns, status, isBusy: this.#isBusy, pending: this.#answers.waiting, error };
  }

  #withState(): Turn<P, M> | undefined {
    const state = this.#current?.follower.state;
    return state && { ...this.#current!.turn, ...state, ...cutOf(state.report) };
  }
}

/** Returns a turn for a stored one. A turn that was in progress when it was stored counts as ended. */
function restored<P extends AnyProtocol, M>(turn: StoredTurn<P, M>, at: number): Turn<P, M> {
  const { answers, status, cut } = turn;
  const [message, snapshot] = [turn.message ?? undefined, turn.snapshot ?? undefined];
  const toolCalls = snapshot === undefined ? [] : callsOf(snapshot, []);
  const pending = status === "done" ? toolCalls.filter(({ pending }) => pending) : [];
  return { ...IDLE, id: at + 1, message, answers, snapshot, status: isUnderWay(status) ? "aborted" : status, toolCalls, pending, ...(cut && { cut }) };
}

/** Accepts stored turns of any agent. Their snapshots have calls that the store can read. */
function isAnyTurn(turn: unknown): boolean {
  return isTurn(turn, "any", "object");
}

/** The default of `maxToolRounds`, which stops agents that call tools endlessly. */
const ROUNDS = 8;

/** The options of a conversation with an agent. All are optional. */
export interface ConversationSettings<P extends AnyProtocol = DefaultProtocol, M = string> extends StoreOptions {
  /**
   * Client tools by name, which are executed when the agent calls them. When nothing else is pending, their results are
   * sent.
   */
  readonly tools?: Readonly<Record<string, ClientTool>> | undefined;
  /** The number of consecutive turns that may only return tool results: 8 by default. Further calls stay pending. */
  readonly maxToolRounds?: number | undefined;
  /** The id of the conversation, which the server receives; a new UUID by default. */
  readonly id?: string | undefined;
  /** The turns of a stored conversation. */
  readonly turns?: readonly StoredTurn<P, M>[] | undefined;
  /**
   * Where the conversation is stored, so that it continues after the page is reloaded. A stored conversation takes
   * precedence over `id` and `turns`.
   */
  readonly persist?: Persist<P, M> | undefined;
}

/** The options of a conversation with a function that sends requests. */
export interface ConversationOptions<P extends AnyProtocol = DefaultProtocol, M = string> extends ConversationSettings<P, M> {
  /**
   * Sends a request to the agent, in its protocol, and returns the stream of the response. Called once per turn, and
   * once more for each `retry`.
   */
  request(turn: TurnRequest<P, M>): StreamLike<P> | PromiseLike<StreamLike<P>>;
}

/** The options of a conversation with an agent of `connect`, or with a function. */
interface AllOptions<P extends AnyProtocol, M> extends ConversationOptions<P, M> {
  /** Returns whether a value from the storage is a turn of the agent. By default, a turn of any protocol is one. */
  readonly fits?: (turn: unknown) => boolean;
}

/** An agent that `connect` returns. */
export interface ConversationAgent<P extends AnyProtocol, M> {
  readonly protocol: P;
  request(turn: TurnRequest<P, M>): StreamLike<P> | PromiseLike<StreamLike<P>>;
  readonly tools: Readonly<Record<string, ClientTool>>;
  readonly maxToolRounds: number | undefined;
  fits(turn: unknown): boolean;
  // The agent may accept more types of messages than the conversation.
  readonly state: { readonly id: string; readonly turns: readonly StoredTurn<P, any>[] };
}

/** Returns the options of a conversation, including those of one with an agent. */
export function optionsOf<P extends AnyProtocol, M>(
  given: ConversationOptions<P, M> | ConversationAgent<P, M>,
  settings: ConversationSettings<P, M> | undefined,
): AllOptions<P, M> {
  const agent = "an agent of `connect`, or options with `request`, a function that sends a request and returns the result of `read`";
  must(typeof Object(given).request === "function", "missing-argument", `createConversation() takes ${agent}`);
  if (!isAgent(given)) {
    knownOptions("createConversation()", given, ["request", ...SETTINGS]);
    return given;
  }
  knownOptions("createConversation()", settings ?? {}, SETTINGS);
  const { id, turns } = given.state;
  return {
    id,
    turns,
    maxToolRounds: given.maxToolRounds,
    ...settings,
    request: (turn) => given.request(turn),
    fits: (turn) => given.fits(turn),
    get tools() {
      return settings?.tools ?? given.tools;
    },
  };
}

/** Returns whether the argument is an agent of `connect`. */
function isAgent<P extends AnyProtocol, M>(given: object): given is ConversationAgent<P, M> {
  return "protocol" in given && "state" in given;
}

const SETTINGS = ["tools", "maxToolRounds", "id", "turns", "keepAlive", "persist"];
