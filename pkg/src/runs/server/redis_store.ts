// The store in Redis, for several processes. Logs are streams.

import { handlerStore } from "./handler_service.js";
import type { HandlerStore } from "../../server/service.js";
import type { RunLogEntry } from "../service.js";
import { optionalPackage } from "./optional_package.js";
import * as scripts from "./redis_scripts.js";
import { entriesAfter } from "./retention.js";
import {
  Lease,
  Opened,
  type SharedStoreOptions,
  answered,
  escaped,
  notHeld,
  unescaped,
} from "./shared_store.js";
import {
  type CountKind,
  type EndedRun,
  type HistoryPage,
  type JoinedEvent,
  type NewEvent,
  type NewStoredMessage,
  type NewRun,
  type RunStatus,
  type RunsStore,
  type StoredMessage,
  type StoredRun,
  type ThreadState,
  type ThreadStore,
  VALID,
  callsIn,
  dayOf,
} from "./store.js";
import { original, storable } from "./texts.js";

/** The prefix of all keys. */
const PREFIX = "agentwire";
/** The number of messages that are read at once. */
const PAGE = 32;

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
export interface RedisStore extends RunsStore {
  readonly leaseMs: number;
  /** Ends the connections, of a client that was passed only the one that receives reports. */
  close(): Promise<void>;
}

/**
 * Returns a store in Redis 7 or later, which several processes use: a run continues in the process
 * that has accepted it, its followers connect to any process, and if the process is killed another
 * one ends its run. Keys have the prefix `agentwire:`.
 *
 * With an address it needs the package `redis`, which is an optional peer dependency; instead of
 * the address, pass a client of it. Data are as durable as Redis is configured: with
 * `appendonly yes` they survive the process of Redis, with `appendfsync always` also its machine.
 * They must not be evicted (`maxmemory-policy noeviction`). The keys of a thread are in one script,
 * so Redis Cluster is not supported.
 *
 * @throws AgentwireError `wrong-option`
 */
export function redisStore(
  database: string | RedisClient,
  options: SharedStoreOptions = {},
): RedisStore & HandlerStore {
  return handlerStore(new Redis(database, options));
}

class Redis implements RedisStore {
  readonly leaseMs: number;
  readonly lease: Lease;
  /** The name of this process. */
  readonly #process = crypto.randomUUID();
  readonly #database: string | RedisClient;
  readonly #client = new Opened(() => this.#open());
  readonly #reports = new Opened(() => this.#report());
  readonly #watching = new Set<() => void>();

  constructor(database: string | RedisClient, options: SharedStoreOptions) {
    this.#database = database;
    this.lease = new Lease("redisStore()", options, (ms) =>
      this.command("SET", `${PREFIX}:process:${this.#process}`, "1", "PX", String(ms)),
    );
    this.leaseMs = this.lease.ms;
  }

  thread(threadId: string): ThreadStore {
    return new RedisThread(this, threadId);
  }

  async latestThread(user: string): Promise<string | undefined> {
    const thread = (await this.command("HGET", `${PREFIX}:latest`, escaped(user))) as string | null;
    return thread === null ? undefined : unescaped(thread);
  }

  async setLatestThread(user: string, threadId: string): Promise<void> {
    await this.command("HSET", `${PREFIX}:latest`, escaped(user), escaped(threadId));
  }

  async count(user: string, kind: CountKind, threadId: string, count: number): Promise<number> {
    return (await this.run(scripts.COUNT, threadId, escaped(user), kind, count, VALID)) as number;
  }

  async setTask(user: string, threadId: string, task: string | null): Promise<void> {
    const [key, thread] = [`${PREFIX}:tasks:${escaped(user)}`, escaped(threadId)];
    await (task === null
      ? this.command("HDEL", key, thread)
      : this.command("HSET", key, thread, task));
  }

  async tasks(user: string): Promise<[threadId: string, task: string][]> {
    // Pairs, or in version 3 of its protocol an object.
    const found = (await this.command("HGETALL", `${PREFIX}:tasks:${escaped(user)}`)) as
      | string[]
      | Readonly<Record<string, string>>;
    const pairs = Array.isArray(found)
      ? Array.from({ length: found.length / 2 }, (_, at): [string, string] => [
          found[2 * at]!,
          found[2 * at + 1]!,
        ])
      : Object.entries(found);
    return pairs.map(([thread, task]) => [unescaped(thread), task]);
  }

