//! The store in a SQLite file.

use std::boxed::Box;
use std::format;
use std::path::Path;
use std::string::{String, ToString};
use std::sync::{Arc, mpsc};
use std::thread::JoinHandle;
use std::vec::Vec;

use rusqlite::{Connection, OptionalExtension, Params, Result, Row, params};
use tokio::sync::oneshot;

use super::store::{
    EndedRun, FindRun, HistoryPage, LogEntry, NewRun, RunStatus, RunsStore, StoreFuture,
    StoredMessage, StoredRun, ThreadState, has_call,
};
use crate::emit::AnyError;
use crate::json::Value;
use crate::protocols::runs::log::StoredEvent;

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

/// The version of the tables, which is stored in the file.
const VERSION: i64 = 1;

const TABLES: &str = "
CREATE TABLE threads (thread TEXT PRIMARY KEY, owner TEXT NOT NULL, generation TEXT NOT NULL, base TEXT NOT NULL, last INTEGER NOT NULL, bytes INTEGER NOT NULL);
CREATE TABLE runs (
  id INTEGER PRIMARY KEY, thread TEXT NOT NULL, run_id TEXT NOT NULL, task_id TEXT NOT NULL, status TEXT NOT NULL, hash TEXT NOT NULL,
  idempotency_key TEXT, input TEXT NOT NULL, created INTEGER NOT NULL, canceled INTEGER NOT NULL DEFAULT 0,
  attempts INTEGER NOT NULL DEFAULT 0, terminal INTEGER, at INTEGER NOT NULL, is_short INTEGER NOT NULL DEFAULT 0,
  UNIQUE (thread, run_id), UNIQUE (thread, idempotency_key)
);
CREATE UNIQUE INDEX active_run ON runs (thread) WHERE status IN ('queued', 'running');
CREATE TABLE events (run INTEGER NOT NULL, number INTEGER NOT NULL, kind TEXT NOT NULL, data TEXT NOT NULL, pieces TEXT, PRIMARY KEY (run, number)) WITHOUT ROWID;
CREATE TABLE messages (
  seq INTEGER PRIMARY KEY AUTOINCREMENT, thread TEXT NOT NULL, id TEXT NOT NULL, role TEXT NOT NULL,
  content TEXT NOT NULL, extra TEXT NOT NULL, message TEXT NOT NULL, is_shown INTEGER NOT NULL, at INTEGER NOT NULL
);
CREATE INDEX messages_of_thread ON messages (thread, seq);
CREATE TABLE latest_threads (owner TEXT PRIMARY KEY, thread TEXT NOT NULL);
PRAGMA user_version = 1;
";

const DAY: &str = "strftime('%Y-%m-%d', at / 1000, 'unixepoch')";
const ID: &str = "(SELECT id FROM runs WHERE thread = ?1 AND run_id = ?2)";
const MESSAGE: &str = "seq, id, role, content, extra, message, is_shown, at";

