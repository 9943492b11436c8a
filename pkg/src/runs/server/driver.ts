// Drives one run: receives the agent's events, stores them in batches, and publishes those that are
// stored.

import { unref } from "../../core/timers.js";
import { observeWork } from "../../http/context.js";
import { runErrorEvent, RunWriter } from "../service.js";
import type { RunFollowers } from "./followers.js";
import type { Awaitable } from "../../stores/log_store.js";
import type { DrivenLog, NewEvent, NewStoredMessage } from "./store.js";

/** The limits of a batch: the number of events, bytes, and milliseconds before it is stored. */
const EVENTS = 128;
const BYTES = 64 * 1024;
const AGE = 10;
/** Milliseconds within which an agent must end after its signal was aborted. */
const ABORT_TIMEOUT_MS = 5000;
/** The maximum number of bytes of one event: a row in a Durable Object has less than 2 MB. */
const MAX_EVENT_BYTES = 1_900_000;

/** The limits of the events that an agent sends while a batch is being stored. */
const AHEAD = { events: 1024, characters: 512 * 1024 };
/**
 * The number of batches after which a driver waits for a timer; it waits for a turn of the event
 * loop after the others, which takes less than a millisecond.
 */
const TURNS = 4;

const encoder = new TextEncoder();

/** Resolves in another turn of the event loop, or after a timer. */
function nextTurn(isTimer: boolean): Promise<void> {
  const { setImmediate } = globalThis as { setImmediate?: (work: () => void) => unknown };
  return new Promise((resolve) => {
    if (isTimer || setImmediate === undefined) {
      setTimeout(resolve);
    } else {
      setImmediate(resolve);
    }
  });
}

/** The reason why a run was ended from outside. */
export interface RunFailure {
  readonly code: string;
  readonly message: string;
}

const LATE: RunFailure = { code: "AGENT_TIMEOUT", message: "the run took too long" };
const CANCELLED: RunFailure = { code: "AGENT_RUN_CANCELLED", message: "the run was cancelled" };
const AGENT_FAILURE: RunFailure = { code: "AGENT_FAILED", message: "the agent has failed" };
const TRUNCATED: RunFailure = {
  code: "AGENT_TRUNCATED",
  message: "the agent has stopped before its end",
};
export const INTERRUPTED: RunFailure = {
  code: "AGENT_RUN_INTERRUPTED",
  message: "the run was interrupted",
};

/** The rules for the entries of a run's log, and for its end. */
export interface RunScript {
  /** Receives the next entry, and returns its kind; throws if the entry is not allowed here. */
  append(data: string): string;
  /** Whether the end was received. */
  readonly isOver: boolean;
  /**
   * Returns the entries that end the run: because of a failure, or because the agent `hasEnded`
   * without the end, possibly after it was cancelled. `flush` stores the entries so far.
   */
  ending(
    failure: RunFailure | undefined,
    hasEnded: boolean,
    flush: () => Promise<void>,
  ): Awaitable<readonly string[]>;
  free?(): void;
}

/** A run whose log has AG-UI events, from RUN_STARTED to the terminal event. */
export class EventScript implements RunScript {
  readonly #started: string;
  readonly #writer: RunWriter;
  #hasBegun: boolean;

  /** @param hasBegun whether the log has the beginning already */
  constructor(threadId: string, runId: string, hasBegun = false) {
    this.#started = JSON.stringify({ type: "RUN_STARTED", threadId, runId });
    this.#writer = new RunWriter(runId, hasBegun);
    this.#hasBegun = hasBegun;
  }

  append(data: string): string {
    const kind = this.#writer.append(data);
    this.#hasBegun = true;
    return kind;
  }

  get isOver(): boolean {
    return this.#writer.isOver;
  }

  ending({ code, message }: RunFailure = TRUNCATED): readonly string[] {
    const error = runErrorEvent(code, message);
    return this.#hasBegun ? [error] : [this.#started, error];
  }

  free(): void {
    this.#writer.free();
  }
}

/** Returns the entries that end a run with a failure. */
export async function endingOf(script: RunScript, failure: RunFailure): Promise<NewEvent[]> {
  return (await script.ending(failure, false, async () => {})).map((data) => ({
    kind: script.append(data),
    data,
  }));
}

/** The parts of a run that is driven. */
export interface RunDriverOptions {
  readonly store: DrivenLog;
  readonly followers: Pick<RunFollowers, "published">;
  readonly runId: string;
  readonly script: RunScript;
  /**
   * Returns the messages that are stored with the end; `latest` are the entries that are stored
   * with them. None by default.
   */
  readonly messages?:
    | ((latest: readonly NewEvent[]) => Promise<readonly NewStoredMessage[]>)
    | undefined;
  /** Receives the errors of the agent, which clients do not receive. */
  readonly onError: (error: unknown) => void;
}

/** One run that is in progress. */
export class RunDriver {
  readonly #options: RunDriverOptions;
  readonly #script: RunScript;
  readonly #controller = new AbortController();
  #batch: NewEvent[] = [];
  #bytes = 0;
  #isStoring = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #overdue: ReturnType<typeof setTimeout> | undefined;
  /** Whether later events of the agent are ignored. */
  #isOver = false;
  #isAbandoned = false;
  /** Whether the agent has ended, or has not ended within 5 seconds after it was asked to stop. */
  hasLeft = false;
  /** Resolves when the agent has left. */
  readonly left: Promise<void>;
  #leave!: () => void;
  /** The writes in progress; each waits for the previous one. */
  #storing: Promise<void> = Promise.resolve();
  /** Rejects when a batch cannot be stored. */
  readonly #broken: Promise<never>;
  #break!: (error: unknown) => void;

