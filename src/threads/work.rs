//! The threads of a store in this process, and the work of a thread: it drives the queued run, and
//! then keeps the log within its limits.

use std::boxed::Box;
use std::collections::HashMap;
use std::future::Future;
use std::string::String;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use tokio::sync::{Semaphore, oneshot, watch};
use tokio::task::JoinSet;
use tokio::time::sleep;

use super::counts::CountsByName;
use super::driver;
use super::json::{parsed, text_of};
use super::kind::ThreadKind;
use super::processes::Processes;
use super::records::RunStatus;
use super::refusal::Refusal;
use super::thread::{Driving, Ending, RunContinues, Thread};
use super::thread_log::ThreadLog;
use super::time::{millis, now};
use super::users::{CountKind, UserCount, UserCounts, Users, listed};
use crate::emit::AnyError;
use crate::stores::{LogList, LogStore, watched_name};

/// The time between two searches for logs that have become old, unless other processes, which may
/// be killed, use the store.
pub(crate) const SWEEP: Duration = Duration::from_secs(3600);
/// The time before a search is repeated after an error of the store, or a log that is read is
/// looked at again.
const AGAIN: Duration = Duration::from_secs(2);
/// The time before work is repeated after an error of the store: at first, doubled after each
/// further error, and at most.
const FIRST_AGAIN: Duration = Duration::from_millis(500);
const LAST_AGAIN: Duration = Duration::from_secs(15);

/// The limits of threads.
#[derive(Clone, Debug)]
pub(crate) struct ThreadLimits {
    /// The maximum number of active runs of a user, in all threads.
    pub user_runs: usize,
    /// The maximum number of event connections of a user.
    pub user_connections: usize,
    /// The maximum number of event connections of a thread.
    pub thread_connections: usize,
    /// The maximum duration of a run.
    pub run_time: Duration,
    /// The silence after which a connection receives a comment.
    pub keep_alive: Duration,
}

