// The store in Postgres, for several processes.

import { handlerStore } from "./handler_service.js";
import type { HandlerStore } from "../../server/service.js";
import type { RunLogEntry } from "../service.js";
import { optionalPackage } from "./optional_package.js";
import { type PostgresPool, PostgresReports } from "./postgres_reports.js";
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
  type RunsStore,
  type StoredMessage,
  type StoredRun,
  type ThreadState,
  type ThreadStore,
  VALID,
  callsIn,
  dayOf,
  insertInto,
} from "./store.js";
import { original, storable } from "./texts.js";

/**
 * The number of characters of the id of a message that are in the index, whose rows have less than
 * 2,704 bytes.
 */
const INDEXED = 256;
const TABLES = `
  CREATE TABLE IF NOT EXISTS agentwire_processes (id TEXT PRIMARY KEY, until TIMESTAMPTZ NOT NULL);
  CREATE TABLE IF NOT EXISTS agentwire_threads (
    thread TEXT PRIMARY KEY, owner TEXT NOT NULL, generation TEXT NOT NULL, base TEXT NOT NULL, last BIGINT NOT NULL, bytes BIGINT NOT NULL, holder TEXT
  );
  CREATE TABLE IF NOT EXISTS agentwire_runs (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, thread TEXT NOT NULL, run_id TEXT NOT NULL, task_id TEXT NOT NULL, status TEXT NOT NULL,
    hash TEXT NOT NULL, idempotency_key TEXT, input TEXT NOT NULL, created BOOLEAN NOT NULL, cancelled BOOLEAN NOT NULL DEFAULT FALSE,
    attempts INTEGER NOT NULL DEFAULT 0, terminal BIGINT, at BIGINT NOT NULL, is_short BOOLEAN NOT NULL DEFAULT FALSE,
    UNIQUE (thread, run_id), UNIQUE (thread, idempotency_key)
  );
  CREATE UNIQUE INDEX IF NOT EXISTS agentwire_active_runs ON agentwire_runs (thread) WHERE status IN ('queued', 'running');
  CREATE INDEX IF NOT EXISTS agentwire_whole_runs ON agentwire_runs (at) WHERE status = 'ended' AND NOT is_short;
  CREATE TABLE IF NOT EXISTS agentwire_events (
    run BIGINT NOT NULL, number BIGINT NOT NULL, kind TEXT NOT NULL, data TEXT NOT NULL, pieces TEXT, PRIMARY KEY (run, number)
  );
  CREATE TABLE IF NOT EXISTS agentwire_messages (
    seq BIGINT GENERATED ALWAYS AS IDENTITY, thread TEXT NOT NULL, id TEXT NOT NULL, role TEXT NOT NULL, content TEXT NOT NULL, extra TEXT NOT NULL,
    message TEXT NOT NULL, is_shown BOOLEAN NOT NULL, at BIGINT NOT NULL, day TEXT NOT NULL, size BIGINT NOT NULL, shown_size BIGINT NOT NULL,
    calls TEXT[] NOT NULL, PRIMARY KEY (thread, seq)
  );
  DROP INDEX IF EXISTS agentwire_messages_by_id;
  CREATE INDEX IF NOT EXISTS agentwire_messages_by_name ON agentwire_messages (thread, left(id, ${INDEXED}));
  CREATE TABLE IF NOT EXISTS agentwire_latest_threads (owner TEXT PRIMARY KEY, thread TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS agentwire_tasks (owner TEXT NOT NULL, thread TEXT NOT NULL, task TEXT NOT NULL, PRIMARY KEY (owner, thread));
  CREATE TABLE IF NOT EXISTS agentwire_counts (
    owner TEXT NOT NULL, kind TEXT NOT NULL, thread TEXT NOT NULL, process TEXT NOT NULL, count INTEGER NOT NULL, until TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (owner, kind, thread, process)
  );
`;
/** The advisory lock under which one process creates the tables. */
const CREATING = 0x6177_7275;

const ACTIVE = "status IN ('queued', 'running')";
const RUN = `SELECT run_id AS "runId", task_id AS "taskId", status, hash, input, created, cancelled, attempts, terminal::float8, at::float8, is_short AS "isShort"
  FROM agentwire_runs WHERE thread = $1`;
