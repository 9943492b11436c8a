// The store in Redis, for several processes. The entries of a log are a stream.

import { optionalPackage } from "../core/optional_package.js";
import {
  type ListedLog,
  type LogEntry,
  type LogHead,
  type LogPage,
  type LogQuery,
  type LogStore,
  watchedName,
} from "./log_store.js";
import { type SharedStoreOptions, leaseOf } from "./shared_options.js";
import { refuseOld } from "./sql_store.js";
import { Opened, answered } from "./store_error.js";

/** The used part of a client of the package `redis`. */
export interface RedisClient {
  readonly isOpen: boolean;
  connect(): Promise<unknown>;
  sendCommand(command: string[]): Promise<unknown>;
  duplicate(): RedisClient;
  subscribe(channel: string, listener: (message: string) => void): Promise<unknown>;
  unsubscribe(channel: string, listener: (message: string) => void): Promise<unknown>;
  on(event: "error" | "ready", listener: () => void): unknown;
  destroy(): void;
}

/** A store in Redis. */
export interface RedisStore extends LogStore {
  readonly leaseMs: number;
  /** Ends the connections, of a client that was passed only the one that receives reports. */
  close(): Promise<void>;
}

/** See `agentwire/stores`. */
export function redisStore(
  database: string | RedisClient,
  options: SharedStoreOptions = {},
): RedisStore {
  return new Redis(database, leaseOf("redisStore()", options));
}

/**
 * The keys: `log:<name>` (hash) has the head and the last position of a log, `entries:<name>`
 * (stream) its entries by position, `label:<label>` (sorted set) the logs of a list by place, `due`
 * (sorted set) those with work to do. A script is atomic. It receives the name of the log, and the
 * channel and the process of the report.
 */
const COMMON = `
local call, log, channel, process = redis.call, ARGV[1], ARGV[2], ARGV[3]
local head, entries = 'agentwire:log:' .. log, 'agentwire:entries:' .. log
local function unlist()
  local label = call('HGET', head, 'label')
  if label then call('ZREM', 'agentwire:label:' .. label, log) end
  call('ZREM', 'agentwire:due', log)
end`;
/** the last position, label, place, place of work or nothing, data, position and text of each entry */
const APPEND = `${COMMON}
if (call('HGET', head, 'last') or '0') ~= ARGV[4] then return 0 end
for at = 9, #ARGV, 2 do call('XADD', entries, ARGV[at] .. '-0', 't', ARGV[at + 1]) end
local last = #ARGV > 8 and ARGV[#ARGV - 1] or ARGV[4]
if call('HGET', head, 'lists') ~= ARGV[5] .. ' ' .. ARGV[6] .. ' ' .. ARGV[7] then
  unlist()
  call('DEL', head)
  call('HSET', head, 'at', ARGV[6], 'lists', ARGV[5] .. ' ' .. ARGV[6] .. ' ' .. ARGV[7])
  if ARGV[5] ~= '' then
    call('HSET', head, 'label', ARGV[5])
    call('ZADD', 'agentwire:label:' .. ARGV[5], ARGV[6], log)
  end
  if ARGV[7] ~= '' then
    call('HSET', head, 'due', ARGV[7])
    call('ZADD', 'agentwire:due', ARGV[7], log)
  end
end
call('HSET', head, 'last', last, 'data', ARGV[8])
call('PUBLISH', channel, process)
return 1`;
/** the position, the number of entries */
const READ = `${COMMON}
local found = call('HMGET', head, 'last', 'label', 'at', 'due', 'data')
if found[1] and ARGV[5] ~= '0' then
  found[6] = call('XRANGE', entries, '(' .. ARGV[4] .. '-0', '+', 'COUNT', ARGV[5])
end
return found`;
/** the last position, or nothing */
const DELETE = `${COMMON}
if ARGV[4] ~= '' and call('HGET', head, 'last') ~= ARGV[4] then return end
unlist()
call('DEL', head, entries)
call('PUBLISH', channel, process)`;
/** The heads of the logs after the first two values. */
const HEADS = `
local found = {}
for at, log in ipairs(ARGV) do found[at] = redis.call('HMGET', 'agentwire:log:' .. log, 'last', 'label', 'at', 'due', 'data') end
return found`;

class Redis implements RedisStore {
  readonly leaseMs: number;
  /** The name of this process in reports. */
  readonly #process = crypto.randomUUID();
  readonly #database: string | RedisClient;
  readonly #client = new Opened(() => this.#open());
  readonly #reports = new Opened(() => this.#report());
  readonly #watching = new Set<() => void>();

