// The chat that `connect` returns: its exchanges, and the runs that change them.

import type { Json } from "../agentwire.js";
import { AgentwireError, failedResult, must } from "../core/errors.js";
import { isObject, parseJson, stringifyJson } from "../core/json.js";
import type { Report } from "../core/findings.js";
import type { Answers, AnyProtocol, Outcome, Protocol } from "../core/outcome.js";
import { uuid } from "../core/random.js";
import { pause } from "../core/timers.js";
import type { AgentStream } from "../read/read.js";
import { type ToolCall, viewsOf } from "../read/tool_call_view.js";
import { type Ending, endingBy, endingOf, isCut, isForeign } from "../store/ending.js";
import { PublishedValue } from "../store/published_value.js";
import type { Chat, ChatState, Run, SendOptions, UserInput } from "./chat.js";
import type { Dialect, ExchangeToSend, View } from "./dialect.js";
import { type Exchange, type Reply, groupAt, isOver, lastIndex } from "./exchange.js";
import { Files, inputParts } from "./files.js";
import { fits } from "./fits.js";
import { type Message, type ToolPart, type UserPart, isToolPart } from "./message.js";
import { type AllOptions, type ChangeableOptions, checkChanges, checkOptions } from "./options.js";
import { isEqual, replyKey, withObjectsOf } from "./parts.js";
import { Persistence, type Restored } from "./persist.js";
import { ChatRun, type RunOwner } from "./run.js";
import { NOT_ANSWERED, type AgentTool, inputOf } from "./tool.js";
import { type Prepare, Transport } from "./transport.js";

/** A call or a question that can be answered. */
type PendingCall = ToolCall & { readonly id: string };

/** The default of `maxToolRounds`, which stops agents that call tools endlessly. */
const MAX_TOOL_ROUNDS = 8;

/** Returns the chat of `connect`. */
export function createChat<P extends Protocol, O extends object>(dialect: Dialect<P, O>, url: string | URL, options: O): Chat<Answers[P]["answer"], ChangeableOptions<O>> {
  checkOptions(dialect, options);
  must(typeof url === "string" || url instanceof URL, "wrong-argument", "connect(): `url` is a string or a URL");
  const live = new LiveChat(dialect as unknown as Dialect<P, AllOptions<P>>, url, options as AllOptions<P>);
  const chat: Chat<Answers[P]["answer"], ChangeableOptions<O>> = {
    subscribe: (listener) => live.published.subscribe(listener),
    getSnapshot: () => live.published.value,
    getServerSnapshot: () => live.first,
    send: (input, given) => live.send(input, given),
    answer: (id, value) => live.reply("answer", id, value, undefined),
    approve: (id, value = null) => live.reply("approve", id, value, true),
    decline: (id, value = null) => live.reply("decline", id, value, false),
    stop: () => live.stop(),
    retry: () => live.retry(),
    regenerate: (messageId) => live.regenerate(messageId),
    edit: (messageId, input) => live.edit(messageId, input),
    clear: () => live.clear(),
    set: (changes) => live.set(changes as Partial<AllOptions<P>>),
    finished: () => live.finished(),
    async [Symbol.asyncDispose]() {
      live.dispose();
    },
  };
  preparations.set(chat, (prepare) => live.prepare(prepare));
  return chat;
}

/** The functions that set how the WebAssembly of a chat is loaded. */
const preparations = new WeakMap<object, (prepare: Prepare) => void>();

/** Returns the chat, with a function that loads the WebAssembly of a page before the first request. */
export function preparedBy<C extends object>(prepare: Prepare, chat: C): C {
  preparations.get(chat)!(prepare);
  return chat;
}

/** The run in progress. */
interface CurrentRun {
  readonly exchangeId: string;
  readonly stopping: AbortController;
}

class LiveChat<P extends Protocol> implements RunOwner<Answers[P]["answer"]> {
  readonly #dialect: Dialect<P, AllOptions<P>>;
  readonly #transport: Transport<P, AllOptions<P>>;
  readonly #files = new Files();
  #options: AllOptions<P>;
  #id: string;
  #history: readonly Message[];
  #exchanges: readonly Exchange<Answers[P]["answer"]>[] = [];
  #view: View<Answers[P]["answer"]>;
  #current: CurrentRun | undefined;
  /** The latest snapshot that `#exchanges` does not contain yet: it is taken once per frame. */
  #latest: Answers[P]["answer"] | undefined;
  /** The length of the stored answer, which stays visible until the answer that is read again is as long. */
  #shownLength = 0;
  /** The functions that end the subscriptions to signals, by the messages that they stop. */
  readonly #signals = new Map<string, () => void>();
  /** The number of consecutive requests that only returned results of tools. */
  #rounds = 0;
  #report: Report | undefined;
  #state: ChatState<Answers[P]["answer"]> | undefined;
  readonly #persistence: Persistence<P> | undefined;
  /** Pending until the stored conversation is loaded. */
  #loading: Promise<void> | undefined;
  readonly first: ChatState<Answers[P]["answer"]>;
  readonly published: PublishedValue<ChatState<Answers[P]["answer"]>>;

