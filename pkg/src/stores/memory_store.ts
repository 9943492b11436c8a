// The store in memory: for tests, and for services that may lose everything.

import type { ListedLog, LogEntry, LogHead, LogPage, LogQuery, LogStore } from "./log_store.js";

/** Returns a store in memory. */
export function memoryStore(): LogStore {
  return new MemoryStore();
}

interface MemoryLog {
  head: LogHead;
  readonly entries: LogEntry[];
}

class MemoryStore implements LogStore {
  readonly #logs = new Map<string, MemoryLog>();
  /** The logs that have a label or work to do: those that a list can have. */
  readonly #listed = new Map<string, MemoryLog>();

  append(log: string, after: number, entries: readonly LogEntry[], head: LogHead): boolean {
    const known = this.#logs.get(log) ?? { head, entries: [] };
    if (lastOf(known) !== after) {
      return false;
    }
    for (const entry of entries) {
      known.entries.push(entry);
    }
    known.head = head;
    this.#logs.set(log, known);
    if (head.label === undefined && head.due === undefined) {
      this.#listed.delete(log);
    } else {
      this.#listed.set(log, known);
    }
    return true;
  }

  read(log: string, after: number, limit: number): LogPage {
    const known = this.#logs.get(log);
    if (known === undefined) {
      return { last: 0, entries: [] };
    }
    const { head, entries } = known;
    let [from, to] = [0, entries.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (entries[middle]!.position > after) {
        to = middle;
      } else {
        from = middle + 1;
      }
    }
    return { head, last: lastOf(known), entries: entries.slice(from, from + limit) };
  }

  list(query: LogQuery): ListedLog[] {
    const isIn = ({ head }: ListedLog): boolean =>
      "label" in query
        ? head.label === query.label
        : head.due !== undefined && head.due <= query.due;
    const found = Array.from(this.#listed, ([log, { head }]) => ({ log, head })).filter(isIn);
    const order = orderOf(query);
    const { after } = query;
    return found
      .filter((one) => after === undefined || order(one, after) > 0)
      .sort(order)
      .slice(0, query.limit);
  }

  delete(log: string, last?: number): void {
    const known = this.#logs.get(log);
    if (known !== undefined && (last === undefined || lastOf(known) === last)) {
      this.#logs.delete(log);
      this.#listed.delete(log);
    }
  }
}

function lastOf({ entries }: MemoryLog): number {
  return entries.at(-1)?.position ?? 0;
}

/** Returns the function that compares two logs of a list. */
function orderOf(query: LogQuery): (one: ListedLog, other: ListedLog) => number {
  const byName = (one: ListedLog, other: ListedLog): number =>
    one.log < other.log ? -1 : one.log > other.log ? 1 : 0;
  return "label" in query
    ? (one, other) => other.head.at - one.head.at || byName(other, one)
    : (one, other) => one.head.due! - other.head.due! || byName(one, other);
}
