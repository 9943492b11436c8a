// The store in Postgres, for several processes.

import { optionalPackage } from "../core/optional_package.js";
import type { LogStore } from "./log_store.js";
import {
  type PostgresHandle,
  type PostgresPool,
  PostgresReports,
  channelOf,
} from "./postgres_reports.js";
import { type SharedStoreOptions, leaseOf } from "./shared_options.js";
import {
  type SqlDriver,
  type SqlRow,
  type SqlStatement,
  SqlStore,
  refuseOld,
  tablesOf,
} from "./sql_store.js";
import { Opened, answered } from "./store_error.js";

/** A store in Postgres. */
export interface PostgresStore extends LogStore {
  readonly leaseMs: number;
  /** Ends the connections, of a pool that was passed only the one that receives notifications. */
  close(): Promise<void>;
}

/** The advisory lock under which one process creates the tables. */
const CREATING = 0x6177_7275;

/** See `agentwire/stores`. */
export function postgresStore(
  database: string | PostgresPool | PostgresHandle,
  options: SharedStoreOptions = {},
): PostgresStore {
  const leaseMs = leaseOf("postgresStore()", options);
  const driver =
    typeof database !== "string" && "unsafe" in database
      ? handleDriver(database)
      : poolDriver(database);
  return new Postgres(driver, leaseMs);
}

/** A driver that can be closed. */
type PostgresDriver = SqlDriver & { close(): Promise<void> };

class Postgres extends SqlStore implements PostgresStore {
  readonly leaseMs: number;
  readonly close: () => Promise<void>;

  constructor(driver: PostgresDriver, leaseMs: number) {
    super(driver);
    this.leaseMs = leaseMs;
    this.close = () => driver.close();
  }
}

type Query = (sql: string, values?: readonly unknown[]) => Promise<readonly SqlRow[]>;

/** Creates the tables, in a transaction that `query` runs in. */
async function create(query: Query): Promise<void> {
  await query(`SELECT pg_advisory_xact_lock(${CREATING})`);
  const [old] = await query(
    "SELECT to_regclass('agentwire_threads') IS NOT NULL AS is_old, to_regclass('agentwire_logs') IS NULL AS is_new",
  );
  refuseOld(old!["is_old"] === true && old!["is_new"] === true, "postgresStore()");
  for (const statement of tablesOf("postgres")) {
    await query(statement);
  }
}

/** The driver of the package `pg`. */
function poolDriver(database: string | PostgresPool): PostgresDriver {
  /** Runs `work` in a transaction. */
  const together = async <T>(
    pool: PostgresPool,
    work: (query: Query) => Promise<T>,
  ): Promise<T> => {
    const client = await answered(pool.connect());
    let failure: unknown;
    try {
      await answered(client.query("BEGIN"));
      const result = await work(
        async (sql, values) => (await answered(client.query(sql, values))).rows,
      );
      await answered(client.query("COMMIT"));
      return result;
    } catch (error) {
      failure = error;
      throw error;
    } finally {
      // After an error, the connection is closed, which rolls back.
      client.release(failure as Error | undefined);
    }
  };
  const open = async (): Promise<PostgresPool> => {
    let pool = database;
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
    await together(pool, create);
    return pool;
  };
  const opened = new Opened(open);
  const reports = new PostgresReports(crypto.randomUUID(), () => opened.get());
  return {
    dialect: "postgres",
    async execute(statements) {
      const pool = await opened.get();
      if (statements.length === 1) {
        return [await rowsOf(pool, statements[0]!)];
      }
      return together(pool, async (query) => {
        const results: (readonly SqlRow[])[] = [];
        for (const { sql, values } of statements) {
          results.push(await query(sql, values));
        }
        return results;
      });
    },
    report: (name) => reports.send(name),
    watch: (name, changed) => reports.watch(name, changed),
    async close() {
      await reports.close();
      if (typeof database === "string") {
        await (await opened.present)?.end();
      }
    },
  };
}

async function rowsOf(pool: PostgresPool, { sql, values }: SqlStatement): Promise<SqlRow[]> {
  return (await answered(pool.query(sql, values))).rows;
}

/** The driver of the package `postgres`. */
function handleDriver(handle: PostgresHandle): PostgresDriver {
  const queryOf =
    (one: Pick<PostgresHandle, "unsafe">): Query =>
    (sql, values = []) =>
      answered(one.unsafe(sql, [...values]));
  const opened = new Opened(async () => {
    await handle.begin((one) => create(queryOf(one)));
    return queryOf(handle);
  });
  const process = crypto.randomUUID();
  return {
    dialect: "postgres",
    async execute(statements) {
      const query = await opened.get();
      if (statements.length === 1) {
        return [await query(statements[0]!.sql, statements[0]!.values)];
      }
      const results: (readonly SqlRow[])[] = [];
      await handle.begin(async (one) => {
        for (const { sql, values } of statements) {
          results.push(await queryOf(one)(sql, values));
        }
      });
      return results;
    },
    report(name) {
      // A report that is lost with its connection is repeated when others listen again.
      handle
        .unsafe("SELECT pg_notify($1::text, $2::text)", [channelOf(name), process])
        .catch(() => {});
    },
    async watch(name, changed) {
      await opened.get();
      const listener = (from: string): void => void (from !== process && changed());
      // The package listens again after a loss of the connection.
      const { unlisten } = await answered(handle.listen(channelOf(name), listener, changed));
      return () => void unlisten().catch(() => {});
    },
    close: async () => {},
  };
}
