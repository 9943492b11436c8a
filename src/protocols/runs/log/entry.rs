//! One event of a log.

use alloc::string::String;

use crate::protocols::runs::cursor::Cursor;
use crate::sse;

/// An event of a run, as stored.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The place in the thread's log; the first is 1. Later entries have larger numbers.
    pub number: u64,
    /// The id of the run.
    pub run_id: String,
    /// The event's `type`.
    pub kind: String,
    /// The event, as JSON.
    pub data: String,
}

/// Appends the bytes of an event's frame: `id`, `event` and `data` lines and the blank one.
pub fn frame(out: &mut String, generation: &str, number: u64, kind: &str, data: &str) {
    sse::event(out, Some(&Cursor::text(generation, number)), Some(kind), data);
}
