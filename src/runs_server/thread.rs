//! One thread: its log and its messages, its followers, and the agent while it runs.

use std::string::{String, ToString};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use std::vec::Vec;

use tokio::sync::{Notify, watch};
use tokio::time::timeout;
use uuid::Uuid;

use super::driver::{self, FAILED, INTERRUPTED};
use super::followers::{Connection, FollowerBody, Log, encoded};
use super::messages::{history_of, messages_in};
use super::options::{RunContext, StopRequest, now};
use super::rejection::{EndpointRejection, reject};
use super::retention::retain;
use super::service::{CountGuard, SWEEP, Service};
use super::store::{FindRun, HistoryPage, NewRun, RunStatus, RunsStore, StoredRun, ThreadState};
use crate::core::id::system_clock;
use crate::core::limits::Limits;
use crate::core::request;
use crate::emit::{AnyError, EmitOptions, emit};
use crate::hub::EndError;
use crate::json::Value;
use crate::protocols::ProtocolKind;
use crate::protocols::ag_ui::request::RunAgentInput;
use crate::protocols::runs::cursor::Cursor;
use crate::protocols::runs::problem::Code;
use crate::protocols::runs::request::RunInput;

/// The maximum number of starts of a run that was killed before its first event.
const ATTEMPTS: u64 = 3;
/// The time before a log that is read is looked at again.
const AGAIN: Duration = Duration::from_secs(2);
/// The time before work is repeated after an error of the store: at first, doubled after each
/// further error, and at most.
const FIRST_AGAIN: Duration = Duration::from_millis(500);
const LAST_AGAIN: Duration = Duration::from_secs(15);
/// The number of failures of a thread's work after which its run ends without what the store does
/// not accept: the messages, and if it accepts nothing, also the end, which its followers then
/// receive without it.
const FAILURES: u32 = 4;
/// The time within which an abandoned agent is waited for.
const GRACE: Duration = Duration::from_secs(5);
/// The maximum number of bytes of the messages in one answer.
const HISTORY_PAGE: usize = 1024 * 1024;

/// A thread. At most one object of a thread exists at a time.
pub(super) struct Thread {
    pub id: String,
    service: Arc<Service>,
    pub log: Arc<Log>,
    /// Whether the thread was recovered from its last process, or an error of the store. Held by
    /// calls that change which runs and connections there are.
    is_recovered: tokio::sync::Mutex<bool>,
    driver: Mutex<Option<Driving>>,
    /// The number of times in a row that the work of the thread has failed, because of the store.
    failures: AtomicU32,
    /// Notified when a run was accepted, which has its own task.
    accepted: Notify,
}

/// The run that is in progress.
struct Driving {
    run_id: String,
    stop: watch::Sender<RunContinues>,
    /// Closed when the driver has ended.
    ended: watch::Receiver<()>,
}

/// Removes the run that is in progress, also after a panic.
struct Ending<'a> {
    thread: &'a Thread,
    /// Closes [`Driving::ended`].
    _end: watch::Sender<()>,
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
pub(super) struct RunRequest {
    pub owner: String,
    /// The URL of the endpoints.
    pub base: String,
    pub input: RunInput,
    /// The input as normalized JSON, and its hash.
    pub body: String,
    pub hash: String,
    pub key: Option<String>,
}

impl Thread {
    pub fn new(id: &str, service: Arc<Service>) -> Self {
        Thread {
            id: id.into(),
            service,
            log: Arc::new(Log::new(id.into())),
            is_recovered: tokio::sync::Mutex::new(false),
            driver: Mutex::default(),
            failures: AtomicU32::new(0),
            accepted: Notify::new(),
        }
    }

    pub fn store(&self) -> &dyn RunsStore {
        &*self.service.options.store
    }

