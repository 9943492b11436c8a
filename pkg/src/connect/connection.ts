// A conversation with an agent at a URL: a sequence of requests.

import {
  type AgentClient,
  type AgentRun,
  type AgentState,
  type AgentUpdate,
  type Decision,
  type ResumeOptions,
  type SendOptions,
  type SharedConnectOptions,
  type ToolOptions,
  checkOptions,
  fitsDialect,
} from "./agent.js";
import type { Json } from "../agentwire.js";
import { check } from "../core/arguments.js";
import { must } from "../core/errors.js";
import type { Answers as AnswerTypes, AnyProtocol, Outcome, Protocol } from "../core/outcome.js";
import { uuid } from "../core/random.js";
import { answersInOrder } from "./answers.js";
import { type Dialect, type PreparedRequest, lastWith } from "./dialect.js";
import { setHeaders } from "../http/headers.js";
import { send } from "../http/origin.js";
import { type AgentStream, type ReadOptions, streamOf } from "../read/read.js";
import { ReadOnce } from "../read/read_once.js";
import { viewsOf } from "../read/tool_call_view.js";
import { Answers } from "../store/answers.js";
import { type ClientTool, type ConversationAnswer, type RunState, type StoredTurn, type TurnRequest, cutOf, endBy, endOf, isUnderWay } from "../store/state.js";

type Options<P extends Protocol, I> = SharedConnectOptions<P, I> & ToolOptions;
type Turn<P extends Protocol, I> = StoredTurn<P, I> & Pick<RunState<P>, "error">;

/** The run in progress. */
interface CurrentRun<P extends Protocol, I> {
  turn: Turn<P, I>;
  readonly stopping: AbortController;
}

/** Initializes the WebAssembly, if necessary. */
type Prepare = () => Promise<void> | undefined;

/** Returns the agent of `connect`. */
export function connected<P extends Protocol, I, O extends Options<P, I>>(dialect: Dialect<P, I, O>, url: string | URL, options: O): AgentClient<P, I> {
  checkOptions(dialect, options);
  must(typeof url === "string" || url instanceof URL, "wrong-argument", "connect(): `url` is a string or a URL");
  return new Connection(dialect, url, options);
}

/** Returns the agent, with a function that loads the WebAssembly of a page before the first request. */
export function preparedBy<A extends object>(prepare: Prepare, agent: A): A {
  (agent as unknown as Connection<Protocol, unknown, Options<Protocol, unknown>>).prepare = prepare;
  return agent;
}

class Connection<P extends Protocol, I, O extends Options<P, I>> implements AgentClient<P, I> {
  readonly #dialect: Dialect<P, I, O>;
  readonly #url: string | URL;
  readonly #options: O;
  readonly #id: string;
  readonly tools: Readonly<Record<string, ClientTool>>;
  readonly protocol: P;
  readonly maxToolRounds: number | undefined;
  /** The turns that have ended and that further requests need. */
  #turns: readonly Turn<P, I>[];
  /** The answers to the calls and approvals of the last turn. */
  #answers: Answers;
  #current: CurrentRun<P, I> | undefined;
  prepare: Prepare = () => undefined;

  constructor(dialect: Dialect<P, I, O>, url: string | URL, options: O) {
    // The protocol and the turns were checked.
    const state = options.state as AgentState<P, I> | undefined;
    const { id = state?.id ?? uuid(), tools = {}, maxToolRounds } = options;
    this.#dialect = dialect;
    this.#url = url;
    this.#options = options;
    this.#id = id;
    this.protocol = dialect.protocol;
    this.maxToolRounds = maxToolRounds;
    this.#turns = (state?.turns ?? []).map(restored);
    this.#answers = this.#pendingAnswers(this.#turns.at(-1));
    this.tools = Object.fromEntries(
      Object.entries(tools)
        .filter(([, { execute }]) => execute !== undefined)
        .map(([name, tool]) => [name, ((args, context) => tool.execute!(args, context)) as ClientTool]),
    );
  }

  get snapshot(): AnswerTypes[P]["answer"] | undefined {
    const turns = this.#all;
    return lastWith(turns)?.snapshot as AnswerTypes[P]["answer"] | undefined;
  }

  get status(): RunState["status"] {
    return this.#all.at(-1)?.status ?? "idle";
  }

  get error(): RunState["error"] {
    return this.#all.at(-1)?.error;
  }

