// The records of the log of a thread, and the index that is made from them.

import type { LogEntry, LogHead } from "../../stores/log_store.js";
import { textsIn } from "./run_log.js";
import type { StoredRun } from "./store.js";

/** A message in the index: its number, role, id and calls. */
export type IndexedMessage = readonly [seq: number, role: string, id: string, ...calls: string[]];

/** A run in the log of the thread. */
export interface RunRecord extends StoredRun {
  readonly owner: string;
  readonly base: string;
  readonly key: string | null;
  /** The name of its log. */
  readonly log: string;
  /** The number of the event before its first one, and the message before its first one. */
  readonly before: number;
  readonly seq: number;
  readonly messages: readonly IndexedMessage[];
  /** The messages of its answer, and their time, after its end. */
  readonly answer?: readonly IndexedMessage[];
  readonly ended?: number;
  /** The number of bytes of its events, after its end. */
  readonly bytes: number;
}

/** A record of the log of a thread: a run, a change of one, or the deletion of the thread. */
export type ThreadRecord =
  | { readonly run: RunRecord }
  | { readonly change: number; readonly to: Partial<RunRecord> }
  | { readonly isDeleted: true };

/** The state of a thread in memory. */
export class ThreadIndex {
  readonly generation: string;
  /** The list of the threads of the owner. */
  readonly label: string | undefined;
  /** The position of the last record. */
  last = 0;
  isDeleted = false;
  readonly runs: RunRecord[] = [];
  readonly numbers = new Map<string, number>();
  readonly keys = new Map<string, number>();
  readonly messages: { readonly seq: number; readonly at: number }[] = [];
  /** The places in `messages` of those with a role and an id. */
  readonly places = new Map<string, number[]>();
  readonly calls = new Set<string>();
  /** Parts of a large record. */
  #parts: LogEntry[] = [];

  constructor(generation: string, label: string | undefined) {
    [this.generation, this.label] = [generation, label];
  }

  /** The active run: only the last one can be. */
  get active(): RunRecord | undefined {
    const run = this.runs.at(-1);
    return run?.status === "queued" || run?.status === "running" ? run : undefined;
  }

  /** The number of the last message. */
  get seq(): number {
    return this.messages.at(-1)?.seq ?? 0;
  }

  take(entry: LogEntry): void {
    if (entry.position <= this.last) {
      return;
    }
    this.last = entry.position;
    this.#parts.push(entry);
    const [record] = textsIn(this.#parts);
    if (record !== undefined) {
      this.#parts = [];
      this.#apply(JSON.parse(record.text) as ThreadRecord);
    }
  }

  #apply(record: ThreadRecord): void {
    if ("run" in record) {
      const { run } = record;
      this.numbers.set(run.runId, this.runs.length);
      if (run.key !== null) {
        this.keys.set(run.key, this.runs.length);
      }
      this.runs.push(run);
      this.#add(run.messages, run.at);
    } else if ("change" in record) {
      this.runs[record.change] = { ...this.runs[record.change]!, ...record.to };
      this.#add(record.to.answer ?? [], record.to.ended ?? 0);
    } else {
      this.isDeleted = true;
    }
  }

  #add(messages: readonly IndexedMessage[], at: number): void {
    for (const [seq, role, id, ...calls] of messages) {
      const name = `${role} ${id}`;
      this.places.set(name, [...(this.places.get(name) ?? []), this.messages.length]);
      this.messages.push({ seq, at });
      calls.forEach((call) => this.calls.add(call));
    }
  }

  /** Returns the head of the log after a change. */
  head(record: ThreadRecord): LogHead {
    if ("isDeleted" in record) {
      return { at: 0, due: 0, data: JSON.stringify({ generation: this.generation }) };
    }
    const changed = "change" in record ? record.change : -1;
    const runs = this.runs.map((run, at) =>
      at === changed ? { ...run, ...(record as { to: Partial<RunRecord> }).to } : run,
    );
    if ("run" in record) {
      runs.push(record.run);
    }
    const latest = runs.at(-1)!;
    const isActive = latest.status === "queued" || latest.status === "running";
    const whole = runs.find(({ status, isShort }) => status === "ended" && !isShort);
    const data = { generation: this.generation, ...(isActive && { by: latest.by }) };
    return {
      label: this.label,
      at: latest.at,
      due: isActive ? 0 : whole?.at,
      data: JSON.stringify(data),
    };
  }
}