impl SqliteStore {
    /// Opens a file, or creates it.
    ///
    /// # Errors
    ///
    /// The error of SQLite, for example if another process has the file open, or an error for a
    /// file with other tables.
    pub fn open(path: impl AsRef<Path>) -> std::result::Result<Self, AnyError> {
        let connection = Connection::open(path)?;
        // An exclusive lock, so that two processes cannot both run the agents of the file.
        for (name, value) in
            [("locking_mode", "EXCLUSIVE"), ("journal_mode", "WAL"), ("synchronous", "FULL")]
        {
            connection.pragma_update(None, name, value)?;
        }
        connection.execute_batch("BEGIN IMMEDIATE")?;
        match connection.query_row("PRAGMA user_version", [], |row| row.get::<_, i64>(0))? {
            0 => connection.execute_batch(TABLES)?,
            VERSION => {}
            other => return Err(format!("the file has tables of the version {other}").into()),
        }
        connection.execute_batch("COMMIT")?;
        connection.set_prepared_statement_cache_capacity(64);
        let (jobs, waiting) = mpsc::channel();
        let worker = std::thread::Builder::new()
            .name("runs-sqlite".into())
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
                    None => done.map_err(AnyError::from),
                    Some(error) => Err(error.into()),
                };
                // The caller may have left.
                drop(answer.send(result));
            })
        });
        drop(self.jobs.as_ref().map(|jobs| jobs.send(job)));
        Box::pin(async { answered.await.unwrap_or_else(|_| Err("the database is closed".into())) })
    }

    /// Changes the row of a run.
    fn set(&self, thread: &str, run_id: &str, change: &'static str) -> StoreFuture<'static, ()> {
        let (thread, run_id) = (thread.to_string(), run_id.to_string());
        self.run(move |sql| {
            execute(
                sql,
                &format!("UPDATE runs SET {change} WHERE thread = ?1 AND run_id = ?2"),
                params![thread, run_id],
            )
        })
    }

    /// Replaces the log of a run. The request is not needed any more; its hash stays.
    fn replace(
        &self,
        thread: &str,
        run_id: &str,
        log: Vec<LogEntry>,
        change: &'static str,
    ) -> StoreFuture<'static, ()> {
        let (thread, run_id) = (thread.to_string(), run_id.to_string());
        self.run(move |sql| {
            let id = first(sql, &format!("SELECT {ID}"), params![thread, run_id], |row| row.get::<_, i64>(0))?;
            let sum = "SELECT coalesce(sum(octet_length(data) + coalesce(octet_length(pieces), 0)), 0) FROM events WHERE run = ?1";
            let before = first(sql, sum, params![id], |row| row.get::<_, i64>(0))?.unwrap_or(0);
            execute(sql, "DELETE FROM events WHERE run = ?1", params![id])?;
            insert(sql, id, &log)?;
            let added = log.iter().map(LogEntry::size).sum::<u64>() as i64 - before;
            execute(sql, "UPDATE threads SET bytes = bytes + ?2 WHERE thread = ?1", params![thread, added])?;
            execute(sql, &format!("UPDATE runs SET {change}, input = '' WHERE id = ?1"), params![id])
        })
    }
}

