// The run of one exchange: its request, and its answer, which is read again after a lost
// connection.

import type { Report } from "../core/findings.js";
import type { Snapshots, AnyProtocol, Outcome, Protocol } from "../core/outcome.js";
import { pause } from "../core/timers.js";
import type { AgentStream } from "../read/read.js";
import { type Ending, endingBy, endingOf, isCut, isForeign } from "../store/ending.js";
import type { ExchangeToSend } from "./dialect.js";
import type { Exchange } from "./exchange.js";
import type { Files } from "./files.js";
import type { AllOptions } from "./options.js";
import type { Transport } from "./transport.js";

/** The chat of a run. `S` is the snapshot of the protocol. */
export interface RunHost<P extends Protocol, S> {
  readonly current: AnswerRun<P> | undefined;
  readonly options: AllOptions<P>;
  /** Whether answers continue after a lost connection. */
  readonly isResuming: boolean;
  exchange(at: number): Exchange<S> | undefined;
  patch(at: number, changes: Partial<Exchange<S>>): void;
  /**
   * Sets an exchange to its state before the request; with `keepsAnswer` to the one before the rest
   * of its answer is read.
   */
  reset(at: number, keepsAnswer: boolean): void;
  /** Sets the snapshot of an exchange, unless it takes a visible answer away. */
  take(at: number, snapshot: S, changes: Partial<Exchange<S>>): void;
  toSend(at: number): ExchangeToSend<S>;
  /** Returns whether a snapshot has anything to show. */
  shows(at: number, snapshot: S): boolean;
  reported(report: Report): void;
  changed(atOnce: boolean): void;
  save(): void;
}

/** The codes of errors after which an answer can be read again. */
const LOST: ReadonlySet<string> = new Set(["connection-lost", "cut-off"]);

export const STOPPED: Ending = { status: "stopped", error: undefined };

/**
 * The waits before an answer is read again, in milliseconds, and the number of attempts without
 * progress.
 */
const FIRST_DELAY = 500;
const MAX_DELAY = 10_000;
const MAX_ATTEMPTS = 8;

/** Returns whether the rest of an answer can exist at the address of its exchange. */
export function isLost({ resumeUrl, error }: Exchange<unknown>): boolean {
  return resumeUrl !== undefined && (error === undefined || LOST.has(error.code));
}

export class AnswerRun<P extends Protocol> {
  /** The index and the id of the exchange. */
  readonly at: number;
  readonly exchangeId: string;
  readonly #host: RunHost<P, Snapshots[P]["answer"]>;
  readonly #transport: Transport<P, AllOptions<P>>;
  readonly #files: Files;
  readonly #stopping = new AbortController();
  readonly signal = this.#stopping.signal;
  /** The latest snapshot that the exchange does not have yet: it is taken once per frame. */
  #latest: Snapshots[P]["answer"] | undefined;
  /**
   * The length of the stored answer, which stays visible until the answer that is read again is as
   * long.
   */
  #shownLength = 0;

  constructor(
    host: RunHost<P, Snapshots[P]["answer"]>,
    transport: Transport<P, AllOptions<P>>,
    files: Files,
    at: number,
  ) {
    this.#host = host;
    this.#transport = transport;
    this.#files = files;
    this.at = at;
    this.exchangeId = host.exchange(at)!.id;
  }

  get isCurrent(): boolean {
    return this.#host.current === this && this.#host.exchange(this.at)?.id === this.exchangeId;
  }