  constructor(dialect: Dialect<P, AllOptions<P>>, url: string | URL, options: AllOptions<P>) {
    const { id = uuid(), messages = [], persist } = options;
    this.#dialect = dialect;
    this.#transport = new Transport(dialect, url);
    this.#options = options;
    this.#id = id;
    this.#history = messages.map((message) => ("status" in message ? message : { ...message, status: "done" }) as Message);
    this.#view = this.#newView();
    this.first = this.#read();
    this.#persistence = persist && new Persistence(persist, dialect.protocol, (value) => this.#isSnapshot(value), (exchanges) => this.#newView()(exchanges));
    this.#load();
    this.published = new PublishedValue(() => this.#read());
    this.#listen();
  }

  get state(): ChatState<Answers[P]["answer"]> {
    return this.published.value;
  }

  subscribe(listener: () => void): () => void {
    return this.published.subscribe(listener);
  }

  prepare(prepare: Prepare): void {
    this.#transport.prepare = prepare;
  }

  set(changes: Partial<AllOptions<P>>): void {
    checkChanges(this.#dialect, changes);
    const names = Object.keys(this.#options.tools ?? {});
    this.#options = { ...this.#options, ...changes };
    const now = this.#options.tools ?? {};
    if (names.length !== Object.keys(now).length || names.some((name) => !Object.hasOwn(now, name))) {
      this.#view = this.#newView();
      this.#changed(false);
    }
  }

  send(input: UserInput, { signal, metadata }: SendOptions = {}): Run<Answers[P]["answer"]> {
    const parts = inputParts("send", input);
    must(metadata === undefined || isObject(metadata), "wrong-argument", "send(): `metadata` is an object");
    const isRefused = this.#current !== undefined && this.#options.whileBusy === "refuse";
    if (parts === undefined || isRefused || signal?.aborted) {
      return new ChatRun(this, undefined);
    }
    if (this.#current === undefined) {
      this.#dropPending();
    }
    const user = { id: uuid(), parts: this.#files.shown(parts), ...(metadata !== undefined && { metadata }) };
    this.#exchanges = [...this.#exchanges, { id: uuid(), user, status: "queued", replies: [] }];
    if (signal !== undefined) {
      const stop = (): void => this.#stopMessage(user.id);
      signal.addEventListener("abort", stop, { once: true });
      this.#signals.set(user.id, () => signal.removeEventListener("abort", stop));
    }
    if (this.#current === undefined && this.#loading === undefined) {
      this.#startQueued();
    } else {
      this.#changed(true);
    }
    return new ChatRun(this, user.id);
  }

  reply(called: string, id: string, value: Json, approved: boolean | undefined): boolean {
    const at = this.#currentAt;
    const exchange = this.#exchanges[at];
    const kind = approved === undefined ? "call" : "approval";
    const call = exchange && this.#waiting(exchange).find((each) => each.id === id && each.kind === kind);
    if (call === undefined) {
      this.#mustBeAnswered(called, id, kind);
      return false;
    }
    const { name } = call;
    this.#addReply(at, { id, name, kind, value: plainData(called, value), ...(approved !== undefined && { approved }) });
    if (this.#current === undefined) {
      this.#rounds = 0;
      this.#continue();
    } else {
      this.#changed(true);
    }
    return true;
  }

  stop(): void {
    const current = this.#current;
    if (current === undefined) {
      return;
    }
    this.#read();
    const at = this.#currentAt;
    const { status, resumeUrl } = this.#exchanges[at]!;
    this.#current = undefined;
    this.#patch(at, { status: "stopped", resumeUrl: undefined, ...(status === "calling" && { isAnswered: true as const }) });
    this.#settle();
    current.stopping.abort();
    if (resumeUrl !== undefined) {
      void this.#transport.end(resumeUrl, this.#options);
    }
    this.#ended();
  }

  retry(): boolean {
    if (!this.#canRetry) {
      return false;
    }
    const at = this.#currentAt;
    this.#rounds = 0;
    if (this.#isComplete(this.#exchanges[at]!)) {
      // The answers of the client, or the results of its tools, were not sent.
      this.#patch(at, { status: "done", isAnswered: undefined });
      void this.#callTools(at, this.#begin(at));
    } else {
      this.#start(at);
    }
    return true;
  }

  regenerate(messageId: string | undefined): boolean {
    return this.#rerun(lastIndex(this.#exchanges, ({ id, user, status }) => status !== "queued" && user !== undefined && (messageId === undefined || user.id === messageId || id === messageId)), undefined);
  }

  edit(messageId: string, input: UserInput): boolean {
    const parts = inputParts("edit", input);
    const at = this.#exchanges.findIndex(({ user }) => user?.id === messageId);
    if (parts === undefined || at < 0) {
      return false;
    }
    const shown = this.#files.shown(parts);
    return this.#exchanges[at]!.status === "queued" ? this.#editQueued(at, shown) : this.#rerun(at, shown);
  }

  clear(): void {
    this.#loading = undefined;
    const { resumeUrl } = this.#exchanges[this.#currentAt] ?? {};
    if (this.#current !== undefined && resumeUrl !== undefined) {
      void this.#transport.end(resumeUrl, this.#options);
    }
    const current = this.#current;
    this.#current = undefined;
    this.#latest = undefined;
    this.#exchanges = [];
    this.#history = [];
    this.#report = undefined;
    this.#id = uuid();
    this.#view = this.#newView();
    current?.stopping.abort();
    this.#ended();
  }

  dispose(): void {
    this.stop();
    globalThis.removeEventListener?.("storage", this.#onStorage);
    globalThis.removeEventListener?.("pagehide", this.#onPageHide);
  }

  async finished(): Promise<ChatState<Answers[P]["answer"]>> {
    while (this.#current !== undefined || this.#loading !== undefined) {
      await new Promise<void>((resolve) => {
        const leave = this.subscribe(() => {
          leave();
          resolve();
        });
      });
    }
    return this.published.value;
  }

  isOver(messageId: string): boolean {
    const at = this.#exchanges.findIndex(({ user }) => user?.id === messageId);
    const last = groupAt(this.#exchanges, at).at(-1);
    return at < 0 || last === undefined || (isOver(last.status) && this.#current?.exchangeId !== last.id);
  }

  answerId(messageId: string): string | undefined {
    return this.#exchanges.find(({ user }) => user?.id === messageId)?.id;
  }

  /** Whether answers continue after a lost connection and a reload. */
  get #isResuming(): boolean {
    return this.#options.resume ?? this.#dialect.continues ?? false;
  }

  /** The index of the last exchange that is not queued. */
  get #currentAt(): number {
    return lastIndex(this.#exchanges, ({ status }) => status !== "queued");
  }

  get #canRetry(): boolean {
    const exchange = this.#exchanges[this.#currentAt];
    if (this.#current !== undefined || this.#loading !== undefined || exchange === undefined) {
      return false;
    }
    return exchange.status !== "done" || this.#hasUnsentReplies(exchange);
  }

  /** Whether the answer of an exchange is complete, so that its calls can be answered. */
  #isComplete({ status, isAnswered }: Exchange<Answers[P]["answer"]>): boolean {
    return status === "done" || status === "calling" || isAnswered === true;
  }

  #hasUnsentReplies(exchange: Exchange<Answers[P]["answer"]>): boolean {
    return this.#isComplete(exchange) && exchange.replies.some(({ isDropped }) => isDropped !== true) && this.#waiting(exchange).length === 0;
  }

  /** Returns the calls and questions of an answer that have no reply. */
  #waiting(exchange: Exchange<Answers[P]["answer"]>): readonly PendingCall[] {
    const { snapshot, replies } = exchange;
    if (snapshot === undefined || !this.#isComplete(exchange)) {
      return [];
    }
    return viewsOf(snapshot, [this.#dialect.callsOf]).filter(
      (call): call is PendingCall => call.pending && call.id !== null && !replies.some(({ id, kind }) => id === call.id && kind === call.kind),
    );
  }

  /** Throws unless a call or question with this id was answered. */
  #mustBeAnswered(called: string, id: string, kind: Reply["kind"]): void {
    if (this.#exchanges.some(({ replies }) => replies.some((reply) => reply.id === id && reply.kind === kind))) {
      return;
    }
    const exchange = this.#exchanges[this.#currentAt];
    const other = exchange && this.#waiting(exchange).find((call) => call.id === id);
    const [what, instead] = kind === "call" ? ["call", "approve(id) or decline(id)"] : ["question", "answer(id, value)"];
    must(other === undefined, "not-pending", `${called}(): \`${id}\` is the id of a ${other?.kind === "call" ? `call of \`${other.name}\`` : "question"}: use ${instead}`);
    must(false, "not-pending", `${called}(): no ${what} with the id \`${id}\` waits for the user`);
  }

  #patch(at: number, changes: Partial<Exchange<Answers[P]["answer"]>>): void {
    const exchanges = [...this.#exchanges];
    exchanges[at] = { ...exchanges[at]!, ...changes };
    this.#exchanges = exchanges;
    this.#state = undefined;
  }

  /** Adds a reply. Replies are sent in the order of their calls, not in that of their arrival. */
  #addReply(at: number, reply: Reply): void {
    const { snapshot, replies } = this.#exchanges[at]!;
    const order = viewsOf(snapshot, [this.#dialect.callsOf]).map(({ kind, id }) => replyKey(kind, id ?? ""));
    const indexOf = ({ kind, id }: Reply): number => order.indexOf(replyKey(kind, id));
    this.#patch(at, { replies: [...replies, reply].sort((one, other) => indexOf(one) - indexOf(other)) });
  }

  #changed(atOnce: boolean): void {
    this.#state = undefined;
    atOnce ? this.published.now() : this.published.soon();
  }

  /** Forgets the signals of messages whose runs are over. A signal can outlive the chat. */
  #leaveSignals(): void {
    for (const [messageId, leave] of this.#signals) {
      const last = groupAt(this.#exchanges, this.#exchanges.findIndex(({ user }) => user?.id === messageId)).at(-1);
      if (last === undefined || (this.isOver(messageId) && this.#waiting(last).length === 0)) {
        leave();
        this.#signals.delete(messageId);
      }
    }
  }

  /** Publishes and stores the state when nothing is in progress any more. */
  #ended(): void {
    this.#leaveSignals();
    this.#changed(true);
    this.#save();
  }

  #save(): void {
    this.#persistence?.save(this.#conversation);
  }

  get #conversation(): Restored<Answers[P]["answer"]> {
    return { id: this.#id, history: this.#history, exchanges: this.#exchanges };
  }

  /** Counts the calls and questions that wait for the user as not answered. */
  #dropPending(): void {
    const at = this.#currentAt;
    const exchange = this.#exchanges[at];
    const dropped = exchange === undefined ? [] : this.#waiting(exchange).map(({ id, name, kind }): Reply => ({ id, name, kind, value: NOT_ANSWERED, isDropped: true, ...(kind === "approval" && { approved: false }) }));
    if (dropped.length > 0) {
      this.#patch(at, { replies: [...exchange!.replies, ...dropped] });
    }
  }

