// One thread in a store. The log of the thread has a record of each change of its runs, from which
// an index in memory is made. Each run has a log of its own, and the thread one of its messages.
//
// No operation needs two logs at once: the log of a run is written before the record that names it,
// and its end before the record of the end, which every process that opens the thread repairs. A
// record is appended after the one that was read last, so changes of two processes exclude each
// other.

import type { LogEntry, LogHead, LogStore } from "../../stores/log_store.js";
import type { RunLogEntry } from "../service.js";
import type { Processes } from "./processes.js";
import {
  type BatchedEvent,
  batches,
  entriesAfter,
  entriesOfText,
  eventsIn,
  positionOf,
  textsIn,
} from "./run_log.js";
import { threadsLabel } from "./labels.js";
import {
  type IndexedMessage,
  type RunRecord,
  ThreadIndex,
  type ThreadRecord,
} from "./thread_index.js";
import {
  type DrivenLog,
  type FollowedLog,
  type HistoryPage,
  type LatestMessages,
  type NewEvent,
  type NewRun,
  type NewStoredMessage,
  type StoredMessage,
  type StoredRun,
  type ThreadState,
  callsIn,
  dayOf,
} from "./store.js";

/** The present end of the log of an active run. */
interface RunEnd {
  /** The number of the last event, and the position of the last entry. */
  last: number;
  position: number;
  bytes: number;
  terminal: number | null;
}

/** The state that the head of a run's log has. */
type RunHead = Pick<RunEnd, "last" | "bytes" | "terminal">;

/** The number of entries that are read at once, and of messages. */
const PAGE = 64;
const MESSAGES = 32;
/** The number of characters below which the next read asks for more entries. */
const SMALL = 64 * 1024;
const MOST = 1024;

const encoder = new TextEncoder();

/** Returns an error of a write by a process that does not drive the run any more. */
function notHeld(threadId: string): Error {
  return new Error(`another process works on the thread ${threadId}, or the thread was deleted`);
}

/** One thread. */
export class ThreadLog implements DrivenLog, FollowedLog {
  readonly #store: LogStore;
  readonly #id: string;
  readonly #processes: Processes | undefined;
  #index: ThreadIndex | undefined;
  /** Whether the index is known to be that of the store, because no other process writes to it. */
  #isFresh = false;
  /** The end of the log of the active run, by its name. */
  #end: (RunEnd & { readonly log: string }) | undefined;
  /** The input that was read last, by the name of its log. */
  #input: { readonly log: string; readonly text: Promise<RequestText> } | undefined;

