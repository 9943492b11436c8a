//! What the entries of the runs of a thread are: the differences between a conversation of the runs
//! endpoints and an answer of another protocol.

use std::boxed::Box;
use std::fmt;
use std::future::{Future, pending};
use std::pin::Pin;
use std::string::String;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use std::vec::Vec;

use futures_core::Stream;
use tokio::sync::watch;

use super::following::FollowedRun;
use super::records::{StoredMessage, StoredRun};
use super::run_log::NewEvent;
use super::thread_log::{ThreadLog, ThreadState};
use super::users::Users;
use crate::emit::AnyError;
use crate::protocols::runs::log::StoredEvent;

/// The result of a method of a kind.
pub(crate) type ThreadWork<'a, T> = Pin<Box<dyn Future<Output = Result<T, AnyError>> + Send + 'a>>;

/// The reason why a run ended from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RunFailure {
    pub code: &'static str,
    pub message: &'static str,
}

impl RunFailure {
    pub const LATE: Self = Self::new("AGENT_TIMEOUT", "the run took too long");
    pub const CANCELED: Self = Self::new("AGENT_RUN_CANCELLED", "the run was cancelled");
    pub const TRUNCATED: Self =
        Self::new("AGENT_TRUNCATED", "the agent has stopped before its end");
    pub const FAILED: Self = Self::new("AGENT_FAILED", "the agent has failed");
    pub const INTERRUPTED: Self = Self::new("AGENT_RUN_INTERRUPTED", "the run was interrupted");

    const fn new(code: &'static str, message: &'static str) -> Self {
        RunFailure { code, message }
    }
}

/// The rules for the entries of a run, and for its end.
pub(crate) trait RunScript: Send {
    /// Returns the entries in a chunk that the agent has sent.
    fn split(&mut self, chunk: String) -> Vec<String>;
    /// Receives the next entry, and returns its kind; fails if the entry is not allowed here.
    fn append(&mut self, data: &str) -> Result<String, AnyError>;
    /// Whether the end was received.
    fn is_over(&self) -> bool;
    /// Returns the entries that end the run: because of a failure, or because the agent `has_ended`
    /// without the end, possibly after it was canceled.
    fn ending(&mut self, failure: Option<RunFailure>, has_ended: bool) -> Vec<String>;
}

/// An agent that was started.
pub(crate) struct Started {
    /// The chunks that it sends. It is dropped to stop the agent.
    pub chunks: Pin<Box<dyn Stream<Item = String> + Send>>,
    /// The request to the agent to end by itself.
    pub stop: Arc<StopRequest>,
}

type WriteForm = dyn Fn(&str, u64, &[StoredEvent]) -> (String, bool) + Send + Sync;

/// The form in which a run is read: connections with the same name at the same place share what is
/// written.
#[derive(Clone)]
pub(crate) struct RunForm {
    pub name: String,
    /// Returns entries of a run that follow a place of the log as they are sent, and whether they
    /// end the run.
    pub write: Arc<WriteForm>,
}

impl fmt::Debug for RunForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RunForm").field("name", &self.name).finish_non_exhaustive()
    }
}

/// The content of a thread.
pub(crate) trait ThreadKind: Send + Sync + 'static {
    /// The number of entries at the end of a run that are not sent.
    fn unsent(&self) -> u64 {
        0
    }
    /// Returns the id of the run that the body of a request starts.
    fn run_id_in(&self, body: &str) -> String;
    /// Returns whether the run of a body counts for the limit of its user's runs.
    fn is_limited(&self, body: &str) -> bool {
        let _ = body;
        true
    }
    /// Returns the messages of the body that are stored with the run.
    fn messages_in<'a>(
        &'a self,
        log: &'a ThreadLog,
        body: &'a str,
        at: u64,
    ) -> ThreadWork<'a, Vec<StoredMessage>>;
    /// Returns the messages that are stored with the end of a run; `latest` are the entries that
    /// are stored with them.
    fn messages_of<'a>(
        &'a self,
        log: &'a ThreadLog,
        run_id: &'a str,
        latest: &'a [NewEvent],
    ) -> ThreadWork<'a, Vec<StoredMessage>>;
    /// Returns the rules for the entries of a run; `has_begun` is set if its log has entries.
    fn script<'a>(
        &'a self,
        log: &'a ThreadLog,
        run: &'a StoredRun,
        has_begun: bool,
    ) -> ThreadWork<'a, Box<dyn RunScript>>;
    /// Starts the agent. An error ends the run as a failure of the agent does; an error of the
    /// store is the outer one.
    fn start<'a>(
        &'a self,
        log: &'a ThreadLog,
        run: &'a StoredRun,
        state: &'a ThreadState,
    ) -> ThreadWork<'a, Result<Started, AnyError>>;
    /// Returns the form in which a run is read.
    fn form<'a>(
        &'a self,
        log: &'a ThreadLog,
        run: &'a StoredRun,
        generation: &'a str,
        followed: &'a FollowedRun,
    ) -> ThreadWork<'a, RunForm>;
    /// Reports a run that is about to start, or has ended, to the lists of its user.
    fn report<'a>(
        &'a self,
        log: &'a ThreadLog,
        users: &'a Users,
        owner: &'a str,
    ) -> ThreadWork<'a, ()>;
    /// Removes from the lists what was reported, before the thread is deleted.
    fn withdraw<'a>(
        &'a self,
        log: &'a ThreadLog,
        users: &'a Users,
        owner: &'a str,
    ) -> ThreadWork<'a, ()>;
    /// Keeps the log within its limits; returns the time after which to continue, if there is one.
    /// The thread has no active run and no followers.
    fn retain<'a>(&'a self, log: &'a ThreadLog, now: u64) -> ThreadWork<'a, Option<Duration>>;
}

/// The request to an agent to end.
#[derive(Debug, Default)]
pub(crate) struct StopRequest {
    /// Whether the chunks have the end of their protocol after the request.
    pub has_end: bool,
    /// Whether the agent waits for it.
    waits: AtomicBool,
    is_sent: watch::Sender<bool>,
}

impl StopRequest {
    /// Creates a request after which the chunks have the end of their protocol.
    pub fn with_end() -> Self {
        StopRequest { has_end: true, ..StopRequest::default() }
    }

    /// Sends the request; returns whether chunks follow it.
    pub fn send(&self) -> bool {
        self.is_sent.send_replace(true);
        self.has_end || self.waits.load(Ordering::Relaxed)
    }

    /// Waits for the request, as an agent that ends by itself.
    pub async fn received(&self) {
        self.waits.store(true, Ordering::Relaxed);
        self.sent().await;
    }

    /// Returns whether the request was sent, to an agent that ends by itself.
    pub fn is_received(&self) -> bool {
        self.waits.store(true, Ordering::Relaxed);
        *self.is_sent.borrow()
    }

    /// Waits for the request, unless the agent ends by itself.
    pub async fn drops(&self) {
        self.sent().await;
        if self.waits.load(Ordering::Relaxed) {
            pending().await
        }
    }

    async fn sent(&self) {
        // An error would mean that the sender is dropped, which `self` owns.
        drop(self.is_sent.subscribe().wait_for(|is_sent| *is_sent).await);
    }
}