type KindOf = dyn Fn(&str) -> Arc<dyn ThreadKind> + Send + Sync;
type ErrorHook = dyn Fn(&(dyn std::error::Error + 'static)) + Send + Sync;

/// The options of threads.
pub(crate) struct ThreadsOptions {
    pub limits: ThreadLimits,
    /// The age at which the kind of a thread is asked to keep its log within its limits.
    pub log_time: Duration,
    /// Returns whether a thread is one of these, by its id: another service may use the store for
    /// others.
    pub is_own: Box<dyn Fn(&str) -> bool + Send + Sync>,
    /// Returns the kind of a thread by its id.
    pub kind: Box<KindOf>,
    /// Receives the errors that clients do not receive.
    pub on_error: Arc<ErrorHook>,
}

/// The threads of a store in this process.
pub(crate) struct Threads {
    pub store: Arc<dyn LogStore>,
    pub options: ThreadsOptions,
    pub users: Users,
    pub(super) processes: Option<Arc<Processes>>,
    /// The active runs and event connections of users.
    pub(super) counts: Arc<UserCounts>,
    /// The event connections of threads.
    pub(super) followers: CountsByName,
    /// The threads in use.
    threads: Mutex<HashMap<String, Weak<Thread>>>,
    /// A log that is shortened is in memory.
    retaining: Semaphore,
    tasks: Mutex<JoinSet<()>>,
    is_closed: watch::Sender<bool>,
}

impl Threads {
    /// Begins to serve the threads of a store, in a runtime of tokio: recovers the runs that the
    /// last process has left in progress.
    pub fn start(store: Arc<dyn LogStore>, options: ThreadsOptions) -> Arc<Self> {
        let processes = store.is_shared().then(|| Processes::new(store.clone()));
        let threads = Arc::new(Threads {
            users: Users::new(store.clone()),
            counts: UserCounts::new(store.clone(), processes.clone()),
            store,
            options,
            processes,
            followers: CountsByName::default(),
            threads: Mutex::default(),
            retaining: Semaphore::new(1),
            tasks: Mutex::default(),
            is_closed: watch::Sender::default(),
        });
        threads.spawn(sweep(Arc::downgrade(&threads), threads.is_closed.subscribe()));
        threads
    }

    /// Returns a thread by its id, which has at most 128 of the characters of names of logs, and no
    /// slash.
    pub fn get(self: &Arc<Self>, id: &str) -> Arc<Thread> {
        let mut threads = self.threads();
        threads.get(id).and_then(Weak::upgrade).unwrap_or_else(|| {
            let thread = Arc::new(Thread::new(id, self.clone()));
            threads.insert(id.into(), Arc::downgrade(&thread));
            thread
        })
    }

    /// Stops the work of this process: connections are closed, whose clients resume, and agents are
    /// dropped. Another process, or the next one, recovers their runs. Returns when no task uses
    /// the store.
    pub async fn close(&self) {
        self.is_closed.send_replace(true);
        // The last reference to a thread must not be dropped while they are locked.
        let threads: Vec<_> = self.threads().values().filter_map(Weak::upgrade).collect();
        threads.iter().for_each(|thread| drop(thread.close()));
        drop(threads);
        let mut tasks = std::mem::take(&mut *self.tasks());
        while tasks.join_next().await.is_some() {}
        if let Some(processes) = &self.processes
            && let Err(error) = processes.close().await
        {
            (self.options.on_error)(&*error);
        }
    }

    pub(super) fn threads(&self) -> MutexGuard<'_, HashMap<String, Weak<Thread>>> {
        self.threads.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Forgets a thread that is being dropped.
    pub(super) fn forget(&self, id: &str) {
        let mut threads = self.threads();
        if threads.get(id).is_some_and(|thread| thread.strong_count() == 0) {
            threads.remove(id);
        }
    }

    fn tasks(&self) -> MutexGuard<'_, JoinSet<()>> {
        self.tasks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts a task that [`Threads::close`] waits for.
    pub fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) {
        let mut tasks = self.tasks();
        while tasks.try_join_next().is_some() {}
        tasks.spawn(task);
    }

    /// Completes work also if the client leaves, for which the future of its request is dropped.
    pub async fn completed<T: Send + 'static>(
        &self,
        work: impl Future<Output = Result<T, Refusal>> + Send + 'static,
    ) -> Result<T, Refusal> {
        let (result, completed) = oneshot::channel();
        self.spawn(async move { drop(result.send(work.await)) });
        completed.await.unwrap_or_else(|error| Err(Refusal::Internal(error.into())))
    }

    pub fn is_closed(&self) -> bool {
        *self.is_closed.borrow()
    }

    /// Waits for so long, or until the threads are closed.
    async fn pause(&self, time: Duration) {
        pause(&mut self.is_closed.subscribe(), time).await;
    }

    /// Starts the work of the threads that have an active run which no living process drives, or a
    /// run that has ended, was created before `time` and is not shortened.
    async fn work_before(self: &Arc<Self>, time: u64) -> Result<(), AnyError> {
        for due in listed(&*self.store, LogList::Due(time)).await? {
            let id = watched_name(&due.log);
            if !(self.options.is_own)(id) {
                continue;
            }
            if id != due.log {
                let log = ThreadLog::new(self.store.clone(), id, self.processes.clone());
                log.remove_unrecorded(&due.log).await?;
                continue;
            }
            let by = parsed(&due.head.data)
                .get("by")
                .is_some()
                .then(|| text_of(&parsed(&due.head.data), "by"));
            let is_driven = match (&self.processes, by) {
                (Some(processes), Some(by)) => {
                    by != processes.id && processes.is_alive(&by).await?
                }
                _ => false,
            };
            if !is_driven {
                self.get(id).begin_work(None);
            }
        }
        Ok(())
    }

    async fn sweep_once(self: &Arc<Self>, is_hourly: bool) -> Result<(), AnyError> {
        let before = |age: Duration| now().saturating_sub(millis(age));
        self.work_before(before(self.options.log_time)).await?;
        if is_hourly && let Some(processes) = &self.processes {
            processes.clean().await?;
        }
        Ok(())
    }
}

/// Waits for so long, or until the service is closed or dropped.
async fn pause(is_closed: &mut watch::Receiver<bool>, time: Duration) {
    tokio::select! {
        () = sleep(time) => {}
        _ = is_closed.wait_for(|is_closed| *is_closed) => {}
    }
}

