//! The statements of stores in SQL databases, in the dialects of SQLite and of Postgres.

use std::format;
use std::string::{String, ToString};
use std::vec;
use std::vec::Vec;

use super::{LogEntry, LogHead, LogList, LogQuery};

/// A value of a parameter.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum SqlValue {
    Null,
    Integer(i64),
    Text(String),
}

/// A statement with the values of its parameters: `?` in SQLite, `$1` and so on in Postgres.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SqlStatement {
    pub sql: String,
    pub values: Vec<SqlValue>,
}

impl From<u64> for SqlValue {
    fn from(number: u64) -> Self {
        // The numbers of a log are below 2^53; a limit, and the number of a query, may be above.
        SqlValue::Integer(i64::try_from(number).unwrap_or(i64::MAX))
    }
}

impl From<Option<u64>> for SqlValue {
    fn from(number: Option<u64>) -> Self {
        number.map_or(SqlValue::Null, SqlValue::from)
    }
}

impl From<&str> for SqlValue {
    fn from(text: &str) -> Self {
        SqlValue::Text(text.to_string())
    }
}

/// The dialect of a database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    #[cfg_attr(not(feature = "sqlite"), expect(dead_code))]
    Sqlite,
    Postgres,
}

const INDEXES: [&str; 2] = [
    "CREATE INDEX IF NOT EXISTS agentwire_labels ON agentwire_logs (label, at, log) WHERE label IS NOT NULL",
    "CREATE INDEX IF NOT EXISTS agentwire_due ON agentwire_logs (due, log) WHERE due IS NOT NULL",
];

/// The columns of a head, and those of the row of a log.
const HEAD: &str = "label, at, due, data";

impl Dialect {
    /// Returns the statements that create the tables and their indexes, unless they exist.
    pub fn tables(self) -> [&'static str; 4] {
        let [logs, entries] = match self {
            Dialect::Sqlite => [
                "CREATE TABLE IF NOT EXISTS agentwire_logs (log TEXT PRIMARY KEY, last INTEGER NOT NULL, label TEXT, at INTEGER NOT NULL, due INTEGER, data TEXT NOT NULL) WITHOUT ROWID",
                "CREATE TABLE IF NOT EXISTS agentwire_entries (log TEXT NOT NULL, position INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY KEY (log, position)) WITHOUT ROWID",
            ],
            Dialect::Postgres => [
                "CREATE TABLE IF NOT EXISTS agentwire_logs (log TEXT COLLATE \"C\" PRIMARY KEY, last BIGINT NOT NULL, label TEXT, at BIGINT NOT NULL, due BIGINT, data TEXT NOT NULL)",
                "CREATE TABLE IF NOT EXISTS agentwire_entries (log TEXT COLLATE \"C\" NOT NULL, position BIGINT NOT NULL, text TEXT NOT NULL, PRIMARY KEY (log, position))",
            ],
        };
        [logs, entries, INDEXES[0], INDEXES[1]]
    }

    /// Returns the statements of an append, of which the last one has a row if it has succeeded.
    pub fn append(
        self,
        log: &str,
        after: u64,
        entries: &[LogEntry],
        head: &LogHead,
    ) -> Vec<SqlStatement> {
        let next = entries.last().map_or(after, |entry| entry.position);
        let label = head.label.as_deref().map_or(SqlValue::Null, SqlValue::from);
        let mut values = vec![
            next.into(),
            label,
            head.at.into(),
            head.due.into(),
            (&*head.data).into(),
            log.into(),
        ];
        // A log without entries may not exist.
        let sql = if after == 0 {
            "INSERT INTO agentwire_logs (last, label, at, due, data, log) VALUES (?, ?, ?, ?, ?, ?)
              ON CONFLICT (log) DO UPDATE SET last = excluded.last, label = excluded.label, at = excluded.at, due = excluded.due, data = excluded.data
              WHERE agentwire_logs.last = 0 RETURNING log"
        } else {
            values.push(after.into());
            "UPDATE agentwire_logs SET last = ?, label = ?, at = ?, due = ?, data = ? WHERE log = ? AND last = ? RETURNING log"
        };
        let changed = SqlStatement { sql: sql.into(), values };
        if self == Dialect::Postgres {
            return vec![with_entries(changed, entries).numbered()];
        }
        let entry = |LogEntry { position, text }: &LogEntry| {
            SqlStatement {
            sql: "INSERT INTO agentwire_entries (log, position, text) SELECT ?, ?, ? WHERE coalesce((SELECT last FROM agentwire_logs WHERE log = ?), 0) = ?".into(),
            values: vec![log.into(), (*position).into(), (&**text).into(), log.into(), after.into()],
        }
        };
        entries.iter().map(entry).chain([changed]).collect()
    }

