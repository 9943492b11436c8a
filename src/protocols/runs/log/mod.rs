//! The service's side: stores the events of a thread's runs in order, and sends them from any
//! place.
//!
//! An event is an [`StoredEvent`]: its number in the log, its run, its type, and its JSON as it was
//! written. [`EventLog`] keeps the entries in memory. A service that stores them elsewhere uses its
//! two parts, [`LogWriter`] and
//! [`Subscription`], and passes the entries that it has read.

mod entry;
mod subscription;
mod writer;

use alloc::{borrow::ToOwned, string::String, vec::Vec};

#[cfg(feature = "runs-server")]
pub(crate) use entry::Joining;
#[cfg(feature = "store")]
pub(crate) use entry::without_units;
pub use entry::{StoredEvent, frame};
pub use subscription::{Subscription, SubscriptionEnd};
pub use writer::{LogWriter, run_error};

use super::cursor::{Cursor, is_generation};
use super::problem::{Code, RefusedRequest};
use crate::bytes::string_map::StringMap;
use crate::core::UsageError;

/// The log of one thread, in memory.
#[derive(Clone, Debug)]
pub struct EventLog {
    generation: String,
    entries: Vec<StoredEvent>,
    /// The place of the terminal event of each run that has one.
    terminals: StringMap<u64>,
    active: Option<LogWriter>,
}

impl EventLog {
    /// Creates an empty log. The generation is the name of the log inside cursors: 1 to 64 letters,
    /// digits and `_`; other characters become `_`.
    pub fn new(generation: &str) -> Self {
        let mut name: String = generation.chars().take(64).collect();
        if !is_generation(&name) {
            name = name
                .chars()
                .map(|one| if one.is_ascii_alphanumeric() { one } else { '_' })
                .collect();
            name.push_str(if name.is_empty() { "_" } else { "" });
        }
        EventLog {
            generation: name,
            entries: Vec::new(),
            terminals: StringMap::default(),
            active: None,
        }
    }

    /// Appends an event and returns its number. Refuses events that are illegal in the run: see
    /// [`LogWriter::append`]. A run begins with `RUN_STARTED`, and only if no other run is active.
    pub fn append(&mut self, data: &str) -> Result<u64, UsageError> {
        let mut writer = match self.active.take() {
            Some(writer) => writer,
            None => LogWriter::of_first(data, |run| self.terminals.get(run).is_some())?,
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
        self.entries.push(StoredEvent { number, run_id, kind, data: data.to_owned() });
        Ok(number)
    }

    /// Returns the entries after a place, in order.
    pub fn after(&self, number: u64) -> &[StoredEvent] {
        let from = usize::try_from(number).unwrap_or(usize::MAX).min(self.entries.len());
        &self.entries[from..]
    }

    /// Returns the place that a `Last-Event-ID` names; without one, the place before the first
    /// entry. Returns
    /// [`Code::InvalidLastEventId`] for a text that is not a cursor, and for a cursor of another log or of a later
    /// entry.
    pub fn position(&self, last_event_id: Option<&str>) -> Result<Cursor, RefusedRequest> {
        let Some(text) = last_event_id.filter(|text| !text.is_empty()) else {
            return Ok(Cursor { generation: self.generation.clone(), number: 0 });
        };
        let cursor = Cursor::parse(text)?;
        if cursor.generation != self.generation || cursor.number > self.entries.len() as u64 {
            return Err(RefusedRequest::new(
                Code::InvalidLastEventId,
                "the Last-Event-ID is a cursor of another log",
            ));
        }
        Ok(cursor)
    }

    /// Returns the number of a run's terminal event, if it has one. A reader whose cursor is there
    /// or later has no more events to wait for, and the answer is 204, which also stops a browser's
    /// `EventSource`.
    pub fn terminal(&self, run_id: &str) -> Option<u64> {
        self.terminals.get(run_id).copied()
    }

    /// Appends to `out` the events that the reader has not been sent, as bytes of its stream.
    pub fn read(&self, reader: &mut Subscription, out: &mut String) {
        for entry in self.after(reader.after()) {
            reader.read(entry, out);
        }
        reader.flush(out);
    }
}
