//! The runs endpoints as their application configures them: functions and limits.

use std::boxed::Box;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::string::String;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;

use super::super::AgentService;
use super::blobs::BlobStore;
use crate::emit::AnyError;
use crate::threads::WhileRunning;

/// Boxes the future of a function of the application.
pub(super) type Work<T> = Pin<Box<dyn Future<Output = Result<T, AnyError>> + Send>>;
type Transcribe = dyn Fn(Recording) -> Work<String> + Send + Sync;
type Admit = dyn Fn(&str, Action) -> bool + Send + Sync;

/// The runs endpoints of a service, with their options: see [`AgentService::runs`]. Without changes,
/// attachments and recordings are rejected.
#[derive(Clone)]
#[must_use = "the endpoints are served when `AgentService::runs` has them"]
pub struct RunsEndpoints {
    pub(super) blobs: Option<Arc<dyn BlobStore>>,
    pub(super) secret: Option<String>,
    pub(super) transcribe: Option<Arc<Transcribe>>,
    pub(super) admit: Option<Arc<Admit>>,
    pub(super) limits: EndpointLimits,
    pub(super) log_bytes: u64,
    pub(super) path: String,
    pub(super) origin: Option<String>,
}

/// The endpoints of a service that has started.
pub(crate) struct Options {
    pub endpoints: RunsEndpoints,
    pub while_running: WhileRunning,
    pub log_time: Duration,
    pub service: AgentService,
}

impl Default for RunsEndpoints {
    fn default() -> Self {
        RunsEndpoints {
            blobs: None,
            secret: None,
            transcribe: None,
            admit: None,
            limits: EndpointLimits::default(),
            log_bytes: 50_000_000,
            path: "/api/v1/agent".into(),
            origin: None,
        }
    }
}

impl RunsEndpoints {
    /// Sets the store of attachments. Without it, or without a [`secret`](Self::secret),
    /// attachments are rejected.
    pub fn blobs(self, blobs: impl BlobStore) -> Self {
        RunsEndpoints { blobs: Some(Arc::new(blobs)), ..self }
    }

    /// Sets the secret with which addresses of attachments and event streams are signed. Without
    /// it, they are rejected.
    pub fn secret(self, secret: impl Into<String>) -> Self {
        RunsEndpoints { secret: Some(secret.into()).filter(|secret| !secret.is_empty()), ..self }
    }

    /// Sets the function that returns the text of a recording. Without it, recordings are rejected.
    pub fn transcribe<F>(self, transcribe: impl Fn(Recording) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Result<String, AnyError>> + Send + 'static,
    {
        let transcribe = move |recording| Box::pin(transcribe(recording)) as Work<String>;
        RunsEndpoints { transcribe: Some(Arc::new(transcribe)), ..self }
    }

    /// Sets the function that returns false to reject a request of a user with 429: a rate limit.
    pub fn admit(self, admit: impl Fn(&str, Action) -> bool + Send + Sync + 'static) -> Self {
        RunsEndpoints { admit: Some(Arc::new(admit)), ..self }
    }

    /// Changes the limits.
    pub fn limits(mut self, change: impl FnOnce(&mut EndpointLimits)) -> Self {
        change(&mut self.limits);
        self
    }

    /// Sets the maximum number of bytes of all logs of a thread: 50,000,000 by default. The oldest
    /// runs are shortened first, then deleted.
    pub fn log_bytes(self, log_bytes: u64) -> Self {
        RunsEndpoints { log_bytes, ..self }
    }

    /// Sets the path of the endpoints: `/api/v1/agent` by default.
    pub fn path(self, path: impl Into<String>) -> Self {
        RunsEndpoints { path: path.into(), ..self }
    }

    /// Sets the origin of the addresses of attachments and event streams, for example
    /// `https://chat.example`. By default it is `http://` and the host of the request.
    pub fn origin(self, origin: impl Into<String>) -> Self {
        RunsEndpoints { origin: Some(origin.into()), ..self }
    }

    /// Returns whether a path is one of the endpoints.
    pub(crate) fn have(&self, path: &str) -> bool {
        let below = path.strip_prefix(&*self.path);
        below.is_some_and(|below| below.is_empty() || below.starts_with('/'))
    }
}

impl fmt::Debug for RunsEndpoints {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RunsEndpoints").field("path", &self.path).finish_non_exhaustive()
    }
}

/// The limits of requests to the endpoints. Those of runs and connections are
/// [`StoreLimits`](crate::adapters::axum::StoreLimits).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct EndpointLimits {
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

impl Default for EndpointLimits {
    fn default() -> Self {
        EndpointLimits {
            body_bytes: 1024 * 1024,
            body_time: Duration::from_secs(30),
            file_bytes: 10 * 1024 * 1024,
            uploads: 4,
            user_uploads: 2,
        }
    }
}

/// A request of a user that [`RunsEndpoints::admit`] may reject.
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