    /// Returns the query of a part of a log. Its rows have the columns `last`, those of a head, and
    /// with a limit those of an entry, which are null if there is none. It is one statement, so
    /// that the head is as old as the entries.
    pub fn read(self, log: &str, after: u64, limit: usize) -> SqlStatement {
        let statement = if limit == 0 {
            SqlStatement {
                sql: format!("SELECT last, {HEAD} FROM agentwire_logs WHERE log = ?"),
                values: vec![log.into()],
            }
        } else {
            SqlStatement {
                sql: format!(
                    "SELECT last, {HEAD}, position, text FROM agentwire_logs LEFT JOIN
              (SELECT position, text FROM agentwire_entries WHERE log = ? AND position > ? ORDER BY position LIMIT ?) AS found ON 1 = 1
              WHERE log = ? ORDER BY position"
                ),
                values: vec![log.into(), after.into(), (limit as u64).into(), log.into()],
            }
        };
        self.of(statement)
    }

    /// Returns the query of a list. Its rows have the columns `log` and those of a head.
    pub fn list(self, LogQuery { list, after, limit }: &LogQuery) -> SqlStatement {
        let columns = format!("SELECT log, {HEAD} FROM agentwire_logs");
        let (sql, first) = match list {
            LogList::Label(label) => {
                let later = if after.is_some() { "AND (at, log) < (?, ?)" } else { "" };
                let order = "ORDER BY agentwire_logs.at DESC, log DESC LIMIT ?";
                (format!("{columns} WHERE label = ? {later} {order}"), SqlValue::from(&**label))
            }
            LogList::Due(due) => {
                let later = if after.is_some() { "AND (due, log) > (?, ?)" } else { "" };
                let order = "ORDER BY agentwire_logs.due, log LIMIT ?";
                (format!("{columns} WHERE due <= ? {later} {order}"), SqlValue::from(*due))
            }
        };
        let mut values = vec![first];
        if let Some(last) = after {
            let place = match list {
                LogList::Label(_) => last.head.at,
                LogList::Due(_) => last.head.due.unwrap_or(0),
            };
            values.extend([place.into(), (&*last.log).into()]);
        }
        values.push((*limit as u64).into());
        self.of(SqlStatement { sql, values })
    }

    /// Returns the statements of a deletion.
    pub fn delete(self, log: &str, last: Option<u64>) -> Vec<SqlStatement> {
        let is_last = if last.is_some() { " AND last = ?" } else { "" };
        let values = [SqlValue::from(log)].into_iter().chain(last.map(SqlValue::from)).collect();
        let statements = [
            SqlStatement { sql: format!("DELETE FROM agentwire_logs WHERE log = ?{is_last}"), values },
            SqlStatement {
                sql: "DELETE FROM agentwire_entries WHERE log = ? AND NOT EXISTS (SELECT 1 FROM agentwire_logs WHERE log = ?)".into(),
                values: vec![log.into(), log.into()],
            },
        ];
        statements.into_iter().map(|statement| self.of(statement)).collect()
    }

    fn of(self, statement: SqlStatement) -> SqlStatement {
        if self == Dialect::Postgres { statement.numbered() } else { statement }
    }
}

impl SqlStatement {
    /// Returns the statement with the parameters of Postgres.
    fn numbered(self) -> Self {
        let mut sql = String::new();
        for (at, part) in self.sql.split('?').enumerate() {
            if at > 0 {
                sql += &format!("${at}");
            }
            sql += part;
        }
        SqlStatement { sql, ..self }
    }
}

/// Returns a statement of Postgres that also inserts the entries if it has changed the log.
fn with_entries(changed: SqlStatement, entries: &[LogEntry]) -> SqlStatement {
    if entries.is_empty() {
        return changed;
    }
    let SqlStatement { sql, mut values } = changed;
    let rows: Vec<_> = entries.iter().map(|_| "(?::bigint, ?::text)").collect();
    for LogEntry { position, text } in entries {
        values.extend([(*position).into(), (&**text).into()]);
    }
    SqlStatement {
        sql: format!(
            "WITH changed AS ({sql}), added AS (
      INSERT INTO agentwire_entries (log, position, text)
        SELECT changed.log, entry.position, entry.text FROM changed, (VALUES {}) AS entry (position, text)
    ) SELECT log FROM changed",
            rows.join(", ")
        ),
        values,
    }
}

/// Returns a number of a row.
pub(super) fn number(value: i64) -> u64 {
    u64::try_from(value).unwrap_or(0)
}