  /** Stops the run of a message, or removes it from the queue. */
  #stopMessage(messageId: string): void {
    const at = this.#exchanges.findIndex(({ user }) => user?.id === messageId);
    const group = groupAt(this.#exchanges, at);
    if (at >= 0 && this.#exchanges[at]!.status === "queued") {
      this.#exchanges = this.#exchanges.filter((_, index) => index !== at);
      this.#changed(true);
    } else if (group.some(({ id }) => id === this.#current?.exchangeId)) {
      this.stop();
    }
  }

  /** Replaces a message of the queue. */
  #editQueued(at: number, parts: readonly UserPart[]): boolean {
    this.#patch(at, { user: { ...this.#exchanges[at]!.user!, parts } });
    this.#changed(true);
    return true;
  }

  /** Sends another message in place of that of an exchange, or the same again, and removes what follows it. */
  #rerun(at: number, parts: readonly UserPart[] | undefined): boolean {
    const exchange = this.#exchanges[at];
    if (this.#current !== undefined || this.#loading !== undefined || exchange?.user === undefined || !this.#canReplace(at)) {
      return false;
    }
    // An edited message is another one: servers that know its id would keep the text.
    const user = parts === undefined ? exchange.user : { ...exchange.user, id: uuid(), parts };
    const before = this.#dialect.cut?.(this.#exchanges, at) ?? this.#exchanges.slice(0, at);
    const queued = this.#exchanges.slice(this.#currentAt + 1);
    this.#exchanges = [...before, { id: uuid(), user, status: "queued", replies: [] }, ...queued];
    this.#rounds = 0;
    this.#start(at, parts === undefined ? exchange : undefined);
    return true;
  }

  /** Returns whether the server accepts another message in place of that of an exchange. */
  #canReplace(at: number): boolean {
    const reached = this.#exchanges.slice(at).some(({ snapshot }) => snapshot !== undefined);
    return this.#dialect.history !== "server" || !reached;
  }

  #begin(at: number): CurrentRun {
    this.#current = { exchangeId: this.#exchanges[at]!.id, stopping: new AbortController() };
    return this.#current;
  }

  /** Sends the first message of the queue. */
  #startQueued(): void {
    this.#leaveSignals();
    this.#rounds = 0;
    this.#start(this.#currentAt + 1);
  }

  /** Starts the run of an exchange. */
  #start(at: number, replaces?: Exchange<Answers[P]["answer"]>): void {
    const { error, resumeUrl } = this.#exchanges[at]!;
    const isLost = this.#isResuming && resumeUrl !== undefined && (error === undefined || LOST.has(error.code));
    this.#reset(at, isLost);
    const run = this.#begin(at);
    this.#changed(true);
    this.#save();
    void this.#run(at, run, replaces, isLost);
  }

  /** Sets an exchange to its state before the request; with `keepsAnswer` to the one before the rest of its answer is read. */
  #reset(at: number, keepsAnswer: boolean): void {
    const { id, user, requestId, resumeUrl, snapshot } = this.#exchanges[at]!;
    const exchange: Exchange<Answers[P]["answer"]> = { id, ...(user && { user }), status: "sending", replies: [] };
    // The snapshot that goes can be the only one with the thread.
    const exchanges = [...((!keepsAnswer && this.#dialect.cut?.(this.#exchanges, at)) || this.#exchanges.slice(0, at)), ...this.#exchanges.slice(at)];
    exchanges[at] = keepsAnswer
      ? { ...exchange, ...(snapshot !== undefined && { snapshot, status: "streaming" }), resumeUrl }
      : { ...exchange, requestId: requestId ?? uuid() };
    this.#exchanges = exchanges;
    this.#state = undefined;
  }

  /** Sends the request of an exchange, reads its answer, and executes its calls. */
  async #run(at: number, run: CurrentRun, replaces: Exchange<Answers[P]["answer"]> | undefined, isLost: boolean): Promise<void> {
    const { signal } = run.stopping;
    let ending = isLost ? await this.#readAgain(at, run) : undefined;
    if (ending === undefined && this.#current === run) {
      this.#reset(at, false);
      ending = await this.#readAnswer(at, run, () => this.#open(at, signal, replaces));
    }
    for (let attempt = 0; this.#isResumable(at, run, ending) && attempt < MAX_ATTEMPTS; attempt++) {
      const length = lengthOf(this.#exchanges[at]!.snapshot);
      await pause(Math.min(FIRST_DELAY * 2 ** attempt, MAX_DELAY), signal);
      const again = this.#current === run ? await this.#readAgain(at, run) : undefined;
      if (again === undefined) {
        break;
      }
      ending = again;
      attempt = this.#current === run && lengthOf(this.#exchanges[at]!.snapshot) > length ? -1 : attempt;
    }
    await this.#conclude(at, run, ending ?? STOPPED);
  }

  /** Ends the reading of an answer, and executes its calls. */
  async #conclude(at: number, run: CurrentRun, { status, error }: Ending): Promise<void> {
    if (this.#current !== run) {
      return;
    }
    this.#latest = undefined;
    this.#shownLength = 0;
    this.#patch(at, { status, error });
    this.#settle();
    await this.#callTools(at, run);
  }

  #settle(): void {
    this.#exchanges = this.#dialect.settle?.(this.#exchanges) ?? this.#exchanges;
  }

  /** Returns whether the rest of an answer can be read after a lost connection. */
  #isResumable(at: number, run: CurrentRun, ending: Ending | undefined): boolean {
    return this.#current === run && this.#isResuming && LOST.has(ending?.error?.code ?? "") && this.#transport.canResume(this.#exchanges[at]!);
  }

  /** Opens the stream of an exchange. */
  async #open(at: number, signal: AbortSignal, replaces: Exchange<Answers[P]["answer"]> | undefined): Promise<AgentStream<P>> {
    const { id, user } = this.#exchanges[at]!;
    const sent = user && (await this.#files.sent(user.parts, this.#options.upload, signal));
    signal.throwIfAborted();
    if (sent !== undefined) {
      this.#patch(at, { user: { ...user!, parts: sent } });
      this.#files.release(user!.parts);
      this.#changed(true);
      this.#save();
    }
    const exchange = { ...this.#toSend(at), ...(replaces && { replaces }) };
    return this.#transport.open(exchange, this.#options, { signal, isResumable: this.#isResuming, responded: (resumeUrl) => this.#responded(at, id, signal, resumeUrl) });
  }

  /** Stores that the server has the request of an exchange, and the address from which its answer can be read again. */
  #responded(at: number, id: string, signal: AbortSignal, resumeUrl: string | undefined): void {
    if (!signal.aborted && this.#exchanges[at]?.id === id) {
      this.#patch(at, { requestId: undefined, ...(resumeUrl !== undefined && { resumeUrl }) });
      this.#save();
    }
  }

  #toSend(at: number): ExchangeToSend<Answers[P]["answer"]> {
    const { id, user, requestId = id } = this.#exchanges[at]!;
    const before = this.#exchanges.slice(0, at).map((exchange) => this.#sendable(exchange));
    return { conversationId: this.#id, requestId, before, user, history: this.#history };
  }

  /** Returns an exchange as requests repeat it: without an answer that a limit has cut, unless the server has it. */
  #sendable(exchange: Exchange<Answers[P]["answer"]>): Exchange<Answers[P]["answer"]> {
    if (exchange.isCut && this.#dialect.history !== "server") {
      return { ...exchange, snapshot: undefined, status: "failed" };
    }
    return exchange.isAnswered ? { ...exchange, status: "done" } : exchange;
  }

  /** Reads the answer of an exchange again, from its beginning. Returns undefined if that is not possible. */
  async #readAgain(at: number, run: CurrentRun): Promise<Ending | undefined> {
    this.#shownLength = lengthOf(this.#exchanges[at]!.snapshot);
    const { signal } = run.stopping;
    const { id } = this.#exchanges[at]!;
    const responded = (resumeUrl: string | undefined): void => void (resumeUrl !== undefined && this.#responded(at, id, signal, resumeUrl));
    let isRefused = false;
    const ending = await this.#readAnswer(at, run, async () => {
      const stream = await this.#transport.resume(this.#exchanges[at]!, this.#toSend(at), this.#options, { signal, responded }).catch(() => undefined);
      isRefused = stream === undefined;
      return stream ?? Promise.reject(new Error("the answer cannot be read again"));
    });
    const { status = 0 } = ending.error ?? {};
    const isGone = isRefused || (status >= 400 && status < 500 && status !== 408 && status !== 429) || ending.error?.message === EMPTY;
    return isGone ? undefined : ending;
  }

  /** Reads the answer of an exchange to its end. Never rejects. */
  async #readAnswer(at: number, run: CurrentRun, open: () => Promise<AgentStream<P>>): Promise<Ending> {
    const { id } = this.#exchanges[at]!;
    const isCurrent = (): boolean => this.#current === run && this.#exchanges[at]?.id === id;
    let outcome: Outcome<AnyProtocol> | undefined;
    let ending: Ending;
    try {
      const stream = await open();
      for await (const { snapshot } of stream) {
        if (!isCurrent()) {
          return STOPPED;
        }
        this.#latest = snapshot as Answers[P]["answer"];
        this.#changed(false);
      }
      outcome = (await stream.finished()) as Outcome<AnyProtocol>;
      ending = endingOf(outcome);
    } catch (error) {
      outcome = (Object(error) as { readonly outcome?: Outcome<AnyProtocol> }).outcome;
      ending = endingBy(error);
    }
    if (isCurrent() && outcome !== undefined) {
      const { snapshot, report } = outcome;
      this.#latest = undefined;
      this.#report = report;
      const isShorter = this.#shownLength > 0 && ending.status !== "done" && lengthOf(snapshot) < this.#shownLength;
      // What no event of the agent has changed is no answer: the message is sent again with the next one.
      const isNothing = ending.status === "failed" && isForeign(report) && !isAnswered(this.#newView()([{ ...this.#exchanges[at]!, snapshot: snapshot as Answers[P]["answer"] }]));
      const changes = isCut(report) && { isCut: true as const };
      if (isShorter || isNothing) {
        this.#patch(at, { ...changes, ...(!isShorter && { snapshot: undefined }) });
      } else {
        this.#take(at, snapshot as Answers[P]["answer"], { ...changes });
      }
    }
    return ending;
  }

  /** Executes the calls of an answer that the client has tools for, and continues. */
  async #callTools(at: number, run: CurrentRun): Promise<void> {
    const { tools = {}, maxToolRounds = MAX_TOOL_ROUNDS } = this.#options;
    const { id, status } = this.#exchanges[at]!;
    const calls = status === "done" && this.#rounds < maxToolRounds ? this.#waiting(this.#exchanges[at]!).filter(({ kind, name }) => kind === "call" && name !== null && Object.hasOwn(tools, name) && tools[name]!.execute !== undefined) : [];
    if (calls.length > 0) {
      this.#rounds++;
      this.#patch(at, { status: "calling" });
      this.#changed(true);
      if (this.#current !== run) {
        // A listener has stopped the run.
        return;
      }
      this.#save();
      await Promise.all(
        calls.map(async (call) => {
          const reply = await executed(tools[call.name!]!, call, run.stopping.signal);
          if (this.#current === run && this.#exchanges[at]?.id === id) {
            this.#addReply(at, reply);
            this.#changed(false);
          }
        }),
      );
      if (this.#current !== run) {
        return;
      }
      this.#patch(at, { status: "done" });
    }
    this.#current = undefined;
    this.#continue();
  }

  /** Sends the replies if none is missing, or the next message. Otherwise the chat waits for the user. */
  #continue(): void {
    const at = this.#currentAt;
    const exchange = this.#exchanges[at];
    if (exchange !== undefined && this.#hasUnsentReplies(exchange)) {
      this.#patch(at, { status: "done", isAnswered: undefined });
      this.#exchanges = [...this.#exchanges.slice(0, at + 1), { id: uuid(), status: "queued", replies: [] }, ...this.#exchanges.slice(at + 1)];
      return this.#start(at + 1);
    }
    // A question that is open would be dropped by the next message.
    const isFree = exchange === undefined || (exchange.status === "done" && this.#waiting(exchange).length === 0);
    if (isFree && this.#exchanges[at + 1] !== undefined) {
      return this.#startQueued();
    }
    this.#ended();
  }

  #newView(): View<Answers[P]["answer"]> {
    return this.#dialect.view(new Set(Object.keys(this.#options.tools ?? {})), this.#history);
  }

  #read(): ChatState<Answers[P]["answer"]> {
    const latest = this.#latest;
    if (latest !== undefined) {
      this.#latest = undefined;
      if (this.#shownLength === 0 || lengthOf(latest) >= this.#shownLength) {
        this.#shownLength = 0;
        this.#take(this.#currentAt, latest, { status: "streaming" });
        this.#persistence?.savePartial(this.#conversation);
      }
    }
    return (this.#state ??= this.#made());
  }

  /** Changes an exchange and its snapshot, unless the snapshot takes a visible answer away: some servers end with an empty list. */
  #take(at: number, snapshot: Answers[P]["answer"], changes: Partial<Exchange<Answers[P]["answer"]>>): void {
    const before = this.#exchanges[at]!.snapshot;
    this.#patch(at, { ...changes, snapshot });
    if (before !== undefined && hasShorterList(before, snapshot) && isAnswered(this.published.value.messages) && !isAnswered(this.#newView()(this.#exchanges))) {
      this.#patch(at, { snapshot: before });
    }
  }

  #made(): ChatState<Answers[P]["answer"]> {
    const shown = this.#view(this.#exchanges);
    const messages = this.#history.length === 0 ? shown : [...this.#history, ...shown];
    const at = this.#currentAt;
    const exchange = this.#exchanges[at];
    const isBusy = this.#current !== undefined;
    const last = lastWithSnapshot(this.#exchanges);
    return {
      id: this.#id,
      messages,
      status: isBusy ? (isAnswered(messages) ? "streaming" : "submitted") : exchange?.status === "failed" ? "error" : "ready",
      isBusy,
      isLoading: this.#loading !== undefined,
      canEdit: this.#dialect.history !== "server",
      canRetry: this.#canRetry,
      pending: exchange === undefined ? [] : this.#pendingParts(exchange, messages),
      error: exchange?.error,
      snapshot: last?.snapshot,
      report: this.#report,
    };
  }

  /** Returns the parts of an answer that wait for the user. */
  #pendingParts(exchange: Exchange<Answers[P]["answer"]>, messages: readonly Message[]): readonly ToolPart[] {
    if (exchange.status === "calling") {
      return [];
    }
    const waiting = this.#waiting(exchange);
    const isWaiting = (part: ToolPart): boolean =>
      part.state === "approval-requested" ? waiting.some(({ kind, id }) => kind === "approval" && id === part.approval.id) : part.state === "input-available" && waiting.some(({ kind, id }) => kind === "call" && id === part.toolCallId);
    return waiting.length === 0 ? [] : messages.flatMap(({ parts }) => parts.filter(isToolPart)).filter(isWaiting);
  }

  #isSnapshot(value: unknown): boolean {
    try {
      return fits(value, this.#dialect.stored) && this.#dialect.callsOf(value as never) !== undefined;
    } catch {
      // A part that only the views of calls use has another shape.
      return false;
    }
  }

  /** Loads the stored conversation. */
  #load(): void {
    const loaded = this.#persistence?.load();
    if (!(loaded instanceof Promise)) {
      return this.#restore(loaded);
    }
    const loading: Promise<void> = loaded.then((stored) => {
      // The conversation may have been cleared meanwhile.
      if (this.#loading === loading) {
        this.#loading = undefined;
        const isSent = this.#exchanges.length > 0;
        this.#restore(stored);
        if (this.#current === undefined && isSent) {
          this.#dropPending();
          this.#startQueued();
        } else {
          this.#changed(true);
        }
      }
    });
    this.#loading = loading;
    this.#state = undefined;
  }

  /** Continues a stored conversation. What was sent while it was loaded follows it. */
  #restore(stored: Restored<Answers[P]["answer"]> | undefined): void {
    if (stored === undefined) {
      return;
    }
    const sent = this.#exchanges;
    const last = lastIndex(stored.exchanges, ({ status }) => status !== "queued");
    const isInterrupted = last >= 0 && !isOver(stored.exchanges[last]!.status);
    this.#id = stored.id;
    this.#exchanges = [...stored.exchanges.map(restored), ...sent];
    if (!isEqual(this.#history, stored.history)) {
      this.#history = stored.history;
      this.#view = this.#newView();
    }
    this.#state = undefined;
    if (isInterrupted && this.#isResuming && this.#current === undefined) {
      this.#resume(last);
    }
  }

  /** Reads an answer that a reload has interrupted, or that another tab reads. */
  #resume(at: number): void {
    const run = this.#begin(at);
    this.#patch(at, { status: this.#exchanges[at]!.snapshot === undefined ? "sending" : "streaming" });
    // The WebAssembly of a page is set after the chat was created.
    void Promise.resolve().then(async () => this.#conclude(at, run, (await this.#readAgain(at, run)) ?? STOPPED));
  }

  /** Takes over what another tab stores, and stores a partial answer when the page is left. */
  #listen(): void {
    if (this.#persistence === undefined || typeof document === "undefined") {
      return;
    }
    globalThis.addEventListener("storage", this.#onStorage);
    globalThis.addEventListener("pagehide", this.#onPageHide);
  }

  readonly #onPageHide = (): void => {
    if (this.#current !== undefined) {
      this.#read();
      this.#save();
    }
  };

  readonly #onStorage = (event: StorageEvent): void => {
    if (this.#current !== undefined || this.#loading !== undefined || this.#persistence?.isOwn(event) !== true) {
      return;
    }
    const stored = event.newValue === null ? { id: uuid(), history: [], exchanges: [] } : this.#persistence.parse(event.newValue);
    if (stored !== undefined) {
      const before = new Map(this.#exchanges.map((exchange) => [exchange.id, exchange]));
      this.#exchanges = [];
      this.#restore({ ...stored, exchanges: stored.exchanges.map((exchange) => withObjectsOf(before.get(exchange.id), exchange) as Exchange<Answers[P]["answer"]>) });
      this.#changed(true);
    }
  };
}

