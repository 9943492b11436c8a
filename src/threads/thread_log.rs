//! One thread in a store. The log of the thread has a record of each change of its runs, from which
//! an index in memory is made. Each run has a log of its own, and the thread one of its messages.
//!
//! No operation needs two logs at once: the log of a run is written before the record that names it,
//! and its end before the record of the end, which every process that opens the thread repairs. A
//! record is appended after the one that was read last, so changes of two processes exclude each
//! other.

use std::format;
use std::string::{String, ToString};
use std::sync::Arc;
use std::vec::Vec;

use tokio::sync::{Mutex, MutexGuard};
use uuid::Uuid;

use super::index::ThreadIndex;
use super::processes::Processes;
use super::records::{
    RequestText, RunChange, RunStatus, StoredMessage, StoredRun, ThreadRecord, indexed,
};
use super::run_log::{
    NewEvent, after_place, batches, entries_of, events_in, number_at, position_of,
};
use super::thread_memory::{RunEnd, RunHead, ThreadMemory, entries_after, find, head_of};
use super::users::threads_label;
use crate::protocols::runs::log::StoredEvent;
use crate::stores::{LogHead, LogStore, StoreError};

/// The number of entries that are read at once.
pub(super) const PAGE: usize = 64;
/// The number of bytes below which the next read asks for more entries.
const SMALL: usize = 64 * 1024;
const MOST: usize = 1024;

/// A thread that has had a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ThreadState {
    /// The user who owns the thread.
    pub owner: String,
    /// The name of the log inside its cursors. It is random, so that cursors of a deleted thread
    /// are invalid.
    pub generation: String,
    /// The URL of the endpoints at which the last run was created.
    pub base: String,
    /// The number of the last event; 0 without events.
    pub last: u64,
    /// The number of bytes of the events.
    pub bytes: u64,
}

/// A run to store, with the new messages of its request.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct NewRun {
    pub owner: String,
    pub base: String,
    pub run_id: String,
    pub task_id: String,
    pub hash: String,
    pub key: Option<String>,
    /// The body of the request.
    pub input: String,
    /// The time of its creation, in milliseconds since 1970.
    pub at: u64,
    pub messages: Vec<StoredMessage>,
}

/// One thread.
pub(crate) struct ThreadLog {
    pub(super) store: Arc<dyn LogStore>,
    pub(super) id: String,
    processes: Option<Arc<Processes>>,
    memory: Mutex<ThreadMemory>,
}

impl ThreadLog {
    pub fn new(store: Arc<dyn LogStore>, id: &str, processes: Option<Arc<Processes>>) -> Self {
        ThreadLog { store, id: id.into(), processes, memory: Mutex::default() }
    }

    /// Reads the thread; `None` before its first run. The other methods that only read use what was
    /// read last.
    pub async fn state(&self) -> Result<Option<ThreadState>, StoreError> {
        let mut memory = self.memory.lock().await;
        self.refresh(&mut memory).await?;
        let Some(index) = &memory.index else { return Ok(None) };
        let Some(run) = index.runs.last().cloned() else { return Ok(None) };
        let bytes: u64 = index.runs.iter().map(|run| run.bytes).sum();
        let generation = index.generation.clone();
        let head = match run.is_active() {
            true => Some(self.end_of(&mut memory, &run).await?.head),
            false => None,
        };
        Ok(Some(ThreadState {
            owner: run.owner.clone(),
            generation,
            base: run.base.clone(),
            last: head.map_or(run.terminal.unwrap_or(run.before), |head| head.last),
            bytes: bytes + head.map_or(0, |head| head.bytes),
        }))
    }