  constructor(database: string | RedisClient, leaseMs: number) {
    [this.#database, this.leaseMs] = [database, leaseMs];
  }

  async append(
    log: string,
    after: number,
    entries: readonly LogEntry[],
    { label = "", at, due, data }: LogHead,
  ): Promise<boolean> {
    const head = [String(after), label, String(at), due === undefined ? "" : String(due), data];
    const added = entries.flatMap(({ position, text }) => [String(position), text]);
    return (await this.#run(APPEND, log, ...head, ...added)) === 1;
  }

  async read(log: string, after: number, limit: number): Promise<LogPage> {
    const found = (await this.#run(READ, log, String(after), String(limit))) as Found;
    const head = headIn(found);
    const entries = (found[5] ?? []).map(([id, [, text]]) => ({
      position: Number.parseInt(id),
      text: text!,
    }));
    return { head, last: Number(found[0] ?? 0), entries };
  }

  async list(query: LogQuery): Promise<ListedLog[]> {
    const isLabel = "label" in query;
    const key = isLabel ? `agentwire:label:${query.label}` : "agentwire:due";
    const { after, limit } = query;
    const place = after && (isLabel ? after.head.at : (after.head.due ?? 0));
    const from = place ?? (isLabel ? "+inf" : "-inf");
    const to = isLabel ? "-inf" : query.due === Infinity ? "+inf" : query.due;
    const names: string[] = [];
    // Logs with the same place are in the order of their names.
    for (let offset = 0; names.length < limit; offset += limit) {
      const order = isLabel ? ["REV"] : [];
      const range = ["ZRANGE", key, String(from), String(to), "BYSCORE", ...order];
      const page = (await this.#command(
        ...range,
        "LIMIT",
        String(offset),
        String(limit),
        "WITHSCORES",
      )) as string[] | [string, number][];
      const pairs = pairsIn(page);
      const later = pairs.filter(
        ([name, score]) =>
          after === undefined ||
          Number(score) !== place ||
          (isLabel ? name < after.log : name > after.log),
      );
      names.push(...later.map(([name]) => name));
      if (pairs.length < limit) {
        break;
      }
    }
    const heads =
      names.length === 0 ? [] : ((await this.#command("EVAL", HEADS, "0", ...names)) as Found[]);
    return names.slice(0, limit).flatMap((log, at) => {
      const head = headIn(heads[at]!);
      return head === undefined ? [] : [{ log, head }];
    });
  }

  async delete(log: string, last?: number): Promise<void> {
    await this.#run(DELETE, log, last === undefined ? "" : String(last));
  }

  /** Calls `changed` after a change by another process, and when changes may have been missed. */
  async watch(name: string, changed: () => void): Promise<() => void> {
    const channel = channelOf(name);
    const listener = (process: string): void => void (process !== this.#process && changed());
    const reports = await this.#reports.get();
    await answered(reports.subscribe(channel, listener));
    this.#watching.add(changed);
    return () => {
      this.#watching.delete(changed);
      void Promise.resolve(reports.unsubscribe(channel, listener)).catch(() => {});
    };
  }

  async close(): Promise<void> {
    (await this.#reports.present)?.destroy();
    if (typeof this.#database === "string") {
      (await this.#client.present)?.destroy();
    }
  }

  /** Runs a script for a log. */
  #run(script: string, log: string, ...values: string[]): Promise<unknown> {
    const channel = channelOf(watchedName(log));
    return this.#command("EVAL", script, "0", log, channel, this.#process, ...values);
  }

  async #command(...command: string[]): Promise<unknown> {
    const client = await this.#client.get();
    return answered(client.sendCommand(command));
  }

  async #open(): Promise<RedisClient> {
    let client = this.#database;
    if (typeof client === "string") {
      const { createClient } = await optionalPackage<{
        createClient(options: object): RedisClient;
      }>("redis", "redisStore()");
      // The client connects again; meanwhile commands fail at once, so that requests are refused
      // instead of waiting.
      client = createClient({ url: client, disableOfflineQueue: true });
      // An error without a listener would end the process.
      client.on("error", () => {});
    }
    if (!client.isOpen) {
      await answered(client.connect());
    }
    refuseOld(
      (await answered(client.sendCommand(["EXISTS", "agentwire:latest"]))) === 1,
      "redisStore()",
    );
    return client;
  }

  async #report(): Promise<RedisClient> {
    const client = (await this.#client.get()).duplicate();
    client.on("error", () => {});
    await client.connect();
    // After a loss of the connection, the client subscribes again.
    client.on("ready", () => this.#watching.forEach((changed) => changed()));
    return client;
  }
}

/** The answer of a script: the last position, label, place, place of work, data and entries. */
type Found = readonly [
  last: string | null,
  label: string | null,
  at: string,
  due: string | null,
  data: string,
  entries?: readonly (readonly [id: string, fields: readonly string[]])[],
];

function headIn([last, label, at, due, data]: Found): LogHead | undefined {
  return last === null
    ? undefined
    : {
        at: Number(at),
        data,
        ...(label !== null && { label }),
        ...(due !== null && { due: Number(due) }),
      };
}

/** Returns the members and scores of an answer: a flat list, or in version 3 of the protocol pairs. */
function pairsIn(
  page: readonly (string | readonly [string, number])[],
): (readonly [string, string | number])[] {
  return typeof page[0] === "string"
    ? Array.from({ length: page.length / 2 }, (_, at) => [
        page[2 * at] as string,
        page[2 * at + 1] as string,
      ])
    : (page as [string, number][]);
}

function channelOf(name: string): string {
  return `agentwire:changed:${name}`;
}
