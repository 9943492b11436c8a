//! The service's side: the events of a thread's runs, kept in order, and sent from any place on.
//!
//! An event is an [`Entry`]: its number in the log, its run, its type, and its JSON as it was written. [`EventLog`] keeps
//! them in memory. A service that stores them elsewhere uses the two machines that it is made of, [`Writer`] and
//! [`Subscription`], and hands over the entries that it has read.

mod compact;
mod entry;
mod subscription;
mod writer;

use alloc::{borrow::ToOwned, string::String, vec::Vec};

pub use entry::{Entry, frame};
pub use subscription::{End, Subscription};
pub use writer::{Writer, run_error};

use super::cursor::{Cursor, is_generation};
use super::problem::{Code, Refusal};
use crate::bytes::string_map::StringMap;
use crate::core::UsageError;

/// The log of one thread, in memory.
#[derive(Clone, Debug)]
pub struct EventLog {
    generation: String,
    entries: Vec<Entry>,
    /// The place of the terminal event of each run that has one.
    terminals: StringMap<u64>,
    active: Option<Writer>,
}

impl EventLog {
    /// An empty log. The generation is its name inside cursors: 1 to 64 letters, digits and `_`; other characters become
    /// `_`.
    pub fn new(generation: &str) -> Self {
        let mut name: String = generation.chars().take(64).collect();
        if !is_generation(&name) {
            name = name.chars().map(|one| if one.is_ascii_alphanumeric() { one } else { '_' }).collect();
            name.push_str(if name.is_empty() { "_" } else { "" });
        }
        EventLog { generation: name, entries: Vec::new(), terminals: StringMap::default(), active: None }
    }

    /// Appends an event and returns its number. Refuses what the run may not say: see [`Writer::append`]. A run begins with
    /// its `RUN_STARTED`, when no other is active.
    pub fn append(&mut self, data: &str) -> Result<u64, UsageError> {
        let mut writer = match self.active.take() {
            Some(writer) => writer,
            None => Writer::of_first(data, |run| self.terminals.get(run).is_some())?,
        };
        let appended = writer.append(data);
        let run_id = writer.run_id().to_owned();
        let is_over = writer.is_over();
        if writer.has_begun() && !is_over {
            self.active = Some(writer);
        }
        let kind = appended?;
        let number = self.entries.len() as u64 + 1;
        if is_over {
            self.terminals.insert(&run_id, number);
        }
        self.entries.push(Entry { number, run_id, kind, data: data.to_owned() });
        Ok(number)
    }

    /// The entries after a place, in order.
    pub fn after(&self, number: u64) -> &[Entry] {
        let from = usize::try_from(number).unwrap_or(usize::MAX).min(self.entries.len());
        &self.entries[from..]
    }

    /// The place that a `Last-Event-ID` names; without one, that before the first entry.
    /// [`Code::InvalidLastEventId`] for what is no cursor, or is one of another log or of the future.
    pub fn position(&self, last_event_id: Option<&str>) -> Result<Cursor, Refusal> {
        let Some(text) = last_event_id.filter(|text| !text.is_empty()) else {
            return Ok(Cursor { generation: self.generation.clone(), number: 0 });
        };
        let cursor = Cursor::parse(text)?;
        if cursor.generation != self.generation || cursor.number > self.entries.len() as u64 {
            return Err(Refusal::new(
                Code::InvalidLastEventId,
                "the Last-Event-ID is a cursor of another log",
            ));
        }
        Ok(cursor)
    }

    /// The number of a run's terminal event, once it has one. A reader whose cursor is there or later has nothing to wait
    /// for and is answered 204, which stops also a browser's `EventSource`.
    pub fn terminal(&self, run_id: &str) -> Option<u64> {
        self.terminals.get(run_id).copied()
    }

    /// Gives a reader what it has not been sent yet, as bytes of its stream.
    pub fn read(&self, reader: &mut Subscription, out: &mut String) {
        for entry in self.after(reader.after()) {
            reader.read(entry, out);
        }
        reader.flush(out);
    }
}
