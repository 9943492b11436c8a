//! The store in memory: for tests, and for services that may lose everything.

use std::boxed::Box;
use std::collections::HashMap;
use std::future::ready;
use std::string::{String, ToString};
use std::sync::{Arc, Mutex, PoisonError};
use std::vec::Vec;

use super::store::{
    EndedRun, FindRun, HistoryPage, LogEntry, NewRun, RunStatus, RunsStore, StoreFuture,
    StoredMessage, StoredRun, ThreadState, has_call,
};
use crate::core::id::iso8601;
use crate::emit::AnyError;
use crate::protocols::runs::log::StoredEvent;

/// A store in memory, for tests and for services that may lose everything.
#[derive(Debug, Default)]
pub struct MemoryStore(Mutex<Threads>);

#[derive(Debug, Default)]
struct Threads {
    threads: HashMap<String, MemoryThread>,
    latest: HashMap<String, String>,
}

#[derive(Debug)]
struct MemoryThread {
    state: ThreadState,
    /// In the order of their creation: the active one is the last.
    runs: Vec<MemoryRun>,
    messages: Vec<StoredMessage>,
}

#[derive(Debug)]
struct MemoryRun {
    run: StoredRun,
    at: u64,
    is_short: bool,
    key: Option<String>,
    log: Vec<LogEntry>,
}

impl MemoryStore {
    fn with<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Threads) -> T,
    ) -> StoreFuture<'static, T> {
        // A panic of `work` leaves a consistent state, or none that matters.
        let done = work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner));
        Box::pin(ready(Ok(done)))
    }

    /// Calls `work` with a thread; returns the default for a thread that does not exist.
    fn on<T: Send + Default + 'static>(
        &self,
        thread: &str,
        work: impl FnOnce(&mut MemoryThread) -> T,
    ) -> StoreFuture<'static, T> {
        self.with(|all| all.threads.get_mut(thread).map(work).unwrap_or_default())
    }

    /// Calls `work` with a run, which must exist.
    fn change(
        &self,
        thread: &str,
        run_id: &str,
        work: impl FnOnce(&mut ThreadState, &mut MemoryRun),
    ) -> StoreFuture<'static, ()> {
        let done = self.with(|all| {
            let MemoryThread { state, runs, .. } = all.threads.get_mut(thread)?;
            runs.iter_mut().find(|run| run.run.run_id == run_id).map(|run| work(state, run))
        });
        Box::pin(async { done.await?.ok_or_else(missing) })
    }
}

fn missing() -> AnyError {
    "the store has no such run".into()
}

impl MemoryThread {
    fn find(&self, run: FindRun<'_>) -> Option<&MemoryRun> {
        self.runs.iter().rev().find(|one| match run {
            FindRun::Id(id) => one.run.run_id == id,
            FindRun::Key(key) => one.key.as_deref() == Some(key),
            FindRun::Active => matches!(one.run.status, RunStatus::Queued | RunStatus::Running),
        })
    }

    fn add_messages(&mut self, messages: Vec<StoredMessage>) {
        for message in messages {
            let seq = self.messages.len() as u64 + 1;
            self.messages.push(StoredMessage { seq, ..message });
        }
    }

    fn ended(&self) -> impl Iterator<Item = &MemoryRun> {
        self.runs.iter().filter(|run| run.run.status == RunStatus::Ended)
    }
}

impl MemoryRun {
    fn replace(&mut self, state: &mut ThreadState, log: Vec<LogEntry>) {
        let size = |log: &[LogEntry]| log.iter().map(LogEntry::size).sum::<u64>();
        state.bytes = state.bytes - size(&self.log) + size(&log);
        self.log = log;
        self.run.input.clear();
    }
}

impl RunsStore for MemoryStore {
    fn state<'a>(&'a self, thread: &'a str) -> StoreFuture<'a, Option<ThreadState>> {
        self.on(thread, |thread| Some(thread.state.clone()))
    }

