//! Stores of logs, on which services keep their threads, runs, messages, tasks and histories.
//!
//! A store implements [`LogStore`], which is four methods: append to a log, read it, list logs,
//! delete one; and `watch` for a store that several processes use. [`MemoryStore`] keeps logs in
//! memory. With the feature `sqlite`, `SqliteStore` keeps them in a file; with `postgres` and
//! `redis`, `PostgresStore` and `RedisStore` keep them in databases that several processes share.
//! The tables and keys are those of the npm package's stores: a service in Rust and one in
//! JavaScript read each other's data.
//!
//! Everything else is derived from logs by code that all stores share. An author of another store
//! checks it with [`testing::check_store`].

mod changes;
mod memory;
mod open;
#[cfg(feature = "postgres")]
mod postgres;
#[cfg(feature = "redis")]
mod redis;
#[cfg(any(feature = "sqlite", feature = "postgres"))]
mod sql;
#[cfg(feature = "sqlite")]
mod sqlite;
pub mod testing;
#[cfg(feature = "store-tls")]
mod tls;

use std::boxed::Box;
use std::error::Error;
use std::future::Future;
use std::pin::Pin;
use std::string::String;
use std::sync::Arc;
use std::time::Duration;
use std::vec::Vec;

pub use changes::{Changes, Reports};
pub use memory::MemoryStore;
pub use open::open;
#[cfg(feature = "postgres")]
pub use postgres::PostgresStore;
#[cfg(feature = "redis")]
pub use redis::RedisStore;
#[cfg(feature = "sqlite")]
pub use sqlite::SqliteStore;

/// An error of a store: of its database, or of its network.
pub type StoreError = Box<dyn Error + Send + Sync>;

/// The result of a method of a store.
pub type StoreFuture<'a, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 'a>>;

/// The head of a log, which is replaced by each append. Its texts, like those of entries, have no
/// NUL.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LogHead {
    /// The list to which the log belongs.
    pub label: Option<String>,
    /// The place of the log in its list, below 2^53.
    pub at: u64,
    /// The place of the log in the list of logs with work to do, if it has any, below 2^53.
    pub due: Option<u64>,
    /// The state that is derived from the log, or the content of a log without entries.
    pub data: String,
}

/// An entry of a log.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LogEntry {
    /// The place of the entry: above that of the entry before it, and below 2^53.
    pub position: u64,
    /// At most 1,900,000 bytes.
    pub text: String,
}

/// A part of a log.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LogPage {
    /// The head; `None` if the log does not exist.
    pub head: Option<LogHead>,
    /// The position of the last entry of the log; 0 without entries.
    pub last: u64,
    /// The entries.
    pub entries: Vec<LogEntry>,
}

/// A log in a list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListedLog {
    /// Its name.
    pub log: String,
    /// Its head.
    pub head: LogHead,
}

/// The list that a query is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LogList {
    /// The logs with this label, from the highest [`at`](LogHead::at) to the lowest; those with the
    /// same place in the descending order of their names.
    Label(String),
    /// The logs with a [`due`](LogHead::due) of at most this number, from the lowest to the
    /// highest; those with the same place in the ascending order of their names.
    Due(u64),
}

/// A query of logs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogQuery {
    /// The list.
    pub list: LogList,
    /// The last log of the previous page.
    pub after: Option<ListedLog>,
    /// The maximum number of logs.
    pub limit: usize,
}

/// A store of logs.
///
/// The name of a log, and a label, has at most 300 characters, each of them a letter of ASCII, a
/// digit, or one of `-_./`. Each method is atomic for its log; no method changes two logs. A
/// method that writes ends when its writes are durable, and later reads see them. A method that
/// fails, and a future that is dropped, may have written or not.
pub trait LogStore: Send + Sync + 'static {
    /// Appends entries to a log whose last entry has the position `after` (0: the log has no
    /// entries, or does not exist), and replaces its head. Returns false, without a change, if the
    /// last entry has another position. Without entries only the head is replaced.
    fn append<'a>(
        &'a self,
        log: &'a str,
        after: u64,
        entries: &'a [LogEntry],
        head: &'a LogHead,
    ) -> StoreFuture<'a, bool>;
    /// Returns the first entries with positions above `after`, at most `limit`, which may be 0; and
    /// the head and the last position, which are not older than the entries.
    fn read<'a>(&'a self, log: &'a str, after: u64, limit: usize) -> StoreFuture<'a, LogPage>;
    /// Returns the logs of a list.
    fn list<'a>(&'a self, query: &'a LogQuery) -> StoreFuture<'a, Vec<ListedLog>>;
    /// Deletes a log; with `last`, only if its last entry has this position.
    fn delete<'a>(&'a self, log: &'a str, last: Option<u64>) -> StoreFuture<'a, ()>;
    /// Whether several processes use the store. Then it has [`watch`](Self::watch).
    fn is_shared(&self) -> bool {
        false
    }
    /// For stores that several processes use: reports changes by other processes to the log `name`
    /// and to the logs whose names begin with `name/`. Several changes may be one report, and a
    /// report without a change is allowed. The future ends when changes are reported. `name` has
    /// no slash.
    fn watch<'a>(&'a self, name: &'a str) -> StoreFuture<'a, Changes> {
        let _ = name;
        Box::pin(std::future::ready(Ok(Changes::none())))
    }
    /// For stores that several processes use: the time after which a process that does not respond
    /// is replaced; 10 seconds by default.
    fn lease(&self) -> Duration {
        Duration::from_secs(10)
    }
}

impl<S: LogStore + ?Sized> LogStore for Arc<S> {
    fn append<'a>(
        &'a self,
        log: &'a str,
        after: u64,
        entries: &'a [LogEntry],
        head: &'a LogHead,
    ) -> StoreFuture<'a, bool> {
        (**self).append(log, after, entries, head)
    }

    fn read<'a>(&'a self, log: &'a str, after: u64, limit: usize) -> StoreFuture<'a, LogPage> {
        (**self).read(log, after, limit)
    }

    fn list<'a>(&'a self, query: &'a LogQuery) -> StoreFuture<'a, Vec<ListedLog>> {
        (**self).list(query)
    }

    fn delete<'a>(&'a self, log: &'a str, last: Option<u64>) -> StoreFuture<'a, ()> {
        (**self).delete(log, last)
    }

    fn is_shared(&self) -> bool {
        (**self).is_shared()
    }

    fn watch<'a>(&'a self, name: &'a str) -> StoreFuture<'a, Changes> {
        (**self).watch(name)
    }

    fn lease(&self) -> Duration {
        (**self).lease()
    }
}

/// Returns the first part of a name: the one that is watched.
pub fn watched_name(log: &str) -> &str {
    log.split('/').next().unwrap_or(log)
}

/// Returns the error of a database with the tables of a version before this one.
#[cfg(any(feature = "sqlite", feature = "postgres", feature = "redis"))]
fn is_old() -> StoreError {
    "the database was written by an earlier version, whose data is not read any more: use another database, or delete it".into()
}
