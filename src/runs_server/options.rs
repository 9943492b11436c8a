//! The parts of a service that its application provides: functions, limits, and what an agent
//! receives.

use std::boxed::Box;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::string::String;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use bytes::Bytes;
use http::request::Parts;

use super::blobs::BlobStore;
use super::service::Runs;
use crate::emit::{AnyError, Out};
use crate::protocols::ag_ui::request::RunAgentInput;
use crate::stores::LogStore;
use crate::threads::StopRequest;

/// Boxes the future of a function of the application.
pub(super) type Work<T> = Pin<Box<dyn Future<Output = Result<T, AnyError>> + Send>>;
type Authenticate = dyn Fn(Parts) -> Work<Option<String>> + Send + Sync;
type RunAgentFn = dyn Fn(RunAgentInput, RunContext, Out) -> Work<()> + Send + Sync;
type Transcribe = dyn Fn(Recording) -> Work<String> + Send + Sync;
type Admit = dyn Fn(&str, Action) -> bool + Send + Sync;
type ServiceErrorHook = dyn Fn(&(dyn std::error::Error + 'static)) + Send + Sync;

/// The options of a service.
pub(super) struct Options {
    pub authenticate: Box<Authenticate>,
    pub agent: Box<RunAgentFn>,
    pub blobs: Option<Arc<dyn BlobStore>>,
    pub secret: Option<String>,
    pub transcribe: Option<Box<Transcribe>>,
    pub admit: Box<Admit>,
    pub limits: RunsLimits,
    pub retention: Retention,
    pub path: String,
    pub origin: Option<String>,
    pub on_error: Arc<ServiceErrorHook>,
}

/// The options of a service that has not started. [`Runs::builder`] creates it.
#[must_use = "a service serves nothing until it is started"]
pub struct RunsBuilder(Options, Arc<dyn LogStore>);

impl RunsBuilder {
    pub(super) fn new<U, UF, A, AF>(store: Arc<dyn LogStore>, authenticate: U, agent: A) -> Self
    where
        U: Fn(Parts) -> UF + Send + Sync + 'static,
        UF: Future<Output = Result<Option<String>, AnyError>> + Send + 'static,
        A: Fn(RunAgentInput, RunContext, Out) -> AF + Send + Sync + 'static,
        AF: Future<Output = Result<(), AnyError>> + Send + 'static,
    {
        let options = Options {
            authenticate: Box::new(move |request| Box::pin(authenticate(request))),
            agent: Box::new(move |input, context, out| Box::pin(agent(input, context, out))),
            blobs: None,
            secret: None,
            transcribe: None,
            admit: Box::new(|_, _| true),
            limits: RunsLimits::default(),
            retention: Retention::default(),
            path: "/api/v1/agent".into(),
            origin: None,
            on_error: Arc::new(|error| std::eprintln!("agentwire::runs_server: {error}")),
        };
        RunsBuilder(options, store)
    }

    /// Sets the store of attachments. Without it, or without a [`secret`](Self::secret),
    /// attachments are rejected.
    pub fn blobs(mut self, blobs: impl BlobStore) -> Self {
        self.0.blobs = Some(Arc::new(blobs));
        self
    }

    /// Sets the secret with which addresses of attachments and event streams are signed. Without
    /// it, they are rejected.
    pub fn secret(mut self, secret: impl Into<String>) -> Self {
        self.0.secret = Some(secret.into()).filter(|secret| !secret.is_empty());
        self
    }

    /// Sets the function that returns the text of a recording. Without it, recordings are rejected.
    pub fn transcribe<F>(
        mut self,
        transcribe: impl Fn(Recording) -> F + Send + Sync + 'static,
    ) -> Self
    where
        F: Future<Output = Result<String, AnyError>> + Send + 'static,
    {
        self.0.transcribe = Some(Box::new(move |recording| Box::pin(transcribe(recording))));
        self
    }

    /// Sets the function that returns false to reject a request of a user with 429: a rate limit.
    pub fn admit(mut self, admit: impl Fn(&str, Action) -> bool + Send + Sync + 'static) -> Self {
        self.0.admit = Box::new(admit);
        self
    }

    /// Changes the limits.
    pub fn limits(mut self, change: impl FnOnce(&mut RunsLimits)) -> Self {
        change(&mut self.0.limits);
        self
    }

    /// Changes the limits of logs.
    pub fn retention(mut self, change: impl FnOnce(&mut Retention)) -> Self {
        change(&mut self.0.retention);
        self
    }

    /// Sets the path of the endpoints: `/api/v1/agent` by default.
    pub fn path(mut self, path: impl Into<String>) -> Self {
        self.0.path = path.into();
        self
    }

    /// Sets the origin of the addresses of attachments and event streams, for example
    /// `https://chat.example`. By default it is `http://` and the host of the request.
    pub fn origin(mut self, origin: impl Into<String>) -> Self {
        self.0.origin = Some(origin.into());
        self
    }

    /// Sets the function that receives the errors that clients do not receive. By default they are
    /// written to the standard error stream.
    pub fn on_error(
        mut self,
        on_error: impl Fn(&(dyn std::error::Error + 'static)) + Send + Sync + 'static,
    ) -> Self {
        self.0.on_error = Arc::new(on_error);
        self
    }

    /// Starts the service: it recovers the runs that the last process has left in progress.
    ///
    /// # Panics
    ///
    /// Outside of a runtime of tokio.
    pub fn start(self) -> Runs {
        Runs::started(self.0, self.1)
    }
}

impl fmt::Debug for RunsBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RunsBuilder").field("path", &self.0.path).finish_non_exhaustive()
    }
}

/// The limits of a service.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RunsLimits {
    /// The maximum number of active runs of a user, in all threads: 20 by default.
    pub user_runs: usize,
    /// The maximum number of event connections of a user: 100 by default.
    pub user_connections: usize,
    /// The maximum number of event connections of a thread: 2,000 by default.
    pub thread_connections: usize,
    /// The maximum duration of a run: 10 minutes by default.
    pub run_time: Duration,
    /// The silence after which a connection receives a comment: 15 seconds by default.
    pub keep_alive: Duration,
    /// The maximum number of bytes of the body of `POST /runs`: 1 MiB by default.
    pub body_bytes: usize,
    /// The time within which a body must arrive: 30 seconds by default.
    pub body_time: Duration,
    /// The maximum number of bytes of an attachment or a recording: 10 MiB by default.
    pub file_bytes: usize,
    /// The maximum number of attachments and recordings that are received at once, because each is
    /// in memory: 4 by default.
    pub uploads: usize,
    /// The maximum number of those of one user: 2 by default, and always less than `uploads`,
    /// unless that is 1.
    pub user_uploads: usize,
}

impl Default for RunsLimits {
    fn default() -> Self {
        RunsLimits {
            user_runs: 20,
            user_connections: 100,
            thread_connections: 2000,
            run_time: Duration::from_secs(600),
            keep_alive: Duration::from_secs(15),
            body_bytes: 1024 * 1024,
            body_time: Duration::from_secs(30),
            file_bytes: 10 * 1024 * 1024,
            uploads: 4,
            user_uploads: 2,
        }
    }
}

/// The limits of a thread's log.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Retention {
    /// The time for which a log is kept as it was written: 7 days by default. Afterwards pieces of
    /// a text are joined.
    pub log_time: Duration,
    /// The maximum number of bytes of all logs of a thread: 50,000,000 by default. The oldest runs
    /// are shortened first, then deleted.
    pub log_bytes: u64,
}