    fn find<'a>(&'a self, thread: &'a str, run: FindRun<'a>) -> StoreFuture<'a, Option<StoredRun>> {
        self.on(thread, |thread| thread.find(run).map(|found| found.run.clone()))
    }

    fn add_run<'a>(&'a self, thread: &'a str, new: NewRun) -> StoreFuture<'a, bool> {
        self.with(|all| {
            let known = all.threads.get(thread);
            let rejection = known.is_some_and(|known| {
                let is_used = |run| known.find(run).is_some();
                known.state.owner != new.owner
                    || is_used(FindRun::Active)
                    || is_used(FindRun::Id(&new.run_id))
                    || new.key.as_deref().is_some_and(|key| is_used(FindRun::Key(key)))
            });
            if rejection {
                return false;
            }
            let created = known.is_none();
            let known = all.threads.entry(thread.to_string()).or_insert_with(|| MemoryThread {
                state: ThreadState {
                    owner: new.owner.clone(),
                    generation: new.generation,
                    base: String::new(),
                    last: 0,
                    bytes: 0,
                },
                runs: Vec::new(),
                messages: Vec::new(),
            });
            known.state.base = new.base;
            known.runs.push(MemoryRun {
                run: StoredRun {
                    run_id: new.run_id,
                    task_id: new.task_id,
                    status: RunStatus::Queued,
                    hash: new.hash,
                    input: new.input,
                    created,
                    canceled: false,
                    attempts: 0,
                    terminal: None,
                },
                at: new.at,
                is_short: false,
                key: new.key,
                log: Vec::new(),
            });
            known.add_messages(new.messages);
            all.latest.insert(new.owner, thread.to_string());
            true
        })
    }

    fn start<'a>(&'a self, thread: &'a str, run_id: &'a str) -> StoreFuture<'a, ()> {
        self.change(thread, run_id, |_, MemoryRun { run, .. }| {
            run.status = RunStatus::Running;
            run.attempts += 1;
        })
    }

    fn queue_again<'a>(&'a self, thread: &'a str, run_id: &'a str) -> StoreFuture<'a, ()> {
        self.change(thread, run_id, |_, run| run.run.status = RunStatus::Queued)
    }

    fn cancel<'a>(&'a self, thread: &'a str, run_id: &'a str) -> StoreFuture<'a, ()> {
        self.change(thread, run_id, |_, run| run.run.canceled = true)
    }

    fn append<'a>(
        &'a self,
        thread: &'a str,
        entries: Arc<[StoredEvent]>,
        end: Option<Vec<StoredMessage>>,
    ) -> StoreFuture<'a, ()> {
        let done = self.with(|all| {
            let thread = all.threads.get_mut(thread)?;
            let last = entries.last()?;
            let run = thread.runs.iter_mut().find(|run| run.run.run_id == last.run_id)?;
            let added = entries.iter().map(|entry| LogEntry { entry: entry.clone(), pieces: None });
            let from = run.log.len();
            run.log.extend(added);
            thread.state.bytes += run.log[from..].iter().map(LogEntry::size).sum::<u64>();
            thread.state.last = last.number;
            if let Some(messages) = end {
                run.run.status = RunStatus::Ended;
                run.run.terminal = Some(last.number);
                thread.add_messages(messages);
            }
            Some(())
        });
        Box::pin(async { done.await?.ok_or_else(missing) })
    }

    fn read<'a>(
        &'a self,
        thread: &'a str,
        run_id: &'a str,
        after: u64,
        limit: usize,
    ) -> StoreFuture<'a, Vec<LogEntry>> {
        self.on(thread, |thread| {
            let log = thread.find(FindRun::Id(run_id)).map_or(&[][..], |run| &run.log);
            let from = log.partition_point(|entry| entry.entry.number <= after);
            log[from..].iter().take(limit).cloned().collect()
        })
    }

    fn ended<'a>(&'a self, thread: &'a str) -> StoreFuture<'a, Vec<EndedRun>> {
        let ended = |MemoryRun { run, at, is_short, .. }: &MemoryRun| EndedRun {
            run_id: run.run_id.clone(),
            at: *at,
            is_short: *is_short,
        };
        self.on(thread, |thread| thread.ended().map(ended).collect())
    }

    fn shorten<'a>(
        &'a self,
        thread: &'a str,
        run_id: &'a str,
        log: Vec<LogEntry>,
    ) -> StoreFuture<'a, ()> {
        self.change(thread, run_id, |state, run| {
            run.replace(state, log);
            run.is_short = true;
        })
    }

    fn expire<'a>(&'a self, thread: &'a str, run_id: &'a str) -> StoreFuture<'a, ()> {
        self.change(thread, run_id, |state, run| {
            run.replace(state, Vec::new());
            run.run.status = RunStatus::Expired;
        })
    }

    fn messages_of<'a>(
        &'a self,
        thread: &'a str,
        id: &'a str,
        role: &'a str,
    ) -> StoreFuture<'a, Vec<String>> {
        self.on(thread, |thread| {
            let found = thread.messages.iter().filter(|one| one.id == id && one.role == role);
            found.map(|one| one.message.clone()).collect()
        })
    }

    fn has_call<'a>(&'a self, thread: &'a str, call_id: &'a str) -> StoreFuture<'a, bool> {
        self.on(thread, |thread| {
            thread
                .messages
                .iter()
                .any(|one| one.role == "assistant" && has_call(&one.message, call_id))
        })
    }

    fn latest_messages<'a>(
        &'a self,
        thread: &'a str,
        limit: usize,
    ) -> StoreFuture<'a, Vec<String>> {
        self.on(thread, |thread| {
            let all: Vec<_> = thread.messages.iter().map(|one| &one.message).collect();
            let from = latest(&all, limit, 0, |message| message.len());
            all[from..].iter().map(ToString::to_string).collect()
        })
    }

    fn history<'a>(
        &'a self,
        thread: &'a str,
        before: &'a str,
        before_seq: u64,
        limit: usize,
    ) -> StoreFuture<'a, HistoryPage> {
        let day_of =
            |message: &StoredMessage| iso8601((message.at / 1000) as i64)[..10].to_string();
        self.on(thread, |thread| {
            let is_asked = |one: &&StoredMessage| {
                one.is_shown && one.seq < before_seq && *day_of(one) < *before
            };
            let all: Vec<_> = thread.messages.iter().filter(is_asked).collect();
            let Some(day) = all.iter().map(|one| day_of(one)).max() else {
                return HistoryPage::default();
            };
            let of_day: Vec<_> = all.iter().copied().filter(|one| day_of(one) == day).collect();
            let from = latest(&of_day, limit, 1, |one| one.content.len() + one.extra.len());
            let messages: Vec<_> = of_day[from..].iter().copied().cloned().collect();
            let first = messages.first().map_or(0, |one| one.seq);
            HistoryPage {
                day: Some(day),
                has_more: all.iter().any(|one| one.seq < first),
                messages,
                before_seq: (from > 0).then_some(first),
            }
        })
    }

    fn delete<'a>(&'a self, thread: &'a str) -> StoreFuture<'a, ()> {
        self.with(|all| drop(all.threads.remove(thread)))
    }

    fn latest_thread<'a>(&'a self, user: &'a str) -> StoreFuture<'a, Option<String>> {
        self.with(|all| all.latest.get(user).cloned())
    }

    fn due(&self, time: u64) -> StoreFuture<'_, Vec<String>> {
        let is_due = |thread: &MemoryThread| {
            thread.find(FindRun::Active).is_some()
                || thread.ended().any(|run| !run.is_short && run.at < time)
        };
        self.with(|all| {
            let due = all.threads.iter().filter(|(_, thread)| is_due(thread));
            due.map(|(id, _)| id.clone()).collect()
        })
    }
}

/// Returns the place of the first of the latest values whose sizes are at most `limit` together,
/// and at least so many.
fn latest<T>(values: &[T], limit: usize, least: usize, size_of: impl Fn(&T) -> usize) -> usize {
    let mut size = 0;
    let fits = |(at, value): &(usize, &T)| {
        size += size_of(value);
        size <= limit || *at < least
    };
    values.len() - values.iter().rev().enumerate().take_while(fits).count()
}
