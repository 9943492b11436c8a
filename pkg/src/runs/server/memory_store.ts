// The store in memory: for tests, and for services that may lose everything.

import { handlerStore } from "./handler_service.js";
import type { HandlerStore } from "../../server/service.js";
import type { RunLogEntry } from "../service.js";
import { type JoinedEntry, joinedAfter } from "./retention.js";
import {
  type CountKind,
  Counts,
  type HistoryPage,
  type JoinedEvent,
  type NewEvent,
  type NewStoredMessage,
  type NewRun,
  type RunsStore,
  type StoredMessage,
  type StoredRun,
  type ThreadState,
  type ThreadStore,
  callsIn,
  dayOf,
  latestOf,
} from "./store.js";

const encoder = new TextEncoder();

/** Returns a store in memory. */
export function memoryStore(): RunsStore & HandlerStore {
  return handlerStore(new MemoryStore());
}

class MemoryStore implements RunsStore {
  readonly #threads = new Map<string, MemoryThread>();
  readonly #latest = new Map<string, string>();
  readonly #counts = new Counts();
  readonly #tasks = new Map<string, Map<string, string>>();

  thread(threadId: string): ThreadStore {
    let thread = this.#threads.get(threadId);
    if (thread === undefined) {
      thread = new MemoryThread(
        () => void this.#threads.set(threadId, thread!),
        () => void this.#threads.delete(threadId),
      );
    }
    return thread;
  }

  latestThread(user: string): string | undefined {
    return this.#latest.get(user);
  }

  setLatestThread(user: string, threadId: string): void {
    this.#latest.set(user, threadId);
  }

  count(user: string, kind: CountKind, threadId: string, count: number): number {
    return this.#counts.set(user, kind, threadId, count, Date.now(), Infinity);
  }

  setTask(user: string, threadId: string, task: string | null): void {
    const tasks = this.#tasks.get(user) ?? new Map<string, string>();
    if (task === null) {
      tasks.delete(threadId);
    } else {
      tasks.set(threadId, task);
    }
    if (tasks.size === 0) {
      this.#tasks.delete(user);
    } else {
      this.#tasks.set(user, tasks);
    }
  }