impl Drop for SqliteStore {
    fn drop(&mut self) {
        self.jobs = None;
        drop(self.worker.take().map(JoinHandle::join));
    }
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

fn execute(sql: &Connection, statement: &str, values: impl Params) -> Result<()> {
    sql.prepare_cached(statement)?.execute(values).map(drop)
}

/// Returns the first row.
fn first<T>(
    sql: &Connection,
    query: &str,
    values: impl Params,
    read: impl FnOnce(&Row<'_>) -> Result<T>,
) -> Result<Option<T>> {
    sql.prepare_cached(query)?.query_row(values, read).optional()
}

fn all<T>(
    sql: &Connection,
    query: &str,
    values: impl Params,
    read: impl FnMut(&Row<'_>) -> Result<T>,
) -> Result<Vec<T>> {
    sql.prepare_cached(query)?.query_map(values, read)?.collect()
}

fn insert(sql: &Connection, run: Option<i64>, log: &[LogEntry]) -> Result<()> {
    for LogEntry { entry, pieces } in log {
        let values = params![run, entry.number as i64, entry.kind, entry.data, pieces];
        execute(
            sql,
            "INSERT INTO events (run, number, kind, data, pieces) VALUES (?1, ?2, ?3, ?4, ?5)",
            values,
        )?;
    }
    Ok(())
}

fn add_messages(sql: &Connection, thread: &str, messages: &[StoredMessage]) -> Result<()> {
    let insert = "INSERT INTO messages (thread, id, role, content, extra, message, is_shown, at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
    for one in messages {
        execute(
            sql,
            insert,
            params![
                thread,
                one.id,
                one.role,
                one.content,
                one.extra,
                one.message,
                one.is_shown,
                one.at as i64
            ],
        )?;
    }
    Ok(())
}

fn state(sql: &Connection, thread: &str) -> Result<Option<ThreadState>> {
    first(
        sql,
        "SELECT owner, generation, base, last, bytes FROM threads WHERE thread = ?1",
        params![thread],
        |row| {
            Ok(ThreadState {
                owner: row.get(0)?,
                generation: row.get(1)?,
                base: row.get(2)?,
                last: unsigned(row, 3)?,
                bytes: unsigned(row, 4)?,
            })
        },
    )
}

fn find(sql: &Connection, thread: &str, run: FindRun<'_>) -> Result<Option<StoredRun>> {
    let (condition, value) = match run {
        FindRun::Id(id) => ("run_id = ?2", id),
        FindRun::Key(key) => ("idempotency_key = ?2", key),
        FindRun::Active => ("status IN ('queued', 'running') AND ?2 = ''", ""),
    };
    let query = format!(
        "SELECT run_id, task_id, status, hash, input, created, canceled, attempts, terminal FROM runs WHERE thread = ?1 AND {condition}"
    );
    first(sql, &query, params![thread, value], |row| {
        Ok(StoredRun {
            run_id: row.get(0)?,
            task_id: row.get(1)?,
            status: match &*row.get::<_, String>(2)? {
                "queued" => RunStatus::Queued,
                "running" => RunStatus::Running,
                "ended" => RunStatus::Ended,
                _ => RunStatus::Expired,
            },
            hash: row.get(3)?,
            input: row.get(4)?,
            created: row.get(5)?,
            canceled: row.get(6)?,
            attempts: unsigned(row, 7)?,
            terminal: row.get::<_, Option<i64>>(8)?.map(|number| number as u64),
        })
    })
}

fn message(row: &Row<'_>) -> Result<StoredMessage> {
    Ok(StoredMessage {
        seq: unsigned(row, 0)?,
        id: row.get(1)?,
        role: row.get(2)?,
        content: row.get(3)?,
        extra: row.get(4)?,
        message: row.get(5)?,
        is_shown: row.get(6)?,
        at: unsigned(row, 7)?,
    })
}

/// Reads a number that was written from a `u64` below 2^63.
fn unsigned(row: &Row<'_>, column: usize) -> Result<u64> {
    row.get::<_, i64>(column).map(|number| number as u64)
}

fn signed(number: u64) -> i64 {
    number.try_into().unwrap_or(i64::MAX)
}

impl RunsStore for SqliteStore {
    fn state<'a>(&'a self, thread: &'a str) -> StoreFuture<'a, Option<ThreadState>> {
        let thread = thread.to_string();
        self.run(move |sql| state(sql, &thread))
    }

    fn find<'a>(&'a self, thread: &'a str, run: FindRun<'a>) -> StoreFuture<'a, Option<StoredRun>> {
        let thread = thread.to_string();
        let (by, name): (fn(&str) -> FindRun<'_>, &str) = match run {
            FindRun::Id(id) => (|id| FindRun::Id(id), id),
            FindRun::Key(key) => (|key| FindRun::Key(key), key),
            FindRun::Active => (|_| FindRun::Active, ""),
        };
        let name = name.to_string();
        self.run(move |sql| find(sql, &thread, by(&name)))
    }

    fn add_run<'a>(&'a self, thread: &'a str, new: NewRun) -> StoreFuture<'a, bool> {
        let thread = thread.to_string();
        self.run(move |sql| {
            let known = state(sql, &thread)?;
            let is_used = |run| find(sql, &thread, run).map(|found| found.is_some());
            if known.as_ref().is_some_and(|known| known.owner != new.owner)
                || is_used(FindRun::Active)?
                || is_used(FindRun::Id(&new.run_id))?
                || new.key.as_deref().is_some_and(|key| !matches!(is_used(FindRun::Key(key)), Ok(false)))
            {
                return Ok(false);
            }
            execute(
                sql,
                "INSERT INTO threads (thread, owner, generation, base, last, bytes) VALUES (?1, ?2, ?3, ?4, 0, 0) ON CONFLICT DO UPDATE SET base = excluded.base",
                params![thread, new.owner, new.generation, new.base],
            )?;
            execute(
                sql,
                "INSERT INTO runs (thread, run_id, task_id, status, hash, idempotency_key, input, created, at) VALUES (?1, ?2, ?3, 'queued', ?4, ?5, ?6, ?7, ?8)",
                params![thread, new.run_id, new.task_id, new.hash, new.key, new.input, known.is_none(), signed(new.at)],
            )?;
            execute(sql, "INSERT OR REPLACE INTO latest_threads (owner, thread) VALUES (?1, ?2)", params![new.owner, thread])?;
            add_messages(sql, &thread, &new.messages)?;
            Ok(true)
        })
    }

    fn start<'a>(&'a self, thread: &'a str, run_id: &'a str) -> StoreFuture<'a, ()> {
        self.set(thread, run_id, "status = 'running', attempts = attempts + 1")
    }

    fn queue_again<'a>(&'a self, thread: &'a str, run_id: &'a str) -> StoreFuture<'a, ()> {
        self.set(thread, run_id, "status = 'queued'")
    }

    fn cancel<'a>(&'a self, thread: &'a str, run_id: &'a str) -> StoreFuture<'a, ()> {
        self.set(thread, run_id, "canceled = 1")
    }

    fn append<'a>(
        &'a self,
        thread: &'a str,
        entries: Arc<[StoredEvent]>,
        end: Option<Vec<StoredMessage>>,
    ) -> StoreFuture<'a, ()> {
        let thread = thread.to_string();
        self.run(move |sql| {
            let Some(last) = entries.last() else { return Ok(()) };
            let id = first(sql, &format!("SELECT {ID}"), params![thread, last.run_id], |row| {
                row.get::<_, Option<i64>>(0)
            })?;
            let number = last.number as i64;
            let mut bytes = 0;
            for StoredEvent { number, kind, data, .. } in entries.iter() {
                let insert = "INSERT INTO events (run, number, kind, data) VALUES (?1, ?2, ?3, ?4)";
                execute(sql, insert, params![id.flatten(), *number as i64, kind, data])?;
                bytes += data.len() as i64;
            }
            execute(
                sql,
                "UPDATE threads SET last = ?2, bytes = bytes + ?3 WHERE thread = ?1",
                params![thread, number, bytes],
            )?;
            if let Some(messages) = end {
                execute(
                    sql,
                    "UPDATE runs SET status = 'ended', terminal = ?2 WHERE id = ?1",
                    params![id.flatten(), number],
                )?;
                add_messages(sql, &thread, &messages)?;
            }
            Ok(())
        })
    }

    fn read<'a>(
        &'a self,
        thread: &'a str,
        run_id: &'a str,
        after: u64,
        limit: usize,
    ) -> StoreFuture<'a, Vec<LogEntry>> {
        let (thread, run_id) = (thread.to_string(), run_id.to_string());
        self.run(move |sql| {
            let query = format!("SELECT number, kind, data, pieces FROM events WHERE run = {ID} AND number > ?3 ORDER BY number LIMIT ?4");
            all(sql, &query, params![thread, run_id, signed(after), signed(limit as u64)], |row| {
                let (number, run_id) = (unsigned(row, 0)?, run_id.clone());
                let entry = StoredEvent { number, run_id, kind: row.get(1)?, data: row.get(2)? };
                Ok(LogEntry { entry, pieces: row.get(3)? })
            })
        })
    }

    fn ended<'a>(&'a self, thread: &'a str) -> StoreFuture<'a, Vec<EndedRun>> {
        let thread = thread.to_string();
        self.run(move |sql| {
            let query = "SELECT run_id, at, is_short FROM runs WHERE thread = ?1 AND status = 'ended' ORDER BY terminal";
            all(sql, query, params![thread], |row| {
                Ok(EndedRun { run_id: row.get(0)?, at: unsigned(row, 1)?, is_short: row.get(2)? })
            })
        })
    }

    fn shorten<'a>(
        &'a self,
        thread: &'a str,
        run_id: &'a str,
        log: Vec<LogEntry>,
    ) -> StoreFuture<'a, ()> {
        self.replace(thread, run_id, log, "is_short = 1")
    }

    fn expire<'a>(&'a self, thread: &'a str, run_id: &'a str) -> StoreFuture<'a, ()> {
        self.replace(thread, run_id, Vec::new(), "status = 'expired'")
    }

    fn messages_of<'a>(
        &'a self,
        thread: &'a str,
        id: &'a str,
        role: &'a str,
    ) -> StoreFuture<'a, Vec<String>> {
        let values = [thread, id, role].map(str::to_string);
        self.run(move |sql| {
            let query = "SELECT message FROM messages WHERE thread = ?1 AND id = ?2 AND role = ?3";
            all(sql, query, values, |row| row.get(0))
        })
    }

    fn has_call<'a>(&'a self, thread: &'a str, call_id: &'a str) -> StoreFuture<'a, bool> {
        let (thread, call_id) = (thread.to_string(), call_id.to_string());
        self.run(move |sql| {
            // The functions of SQLite for JSON end a text at NUL, so they only find the candidates.
            let query = "SELECT message FROM messages WHERE thread = ?1 AND role = 'assistant' AND instr(message, ?2) > 0";
            let mut statement = sql.prepare_cached(query)?;
            let json = Value::from(&*call_id).to_json();
            for message in statement.query_map(params![thread, json], |row| row.get::<_, String>(0))? {
                if has_call(&message?, &call_id) {
                    return Ok(true);
                }
            }
            Ok(false)
        })
    }

    fn latest_messages<'a>(
        &'a self,
        thread: &'a str,
        limit: usize,
    ) -> StoreFuture<'a, Vec<String>> {
        let thread = thread.to_string();
        self.run(move |sql| {
            let mut statement = sql.prepare_cached(
                "SELECT message FROM messages WHERE thread = ?1 ORDER BY seq DESC",
            )?;
            let (mut latest, mut size) = (Vec::new(), 0);
            // Only the rows that are used are read.
            for message in statement.query_map([thread], |row| row.get::<_, String>(0))? {
                let message = message?;
                size += message.len();
                if size > limit {
                    break;
                }
                latest.push(message);
            }
            latest.reverse();
            Ok(latest)
        })
    }

    fn history<'a>(
        &'a self,
        thread: &'a str,
        before: &'a str,
        before_seq: u64,
        limit: usize,
    ) -> StoreFuture<'a, HistoryPage> {
        let (thread, before, before_seq) =
            (thread.to_string(), before.to_string(), signed(before_seq));
        self.run(move |sql| {
            let shown =
                format!("FROM messages WHERE thread = ?1 AND is_shown = 1 AND seq < ?2 AND {DAY}");
            let query = format!("SELECT max({DAY}) {shown} < ?3");
            let day = first(sql, &query, params![thread, before_seq, before], |row| {
                row.get::<_, Option<String>>(0)
            })?;
            let Some(day) = day.flatten() else { return Ok(HistoryPage::default()) };
            let query = format!("SELECT {MESSAGE} {shown} = ?3 ORDER BY seq DESC");
            let mut statement = sql.prepare_cached(&query)?;
            let (mut messages, mut size, mut is_cut) = (Vec::new(), 0, false);
            for one in statement.query_map(params![thread, before_seq, day], message)? {
                let one = one?;
                size += one.content.len() + one.extra.len();
                if !messages.is_empty() && size > limit {
                    is_cut = true;
                    break;
                }
                messages.push(one);
            }
            messages.reverse();
            let from = messages.first().map_or(0, |one| signed(one.seq));
            let query = format!("SELECT 1 {shown} < ?3 LIMIT 1");
            let has_more =
                is_cut || first(sql, &query, params![thread, from, before], |_| Ok(()))?.is_some();
            Ok(HistoryPage {
                day: Some(day),
                has_more,
                messages,
                before_seq: is_cut.then_some(from as u64),
            })
        })
    }

    fn delete<'a>(&'a self, thread: &'a str) -> StoreFuture<'a, ()> {
        let thread = thread.to_string();
        self.run(move |sql| {
            execute(
                sql,
                "DELETE FROM events WHERE run IN (SELECT id FROM runs WHERE thread = ?1)",
                params![thread],
            )?;
            for table in ["runs", "messages", "threads"] {
                execute(sql, &format!("DELETE FROM {table} WHERE thread = ?1"), params![thread])?;
            }
            Ok(())
        })
    }

    fn latest_thread<'a>(&'a self, user: &'a str) -> StoreFuture<'a, Option<String>> {
        let user = user.to_string();
        self.run(move |sql| {
            first(sql, "SELECT thread FROM latest_threads WHERE owner = ?1", [user], |row| {
                row.get(0)
            })
        })
    }

    fn due(&self, time: u64) -> StoreFuture<'_, Vec<String>> {
        self.run(move |sql| {
            let query = "SELECT DISTINCT thread FROM runs WHERE status IN ('queued', 'running') OR (status = 'ended' AND is_short = 0 AND at < ?1)";
            all(sql, query, params![signed(time)], |row| row.get(0))
        })
    }
}