  constructor(store: LogStore, threadId: string, processes?: Processes) {
    [this.#store, this.#id, this.#processes] = [store, threadId, processes];
  }

  /** Whether several processes use the store. */
  get isShared(): boolean {
    return this.#processes !== undefined;
  }

  /**
   * Reads the thread; undefined before its first run. The other methods that only read use what was
   * read last.
   */
  async state(): Promise<ThreadState | undefined> {
    const index = await this.#read();
    if (index === undefined) {
      return undefined;
    }
    const run = index.runs.at(-1)!;
    const { owner, base } = run;
    const end = index.active && (await this.#endOf(index.active));
    return {
      owner,
      base,
      generation: index.generation,
      last: end?.last ?? run.terminal ?? run.before,
      bytes: index.runs.reduce((sum, { bytes }) => sum + bytes, end?.bytes ?? 0),
    };
  }

  /** Returns the run of that id. */
  run(runId: string): StoredRun | undefined {
    return this.#run(runId);
  }

  /** Returns the run that was created with that idempotency key. */
  runOfKey(key: string): StoredRun | undefined {
    const index = this.#index;
    return index?.runs[index.keys.get(key) ?? -1];
  }

  /** Returns the run that is queued or running: at most one. */
  active(): StoredRun | undefined {
    return this.#index?.active;
  }

  /** Returns the runs that have ended and have a log, the oldest first. */
  ended(): StoredRun[] {
    return this.#index?.runs.filter(({ status }) => status === "ended") ?? [];
  }

  /**
   * Returns the body of the request of a run; empty when its log was shortened or has expired.
   */
  async input(runId: string): Promise<string> {
    const run = this.#run(runId);
    return run === undefined || run.isShort || run.status === "expired"
      ? ""
      : (await this.#request(run)).input;
  }

  /** Returns whether this process may drive the active run: no other living process does. */
  async mayDrive(): Promise<boolean> {
    const run = this.#index?.active;
    return run === undefined || this.#processes === undefined
      ? true
      : !(await this.#processes.isAlive(run.by)) || run.by === this.#processes.id;
  }

  /**
   * Returns whether the run does not exist, or another process has driven it last. A run of this
   * process whose end another one has recorded is not taken.
   */
  isTaken(runId: string): boolean {
    return this.#run(runId)?.by !== (this.#processes?.id ?? "");
  }

  /**
   * Stores a queued run with its messages, and the thread with its first run. Returns false,
   * without a change, if the thread has another owner, the id or the key exists, or a run is
   * active.
   */
  async addRun({ messages, input, ...run }: NewRun): Promise<boolean> {
    await this.#processes?.taken();
    const label = run.owner === "" ? undefined : await threadsLabel(run.owner);
    for (;;) {
      const index = await this.#read();
      const last = index?.last ?? 0;
      const latest = index?.runs.at(-1);
      if (
        (latest?.owner ?? run.owner) !== run.owner ||
        index?.active !== undefined ||
        index?.numbers.has(run.runId) ||
        (run.key !== null && index?.keys.has(run.key))
      ) {
        return false;
      }
      const before = latest?.terminal ?? latest?.before ?? 0;
      const log = `${this.#id}/${crypto.randomUUID()}`;
      const seq = index?.seq ?? 0;
      const record = {
        ...run,
        status: "queued",
        by: this.#processes?.id ?? "",
        created: index === undefined,
        cancelled: false,
        attempts: 0,
        terminal: null,
        isShort: false,
        log,
        before,
        seq,
        messages: indexed(messages, seq),
        bytes: 0,
      } satisfies RunRecord;
      const request = JSON.stringify({ input, messages } satisfies RequestText);
      const head: RunHead = { last: before, bytes: 0, terminal: null };
      const entries = entriesOfText(request, before + 1);
      // Until its first event, the log is in the list of those with work to do: if this process is
      // killed before the record, the log is found.
      await this.#store.append(log, 0, entries, { ...headOf(head), due: run.at });
      const into =
        index ?? new ThreadIndex(crypto.randomUUID().replaceAll("-", "").slice(0, 8), label);
      if (await this.#append(into, last, { run: record })) {
        this.#end = { ...head, log, position: entries.at(-1)!.position };
        return true;
      }
      await this.#store.delete(log);
    }
  }

  /**
   * Makes this process the one that drives the run: sets the status to running, which counts as an
   * attempt, or back to queued. Throws if another living process drives it.
   */
  async setStatus(runId: string, status: "queued" | "running"): Promise<void> {
    await this.#processes?.taken();
    const by = this.#processes?.id ?? "";
    const isChanged = await this.#change(runId, async (run) => {
      if (run !== this.#index?.active || !(await this.mayDrive())) {
        return undefined;
      }
      if (run.by !== by) {
        // The other process may have written until now.
        this.#end = undefined;
      }
      return { status, by, attempts: run.attempts + (status === "running" ? 1 : 0) };
    });
    if (!isChanged) {
      throw notHeld(this.#id);
    }
  }

  /** Marks the run as cancelled. */
  async setCancelled(runId: string): Promise<void> {
    await this.#change(runId, ({ cancelled, terminal }) =>
      cancelled || terminal !== null ? undefined : { cancelled: true },
    );
  }

  /** Throws if another process has written to the run. */
  async append(
    runId: string,
    events: readonly NewEvent[],
    messages?: readonly NewStoredMessage[],
  ): Promise<number> {
    const run = this.#index?.active;
    if (run?.runId !== runId) {
      throw notHeld(this.#id);
    }
    const end = await this.#endOf(run);
    if (end.terminal !== null) {
      throw notHeld(this.#id);
    }
    const entries = batches(end.last, events);
    const last = end.last + events.length;
    if (messages !== undefined) {
      entries.push(...textsAfter(positionOf(last), messages));
    }
    const bytes = end.bytes + events.reduce((sum, { data }) => sum + bytesOf(data), 0);
    const next = { last, bytes, terminal: messages === undefined ? null : last };
    const position = entries.at(-1)!.position;
    if (!(await this.#write(run.log, end.position, entries, headOf(next)))) {
      throw notHeld(this.#id);
    }
    Object.assign(end, { ...next, position });
    if (messages !== undefined) {
      await this.#settle(run, last, bytes, messages);
    }
    return last;
  }

  async read(runId: string, after: number, until: number, limit: number): Promise<RunLogEntry[]> {
    const found: RunLogEntry[] = [];
    const run = this.#run(runId);
    if (run === undefined || run.status === "expired") {
      return found;
    }
    let place = Math.max(after, run.before);
    for (let count = 16; place < until; ) {
      const { entries, last } = await this.#store.read(run.log, positionOf(place), count);
      if (last === 0) {
        // Another process has shortened the log, or deleted it.
        await this.#read();
        return this.#run(runId)?.log === run.log ? found : this.read(runId, after, until, limit);
      }
      let size = 0;
      for (const entry of entries) {
        const events = entriesAfter(
          place,
          eventsIn(entry, runId).filter(({ number }) => number > place && number <= until),
        );
        size += entry.text.length;
        for (const event of events) {
          found.push(event);
        }
        place = events.at(-1)?.number ?? place;
      }
      if (found.length >= limit || entries.length < count) {
        break;
      }
      place = Math.max(place, entries.at(-1)!.position - positionOf(0));
      count = size < SMALL ? Math.min(2 * count, MOST) : count;
    }
    return found;
  }

  async isGone(runId: string): Promise<boolean> {
    await this.#read();
    const run = this.#run(runId);
    return run === undefined || run.status === "expired";
  }

  /** Replaces the log of a run that has ended, and clears its input. */
  async shorten(runId: string, events: readonly BatchedEvent[]): Promise<void> {
    const run = this.#run(runId);
    if (run === undefined) {
      return;
    }
    const log = `${this.#id}/${crypto.randomUUID()}`;
    const entries = batches(run.before, events);
    const bytes = events.reduce(
      (sum, { data, pieces }) => sum + bytesOf(data) + (pieces ? JSON.stringify(pieces).length : 0),
      0,
    );
    const head = headOf({ last: run.terminal ?? run.before, bytes, terminal: run.terminal });
    for (let at = 0; at < entries.length; at += PAGE) {
      const after = at === 0 ? 0 : entries[at - 1]!.position;
      await this.#store.append(log, after, entries.slice(at, at + PAGE), head);
    }
    const isShorter = await this.#change(runId, ({ status, isShort }) =>
      status === "ended" && !isShort ? { log, bytes, isShort: true } : undefined,
    );
    await this.#store.delete(isShorter ? run.log : log);
  }

  /** Deletes the log and the input of a run that has ended. Its record and its messages stay. */
  async expire(runId: string): Promise<void> {
    const run = this.#run(runId);
    if (run !== undefined) {
      await this.#change(runId, ({ status }) =>
        status === "ended" ? { status: "expired", bytes: 0 } : undefined,
      );
      await this.#store.delete(run.log);
    }
  }

  /** Returns the messages of that id and role, as the agent receives them. */
  async messagesOf(id: string, role: string): Promise<string[]> {
    const index = this.#index;
    const places = index?.places.get(`${role} ${id}`) ?? [];
    const found = await Promise.all(places.map((at) => this.#messages(index!, at, at + 1)));
    return found.flat().map(({ message }) => message);
  }

  /** Returns whether there is a message of that id and role. */
  hasMessage(id: string, role: string): boolean {
    return this.#index?.places.has(`${role} ${id}`) ?? false;
  }

  /** Returns whether a message of the assistant has the tool call of that id. */
  hasCall(callId: string): boolean {
    return this.#index?.calls.has(callId) ?? false;
  }

  /**
   * Returns the latest messages as the agent receives them, in their order, with at most `limit`
   * characters.
   */
  async latestMessages(limit: number): Promise<LatestMessages> {
    const latest: string[] = [];
    let size = 0;
    for await (const { message } of this.#backwards(Infinity, "")) {
      size += message.length;
      if (size > limit) {
        return { messages: latest.reverse(), isCut: true };
      }
      latest.push(message);
    }
    return { messages: latest.reverse(), isCut: false };
  }

  /**
   * Returns the shown messages with numbers below `beforeSeq`, of the latest day before `before`
   * that has any. If the day has more than `limit` characters, returns the latest messages that
   * fit, at least one.
   */
  async history(before: string, beforeSeq: number, limit: number): Promise<HistoryPage> {
    let day: string | null = null;
    let size = 0;
    const messages: StoredMessage[] = [];
    for await (const { message: _, isShown, ...shown } of this.#backwards(beforeSeq, before)) {
      const own = dayOf(shown.at);
      // Messages are in the order of their days, unless the clocks of processes differ.
      if (!isShown || own >= before || (day !== null && own > day)) {
        continue;
      }
      day ??= own;
      size += shown.content.length + shown.extra.length;
      if (own < day) {
        return { day, hasMore: true, messages: messages.reverse() };
      }
      if (messages.length > 0 && size > limit) {
        messages.reverse();
        return { day, hasMore: true, messages, beforeSeq: messages[0]!.seq };
      }
      messages.push(shown);
    }
    return { day, hasMore: false, messages: messages.reverse() };
  }

  /** Deletes the log of a run without a record, because the process was killed before it. */
  async removeUnrecorded(log: string): Promise<void> {
    const index = await this.#read();
    if (!index?.runs.some((run) => run.log === log)) {
      await this.#store.delete(log);
    }
  }

  /** Deletes everything. */
  async delete(): Promise<void> {
    for (;;) {
      const index = await this.#read();
      if (index === undefined) {
        return;
      }
      if (await this.#append(index, index.last, { isDeleted: true })) {
        return this.#remove(index);
      }
    }
  }

  /**
   * Calls `changed` after changes by other processes. Resolves when they are reported, with a
   * function that ends it.
   */
  async watch(changed: () => void): Promise<() => void> {
    return (await this.#store.watch?.(this.#id, changed)) ?? (() => {});
  }

  /** Deletes the logs of a thread whose deletion is recorded; the one with the record is the last. */
  async #remove(index: ThreadIndex): Promise<void> {
    for (const log of [...index.runs.map(({ log }) => log), messagesLog(this.#id, index)]) {
      await this.#store.delete(log);
    }
    await this.#store.delete(this.#id, index.last);
    if (this.#index === index) {
      [this.#index, this.#end, this.#isFresh] = [undefined, undefined, false];
    }
  }

  #run(runId: string): RunRecord | undefined {
    const index = this.#index;
    return index?.runs[index.numbers.get(runId) ?? -1];
  }

  /** Reads the records that other processes have added, and finishes what one has left undone. */
  async #read(): Promise<ThreadIndex | undefined> {
    if (this.#isFresh) {
      return this.#index;
    }
    for (;;) {
      let index = this.#index;
      const { head, entries } = await this.#store.read(this.#id, index?.last ?? 0, PAGE);
      if (head === undefined) {
        [this.#index, this.#end] = [undefined, undefined];
        return undefined;
      }
      const { generation } = JSON.parse(head.data) as { readonly generation: string };
      if (index !== undefined && index.generation !== generation) {
        // The thread was deleted, and created again.
        [this.#index, this.#end] = [undefined, undefined];
        continue;
      }
      if (index === undefined) {
        this.#index = index = new ThreadIndex(generation, head.label);
      }
      entries.forEach((entry) => index.take(entry));
      if (entries.length === PAGE) {
        continue;
      }
      if (index.isDeleted) {
        await this.#remove(index);
        continue;
      }
      if (index.active !== undefined && (await this.#repair(index.active))) {
        continue;
      }
      this.#isFresh = this.#processes === undefined;
      return index;
    }
  }

  /** Records the end of a run that has one; returns whether it has. */
  async #repair(run: RunRecord): Promise<boolean> {
    const { terminal, bytes } = await this.#endOf(run);
    if (terminal === null) {
      return false;
    }
    const texts: LogEntry[] = [];
    for (let after = positionOf(terminal); ; after = texts.at(-1)!.position) {
      const { entries } = await this.#store.read(run.log, after, PAGE);
      texts.push(...entries);
      if (entries.length < PAGE) {
        break;
      }
    }
    const messages = textsIn(texts).map(({ text }) => JSON.parse(text) as NewStoredMessage);
    await this.#settle(run, terminal, bytes, messages);
    return true;
  }

  /** Copies the messages of a run that has ended, and records its end. */
  async #settle(
    run: RunRecord,
    terminal: number,
    bytes: number,
    answer: readonly NewStoredMessage[],
  ): Promise<void> {
    const index = this.#index!;
    const request = run.messages.length === 0 ? [] : (await this.#request(run)).messages;
    const entries = textsAfter(run.seq, [...request, ...answer]);
    if (entries.length > 0) {
      // False if another process was faster.
      const head = { at: 0, data: "" };
      await this.#write(messagesLog(this.#id, index), run.seq, entries, head);
    }
    const seq = run.messages.at(-1)?.[0] ?? run.seq;
    await this.#change(run.runId, ({ status }) =>
      status === "ended" || status === "expired"
        ? undefined
        : {
            status: "ended",
            terminal,
            bytes,
            answer: indexed(answer, seq),
            ended: answer[0]?.at ?? run.at,
          },
    );
  }

  /** Returns the end of the log of an active run. */
  async #endOf(run: RunRecord): Promise<RunEnd> {
    if (this.#end?.log === run.log && !this.isTaken(run.runId)) {
      return this.#end;
    }
    const { head, last: position } = await this.#store.read(run.log, 0, 0);
    if (head === undefined) {
      return { last: run.before, position: 0, bytes: 0, terminal: null };
    }
    const end = { ...(JSON.parse(head.data) as RunHead), log: run.log, position };
    this.#end = end;
    return end;
  }

  /** Reads the request of a run, and its messages. */
  #request(run: RunRecord): Promise<RequestText> {
    if (this.#input?.log !== run.log) {
      const read = async (): Promise<RequestText> => {
        const entries = (await this.#store.read(run.log, 0, positionOf(0))).entries;
        const [text] = textsIn(
          entries.filter(({ position }) => position <= positionOf(run.before)),
        );
        return text === undefined
          ? { input: "", messages: [] }
          : (JSON.parse(text.text) as RequestText);
      };
      const text = read();
      this.#input = { log: run.log, text };
      text.catch(() => (this.#input = undefined));
    }
    return this.#input!.text;
  }

  /**
   * Changes a run, after the changes of other processes; returns false if the run does not exist,
   * or `to` returns undefined.
   */
  async #change(
    runId: string,
    to: (
      run: RunRecord,
    ) => Partial<RunRecord> | undefined | Promise<Partial<RunRecord> | undefined>,
  ): Promise<boolean> {
    for (;;) {
      const index = this.#index;
      const last = index?.last ?? 0;
      const change = index?.numbers.get(runId);
      const changed = change === undefined ? undefined : await to(index!.runs[change]!);
      if (changed === undefined) {
        return false;
      }
      if (await this.#append(index!, last, { change: change!, to: changed })) {
        return true;
      }
      await this.#read();
    }
  }

  /** Appends a record after the last one that was read; returns false if there is another one. */
  async #append(index: ThreadIndex, last: number, record: ThreadRecord): Promise<boolean> {
    // The positions of a thread that was deleted are below those of the next one with its name.
    const position = last === 0 ? Date.now() * 1000 : last + 1;
    const entries = entriesOfText(JSON.stringify(record), position);
    if (index.last !== last || !(await this.#write(this.#id, last, entries, index.head(record)))) {
      return false;
    }
    entries.forEach((entry) => index.take(entry));
    if (this.#index === undefined) {
      [this.#index, this.#isFresh] = [index, this.#processes === undefined];
    }
    return true;
  }

  /** Appends to a log; the thread is read again after a failure. */
  async #write(
    log: string,
    after: number,
    entries: readonly LogEntry[],
    head: LogHead,
  ): Promise<boolean> {
    try {
      const isWritten = await this.#store.append(log, after, entries, head);
      this.#isFresh &&= isWritten;
      return isWritten;
    } catch (error) {
      [this.#isFresh, this.#end] = [false, undefined];
      throw error;
    }
  }

  /** Returns the messages from one place of the index to another. */
  async #messages(
    index: ThreadIndex,
    from: number,
    to: number,
  ): Promise<(NewStoredMessage & StoredMessage)[]> {
    const begin = index.messages[from - 1]?.seq ?? 0;
    const end = index.messages[to - 1]!.seq;
    const { entries } = await this.#store.read(messagesLog(this.#id, index), begin, end - begin);
    const run = index.active;
    // Those of the active run are not copied yet.
    const own =
      run !== undefined && end > run.seq
        ? textsAfter(run.seq, (await this.#request(run)).messages)
        : [];
    return textsIn([
      ...entries.filter(({ position }) => position <= Math.min(end, run?.seq ?? end)),
      ...own.filter(({ position }) => position > begin && position <= end),
    ]).map(({ position, text }) => ({ seq: position, ...(JSON.parse(text) as NewStoredMessage) }));
  }

  /**
   * Yields the messages with numbers below `beforeSeq` and days before `before`, if that is given,
   * the latest first.
   */
  async *#backwards(
    beforeSeq: number,
    before: string,
  ): AsyncGenerator<NewStoredMessage & StoredMessage, void, undefined> {
    const index = this.#index;
    if (index === undefined) {
      return;
    }
    let end = index.messages.length;
    while (
      end > 0 &&
      (index.messages[end - 1]!.seq >= beforeSeq ||
        (before !== "" && dayOf(index.messages[end - 1]!.at) >= before))
    ) {
      end--;
    }
    while (end > 0) {
      const begin = Math.max(0, end - MESSAGES);
      yield* (await this.#messages(index, begin, end)).reverse();
      end = begin;
    }
  }
}

/** The first entry of the log of a run. */
interface RequestText {
  readonly input: string;
  readonly messages: readonly NewStoredMessage[];
}

function headOf(head: RunHead): LogHead {
  return { at: 0, data: JSON.stringify(head) };
}

function messagesLog(threadId: string, { generation }: ThreadIndex): string {
  return `${threadId}/${generation}/messages`;
}

/** Returns messages as entries after a position. */
function textsAfter(position: number, messages: readonly NewStoredMessage[]): LogEntry[] {
  const entries: LogEntry[] = [];
  for (const message of messages) {
    entries.push(
      ...entriesOfText(JSON.stringify(message), (entries.at(-1)?.position ?? position) + 1),
    );
  }
  return entries;
}

/** Returns messages for the index: the number of each is the position of its last entry. */
function indexed(messages: readonly NewStoredMessage[], seq: number): IndexedMessage[] {
  let last = seq;
  return messages.map((one) => {
    last += entriesOfText(JSON.stringify(one), 0).length;
    return [last, one.role, one.id, ...callsIn(one.role, one.message)];
  });
}

/** Returns the number of bytes of a text in UTF-8. */
function bytesOf(text: string): number {
  return encoder.encode(text).length;
}
