//! The store in memory: for tests, and for services that may lose everything.

use std::borrow::ToOwned;
use std::boxed::Box;
use std::cmp::Ordering;
use std::collections::HashMap;
use std::future::ready;
use std::string::String;
use std::sync::{Mutex, PoisonError};
use std::vec::Vec;

use super::{ListedLog, LogEntry, LogHead, LogList, LogPage, LogQuery, LogStore, StoreFuture};

/// A store in memory, for tests and for services that may lose everything.
#[derive(Debug, Default)]
pub struct MemoryStore(Mutex<HashMap<String, MemoryLog>>);

#[derive(Debug)]
struct MemoryLog {
    head: LogHead,
    entries: Vec<LogEntry>,
}

impl MemoryLog {
    fn last(&self) -> u64 {
        last_of(&self.entries)
    }
}

fn last_of(entries: &[LogEntry]) -> u64 {
    entries.last().map_or(0, |entry| entry.position)
}

impl MemoryStore {
    fn with<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut HashMap<String, MemoryLog>) -> T,
    ) -> StoreFuture<'static, T> {
        // A panic of `work` leaves a consistent state.
        let done = work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner));
        Box::pin(ready(Ok(done)))
    }
}

impl LogStore for MemoryStore {
    fn append<'a>(
        &'a self,
        log: &'a str,
        after: u64,
        entries: &'a [LogEntry],
        head: &'a LogHead,
    ) -> StoreFuture<'a, bool> {
        self.with(|logs| {
            if logs.get(log).map_or(0, MemoryLog::last) != after {
                return false;
            }
            let known = logs
                .entry(log.to_owned())
                .or_insert_with(|| MemoryLog { head: LogHead::default(), entries: Vec::new() });
            known.entries.extend_from_slice(entries);
            known.head = head.clone();
            true
        })
    }

    fn read<'a>(&'a self, log: &'a str, after: u64, limit: usize) -> StoreFuture<'a, LogPage> {
        self.with(|logs| {
            let Some(known) = logs.get(log) else { return LogPage::default() };
            let from = known.entries.partition_point(|entry| entry.position <= after);
            LogPage {
                head: Some(known.head.clone()),
                last: known.last(),
                entries: known.entries[from..].iter().take(limit).cloned().collect(),
            }
        })
    }

    fn list<'a>(&'a self, query: &'a LogQuery) -> StoreFuture<'a, Vec<ListedLog>> {
        self.with(|logs| {
            let mut found: Vec<_> = logs
                .iter()
                .filter(|(_, known)| match &query.list {
                    LogList::Label(label) => known.head.label.as_ref() == Some(label),
                    LogList::Due(due) => known.head.due.is_some_and(|at| at <= *due),
                })
                .map(|(log, known)| (log.as_str(), &known.head))
                .filter(|one| {
                    let after = query.after.as_ref().map(|after| (&*after.log, &after.head));
                    after.is_none_or(|after| order(&query.list, *one, after).is_gt())
                })
                .collect();
            found.sort_by(|one, other| order(&query.list, *one, *other));
            let listed =
                |(log, head): (&str, &LogHead)| ListedLog { log: log.into(), head: head.clone() };
            found.into_iter().take(query.limit).map(listed).collect()
        })
    }

    fn delete<'a>(&'a self, log: &'a str, last: Option<u64>) -> StoreFuture<'a, ()> {
        self.with(|logs| {
            if logs.get(log).is_some_and(|known| last.is_none_or(|last| known.last() == last)) {
                logs.remove(log);
            }
        })
    }
}

/// Returns the order of two logs in a list.
fn order(list: &LogList, one: (&str, &LogHead), other: (&str, &LogHead)) -> Ordering {
    match list {
        LogList::Label(_) => (other.1.at, other.0).cmp(&(one.1.at, one.0)),
        LogList::Due(_) => (one.1.due, one.0).cmp(&(other.1.due, other.0)),
    }
}
