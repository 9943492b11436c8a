// The tables of a log, by version: an object upgrades its tables to the last version before it uses them.

import type { Sql } from "./platform.js";

/** The statements that upgrade each version to the next. */
const VERSIONS: readonly (readonly string[])[] = [
  [
    "CREATE TABLE meta (k TEXT PRIMARY KEY, v TEXT NOT NULL)",
    `CREATE TABLE runs (
      run_id TEXT PRIMARY KEY, task_id TEXT NOT NULL, status TEXT NOT NULL, hash TEXT NOT NULL, idempotency_key TEXT UNIQUE,
      input TEXT NOT NULL, created INTEGER NOT NULL, cancelled INTEGER NOT NULL DEFAULT 0, attempts INTEGER NOT NULL DEFAULT 0,
      terminal INTEGER, at INTEGER NOT NULL
    )`,
    "CREATE UNIQUE INDEX one_active ON runs ((1)) WHERE status IN ('queued', 'running')",
    "CREATE TABLE events (number INTEGER PRIMARY KEY AUTOINCREMENT, run_id TEXT NOT NULL, kind TEXT NOT NULL, data TEXT NOT NULL)",
    "CREATE INDEX events_of_run ON events (run_id, number)",
    `CREATE TABLE messages (
      seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL, run_id TEXT NOT NULL, role TEXT NOT NULL, content TEXT NOT NULL,
      extra TEXT NOT NULL, at INTEGER NOT NULL
    )`,
  ],
  [
    // Logs that older versions shortened have other numbers than their cursors: a new generation makes those cursors invalid.
    "CREATE TABLE IF NOT EXISTS shortened (run_id TEXT PRIMARY KEY, began INTEGER NOT NULL)",
    "UPDATE meta SET v = substr(lower(hex(randomblob(4))), 1, 8) WHERE k = 'generation' AND EXISTS (SELECT 1 FROM shortened)",
    "ALTER TABLE runs ADD COLUMN is_short INTEGER NOT NULL DEFAULT 0",
    "UPDATE runs SET is_short = 1 WHERE run_id IN (SELECT run_id FROM shortened)",
    "DROP TABLE shortened",
    // The number of UTF-16 units of each joined piece: a JSON list.
    "ALTER TABLE events ADD COLUMN pieces TEXT",
    // The message as the agent receives it in later runs, as JSON.
    "ALTER TABLE messages ADD COLUMN message TEXT",
    "ALTER TABLE messages ADD COLUMN is_shown INTEGER NOT NULL DEFAULT 1",
  ],
];

/** Upgrades the tables from a version to the last; 0 is an object without tables. */
export function upgrade(sql: Sql, version: number): void {
  if (version < VERSIONS.length) {
    VERSIONS.slice(version).flat().forEach((statement) => sql.exec(statement));
    sql.exec("INSERT OR REPLACE INTO meta (k, v) VALUES ('schema', ?)", String(VERSIONS.length));
  }
}
