//! Stores of logs: the checks for authors of stores, and what each database adds to them.

#![expect(clippy::unwrap_used, reason = "a test that unwraps fails where it should")]

#[cfg(unix)]
mod databases;
mod disk;
mod files;

use std::sync::Arc;

use agentwire::stores::testing::check_store;
use agentwire::stores::{
    Changes, ListedLog, LogEntry, LogHead, LogPage, LogQuery, LogStore, MemoryStore, StoreFuture,
};

fn entry(position: u64, text: &str) -> LogEntry {
    LogEntry { position, text: text.to_owned() }
}

fn head(data: &str) -> LogHead {
    LogHead { data: data.to_owned(), ..LogHead::default() }
}

#[tokio::test]
async fn memory_passes_the_checks() {
    let store = Arc::new(MemoryStore::default());
    check_store(store.clone(), store).await.unwrap();
}

/// A store that passes most calls to one in memory.
struct Faulty(MemoryStore);

impl LogStore for Faulty {
    /// Ignores the position after which the entries are appended.
    fn append<'a>(
        &'a self,
        log: &'a str,
        _: u64,
        entries: &'a [LogEntry],
        head: &'a LogHead,
    ) -> StoreFuture<'a, bool> {
        Box::pin(async move {
            let last = self.0.read(log, 0, 0).await?.last;
            self.0.append(log, last, entries, head).await
        })
    }

    fn read<'a>(&'a self, log: &'a str, after: u64, limit: usize) -> StoreFuture<'a, LogPage> {
        self.0.read(log, after, limit)
    }

    /// Omits the first log of each page.
    fn list<'a>(&'a self, query: &'a LogQuery) -> StoreFuture<'a, Vec<ListedLog>> {
        Box::pin(async { Ok(self.0.list(query).await?.into_iter().skip(1).collect()) })
    }

    fn delete<'a>(&'a self, log: &'a str, last: Option<u64>) -> StoreFuture<'a, ()> {
        self.0.delete(log, last)
    }

    fn is_shared(&self) -> bool {
        true
    }

    fn watch<'a>(&'a self, _: &'a str) -> StoreFuture<'a, Changes> {
        Box::pin(async { Err("it cannot be watched".into()) })
    }
}

#[tokio::test]
async fn the_checks_name_what_a_store_does_wrong() {
    let store = Arc::new(Faulty(MemoryStore::default()));
    let other = Arc::new(Faulty(MemoryStore::default()));
    let failed = check_store(store, other).await.unwrap_err();
    let named = failed.to_string();
    for statement in [
        "refuses every other one",
        "one succeeds",
        "by another process",
        "from the highest place",
        "from the lowest place",
        "a log leaves a list",
        "reports changes",
    ] {
        assert!(named.contains(statement), "{statement} is not in {named}");
    }
    assert!(!named.contains("stores every text"), "{named}");
}

#[tokio::test]
async fn a_store_is_opened_by_its_address() {
    let store = agentwire::stores::open("memory").unwrap();
    assert!(store.append("a", 0, &[entry(1, "one")], &head("")).await.unwrap());
    let error = agentwire::stores::open("mysql://root:secret@host").err().unwrap().to_string();
    assert!(error.contains("sqlite:PATH") && !error.contains("secret"), "{error}");
}