  constructor(options: RunDriverOptions) {
    [this.#options, this.#script] = [options, options.script];
    this.#broken = new Promise((_, reject) => (this.#break = reject));
    this.#broken.catch(() => {});
    this.left = new Promise((resolve) => {
      this.#leave = () => {
        this.hasLeft = true;
        clearTimeout(this.#overdue);
        resolve();
      };
    });
  }

  /** Aborts the agent's signal. */
  cancel(): void {
    this.#controller.abort(new DOMException("the run was cancelled", "AbortError"));
  }

  /** Stops without an end: another process, or a new object of the thread, recovers the run. */
  abandon(): void {
    [this.#isOver, this.#isAbandoned] = [true, true];
    this.#controller.abort();
  }

  /** Resolves when the end is stored; rejects if the store fails. */
  async drive(
    agent: (signal: AbortSignal) => AsyncIterable<string>,
    timeoutMs: number,
  ): Promise<void> {
    const { signal } = this.#controller;
    const timer = setTimeout(() => this.#controller.abort(LATE), timeoutMs);
    const overdue = new Promise<"left">((resolve) => {
      const wait = (): void => {
        this.#overdue = this.hasLeft
          ? undefined
          : setTimeout(() => {
              resolve("left");
              this.#leave();
            }, ABORT_TIMEOUT_MS);
      };
      if (signal.aborted) {
        wait();
      } else {
        signal.addEventListener("abort", wait, { once: true });
      }
    });
    const worked = observeWork(signal);
    try {
      const following = this.#follow(agent(signal));
      // The error of an agent that was abandoned is ignored.
      following
        .catch(() => {})
        .then(worked)
        .then(this.#leave);
      const how = await Promise.race([following, overdue, this.#broken]);
      await this.#end(this.#stopped, how === "ended");
    } catch (error) {
      if (!signal.aborted) {
        this.#options.onError(error);
      }
      await this.#end(this.#stopped ?? AGENT_FAILURE, false);
    } finally {
      clearTimeout(timer);
      // After an error of the store: the agent must not continue without a log.
      this.#controller.abort();
      unref(this.#overdue);
      await this.#store().finally(() => this.#script.free?.());
    }
  }

  /** The reason for which the agent was asked to stop. */
  get #stopped(): RunFailure | undefined {
    const { aborted, reason } = this.#controller.signal;
    return !aborted ? undefined : reason === LATE ? LATE : CANCELLED;
  }

  /**
   * Receives the events until the end. Stops reading an agent that continues for a whole batch
   * after its signal was aborted.
   */
  async #follow(source: AsyncIterable<string>): Promise<"ended" | "left"> {
    let wasAborted = false;
    let [turns, events, characters] = [0, 0, 0];
    for await (const event of source) {
      // An agent that was abandoned may yield later.
      if (this.#isOver) {
        break;
      }
      this.#take(event);
      if (this.#script.isOver) {
        break;
      }
      events++;
      characters += event.length;
      if (events >= EVENTS || characters >= BYTES) {
        [events, characters] = [0, 0];
        // An agent that never waits would keep timers and requests from running.
        const turn = nextTurn(++turns % TURNS === 0);
        if (!this.#isStoring) {
          this.#store().catch(this.#break);
        }
        await turn;
        if (this.#batch.length >= AHEAD.events || this.#bytes >= AHEAD.characters) {
          await this.#store();
        }
        if (wasAborted) {
          return "left";
        }
        wasAborted = this.#controller.signal.aborted;
      }
    }
    return "ended";
  }

  #take(data: string): void {
    // A character has three bytes at most.
    if (data.length * 3 > MAX_EVENT_BYTES && encoder.encode(data).length > MAX_EVENT_BYTES) {
      throw new RangeError(`the agent has sent an event of more than ${MAX_EVENT_BYTES} bytes`);
    }
    this.#batch.push({ kind: this.#script.append(data), data });
    this.#bytes += data.length;
    this.#timer ??= setTimeout(() => void this.#store().catch(this.#break), AGE);
  }

  async #end(failure: RunFailure | undefined, hasEnded: boolean): Promise<void> {
    this.#isOver = true;
    if (!this.#script.isOver && !this.#isAbandoned) {
      const ending = await this.#script.ending(failure, hasEnded, () => this.#store());
      ending.forEach((data) => this.#take(data));
    }
  }

  /** Stores the batch, and publishes it when it is stored. */
  #store(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const { store, followers, runId, messages } = this.#options;
    this.#storing = this.#storing.then(async () => {
      const batch = this.#batch;
      if (batch.length === 0 || this.#isAbandoned) {
        return;
      }
      [this.#batch, this.#bytes, this.#isStoring] = [[], 0, true];
      // The end is the last entry, so it is in this batch.
      const isLast = this.#script.isOver;
      const last = await store.append(
        runId,
        batch,
        isLast ? ((await messages?.(batch)) ?? []) : undefined,
      );
      this.#isStoring = false;
      const first = last - batch.length + 1;
      followers.published(batch.map((stored, at) => ({ number: first + at, runId, ...stored })));
    });
    return this.#storing;
  }
}