/** The codes of errors after which an answer can be read again. */
const LOST: ReadonlySet<string> = new Set(["connection-lost", "cut-off"]);
const EMPTY = "no event has come: the body is empty, or no event stream";
const STOPPED: Ending = { status: "stopped", error: undefined };

/** The waits before an answer is read again, in milliseconds, and the number of attempts without progress. */
const FIRST_DELAY = 500;
const MAX_DELAY = 10_000;
const MAX_ATTEMPTS = 8;

/** Returns an exchange for a stored one. One that was in progress counts as stopped. */
function restored<S>(exchange: Exchange<S>): Exchange<S> {
  const { status } = exchange;
  if (isOver(status) || status === "queued") {
    return exchange;
  }
  return { ...exchange, status: "stopped", ...(status === "calling" && { isAnswered: true as const }) };
}

/** Returns a copy of a JSON value, as the agent receives it. Throws for another value. */
function copyOf(value: unknown): Json {
  const text: string | undefined = stringifyJson(value as Json);
  must(text !== undefined, "not-json", `JSON cannot represent the value: it is a ${typeof value}`);
  return parseJson(text);
}

/** Returns a copy of the value of an answer or a decision. */
function plainData(called: string, value: Json): Json {
  try {
    return copyOf(value);
  } catch (cause) {
    throw new AgentwireError("wrong-argument", `${called}(): the value is not JSON: ${(cause as Error).message}`, { cause });
  }
}

