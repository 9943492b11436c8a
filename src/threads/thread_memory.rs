//! What is known of a thread in memory: how it follows the store, and finishes what a process has
//! left undone.

use std::format;
use std::string::String;
use std::sync::Arc;
use std::vec::Vec;

use super::index::ThreadIndex;
use super::json::{integer, number_of, optional_number, parsed, text_of};
use super::records::{
    RequestText, RunChange, RunStatus, StoredMessage, StoredRun, ThreadRecord, indexed,
};
use super::run_log::{entries_of, position_of, texts_in};
use super::thread_log::{PAGE, ThreadLog};
use super::time::now;
use crate::json::{ObjectWriter, Value};
use crate::stores::{LogEntry, LogHead, StoreError};

/// The state that the head of a run's log has.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RunHead {
    /// The number of the last event.
    pub last: u64,
    pub bytes: u64,
    pub terminal: Option<u64>,
}

/// The present end of the log of an active run.
#[derive(Clone, Debug, Default)]
pub(super) struct RunEnd {
    pub log: String,
    pub head: RunHead,
    /// The position of the last entry.
    pub position: u64,
}

/// What is known of the thread in memory.
#[derive(Debug, Default)]
pub(super) struct ThreadMemory {
    pub index: Option<ThreadIndex>,
    /// Whether the index is known to be that of the store, because no other process writes to it.
    pub is_fresh: bool,
    /// The end of the log of the active run.
    pub end: Option<RunEnd>,
    /// The request that was read last, by the name of its log.
    input: Option<(String, Arc<RequestText>)>,
}

impl ThreadLog {
    /// Deletes the logs of a thread that is marked as deleted.
    pub(super) async fn remove(&self, memory: &mut ThreadMemory) -> Result<(), StoreError> {
        if let Some(index) = &memory.index {
            for run in &index.runs {
                self.store.delete(&run.log, None).await?;
            }
            self.store.delete(&self.messages_log(index), None).await?;
            self.store.delete(&self.id, Some(index.last)).await?;
        }
        *memory = ThreadMemory::default();
        Ok(())
    }

    /// Reads the records that other processes have added, and finishes what one has left undone.
    pub(super) async fn refresh(&self, memory: &mut ThreadMemory) -> Result<(), StoreError> {
        if memory.is_fresh {
            return Ok(());
        }
        loop {
            let last = memory.index.as_ref().map_or(0, |index| index.last);
            let page = self.store.read(&self.id, last, PAGE).await?;
            let Some(head) = page.head else {
                (memory.index, memory.end) = (None, None);
                return Ok(());
            };
            let generation = text_of(&parsed(&head.data), "generation");
            if memory.index.as_ref().is_some_and(|index| index.generation != generation) {
                // The thread was deleted, and created again.
                (memory.index, memory.end) = (None, None);
                continue;
            }
            let index =
                memory.index.get_or_insert_with(|| ThreadIndex::new(generation, head.label));
            let is_full = page.entries.len() == PAGE;
            page.entries.into_iter().for_each(|entry| index.take(entry));
            if is_full {
                continue;
            }
            if index.is_deleted {
                self.remove(memory).await?;
                continue;
            }
            if let Some(run) = index.active().cloned()
                && self.repair(memory, &run).await?
            {
                continue;
            }
            memory.is_fresh = !self.is_shared();
            return Ok(());
        }
    }

    /// Records the end of a run that has one; returns whether it has.
    pub(super) async fn repair(
        &self,
        memory: &mut ThreadMemory,
        run: &Arc<StoredRun>,
    ) -> Result<bool, StoreError> {
        let RunHead { terminal, bytes, .. } = self.end_of(memory, run).await?.head;
        let Some(terminal) = terminal else { return Ok(false) };
        let mut texts: Vec<LogEntry> = Vec::new();
        let mut after = position_of(terminal);
        loop {
            let page = self.store.read(&run.log, after, PAGE).await?;
            let is_end = page.entries.len() < PAGE;
            texts.extend(page.entries);
            if is_end {
                break;
            }
            after = texts.last().map_or(after, |entry| entry.position);
        }
        let messages: Vec<_> =
            texts_in(&texts).iter().map(|text| StoredMessage::parse(0, &text.text)).collect();
        self.settle(memory, run, terminal, bytes, &messages).await?;
        Ok(true)
    }

