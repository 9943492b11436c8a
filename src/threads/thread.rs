//! One thread: its log and its messages, its followers, and the agent while it runs.

use std::string::{String, ToString};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use std::vec::Vec;

use tokio::sync::{Notify, watch};
use tokio::task::JoinHandle;
use tokio::time::timeout;
use uuid::Uuid;

use super::driver;
use super::followers::Followers;
use super::kind::ThreadKind;
use super::messages::{HistoryPage, LatestMessages};
use super::records::{RunStatus, StoredRun};
use super::refusal::{Refusal, reject};
use super::thread_log::{NewRun, ThreadLog, ThreadState};
use super::time::now;
use super::users::CountKind;
use super::work::Threads;
use crate::emit::AnyError;
use crate::protocols::runs::problem::Code;

/// The maximum number of starts of a run that was killed before its first event.
const ATTEMPTS: u64 = 3;
/// The number of failures of a thread's work after which its run ends without what the store does
/// not accept: the messages, and if it accepts nothing, also the end, which its followers then
/// receive without it.
pub(super) const FAILURES: u32 = 4;
/// The time within which an abandoned agent is waited for.
const GRACE: Duration = Duration::from_secs(5);
/// The maximum number of bytes of the messages in one answer.
const HISTORY_PAGE: usize = 1024 * 1024;

/// A thread. At most one object of a thread exists at a time in a process.
pub(crate) struct Thread {
    pub id: String,
    pub(super) threads: Arc<Threads>,
    pub log: ThreadLog,
    pub(super) kind: Arc<dyn ThreadKind>,
    pub(super) followers: Arc<Followers>,
    /// Whether the thread was recovered from its last process, or an error of the store. Held by
    /// calls that change which runs and connections there are.
    is_recovered: tokio::sync::Mutex<bool>,
    driver: Mutex<Option<Driving>>,
    /// Held by the first of the requests that wait for the end of a run: the others follow in their
    /// order.
    pub(super) turn: tokio::sync::Mutex<()>,
    /// The name of the log that was read last.
    generation: Mutex<Option<String>>,
    /// The number of times in a row that the work of the thread has failed, because of the store.
    pub(super) failures: AtomicU32,
    /// Notified when a run was accepted, which has its own task.
    pub(super) accepted: Notify,
    /// The task that follows the changes by other processes.
    pub(super) watching: tokio::sync::Mutex<Option<JoinHandle<()>>>,
}

/// The run that is in progress.
pub(super) struct Driving {
    pub run_id: String,
    pub stop: watch::Sender<RunContinues>,
    /// Closed when the driver has ended.
    pub ended: watch::Receiver<()>,
}

/// Removes the run that is in progress, also after a panic.
pub(super) struct Ending<'a> {
    pub thread: &'a Thread,
    /// Closes [`Driving::ended`].
    pub _end: watch::Sender<()>,
}

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        *self.thread.driver() = None;
    }
}

/// Whether a run continues.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum RunContinues {
    Not,
    Canceled,
    /// The run ends without an end: another process, or a later call, recovers it.
    Abandoned,
}

/// A request for a run.
#[derive(Clone, Debug, Default)]
pub(crate) struct NewThreadRun {
    pub owner: String,
    /// The URL of the endpoints.
    pub base: String,
    /// The body, normalized, and its hash.
    pub input: String,
    pub hash: String,
    /// The idempotency key.
    pub key: Option<String>,
}

/// The answer to a request for a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CreatedRun {
    /// The service's id of the job.
    pub task_id: String,
    /// Whether the run has created its thread.
    pub created: bool,
}

impl Thread {
    pub(super) fn new(id: &str, threads: Arc<Threads>) -> Self {
        let log = ThreadLog::new(threads.store.clone(), id, threads.processes.clone());
        Thread {
            id: id.into(),
            log,
            kind: (threads.options.kind)(id),
            threads,
            followers: Arc::default(),
            is_recovered: tokio::sync::Mutex::new(false),
            driver: Mutex::default(),
            turn: tokio::sync::Mutex::default(),
            generation: Mutex::default(),
            failures: AtomicU32::new(0),
            accepted: Notify::new(),
            watching: tokio::sync::Mutex::default(),
        }
    }