impl Default for Retention {
    fn default() -> Self {
        Retention { log_time: Duration::from_secs(7 * 24 * 3600), log_bytes: 50_000_000 }
    }
}

/// A request of a user that [`RunsBuilder::admit`] may reject.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Action {
    /// `POST /runs`
    Run,
    /// `POST /attachments`
    Upload,
    /// `POST /transcribe`
    Transcription,
}

/// A recording to transcribe.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Recording {
    /// The WAV file.
    pub audio: Bytes,
    /// Its length.
    pub duration: Duration,
    /// The user.
    pub user: String,
}

/// The context of a run.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RunContext {
    /// The user.
    pub user: String,
    pub(super) stop_request: Arc<StopRequest>,
}

impl RunContext {
    /// Waits until the run was canceled or takes too long. The agent then has 5 seconds to end it.
    ///
    /// The future of an agent that has called neither this nor [`is_stopping`](Self::is_stopping)
    /// is dropped at the point where it waits.
    pub async fn stopped(&self) {
        self.stop_request.waits.store(true, Ordering::Relaxed);
        // An error would mean that the sender is dropped, which `self` owns.
        drop(self.stop_request.is_sent.subscribe().wait_for(|is_sent| *is_sent).await);
    }

    /// Returns whether the run was canceled or takes too long.
    pub fn is_stopping(&self) -> bool {
        self.stop_request.waits.store(true, Ordering::Relaxed);
        *self.stop_request.is_sent.borrow()
    }
}
