// One answer of any protocol that outlives its connection: an object of its own, which runs the agent and stores its frames.

import { DurableObject } from "cloudflare:workers";
import { type Json, parseJson, stringifyJson } from "agentwire";
import { durableThread, refuse, type RunsRefusal, RunDriver, RunFollowers, type StoredRun, type ThreadStore } from "agentwire/runs/server";
import { isTask } from "../paths.js";
import { protocols, responsesAs } from "../protocols.js";
import { type StoredRequest, storedRequest } from "./stored_request.js";
import { type RunsEnv, daysOf, numberOf } from "./env.js";
import { TaskFollower } from "./task_follower.js";
import { FrameScript, frameForm, framesOf } from "./frame_script.js";
import { responseIn, responseOf } from "./stored_response.js";
import type { ObjectState } from "./platform.js";
import { type Turns, inputItemsOf, nameOf, withTurns } from "./turns.js";

/** The maximum number of connections of an answer. */
const CONNECTIONS = 100;
/** The number of keep-alives of an idle connection before it is closed. */
const IDLE = 300;
/** The maximum number of starts of an answer that was killed before its first frame. */
const ATTEMPTS = 3;
/** The one run of the object. */
const RUN = "answer";

/** The outcome of a request: a stream, or a whole answer that is not a stream. */
export type AnswerOutcome =
  | { readonly stream: true }
  | { readonly stream: false; readonly status: number; readonly headers: [name: string, value: string][]; readonly body: string };

/** An answer. Its public methods are called by the worker. */
export class Answer extends DurableObject<RunsEnv> {
  #store!: ThreadStore;
  #followers!: RunFollowers;
  #driver: RunDriver | undefined;
  readonly #ready: Promise<void>;
  /** The outcome of the request; the alarm, which drives the agent, resolves it. */
  #outcome = Promise.withResolvers<AnswerOutcome>();

  constructor(ctx: ObjectState, env: RunsEnv) {
    super(ctx, env);
    this.#open();
    this.#ready = this.#recover();
    // Each call waits for it, and throws its error.
    this.#ready.catch(() => {});
  }