function lastWithSnapshot<S>(exchanges: readonly Exchange<S>[]): Exchange<S> | undefined {
  return exchanges[lastIndex(exchanges, ({ snapshot }) => snapshot !== undefined)];
}

/** Returns whether the last message that was sent has parts of an answer. */
function isAnswered(messages: readonly Message[]): boolean {
  return messages[lastIndex(messages, ({ status }) => status !== "queued")]?.role === "assistant";
}

/** Returns whether a list of a snapshot, or of its task, has become shorter. */
function hasShorterList(before: object, now: object): boolean {
  return Object.entries(before).some(([name, list]) => {
    const next = (now as { readonly [name: string]: unknown })[name];
    return Array.isArray(list) ? Array.isArray(next) && next.length < list.length : name === "task" && list !== null && hasShorterList(list as object, Object(next));
  });
}

/** Returns the length of a snapshot, to compare two of the same answer. */
function lengthOf(snapshot: unknown): number {
  return snapshot === undefined ? 0 : JSON.stringify(snapshot, (_, value: unknown) => (typeof value === "bigint" ? String(value) : value)).length;
}

/** Executes a call, and returns its result. */
async function executed(tool: AgentTool, call: PendingCall, signal: AbortSignal): Promise<Reply> {
  const { id, name } = call;
  try {
    const value = (await tool.execute!(await inputOf(tool, call), { call, signal })) ?? null;
    return { id, name, kind: "call", value: copyOf(value) };
  } catch (error) {
    return { id, name, kind: "call", value: failedResult(error), isError: true };
  }
}
