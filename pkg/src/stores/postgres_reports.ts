// Reports of changes between the processes of a store in Postgres, by LISTEN and NOTIFY.

import { pause } from "../core/timers.js";
import { answered } from "./store_error.js";

/** The used part of a connection of the package `pg`. */
export interface PostgresClient {
  query(
    text: string,
    values?: readonly unknown[],
  ): Promise<{ readonly rows: Record<string, unknown>[] }>;
  on(
    event: "notification",
    listener: (message: {
      readonly channel: string;
      readonly payload?: string | undefined;
    }) => void,
  ): unknown;
  on(event: "error" | "end", listener: () => void): unknown;
  /** Returns the connection to its pool; closes it after an error. */
  release(error?: Error | boolean): void;
}

/** The used part of a pool of the package `pg`. */
export interface PostgresPool {
  query(
    text: string,
    values?: readonly unknown[],
  ): Promise<{ readonly rows: Record<string, unknown>[] }>;
  connect(): Promise<PostgresClient>;
  end(): Promise<unknown>;
}

/** The used part of a handle of the package `postgres`. */
export interface PostgresHandle {
  unsafe(query: string, values?: unknown[]): Promise<Record<string, unknown>[]>;
  begin<T>(work: (handle: Pick<PostgresHandle, "unsafe">) => Promise<T>): Promise<unknown>;
  listen(
    channel: string,
    listener: (payload: string) => void,
    ready?: () => void,
  ): Promise<{ unlisten(): Promise<void> }>;
  end(): Promise<unknown>;
}

/** Milliseconds before a lost connection is opened again. */
const RECONNECT_MS = 500;

/**
 * The reports of one process. They are sent apart from the transactions that they report:
 * transactions with NOTIFY commit one after the other, in the whole server. If a process is killed
 * in between, what it has left undone is finished by another, which reports it.
 */
export class PostgresReports {
  readonly #process: string;
  readonly #pool: () => Promise<PostgresPool>;
  readonly #watching = new Map<string, Set<() => void>>();
  /** The channels of changes that are not sent yet. */
  readonly #changed = new Set<string>();
  #isSending = false;
  #connecting: Promise<PostgresClient> | undefined;
  /** Resolves when the last statement is answered. */
  #answered: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(process: string, pool: () => Promise<PostgresPool>) {
    [this.#process, this.#pool] = [process, pool];
  }

  /** Reports a change to the other processes, without waiting for it. */
  send(name: string): void {
    this.#changed.add(channelOf(name));
    if (!this.#isSending) {
      this.#isSending = true;
      void this.#send().finally(() => (this.#isSending = false));
    }
  }

  async #send(): Promise<void> {
    while (this.#changed.size > 0 && !this.#isClosed) {
      const channels = [...this.#changed];
      this.#changed.clear();
      try {
        await this.#execute("SELECT pg_notify(channel, $2) FROM unnest($1::text[]) AS channel", [
          channels,
          this.#process,
        ]);
      } catch {
        channels.forEach((channel) => this.#changed.add(channel));
        await pause(RECONNECT_MS);
      }
    }
  }

  /** Calls `changed` after a change by another process, and when changes may have been missed. */
  async watch(name: string, changed: () => void): Promise<() => void> {
    const channel = channelOf(name);
    const watching = this.#watching.get(channel) ?? new Set();
    this.#watching.set(channel, watching.add(changed));
    const end = (): void => {
      watching.delete(changed);
      if (watching.size === 0 && this.#watching.get(channel) === watching) {
        this.#watching.delete(channel);
        // The channels of a lost connection are not opened again.
        if (this.#connecting !== undefined) {
          this.#execute(`UNLISTEN ${quoted(channel)}`).catch(() => {});
        }
      }
    };
    try {
      await answered(this.#execute(`LISTEN ${quoted(channel)}`));
    } catch (error) {
      end();
      throw error;
    }
    return end;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const client = await this.#connecting?.catch(() => undefined);
    this.#connecting = undefined;
    client?.release(true);
  }

  /** Executes a statement after those before it: the connection takes one at a time. */
  #execute(text: string, values?: readonly unknown[]): Promise<unknown> {
    const answer = this.#answered.then(async () => (await this.#client()).query(text, values));
    this.#answered = answer.catch(() => {});
    return answer;
  }

  #client(): Promise<PostgresClient> {
    return (this.#connecting ??= this.#connect());
  }

  #connect(): Promise<PostgresClient> {
    let client: PostgresClient | undefined;
    const lost = (): void => {
      if (this.#connecting === connecting) {
        this.#connecting = undefined;
        client?.release(true);
        this.#recover();
      }
    };
    const connecting = (async () => {
      client = await (await this.#pool()).connect();
      client.on("error", lost);
      client.on("end", lost);
      client.on("notification", ({ channel, payload }) => {
        if (payload !== this.#process) {
          this.#watching.get(channel)?.forEach((changed) => changed());
        }
      });
      const listen = [...this.#watching.keys()].map((channel) => `LISTEN ${quoted(channel)}`);
      // A report that is lost in a crash of the server is repeated by the recovery.
      await client.query(["SET synchronous_commit = off", ...listen].join("; "));
      return client;
    })();
    connecting.catch(lost);
    return connecting;
  }

  /** Opens a lost connection again while it is used; then every thread may have changed. */
  #recover(): void {
    if (this.#isClosed || this.#watching.size === 0) {
      return;
    }
    setTimeout(() => {
      this.#client().then(
        () => this.#watching.forEach((watching) => watching.forEach((changed) => changed())),
        () => {},
      );
    }, RECONNECT_MS);
  }
}

/**
 * Returns the channel of a name. A channel has 63 bytes at most; two names may share one: then one
 * is read although it has not changed.
 */
export function channelOf(name: string): string {
  return `agentwire_${name.replace(/[^\w-]/g, "_").slice(0, 50)}`;
}

function quoted(channel: string): string {
  return `"${channel}"`;
}
