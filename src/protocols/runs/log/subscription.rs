//! What one reader of a log is sent.

use alloc::string::String;

use super::compact::Piece;
use super::entry::{Entry, frame};
use crate::protocols::runs::cursor::Cursor;
use crate::protocols::runs::event::is_terminal;
use crate::sse;

/// The reading end of one connection: the events of one run, strictly after a place of the thread's log. (C.2, E5 to E9.)
///
/// It is given the log's entries in order ([`read`](Self::read)) and told of each time there was none for a while
/// ([`idle`](Self::idle)). It ends with the terminal event of its own run, or when the reader has been idle so often; once
/// [`end`](Self::end) says so, the connection is to be closed.
///
/// Pieces of one text that follow each other directly go out as one event, under the cursor of the last of them, as long as
/// nobody has waited for them: replaying a long answer costs a few events and makes the same answer.
#[derive(Clone, Debug)]
pub struct Subscription {
    run_id: String,
    generation: String,
    after: u64,
    idle_limit: u32,
    idle: u32,
    end: Option<End>,
    /// An event that more may be added to.
    piece: Option<Piece>,
}

/// Why a connection ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The run's terminal event was sent.
    Terminal,
    /// There was nothing to send for too long; the run goes on. The client comes back with its cursor.
    Idle,
}

impl Subscription {
    /// A reader of a run's events after a place of the log. `idle_limit` is how often it may be idle before its connection
    /// is closed.
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

    /// The number of the last entry that it was given: the log is to be read on from there.
    pub fn after(&self) -> u64 {
        self.after
    }

    /// Why the connection is to be closed, if it is.
    pub fn end(&self) -> Option<End> {
        self.end
    }

    /// Takes the next entry; what is to be sent because of it is appended to `out`. Entries that it was given before, and those
    /// of other runs, are passed over.
    pub fn read(&mut self, entry: &Entry, out: &mut String) {
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
        self.piece = Piece::of(entry);
        if self.piece.is_none() {
            frame(out, &self.generation, entry.number, &entry.kind, &entry.data);
        }
        if is_terminal(&entry.kind) {
            self.end = Some(End::Terminal);
        }
    }

    /// There is no further entry for now: what was kept to be joined goes out.
    pub fn flush(&mut self, out: &mut String) {
        if let Some(piece) = self.piece.take() {
            let (number, kind, data) = piece.into_parts();
            frame(out, &self.generation, number, &kind, &data);
        }
    }

    /// There was no entry for so long that a sign of life is due: a comment is appended to `out`. As often as the limit says,
    /// and the connection ends.
    pub fn idle(&mut self, out: &mut String) {
        if self.end.is_some() {
            return;
        }
        self.flush(out);
        sse::comment(out, "keep-alive");
        self.idle += 1;
        if self.idle >= self.idle_limit {
            self.end = Some(End::Idle);
        }
    }
}
