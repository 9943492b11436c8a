// The connections that follow the log of a thread.

import { pause } from "../../core/timers.js";
import { cursorNumber, type RunLogEntry, RunSubscription } from "../service.js";
import { Follower, type Piece } from "./follower.js";
import type { FollowedLog } from "./store.js";

/** The maximum number of entries that a follower reads at once. */
const BATCH = 256;
/** The limits of the last entries in memory, which followers read without the store. */
const RECENT = { entries: 1024, characters: 1024 * 1024 };
/**
 * The number of followers that are served before the agent, which runs in the same thread, can
 * continue.
 */
const SLICE = 32;
/**
 * Milliseconds between the beginnings of two rounds: `each` for every follower, and twice the time
 * that the last round took, at most `most`. Many followers then use half of the processor's time,
 * and receive more entries at once.
 */
const GAP = { each: 0.1, most: 1000 };
/**
 * The limits of encoded pieces of the log that followers share: their number, and their bytes
 * together.
 */
const SHARED = { pieces: 64, bytes: 4 * 1024 * 1024 };

const encoder = new TextEncoder();

/** The encoding of entries of the log. */
export interface RunForm {
  /** Two forms with the same name write the same bytes. */
  readonly name: string;
  /**
   * Writes entries of a run that follow a place of the log; `isOver` is set if they include the end
   * of the run.
   */
  write(
    runId: string,
    after: number,
    entries: readonly RunLogEntry[],
  ): { readonly text: string; readonly isOver: boolean };
}

/**
 * The place at which a connection begins, and the number of keep-alives in a row after which it is
 * closed.
 */
export interface FollowedPlace {
  readonly after: number;
  readonly idleLimit: number;
}

/** Returns the form that sends a run as AG-UI events, each with its cursor. */
export function eventForm(generation: string): RunForm {
  return {
    name: `events ${generation}`,
    write(runId, after, entries) {
      const subscription = new RunSubscription({ runId, generation, after, idleLimit: 1 });
      entries.forEach((entry) => subscription.read(entry));
      const written = { text: subscription.flush(), isOver: subscription.end === "terminal" };
      subscription.free();
      return written;
    },
  };
}

/**
 * All connections of one thread. Each is a place in the log, without a queue: a slow connection
 * needs no memory.
 */
export class RunFollowers {
  readonly #store: FollowedLog;
  readonly #keepAliveMs: number;
  readonly #onClose: () => void;
  readonly #all = new Set<Follower>();
  /** The followers that have received everything, and whose clients wait for more. */
  readonly #waiting = new Set<Follower>();
  #wakes: (() => void)[] = [];
  /** The last entries that are stored, without a gap. */
  #recent: RunLogEntry[] = [];
  #characters = 0;
  #durable = 0;
  /**
   * The number of the last entry that this round sends: all followers that it has served are at the
   * same place, and share the next piece.
   */
  #shown = 0;
  #isServing = false;
  /**
   * The pieces that were read in this round, by form, run and place: the last used one is the last,
   * and the last read one is always kept.
   */
  readonly #shared = new Map<string, Piece | Promise<Piece>>();

  /** @param onClose is called when a connection is closed */
  constructor(store: FollowedLog, keepAliveMs: number, onClose: () => void = () => {}) {
    [this.#store, this.#keepAliveMs, this.#onClose] = [store, keepAliveMs, onClose];
  }

  /** The number of connections. */
  get open(): number {
    return this.#all.size;
  }

  /**
   * The number of the last entry that is stored: later ones are not sent. Set it when the log is
   * opened.
   */
  get durable(): number {
    return this.#durable;
  }

  set durable(last: number) {
    [this.#durable, this.#shown] = [last, last];
    this.#shared.clear();
  }

  /** Reports that these entries, and all before them, are stored. */
  published(entries: readonly RunLogEntry[]): void {
    if (entries[0]!.number !== this.#durable + 1) {
      this.reread();
    }
    this.#durable = entries.at(-1)!.number;
    this.#remember(entries);
    this.#changed();
  }

  /** Reports that another process has stored entries up to this one. */
  reached(last: number): void {
    if (last > this.#durable) {
      this.reread();
      this.#durable = last;
      this.#changed();
    }
  }

  #changed(): void {
    this.#wake();
    if (!this.#isServing) {
      void this.#serve();
    }
  }

  /**
   * Sends the entries to all followers that wait for them, in rounds, until they have all entries.
   */
  async #serve(): Promise<void> {
    this.#isServing = true;
    while (this.#shown < this.#durable) {
      const began = Date.now();
      this.#shown = this.#durable;
      this.#shared.clear();
      const waiting = [...this.#waiting];
      for (let at = 0; at < waiting.length; at += SLICE) {
        await Promise.all(
          waiting.slice(at, at + SLICE).flatMap((follower) => follower.advance() ?? []),
        );
        if (waiting.length > SLICE) {
          await pause(0);
        }
      }
      const took = Date.now() - began;
      const gap = Math.max(this.open * GAP.each, Math.min(2 * took, GAP.most)) - took;
      if (gap >= 1) {
        await pause(gap);
      }
    }
    this.#isServing = false;
  }

  #wake(): void {
    this.#wakes.splice(0).forEach((wake) => wake());
  }