/** Processes that have renewed their lease. */
const LIVE = "SELECT id FROM agentwire_processes WHERE until > now()";
const BYTES = "coalesce(sum(octet_length(data) + coalesce(octet_length(pieces), 0)), 0)";

/** A store in Postgres. */
export interface PostgresStore extends RunsStore {
  readonly leaseMs: number;
  /** Ends the connections, of a pool that was passed only the one that receives notifications. */
  close(): Promise<void>;
}

/**
 * Returns a store in Postgres, which several processes use: a run continues in the process that has
 * accepted it, its followers connect to any process, and if the process is killed another one ends
 * its run. Tables with the prefix `agentwire_` are created in the first schema of the search path.
 *
 * With an address it needs the package `pg`, which is an optional peer dependency; instead of the
 * address, pass a pool of it. One connection of the pool receives notifications (`LISTEN`), which a
 * connection pooler in transaction mode does not support.
 *
 * @throws AgentwireError `wrong-option`
 */
export function postgresStore(
  database: string | PostgresPool,
  options: SharedStoreOptions = {},
): PostgresStore & HandlerStore {
  return handlerStore(new Postgres(database, options));
}

type Rows = (query: string, ...values: unknown[]) => Promise<Record<string, unknown>[]>;

/** Inserts a row. */
function insert(rows: Rows, table: string, row: object, more = ""): ReturnType<Rows> {
  return rows(`${insertInto(table, row, (at) => `$${at + 1}`)} ${more}`, ...Object.values(row));
}

class Postgres implements PostgresStore {
  readonly leaseMs: number;
  /** The name of this process. */
  readonly process = crypto.randomUUID();
  readonly lease: Lease;
  readonly reports: PostgresReports;
  readonly #database: string | PostgresPool;
  readonly #pool = new Opened(() => this.#open());

