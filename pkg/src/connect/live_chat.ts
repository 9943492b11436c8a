// The state of a chat: its exchanges, and the runs that change them.

import type { Json } from "../agentwire.js";
import { must } from "../core/errors.js";
import type { Report } from "../core/findings.js";
import { isObject } from "../core/json.js";
import type { Snapshots, Protocol } from "../core/outcome.js";
import { uuid } from "../core/random.js";
import { pause } from "../core/timers.js";
import type { Ending } from "../store/ending.js";
import { PublishedValue } from "../store/published_value.js";
import { AnswerRun, type RunHost, STOPPED, hasShorterList, isLost } from "./answer_run.js";
import type { ChatState, Run, SendOptions, UserInput } from "./chat.js";
import { type Dialect, type ExchangeToSend, type View, lastWith, sendable } from "./dialect.js";
import { type Exchange, type Reply, groupAt, isOver, lastIndex } from "./exchange.js";
import { Files, inputParts } from "./files.js";
import { fits } from "./fits.js";
import type { Message, UserPart } from "./message.js";
import { type AllOptions, checkChanges, earlierMessage } from "./options.js";
import { isEqual } from "./parts.js";
import { Persistence, type Restored } from "./persist.js";
import { restored, withStored } from "./restoring.js";
import { ChatRun, type RunOwner } from "./run.js";
import { type TabLock, tabLock } from "./tab_lock.js";
import { Transport } from "./transport.js";
import { isAnswered } from "./view.js";
import {
  droppedReplies,
  executed,
  hasUnsentReplies,
  isComplete,
  mustBeAnswered,
  pendingParts,
  plainData,
  waitingIn,
  withReply,
} from "./waiting.js";

/**
 * The time between two looks at what another tab has stored, in milliseconds, and the number of
 * looks: browsers pass it on later than the lock. After them, a tab whose answer is not complete
 * was closed in the middle of it.
 */
const STORAGE_DELAY = 50;
const STORAGE_LOOKS = 10;

/** The default of `maxToolRounds`, which stops agents that call tools endlessly. */
const MAX_TOOL_ROUNDS = 8;

