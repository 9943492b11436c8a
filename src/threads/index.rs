//! The state of a thread in memory, which is made from the records of its log.

use std::borrow::ToOwned;
use std::collections::{HashMap, HashSet};
use std::string::String;
use std::sync::Arc;
use std::vec::Vec;

use super::json::object;
use super::records::{IndexedMessage, RunStatus, StoredRun, ThreadRecord};
use super::run_log::texts_in;
use crate::stores::{LogEntry, LogHead};

/// The state of a thread.
#[derive(Clone, Debug)]
pub(super) struct ThreadIndex {
    pub generation: String,
    /// The list of the threads of the owner.
    pub label: Option<String>,
    /// The position of the last record.
    pub last: u64,
    pub is_deleted: bool,
    pub runs: Vec<Arc<StoredRun>>,
    numbers: HashMap<String, usize>,
    keys: HashMap<String, usize>,
    pub messages: Vec<PlacedMessage>,
    /// The places in `messages` of those with a role and an id.
    places: HashMap<(String, String), Vec<usize>>,
    calls: HashSet<String>,
    /// Parts of a large record.
    parts: Vec<LogEntry>,
}

/// A message by its number, and its time.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlacedMessage {
    pub seq: u64,
    pub at: u64,
}

impl ThreadIndex {
    pub fn new(generation: String, label: Option<String>) -> Self {
        ThreadIndex {
            generation,
            label,
            last: 0,
            is_deleted: false,
            runs: Vec::new(),
            numbers: HashMap::new(),
            keys: HashMap::new(),
            messages: Vec::new(),
            places: HashMap::new(),
            calls: HashSet::new(),
            parts: Vec::new(),
        }
    }

    /// The active run: only the last one can be.
    pub fn active(&self) -> Option<&Arc<StoredRun>> {
        self.runs.last().filter(|run| run.is_active())
    }

    /// The number of the last message.
    pub fn seq(&self) -> u64 {
        self.messages.last().map_or(0, |message| message.seq)
    }

    /// Returns the place of a run.
    pub fn place(&self, run_id: &str) -> Option<usize> {
        self.numbers.get(run_id).copied()
    }

    pub fn run(&self, run_id: &str) -> Option<&Arc<StoredRun>> {
        self.runs.get(self.place(run_id)?)
    }

    pub fn run_of_key(&self, key: &str) -> Option<&Arc<StoredRun>> {
        self.runs.get(*self.keys.get(key)?)
    }

    pub fn places_of(&self, role: &str, id: &str) -> &[usize] {
        self.places.get(&(role.to_owned(), id.to_owned())).map_or(&[], |places| places)
    }

    pub fn has_call(&self, id: &str) -> bool {
        self.calls.contains(id)
    }

    /// Applies an entry that follows the last one.
    pub fn take(&mut self, entry: LogEntry) {
        if entry.position <= self.last {
            return;
        }
        self.last = entry.position;
        self.parts.push(entry);
        if let Some(record) = texts_in(&self.parts).pop() {
            self.parts.clear();
            if let Some(record) = ThreadRecord::parse(&record.text) {
                self.apply(record);
            }
        }
    }

    fn apply(&mut self, record: ThreadRecord) {
        match record {
            ThreadRecord::Run(run) => {
                self.numbers.insert(run.run_id.clone(), self.runs.len());
                if let Some(key) = &run.key {
                    self.keys.insert(key.clone(), self.runs.len());
                }
                self.add(&run.messages, run.at);
                self.runs.push(Arc::new(run));
            }
            ThreadRecord::Change(at, change) => {
                if let Some(run) = self.runs.get_mut(at) {
                    *run = Arc::new(change.apply(run));
                    let (answer, ended) = (change.answer.unwrap_or_default(), change.ended);
                    self.add(&answer, ended.unwrap_or(0));
                }
            }
            ThreadRecord::Deleted => self.is_deleted = true,
        }
    }

    fn add(&mut self, messages: &[IndexedMessage], at: u64) {
        for IndexedMessage { seq, role, id, calls } in messages {
            let places = self.places.entry((role.clone(), id.clone())).or_default();
            places.push(self.messages.len());
            self.messages.push(PlacedMessage { seq: *seq, at });
            self.calls.extend(calls.iter().cloned());
        }
    }

    /// Returns the head of the log after a record.
    pub fn head(&self, record: &ThreadRecord) -> LogHead {
        let mut changed = None;
        let mut added = None;
        match record {
            ThreadRecord::Deleted => {
                let data = object(|head| head.string("generation", Some(&self.generation)));
                return LogHead { label: None, at: 0, due: Some(0), data };
            }
            ThreadRecord::Run(run) => added = Some(run),
            ThreadRecord::Change(at, change) => {
                changed = self.runs.get(*at).map(|run| (*at, change.apply(run)));
            }
        }
        let before = self.runs.iter().enumerate().map(|(at, run)| match &changed {
            Some((place, run)) if *place == at => run,
            _ => &**run,
        });
        let mut latest = None;
        let mut whole = None;
        for run in before.chain(added) {
            if whole.is_none() && run.status == RunStatus::Ended && !run.is_short {
                whole = Some(run.at);
            }
            latest = Some(run);
        }
        let active = latest.filter(|run| run.is_active());
        let data = object(|head| {
            head.string("generation", Some(&self.generation));
            head.string("by", active.map(|run| &*run.by));
        });
        LogHead {
            label: self.label.clone(),
            at: latest.map_or(0, |run| run.at),
            due: if active.is_some() { Some(0) } else { whole },
            data,
        }
    }
}