  constructor(database: string | PostgresPool, options: SharedStoreOptions) {
    this.#database = database;
    this.lease = new Lease("postgresStore()", options, (ms) =>
      this.rows(
        `WITH old AS (DELETE FROM agentwire_processes WHERE until < now() - interval '1 day')
          INSERT INTO agentwire_processes VALUES ($1, now() + $2 * interval '1 millisecond') ON CONFLICT (id) DO UPDATE SET until = excluded.until`,
        this.process,
        ms,
      ),
    );
    this.leaseMs = this.lease.ms;
    this.reports = new PostgresReports(this.process, () => this.#pool.get());
  }

  thread(threadId: string): ThreadStore {
    return new PostgresThread(this, threadId);
  }

  async latestThread(user: string): Promise<string | undefined> {
    const [row] = await this.rows(
      "SELECT thread FROM agentwire_latest_threads WHERE owner = $1",
      escaped(user),
    );
    return row && unescaped(row["thread"] as string);
  }

  async setLatestThread(user: string, threadId: string): Promise<void> {
    const query =
      "INSERT INTO agentwire_latest_threads VALUES ($1, $2) ON CONFLICT (owner) DO UPDATE SET thread = excluded.thread";
    await this.rows(query, escaped(user), escaped(threadId));
  }

  async count(user: string, kind: CountKind, threadId: string, count: number): Promise<number> {
    // A run is counted until it is stored; then its row counts. Connections are of a process.
    const key = [escaped(user), kind, escaped(threadId), kind === "runs" ? "" : this.process];
    await (count > 0
      ? this.rows(
          `INSERT INTO agentwire_counts VALUES ($1, $2, $3, $4, $5, now() + $6 * interval '1 millisecond')
            ON CONFLICT (owner, kind, thread, process) DO UPDATE SET count = excluded.count, until = excluded.until`,
          ...key,
          count,
          VALID,
        )
      : this.rows(
          "DELETE FROM agentwire_counts WHERE owner = $1 AND kind = $2 AND ((thread = $3 AND process = $4) OR until < now())",
          ...key,
        ));
    const counted =
      "SELECT thread, count FROM agentwire_counts WHERE owner = $1 AND kind = $2 AND until > now()";
    const [row] = await (kind === "connections"
      ? this.rows(
          `SELECT coalesce(sum(count), 0)::float8 AS all FROM (${counted}) AS counted`,
          key[0],
          kind,
        )
      : this.rows(
          `SELECT count(*)::float8 AS all FROM (SELECT thread FROM (${counted}) AS counted
            UNION SELECT thread FROM agentwire_threads JOIN agentwire_runs USING (thread) WHERE owner = $1 AND ${ACTIVE}) AS active`,
          key[0],
          kind,
        ));
    return row!["all"] as number;
  }

  async setTask(user: string, threadId: string, task: string | null): Promise<void> {
    const key = [escaped(user), escaped(threadId)];
    await (task === null
      ? this.rows("DELETE FROM agentwire_tasks WHERE owner = $1 AND thread = $2", ...key)
      : this.rows(
          "INSERT INTO agentwire_tasks VALUES ($1, $2, $3) ON CONFLICT (owner, thread) DO UPDATE SET task = excluded.task",
          ...key,
          escaped(task),
        ));
  }

  async tasks(user: string): Promise<[threadId: string, task: string][]> {
    const rows = await this.rows(
      "SELECT thread, task FROM agentwire_tasks WHERE owner = $1",
      escaped(user),
    );
    return rows.map(({ thread, task }) => [unescaped(thread as string), unescaped(task as string)]);
  }

  async due(time: number): Promise<string[]> {
    const rows = await this.rows(
      `SELECT thread FROM agentwire_threads WHERE (holder IS NULL OR holder NOT IN (${LIVE})) AND thread IN (
        SELECT thread FROM agentwire_runs WHERE ${ACTIVE} AND at < $1
        UNION SELECT thread FROM agentwire_runs WHERE status = 'ended' AND NOT is_short AND at < $2)`,
      // The process that has accepted a run starts it.
      Date.now() - this.leaseMs,
      time,
    );
    return rows.map(({ thread }) => unescaped(thread as string));
  }

  /** Runs one statement. */
  async rows(query: string, ...values: unknown[]): Promise<Record<string, unknown>[]> {
    const pool = await this.#pool.get();
    return (await answered(pool.query(query, values))).rows;
  }

  /** Runs `work` in a transaction; it is rolled back if `work` returns undefined. */
  async together<T>(work: (rows: Rows) => Promise<T | undefined>): Promise<T | undefined> {
    const pool = await this.#pool.get();
    const client = await answered(pool.connect());
    let failure: unknown;
    try {
      await answered(client.query("BEGIN"));
      const result = await work(
        async (query, ...values) => (await answered(client.query(query, values))).rows,
      );
      await answered(client.query(result === undefined ? "ROLLBACK" : "COMMIT"));
      return result;
    } catch (error) {
      failure = error;
      throw error;
    } finally {
      // After an error, the connection is closed, which rolls back.
      client.release(failure as Error | undefined);
    }
  }

  async close(): Promise<void> {
    this.lease.close();
    await this.reports.close();
    if (typeof this.#database === "string") {
      await (await this.#pool.present)?.end();
    }
  }

  async #open(): Promise<PostgresPool> {
    let pool = this.#database;
    if (typeof pool === "string") {
      type Package = {
        readonly default: {
          readonly Pool: new (
            options: object,
          ) => PostgresPool & { on(event: "error", listener: () => void): void };
        };
      };
      const { default: pg } = await optionalPackage<Package>("pg", "postgresStore()");
      const own = new pg.Pool({ connectionString: pool });
      // The loss of an idle connection would end the process.
      own.on("error", () => {});
      pool = own;
    }
    const client = await answered(pool.connect());
    try {
      await answered(
        client.query(`BEGIN; SELECT pg_advisory_xact_lock(${CREATING}); ${TABLES}; COMMIT`),
      );
    } finally {
      client.release();
    }
    return pool;
  }
}

/** One thread. */
class PostgresThread implements ThreadStore {
  readonly #store: Postgres;
  readonly #threadId: string;
  /** The id in the tables. */
  readonly #id: string;

