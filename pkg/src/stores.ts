// The public API of `agentwire/stores`: stores for `createHandler`. A store keeps logs; its service,
// which is the same for all, comes with it.

import { handlerStore } from "./runs/server/handler_service.js";
import type { HandlerStore } from "./server/service.js";
import type { LogStore } from "./stores/log_store.js";
import { memoryStore as memoryLogs } from "./stores/memory_store.js";
import type { PostgresHandle, PostgresPool } from "./stores/postgres_reports.js";
import { type PostgresStore, postgresStore as postgresLogs } from "./stores/postgres_store.js";
import {
  type RedisClient,
  type RedisStore,
  redisStore as redisLogs,
} from "./stores/redis_store.js";
import type { SharedStoreOptions } from "./stores/shared_options.js";
import { type SqlDriver, sqlStore as sqlLogs } from "./stores/sql_store.js";
import {
  type SqliteDatabase,
  type SqliteStore,
  sqliteStore as sqliteLogs,
} from "./stores/sqlite_store.js";

/** Returns a store in memory: for tests, and for services that may lose everything. */
export function memoryStore(): LogStore & HandlerStore {
  return handlerStore(memoryLogs());
}

/**
 * Returns a store in a SQLite file, or in an open database of `node:sqlite` or `better-sqlite3`. The
 * file belongs to one process: a second one cannot open it. The path of a file needs Node 22.13 or
 * later.
 *
 * @throws AgentwireError `wrong-option` if the platform has no `node:sqlite`; the error of SQLite
 * if the file cannot be opened
 */
export function sqliteStore(database: string | SqliteDatabase): SqliteStore & HandlerStore {
  return handlerStore(sqliteLogs(database));
}

/**
 * Returns a store in Postgres, which several processes use: a run continues in the process that has
 * accepted it, its followers connect to any process, and if the process is killed another one ends
 * its run. The tables `agentwire_logs` and `agentwire_entries` are created in the first schema of
 * the search path.
 *
 * With an address it needs the package `pg`, which is an optional peer dependency; instead of the
 * address, pass a pool of it, or a handle of the package `postgres`. One connection receives
 * notifications (`LISTEN`), which a connection pooler in transaction mode does not support.
 *
 * @throws AgentwireError `wrong-option`
 */
export function postgresStore(
  database: string | PostgresPool | PostgresHandle,
  options: SharedStoreOptions = {},
): PostgresStore & HandlerStore {
  return handlerStore(postgresLogs(database, options));
}

/**
 * Returns a store in Redis 7 or later, which several processes use: a run continues in the process
 * that has accepted it, its followers connect to any process, and if the process is killed another
 * one ends its run. Keys have the prefix `agentwire:`.
 *
 * With an address it needs the package `redis`, which is an optional peer dependency; instead of
 * the address, pass a client of it. Data are as durable as Redis is configured: with
 * `appendonly yes` they survive the process of Redis, with `appendfsync always` also its machine.
 * They must not be evicted (`maxmemory-policy noeviction`). The keys of a log are in one script, so
 * Redis Cluster is not supported.
 *
 * @throws AgentwireError `wrong-option`
 */
export function redisStore(
  database: string | RedisClient,
  options: SharedStoreOptions = {},
): RedisStore & HandlerStore {
  return handlerStore(redisLogs(database, options));
}

/**
 * Returns a store in a SQL database. The tables `agentwire_logs` and `agentwire_entries` are
 * created with the first write.
 */
export function sqlStore(driver: SqlDriver): LogStore & HandlerStore {
  return handlerStore(sqlLogs(driver));
}

export { handlerStore };
export type { HandlerStore };
export { AgentwireError } from "./core/errors.js";
export type { ErrorCode } from "./core/error_codes.js";
export type { SqliteDatabase, SqliteStore } from "./stores/sqlite_store.js";
export type { PostgresStore } from "./stores/postgres_store.js";
export type { PostgresClient, PostgresHandle, PostgresPool } from "./stores/postgres_reports.js";
export type { RedisClient, RedisStore } from "./stores/redis_store.js";
export type { SharedStoreOptions } from "./stores/shared_options.js";
export type { SqlDriver, SqlRow, SqlStatement, SqlValue } from "./stores/sql_store.js";
export type {
  Awaitable,
  ListedLog,
  LogEntry,
  LogHead,
  LogPage,
  LogQuery,
  LogStore,
} from "./stores/log_store.js";