    pub(super) fn report(&self, error: &(dyn std::error::Error + 'static)) {
        (self.threads.options.on_error)(error);
    }

    /// Stores the messages of the request, and queues the run: both are durable when this returns.
    pub async fn create(self: &Arc<Self>, run: NewThreadRun) -> Result<CreatedRun, Refusal> {
        let _open = self.open().await?;
        let NewThreadRun { owner, base, input, hash, key } = run;
        let run_id = self.kind.run_id_in(&input);
        let state = self.read().await?;
        if let Some(known) =
            self.known(state.as_ref(), &owner, &run_id, &hash, key.as_deref()).await?
        {
            return Ok(known);
        }
        let counted = if owner.is_empty() {
            None
        } else {
            let is_limited = self.kind.is_limited(&input);
            let most = if is_limited { self.threads.options.limits.user_runs } else { usize::MAX };
            let Some(counted) = self.threads.counts.enter(CountKind::Runs, &owner, most).await?
            else {
                return reject(Code::RateLimit, "the user has too many active runs");
            };
            Some(counted)
        };
        let (at, task_id) = (now(), Uuid::new_v4().to_string());
        let messages = self.kind.messages_in(&self.log, &input, at).await?;
        let created = state.is_none();
        let new = NewRun {
            owner: owner.clone(),
            base,
            run_id: run_id.clone(),
            task_id: task_id.clone(),
            hash: hash.clone(),
            key: key.clone(),
            input,
            at,
            messages,
        };
        if !self.log.add_run(new).await? {
            // The same request, or another one, was faster in another process.
            let state = self.read().await?;
            let known = self.known(state.as_ref(), &owner, &run_id, &hash, key.as_deref()).await?;
            return match known {
                Some(known) => Ok(known),
                None => reject(Code::RunActive, "the thread has an active run"),
            };
        }
        // The failures were those of an earlier run.
        self.failures.store(0, Ordering::Relaxed);
        self.accepted.notify_waiters();
        self.begin_work(counted);
        Ok(CreatedRun { task_id, created })
    }

    /// Returns the answer to a request that repeats an earlier one.
    pub(super) async fn known(
        &self,
        state: Option<&ThreadState>,
        owner: &str,
        run_id: &str,
        hash: &str,
        key: Option<&str>,
    ) -> Result<Option<CreatedRun>, Refusal> {
        let Some(state) = state else { return Ok(None) };
        if state.owner != owner {
            return not_owner();
        }
        let mut known = self.log.run(run_id).await;
        if let (None, Some(key)) = (&known, key) {
            known = self.log.run_of_key(key).await;
        }
        match known {
            Some(run) if run.hash == hash => {
                Ok(Some(CreatedRun { task_id: run.task_id.clone(), created: run.created }))
            }
            Some(_) => reject(
                Code::IdempotencyConflict,
                "this run, or this idempotency key, was used with another body",
            ),
            None if self.log.active().await.is_some() => {
                reject(Code::RunActive, "the thread has an active run")
            }
            None => Ok(None),
        }
    }

    /// Cancels a run, the latest without an id. It has stopped when its terminal event is in the
    /// log.
    pub async fn cancel(
        self: &Arc<Self>,
        owner: &str,
        run_id: Option<&str>,
    ) -> Result<(), Refusal> {
        let _open = self.open().await?;
        let (_, run) = self.run(Some(owner), run_id).await?;
        self.log.set_canceled(&run.run_id).await?;
        self.cancel_driver(&run.run_id);
        Ok(())
    }

    pub(super) fn cancel_driver(&self, run_id: &str) {
        if let Some(driving) = self.driver().as_ref().filter(|driving| driving.run_id == run_id) {
            driving.stop.send_if_modified(|stop| {
                let is_running = *stop == RunContinues::Not;
                *stop = if is_running { RunContinues::Canceled } else { *stop };
                is_running
            });
        }
    }

    /// Refuses a user who must not upload for the thread. Uploads before the first run are allowed.
    pub async fn may_write(&self, owner: &str) -> Result<(), Refusal> {
        match self.read().await? {
            Some(state) if state.owner != owner => not_owner(),
            _ => Ok(()),
        }
    }

    /// Returns the thread of its owner. `owner` is `None` if the request is authorized otherwise.
    pub(super) async fn owned(&self, owner: Option<&str>) -> Result<ThreadState, Refusal> {
        match self.read().await? {
            None => reject(Code::ThreadNotFound, "there is no such thread"),
            // The id of an answer without a user is its credential.
            Some(state)
                if owner.is_some_and(|owner| state.owner != owner && !state.owner.is_empty()) =>
            {
                not_owner()
            }
            Some(state) => Ok(state),
        }
    }

    /// Returns a run, the latest without an id, and the thread of its owner.
    pub async fn run(
        &self,
        owner: Option<&str>,
        run_id: Option<&str>,
    ) -> Result<(ThreadState, Arc<StoredRun>), Refusal> {
        let state = self.owned(owner).await?;
        let found = match run_id {
            Some(run_id) => self.log.run(run_id).await,
            None => self.log.latest().await,
        };
        match found {
            None => reject(Code::RunNotFound, "the thread has no such run"),
            Some(run) => Ok((state, run)),
        }
    }

    /// Returns the messages of one day, or a part of them.
    pub async fn history(
        &self,
        owner: &str,
        before: &str,
        before_seq: u64,
    ) -> Result<HistoryPage, Refusal> {
        self.owned(Some(owner)).await?;
        Ok(self.log.history(before, before_seq, HISTORY_PAGE).await?)
    }

    /// Returns the latest messages of the thread, with at most `limit` bytes.
    pub async fn messages(&self, owner: &str, limit: usize) -> Result<LatestMessages, Refusal> {
        self.owned(Some(owner)).await?;
        Ok(self.log.latest_messages(limit).await?)
    }

    /// Deletes the thread, and stops its agent. Returns the messages that it had, as JSON.
    pub async fn delete(self: &Arc<Self>, owner: &str) -> Result<Vec<String>, Refusal> {
        let _open = self.open().await?;
        let state = self.owned(Some(owner)).await?;
        if let Some(mut ended) = self.close() {
            // If it does not stop in time, its later writes fail.
            drop(timeout(GRACE, ended.changed()).await);
        }
        let LatestMessages { messages, .. } = self.log.latest_messages(usize::MAX).await?;
        self.kind.withdraw(&self.log, &self.threads.users, &state.owner).await?;
        self.log.delete().await?;
        if self.read().await?.is_none() {
            // Another process may have reported its run meanwhile.
            self.kind.withdraw(&self.log, &self.threads.users, &state.owner).await?;
        }
        self.followers.reread(0);
        Ok(messages)
    }

    /// Closes the connections, whose clients resume, and abandons the run in progress. Returns a
    /// receiver that is closed when its driver has ended.
    pub(super) fn close(&self) -> Option<watch::Receiver<()>> {
        self.followers.close();
        let driver = self.driver();
        let driving = driver.as_ref()?;
        driving.stop.send_replace(RunContinues::Abandoned);
        Some(driving.ended.clone())
    }

    /// Reads the state, which another process may have changed.
    pub(super) async fn read(&self) -> Result<Option<ThreadState>, AnyError> {
        let state = self.log.state().await?;
        let generation = state.as_ref().map(|state| state.generation.clone());
        let before = {
            let mut known = self.generation.lock().unwrap_or_else(PoisonError::into_inner);
            core::mem::replace(&mut *known, generation.clone())
        };
        if before.is_some() && before != generation {
            // The thread was deleted.
            self.close();
            self.followers.reread(0);
        }
        // The driver publishes its entries itself.
        if self.driver().is_none()
            && let Some(state) = &state
        {
            self.followers.reached(state.last);
        }
        Ok(state)
    }

    /// Waits until no other call changes the thread, and recovers it.
    pub(super) async fn open(
        self: &Arc<Self>,
    ) -> Result<tokio::sync::MutexGuard<'_, bool>, AnyError> {
        let mut is_recovered = self.is_recovered.lock().await;
        if !*is_recovered {
            let state = self.read().await?;
            self.followers.reread(state.map_or(0, |state| state.last));
            if self.recover().await? {
                self.begin_work(None);
            }
            *is_recovered = true;
        }
        Ok(is_recovered)
    }

