//! The store of a service: threads with their runs, logs and messages.
//!
//! The structs are exhaustive, because stores outside of this crate create them.

use std::boxed::Box;
use std::future::Future;
use std::pin::Pin;
use std::string::String;
use std::sync::Arc;
use std::vec::Vec;

use crate::core::limits::Limits;
use crate::emit::AnyError;
use crate::json::Value;
use crate::protocols::runs::log::StoredEvent;

/// The result of a method of a store.
pub type StoreFuture<'a, T> = Pin<Box<dyn Future<Output = Result<T, AnyError>> + Send + 'a>>;

/// A store of threads, which belongs to one service.
///
/// A method that writes is atomic, and its future ends when the writes are durable. A future that
/// is dropped may or may not write. The writes of one thread do not overlap, except those of
/// [`add_run`](Self::add_run) and
/// [`cancel`](Self::cancel).
pub trait RunsStore: Send + Sync + 'static {
    /// Returns the thread; `None` before its first run.
    fn state<'a>(&'a self, thread: &'a str) -> StoreFuture<'a, Option<ThreadState>>;
    /// Returns a run of the thread.
    fn find<'a>(&'a self, thread: &'a str, run: FindRun<'a>) -> StoreFuture<'a, Option<StoredRun>>;
    /// Stores a queued run with its messages, the thread with its first run, and the thread as the
    /// owner's latest. Returns false, without a change, if the thread has another owner, the id or
    /// the key exists, or a run is active.
    fn add_run<'a>(&'a self, thread: &'a str, run: NewRun) -> StoreFuture<'a, bool>;
    /// Sets the status to running, which counts as an attempt.
    fn start<'a>(&'a self, thread: &'a str, run_id: &'a str) -> StoreFuture<'a, ()>;
    /// Sets the status of a running run back to queued.
    fn queue_again<'a>(&'a self, thread: &'a str, run_id: &'a str) -> StoreFuture<'a, ()>;
    /// Marks the run as canceled.
    fn cancel<'a>(&'a self, thread: &'a str, run_id: &'a str) -> StoreFuture<'a, ()>;
    /// Appends entries of one run, which follow the last number of the thread. With messages, the
    /// run ends with the last entry, and these are its messages.
    fn append<'a>(
        &'a self,
        thread: &'a str,
        entries: Arc<[StoredEvent]>,
        end: Option<Vec<StoredMessage>>,
    ) -> StoreFuture<'a, ()>;
    /// Returns at most `limit` entries of a run with numbers above `after`, in their order.
    fn read<'a>(
        &'a self,
        thread: &'a str,
        run_id: &'a str,
        after: u64,
        limit: usize,
    ) -> StoreFuture<'a, Vec<LogEntry>>;
    /// Returns the runs that have ended and have a log, the oldest first.
    fn ended<'a>(&'a self, thread: &'a str) -> StoreFuture<'a, Vec<EndedRun>>;
    /// Replaces the log of a run that has ended, and clears its input.
    fn shorten<'a>(
        &'a self,
        thread: &'a str,
        run_id: &'a str,
        log: Vec<LogEntry>,
    ) -> StoreFuture<'a, ()>;
    /// Deletes the log and the input of a run that has ended. Its row and its messages stay.
    fn expire<'a>(&'a self, thread: &'a str, run_id: &'a str) -> StoreFuture<'a, ()>;
    /// Returns the messages of that id and role, as the agent receives them.
    fn messages_of<'a>(
        &'a self,
        thread: &'a str,
        id: &'a str,
        role: &'a str,
    ) -> StoreFuture<'a, Vec<String>>;
    /// Returns whether a message of the assistant has the tool call of that id.
    fn has_call<'a>(&'a self, thread: &'a str, call_id: &'a str) -> StoreFuture<'a, bool>;
    /// Returns the latest messages as the agent receives them, in their order, with at most `limit`
    /// bytes.
    fn latest_messages<'a>(&'a self, thread: &'a str, limit: usize)
    -> StoreFuture<'a, Vec<String>>;
    /// Returns the shown messages with numbers below `before_seq`, of the latest day before
    /// `before` (`YYYY-MM-DD`) that has any. If the day has more than `limit` bytes, returns the
    /// latest messages that fit, at least one.
    fn history<'a>(
        &'a self,
        thread: &'a str,
        before: &'a str,
        before_seq: u64,
        limit: usize,
    ) -> StoreFuture<'a, HistoryPage>;
    /// Deletes everything of a thread.
    fn delete<'a>(&'a self, thread: &'a str) -> StoreFuture<'a, ()>;
    /// Returns the thread of the user's latest run.
    fn latest_thread<'a>(&'a self, user: &'a str) -> StoreFuture<'a, Option<String>>;
    /// Returns the threads that have an active run, or a run that has ended, was created before
    /// `time` and is not shortened.
    fn due(&self, time: u64) -> StoreFuture<'_, Vec<String>>;
}