  get pending(): Answers["waiting"] {
    return this.#answers.waiting;
  }

  get state(): AgentState<P, I> {
    const turns = this.#all.map(({ message, answers, snapshot, status, cut }) => ({ message, answers, snapshot, status, ...(cut && { cut }) }));
    return { protocol: this.protocol, id: this.#id, turns };
  }

  send(message: I, options?: SendOptions): AgentRun<P> {
    this.#mustBeFree("send");
    must(message !== undefined && message !== null, "missing-argument", "send(): `input` is missing");
    return this.#begin(message, [], options);
  }

  submitToolResults(results: Readonly<Record<string, Json>>, options?: SendOptions): AgentRun<P> {
    return this.#give("submitToolResults", results, {}, options);
  }

  resume(decisions: Readonly<Record<string, Decision>>, options: ResumeOptions = {}): AgentRun<P> {
    return this.#give("resume", options.toolResults ?? {}, decisions, options);
  }

  retry(options?: SendOptions): AgentRun<P> {
    this.#mustBeFree("retry");
    const last = this.#turns.at(-1);
    must(last?.status === "failed" || last?.status === "aborted", "nothing-to-retry", "retry(): the last request has not failed and was not stopped");
    this.#turns = this.#turns.slice(0, -1);
    return this.#begin(last.message, last.answers, options);
  }

  stop(reason?: unknown): void {
    const current = this.#current;
    if (current !== undefined) {
      this.#answers.stop(reason);
      if (isUnderWay(current.turn.status)) {
        current.turn = { ...current.turn, status: "aborted" };
      }
      this.#end(current);
      current.stopping.abort(reason);
    }
  }

  request({ signal, ...turn }: TurnRequest<P, I>): AgentStream<P> | Promise<AgentStream<P>> {
    const begin = (): AgentStream<P> => {
      const turns = this.#dialect.repeats === undefined ? turn.turns : turn.turns.map(withoutCut);
      const prepared = this.#dialect.request(this.#url, { ...turn, turns }, this.#options, { signal });
      const options = { ...this.#options.read, ...prepared.read, protocol: this.protocol, signal } as ReadOptions<P>;
      // The request is sent when its thread has been taken as a whole.
      const { promise, resolve } = deferred<Response>();
      const reading = streamOf<P>(this.#dialect.reads, promise, options as ReadOptions<AnyProtocol>);
      resolve(this.#answer(prepared));
      this.#dialect.cancellation && signal.addEventListener("abort", () => void this.#cancel(reading), { once: true });
      return reading;
    };
    const preparing = this.prepare();
    return preparing === undefined ? begin() : preparing.then(begin);
  }

  fits(turn: unknown): boolean {
    return fitsDialect(this.#dialect, turn);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.stop("the agent was disposed");
  }

  get #all(): readonly Turn<P, I>[] {
    return this.#current === undefined ? this.#turns : [...this.#turns, this.#current.turn];
  }

  #mustBeFree(called: string): void {
    must(this.#current === undefined, "busy", `${called}(): a run is under way: read it to its end, or call stop() first`);
  }

  /** Sends a request with its headers. */
  async #send(request: Request): Promise<Response> {
    const { headers, credentials, followRedirects, fetch = globalThis.fetch } = this.#options;
    setHeaders(request.headers, typeof headers === "function" ? await headers() : headers);
    return send(request, (each) => fetch(each, credentials && { credentials }), followRedirects);
  }

  async #answer({ request, answered }: PreparedRequest): Promise<Response> {
    const response = await this.#send(request);
    return answered === undefined ? response : answered(response, (next) => this.#send(next));
  }

  /** Stops the agent's work in protocols where closing the connection does not. */
  async #cancel(reading: AgentStream<P>): Promise<void> {
    try {
      const { snapshot, report } = (await reading.cancel()) as Outcome<Protocol>;
      const request = report.endReason === "aborted" && this.#dialect.cancellation!(this.#url, snapshot as AnswerTypes[P]["answer"], this.#options, {});
      await (request && (await this.#send(request)).body?.cancel());
    } catch {
      // The client has stopped the run in any case.
    }
  }

  #give(called: string, results: Readonly<Record<string, Json>>, decisions: Readonly<Record<string, Decision>>, options?: SendOptions): AgentRun<P> {
    this.#mustBeFree(called);
    check(called, { results: "object", decisions: "object" }, [results, decisions]);
    const { waiting } = this.#answers;
    const decided = Object.fromEntries(Object.entries(decisions).map(([id, decision]) => [id, decisionOf(called, id, decision)]));
    must(waiting.length > 0, "nothing-pending", `${called}(): no call and no approval waits for an answer`);
    for (const { call, answer } of answersInOrder(waiting, results, decided)) {
      const { id, name, kind } = call;
      this.#answers.give(call, kind === "call" ? { kind, id, name, value: answer } : { kind, id, name, ...decided[id]! });
    }
    return this.#begin(undefined, this.#answers.complete!, options);
  }

  #begin(message: I | undefined, answers: readonly ConversationAnswer[], { signal }: SendOptions = {}): AgentRun<P> {
    const current: CurrentRun<P, I> = { turn: newTurn(message, answers), stopping: new AbortController() };
    const stop = (reason: unknown): void => {
      this.#current === current && this.stop(reason);
    };
    const abort = (): void => stop(signal?.reason);
    this.#answers = new Answers();
    this.#current = current;
    const first = this.#ask(current);
    first.catch(() => {});
    signal?.addEventListener("abort", abort);
    signal?.aborted && abort();
    return new ToolRounds<P>(this.#rounds(current, first), stop, () => {
      signal?.removeEventListener("abort", abort);
      stop("the loop was left");
    });
  }

  /** Sends the request of the turn. Rejects if creating the request throws. */
  async #ask({ turn: { message, answers }, stopping: { signal } }: CurrentRun<P, I>): Promise<AgentStream<P>> {
    return this.request({ conversationId: this.#id, message, answers, turns: this.#turns as TurnRequest<P, I>["turns"], signal });
  }

  async *#rounds(current: CurrentRun<P, I>, first: Promise<AgentStream<P>>): AsyncGenerator<AgentUpdate<P>, Outcome<P>> {
    let asking = first;
    for (let round = 1; ; round++) {
      const outcome = yield* this.#round(current, asking, round);
      const answers = this.#current === current ? await this.#executed(round, current.stopping.signal) : undefined;
      if (this.#current !== current) {
        return outcome;
      }
      if (answers === undefined) {
        this.#end(current);
        return outcome;
      }
      this.#turns = this.#with(current.turn);
      this.#answers = new Answers();
      current.turn = newTurn(undefined, answers);
      asking = this.#ask(current);
    }
  }

  /** Reads the response to one request. */
  async *#round(current: CurrentRun<P, I>, asking: Promise<AgentStream<P>>, round: number): AsyncGenerator<AgentUpdate<P>, Outcome<P>> {
    const note = (news: Partial<Turn<P, I>>): void => {
      if (this.#current === current) {
        current.turn = { ...current.turn, ...news };
      }
    };
    try {
      const reading = await asking;
      for await (const update of reading) {
        note({ snapshot: update.snapshot, status: "streaming" } as Partial<Turn<P, I>>);
        yield { ...update, round };
      }
      const outcome = await reading.finished();
      note({ snapshot: outcome.snapshot, ...endOf(outcome as Outcome<AnyProtocol>), ...cutOf(outcome.report) } as Partial<Turn<P, I>>);
      this.#answers = this.#current === current ? this.#pendingAnswers(current.turn) : this.#answers;
      return outcome;
    } catch (error) {
      const { outcome } = Object(error) as { readonly outcome?: Outcome<P> };
      note({ ...(outcome && { snapshot: outcome.snapshot, ...cutOf(outcome.report) }), ...endBy(error) } as Partial<Turn<P, I>>);
      this.#current === current && this.#end(current);
      throw error;
    }
  }

