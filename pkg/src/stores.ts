// The public API of `agentwire/stores`: stores of threads, answers and users. A store keeps logs.

export { AgentwireError } from "./core/errors.js";
export type { ErrorCode } from "./core/error_codes.js";
export { memoryStore } from "./stores/memory_store.js";
export { sqliteStore } from "./stores/sqlite_store.js";
export type { SqliteDatabase, SqliteStore } from "./stores/sqlite_store.js";
export { postgresStore } from "./stores/postgres_store.js";
export type { PostgresStore } from "./stores/postgres_store.js";
export type { PostgresClient, PostgresHandle, PostgresPool } from "./stores/postgres_reports.js";
export { redisStore } from "./stores/redis_store.js";
export type { RedisClient, RedisStore } from "./stores/redis_store.js";
export type { SharedStoreOptions } from "./stores/shared_options.js";
export { sqlStore } from "./stores/sql_store.js";
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
