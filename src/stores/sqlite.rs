//! The store in a SQLite file.

use std::boxed::Box;
use std::path::Path;
use std::string::{String, ToString};
use std::sync::mpsc;
use std::thread::JoinHandle;
use std::vec::Vec;

use rusqlite::types::{ToSqlOutput, Value as Column};
use rusqlite::{Connection, Result, Row, ToSql, params_from_iter};
use tokio::sync::oneshot;

use super::sql::{Dialect, SqlStatement, SqlValue, number};
use super::{
    ListedLog, LogEntry, LogHead, LogPage, LogQuery, LogStore, StoreError, StoreFuture, is_old,
};

/// A store in a SQLite file. The file belongs to one process: a second one cannot open it.
///
/// A thread of its own uses the database. Writes that wait for it are committed together, because a
/// commit waits for the disk.
#[derive(Debug)]
pub struct SqliteStore {
    /// `None` when it is being dropped.
    jobs: Option<mpsc::Sender<Job>>,
    worker: Option<JoinHandle<()>>,
}

/// Work in a transaction.
type Job = Box<dyn FnOnce(&Connection) -> CommitCallback + Send>;
/// Returns the result to the caller, with the error of the commit.
type CommitCallback = Box<dyn FnOnce(Option<&str>)>;

/// The maximum number of jobs in a transaction.
const TOGETHER: usize = 64;

/// The tables of this version, and those of earlier versions.
const KNOWN: &str = "SELECT name FROM sqlite_master WHERE type = 'table' AND name IN ('agentwire_logs', 'thread_runs', 'runs', 'under_way')";

impl SqliteStore {
    /// Opens a file, or creates it; `:memory:` is a database in memory.
    ///
    /// # Errors
    ///
    /// The error of SQLite, for example if another process has the file open, or an error for a
    /// file with the tables of an earlier version.
    pub fn open(path: impl AsRef<Path>) -> std::result::Result<Self, StoreError> {
        let connection = Connection::open(path)?;
        // An exclusive lock, so that two processes cannot both run the agents of the file.
        for (name, value) in
            [("locking_mode", "EXCLUSIVE"), ("journal_mode", "WAL"), ("synchronous", "FULL")]
        {
            connection.pragma_update(None, name, value)?;
        }
        // The lock is taken with the first statement that writes.
        connection.execute_batch("BEGIN IMMEDIATE")?;
        let names = all(&connection, KNOWN, &[], |row| row.get::<_, String>(0))?;
        if !names.is_empty() && !names.iter().any(|name| name == "agentwire_logs") {
            return Err(is_old());
        }
        for table in Dialect::Sqlite.tables() {
            connection.execute_batch(table)?;
        }
        connection.execute_batch("COMMIT")?;
        connection.set_prepared_statement_cache_capacity(64);
        let (jobs, waiting) = mpsc::channel();
        let worker = std::thread::Builder::new()
            .name("agentwire-sqlite".into())
            .spawn(|| work(connection, waiting))?;
        Ok(SqliteStore { jobs: Some(jobs), worker: Some(worker) })
    }

    fn run<T: Send + 'static>(
        &self,
        job: impl FnOnce(&Connection) -> Result<T> + Send + 'static,
    ) -> StoreFuture<'static, T> {
        let (answer, answered) = oneshot::channel();
        let job: Job = Box::new(move |connection| {
            let done = alone(connection, job);
            Box::new(move |failed| {
                let result = match failed {
                    None => done.map_err(StoreError::from),
                    Some(error) => Err(error.into()),
                };
                // The caller may have left.
                drop(answer.send(result));
            })
        });
        drop(self.jobs.as_ref().map(|jobs| jobs.send(job)));
        Box::pin(async { answered.await.unwrap_or_else(|_| Err("the database is closed".into())) })
    }
}