  /**
   * Executes the tools that the response calls. Returns all answers; undefined if the user has to answer some, or after
   * too many rounds.
   */
  async #executed(round: number, signal: AbortSignal): Promise<readonly ConversationAnswer[] | undefined> {
    const answers = this.#answers;
    if (round > (this.maxToolRounds ?? MAX_TOOL_ROUNDS)) {
      return undefined;
    }
    await new Promise<void>((resolve) => {
      const settle = (): void => {
        answers.isRunning || resolve();
      };
      signal.addEventListener("abort", () => resolve(), { once: true });
      answers.run(this.tools, settle);
      settle();
    });
    return answers.complete;
  }

  /** Returns the calls and approvals that a turn leaves to the client. */
  #pendingAnswers(turn: Turn<P, I> | undefined): Answers {
    return new Answers(turn?.status === "done" ? viewsOf(turn.snapshot, [this.#dialect.callsOf]).filter(({ pending }) => pending) : []);
  }

  #end(current: CurrentRun<P, I>): void {
    this.#turns = this.#with(current.turn);
    this.#current = undefined;
  }

  /** Returns the turns that the next request needs, after this one. */
  #with(turn: Turn<P, I>): readonly Turn<P, I>[] {
    const before = this.#turns;
    // `retry` sends this one again, from the last response before it.
    const from = this.#dialect.repeats === "all" ? 0 : Math.max(before.map(({ status }) => status).lastIndexOf("done"), 0);
    return [...before.slice(from), turn];
  }
}

