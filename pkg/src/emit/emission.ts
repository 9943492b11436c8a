// A run that is being written: events are sent in the order in which they were created, and the
// stream always ends with a terminal event.

import type { ErrorInfo, Json } from "../agentwire.js";
import { type Converter, targetOf } from "../convert/converter.js";
import { must } from "../core/errors.js";
import { type JsonObject, stringifyJson } from "../core/json.js";
import type { Beginning } from "./beginning.js";
import type { BuilderEvent } from "./event.js";
import type { TerminalStatus } from "../convert/builder_options.js";
import type {
  ForwardOptions,
  Forwarded,
  NewMessage,
  NewToolCall,
  AgentWriter,
  ActivityWriter,
  MessageWriter,
  StepWriter,
  SubagentWriter,
  TextWriter,
  ToolCallWriter,
  AgentQuestion,
} from "./out.js";
import {
  OpenMessage,
  OpenToolCall,
  type OpenRun,
  activityOf,
  noted,
  stepOf,
  subagentOf,
  writerOptions,
} from "./open_parts.js";
import { type ForwardingRun, addedUsage, forward } from "./forward.js";
import { type AnswerOrigin, Forwarding } from "./forwarding.js";
import type { AgentwireSource } from "../read/body.js";
import { WatchedPromise, rejectedWrite } from "./watched_promise.js";
import {
  type AgentApiStreamBuilder,
  abandon,
  endIncomplete,
  forwardedLosses,
  forwardingTarget,
  setOutcome,
} from "./agent_api_builder.js";
import { reported } from "./agent_error.js";
import { type RunLosses, counted, runLossesOf } from "./run_losses.js";
import { Sender } from "./sender.js";

/**
 * The runs by their losses, which are found by the signal of a run and by the request of its agent.
 */
const RUNS = new WeakMap<RunLosses, Emission>();

/** Lets calls find a run by its losses. */
export function registerRun(losses: RunLosses, run: Emission): void {
  RUNS.set(losses, run);
}

/** Returns the promise of work for a run, if there is one: see {@link Emission.watched}. */
export function watchedBy<T>(
  losses: RunLosses | undefined,
  work: () => Promise<T>,
  awaited?: string,
): Promise<T> {
  const run = losses === undefined ? undefined : RUNS.get(losses);
  return run === undefined ? work() : run.watched(work, awaited);
}

/** The implementation of `AgentWriter`, which its messages, contents and tool calls use as well. */
export class Emission implements AgentWriter, OpenRun, ForwardingRun {
  readonly builder: AgentApiStreamBuilder;
  readonly #abort = new AbortController();
  readonly #sender: Sender;
  readonly #converter: Converter | undefined;
  /**
   * The messages that may be open. The value is true for those that stay open when the next message
   * starts.
   */
  readonly #messages = new Map<OpenMessage, boolean>();
  /** The handles to free at the end of the run. */
  readonly #owned: { free(): void }[] = [];
  /** Whether the run rejects further writes. */
  #ended = false;
  /** Whether the terminal event was created. */
  #finished = false;
  /** Whether the agent has written nothing. */
  #isEmpty = true;
  #usage: JsonObject | undefined;
  /** The message and the text that `text` has started. */
  #text: { readonly message: OpenMessage; readonly writer: TextWriter } | undefined;
  /** Informed of the first event that the agent writes. */
  beginning: Beginning | undefined;
  /**
   * The first failure that was not reported yet: of a write that is not awaited, or of a heartbeat.
   */
  #rejection: { readonly promise: WatchedPromise<unknown>; readonly error: unknown } | undefined;
  /** The work that the agent has to await, with the names of its calls. */
  readonly #awaited = new Map<WatchedPromise<unknown>, string>();

  /** Receives the answer at its end, with what was forwarded. */
  #record: ((answer: object) => void) | undefined;
  /** Whether what is forwarded becomes events of the builder, which has the whole answer then. */
  readonly #passesEvents: boolean;