    pub(super) async fn lose(&self) {
        *self.is_recovered.lock().await = false;
    }

    /// Recovers an active run whose process was killed: a run without events is queued again; a run
    /// with events gets its terminal event, because its tools may have had effects. So does a run
    /// that could often not be started. Returns whether a run was recovered.
    pub(super) async fn recover(self: &Arc<Self>) -> Result<bool, AnyError> {
        let failures = self.failures.load(Ordering::Relaxed);
        let active = self.log.active().await;
        let is_over =
            |run: &Arc<StoredRun>| run.status == RunStatus::Running || failures >= FAILURES;
        let Some(run) = active.filter(is_over) else { return Ok(false) };
        if self.driver().is_some() || !self.log.may_drive().await? {
            return Ok(false);
        }
        if self.log.is_taken(&run.run_id).await {
            // From now on the other process cannot write to the run, or it has done so.
            self.log.set_status(&run.run_id, RunStatus::Running).await?;
            self.read().await?;
        }
        let has_begun = !self.log.read(&run.run_id, 0, u64::MAX, 1).await?.is_empty();
        // After an error of the store the agent has run, and its tools may have had effects.
        if !has_begun && run.attempts < ATTEMPTS && failures == 0 {
            self.log.set_status(&run.run_id, RunStatus::Queued).await?;
        } else {
            driver::interrupt(self, &run, has_begun, failures >= FAILURES).await?;
        }
        Ok(true)
    }

    pub(super) fn driver(&self) -> MutexGuard<'_, Option<Driving>> {
        self.driver.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Thread {
    fn drop(&mut self) {
        if let Some(task) = self.watching.get_mut().take() {
            task.abort();
        }
        self.threads.forget(&self.id);
    }
}

fn not_owner<T>() -> Result<T, Refusal> {
    reject(Code::Forbidden, "the thread belongs to another user")
}