/** Returns the parts of a decision. */
function decisionOf(called: string, id: string, decision: Decision): { readonly approved: boolean; readonly value: Json } {
  const { approved, value = null } = typeof decision === "boolean" ? { approved: decision } : (Object(decision) as Exclude<Decision, boolean>);
  must(typeof approved === "boolean", "wrong-argument", `${called}(): the decision on \`${id}\` is true, false or { approved, value }`);
  return { approved, value };
}

/** Returns the initial state of a turn. */
function newTurn<P extends Protocol, I>(message: I | undefined, answers: readonly ConversationAnswer[]): Turn<P, I> {
  return { message, answers, snapshot: undefined, status: "connecting", error: undefined };
}

/** Returns a turn for a stored one. A turn that was in progress when it was stored counts as ended. */
function restored<P extends Protocol, I>({ message, answers, snapshot, status, cut }: StoredTurn<P, I>): Turn<P, I> {
  return { message: message ?? undefined, answers, snapshot: snapshot ?? undefined, status: isUnderWay(status) ? "aborted" : status, error: undefined, ...(cut && { cut }) };
}

/** Returns a turn for a request that repeats the thread: one that a limit has cut counts as one without a response. */
function withoutCut<T extends Pick<StoredTurn<Protocol, unknown>, "cut" | "snapshot" | "status">>(turn: T): T {
  return turn.cut ? { ...turn, snapshot: undefined, status: "failed" } : turn;
}

function deferred<T>(): { readonly promise: Promise<T>; readonly resolve: (value: T | PromiseLike<T>) => void } {
  let resolve!: (value: T | PromiseLike<T>) => void;
  const promise = new Promise<T>((settle) => (resolve = settle));
  return { promise, resolve };
}

/** The default of `maxToolRounds`, which stops agents that call tools endlessly. */
const MAX_TOOL_ROUNDS = 8;

export class ToolRounds<P extends Protocol> extends ReadOnce<AgentUpdate<P>, Outcome<P>> implements AgentRun<P> {
  readonly #updates: AsyncGenerator<AgentUpdate<P>, Outcome<P>>;
  readonly #stop: (reason: unknown) => void;
  readonly #over: () => void;

  /** @param over called when the updates have ended, also when their loop was left */
  constructor(updates: AsyncGenerator<AgentUpdate<P>, Outcome<P>>, stop: (reason: unknown) => void, over: () => void) {
    super();
    this.#updates = updates;
    this.#stop = stop;
    this.#over = over;
  }

  cancel(reason?: unknown): Promise<Outcome<P>> {
    this.#stop(reason);
    return this.finished();
  }

  protected async *updates(): AsyncGenerator<AgentUpdate<P>, undefined> {
    try {
      for (let update; (update = await this.#next()) !== undefined; ) {
        yield update;
      }
      return undefined;
    } finally {
      this.#over();
      // If the loop was left, the run was stopped, and its last outcome is available.
      void this.#drain();
    }
  }

  /** Returns the next update; undefined after the end, which settles the outcome. */
  async #next(): Promise<AgentUpdate<P> | undefined> {
    try {
      const { done, value } = await this.#updates.next();
      if (!done) {
        return value;
      }
      // After its end, a generator returns no value again.
      if (value !== undefined) {
        this.resolve(value);
      }
      return undefined;
    } catch (error) {
      this.reject(error);
      throw error;
    }
  }

  async #drain(): Promise<void> {
    while ((await this.#next().catch(() => undefined)) !== undefined);
  }
}
