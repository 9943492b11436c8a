//! The events that one reader of a log is sent.

use alloc::string::String;

use super::entry::LogPiece;
use super::entry::{StoredEvent, frame};
use crate::protocols::runs::cursor::Cursor;
use crate::protocols::runs::event::is_terminal;
use crate::sse;

/// The reading end of one connection: the events of one run, strictly after a place of the thread's
/// log. (C.2, E5 to E9.)
///
/// The caller passes the log's entries in order ([`read`](Self::read)) and reports each period
/// without entries ([`idle`](Self::idle)). The stream ends with the terminal event of its own run,
/// or after `idle_limit` such periods in a row; then [`end`](Self::end) returns the reason, and the
/// caller closes the connection.
///
/// Pieces of one text that directly follow each other are sent as one event, under the cursor of
/// the last piece, unless the reader has waited for them: a long answer is replayed in few events
/// with the same result.
#[derive(Clone, Debug)]
pub struct Subscription {
    run_id: String,
    generation: String,
    after: u64,
    idle_limit: u32,
    idle: u32,
    end: Option<SubscriptionEnd>,
    /// An event to which further pieces can be joined.
    piece: Option<LogPiece>,
}

/// Why a connection ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SubscriptionEnd {
    /// The run's terminal event was sent.
    Terminal,
    /// There was no event to send for too long; the run continues. The client reconnects with its
    /// cursor.
    Idle,
}

impl Subscription {
    /// Creates a reader of a run's events after a place of the log. `idle_limit` is the number of
    /// idle periods in a row after which the connection is closed.
    pub fn new(run_id: impl Into<String>, after: Cursor, idle_limit: u32) -> Self {
        Subscription {
            run_id: run_id.into(),
            generation: after.generation,
            after: after.number,
            idle_limit,
            idle: 0,
            end: None,
            piece: None,
        }
    }

    /// Returns the number of the last entry that was passed: continue to read the log after it.
    pub fn after(&self) -> u64 {
        self.after
    }

    /// Returns the reason why the connection must be closed, if it must.
    pub fn end(&self) -> Option<SubscriptionEnd> {
        self.end
    }

    /// Processes the next entry and appends the bytes to send to `out`. Entries that were passed
    /// before, and those of other runs, are skipped.
    pub fn read(&mut self, entry: &StoredEvent, out: &mut String) {
        if self.end.is_some() || entry.number <= self.after {
            return;
        }
        self.after = entry.number;
        if entry.run_id != self.run_id {
            return;
        }
        self.idle = 0;
        if self.piece.as_mut().is_some_and(|piece| piece.join(entry)) {
            return;
        }
        self.flush(out);
        self.piece = LogPiece::of(entry);
        if self.piece.is_none() {
            frame(out, &self.generation, entry.number, &entry.kind, &entry.data);
        }
        if is_terminal(&entry.kind) {
            self.end = Some(SubscriptionEnd::Terminal);
        }
    }

    /// Writes the piece that was held for joining, because the log has no further entry for now.
    pub fn flush(&mut self, out: &mut String) {
        if let Some(piece) = self.piece.take() {
            let (number, kind, data) = piece.into_parts();
            frame(out, &self.generation, number, &kind, &data);
        }
    }

    /// Reports an idle period, after which the reader needs a sign that the connection is alive:
    /// appends a comment to `out`. The connection ends when the limit is reached.
    pub fn idle(&mut self, out: &mut String) {
        if self.end.is_some() {
            return;
        }
        self.flush(out);
        sse::comment(out, "keep-alive");
        self.idle += 1;
        if self.idle >= self.idle_limit {
            self.end = Some(SubscriptionEnd::Idle);
        }
    }
}