    /// Copies the messages of a run that has ended, and records its end.
    pub(super) async fn settle(
        &self,
        memory: &mut ThreadMemory,
        run: &Arc<StoredRun>,
        terminal: u64,
        bytes: u64,
        answer: &[StoredMessage],
    ) -> Result<(), StoreError> {
        let Some(messages_log) = memory.index.as_ref().map(|index| self.messages_log(index)) else {
            return Ok(());
        };
        let mut messages = match run.messages.is_empty() {
            true => Vec::new(),
            false => self.request_in(memory, run).await?.messages.clone(),
        };
        messages.extend_from_slice(answer);
        let entries = entries_after(run.seq, &messages);
        if !entries.is_empty() {
            // False if another process was faster.
            self.write(memory, &messages_log, run.seq, &entries, &LogHead::default()).await?;
        }
        let seq = run.messages.last().map_or(run.seq, |message| message.seq);
        let change = RunChange {
            status: Some(RunStatus::Ended),
            terminal: Some(terminal),
            bytes: Some(bytes),
            answer: Some(indexed(answer, seq)),
            ended: Some(answer.first().map_or(run.at, |message| message.at)),
            ..RunChange::default()
        };
        let to = |run: &StoredRun| run.is_active().then(|| change.clone());
        self.change_in(memory, &run.run_id, to).await.map(drop)
    }

    /// Returns the end of the log of an active run.
    pub(super) async fn end_of(
        &self,
        memory: &mut ThreadMemory,
        run: &StoredRun,
    ) -> Result<RunEnd, StoreError> {
        if let Some(end) = &memory.end
            && end.log == run.log
            && run.by == self.process()
        {
            return Ok(end.clone());
        }
        let page = self.store.read(&run.log, 0, 0).await?;
        let log = run.log.clone();
        let Some(head) = page.head else {
            let head = RunHead { last: run.before, ..RunHead::default() };
            return Ok(RunEnd { log, head, position: 0 });
        };
        let head = parsed(&head.data);
        let head = RunHead {
            last: head.get("last").map_or(0, number_of),
            bytes: head.get("bytes").map_or(0, number_of),
            terminal: optional_number(head.get("terminal")),
        };
        let end = RunEnd { log, head, position: page.last };
        memory.end = Some(end.clone());
        Ok(end)
    }

    /// Reads the request of a run, and its messages.
    pub(super) async fn request(&self, run: &StoredRun) -> Result<Arc<RequestText>, StoreError> {
        self.request_in(&mut *self.memory().await, run).await
    }

    pub(super) async fn request_in(
        &self,
        memory: &mut ThreadMemory,
        run: &StoredRun,
    ) -> Result<Arc<RequestText>, StoreError> {
        if let Some((log, text)) = &memory.input
            && *log == run.log
        {
            return Ok(text.clone());
        }
        let page = self.store.read(&run.log, 0, position_of(0) as usize).await?;
        let own = page.entries.iter().filter(|entry| entry.position <= position_of(run.before));
        let text = texts_in(own).first().map(|text| RequestText::parse(&text.text));
        let text = Arc::new(text.unwrap_or_default());
        memory.input = Some((run.log.clone(), text.clone()));
        Ok(text)
    }

    /// Changes a run, after the changes of other processes; returns false if the run does not
    /// exist, or `to` returns `None`.
    pub(super) async fn change(
        &self,
        run_id: &str,
        to: impl Fn(&StoredRun) -> Option<RunChange>,
    ) -> Result<bool, StoreError> {
        self.change_in(&mut *self.memory().await, run_id, to).await
    }