/// Starts the work of the threads that have some: after a start or a loss of a process, and when
/// logs have become old.
async fn sweep(threads: Weak<Threads>, mut is_closed: watch::Receiver<bool>) {
    let mut hourly: Option<Instant> = None;
    while let Some(threads) = threads.upgrade().filter(|threads| !threads.is_closed()) {
        let is_hourly = hourly.is_none_or(|last| last.elapsed() >= SWEEP);
        let wait = match threads.sweep_once(is_hourly).await {
            Ok(()) => {
                if is_hourly {
                    hourly = Some(Instant::now());
                }
                threads.processes.as_ref().map_or(SWEEP, |processes| processes.lease() / 2)
            }
            Err(error) => {
                (threads.options.on_error)(&*error);
                AGAIN
            }
        };
        drop(threads);
        pause(&mut is_closed, wait).await;
    }
}

impl Thread {
    /// Starts the work of the thread in a task.
    pub(super) fn begin_work(self: &Arc<Self>, counted: Option<UserCount>) {
        self.threads.spawn(self.clone().work(counted));
    }

    /// Drives the queued run, and then keeps the log within its limits.
    async fn work(self: Arc<Self>, mut counted: Option<UserCount>) {
        while !self.threads.is_closed() {
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
                    self.followers.close();
                    self.lose().await;
                    let failures = self.failures.fetch_add(1, Ordering::Relaxed);
                    LAST_AGAIN.min(FIRST_AGAIN.saturating_mul(2_u32.saturating_pow(failures)))
                }
            };
            tokio::select! {
                () = self.threads.pause(wait) => {}
                () = self.accepted.notified(), if counted.is_none() => return,
            }
        }
    }

    /// Returns the time after which there is more to do, if there will be.
    async fn work_once(
        self: &Arc<Self>,
        counted: &mut Option<UserCount>,
    ) -> Result<Option<Duration>, AnyError> {
        let open = loop {
            let open = self.open().await?;
            // A run may be accepted before the driver of the last one has ended.
            let running = self.driver().as_ref().map(|driving| driving.ended.clone());
            let Some(mut ended) = running else { break open };
            drop(open);
            drop(ended.changed().await);
        };
        if self.read().await?.is_none() || !self.log.may_drive().await? {
            return Ok(None);
        }
        if self.log.is_shared() {
            self.recover().await?;
        }
        let Some(state) = self.read().await? else { return Ok(None) };
        let users = &self.threads.users;
        self.kind.report(&self.log, users, &state.owner).await?;
        if self.log.is_shared() && self.read().await?.is_none() {
            // Another process has deleted the thread meanwhile.
            self.kind.withdraw(&self.log, users, &state.owner).await?;
            return Ok(None);
        }
        let active = self.log.active().await;
        if let Some(run) = active.filter(|run| run.status == RunStatus::Queued) {
            if counted.is_none() && !state.owner.is_empty() {
                let counts = &self.threads.counts;
                *counted = counts.enter(CountKind::Runs, &state.owner, usize::MAX).await?;
            }
            self.watch().await?;
            self.log.set_status(&run.run_id, RunStatus::Running).await?;
            let (stop, mut stopped) = watch::channel(RunContinues::Not);
            let (end, ended) = watch::channel(());
            *self.driver() = Some(Driving { run_id: run.run_id.clone(), stop, ended });
            let ending = Ending { thread: self, _end: end };
            // A cancellation before now has only set the mark.
            if self.log.run(&run.run_id).await.is_some_and(|run| run.canceled)
                && let Some(driving) = self.driver().as_ref()
            {
                driving.stop.send_replace(RunContinues::Canceled);
                stopped.mark_changed();
            }
            drop(open);
            let driven = driver::drive(self, &state, &run, stopped).await;
            drop(ending);
            driven?;
            // A deletion has ended before, or begins afterwards.
            let _open = self.open().await?;
            if self.read().await?.is_some_and(|now| now.generation == state.generation) {
                self.kind.report(&self.log, users, &state.owner).await?;
            }
        } else {
            drop(open);
        }
        *counted = None;
        self.retain().await
    }

    async fn retain(self: &Arc<Self>) -> Result<Option<Duration>, AnyError> {
        let _retaining = self.threads.retaining.acquire().await?;
        let _open = self.open().await?;
        if self.read().await?.is_none() || self.log.active().await.is_some() {
            return Ok(None);
        }
        // A follower would miss the end of a log that is deleted.
        if self.threads.followers.of(&self.id) > 0 {
            return Ok(Some(AGAIN));
        }
        let next = self.kind.retain(&self.log, now()).await?;
        self.followers.reread(self.followers.durable());
        // The sweep finds what is due later.
        Ok(next.filter(|time| *time < SWEEP))
    }
}