/// Returns whether a message, which is JSON, has the tool call of that id.
pub(super) fn has_call(message: &str, call_id: &str) -> bool {
    let message = Value::parse(message, Limits::DEEPEST).unwrap_or_default();
    let is_it = |call: &Value| call.text("id") == Some(call_id);
    matches!(message.get("toolCalls"), Some(Value::Array(calls)) if calls.iter().any(is_it))
}

/// How a run is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FindRun<'a> {
    /// By its id.
    Id(&'a str),
    /// By the idempotency key with which it was created.
    Key(&'a str),
    /// The run that is queued or running: at most one.
    Active,
}

/// The status of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunStatus {
    /// It was accepted, and its agent is not running.
    Queued,
    /// Its agent is running, or was when the process stopped.
    Running,
    /// Its terminal event is stored.
    Ended,
    /// It has ended, and its log is deleted.
    Expired,
}

/// A thread that has had a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreadState {
    /// The user who owns the thread.
    pub owner: String,
    /// The name of the log inside its cursors. It is random, so that cursors of a deleted thread
    /// are invalid.
    pub generation: String,
    /// The URL of the endpoints at which the last run was created.
    pub base: String,
    /// The number of the last entry of the log; 0 without entries.
    pub last: u64,
    /// The number of bytes of the log.
    pub bytes: u64,
}

/// A run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredRun {
    /// The id.
    pub run_id: String,
    /// The service's id of the job.
    pub task_id: String,
    /// The status.
    pub status: RunStatus,
    /// The hash of the request's body.
    pub hash: String,
    /// The body of the request; empty when its log was shortened or has expired.
    pub input: String,
    /// Whether the run created its thread.
    pub created: bool,
    /// Whether it was canceled.
    pub canceled: bool,
    /// The number of times that the agent was started.
    pub attempts: u64,
    /// The number of its terminal event; `None` before the end.
    pub terminal: Option<u64>,
}

/// A run that has ended and has a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndedRun {
    /// The id.
    pub run_id: String,
    /// The time of its creation, in milliseconds since 1970.
    pub at: u64,
    /// Whether its log was shortened.
    pub is_short: bool,
}

/// A run to store, with the new messages of its request.
#[derive(Clone, Debug, PartialEq)]
pub struct NewRun {
    /// The user.
    pub owner: String,
    /// The name of the log, if the run creates its thread.
    pub generation: String,
    /// The URL of the endpoints.
    pub base: String,
    /// The id.
    pub run_id: String,
    /// The service's id of the job.
    pub task_id: String,
    /// The hash of the request's body.
    pub hash: String,
    /// The idempotency key of the request.
    pub key: Option<String>,
    /// The body of the request.
    pub input: String,
    /// The time of its creation, in milliseconds since 1970.
    pub at: u64,
    /// The messages.
    pub messages: Vec<StoredMessage>,
}

/// An entry of a log.
#[derive(Clone, Debug, PartialEq)]
pub struct LogEntry {
    /// The entry; of joined pieces it has the number of the last one.
    pub entry: StoredEvent,
    /// The lengths of the pieces that were joined, for the service; `None` for an entry that was
    /// not joined.
    pub pieces: Option<String>,
}

impl LogEntry {
    /// Returns the number of bytes that count for the size of a log.
    pub fn size(&self) -> u64 {
        (self.entry.data.len() + self.pieces.as_ref().map_or(0, String::len)) as u64
    }
}

/// A message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StoredMessage {
    /// The number of the message, ascending within the thread. The store sets it.
    pub seq: u64,
    /// The id.
    pub id: String,
    /// The role of the sender.
    pub role: String,
    /// The text that the history shows.
    pub content: String,
    /// The other properties of the message in the history, as JSON.
    pub extra: String,
    /// The message as the agent receives it in later runs, as JSON.
    pub message: String,
    /// Whether the history shows it.
    pub is_shown: bool,
    /// Milliseconds since 1970.
    pub at: u64,
}

/// A part of the history.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HistoryPage {
    /// The day (UTC) of the messages, such as `2026-03-19`; `None` if there are no messages.
    pub day: Option<String>,
    /// Whether there are earlier messages.
    pub has_more: bool,
    /// The messages, in their order.
    pub messages: Vec<StoredMessage>,
    /// Set if the day has more messages: those before this number.
    pub before_seq: Option<u64>,
}
