// One answer of any protocol that outlives its connection: an object of its own, which runs the agent and stores its frames.

import { DurableObject } from "cloudflare:workers";
import { type Json, parseJson, stringifyJson } from "agentwire";
import { isTask } from "../paths.js";
import { protocols, responsesAs } from "../protocols.js";
import { Driver } from "./driver.js";
import { type RunsEnv, daysOf, numberOf } from "./env.js";
import { FollowedTask } from "./follow_task.js";
import { FrameScript, frameForm, framesOf } from "./frame_script.js";
import { responseIn, responseOf } from "./kept_response.js";
import type { ObjectState } from "./platform.js";
import { Readers } from "./readers.js";
import { type Refused, refusedStream } from "./refused.js";
import type { RunRow } from "./rows.js";
import { ThreadStorage } from "./storage.js";
import { type Turns, listed, nameOf, withTurns } from "./turns.js";

/** The maximum number of connections of an answer. */
const CONNECTIONS = 100;
/** The number of keep-alives of an idle connection before it is closed. */
const IDLE = 300;
/** The maximum number of starts of an answer that was killed before its first frame. */
const ATTEMPTS = 3;
/** The one run of the object. */
const RUN = "answer";

/** A request to one of the protocols, as it is stored. */
export interface Asked {
  readonly url: string;
  readonly body: string;
  /** The earlier items, if it continues another response: a JSON list. */
  readonly before?: string | undefined;
  /** The version of A2A that the client requested. */
  readonly version: string | null;
  /** The owner of its A2A tasks. */
  readonly owner: string;
  /** The id of the stored OpenAI response. */
  readonly responseId?: string | undefined;
}

/** The outcome of a request: a stream, or a whole answer that is not a stream. */
export type Came =
  | { readonly stream: true }
  | { readonly stream: false; readonly status: number; readonly headers: [name: string, value: string][]; readonly body: string };

/** An answer. Its public methods are called by the worker. */
export class Answer extends DurableObject<RunsEnv> {
  #storage: ThreadStorage;
  #readers: Readers;
  #driver: Driver | undefined;
  /** The outcome of the request; the alarm, which drives the agent, resolves it. */
  #came = Promise.withResolvers<Came>();

  constructor(ctx: ObjectState, env: RunsEnv) {
    super(ctx, env);
    this.#storage = new ThreadStorage(ctx.storage);
    this.#readers = new Readers(this.#storage, numberOf(env.KEEP_ALIVE, 15_000));
    this.#recover();
  }