  /**
   * @param converter converter that translates the sent events to another protocol
   * @param record receives the answer at its end, as a response of the Agent API
   */
  constructor(
    response: AgentApiStreamBuilder,
    heartbeat: number,
    converter?: Converter,
    record?: (answer: object) => void,
  ) {
    this.#record = record;
    this.#passesEvents = converter === undefined || record !== undefined;
    this.builder = this.own(response);
    this.#converter = converter === undefined ? undefined : this.own(converter);
    this.#sender = new Sender({
      heartbeat,
      converter,
      onGone: (reason) => this.#leave(reason),
      onError: (error) => void this.#reject(rejectedWrite(error, false), error),
    });
  }

  /** Sends the events that start every run. */
  open(): void {
    this.begin(() => [this.builder.created(), this.builder.inProgress()]);
    this.#isEmpty = true;
  }

  get stream(): ReadableStream<Uint8Array<ArrayBuffer>> {
    return this.#sender.stream;
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  get ended(): boolean {
    return this.#ended;
  }

  get hasLeft(): boolean {
    return this.signal.aborted;
  }

  /** Whether the agent has written nothing, and the client still waits for it. */
  get isEmpty(): boolean {
    return this.#isEmpty && !this.#ended;
  }

  send(...events: BuilderEvent[]): Promise<void> {
    return this.emitEvents(() => events);
  }

  text(piece: string): Promise<void> {
    return this.writing(() => {
      must(
        typeof piece === "string",
        "wrong-argument",
        'out.text() takes a piece of the text: `await out.text("…")`',
      );
      if (this.#text === undefined || !this.isOpen(this.#text.message)) {
        const message = this.opened({});
        this.#text = { message, writer: message.text() };
      }
      return this.#text.writer.delta(piece);
    });
  }

  message(options: NewMessage = {}): MessageWriter {
    writerOptions(
      "out.message()",
      options,
      ["role", "type", "parallel"],
      'out.message().text().delta("…")',
    );
    return this.opened(options);
  }

  /** @param writerOptionsGiven nothing, but a program that is not checked may pass a text */
  reasoning(writerOptionsGiven: object = {}): TextWriter {
    writerOptions("out.reasoning()", writerOptionsGiven, [], 'out.reasoning().delta("…")');
    return this.opened({ type: "reasoning" }).text();
  }

  tool(name: string, options: NewToolCall = {}): ToolCallWriter {
    writerOptions(
      "out.tool()",
      options,
      ["callId", "type", "parallel"],
      "out.tool(name).arguments(…)",
    );
    return new OpenToolCall(this, name, options);
  }

  state(state: Json): Promise<void> {
    return noted(this, "state", { value: state });
  }

  activity(type: string, options: { readonly id?: string | undefined } = {}): ActivityWriter {
    writerOptions("out.activity()", options, ["id"], "out.activity(type).update(content)");
    return activityOf(this, type, options.id);
  }

  step(name: string): StepWriter {
    return stepOf(this, name);
  }

  subagent(name: string, options: { readonly task?: string | undefined } = {}): SubagentWriter {
    writerOptions("out.subagent()", options, ["task"], "out.subagent(name, { task })");
    return subagentOf(this, name, options.task);
  }

  custom(name: string, value: Json): Promise<void> {
    return noted(this, "custom", { name, value });
  }

  usage(usage: JsonObject): void {
    this.begin(() => {
      this.builder.setUsage(usage);
      this.#usage = usage;
      return [];
    });
  }

  addUsage(usage: JsonObject): void {
    this.usage(addedUsage(this.#usage, usage));
  }

  forward(
    source: AgentwireSource | PromiseLike<AgentwireSource>,
    options?: ForwardOptions,
  ): Promise<Forwarded> {
    this.#isEmpty = false;
    return this.watched(() => forward(this, source, options), "out.forward()");
  }

  /**
   * Returns the promise of work of this run. If it rejects and nobody awaits it, the run fails, or
   * `onError` is called after its end.
   *
   * @param awaited the name of the call, if the agent has to await it
   */
  watched<T>(work: () => Promise<T>, awaited?: string): Promise<T> {
    const promise = new WatchedPromise<T>(
      (resolve) => resolve(work()),
      () => this.hasLeft,
    );
    if (awaited !== undefined) {
      this.#awaited.set(promise, awaited);
    }
    const settled = (): void => void this.#awaited.delete(promise);
    promise.onSettled(settled, (error) => {
      settled();
      if (!this.#ended) {
        void this.#reject(promise, error);
      } else if (awaited === undefined && !promise.isHandled && !this.hasLeft) {
        // The end of the run has reported work that had to be awaited.
        void reported(this, error, "a call that was not awaited failed");
      }
    });
    return promise;
  }

  forwarding(origin: AnswerOrigin): Forwarding {
    const target = this.#passesEvents ? forwardingTarget(this.builder) : targetOf(this.#converter!);
    return this.own(new Forwarding(target, origin));
  }

  passOn(output: () => Uint8Array<ArrayBuffer>): Promise<void> {
    return this.writing(() => {
      const bytes = output();
      if (bytes.length > 0) {
        this.beginning?.begun();
        this.#isEmpty = false;
      }
      return this.#passesEvents && this.#converter !== undefined
        ? this.#sender.send(decoder.decode(bytes))
        : this.#sender.sendConverted(bytes);
    });
  }

  /** Adds the losses of the answer to those of the run. */
  endLosses(): void {
    const losses = runLossesOf(this.signal);
    try {
      losses?.add(this.#converter?.conversion ?? counted(forwardedLosses(this.builder)));
    } catch {
      // After a trap, nothing is known about the answer.
    }
  }

  setOutcome(result: Json | undefined, pending: readonly string[] | undefined): void {
    this.begin(() => {
      setOutcome(this.builder, result, pending);
      return [];
    });
  }

  fail(error: ErrorInfo): Promise<void> {
    return this.#last("failed", error);
  }

  interrupt(...questions: readonly AgentQuestion[]): Promise<void> {
    return this.writing(() => {
      mustBeQuestions(questions);
      questions.forEach((question) => {
        const message = this.opened({ type: "mcp_approval_request" });
        const id = question.id ?? message.id.replace(/^msg_/, "interrupt_");
        void message.whole({ type: "data", data: questionData(id, question) });
      });
      return this.finish("incomplete", undefined, "interrupt");
    });
  }

  incomplete(reason?: string): Promise<void> {
    return this.#last("incomplete", undefined, reason);
  }

  reject(error?: ErrorInfo): Promise<void> {
    return this.#last("rejected", error);
  }

  cancel(): Promise<void> {
    return this.#last("canceled");
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.disposed(() =>
      [...this.#messages.keys()].flatMap((message) => message.end("completed")),
    );
  }

  disposed(make: () => readonly BuilderEvent[]): Promise<void> {
    return this.#ended ? Promise.resolve() : this.emitEvents(make);
  }

  /** Handles an aborted request: ends the run as canceled, and closes the stream. */
  stop(reason: unknown): void {
    try {
      this.finish("canceled");
    } catch {
      // The protocol has no event for a canceled run, and the caller has already aborted the
      // request.
    }
    this.#leave(reason);
  }

  /** Rejects further writes, except for the end of the run. */
  seal(): void {
    this.#ended = true;
  }

  /**
   * Throws the first failure that was not reported to a caller; at the end of the agent, also for
   * work that it has not awaited.
   */
  throwUnhandled(): void {
    if (this.#rejection?.promise.isHandled === false) {
      throw this.#rejection.error;
    }
    const [, forgotten = ""] = [...this.#awaited].find(([{ isHandled }]) => !isHandled) ?? [];
    must(
      forgotten === "",
      "not-awaited",
      `the agent has returned before \`${forgotten}\` was done: write \`await ${forgotten.replace("()", "(…)")}\`, or return its promise`,
    );
  }

  /**
   * Ends the run; does nothing if it has ended. If a function of a custom protocol throws
   * meanwhile, the run has still ended; if the terminal event cannot be created because `error` or
   * `reason` is invalid, the run stays open.
   */
  finish(status: TerminalStatus, error?: ErrorInfo, reason?: string): void {
    if (this.#finished) {
      return;
    }
    const last =
      reason === undefined
        ? this.builder.finishWith(status, error)
        : endIncomplete(this.builder, reason);
    try {
      void this.put(last);
    } finally {
      this.close();
    }
  }

  /** Closes the stream without a terminal event. Never throws. */
  close(): void {
    this.#ended = true;
    this.#finished = true;
    this.#reportAnswer();
    this.#sender.close();
  }

  /** Releases the WebAssembly memory of this run. */
  free(): void {
    this.#owned.forEach((handle) => handle.free());
  }

  own<T extends { free(): void }>(handle: T): T {
    // An object that is created after the client has left holds no memory.
    if (!this.hasLeft) {
      this.#owned.push(handle);
    }
    return handle;
  }

  opened({ role = "assistant", type = "message", parallel = false }: NewMessage): OpenMessage {
    this.#mustBeOpen();
    const builder = this.own(this.builder.createMessageBuilder(role, type));
    this.settle();
    this.begin(() => [builder.inProgress()]);
    const message = new OpenMessage(this, builder);
    if (!this.hasLeft) {
      this.#messages.set(message, parallel);
    }
    return message;
  }

  settle(): void {
    this.begin(() => this.#endOthers());
  }

  isOpen(message: OpenMessage): boolean {
    return this.#messages.has(message);
  }

  closed(message: OpenMessage): void {
    this.#messages.delete(message);
  }

  emitEvents(make: () => readonly BuilderEvent[]): Promise<void> {
    return this.writing(() => this.put(make()));
  }

  writing(work: () => Promise<void> | void): Promise<void> {
    if (this.hasLeft) {
      return rejectedWrite(this.signal.reason, true);
    }
    try {
      this.#mustBeOpen();
      return work() ?? Promise.resolve();
    } catch (error) {
      const rejection = rejectedWrite(error, false);
      // A write after the end is not an error of the agent: the client may disconnect at any time.
      return this.#ended ? rejection : this.#reject(rejection, error);
    }
  }

  begin(make: () => readonly BuilderEvent[]): void {
    if (!this.hasLeft) {
      this.#mustBeOpen();
      void this.put(make());
    }
  }

  put(events: readonly BuilderEvent[]): Promise<void> {
    if (events.length > 0) {
      this.beginning?.begun();
      this.#isEmpty = false;
    }
    return this.#sender.send(events.map((event) => event.toSse()).join(""));
  }

  #last(status: TerminalStatus, error?: ErrorInfo, reason?: string): Promise<void> {
    return this.writing(() => this.finish(status, error, reason));
  }

  #endOthers(): BuilderEvent[] {
    const others = [...this.#messages].filter(([, parallel]) => !parallel);
    return others.flatMap(([message]) => message.end("completed"));
  }

  #reject<T>(promise: WatchedPromise<T>, error: unknown): WatchedPromise<T> {
    if (this.#rejection === undefined || this.#rejection.promise.isHandled) {
      this.#rejection = { promise, error };
    }
    return promise;
  }

  /**
   * Handles a client that has disconnected. From now on, nothing that is called throws because of
   * it: an agent may call it from an event callback or a timer, where an exception would end the
   * process. What returns a promise rejects, so that the agent stops where it awaits.
   */
  #leave(reason: unknown): void {
    this.#ended = true;
    this.#finished = true;
    this.#reportAnswer();
    abandon(this.builder);
    this.#abort.abort(reason);
  }

  /** Passes the answer on once. After a trap, nothing is known about it. */
  #reportAnswer(): void {
    const record = this.#record;
    this.#record = undefined;
    try {
      record?.(this.builder.getResponseData());
    } catch {
      // The one who records it knows what was sent.
    }
  }

  #mustBeOpen(): void {
    must(
      !this.#ended || this.hasLeft,
      "ended",
      "this run has ended: nothing can be written after its last event",
    );
  }
}

const decoder = /* @__PURE__ */ new TextDecoder();

const QUESTION: readonly string[] = [
  "id",
  "reason",
  "payload",
  "text",
  "responseSchema",
  "expiresAt",
  "call",
];

/** Refuses a text in place of a question, and a question that no client can display or answer. */
function mustBeQuestions(questions: readonly AgentQuestion[]): void {
  must(
    questions.length > 0,
    "wrong-argument",
    `out.interrupt() needs a question: call \`${ASKING}\``,
  );
  for (const question of questions) {
    writerOptions("out.interrupt()", question, QUESTION, ASKING);
    must(
      typeof question.reason === "string",
      "wrong-argument",
      `out.interrupt(): a question has a \`reason\`, which is a text: call \`${ASKING}\``,
    );
  }
}

/** The call that asks a question. */
const ASKING = 'out.interrupt({ reason: "approval", text: "…", payload: {} })';

/**
 * Returns the data of an approval request for a question: a tool call whose arguments are the
 * payload, for clients that support no other form.
 */
function questionData(
  id: string,
  { reason, payload, text, responseSchema, expiresAt, call }: AgentQuestion,
): JsonObject {
  const request = {
    id,
    name: reason,
    arguments: stringifyJson(payload),
    server_label: "agent",
    reason,
    payload,
  };
  return { ...request, ...withoutUndefined({ text, responseSchema, expiresAt, call }) };
}

function withoutUndefined(members: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