impl LogStore for SqliteStore {
    fn append<'a>(
        &'a self,
        log: &'a str,
        after: u64,
        entries: &'a [LogEntry],
        head: &'a LogHead,
    ) -> StoreFuture<'a, bool> {
        let statements = Dialect::Sqlite.append(log, after, entries, head);
        self.run(move |sql| {
            let mut rows = Vec::new();
            for SqlStatement { sql: statement, values } in &statements {
                rows = all(sql, statement, values, |_| Ok(()))?;
            }
            Ok(!rows.is_empty())
        })
    }

    fn read<'a>(&'a self, log: &'a str, after: u64, limit: usize) -> StoreFuture<'a, LogPage> {
        let SqlStatement { sql: statement, values } = Dialect::Sqlite.read(log, after, limit);
        self.run(move |sql| {
            let mut page = LogPage::default();
            all(sql, &statement, &values, |row| {
                if page.head.is_none() {
                    page.last = number(row.get("last")?);
                    page.head = Some(head_in(row)?);
                }
                if limit > 0
                    && let Some(text) = row.get("text")?
                {
                    let position = number(row.get("position")?);
                    page.entries.push(LogEntry { position, text });
                }
                Ok(())
            })?;
            Ok(page)
        })
    }

    fn list<'a>(&'a self, query: &'a LogQuery) -> StoreFuture<'a, Vec<ListedLog>> {
        let SqlStatement { sql: statement, values } = Dialect::Sqlite.list(query);
        self.run(move |sql| {
            all(sql, &statement, &values, |row| {
                Ok(ListedLog { log: row.get("log")?, head: head_in(row)? })
            })
        })
    }

    fn delete<'a>(&'a self, log: &'a str, last: Option<u64>) -> StoreFuture<'a, ()> {
        let statements = Dialect::Sqlite.delete(log, last);
        self.run(move |sql| {
            for SqlStatement { sql: statement, values } in &statements {
                all(sql, statement, values, |_| Ok(()))?;
            }
            Ok(())
        })
    }
}

impl Drop for SqliteStore {
    fn drop(&mut self) {
        self.jobs = None;
        drop(self.worker.take().map(JoinHandle::join));
    }
}

impl ToSql for SqlValue {
    fn to_sql(&self) -> Result<ToSqlOutput<'_>> {
        Ok(match self {
            SqlValue::Null => ToSqlOutput::Owned(Column::Null),
            SqlValue::Integer(number) => ToSqlOutput::from(*number),
            SqlValue::Text(text) => ToSqlOutput::from(&**text),
        })
    }
}

fn head_in(row: &Row<'_>) -> Result<LogHead> {
    Ok(LogHead {
        label: row.get("label")?,
        at: number(row.get("at")?),
        due: row.get::<_, Option<i64>>("due")?.map(number),
        data: row.get("data")?,
    })
}

/// Does the jobs, those that wait together in one transaction, until the store is dropped.
fn work(connection: Connection, jobs: mpsc::Receiver<Job>) {
    let mut next = None;
    while let Some(first) = next.take().or_else(|| jobs.recv().ok()) {
        let mut answers = Vec::new();
        let begun = connection.execute_batch("BEGIN IMMEDIATE");
        let mut job = Some(first);
        while let Some(one) = job {
            answers.push(one(&connection));
            job = if answers.len() < TOGETHER { jobs.try_recv().ok() } else { None };
            // After some errors, such as a full disk, SQLite has rolled back.
            if connection.is_autocommit() {
                next = job.take();
            }
        }
        let ended = begun.and_then(|()| connection.execute_batch("COMMIT"));
        if !connection.is_autocommit() {
            drop(connection.execute_batch("ROLLBACK"));
        }
        let error = ended.err().map(|error| error.to_string());
        answers.into_iter().for_each(|answer| answer(error.as_deref()));
    }
}

/// Does one job of a transaction, without its writes if it fails.
fn alone<T>(connection: &Connection, job: impl FnOnce(&Connection) -> Result<T>) -> Result<T> {
    if connection.is_autocommit() {
        // The transaction has not begun, which is the error that the caller receives.
        return Err(rusqlite::Error::InvalidQuery);
    }
    connection.execute_batch("SAVEPOINT job")?;
    let done = job(connection);
    let end = if done.is_ok() { "RELEASE job" } else { "ROLLBACK TO job; RELEASE job" };
    // Without a transaction the commit fails, too.
    connection
        .execute_batch(end)
        .or_else(|error| if done.is_ok() { Err(error) } else { Ok(()) })?;
    done
}

/// Runs a statement, and reads all of its rows.
fn all<T>(
    sql: &Connection,
    statement: &str,
    values: &[SqlValue],
    read: impl FnMut(&Row<'_>) -> Result<T>,
) -> Result<Vec<T>> {
    sql.prepare_cached(statement)?.query_map(params_from_iter(values), read)?.collect()
}