  constructor(store: Postgres, threadId: string) {
    [this.#store, this.#threadId, this.#id] = [store, threadId, escaped(threadId)];
  }

  async state(): Promise<ThreadState | undefined> {
    const query =
      "SELECT owner, generation, base, last::float8, bytes::float8 FROM agentwire_threads WHERE thread = $1";
    const [row] = (await this.#store.rows(query, this.#id)) as unknown as ThreadState[];
    return row && { ...row, owner: unescaped(row.owner) };
  }

  run(runId: string): Promise<StoredRun | undefined> {
    return this.#run("AND run_id = $2", escaped(runId));
  }

  runOfKey(key: string): Promise<StoredRun | undefined> {
    return this.#run("AND idempotency_key = $2", escaped(key));
  }

  active(): Promise<StoredRun | undefined> {
    return this.#run(`AND ${ACTIVE}`);
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
    const isAdded = await this.#store.together(async (rows) => {
      // Until the end of the transaction, no other one writes to the thread.
      const thread = {
        thread: this.#id,
        owner: escaped(owner),
        generation: crypto.randomUUID().slice(0, 8),
        base,
        last: 0,
        bytes: 0,
      };
      const [known] = await insert(
        rows,
        "agentwire_threads",
        thread,
        `ON CONFLICT (thread) DO UPDATE SET base = excluded.base WHERE agentwire_threads.owner = excluded.owner RETURNING xmax = 0 AS "isNew"`,
      );
      if (known === undefined) {
        return undefined;
      }
      const keys = {
        thread: this.#id,
        run_id: escaped(runId),
        task_id: taskId,
        idempotency_key: key && escaped(key),
      };
      const added = await insert(
        rows,
        "agentwire_runs",
        { ...keys, status: "queued", hash, input, created: known["isNew"], at },
        "ON CONFLICT DO NOTHING RETURNING id",
      );
      if (added.length === 0) {
        return undefined;
      }
      await this.#addMessages(rows, messages);
      return true;
    });
    this.#changed();
    return isAdded === true;
  }