/** The state of a chat, and the functions that change it. */
export class LiveChat<P extends Protocol>
  implements RunOwner<Snapshots[P]["answer"]>, RunHost<P, Snapshots[P]["answer"]>
{
  readonly #dialect: Dialect<P, AllOptions<P>>;
  readonly #transport: Transport<P, AllOptions<P>>;
  readonly #files = new Files();
  /** The run in progress. */
  current: AnswerRun<P> | undefined;
  options: AllOptions<P>;
  #id: string;
  #history: readonly Message[];
  #exchanges: readonly Exchange<Snapshots[P]["answer"]>[] = [];
  #view: View<Snapshots[P]["answer"]>;
  /** The functions that end the subscriptions to signals, by the messages that they stop. */
  readonly #signals = new Map<string, () => void>();
  /** The number of consecutive requests that only returned results of tools. */
  #rounds = 0;
  #report: Report | undefined;
  #state: ChatState<Snapshots[P]["answer"]> | undefined;
  readonly #persistence: Persistence<P> | undefined;
  /** Whether the page is being left: what the browser then does to the requests is not stored. */
  #isLeft = false;
  /** The lock of the tab that runs the chat, if it is stored under a key. */
  readonly #lock: TabLock | undefined;
  /** Pending while another tab runs the chat, and this one waits for the lock. */
  #locking: Promise<void> | undefined;
  /** The run that reads an answer of another tab, which runs the chat. */
  #following: AnswerRun<P> | undefined;
  /**
   * The id of the exchange whose answer this tab has read to its end while another tab runs the
   * chat.
   */
  #followed: string | undefined;
  /** The number of times that this tab has taken over what another one has stored. */
  #merges = 0;
  /** Whether the queue waits for the user, who has stopped what it waited for. */
  #isQueueHeld = true;
  /** Pending until the stored conversation is loaded. */
  #loading: Promise<void> | undefined;
  readonly first: ChatState<Snapshots[P]["answer"]>;
  readonly published: PublishedValue<ChatState<Snapshots[P]["answer"]>>;

  constructor(dialect: Dialect<P, AllOptions<P>>, url: string | URL, options: AllOptions<P>) {
    const { id = uuid(), messages = [], persist } = options;
    this.#dialect = dialect;
    this.#transport = new Transport(dialect, url);
    this.options = options;
    this.#id = id;
    this.#history = messages.map(earlierMessage);
    this.#view = this.#newView();
    this.first = this.#read();
    this.#persistence =
      persist &&
      new Persistence(
        persist,
        dialect.protocol,
        (value) => this.#isSnapshot(value),
        (exchanges) => this.#newView()(exchanges),
      );
    this.#lock =
      this.#persistence?.lockKey === undefined ? undefined : tabLock(this.#persistence.lockKey);
    this.#load();
    this.published = new PublishedValue(() => this.#read());
    this.#listen();
  }

  get state(): ChatState<Snapshots[P]["answer"]> {
    return this.published.value;
  }

  subscribe(listener: () => void): () => void {
    return this.published.subscribe(listener);
  }

  set(changes: Partial<AllOptions<P>>): void {
    checkChanges(this.#dialect, changes);
    const names = Object.keys(this.options.tools ?? {});
    this.options = { ...this.options, ...changes };
    const now = this.options.tools ?? {};
    if (
      names.length !== Object.keys(now).length ||
      names.some((name) => !Object.hasOwn(now, name))
    ) {
      this.#view = this.#newView();
      this.changed(false);
    }
  }

  send(input: UserInput, { signal, metadata }: SendOptions = {}): Run<Snapshots[P]["answer"]> {
    const parts = inputParts("send", input);
    must(
      metadata === undefined || isObject(metadata),
      "wrong-argument",
      "send(): `metadata` is an object",
    );
    const isRefused = this.#isBusy && this.options.whileBusy === "refuse";
    if (parts === undefined || isRefused || signal?.aborted) {
      return new ChatRun(this, undefined);
    }
    if (this.current === undefined) {
      this.#dropPending();
    }
    this.#isQueueHeld = false;
    const user = {
      id: uuid(),
      parts: this.#files.shown(parts),
      ...(metadata !== undefined && { metadata }),
    };
    this.#exchanges = [...this.#exchanges, { id: uuid(), user, status: "queued", replies: [] }];
    if (signal !== undefined) {
      const stop = (): void => this.#stopMessage(user.id);
      signal.addEventListener("abort", stop, { once: true });
      this.#signals.set(user.id, () => signal.removeEventListener("abort", stop));
    }
    if (this.#isIdle) {
      this.#startQueued();
    } else {
      this.changed(true);
    }
    return new ChatRun(this, user.id);
  }

  reply(called: string, id: string, value: Json, approved: boolean | undefined): boolean {
    const at = this.#currentAt;
    const exchange = this.#exchanges[at];
    const kind = approved === undefined ? "call" : "approval";
    const call =
      exchange && this.#waiting(exchange).find((each) => each.id === id && each.kind === kind);
    if (call === undefined) {
      mustBeAnswered(called, id, kind, this.#exchanges, exchange, this.#dialect.callsOf);
      return false;
    }
    const { name } = call;
    this.#addReply(at, {
      id,
      name,
      kind,
      value: plainData(called, value),
      ...(approved !== undefined && { approved }),
    });
    if (this.#isIdle) {
      this.#rounds = 0;
      this.#continue();
    } else {
      this.changed(true);
    }
    return true;
  }

  stop(): void {
    const current = this.current;
    this.#isQueueHeld = true;
    if (current === undefined) {
      if (this.#locking !== undefined) {
        this.#locking = undefined;
        this.#exchanges = this.#exchanges.map(restored);
        this.changed(true);
      }
      return;
    }
    this.#read();
    const at = this.#currentAt;
    const { status, resumeUrl } = this.#exchanges[at]!;
    this.current = undefined;
    this.patch(at, {
      status: "stopped",
      resumeUrl: undefined,
      ...(status === "calling" && { isAnswered: true as const }),
    });
    this.#settle();
    current.stop();
    if (resumeUrl !== undefined) {
      void this.#transport.end(resumeUrl, this.options);
    }
    this.#ended();
  }

  retry(): boolean {
    if (!this.#canRetry) {
      return false;
    }
    const at = this.#currentAt;
    this.#rounds = 0;
    if (isComplete(this.#exchanges[at]!)) {
      this.#answerAgain(at);
    } else {
      this.#start(at);
    }
    return true;
  }

  /**
   * Executes the calls of an answer, or sends their results, which a stop, a failure or a reload
   * has interrupted.
   */
  #answerAgain(at: number): void {
    if (this.#lock !== undefined && !this.#lock.isHeld) {
      const merges = this.#merges;
      return this.#withLock(this.#lock, () => {
        if (this.#merges === merges) {
          return this.#answerAgain(at);
        }
        // Another tab has continued the conversation.
        this.#exchanges = this.#exchanges.map(restored);
        this.#lock?.release();
        this.changed(true);
      });
    }
    this.patch(at, { status: "done", isAnswered: undefined });
    void this.#callTools(this.#begin(at));
  }

  regenerate(messageId: string | undefined): boolean {
    return this.#rerun(
      lastIndex(
        this.#exchanges,
        ({ id, user, status }) =>
          status !== "queued" &&
          user !== undefined &&
          (messageId === undefined || user.id === messageId || id === messageId),
      ),
      undefined,
    );
  }

  edit(messageId: string, input: UserInput): boolean {
    const parts = inputParts("edit", input);
    const at = this.#exchanges.findIndex(({ user }) => user?.id === messageId);
    if (parts === undefined || at < 0) {
      return false;
    }
    const shown = this.#files.shown(parts);
    return this.#exchanges[at]!.status === "queued"
      ? this.#editQueued(at, shown)
      : this.#rerun(at, shown);
  }

  clear(): void {
    this.#empty();
    this.#ended();
  }

  /** Ends what is in progress, and begins a new conversation. */
  #empty(): void {
    this.#loading = undefined;
    this.#locking = undefined;
    const { resumeUrl } = this.#exchanges[this.#currentAt] ?? {};
    if (this.current !== undefined && resumeUrl !== undefined) {
      void this.#transport.end(resumeUrl, this.options);
    }
    const current = this.current;
    this.current = undefined;
    this.#exchanges = [];
    this.#history = [];
    this.#report = undefined;
    this.#id = uuid();
    this.#view = this.#newView();
    current?.stop();
  }

  dispose(): void {
    this.stop();
    globalThis.removeEventListener?.("storage", this.#onStorage);
    globalThis.removeEventListener?.("pagehide", this.#onPageHide);
    globalThis.removeEventListener?.("pageshow", this.#onPageShow);
  }

  async finished(): Promise<ChatState<Snapshots[P]["answer"]>> {
    while (!this.#isIdle) {
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
    if (at < 0 || last === undefined) {
      return true;
    }
    // A queue waits for the user after a failure, a stop or a question.
    return last.status === "queued"
      ? this.#isIdle
      : isOver(last.status) && this.current?.exchangeId !== last.id;
  }

  answerId(messageId: string): string | undefined {
    return this.#exchanges.find(({ user }) => user?.id === messageId)?.id;
  }

  /** Whether answers continue after a lost connection and a reload. */
  get isResuming(): boolean {
    return this.options.resume ?? this.#dialect.continues ?? false;
  }

  /** Whether a run is in progress, or waits for that of another tab. */
  get #isBusy(): boolean {
    return this.current !== undefined || this.#locking !== undefined;
  }

  /** Whether nothing is in progress, so that a request can be sent. */
  get #isIdle(): boolean {
    return !this.#isBusy && this.#loading === undefined;
  }

  /** The index of the last exchange that is not queued. */
  get #currentAt(): number {
    return lastIndex(this.#exchanges, ({ status }) => status !== "queued");
  }

  get #canRetry(): boolean {
    const exchange = this.#exchanges[this.#currentAt];
    if (!this.#isIdle || exchange === undefined) {
      return false;
    }
    return exchange.status !== "done" || this.#hasUnsentReplies(exchange);
  }

  #hasUnsentReplies(exchange: Exchange<Snapshots[P]["answer"]>): boolean {
    return hasUnsentReplies(exchange, this.#dialect.callsOf);
  }

  #waiting(exchange: Exchange<Snapshots[P]["answer"]>): ReturnType<typeof waitingIn> {
    return waitingIn(exchange, this.#dialect.callsOf);
  }

  patch(at: number, changes: Partial<Exchange<Snapshots[P]["answer"]>>): void {
    const exchanges = [...this.#exchanges];
    exchanges[at] = { ...exchanges[at]!, ...changes };
    this.#exchanges = exchanges;
    this.#state = undefined;
  }

  #addReply(at: number, reply: Reply): void {
    this.patch(at, { replies: withReply(this.#exchanges[at]!, reply, this.#dialect.callsOf) });
  }

  changed(atOnce: boolean): void {
    this.#state = undefined;
    if (atOnce) {
      this.published.now();
    } else {
      this.published.soon();
    }
  }

  /** Forgets the signals of messages whose runs are over. A signal can outlive the chat. */
  #leaveSignals(): void {
    for (const [messageId, leave] of this.#signals) {
      const last = groupAt(
        this.#exchanges,
        this.#exchanges.findIndex(({ user }) => user?.id === messageId),
      ).at(-1);
      if (
        last === undefined ||
        (last.status !== "queued" && this.isOver(messageId) && this.#waiting(last).length === 0)
      ) {
        leave();
        this.#signals.delete(messageId);
      }
    }
  }

  /** Publishes and stores the state when nothing is in progress any more. */
  #ended(): void {
    this.#leaveSignals();
    this.changed(true);
    this.save();
    if (this.current === undefined) {
      this.#lock?.release();
    }
  }

  save(): void {
    if (!this.#isLeft && !this.#isFollowing) {
      this.#persistence?.save(this.#conversation);
    }
  }

  /** Whether another tab runs the chat, and this one reads the same answer. */
  get #isFollowing(): boolean {
    return this.current !== undefined && this.current === this.#following;
  }

  get #conversation(): Restored<Snapshots[P]["answer"]> {
    return { id: this.#id, history: this.#history, exchanges: this.#exchanges };
  }

  /** Counts the calls and questions that wait for the user as not answered. */
  #dropPending(): void {
    const at = this.#currentAt;
    const exchange = this.#exchanges[at];
    const dropped = exchange === undefined ? [] : droppedReplies(exchange, this.#dialect.callsOf);
    if (dropped.length > 0) {
      this.patch(at, { replies: [...exchange!.replies, ...dropped] });
    }
  }

  /** Stops the run of a message, or removes it from the queue. */
  #stopMessage(messageId: string): void {
    const at = this.#exchanges.findIndex(({ user }) => user?.id === messageId);
    const group = groupAt(this.#exchanges, at);
    if (at >= 0 && this.#exchanges[at]!.status === "queued") {
      this.#exchanges = this.#exchanges.filter((_, index) => index !== at);
      this.changed(true);
    } else if (group.some(({ id }) => id === this.current?.exchangeId)) {
      this.stop();
    }
  }

  /** Replaces a message of the queue. */
  #editQueued(at: number, parts: readonly UserPart[]): boolean {
    this.patch(at, { user: { ...this.#exchanges[at]!.user!, parts } });
    this.changed(true);
    return true;
  }

  /**
   * Sends another message in place of that of an exchange, or the same again. Later exchanges are
   * removed.
   */
  #rerun(at: number, parts: readonly UserPart[] | undefined): boolean {
    const exchange = this.#exchanges[at];
    if (!this.#isIdle || exchange?.user === undefined || !this.#canReplace(at)) {
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

  #begin(at: number): AnswerRun<P> {
    this.current = new AnswerRun(this, this.#transport, this.#files, at);
    return this.current;
  }

  /** Sends the first message of the queue. */
  #startQueued(): void {
    this.#leaveSignals();
    this.#rounds = 0;
    this.#start(this.#currentAt + 1);
  }

  /** Starts the run of an exchange. */
  #start(at: number, replaces?: Exchange<Snapshots[P]["answer"]>): void {
    if (this.#lock !== undefined && !this.#lock.isHeld) {
      return this.#startWithLock(this.#lock, at, replaces);
    }
    const isRest = this.isResuming && isLost(this.#exchanges[at]!);
    this.reset(at, isRest);
    const run = this.#begin(at);
    this.changed(true);
    this.save();
    void run.answer(isRest, replaces).then((ending) => this.#conclude(run, ending));
  }

  /**
   * Starts the run of an exchange when no other tab runs the chat. What other tabs have stored
   * precedes its message.
   */
  #startWithLock(
    lock: TabLock,
    at: number,
    replaces: Exchange<Snapshots[P]["answer"]> | undefined,
  ): void {
    const { id, status, user } = this.#exchanges[at]!;
    const merges = this.#merges;
    this.#withLock(lock, () => {
      const index = this.#exchanges.findIndex((exchange) => exchange.id === id);
      const isOutdated =
        this.#merges !== merges &&
        (status !== "queued" || user === undefined || replaces !== undefined);
      if (index < 0 || isOutdated) {
        // Another tab has continued the conversation: the request to repeat is not the last one any
        // more.
        this.#exchanges = this.#exchanges
          .filter((exchange) => exchange.id !== id || status !== "queued")
          .map(restored);
        lock.release();
        return this.changed(true);
      }
      if (status === "queued" && this.#resumeInterrupted()) {
        return;
      }
      this.#dropPending();
      this.#start(status === "queued" ? this.#currentAt + 1 : index, replaces);
    });
  }

  /**
   * Waits until no other tab runs the chat, takes over what it has stored, and continues, unless
   * the chat is stopped or cleared meanwhile.
   */
  #withLock(lock: TabLock, next: () => void): void {
    const locking: Promise<void> = lock.take(false).then(async (isFree) => {
      if (!isFree) {
        if (this.#locking === locking) {
          this.#takeStored(true);
        }
        await lock.take(true);
        await pause(STORAGE_DELAY);
      }
      for (
        let look = 0;
        this.#locking === locking && this.#takeStored(false) && look < STORAGE_LOOKS;
        look++
      ) {
        await pause(STORAGE_DELAY);
      }
      if (this.#locking !== locking) {
        return this.#isIdle ? lock.release() : undefined;
      }
      this.#locking = undefined;
      this.#followed = undefined;
      next();
    });
    this.#locking = locking;
    this.changed(true);
  }

  /**
   * Takes over what another tab has stored; with `isRunning` also the status of what it runs.
   * Returns whether its last answer is not complete.
   */
  #takeStored(isRunning: boolean): boolean {
    const newer = this.#persistence!.newer();
    if (newer !== undefined) {
      this.#merge(newer);
    } else if (isRunning) {
      const stored = this.#persistence!.load();
      if (!(stored === undefined || stored instanceof Promise)) {
        this.#take(stored);
      }
    }
    this.changed(true);
    const exchange = this.#exchanges[this.#currentAt];
    return exchange !== undefined && !isOver(exchange.status);
  }

  /** Continues an answer that the end of another tab has interrupted. Returns whether it does. */
  #resumeInterrupted(): boolean {
    const at = this.#currentAt;
    const exchange = this.#exchanges[at];
    if (exchange !== undefined && this.#canRead(exchange)) {
      this.#resume(at);
      this.changed(true);
      return true;
    }
    this.#exchanges = this.#exchanges.map(restored);
    return false;
  }

  /** Returns whether the rest of an answer that another page began can be read. */
  #canRead(exchange: Exchange<Snapshots[P]["answer"]>): boolean {
    return (
      this.isResuming &&
      (exchange.status === "sending" || exchange.status === "streaming") &&
      exchange.id !== this.#followed &&
      this.#transport.canResume(exchange)
    );
  }

  reset(at: number, keepsAnswer: boolean): void {
    const { id, user, requestId, resumeUrl, snapshot } = this.#exchanges[at]!;
    const exchange: Exchange<Snapshots[P]["answer"]> = {
      id,
      ...(user && { user }),
      status: "sending",
      replies: [],
    };
    // The snapshot that goes can be the only one with the thread.
    const exchanges = [
      ...((!keepsAnswer && this.#dialect.cut?.(this.#exchanges, at)) ||
        this.#exchanges.slice(0, at)),
      ...this.#exchanges.slice(at),
    ];
    exchanges[at] = keepsAnswer
      ? { ...exchange, ...(snapshot !== undefined && { snapshot, status: "streaming" }), resumeUrl }
      : { ...exchange, requestId: requestId ?? uuid() };
    this.#exchanges = exchanges;
    this.#state = undefined;
  }

  /** Ends the reading of an answer, and executes its calls. */
  async #conclude(run: AnswerRun<P>, { status, error }: Ending): Promise<void> {
    if (this.current === run) {
      this.patch(run.at, { status, error });
      this.#settle();
      await this.#callTools(run);
    }
  }

  #settle(): void {
    this.#exchanges = this.#dialect.settle?.(this.#exchanges) ?? this.#exchanges;
  }

  exchange(at: number): Exchange<Snapshots[P]["answer"]> | undefined {
    return this.#exchanges[at];
  }

  reported(report: Report): void {
    this.#report = report;
  }

  shows(at: number, snapshot: Snapshots[P]["answer"]): boolean {
    return isAnswered(this.#newView()([{ ...this.#exchanges[at]!, snapshot }]));
  }

  toSend(at: number): ExchangeToSend<Snapshots[P]["answer"]> {
    const { id, user, requestId = id } = this.#exchanges[at]!;
    const before = this.#exchanges
      .slice(0, at)
      .map((exchange) => sendable(exchange, this.#dialect.history));
    return { conversationId: this.#id, requestId, before, user, history: this.#history };
  }

  /** Executes the calls of an answer that the client has tools for, and continues. */
  async #callTools(run: AnswerRun<P>): Promise<void> {
    const { at } = run;
    const { tools = {}, maxToolRounds = MAX_TOOL_ROUNDS } = this.options;
    const exchange = this.#exchanges[at]!;
    const isDone = exchange.status === "done" && this.#rounds < maxToolRounds;
    const calls = isDone
      ? this.#waiting(exchange).filter(
          ({ kind, name }) =>
            kind === "call" &&
            name !== null &&
            Object.hasOwn(tools, name) &&
            tools[name]!.execute !== undefined,
        )
      : [];
    if (calls.length > 0) {
      this.#rounds++;
      this.patch(at, { status: "calling" });
      this.changed(true);
      if (!run.isCurrent) {
        // A listener has stopped the run.
        return;
      }
      this.save();
      await Promise.all(
        calls.map(async (call) => {
          const reply = await executed(tools[call.name!]!, call, run.signal);
          if (run.isCurrent) {
            this.#addReply(at, reply);
            this.changed(false);
          }
        }),
      );
      if (!run.isCurrent) {
        return;
      }
      this.patch(at, { status: "done" });
    }
    this.current = undefined;
    this.#continue();
  }

  /**
   * Sends the replies if none is missing, or the next message. Otherwise the chat waits for the
   * user.
   */
  #continue(): void {
    const at = this.#currentAt;
    const exchange = this.#exchanges[at];
    if (exchange !== undefined && this.#hasUnsentReplies(exchange)) {
      this.patch(at, { status: "done", isAnswered: undefined });
      this.#exchanges = [
        ...this.#exchanges.slice(0, at + 1),
        { id: uuid(), status: "queued", replies: [] },
        ...this.#exchanges.slice(at + 1),
      ];
      return this.#start(at + 1);
    }
    // A question that is open would be dropped by the next message.
    const isFree =
      exchange === undefined ||
      (exchange.status === "done" && this.#waiting(exchange).length === 0);
    if (isFree && this.#exchanges[at + 1] !== undefined) {
      return this.#startQueued();
    }
    this.#ended();
  }

  #newView(): View<Snapshots[P]["answer"]> {
    return this.#dialect.view(new Set(Object.keys(this.options.tools ?? {})), this.#history);
  }

  #read(): ChatState<Snapshots[P]["answer"]> {
    const latest = this.current?.takeLatest();
    if (latest !== undefined) {
      this.take(this.current!.at, latest, { status: "streaming" });
      if (!(this.#isLeft || this.#isFollowing)) {
        this.#persistence?.savePartial(this.#conversation);
      }
    }
    return (this.#state ??= this.#made());
  }

  take(
    at: number,
    snapshot: Snapshots[P]["answer"],
    changes: Partial<Exchange<Snapshots[P]["answer"]>>,
  ): void {
    const before = this.#exchanges[at]!.snapshot;
    this.patch(at, { ...changes, snapshot });
    if (
      before !== undefined &&
      hasShorterList(before, snapshot) &&
      isAnswered(this.published.value.messages) &&
      !isAnswered(this.#newView()(this.#exchanges))
    ) {
      this.patch(at, { snapshot: before });
    }
  }

  #made(): ChatState<Snapshots[P]["answer"]> {
    const shown = this.#view(this.#exchanges);
    const messages = this.#history.length === 0 ? shown : [...this.#history, ...shown];
    const at = this.#currentAt;
    const exchange = this.#exchanges[at];
    const isBusy = this.#isBusy;
    return {
      id: this.#id,
      messages,
      status: isBusy
        ? isAnswered(messages)
          ? "streaming"
          : "submitted"
        : exchange?.status === "failed"
          ? "error"
          : "ready",
      isBusy,
      isLoading: this.#loading !== undefined,
      canEdit: this.#dialect.history !== "server",
      canRetry: this.#canRetry,
      pending:
        exchange === undefined ? [] : pendingParts(exchange, messages, this.#dialect.callsOf),
      error: exchange?.error,
      snapshot: lastWith(this.#exchanges)?.snapshot,
      report: this.#report,
    };
  }

  #isSnapshot(value: unknown): boolean {
    try {
      return (
        fits(value, this.#dialect.stored) && this.#dialect.callsOf(value as never) !== undefined
      );
    } catch {
      // A part that only the views of calls use has another shape.
      return false;
    }
  }

  /** Loads the stored conversation. */
  #load(): void {
    const loaded = this.#persistence?.load();
    if (!(loaded instanceof Promise)) {
      this.#exchanges = this.#persistence?.kept() ?? [];
      return this.#restore(loaded);
    }
    const loading: Promise<void> = loaded.then((stored) => {
      // The conversation may have been cleared meanwhile.
      if (this.#loading === loading) {
        this.#loading = undefined;
        const isSent = this.#exchanges.length > 0;
        this.#restore(stored);
        if (this.current === undefined && isSent) {
          this.#dropPending();
          this.#startQueued();
        } else {
          this.changed(true);
        }
      }
    });
    this.#loading = loading;
    this.#state = undefined;
  }

  /** Continues a stored conversation. What was sent while it was loaded follows it. */
  #restore(stored: Restored<Snapshots[P]["answer"]> | undefined): void {
    if (stored === undefined) {
      return;
    }
    this.#take(stored);
    const last = this.#currentAt;
    const exchange = stored.exchanges[last];
    // A tab that has the lock continues the answer when it knows that no other one does.
    const isFollower = this.#locking === undefined || this.#lock?.isHeld === false;
    if (
      exchange !== undefined &&
      this.current === undefined &&
      isFollower &&
      this.#canRead(exchange)
    ) {
      this.#resume(last);
    }
  }

  /** Sets the conversation to a stored one. What was sent meanwhile follows it. */
  #take(stored: Restored<Snapshots[P]["answer"]>): void {
    this.#id = stored.id;
    this.#exchanges = withStored(this.#exchanges, stored.exchanges, this.#locking !== undefined);
    if (!isEqual(this.#history, stored.history)) {
      this.#history = stored.history;
      this.#view = this.#newView();
    }
    this.#state = undefined;
  }

  /** Reads an answer that a reload has interrupted, or that another tab reads. */
  #resume(at: number): void {
    const run = this.#begin(at);
    this.#locking = undefined;
    this.#following = this.#lock && run;
    this.patch(at, {
      status: this.#exchanges[at]!.snapshot === undefined ? "sending" : "streaming",
    });
    // The WebAssembly of a page is set after the chat was created.
    void Promise.resolve().then(async () => {
      const isFree = (await this.#lock?.take(false)) ?? true;
      if (isFree && this.#following === run) {
        this.#following = undefined;
      }
      const ending = await run.readAgain();
      if (this.current !== run) {
        return;
      }
      if (this.#isFollowing) {
        return this.#endFollowing(run, ending);
      }
      await this.#conclude(run, ending ?? STOPPED);
      if (
        ending === undefined &&
        this.#isIdle &&
        !this.#isQueueHeld &&
        this.#exchanges[this.#currentAt + 1] !== undefined
      ) {
        this.#startQueued();
      }
    });
  }

  /**
   * Waits until the other tab, which executes the calls, has stored the end of the answer. Then the
   * queue of this tab follows.
   */
  #endFollowing(run: AnswerRun<P>, ending: Ending | undefined): void {
    const lock = this.#lock!;
    this.#followed = ending && run.exchangeId;
    this.current = undefined;
    this.#withLock(lock, () => {
      if (this.#resumeInterrupted()) {
        return;
      }
      if (!this.#isQueueHeld && this.#exchanges[this.#currentAt + 1] !== undefined) {
        return this.#continue();
      }
      lock.release();
      this.changed(true);
    });
  }

  /** Takes over what another tab has stored since this one has looked. */
  #merge(stored: Restored<Snapshots[P]["answer"]>): void {
    this.#merges++;
    this.#restore(stored);
  }

  /** Takes over what another tab stores, and stores a partial answer when the page is left. */
  #listen(): void {
    if (this.#persistence === undefined || typeof document === "undefined") {
      return;
    }
    globalThis.addEventListener("storage", this.#onStorage);
    globalThis.addEventListener("pagehide", this.#onPageHide);
    globalThis.addEventListener("pageshow", this.#onPageShow);
  }

  readonly #onPageHide = (): void => {
    if (this.current !== undefined) {
      this.#read();
      this.save();
    }
    this.#persistence!.scheduleSave(this.#conversation);
    this.#isLeft = true;
  };

  readonly #onPageShow = (): void => {
    if (this.#isLeft) {
      this.#isLeft = false;
      this.#persistence!.kept();
      // Other tabs may have continued the conversation while the page was not shown.
      if (this.current === undefined) {
        this.#takeStored(false);
      } else {
        this.save();
      }
    }
  };

  readonly #onStorage = (event: StorageEvent): void => {
    if (this.#loading !== undefined || this.#persistence?.isOwn(event) !== true) {
      return;
    }
    if (event.newValue === null) {
      this.#empty();
      this.#leaveSignals();
      this.#lock?.release();
      return this.changed(true);
    }
    if (this.current !== undefined) {
      return;
    }
    // An event can arrive after a tab with the lock has read what is stored later.
    const stored =
      this.#lock === undefined
        ? this.#persistence.parse(event.newValue)
        : this.#persistence.newer();
    if (stored !== undefined) {
      this.#merge(stored);
      this.changed(true);
    }
  };
}