    pub(super) async fn change_in(
        &self,
        memory: &mut ThreadMemory,
        run_id: &str,
        to: impl Fn(&StoredRun) -> Option<RunChange>,
    ) -> Result<bool, StoreError> {
        loop {
            let Some((place, run)) = find(memory, run_id) else { return Ok(false) };
            let Some(change) = to(&run) else { return Ok(false) };
            if self.record(memory, ThreadRecord::Change(place, change)).await? {
                return Ok(true);
            }
            self.take_records(memory).await?;
        }
    }

    /// Reads the records that other processes have added, without a repair.
    pub(super) async fn take_records(&self, memory: &mut ThreadMemory) -> Result<(), StoreError> {
        loop {
            let Some(index) = &mut memory.index else { return Ok(()) };
            let page = self.store.read(&self.id, index.last, PAGE).await?;
            let is_same = page
                .head
                .is_some_and(|head| text_of(&parsed(&head.data), "generation") == index.generation);
            if !is_same {
                (memory.index, memory.end) = (None, None);
                return Ok(());
            }
            let is_full = page.entries.len() == PAGE;
            page.entries.into_iter().for_each(|entry| index.take(entry));
            if !is_full {
                return Ok(());
            }
        }
    }

    /// Appends a record after the last one that was read; returns false if there is another one.
    pub(super) async fn record(
        &self,
        memory: &mut ThreadMemory,
        record: ThreadRecord,
    ) -> Result<bool, StoreError> {
        let Some(index) = &memory.index else { return Ok(false) };
        let last = index.last;
        // The positions of a thread that was deleted are below those of the next one with its name.
        let position = if last == 0 { now() * 1000 } else { last + 1 };
        let entries = entries_of(&record.to_json(), position);
        let head = index.head(&record);
        if !self.write(memory, &self.id, last, &entries, &head).await? {
            return Ok(false);
        }
        if let Some(index) = &mut memory.index {
            entries.into_iter().for_each(|entry| index.take(entry));
        }
        Ok(true)
    }

    /// Appends to a log; the thread is read again after a failure.
    pub(super) async fn write(
        &self,
        memory: &mut ThreadMemory,
        log: &str,
        after: u64,
        entries: &[LogEntry],
        head: &LogHead,
    ) -> Result<bool, StoreError> {
        // Also if this future is dropped.
        let was_fresh = core::mem::take(&mut memory.is_fresh);
        let end = memory.end.take();
        let is_written = self.store.append(log, after, entries, head).await?;
        (memory.is_fresh, memory.end) = (was_fresh && is_written, end);
        Ok(is_written)
    }

    pub(super) fn messages_log(&self, index: &ThreadIndex) -> String {
        format!("{}/{}/messages", self.id, index.generation)
    }

    /// The error of a write by a process that does not drive the run any more.
    pub(super) fn not_held(&self) -> StoreError {
        format!("another process works on the thread {}, or the thread was deleted", self.id).into()
    }
}

pub(super) fn find(memory: &ThreadMemory, run_id: &str) -> Option<(usize, Arc<StoredRun>)> {
    let index = memory.index.as_ref()?;
    let place = index.place(run_id)?;
    index.runs.get(place).map(|run| (place, run.clone()))
}

pub(super) fn head_of(RunHead { last, bytes, terminal }: RunHead) -> LogHead {
    let mut data = String::new();
    let mut head = ObjectWriter::open(&mut data, false);
    integer(&mut head, "last", last);
    integer(&mut head, "bytes", bytes);
    head.value("terminal", Some(&terminal.map_or(Value::Null, |number| (number as i64).into())));
    head.close();
    LogHead { data, ..LogHead::default() }
}

/// Returns messages as entries after a position.
pub(super) fn entries_after(position: u64, messages: &[StoredMessage]) -> Vec<LogEntry> {
    let mut entries: Vec<LogEntry> = Vec::new();
    for message in messages {
        let after = entries.last().map_or(position, |entry| entry.position);
        entries.extend(entries_of(&message.to_json(), after + 1));
    }
    entries
}