  async setStatus(runId: string, status: "queued" | "running"): Promise<void> {
    const query = `UPDATE agentwire_runs SET status = $3, attempts = attempts + $4
      WHERE thread = (SELECT thread FROM agentwire_threads WHERE thread = $1 AND holder = $5 FOR UPDATE) AND run_id = $2 RETURNING id`;
    this.#held(
      await this.#store.rows(
        query,
        this.#id,
        escaped(runId),
        status,
        status === "running" ? 1 : 0,
        this.#store.process,
      ),
    );
  }

  async setCancelled(runId: string): Promise<void> {
    await this.#store.rows(
      "UPDATE agentwire_runs SET cancelled = TRUE WHERE thread = $1 AND run_id = $2",
      this.#id,
      escaped(runId),
    );
    this.#changed();
  }

  async append(
    runId: string,
    events: readonly NewEvent[],
    messages?: readonly NewStoredMessage[],
  ): Promise<number> {
    const [kinds, datas] = [
      events.map(({ kind }) => escaped(kind)),
      events.map(({ data }) => storable(data)),
    ];
    // One statement, which is a transaction.
    const write = (rows: Rows): Promise<Record<string, unknown>[]> =>
      rows(
        `WITH thread AS (
            UPDATE agentwire_threads SET last = last + $3, bytes = bytes + (SELECT sum(octet_length(data)) FROM unnest($5::text[]) AS data)
              WHERE thread = $1 AND holder = $6 RETURNING last
          ), run AS (SELECT id FROM agentwire_runs WHERE thread = $1 AND run_id = $2), added AS (
            INSERT INTO agentwire_events SELECT run.id, thread.last - $3 + event.at, event.kind, event.data
              FROM thread, run, unnest($4::text[], $5::text[]) WITH ORDINALITY AS event (kind, data, at)
          )
          SELECT last::float8 FROM thread, run`,
        this.#id,
        escaped(runId),
        events.length,
        kinds,
        datas,
        this.#store.process,
      );
    const last = (rows: Record<string, unknown>[]): number => this.#held(rows)["last"] as number;
    const number =
      messages === undefined
        ? last(await write((query, ...values) => this.#store.rows(query, ...values)))
        : await this.#store.together(async (rows) => {
            const number = last(await write(rows));
            await rows(
              "UPDATE agentwire_runs SET status = 'ended', terminal = $3 WHERE thread = $1 AND run_id = $2",
              this.#id,
              escaped(runId),
              number,
            );
            await this.#addMessages(rows, messages);
            return number;
          });
    this.#changed();
    return number!;
  }

  async read(runId: string, after: number, until: number, limit: number): Promise<RunLogEntry[]> {
    const query = `SELECT number::float8, kind, data, pieces FROM agentwire_events
      WHERE run = (SELECT id FROM agentwire_runs WHERE thread = $1 AND run_id = $2) AND number > $3 AND number <= $4 ORDER BY number LIMIT $5`;
    const rows = await this.#store.rows(query, this.#id, escaped(runId), after, until, limit);
    return entriesAfter(
      after,
      (rows as unknown as JoinedEvent[]).map((row) => ({
        ...row,
        runId,
        kind: unescaped(row.kind),
        data: original(row.data),
      })),
    );
  }

  async ended(): Promise<EndedRun[]> {
    const query = `SELECT run_id AS "runId", at::float8, is_short AS "isShort" FROM agentwire_runs WHERE thread = $1 AND status = 'ended' ORDER BY terminal`;
    return ((await this.#store.rows(query, this.#id)) as unknown as EndedRun[]).map((run) => ({
      ...run,
      runId: unescaped(run.runId),
    }));
  }

  shorten(runId: string, events: readonly JoinedEvent[]): Promise<void> {
    return this.#replace(runId, events, "is_short = TRUE");
  }

  expire(runId: string): Promise<void> {
    return this.#replace(runId, [], "status = 'expired'");
  }

  async #replace(runId: string, events: readonly JoinedEvent[], change: string): Promise<void> {
    await this.#store.together(async (rows) => {
      this.#held(
        await rows(
          "SELECT 1 FROM agentwire_threads WHERE thread = $1 AND holder = $2 FOR UPDATE",
          this.#id,
          this.#store.process,
        ),
      );
      const query = `UPDATE agentwire_runs SET ${change}, input = '' WHERE thread = $1 AND run_id = $2 RETURNING id`;
      const { id } = this.#held(await rows(query, this.#id, escaped(runId)));
      const bytesOf = async (): Promise<number> =>
        (
          await rows(`SELECT ${BYTES}::float8 AS bytes FROM agentwire_events WHERE run = $1`, id)
        )[0]!["bytes"] as number;
      const before = await bytesOf();
      await rows("DELETE FROM agentwire_events WHERE run = $1", id);
      const columns = (["number", "kind", "data", "pieces"] as const).map((name) =>
        events.map((event) =>
          name === "kind"
            ? escaped(event.kind)
            : name === "data"
              ? storable(event.data)
              : event[name],
        ),
      );
      await rows(
        "INSERT INTO agentwire_events SELECT $1, * FROM unnest($2::bigint[], $3::text[], $4::text[], $5::text[])",
        id,
        ...columns,
      );
      await rows(
        "UPDATE agentwire_threads SET bytes = bytes + $2 WHERE thread = $1",
        this.#id,
        (await bytesOf()) - before,
      );
      return true;
    });
    this.#changed();
  }

  async messagesOf(id: string, role: string): Promise<string[]> {
    const query = `SELECT message FROM agentwire_messages WHERE thread = $1 AND left(id, ${INDEXED}) = left($2, ${INDEXED}) AND id = $2 AND role = $3 ORDER BY seq`;
    return (await this.#store.rows(query, this.#id, escaped(id), role)).map(
      ({ message }) => message as string,
    );
  }

  async hasCall(callId: string): Promise<boolean> {
    const query =
      "SELECT 1 FROM agentwire_messages WHERE thread = $1 AND role = 'assistant' AND $2 = ANY (calls) LIMIT 1";
    return (await this.#store.rows(query, this.#id, escaped(callId))).length > 0;
  }

  async latestMessages(limit: number): Promise<string[]> {
    const query = `SELECT message FROM (
        SELECT seq, message, sum(size) OVER (ORDER BY seq DESC) AS total FROM agentwire_messages WHERE thread = $1
      ) AS latest WHERE total <= $2 ORDER BY seq`;
    return (await this.#store.rows(query, this.#id, Math.min(limit, Number.MAX_SAFE_INTEGER))).map(
      ({ message }) => message as string,
    );
  }

  async history(before: string, beforeSeq: number, limit: number): Promise<HistoryPage> {
    const shown = "FROM agentwire_messages WHERE thread = $1 AND is_shown";
    const rows = await this.#store.rows(
      `SELECT seq::float8, id, role, content, extra, at::float8, day, total <= $4 OR place = 1 AS "isHere" FROM (
          SELECT *, sum(shown_size) OVER (ORDER BY seq DESC) AS total, row_number() OVER (ORDER BY seq DESC) AS place ${shown} AND seq < $3
            AND day = (SELECT max(day) ${shown} AND seq < $3 AND day < $2)
        ) AS latest WHERE total - shown_size <= $4 OR place <= 2 ORDER BY seq`,
      this.#id,
      before,
      beforeSeq,
      limit,
    );
    const here = rows.filter(({ isHere }) => isHere);
    const [first] = here as unknown as (StoredMessage & { readonly day: string })[];
    if (first === undefined) {
      return { day: null, hasMore: false, messages: [] };
    }
    const messages = here.map(({ day, isHere, ...row }) => ({
      ...row,
      id: unescaped(row["id"] as string),
      content: unescaped(row["content"] as string),
    }));
    const isCut = here.length < rows.length;
    const earlier = async (): Promise<boolean> =>
      (
        await this.#store.rows(
          `SELECT 1 ${shown} AND seq < $2 AND day <= $3 LIMIT 1`,
          this.#id,
          first.seq,
          first.day,
        )
      ).length > 0;
    const hasMore = isCut || (await earlier());
    return {
      day: first.day,
      hasMore,
      messages: messages as unknown as StoredMessage[],
      ...(isCut && { beforeSeq: first.seq }),
    };
  }

  async delete(): Promise<void> {
    await this.#store.together(async (rows) => {
      // First, because a process that appends has locked the thread.
      await rows("DELETE FROM agentwire_threads WHERE thread = $1", this.#id);
      await rows(
        "DELETE FROM agentwire_events WHERE run IN (SELECT id FROM agentwire_runs WHERE thread = $1)",
        this.#id,
      );
      await rows("DELETE FROM agentwire_runs WHERE thread = $1", this.#id);
      await rows("DELETE FROM agentwire_messages WHERE thread = $1", this.#id);
      return true;
    });
    this.#changed();
  }

  async hold(): Promise<boolean> {
    await this.#store.lease.taken();
    const query = `UPDATE agentwire_threads SET holder = $2 WHERE thread = $1 AND (holder IS NULL OR holder = $2 OR holder NOT IN (${LIVE})) RETURNING 1`;
    return (await this.#store.rows(query, this.#id, this.#store.process)).length > 0;
  }

  async release(): Promise<void> {
    await this.#store.rows(
      "UPDATE agentwire_threads SET holder = NULL WHERE thread = $1 AND holder = $2",
      this.#id,
      this.#store.process,
    );
  }

  watch(changed: () => void): Promise<() => void> {
    return this.#store.reports.watch(this.#threadId, changed);
  }

  #changed(): void {
    this.#store.reports.send(this.#threadId);
  }

  /** Returns the first row; throws if the statement has found none. */
  #held(rows: Record<string, unknown>[]): Record<string, unknown> {
    const [row] = rows;
    if (row === undefined) {
      throw notHeld(this.#threadId);
    }
    return row;
  }

  async #addMessages(rows: Rows, messages: readonly NewStoredMessage[]): Promise<void> {
    for (const { id, role, content, extra, message, isShown, at } of messages) {
      const found = {
        day: dayOf(at),
        size: message.length,
        shown_size: content.length + extra.length,
        calls: callsIn(role, message).map(escaped),
      };
      await insert(rows, "agentwire_messages", {
        thread: this.#id,
        id: escaped(id),
        role,
        content: escaped(content),
        extra,
        message,
        is_shown: isShown,
        at,
        ...found,
      });
    }
  }

  async #run(condition: string, ...values: unknown[]): Promise<StoredRun | undefined> {
    const [row] = (await this.#store.rows(
      `${RUN} ${condition}`,
      this.#id,
      ...values,
    )) as unknown as StoredRun[];
    return row && { ...row, runId: unescaped(row.runId) };
  }
}