  get #exchange(): Exchange<Snapshots[P]["answer"]> {
    return this.#host.exchange(this.at)!;
  }

  stop(): void {
    this.#latest = undefined;
    this.#stopping.abort();
  }

  /**
   * Returns the latest snapshot, if the exchange does not have it and it is not shorter than what
   * is visible.
   */
  takeLatest(): Snapshots[P]["answer"] | undefined {
    const latest = this.#latest;
    this.#latest = undefined;
    if (latest === undefined || (this.#shownLength > 0 && lengthOf(latest) < this.#shownLength)) {
      return undefined;
    }
    this.#shownLength = 0;
    return latest;
  }

  /**
   * Sends the request and reads its answer; with `isLost` the rest of an answer is read first.
   * Never rejects.
   */
  async answer(
    isLost: boolean,
    replaces: Exchange<Snapshots[P]["answer"]> | undefined,
  ): Promise<Ending> {
    let ending = isLost ? await this.readAgain() : undefined;
    if (ending === undefined && this.isCurrent) {
      this.#host.reset(this.at, false);
      ending = await this.#read(() => this.#open(replaces));
    }
    for (let attempt = 0; this.#isResumable(ending) && attempt < MAX_ATTEMPTS; attempt++) {
      const length = lengthOf(this.#exchange.snapshot);
      await pause(Math.min(FIRST_DELAY * 2 ** attempt, MAX_DELAY), this.signal);
      const again = this.isCurrent ? await this.readAgain() : undefined;
      if (again === undefined) {
        break;
      }
      ending = again;
      attempt = this.isCurrent && lengthOf(this.#exchange.snapshot) > length ? -1 : attempt;
    }
    return ending ?? STOPPED;
  }

  /**
   * Reads the answer again, from its beginning. Returns undefined if that is not possible. Never
   * rejects.
   */
  async readAgain(): Promise<Ending | undefined> {
    this.#shownLength = lengthOf(this.#exchange.snapshot);
    let isRefused = false;
    const ending = await this.#read(async () => {
      const { options } = this.#host;
      const responded = (resumeUrl: string | undefined): void =>
        void (resumeUrl !== undefined && this.#responded(resumeUrl));
      const stream = await this.#transport
        .resume(this.#exchange, this.#host.toSend(this.at), options, {
          signal: this.signal,
          responded,
        })
        .catch(() => undefined);
      isRefused = stream === undefined;
      return stream ?? Promise.reject(new Error("the answer cannot be read again"));
    });
    const { status = 0 } = ending.error ?? {};
    const isGone =
      isRefused ||
      ending.isEmpty === true ||
      (status >= 400 && status < 500 && status !== 408 && status !== 429);
    return isGone ? undefined : ending;
  }

  /** Returns whether the rest of an answer can be read after a lost connection. */
  #isResumable(ending: Ending | undefined): boolean {
    return (
      this.isCurrent &&
      this.#host.isResuming &&
      LOST.has(ending?.error?.code ?? "") &&
      this.#transport.canResume(this.#exchange)
    );
  }

  /** Sends the request. */
  async #open(replaces: Exchange<Snapshots[P]["answer"]> | undefined): Promise<AgentStream<P>> {
    const { signal } = this;
    const { options, isResuming } = this.#host;
    const { user } = this.#exchange;
    const sent = user && (await this.#files.sent(user.parts, options.upload, signal));
    signal.throwIfAborted();
    if (sent !== undefined) {
      this.#host.patch(this.at, { user: { ...user!, parts: sent } });
      this.#files.release(user!.parts);
      this.#host.changed(true);
      this.#host.save();
    }
    const exchange = { ...this.#host.toSend(this.at), ...(replaces && { replaces }) };
    return this.#transport.open(exchange, options, {
      signal,
      isResumable: isResuming,
      responded: (resumeUrl) => this.#responded(resumeUrl),
    });
  }

  /**
   * Stores that the server has the request, and the address from which the answer can be read
   * again.
   */
  #responded(resumeUrl: string | undefined): void {
    if (!this.signal.aborted && this.isCurrent) {
      this.#host.patch(this.at, {
        requestId: undefined,
        ...(resumeUrl !== undefined && { resumeUrl }),
      });
      this.#host.save();
    }
  }

  /** Reads a stream to its end. Never rejects. */
  async #read(open: () => Promise<AgentStream<P>>): Promise<Ending> {
    let outcome: Outcome<AnyProtocol> | undefined;
    let ending: Ending;
    try {
      const stream = await open();
      for await (const { snapshot } of stream) {
        if (!this.isCurrent) {
          return STOPPED;
        }
        this.#latest = snapshot as Snapshots[P]["answer"];
        this.#host.changed(false);
      }
      outcome = (await stream.finished()) as Outcome<AnyProtocol>;
      ending = endingOf(outcome);
    } catch (error) {
      outcome = (Object(error) as { readonly outcome?: Outcome<AnyProtocol> }).outcome;
      ending = endingBy(error);
    }
    this.#latest = undefined;
    if (this.isCurrent && outcome !== undefined) {
      this.#conclude(outcome, ending);
    }
    return ending;
  }

  #conclude({ snapshot, report }: Outcome<AnyProtocol>, { status }: Ending): void {
    const last = snapshot as Snapshots[P]["answer"];
    this.#host.reported(report);
    const changes = isCut(report) ? { isCut: true as const } : {};
    const isShorter =
      this.#shownLength > 0 && status !== "done" && lengthOf(last) < this.#shownLength;
    // A snapshot without a change by the agent is not an answer: the next request repeats the
    // message.
    const isNothing = status === "failed" && isForeign(report) && !this.#host.shows(this.at, last);
    if (isShorter || isNothing) {
      this.#host.patch(this.at, { ...changes, ...(!isShorter && { snapshot: undefined }) });
    } else {
      this.#host.take(this.at, last, changes);
    }
  }
}

/** Returns the length of a snapshot, to compare two of the same answer. */
export function lengthOf(snapshot: unknown): number {
  return snapshot === undefined
    ? 0
    : JSON.stringify(snapshot, (_, value: unknown) =>
        typeof value === "bigint" ? String(value) : value,
      ).length;
}

/** Returns whether a list of a snapshot, or of its task, has become shorter. */
export function hasShorterList(before: object, now: object): boolean {
  return Object.entries(before).some(([name, list]) => {
    const next = (now as { readonly [name: string]: unknown })[name];
    return Array.isArray(list)
      ? Array.isArray(next) && next.length < list.length
      : name === "task" && list !== null && hasShorterList(list as object, Object(next));
  });
}