    pub fn report(&self, error: &(dyn std::error::Error + 'static)) {
        (self.service.options.on_error)(error);
    }

    /// Stores the messages of the request, and queues the run: both are durable when this returns.
    /// Returns the id of the job, and whether the thread is new.
    pub async fn create(
        self: &Arc<Self>,
        request: RunRequest,
    ) -> Result<(String, bool), EndpointRejection> {
        let _open = self.open().await?;
        let RunRequest { owner, base, input, body, hash, key } = request;
        let run_id = input.run_id.clone();
        if let Some(known) = self.known(&owner, &run_id, &hash, key.as_deref()).await? {
            return Ok(known);
        }
        let Some(counted) = self.service.runs.enter(&owner, self.service.options.limits.user_runs)
        else {
            return reject(Code::RateLimit, "the user has too many active runs");
        };
        let (at, task_id) = (now(), Uuid::new_v4().to_string());
        let messages = messages_in(self.store(), &self.id, &input, at).await?;
        let created = self.store().state(&self.id).await?.is_none();
        let generation = Uuid::new_v4().simple().to_string()[..8].into();
        let (hash, task) = (hash.clone(), task_id.clone());
        let new = NewRun {
            owner,
            generation,
            base,
            run_id,
            task_id: task,
            hash,
            key,
            input: body,
            at,
            messages,
        };
        if !self.store().add_run(&self.id, new).await? {
            return reject(Code::RunActive, "the thread has an active run");
        }
        self.accepted.notify_waiters();
        self.service.spawn(self.clone().work(Some(counted)));
        Ok((task_id, created))
    }

    /// Returns the answer to a request that repeats an earlier one.
    async fn known(
        &self,
        owner: &str,
        run_id: &str,
        hash: &str,
        key: Option<&str>,
    ) -> Result<Option<(String, bool)>, EndpointRejection> {
        let Some(state) = self.store().state(&self.id).await? else { return Ok(None) };
        if state.owner != owner {
            return not_owner();
        }
        let mut known = self.store().find(&self.id, FindRun::Id(run_id)).await?;
        if let (None, Some(key)) = (&known, key) {
            known = self.store().find(&self.id, FindRun::Key(key)).await?;
        }
        match known {
            Some(run) if run.hash == hash => Ok(Some((run.task_id, run.created))),
            Some(_) => reject(
                Code::IdempotencyConflict,
                "this run, or this idempotency key, was used with another body",
            ),
            None if self.store().find(&self.id, FindRun::Active).await?.is_some() => {
                reject(Code::RunActive, "the thread has an active run")
            }
            None => Ok(None),
        }
    }

    /// Cancels the run, which has stopped when its terminal event is in the log.
    pub async fn cancel(&self, owner: &str, run_id: &str) -> Result<(), EndpointRejection> {
        let _open = self.open().await?;
        self.run(Some(owner), run_id).await?;
        self.store().cancel(&self.id, run_id).await?;
        if let Some(driving) = self.driver().as_ref().filter(|driving| driving.run_id == run_id) {
            driving.stop.send_if_modified(|stop| {
                let is_running = *stop == RunContinues::Not;
                *stop = if is_running { RunContinues::Canceled } else { *stop };
                is_running
            });
        }
        Ok(())
    }

    /// Refuses a user who must not upload for the thread. Uploads before the first run are allowed.
    pub async fn may_write(&self, owner: &str) -> Result<(), EndpointRejection> {
        match self.store().state(&self.id).await? {
            Some(state) if state.owner != owner => not_owner(),
            _ => Ok(()),
        }
    }

    /// Returns the thread of its owner.
    async fn owned(&self, owner: Option<&str>) -> Result<ThreadState, EndpointRejection> {
        match self.store().state(&self.id).await? {
            None => reject(Code::ThreadNotFound, "there is no such thread"),
            Some(state) if owner.is_some_and(|owner| state.owner != owner) => not_owner(),
            Some(state) => Ok(state),
        }
    }

    /// Returns a run, and the thread of its owner. `owner` is `None` if the request is authorized
    /// by a signature.
    pub async fn run(
        &self,
        owner: Option<&str>,
        run_id: &str,
    ) -> Result<(ThreadState, StoredRun), EndpointRejection> {
        let state = self.owned(owner).await?;
        match self.store().find(&self.id, FindRun::Id(run_id)).await? {
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
    ) -> Result<HistoryPage, EndpointRejection> {
        self.owned(Some(owner)).await?;
        Ok(self.store().history(&self.id, before, before_seq, HISTORY_PAGE).await?)
    }

    /// Returns the messages of the thread, as JSON.
    pub async fn messages(&self, owner: &str) -> Result<Vec<String>, EndpointRejection> {
        self.owned(Some(owner)).await?;
        Ok(self.store().latest_messages(&self.id, usize::MAX).await?)
    }

    /// Deletes the thread, and stops its agent. Returns the messages that it had, as JSON.
    pub async fn delete(&self, owner: &str) -> Result<Vec<String>, EndpointRejection> {
        let _open = self.open().await?;
        self.owned(Some(owner)).await?;
        if let Some(mut ended) = self.close() {
            // If it does not stop in time, its later writes fail.
            drop(timeout(GRACE, ended.changed()).await);
        }
        let messages = self.store().latest_messages(&self.id, usize::MAX).await?;
        self.store().delete(&self.id).await?;
        self.log.reread(0);
        Ok(messages)
    }

    /// Returns the events of a run; `None` if none follow the cursor.
    pub async fn follow(
        self: &Arc<Self>,
        owner: Option<&str>,
        run_id: &str,
        cursor: Option<&str>,
        idle_limit: u32,
    ) -> Result<Option<FollowerBody>, EndpointRejection> {
        let _open = match self.open().await {
            Ok(open) => open,
            Err(error) => return self.unstored(owner, run_id, cursor, error).await.map(Some),
        };
        let (state, run) = self.run(owner, run_id).await?;
        let after = match cursor.filter(|text| !text.is_empty()).map(Cursor::parse).transpose()? {
            None => 0,
            Some(Cursor { generation, number })
                if generation == state.generation && number <= self.log.durable() =>
            {
                number
            }
            Some(_) => {
                return reject(
                    Code::InvalidLastEventId,
                    "the Last-Event-ID is no cursor of this thread",
                );
            }
        };
        if run.terminal.is_some_and(|terminal| terminal <= after) {
            return Ok(None);
        }
        if run.status == RunStatus::Expired {
            let detail =
                "the events of the run are not kept any more; the history has its messages";
            return reject(Code::RunExpired, detail);
        }
        let Service { followers, connections, options, .. } = &*self.service;
        let Some(of_thread) = followers.enter(&self.id, options.limits.thread_connections) else {
            return reject(Code::ConnectionLimit, "the thread has too many event connections");
        };
        let Some(of_user) = connections.enter(&state.owner, options.limits.user_connections) else {
            return reject(Code::ConnectionLimit, "the user has too many event connections");
        };
        let keep_alive = options.limits.keep_alive;
        let run_id = run_id.into();
        let connection =
            Connection { run_id, generation: state.generation, after, idle_limit, keep_alive };
        let (frames, sending) = self.log.follow(options.store.clone(), connection);
        let thread = self.clone();
        self.service.spawn(async move {
            if let Err(error) = sending.await {
                thread.report(&*error);
            }
            drop((of_thread, of_user));
        });
        Ok(Some(frames))
    }

    /// Returns the stored events of a run and its end, if the store has often refused the end;
    /// otherwise returns the error.
    async fn unstored(
        &self,
        owner: Option<&str>,
        run_id: &str,
        cursor: Option<&str>,
        error: AnyError,
    ) -> Result<FollowerBody, EndpointRejection> {
        if self.failures.load(Ordering::Relaxed) < FAILURES {
            return Err(error.into());
        }
        let (state, run) = self.run(owner, run_id).await?;
        if run.terminal.is_some() || run.status == RunStatus::Expired {
            return Err(error.into());
        }
        let place = cursor.and_then(|text| Cursor::parse(text).ok());
        let after = place
            .filter(|place| place.generation == state.generation)
            .map_or(0, |place| place.number);
        let stored = self.store().read(&self.id, run_id, 0, usize::MAX).await?;
        let ending = driver::end_entries(self, run_id, !stored.is_empty(), INTERRUPTED);
        let stored =
            stored.into_iter().map(|stored| stored.entry).filter(|entry| entry.number > after);
        let entries: Vec<_> = stored.chain(ending).collect();
        Ok(FollowerBody::whole(encoded(run_id, &state.generation, after, &entries).0))
    }

    /// Drives the queued run, and then keeps the log within its limits.
    pub async fn work(self: Arc<Self>, mut counted: Option<CountGuard>) {
        while !self.service.is_closed() {
            let wait = match self.work_once(&mut counted).await {
                Ok(wait) => {
                    self.failures.store(0, Ordering::Relaxed);
                    let Some(wait) = wait else { return };
                    counted = None;
                    wait
                }
                Err(error) => {
                    self.report(&*error);
                    // The clients resume, and are rejected as long as the store fails.
                    self.log.close();
                    *self.is_recovered.lock().await = false;
                    let failures = self.failures.fetch_add(1, Ordering::Relaxed);
                    LAST_AGAIN.min(FIRST_AGAIN.saturating_mul(2_u32.saturating_pow(failures)))
                }
            };
            tokio::select! {
                () = self.service.pause(wait) => {}
                () = self.accepted.notified(), if counted.is_none() => return,
            }
        }
    }

    /// Returns the time after which there is more to do, if there will be.
    async fn work_once(
        self: &Arc<Self>,
        counted: &mut Option<CountGuard>,
    ) -> Result<Option<Duration>, AnyError> {
        let open = loop {
            let open = self.open().await?;
            // A run may be accepted before the driver of the last one has ended.
            let running = self.driver().as_ref().map(|driving| driving.ended.clone());
            let Some(mut ended) = running else { break open };
            drop(open);
            drop(ended.changed().await);
        };
        let Some(state) = self.store().state(&self.id).await? else { return Ok(None) };
        let active = self.store().find(&self.id, FindRun::Active).await?;
        if let Some(run) = active.filter(|run| run.status == RunStatus::Queued) {
            *counted = counted.take().or_else(|| self.service.runs.enter(&state.owner, usize::MAX));
            self.store().start(&self.id, &run.run_id).await?;
            let (stop, mut stopped) = watch::channel(RunContinues::Not);
            if run.canceled {
                stop.send_replace(RunContinues::Canceled);
                stopped.mark_changed();
            }
            let (end, ended) = watch::channel(());
            *self.driver() = Some(Driving { run_id: run.run_id.clone(), stop, ended });
            let ending = Ending { thread: self, _end: end };
            drop(open);
            let driven = self.drive(&state, run, stopped).await;
            drop(ending);
            driven?;
        } else {
            drop(open);
        }
        *counted = None;
        self.retain().await
    }

    async fn drive(
        &self,
        state: &ThreadState,
        run: StoredRun,
        stop: watch::Receiver<RunContinues>,
    ) -> Result<(), AnyError> {
        let options = &self.service.options;
        let input = match self.input_of(state, &run).await? {
            Ok(input) => input,
            Err(error) => {
                self.report(&*error);
                return driver::end(self, &run.run_id, false, FAILED, false).await;
            }
        };
        let stop_request = Arc::new(StopRequest::default());
        let context = RunContext { user: state.owner.clone(), stop_request: stop_request.clone() };
        let service = self.service.clone();
        let emission = EmitOptions::random(ProtocolKind::AgUi, system_clock)
            .write(|write| write.session_id(&*input.thread_id).response_id(&*run.run_id))
            .on_error(move |failure| {
                (service.options.on_error)(failure.error);
                let (code, message) = FAILED;
                failure
                    .tool
                    .is_none()
                    .then(|| EndError { code: Some(code.into()), message: message.into() })
            });
        let service = self.service.clone();
        let events =
            emit(
                emission,
                |out| async move { (service.options.agent)(input, context, out).await },
            )?;
        driver::drive(self, &run.run_id, events, stop, &stop_request, options.limits.run_time).await
    }

    /// Returns the request as the agent receives it: its messages are the history.
    async fn input_of(
        &self,
        state: &ThreadState,
        run: &StoredRun,
    ) -> Result<Result<RunAgentInput, AnyError>, AnyError> {
        let (mut value, input) =
            match (Value::parse(&run.input, Limits::DEEPEST), RunInput::parse(&run.input)) {
                (Ok(value), Ok(input)) => (value, input),
                _ => return Ok(Err("the stored request is not valid".into())),
            };
        let mut history = history_of(self.store(), &self.id, &input).await?;
        let attachments = self.service.attachments();
        let renew = attachments.renewing(&state.owner, &state.base);
        history.iter_mut().for_each(|message| renew.message(message));
        value.insert("messages", Value::Array(history));
        let read = request::read::<RunAgentInput>(value, None);
        Ok(read.map_err(|problems| request::InvalidRequest::new(problems).into()))
    }

    async fn retain(&self) -> Result<Option<Duration>, AnyError> {
        let _retaining = self.service.retaining.acquire().await?;
        let _open = self.open().await?;
        if self.store().find(&self.id, FindRun::Active).await?.is_some() {
            return Ok(None);
        }
        if self.service.followers.of(&self.id) > 0 {
            return Ok(Some(AGAIN));
        }
        let next = retain(self.store(), &self.id, &self.service.options.retention, now()).await?;
        self.log.reread(self.log.durable());
        // The sweep finds what is due later.
        Ok(next.filter(|time| *time < SWEEP))
    }

    /// Closes the connections, whose clients resume, and abandons the run in progress. Returns a
    /// receiver that is closed when its driver has ended.
    pub fn close(&self) -> Option<watch::Receiver<()>> {
        self.log.close();
        let driver = self.driver();
        let driving = driver.as_ref()?;
        driving.stop.send_replace(RunContinues::Abandoned);
        Some(driving.ended.clone())
    }

    /// Waits until no other call changes the thread. Recovers an active run whose process was
    /// killed: a run without events is queued again; a run with events gets its terminal event,
    /// because its tools may have had effects.
    async fn open(&self) -> Result<tokio::sync::MutexGuard<'_, bool>, AnyError> {
        let mut is_recovered = self.is_recovered.lock().await;
        if !*is_recovered {
            let state = self.store().state(&self.id).await?;
            self.log.reread(state.map_or(0, |state| state.last));
            let active = self.store().find(&self.id, FindRun::Active).await?;
            let failures = self.failures.load(Ordering::Relaxed);
            // A run that could often not be started ends, too.
            let is_over =
                |run: &StoredRun| run.status == RunStatus::Running || failures >= FAILURES;
            if let Some(run) = active.filter(is_over) {
                let has_begun = !self.store().read(&self.id, &run.run_id, 0, 1).await?.is_empty();
                // After an error of the store the agent has run, and its tools may have had
                // effects.
                if !has_begun && run.attempts < ATTEMPTS && failures == 0 {
                    self.store().queue_again(&self.id, &run.run_id).await?;
                } else {
                    driver::end(self, &run.run_id, has_begun, INTERRUPTED, failures >= FAILURES)
                        .await?;
                }
            }
            *is_recovered = true;
        }
        Ok(is_recovered)
    }

    fn driver(&self) -> MutexGuard<'_, Option<Driving>> {
        self.driver.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Thread {
    fn drop(&mut self) {
        let mut threads = self.service.threads();
        if threads.get(&self.id).is_some_and(|thread| thread.strong_count() == 0) {
            threads.remove(&self.id);
        }
    }
}

fn not_owner<T>() -> Result<T, EndpointRejection> {
    reject(Code::Forbidden, "the thread belongs to another user")
}