  /** Resolves when more entries are stored. */
  more(): Promise<void> {
    return new Promise((resolve) => this.#wakes.push(resolve));
  }

  /**
   * Discards the entries in memory after a rewrite of the log, which keeps its length. The log must
   * have no followers.
   */
  reread(): void {
    [this.#recent, this.#characters] = [[], 0];
    this.#shared.clear();
  }

  /** Closes all connections. Their clients resume. */
  close(): void {
    [...this.#all].forEach((follower) => follower.close());
    this.#wake();
  }

  /**
   * Returns the place of a cursor: 0 without a cursor, undefined if the cursor is not of this log.
   */
  placeOf(cursor: string | null, generation: string): number | undefined {
    const place = cursor === null || cursor === "" ? 0 : cursorNumber(cursor, generation);
    return place === undefined ? undefined : this.placeAt(place);
  }

  /** Returns the place of the log with that number, if it exists. */
  placeAt(place: number): number | undefined {
    return Number.isSafeInteger(place) && place >= 0 && place <= this.durable ? place : undefined;
  }

  /** Returns the bytes of a connection; they are encoded on demand. */
  stream(
    runId: string,
    form: RunForm,
    { after, idleLimit }: FollowedPlace,
    signal: AbortSignal,
  ): ReadableStream<Uint8Array> {
    const follower: Follower = new Follower({
      after,
      idleLimit,
      keepAliveMs: this.#keepAliveMs,
      signal,
      waiting: this.#waiting,
      isCurrent: (place) => place >= this.#shown,
      read: (place) => this.#read(runId, form, place),
      onClose: () => {
        this.#all.delete(follower);
        this.#onClose();
      },
    });
    this.#all.add(follower);
    return follower.stream();
  }

  /** Returns the next piece for a connection. Connections at the same place share it. */
  #read(runId: string, form: RunForm, after: number): Piece | Promise<Piece> {
    const key = `${after} ${form.name} ${runId}`;
    const shared = this.#shared.get(key);
    if (shared !== undefined) {
      this.#shared.delete(key);
      this.#shared.set(key, shared);
      return shared;
    }
    const piece = this.#piece(runId, form, after);
    if (piece instanceof Promise) {
      const kept = (read?: Piece): void =>
        void (this.#shared.get(key) === piece && this.#share(key, read));
      piece.then(kept, () => kept());
    }
    this.#share(key, piece);
    return piece;
  }

  #share(key: string, piece: Piece | Promise<Piece> | undefined): void {
    this.#shared.delete(key);
    if (piece === undefined) {
      return;
    }
    const bytesOf = (piece: Piece | Promise<Piece>): number =>
      piece instanceof Promise ? 0 : piece.bytes.length;
    let bytes = bytesOf(piece);
    this.#shared.forEach((other) => (bytes += bytesOf(other)));
    for (const [oldest, other] of this.#shared) {
      if (this.#shared.size < SHARED.pieces && bytes <= SHARED.bytes) {
        break;
      }
      bytes -= bytesOf(other);
      this.#shared.delete(oldest);
    }
    this.#shared.set(key, piece);
  }

  #piece(runId: string, form: RunForm, after: number): Piece | Promise<Piece> {
    const until = this.#shown;
    const write = (entries: readonly RunLogEntry[]): Piece | Promise<Piece> => {
      const { text, isOver } = form.write(runId, after, entries);
      const piece = {
        bytes: encoder.encode(text),
        last: entries.length < BATCH ? until : entries.at(-1)!.number,
        isOver,
      };
      return entries.length > 0
        ? piece
        : // Another process may have deleted the log: the client resumes, and receives the reason.
          Promise.resolve(this.#store.isGone(runId)).then((isOver) => ({ ...piece, isOver }));
    };
    const entries = this.#entries(runId, after, until);
    return Array.isArray(entries) ? write(entries) : Promise.resolve(entries).then(write);
  }

  #entries(
    runId: string,
    after: number,
    until: number,
  ): RunLogEntry[] | PromiseLike<RunLogEntry[]> {
    const [first] = this.#recent;
    const from = after + 1;
    return first !== undefined && from >= first.number
      ? this.#recent
          .slice(from - first.number, until + 1 - first.number)
          .filter((entry) => entry.runId === runId)
          .slice(0, BATCH)
      : this.#store.read(runId, after, until, BATCH);
  }

  #remember(entries: readonly RunLogEntry[]): void {
    this.#recent.push(...entries);
    this.#characters += entries.reduce((sum, { data }) => sum + data.length, 0);
    let surplus = 0;
    while (
      this.#recent.length - surplus > RECENT.entries ||
      (this.#characters > RECENT.characters && surplus < this.#recent.length)
    ) {
      this.#characters -= this.#recent[surplus++]!.data.length;
    }
    this.#recent.splice(0, surplus);
  }
}
