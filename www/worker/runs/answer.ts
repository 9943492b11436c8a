// One answer of any protocol that outlives its connection: an object of its own, which runs the agent and keeps what it says.

import { DurableObject } from "cloudflare:workers";
import { cursorNumber } from "agentwire";
import { protocols } from "../protocols.js";
import { Driver } from "./driver.js";
import { type RunsEnv, numberOf } from "./env.js";
import { FrameScript, FrameSubscription, framesOf } from "./frame_script.js";
import type { ObjectState } from "./platform.js";
import { Readers } from "./readers.js";
import { type RunRow, ThreadStorage } from "./storage.js";
import type { Refused } from "./thread.js";

/** How many connections an answer takes. */
const CONNECTIONS = 100;
/** How often a silent connection is told that it lives, before it is closed. */
const IDLE = 300;
/** How often an answer is begun again that was killed before it had said anything. */
const ATTEMPTS = 3;
/** How many milliseconds an answer is kept after its end. */
const LIFE = 24 * 3600 * 1000;
/** The one run of the object. */
const RUN = "answer";

/** A request to one of the protocols, as it is kept. */
export interface Asked {
  readonly url: string;
  readonly body: string;
}

/** What a request came to: a stream, or an answer that is none, and then all of it. */
export type Came =
  | { readonly stream: true }
  | { readonly stream: false; readonly status: number; readonly headers: [name: string, value: string][]; readonly body: string };

/** An answer. Its public methods are called by the worker. */
export class Answer extends DurableObject<RunsEnv> {
  #storage: ThreadStorage;
  #readers: Readers;
  #driver: Driver | undefined;
  /** What the request came to; whoever drives it resolves this. */
  #came = Promise.withResolvers<Came>();

  constructor(ctx: ObjectState, env: RunsEnv) {
    super(ctx, env);
    this.#storage = new ThreadStorage(ctx.storage);
    this.#readers = new Readers(this.#storage, numberOf(env.KEEP_ALIVE, 15_000));
    this.#recover();
  }

  /** Asks the agent, unless this was asked already. */
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

  /** The agent shall stop. */
  stop(): Refused | { readonly accepted: true } {
    if (this.#storage.owner === undefined) {
      return noAnswer;
    }
    this.#storage.setCancelled(RUN);
    this.#driver?.cancel();
    return { accepted: true };
  }

  /** The frames after a cursor, for a request of the worker: an answer of status 299 has a refusal in its body. */
  fetch(request: Request): Response {
    const refused = (refused: Refused): Response => Response.json(refused, { status: 299 });
    if (this.#storage.owner === undefined) {
      return refused(noAnswer);
    }
    const cursor = request.headers.get("last-event-id");
    const after = cursor === null || cursor === "" ? 0 : cursorNumber(cursor, this.#storage.generation);
    if (after === undefined || after > this.#readers.durable) {
      return refused({ refused: "AGENT_INVALID_LAST_EVENT_ID", detail: "the Last-Event-ID is no cursor of this answer" });
    }
    const { terminal } = this.#storage.run(RUN)!;
    // The last frame is the entry before the end.
    if (terminal !== null && terminal - 1 <= after) {
      return new Response(null, { status: 204 });
    }
    if (this.#readers.open >= CONNECTIONS) {
      return refused({ refused: "AGENT_SSE_CONNECTION_LIMIT", detail: "the answer has too many readers", retryAfter: 5 });
    }
    const subscription = new FrameSubscription({ generation: this.#storage.generation, after, idleLimit: IDLE });
    const headers = { "content-type": "text/event-stream" };
    return new Response(this.#readers.stream(RUN, subscription, request.signal), { headers });
  }

  /** Asks the agent; later, forgets everything. */
  async alarm(): Promise<void> {
    const run = this.#storage.owner === undefined ? undefined : this.#storage.run(RUN);
    if (run === undefined || this.#driver !== undefined) {
      return;
    }
    if (run.status === "ended") {
      return this.#forget();
    }
    this.#storage.setStatus(RUN, "running");
    const driver = new Driver(this.ctx.storage, this.#storage, this.#readers, RUN, new FrameScript(), () => {});
    this.#driver = driver;
    if (run.cancelled === 1) {
      driver.cancel();
    }
    try {
      await driver.drive((signal) => this.#frames(run, signal), numberOf(this.env.RUN_TIMEOUT, 600_000));
    } finally {
      this.#driver = undefined;
      this.#came.resolve({ stream: true });
    }
    // What was refused may be asked again.
    await ((await this.#came.promise).stream ? this.ctx.storage.setAlarm(Date.now() + LIFE) : this.#forget());
  }

  /** What the protocol's adapter answers, frame by frame. */
  async *#frames(run: RunRow, signal: AbortSignal): AsyncGenerator<string, void, undefined> {
    const { url, body } = JSON.parse(run.input) as Asked;
    const request = new Request(url, { method: "POST", headers: { "content-type": "application/json" }, body, signal });
    const response = await protocols(request, this.env, undefined);
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

  /** An answer whose agent is gone: asked again if it had said nothing, and else ended. */
  #recover(): void {
    const run = this.#storage.owner === undefined ? undefined : this.#storage.active();
    if (run === undefined) {
      return;
    }
    const said = this.#storage.entries(RUN, 0, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER).map(({ data }) => data);
    this.#storage.together(() => {
      if (run.status === "running" && said.length === 0 && run.attempts < ATTEMPTS) {
        this.#storage.setStatus(RUN, "queued");
      } else if (run.status === "running") {
        const script = new FrameScript(said);
        const ending = script.ending({ code: "AGENT_RUN_INTERRUPTED", message: "the run was interrupted" });
        this.#storage.end(RUN, this.#storage.append(RUN, ending.map((data) => ({ kind: script.append(data), data }))));
      }
    });
    this.#readers.durable = this.#storage.last();
    this.ctx.waitUntil(this.ctx.storage.setAlarm(Date.now() + (this.#storage.active() === undefined ? LIFE : 0)));
  }

  async #forget(): Promise<void> {
    await this.ctx.storage.deleteAll();
    this.#storage = new ThreadStorage(this.ctx.storage);
    this.#readers = new Readers(this.#storage, numberOf(this.env.KEEP_ALIVE, 15_000));
    this.#came = Promise.withResolvers();
  }
}

const noAnswer: Refused = { refused: "AGENT_NOT_FOUND", detail: "there is no such answer, or not any more" };