  tasks(user: string): [threadId: string, task: string][] {
    return [...(this.#tasks.get(user) ?? [])];
  }

  due(time: number): string[] {
    return [...this.#threads].flatMap(([id, thread]) => (thread.isDue(time) ? [id] : []));
  }
}

type Changing<T> = { -readonly [K in keyof T]: T[K] };
interface MemoryRun extends Changing<StoredRun> {
  readonly key: string | null;
  events: (JoinedEntry & { readonly bytes: number })[];
}

class MemoryThread implements ThreadStore {
  #state: Changing<ThreadState> | undefined;
  readonly #runs = new Map<string, MemoryRun>();
  #active: MemoryRun | undefined;
  #messages: (StoredMessage & NewStoredMessage)[] = [];
  readonly #added: () => void;
  readonly #deleted: () => void;

  constructor(added: () => void, deleted: () => void) {
    [this.#added, this.#deleted] = [added, deleted];
  }

  isDue(time: number): boolean {
    return (
      this.active() !== undefined || this.ended().some(({ at, isShort }) => !isShort && at < time)
    );
  }

  state(): ThreadState | undefined {
    return this.#state && { ...this.#state };
  }

  run(runId: string): StoredRun | undefined {
    return this.#runs.get(runId);
  }

  runOfKey(key: string): StoredRun | undefined {
    return [...this.#runs.values()].find((run) => run.key === key);
  }

  active(): StoredRun | undefined {
    return this.#active;
  }

  addRun({ owner, base, messages, ...run }: NewRun): boolean {
    if (
      (this.#state?.owner ?? owner) !== owner ||
      this.active() !== undefined ||
      this.run(run.runId) !== undefined ||
      (run.key !== null && this.runOfKey(run.key) !== undefined)
    ) {
      return false;
    }
    const created = this.#state === undefined;
    this.#state ??= { owner, base, generation: crypto.randomUUID().slice(0, 8), last: 0, bytes: 0 };
    this.#state.base = base;
    this.#active = {
      ...run,
      status: "queued",
      created,
      cancelled: false,
      attempts: 0,
      terminal: null,
      isShort: false,
      events: [],
    };
    this.#runs.set(run.runId, this.#active);
    this.#addMessages(messages);
    this.#added();
    return true;
  }

  setStatus(runId: string, status: "queued" | "running"): void {
    const run = this.#runs.get(runId)!;
    run.status = status;
    run.attempts += status === "running" ? 1 : 0;
  }

  setCancelled(runId: string): void {
    this.#runs.get(runId)!.cancelled = true;
  }

  append(
    runId: string,
    events: readonly NewEvent[],
    messages?: readonly NewStoredMessage[],
  ): number {
    const run = this.#runs.get(runId)!;
    const state = this.#state!;
    for (const { kind, data } of events) {
      const bytes = encoder.encode(data).length;
      run.events.push({ number: ++state.last, runId, kind, data, pieces: null, bytes });
      state.bytes += bytes;
    }
    if (messages !== undefined) {
      [run.status, run.terminal, this.#active] = ["ended", state.last, undefined];
      this.#addMessages(messages);
    }
    return state.last;
  }

  read(runId: string, after: number, until: number, limit: number): RunLogEntry[] {
    const { events } = this.#runs.get(runId)!;
    let [from, to] = [0, events.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (events[middle]!.number > after) {
        to = middle;
      } else {
        from = middle + 1;
      }
    }
    const found = events.slice(from, from + limit).filter(({ number }) => number <= until);
    return found.map((entry, at) =>
      at === 0 && entry.pieces !== null ? joinedAfter(entry, entry.pieces, after) : entry,
    );
  }

  ended(): StoredRun[] {
    return [...this.#runs.values()]
      .filter(({ status }) => status === "ended")
      .sort((one, other) => one.terminal! - other.terminal!);
  }

  shorten(runId: string, events: readonly JoinedEvent[]): void {
    const run = this.#runs.get(runId)!;
    const stored = events.map((event) => ({
      ...event,
      runId,
      bytes: encoder.encode(event.data + (event.pieces ?? "")).length,
    }));
    this.#replace(run, stored);
    run.isShort = true;
  }

  expire(runId: string): void {
    const run = this.#runs.get(runId)!;
    this.#replace(run, []);
    run.status = "expired";
  }

  #replace(run: MemoryRun, events: MemoryRun["events"]): void {
    const sizeOf = (events: MemoryRun["events"]): number =>
      events.reduce((sum, { bytes }) => sum + bytes, 0);
    this.#state!.bytes += sizeOf(events) - sizeOf(run.events);
    [run.events, run.input] = [events, ""];
  }

  #addMessages(messages: readonly NewStoredMessage[]): void {
    messages.forEach((message) =>
      this.#messages.push({ ...message, seq: this.#messages.length + 1 }),
    );
  }

  messagesOf(id: string, role: string): string[] {
    return this.#messages
      .filter((one) => one.id === id && one.role === role)
      .map(({ message }) => message);
  }

  hasCall(callId: string): boolean {
    return this.#messages.some(({ role, message }) => callsIn(role, message).includes(callId));
  }

  latestMessages(limit: number): string[] {
    return latestOf(
      backwards(this.#messages),
      limit,
      ({ message }) => message.length,
      0,
    ).values.map(({ message }) => message);
  }

  history(before: string, beforeSeq: number, limit: number): HistoryPage {
    const all = this.#messages.filter(
      ({ isShown, at, seq }) => isShown && dayOf(at) < before && seq < beforeSeq,
    );
    const day = all.reduce<string | null>(
      (latest, { at }) => (latest === null || dayOf(at) > latest ? dayOf(at) : latest),
      null,
    );
    const ofDay = all.filter(({ at }) => dayOf(at) === day);
    const { values: messages, isCut } = latestOf(
      backwards(ofDay),
      limit,
      ({ content, extra }) => content.length + extra.length,
      1,
    );
    const hasMore = all.some((message) => message.seq < (messages[0]?.seq ?? 0));
    return { day, hasMore, messages, ...(isCut && { beforeSeq: messages[0]!.seq }) };
  }

  delete(): void {
    [this.#state, this.#active] = [undefined, undefined];
    this.#runs.clear();
    this.#messages = [];
    this.#deleted();
  }
}

/** Yields the values, the last one first. */
function* backwards<T>(values: readonly T[]): Generator<T, void, undefined> {
  for (let at = values.length; at > 0; ) {
    yield values[--at]!;
  }
}