  #open(): void {
    this.#store = durableThread(this.ctx.storage, RUN);
    this.#followers = new RunFollowers(this.#store, numberOf(this.env.KEEP_ALIVE, 15_000));
  }

  /** Returns the run of the object, if it has one. */
  async #run(): Promise<StoredRun | undefined> {
    await this.#ready;
    return (await this.#store.state()) === undefined ? undefined : this.#store.run(RUN);
  }

  /** Returns the run of a stored OpenAI response. */
  async #response(): Promise<StoredRun | undefined> {
    const run = await this.#run();
    return run === undefined || storedRequest(run).responseId === undefined ? undefined : run;
  }

  /** Starts the agent, unless the object has this request already. */
  async ask(stored: StoredRequest, hash: string): Promise<RunsRefusal | AnswerOutcome> {
    let known = await this.#run();
    if (known === undefined) {
      const run = { owner: RUN, base: "", runId: RUN, taskId: RUN, hash, input: JSON.stringify(stored), at: Date.now(), key: null, messages: [] };
      if (await this.#store.addRun(run)) {
        await this.#wake(0);
      } else {
        known = await this.#run();
      }
    }
    if (known !== undefined && known.hash !== hash) {
      return { refused: "AGENT_IDEMPOTENCY_CONFLICT", detail: "this idempotency key was used with another request" };
    }
    return known?.status === "ended" ? { stream: true } : this.#outcome.promise;
  }

  /** Returns the OpenAI response in its present state, as JSON; with `atEnd`, after its end. */
  async response(atEnd: boolean): Promise<RunsRefusal | { readonly json: string }> {
    if ((await this.#response()) === undefined) {
      return noAnswer;
    }
    const isOver = async (): Promise<boolean> => (await this.#run())?.status === "ended";
    return { json: await responseOf({ isOver, read: () => this.#frames(), more: () => this.#followers.more() }, atEnd) };
  }

  /** Returns the items of a response and of the responses before it: a JSON list. */
  async turns(): Promise<Turns> {
    const items = await this.inputItems();
    if ("refused" in items) {
      return items;
    }
    const ended = (await this.#run())!.status === "ended";
    const response = ended ? responseIn(await this.#frames()) : undefined;
    const { output = [] } = (response === undefined ? {} : parseJson(response)) as { readonly output?: Json[] };
    return { ended, items: stringifyJson([...(parseJson(items.json) as Json[]), ...output]) };
  }

  /** Returns the input items of a response, with the earlier ones: a JSON list. */
  async inputItems(): Promise<RunsRefusal | { readonly json: string }> {
    const run = await this.#response();
    if (run === undefined) {
      return noAnswer;
    }
    const { body, before, responseId } = storedRequest(run);
    return { json: stringifyJson(inputItemsOf(body, before, nameOf(responseId!)!)) };
  }

  /** Stops the agent of a response; returns the response after its end. */
  async cancel(): Promise<RunsRefusal | { readonly json: string }> {
    const stopped = (await this.#response()) === undefined ? noAnswer : await this.stop();
    return "refused" in stopped ? stopped : this.response(true);
  }

  /** Deletes a response, and stops its agent. */
  async forget(): Promise<RunsRefusal | { readonly accepted: true }> {
    const cancelled = await this.cancel();
    if ("refused" in cancelled) {
      return cancelled;
    }
    await this.#forget();
    return { accepted: true };
  }

  /** Stops the agent. */
  async stop(): Promise<RunsRefusal | { readonly accepted: true }> {
    const run = await this.#run();
    if (run === undefined) {
      return noAnswer;
    }
    await this.#store.setCancelled(RUN);
    const { task } = await this.#requestOf(run);
    if (task === undefined) {
      this.#driver?.cancel();
    } else {
      // The agent runs in the object of the task. The end of the task arrives through the subscription.
      this.ctx.waitUntil(this.#ask(run, task.request("cancel")));
    }
    return { accepted: true };
  }

  /** Returns the frames after a cursor, for a request of the worker, or a refusal. */
  async fetch(request: Request): Promise<Response> {
    // The numbers of a response's events start at 0, those of the log at 1, and each event is an entry.
    const number = new URL(request.url).searchParams.get("starting_after");
    const isResponse = number !== null;
    const run = await (isResponse ? this.#response() : this.#run());
    if (run === undefined) {
      return refuse(noAnswer);
    }
    const { generation } = (await this.#store.state())!;
    const cursor = request.headers.get("last-event-id");
    const after = isResponse ? this.#followers.placeAt(Number(number) + 1) : this.#followers.placeOf(cursor, generation);
    if (after === undefined) {
      return refuse({ refused: "AGENT_INVALID_LAST_EVENT_ID", detail: "the Last-Event-ID is not a cursor of this answer" });
    }
    // The last frame is the entry before the end.
    if (run.terminal !== null && run.terminal - 1 <= after) {
      return new Response(null, { status: 204 });
    }
    if (this.#followers.open >= CONNECTIONS) {
      return refuse({ refused: "AGENT_SSE_CONNECTION_LIMIT", detail: "the answer has too many readers", retryAfter: 5 });
    }
    const form = frameForm(isResponse ? undefined : generation);
    const headers = { "content-type": "text/event-stream" };
    return new Response(this.#followers.stream(RUN, form, { after, idleLimit: IDLE }, request.signal), { headers });
  }

  /** Starts the agent; after the end and the lifetime of the answer, deletes everything. */
  async alarm(): Promise<void> {
    const run = await this.#run();
    if (run === undefined || this.#driver !== undefined) {
      return;
    }
    if (run.status === "ended") {
      return this.#forget();
    }
    const script = new FrameScript(await this.#frames());
    const driver = new RunDriver({ store: this.#store, followers: this.#followers, runId: RUN, script, onError: console.error });
    this.#driver = driver;
    try {
      await this.#store.setStatus(RUN, "running");
      // A request that was faster than the driver has only set the mark.
      if ((await this.#store.run(RUN))!.cancelled) {
        driver.cancel();
      }
      await driver.drive((signal) => this.#answer(run, signal), numberOf(this.env.RUN_TIMEOUT, 600_000));
    } finally {
      this.#driver = undefined;
      this.#outcome.resolve({ stream: true });
    }
    // A refused request may be sent again.
    await ((await this.#outcome.promise).stream ? this.#wake(this.#life()) : this.#forget());
  }

  /** Yields the frames of the protocol adapter's answer. */
  async *#answer(run: StoredRun, signal: AbortSignal): AsyncGenerator<string, void, undefined> {
    const { responseId } = storedRequest(run);
    const { request, task } = await this.#requestOf(run, signal);
    const ask = (request: Request): Promise<Response> => this.#ask(run, request);
    const response = await (task !== undefined ? task.follow(ask) : responseId !== undefined ? responsesAs(responseId)(request) : ask(request));
    const { status, headers } = response;
    if (response.body === null || headers.get("content-type")?.startsWith("text/event-stream") !== true) {
      return this.#outcome.resolve({ stream: false, status, headers: [...headers], body: await response.text() });
    }
    this.#outcome.resolve({ stream: true });
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
  async #requestOf(run: StoredRun, signal?: AbortSignal): Promise<{ readonly request: Request; readonly task: TaskFollower | undefined }> {
    const { url, body: own, before, version } = storedRequest(run);
    const body = withTurns(own, before);
    const headers = { "content-type": "application/json", ...(version !== null && { "a2a-version": version }) };
    const request = new Request(url, { method: "POST", headers, body, ...(signal !== undefined && { signal }) });
    const [first] = await this.#frames();
    const isBegun = first !== undefined && isTask(new URL(url).pathname);
    return { request, task: isBegun ? new TaskFollower(request, body, first) : undefined };
  }

  #ask(run: StoredRun, request: Request): Promise<Response> {
    return protocols(request, this.env, undefined, storedRequest(run).owner);
  }

  /** Returns the stored frames. */
  async #frames(): Promise<string[]> {
    const entries = await this.#store.read(RUN, 0, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
    return entries.map(({ data }) => data).filter((data) => data !== "");
  }

  /** Returns the milliseconds for which an answer is kept after its end. */
  #life(): number {
    return daysOf(this.env.ANSWER_DAYS, 1);
  }

  async #wake(milliseconds: number): Promise<void> {
    await this.ctx.storage.setAlarm(Date.now() + milliseconds);
    await this.ctx.storage.sync();
  }

  /**
   * Recovers an answer whose agent was killed: starts it again if it has no frames, and else ends it. A task of A2A continues in its own
   * object and is followed.
   */
  async #recover(): Promise<void> {
    const run = (await this.#store.state()) === undefined ? undefined : await this.#store.active();
    if (run?.status === "running") {
      const frames = await this.#frames();
      const mayGoOn = frames.length === 0 || isTask(new URL(storedRequest(run).url).pathname);
      if (mayGoOn && run.attempts < ATTEMPTS) {
        await this.#store.setStatus(RUN, "queued");
      } else {
        const script = new FrameScript(frames);
        const ending = script.ending({ code: "AGENT_RUN_INTERRUPTED", message: "the run was interrupted" }, false);
        await this.#store.append(RUN, ending.map((data) => ({ kind: script.append(data), data })), []);
      }
    }
    this.#followers.durable = (await this.#store.state())?.last ?? 0;
    if (run !== undefined) {
      await this.#wake((await this.#store.active()) === undefined ? this.#life() : 0);
    }
  }

  async #forget(): Promise<void> {
    await this.ctx.storage.deleteAll();
    this.#open();
    this.#outcome = Promise.withResolvers();
  }
}

const noAnswer: RunsRefusal = { refused: "AGENT_NOT_FOUND", detail: "there is no such answer, or not any more" };