  async due(time: number): Promise<string[]> {
    // The process that has accepted a run starts it.
    return ((await this.run(scripts.DUE, "", Date.now() - this.leaseMs, time)) as string[]).map(
      unescaped,
    );
  }

  async command(...command: string[]): Promise<unknown> {
    const client = await this.#client.get();
    return answered(client.sendCommand(command));
  }

  /** Runs a script. */
  run(script: string, threadId: string, ...values: (string | number)[]): Promise<unknown> {
    const thread = escaped(threadId);
    return this.command(
      "EVAL",
      script,
      "0",
      PREFIX,
      `${PREFIX}:thread:${thread}`,
      this.#process,
      thread,
      ...values.map(String),
    );
  }

  /** Calls `changed` after a change by another process, and when changes may have been missed. */
  async watch(threadId: string, changed: () => void): Promise<() => void> {
    const channel = `${PREFIX}:changed:${escaped(threadId)}`;
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
    this.lease.close();
    (await this.#reports.present)?.destroy();
    if (typeof this.#database === "string") {
      (await this.#client.present)?.destroy();
    }
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

/** One thread. */
class RedisThread implements ThreadStore {
  readonly #store: Redis;
  readonly #id: string;
  /** The prefix of its keys. */
  readonly #keys: string;

  constructor(store: Redis, threadId: string) {
    [this.#store, this.#id, this.#keys] = [
      store,
      threadId,
      `${PREFIX}:thread:${escaped(threadId)}`,
    ];
  }

  async state(): Promise<ThreadState | undefined> {
    const [owner, generation, base, last, bytes] = (await this.#store.command(
      "HMGET",
      this.#keys,
      "owner",
      "generation",
      "base",
      "last",
      "bytes",
    )) as string[];
    return owner == null
      ? undefined
      : {
          owner: unescaped(owner),
          generation: generation!,
          base: base!,
          last: Number(last),
          bytes: Number(bytes),
        };
  }

  async run(runId: string): Promise<StoredRun | undefined> {
    return runOf(await this.#run(scripts.RUN, escaped(runId)));
  }

  async runOfKey(key: string): Promise<StoredRun | undefined> {
    return runOf(await this.#run(scripts.RUN_OF_KEY, escaped(key)));
  }

  async active(): Promise<StoredRun | undefined> {
    return runOf(await this.#run(scripts.ACTIVE));
  }

  async addRun({
    owner,
    base,
    key,
    messages,
    runId,
    taskId,
    hash,
    input,
    at,
  }: NewRun): Promise<boolean> {
    const names = [
      escaped(owner),
      crypto.randomUUID().slice(0, 8),
      base,
      escaped(runId),
      escaped(key ?? ""),
    ];
    return (
      (await this.#run(scripts.ADD_RUN, ...names, taskId, hash, input, at, ...flat(messages))) === 1
    );
  }

  async setStatus(runId: string, status: "queued" | "running"): Promise<void> {
    this.#held(
      await this.#run(scripts.SET_STATUS, escaped(runId), status, status === "running" ? 1 : 0),
    );
  }

  async setCancelled(runId: string): Promise<void> {
    await this.#run(scripts.SET_CANCELLED, escaped(runId));
  }

  async append(
    runId: string,
    events: readonly NewEvent[],
    messages?: readonly NewStoredMessage[],
  ): Promise<number> {
    const pairs = events.flatMap(({ kind, data }) => [kind, storable(data)]);
    return this.#held(
      await this.#run(
        scripts.APPEND,
        escaped(runId),
        messages === undefined ? 0 : 1,
        events.length,
        ...pairs,
        ...flat(messages ?? []),
      ),
    );
  }

  async read(runId: string, after: number, until: number, limit: number): Promise<RunLogEntry[]> {
    const log = `${this.#keys}:log:${escaped(runId)}`;
    const found = (await this.#store.command(
      "XRANGE",
      log,
      `(${after}-0`,
      String(until),
      "COUNT",
      String(limit),
    )) as [id: string, fields: string[]][];
    const entries = found.map(([id, [, kind, , data, , pieces]]) => ({
      number: Number.parseInt(id),
      runId,
      kind: kind!,
      data: original(data!),
      pieces: pieces || null,
    }));
    return entriesAfter(after, entries);
  }

  async ended(): Promise<EndedRun[]> {
    const runs = (await this.#run(scripts.ENDED)) as [runId: string, at: string, short: string][];
    return runs.map(([runId, at, short]) => ({
      runId: unescaped(runId),
      at: Number(at),
      isShort: short === "1",
    }));
  }

  async shorten(runId: string, events: readonly JoinedEvent[]): Promise<void> {
    const values = events.flatMap(({ number, kind, data, pieces }) => [
      number,
      kind,
      storable(data),
      pieces ?? "",
    ]);
    this.#held(await this.#run(scripts.REPLACE, escaped(runId), "short", 1, ...values));
  }

  async expire(runId: string): Promise<void> {
    this.#held(await this.#run(scripts.REPLACE, escaped(runId), "status", "expired"));
  }

  async messagesOf(id: string, role: string): Promise<string[]> {
    const found = (await this.#run(scripts.MESSAGES_OF, `${role} ${escaped(id)}`)) as string[];
    return found.map((message) => (JSON.parse(message) as NewStoredMessage).message);
  }

  async hasCall(callId: string): Promise<boolean> {
    return (await this.#store.command("SISMEMBER", `${this.#keys}:calls`, escaped(callId))) === 1;
  }

  async latestMessages(limit: number): Promise<string[]> {
    const latest: string[] = [];
    let size = 0;
    for await (const { message } of this.#backwards(Infinity)) {
      size += message.length;
      if (size > limit) {
        break;
      }
      latest.push(message);
    }
    return latest.reverse();
  }

  async history(before: string, beforeSeq: number, limit: number): Promise<HistoryPage> {
    let day: string | null = null;
    let size = 0;
    const messages: StoredMessage[] = [];
    for await (const { message: _, isShown, ...shown } of this.#backwards(beforeSeq - 1)) {
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

  async delete(): Promise<void> {
    await this.#run(scripts.DELETE);
  }

  async hold(): Promise<boolean> {
    await this.#store.lease.taken();
    return (await this.#run(scripts.HOLD)) === 1;
  }

  async release(): Promise<void> {
    await this.#run(scripts.RELEASE);
  }

  watch(changed: () => void): Promise<() => void> {
    return this.#store.watch(this.#id, changed);
  }

  #run(script: string, ...values: (string | number)[]): Promise<unknown> {
    return this.#store.run(script, this.#id, ...values);
  }

  /** Returns the result of a script; throws if it is 0. */
  #held(result: unknown): number {
    if (result === 0) {
      throw notHeld(this.#id);
    }
    return result as number;
  }

  /** Yields the messages with numbers up to `last`, the latest first. */
  async *#backwards(
    last: number,
  ): AsyncGenerator<NewStoredMessage & StoredMessage, void, undefined> {
    const key = `${this.#keys}:messages`;
    let end = Math.min(last, (await this.#store.command("LLEN", key)) as number);
    while (end > 0) {
      const begin = Math.max(0, end - PAGE);
      const page = (await this.#store.command(
        "LRANGE",
        key,
        String(begin),
        String(end - 1),
      )) as string[];
      for (const [at, message] of [...page.entries()].reverse()) {
        yield { seq: begin + at + 1, ...(JSON.parse(message) as NewStoredMessage) };
      }
      end = begin;
    }
  }
}

/**
 * Returns messages as values of a script: the role and the id, the message, and the ids of its
 * calls after their number.
 */
function flat(messages: readonly NewStoredMessage[]): (string | number)[] {
  return messages.flatMap((message) => {
    const calls = callsIn(message.role, message.message).map(escaped);
    return [
      `${message.role} ${escaped(message.id)}`,
      JSON.stringify(message),
      calls.length,
      ...calls,
    ];
  });
}

function runOf(found: unknown): StoredRun | undefined {
  const [runId, status, taskId, hash, input, created, cancelled, attempts, terminal, at, short] =
    (found ?? []) as string[];
  if (status == null) {
    return undefined;
  }
  return {
    runId: unescaped(runId!),
    taskId: taskId!,
    status: status as RunStatus,
    hash: hash!,
    input: input!,
    created: created === "1",
    cancelled: cancelled === "1",
    attempts: Number(attempts),
    terminal: terminal === "" ? null : Number(terminal),
    at: Number(at),
    isShort: short === "1",
  };
}
