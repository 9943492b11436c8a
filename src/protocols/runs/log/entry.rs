//! One event of a log.

use alloc::string::String;

use crate::protocols::runs::cursor::Cursor;
use crate::sse;

/// An event of a run, as it is kept.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Its place in the thread's log; the first one is 1. A later entry has a larger number.
    pub number: u64,
    /// The run.
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