  /** Starts the agent, unless the object has this request already. */
  async ask(asked: Asked, hash: string): Promise<Refused | Came> {
    const known = this.#storage.owner === undefined ? undefined : this.#storage.run(RUN);
    if (known !== undefined && known.hash !== hash) {
      return { refused: "AGENT_IDEMPOTENCY_CONFLICT", detail: "this idempotency key was used with another request" };
    }
    if (known === undefined) {
      this.#storage.together(() => {
        this.#storage.begin(RUN, RUN);
        this.#storage.addRun({ run_id: RUN, task_id: crypto.randomUUID(), hash, input: JSON.stringify(asked), created: 1 }, null);
      });
      await this.ctx.storage.setAlarm(Date.now());
      await this.ctx.storage.sync();
    }
    return known?.status === "ended" ? { stream: true } : this.#came.promise;
  }

  /** Returns the OpenAI response in its present state, as JSON; with `atEnd`, after its end. */
  async response(atEnd: boolean): Promise<Refused | { readonly json: string }> {
    if (!this.#isResponse()) {
      return noAnswer;
    }
    const isOver = (): boolean => this.#storage.isEnded(RUN);
    return { json: await responseOf({ isOver, read: () => this.#frames(), more: () => this.#readers.more() }, atEnd) };
  }

  /** Returns the items of a response and of the responses before it: a JSON list. */
  turns(): Turns {
    const items = this.inputItems();
    if ("refused" in items) {
      return items;
    }
    const ended = this.#storage.run(RUN)!.status === "ended";
    const response = ended ? responseIn(this.#frames()) : undefined;
    const { output = [] } = (response === undefined ? {} : parseJson(response)) as { readonly output?: Json[] };
    return { ended, items: stringifyJson([...(parseJson(items.json) as Json[]), ...output]) };
  }

  /** Returns the input items of a response, with the earlier ones: a JSON list. */
  inputItems(): Refused | { readonly json: string } {
    if (!this.#isResponse()) {
      return noAnswer;
    }
    const { body, before, responseId } = JSON.parse(this.#storage.run(RUN)!.input) as Asked;
    return { json: stringifyJson(listed(body, before, nameOf(responseId!)!)) };
  }

  /** Stops the agent of a response; returns the response after its end. */
  async cancel(): Promise<Refused | { readonly json: string }> {
    const stopped = this.#isResponse() ? this.stop() : noAnswer;
    return "refused" in stopped ? stopped : this.response(true);
  }

  /** Deletes a response, and stops its agent. */
  async forget(): Promise<Refused | { readonly accepted: true }> {
    const cancelled = await this.cancel();
    if ("refused" in cancelled) {
      return cancelled;
    }
    await this.#forget();
    return { accepted: true };
  }

  /** Stops the agent. */
  stop(): Refused | { readonly accepted: true } {
    if (this.#storage.owner === undefined) {
      return noAnswer;
    }
    this.#storage.setCancelled(RUN);
    const run = this.#storage.run(RUN)!;
    const { task } = this.#asked(run);
    if (task === undefined) {
      this.#driver?.cancel();
    } else {
      // The agent runs in the object of the task. The end of the task arrives through the subscription.
      this.ctx.waitUntil(this.#ask(run, task.request("cancel")));
    }
    return { accepted: true };
  }

  /** Returns the frames after a cursor, for a request of the worker, or a refusal. */
  fetch(request: Request): Response {
    if (this.#storage.owner === undefined) {
      return refusedStream(noAnswer);
    }
    // The numbers of a response's events start at 0, those of the log at 1, and each event is an entry.
    const number = new URL(request.url).searchParams.get("starting_after");
    const isResponse = number !== null;
    if (isResponse && !this.#isResponse()) {
      return refusedStream(noAnswer);
    }
    const after = isResponse ? this.#readers.placeAt(Number(number) + 1) : this.#readers.placeOf(request);
    if (after === undefined) {
      return refusedStream({ refused: "AGENT_INVALID_LAST_EVENT_ID", detail: "the Last-Event-ID is no cursor of this answer" });
    }
    const { terminal } = this.#storage.run(RUN)!;
    // The last frame is the entry before the end.
    if (terminal !== null && terminal - 1 <= after) {
      return new Response(null, { status: 204 });
    }
    if (this.#readers.open >= CONNECTIONS) {
      return refusedStream({ refused: "AGENT_SSE_CONNECTION_LIMIT", detail: "the answer has too many readers", retryAfter: 5 });
    }
    const generation = isResponse ? undefined : this.#storage.generation;
    const headers = { "content-type": "text/event-stream" };
    return new Response(this.#readers.stream(RUN, frameForm(generation), { after, idleLimit: IDLE }, request.signal), { headers });
  }

  /** Starts the agent; after the end and the lifetime of the answer, deletes everything. */
  async alarm(): Promise<void> {
    const run = this.#storage.owner === undefined ? undefined : this.#storage.run(RUN);
    if (run === undefined || this.#driver !== undefined) {
      return;
    }
    if (run.status === "ended") {
      return this.#forget();
    }
    this.#storage.setStatus(RUN, "running");
    const driver = new Driver(this.ctx.storage, this.#storage, this.#readers, RUN, new FrameScript(this.#frames()), () => {});
    this.#driver = driver;
    if (run.cancelled === 1) {
      driver.cancel();
    }
    try {
      await driver.drive((signal) => this.#answer(run, signal), numberOf(this.env.RUN_TIMEOUT, 600_000));
    } finally {
      this.#driver = undefined;
      this.#came.resolve({ stream: true });
    }
    // A refused request may be sent again.
    await ((await this.#came.promise).stream ? this.ctx.storage.setAlarm(Date.now() + this.#life()) : this.#forget());
  }

  /** Yields the frames of the protocol adapter's answer. */
  async *#answer(run: RunRow, signal: AbortSignal): AsyncGenerator<string, void, undefined> {
    const { responseId } = JSON.parse(run.input) as Asked;
    const { request, task } = this.#asked(run, signal);
    const ask = (request: Request): Promise<Response> => this.#ask(run, request);
    const response = await (task !== undefined ? task.follow(ask) : responseId !== undefined ? responsesAs(responseId)(request) : ask(request));
    const { status, headers } = response;
    if (response.body === null || headers.get("content-type")?.startsWith("text/event-stream") !== true) {
      return this.#came.resolve({ stream: false, status, headers: [...headers], body: await response.text() });
    }
    this.#came.resolve({ stream: true });
    let rest = "";
    for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
      rest += text;
      const whole = rest.lastIndexOf("\n\n") + 2;
      if (whole > 1) {
        yield* framesOf(rest.slice(0, whole));
        rest = rest.slice(whole);
      }
    }
  }

  /** Returns the request, and the A2A task that it has started. */
  #asked(run: RunRow, signal?: AbortSignal): { readonly request: Request; readonly task: FollowedTask | undefined } {
    const { url, body: own, before, version } = JSON.parse(run.input) as Asked;
    const body = withTurns(own, before);
    const headers = { "content-type": "application/json", ...(version !== null && { "a2a-version": version }) };
    const request = new Request(url, { method: "POST", headers, body, ...(signal !== undefined && { signal }) });
    const [first] = this.#frames();
    const isBegun = first !== undefined && isTask(new URL(url).pathname);
    return { request, task: isBegun ? new FollowedTask(request, body, first) : undefined };
  }

  #ask(run: RunRow, request: Request): Promise<Response> {
    return protocols(request, this.env, undefined, (JSON.parse(run.input) as Asked).owner);
  }

  #isResponse(): boolean {
    const run = this.#storage.owner === undefined ? undefined : this.#storage.run(RUN);
    return run !== undefined && (JSON.parse(run.input) as Asked).responseId !== undefined;
  }

  /** Returns the stored frames. */
  #frames(): string[] {
    const entries = this.#storage.entries(RUN, 0, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
    return entries.map(({ data }) => data).filter((data) => data !== "");
  }

  /** Returns the milliseconds for which an answer is kept after its end. */
  #life(): number {
    return daysOf(this.env.ANSWER_DAYS, 1);
  }

  /**
   * Recovers an answer whose agent was killed: starts it again if it has no frames, and else ends it. A task of A2A continues in its own
   * object and is followed.
   */
  #recover(): void {
    const run = this.#storage.owner === undefined ? undefined : this.#storage.active();
    if (run === undefined) {
      return;
    }
    const said = this.#frames();
    const mayGoOn = said.length === 0 || isTask(new URL((JSON.parse(run.input) as Asked).url).pathname);
    this.#storage.together(() => {
      if (run.status === "running" && mayGoOn && run.attempts < ATTEMPTS) {
        this.#storage.setStatus(RUN, "queued");
      } else if (run.status === "running") {
        const script = new FrameScript(said);
        const ending = script.ending({ code: "AGENT_RUN_INTERRUPTED", message: "the run was interrupted" });
        this.#storage.end(RUN, this.#storage.append(RUN, ending.map((data) => ({ kind: script.append(data), data }))));
      }
    });
    this.#readers.durable = this.#storage.last();
    this.ctx.waitUntil(this.ctx.storage.setAlarm(Date.now() + (this.#storage.active() === undefined ? this.#life() : 0)));
  }

  async #forget(): Promise<void> {
    await this.ctx.storage.deleteAll();
    this.#storage = new ThreadStorage(this.ctx.storage);
    this.#readers = new Readers(this.#storage, numberOf(this.env.KEEP_ALIVE, 15_000));
    this.#came = Promise.withResolvers();
  }
}

const noAnswer: Refused = { refused: "AGENT_NOT_FOUND", detail: "there is no such answer, or not any more" };