    pub(super) async fn memory(&self) -> MutexGuard<'_, ThreadMemory> {
        self.memory.lock().await
    }

    /// Returns what is read from the index; the default for a thread without runs.
    async fn of_index<T: Default>(&self, read: impl FnOnce(&ThreadIndex) -> T) -> T {
        self.memory.lock().await.index.as_ref().map(read).unwrap_or_default()
    }

    /// Returns the run of that id.
    pub async fn run(&self, run_id: &str) -> Option<Arc<StoredRun>> {
        self.of_index(|index| index.run(run_id).cloned()).await
    }

    /// Returns the run that was created with that idempotency key.
    pub async fn run_of_key(&self, key: &str) -> Option<Arc<StoredRun>> {
        self.of_index(|index| index.run_of_key(key).cloned()).await
    }

    /// Returns the run that is queued or running: at most one.
    pub async fn active(&self) -> Option<Arc<StoredRun>> {
        self.of_index(|index| index.active().cloned()).await
    }

    /// Returns the last run that was created.
    pub async fn latest(&self) -> Option<Arc<StoredRun>> {
        self.of_index(|index| index.runs.last().cloned()).await
    }

    /// Returns the runs that have ended and have a log, the oldest first.
    pub async fn ended(&self) -> Vec<Arc<StoredRun>> {
        let is_ended = |run: &&Arc<StoredRun>| run.status == RunStatus::Ended;
        self.of_index(|index| index.runs.iter().filter(is_ended).cloned().collect()).await
    }

    /// Returns the body of the request of a run; empty when its log was shortened or has expired.
    pub async fn input(&self, run_id: &str) -> Result<String, StoreError> {
        match self.run(run_id).await {
            Some(run) if !run.is_short && run.status != RunStatus::Expired => {
                Ok(self.request(&run).await?.input.clone())
            }
            _ => Ok(String::new()),
        }
    }

    /// Whether several processes use the store.
    pub fn is_shared(&self) -> bool {
        self.processes.is_some()
    }

    pub(super) fn process(&self) -> &str {
        self.processes.as_ref().map_or("", |processes| &processes.id)
    }

    /// Returns whether this process may drive the active run: no other living process does.
    pub async fn may_drive(&self) -> Result<bool, StoreError> {
        match self.active().await {
            Some(run) => self.may_take(&run).await,
            None => Ok(true),
        }
    }

    async fn may_take(&self, run: &StoredRun) -> Result<bool, StoreError> {
        match &self.processes {
            Some(processes) if run.by != processes.id => Ok(!processes.is_alive(&run.by).await?),
            _ => Ok(true),
        }
    }

    /// Returns whether the run does not exist, or another process has driven it last. A run of this
    /// process whose end another one has recorded is not taken.
    pub async fn is_taken(&self, run_id: &str) -> bool {
        self.run(run_id).await.is_none_or(|run| run.by != self.process())
    }

    /// Stores a queued run with its messages, and the thread with its first run. Returns false,
    /// without a change, if the thread has another owner, the id or the key exists, or a run is
    /// active.
    pub async fn add_run(&self, new: NewRun) -> Result<bool, StoreError> {
        if let Some(processes) = &self.processes {
            processes.taken().await?;
        }
        let NewRun { owner, base, run_id, task_id, hash, key, input, at, messages } = new;
        let label = if owner.is_empty() { None } else { Some(threads_label(&owner)) };
        let request = RequestText { input, messages };
        let mut memory = self.memory.lock().await;
        loop {
            self.refresh(&mut memory).await?;
            let index = memory.index.as_ref();
            let latest = index.and_then(|index| index.runs.last());
            let is_used = index.is_some_and(|index| {
                index.active().is_some()
                    || index.place(&run_id).is_some()
                    || key.as_deref().is_some_and(|key| index.run_of_key(key).is_some())
            });
            if is_used || latest.is_some_and(|latest| latest.owner != owner) {
                return Ok(false);
            }
            let before = latest.map_or(0, |latest| latest.terminal.unwrap_or(latest.before));
            let seq = index.map_or(0, ThreadIndex::seq);
            let log = format!("{}/{}", self.id, Uuid::new_v4());
            let run = StoredRun {
                owner: owner.clone(),
                base: base.clone(),
                run_id: run_id.clone(),
                task_id: task_id.clone(),
                hash: hash.clone(),
                key: key.clone(),
                at,
                by: self.process().into(),
                created: index.is_none(),
                log: log.clone(),
                before,
                seq,
                messages: indexed(&request.messages, seq),
                ..StoredRun::default()
            };
            let head = RunHead { last: before, ..RunHead::default() };
            let entries = entries_of(&request.to_json(), before + 1);
            // Until its first event, the log is in the list of those with work to do: if this
            // process is killed before the record, the log is found.
            let due = LogHead { due: Some(at), ..head_of(head) };
            self.store.append(&log, 0, &entries, &due).await?;
            let is_new = index.is_none();
            if is_new {
                let generation = Uuid::new_v4().simple().to_string()[..8].into();
                memory.index = Some(ThreadIndex::new(generation, label.clone()));
            }
            let added = self.record(&mut memory, ThreadRecord::Run(run)).await;
            if is_new && !matches!(added, Ok(true)) {
                memory.index = None;
            }
            if added? {
                let position = entries.last().map_or(0, |entry| entry.position);
                memory.end = Some(RunEnd { log, head, position });
                memory.is_fresh = self.processes.is_none();
                return Ok(true);
            }
            self.store.delete(&log, None).await?;
        }
    }

    /// Makes this process the one that drives the run: sets the status to running, which counts as
    /// an attempt, or back to queued. Fails if another living process drives it.
    pub async fn set_status(&self, run_id: &str, status: RunStatus) -> Result<(), StoreError> {
        if let Some(processes) = &self.processes {
            processes.taken().await?;
        }
        let mut memory = self.memory.lock().await;
        loop {
            let found = find(&memory, run_id);
            let Some((place, run)) = found.filter(|(_, run)| run.is_active()) else {
                return Err(self.not_held());
            };
            if !self.may_take(&run).await? {
                return Err(self.not_held());
            }
            if run.by != self.process() {
                // The other process may have written until now.
                memory.end = None;
            }
            let attempts = run.attempts + u64::from(status == RunStatus::Running);
            let change = RunChange {
                status: Some(status),
                by: Some(self.process().into()),
                attempts: Some(attempts),
                ..RunChange::default()
            };
            if self.record(&mut memory, ThreadRecord::Change(place, change)).await? {
                return Ok(());
            }
            self.refresh(&mut memory).await?;
        }
    }

    /// Marks the run as canceled.
    pub async fn set_canceled(&self, run_id: &str) -> Result<(), StoreError> {
        let to = |run: &StoredRun| {
            (!run.canceled && run.terminal.is_none())
                .then(|| RunChange { canceled: Some(true), ..RunChange::default() })
        };
        self.change(run_id, to).await.map(drop)
    }

    /// Appends events to the log of the active run; returns the number of the last one. The numbers
    /// of a thread ascend by one. With messages, the run ends with the last event, and these are
    /// its messages. Fails if another process has written to the run.
    pub async fn append(
        &self,
        run_id: &str,
        events: &[NewEvent],
        messages: Option<&[StoredMessage]>,
    ) -> Result<u64, StoreError> {
        let mut memory = self.memory.lock().await;
        let active = memory.index.as_ref().and_then(|index| index.active().cloned());
        let Some(run) = active.filter(|run| run.run_id == run_id) else {
            return Err(self.not_held());
        };
        let RunEnd { log, head, position } = self.end_of(&mut memory, &run).await?;
        if head.terminal.is_some() {
            return Err(self.not_held());
        }
        let mut entries = batches(head.last, events);
        let last = head.last + events.len() as u64;
        if let Some(messages) = messages {
            entries.extend(entries_after(position_of(last), messages));
        }
        let bytes = head.bytes + events.iter().map(|event| event.data.len() as u64).sum::<u64>();
        let head = RunHead { last, bytes, terminal: messages.map(|_| last) };
        if !self.write(&mut memory, &log, position, &entries, &head_of(head)).await? {
            return Err(self.not_held());
        }
        let position = entries.last().map_or(position, |entry| entry.position);
        memory.end = Some(RunEnd { log, head, position });
        if let Some(messages) = messages {
            self.settle(&mut memory, &run, last, bytes, messages).await?;
        }
        Ok(last)
    }

    /// Returns entries of a run with numbers above `after` and at most `until`: fewer than `limit`
    /// only if there are no others, and possibly more. If `after` is within joined pieces, the
    /// first entry has only those after it.
    pub async fn read(
        &self,
        run_id: &str,
        after: u64,
        until: u64,
        limit: usize,
    ) -> Result<Vec<StoredEvent>, StoreError> {
        'log: loop {
            let mut found = Vec::new();
            let Some(run) = self.run(run_id).await else { return Ok(found) };
            if run.status == RunStatus::Expired {
                return Ok(found);
            }
            let mut place = after.max(run.before);
            let mut count = 16;
            while place < until {
                let page = self.store.read(&run.log, position_of(place), count).await?;
                if page.last == 0 {
                    // The log was shortened, or deleted.
                    self.refresh(&mut *self.memory.lock().await).await?;
                    if self.run(run_id).await.is_some_and(|now| now.log != run.log) {
                        continue 'log;
                    }
                    return Ok(found);
                }
                let mut size = 0;
                for entry in &page.entries {
                    size += entry.text.len();
                    for event in events_in(&entry.text, run_id) {
                        let number = event.event.number;
                        if number > place && number <= until {
                            found.push(after_place(event, place));
                            place = number;
                        }
                    }
                }
                let is_end = page.entries.len() < count;
                if found.len() >= limit || is_end {
                    break;
                }
                place = place.max(page.entries.last().map_or(0, |last| number_at(last.position)));
                count = if size < SMALL { (2 * count).min(MOST) } else { count };
            }
            return Ok(found);
        }
    }

    /// Replaces the log of a run that has ended, and clears its input.
    pub async fn shorten(&self, run_id: &str, events: &[NewEvent]) -> Result<(), StoreError> {
        let Some(run) = self.run(run_id).await else { return Ok(()) };
        let log = format!("{}/{}", self.id, Uuid::new_v4());
        let entries = batches(run.before, events);
        let pieces = |event: &NewEvent| -> usize {
            event.pieces.iter().map(|piece| piece.to_string().len() + 1).sum()
        };
        let bytes = events.iter().map(|event| (event.data.len() + pieces(event)) as u64).sum();
        let last = run.terminal.unwrap_or(run.before);
        let head = head_of(RunHead { last, bytes, terminal: run.terminal });
        let mut after = 0;
        for page in entries.chunks(PAGE) {
            self.store.append(&log, after, page, &head).await?;
            after = page.last().map_or(0, |entry| entry.position);
        }
        let name = log.clone();
        let to = move |run: &StoredRun| {
            (run.status == RunStatus::Ended && !run.is_short).then(|| RunChange {
                log: Some(name.clone()),
                bytes: Some(bytes),
                is_short: Some(true),
                ..RunChange::default()
            })
        };
        let is_shorter = self.change(run_id, to).await?;
        self.store.delete(if is_shorter { &run.log } else { &log }, None).await
    }

    /// Deletes the log and the input of a run that has ended. Its record and its messages stay.
    pub async fn expire(&self, run_id: &str) -> Result<(), StoreError> {
        let Some(run) = self.run(run_id).await else { return Ok(()) };
        let to = |run: &StoredRun| {
            (run.status == RunStatus::Ended).then(|| RunChange {
                status: Some(RunStatus::Expired),
                bytes: Some(0),
                ..RunChange::default()
            })
        };
        self.change(run_id, to).await?;
        self.store.delete(&run.log, None).await
    }

    /// Deletes the log of a run without a record, because the process was killed before it.
    pub async fn remove_unrecorded(&self, log: &str) -> Result<(), StoreError> {
        let mut memory = self.memory.lock().await;
        self.refresh(&mut memory).await?;
        let is_known =
            memory.index.as_ref().is_some_and(|index| index.runs.iter().any(|run| run.log == log));
        if is_known { Ok(()) } else { self.store.delete(log, None).await }
    }

    /// Deletes everything.
    pub async fn delete(&self) -> Result<(), StoreError> {
        let mut memory = self.memory.lock().await;
        loop {
            self.refresh(&mut memory).await?;
            if memory.index.is_none() {
                return Ok(());
            }
            if self.record(&mut memory, ThreadRecord::Deleted).await? {
                return self.remove(&mut memory).await;
            }
        }
    }
}
