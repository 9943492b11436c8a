//! Answers that outlive their connection: with a store, the answer of each protocol is a log, which
//! is followed after a cursor. OpenAI responses, A2A tasks and the turns of conversations are stored
//! by default, other answers with `Prefer: resumable`.

mod answers;
mod chats;
mod conversations;
mod ending;
mod extensions;
mod frames;
mod items;
mod kind;
mod lists;
mod request;
mod responses;
mod run;
mod session_events;
mod session_messages;
mod session_state;
mod sessions;
mod task_frames;
mod tasks;
mod turn;

use std::boxed::Box;
use std::collections::HashMap;
use std::string::String;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use axum_core::body::Body;
use axum_core::extract::Request;
use axum_core::response::Response;
use http::{HeaderValue, Method, StatusCode};
use tokio::sync::watch;

use self::answers::{AnswerCall, Begun, missing, no_answer};
use self::extensions::RequestExtensions;
use self::kind::{AnswerHome, AnswerKind};
use super::AgentService;
#[cfg(feature = "runs-server")]
use super::runs::{self, RunsEndpoints};
use super::service::{RequestId, RequestUser};
use crate::protocols::ProtocolKind;
use crate::protocols::a2a::card::CARD_PATHS;
use crate::stores::LogStore;
pub use crate::threads::WhileRunning;
use crate::threads::{Refusal, ThreadLimits, Threads, ThreadsOptions, is_answer_id};

/// The limits of what a service stores, and how long it is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct StoreLimits {
    /// The maximum number of active answers of a user. Default: 20.
    pub user_runs: usize,
    /// The maximum number of connections of a user that follow answers. Default: 100.
    pub user_connections: usize,
    /// The maximum number of connections that follow one answer or conversation. Default: 2,000.
    pub thread_connections: usize,
    /// The maximum number of A2A tasks of a user. A new task replaces those that changed first,
    /// unless their agent is running. Default: 1,000.
    pub user_tasks: usize,
    /// The maximum duration of an answer. Default: 10 minutes.
    pub run_time: Duration,
    /// The silence after which a connection receives a comment. Default: 15 seconds.
    pub keep_alive: Duration,
    /// The time for which an answer is kept after its end. Default: 1 day.
    pub answer_time: Duration,
    /// The time for which an A2A task, and a conversation without a user, is kept after its last
    /// change. Default: 7 days.
    pub task_time: Duration,
    /// The time for which the log of a run of the runs endpoints is kept as it was written.
    /// Afterwards pieces of a text are joined. Default: 7 days.
    pub log_time: Duration,
}

impl Default for StoreLimits {
    fn default() -> Self {
        const DAY: Duration = Duration::from_secs(24 * 3600);
        StoreLimits {
            user_runs: 20,
            user_connections: 100,
            thread_connections: 2000,
            user_tasks: 1000,
            run_time: Duration::from_secs(600),
            keep_alive: Duration::from_secs(15),
            answer_time: DAY,
            task_time: DAY.saturating_mul(7),
            log_time: DAY.saturating_mul(7),
        }
    }
}

/// The store of a service, and its answers once it is used.
#[derive(Clone)]
pub(super) struct StoreSettings {
    pub store: Arc<dyn LogStore>,
    pub while_running: WhileRunning,
    pub limits: StoreLimits,
    #[cfg(feature = "runs-server")]
    pub runs: Option<RunsEndpoints>,
    /// Created when the service is used for the first time.
    pub started: Arc<OnceLock<Arc<Stored>>>,
}

impl StoreSettings {
    pub fn new(store: Arc<dyn LogStore>) -> Self {
        StoreSettings {
            store,
            while_running: WhileRunning::default(),
            limits: StoreLimits::default(),
            #[cfg(feature = "runs-server")]
            runs: None,
            started: Arc::default(),
        }
    }
}

/// The path of stored answers.
const ANSWERS: &str = "/answers/";
const METHODS: &str = "GET, DELETE";

/// The stored answers of a service.
pub(super) struct Stored {
    threads: Arc<Threads>,
    home: Arc<AnswerHome>,
    while_running: WhileRunning,
    user_tasks: usize,
    /// The conversations whose answer is being stopped because its client has left.
    stopping: Mutex<HashMap<String, watch::Receiver<()>>>,
    #[cfg(feature = "runs-server")]
    runs: Option<Arc<runs::Service>>,
}

impl Stored {
    /// Starts to serve the answers of a store. `service` is the service without its store.
    pub fn start(settings: &StoreSettings, service: AgentService) -> Arc<Self> {
        let StoreLimits {
            user_runs,
            user_connections,
            thread_connections,
            user_tasks,
            run_time,
            keep_alive,
            answer_time,
            task_time,
            log_time,
        } = settings.limits;
        let reporter = service.clone();
        let threads = OnceLock::new();
        let extensions = RequestExtensions::default();
        let home = Arc::new(AnswerHome { service, threads, extensions, answer_time, task_time });
        let of_kind = home.clone();
        #[cfg(feature = "runs-server")]
        let runs = settings.runs.clone().map(|endpoints| {
            let service = home.service.clone();
            let while_running = settings.while_running;
            Arc::new(runs::Options { endpoints, while_running, log_time, service })
        });
        #[cfg(feature = "runs-server")]
        let (of_runs, has_runs) = (runs.clone(), runs.is_some());
        #[cfg(not(feature = "runs-server"))]
        let has_runs = false;
        let threads = Threads::start(
            settings.store.clone(),
            ThreadsOptions {
                limits: ThreadLimits {
                    user_runs,
                    user_connections,
                    thread_connections,
                    run_time,
                    keep_alive,
                },
                log_time: answer_time.min(task_time).min(log_time),
                is_own: Box::new(move |id| has_runs || is_answer_id(id)),
                kind: Box::new(move |id| {
                    #[cfg(feature = "runs-server")]
                    if let Some(options) = &of_runs
                        && !is_answer_id(id)
                    {
                        let options = options.clone();
                        return Arc::new(runs::Conversation { id: id.into(), options });
                    }
                    let (id, home) = (id.into(), of_kind.clone());
                    Arc::new(AnswerKind { id, home, turn: Mutex::default() })
                }),
                on_error: Arc::new(move |error| reporter.report(error)),
            },
        );
        let _ = home.threads.set(Arc::downgrade(&threads));
        let (while_running, stopping) = (settings.while_running, Mutex::default());
        #[cfg(feature = "runs-server")]
        let runs = runs.map(|options| runs::Service::new(options, threads.clone()));
        Arc::new(Stored {
            threads,
            home,
            while_running,
            user_tasks,
            stopping,
            #[cfg(feature = "runs-server")]
            runs,
        })
    }

    /// Responds to a request for a runs endpoint; returns other requests.
    #[cfg(feature = "runs-server")]
    pub async fn run(&self, request: Request) -> Result<Response, Request> {
        match &self.runs {
            Some(runs) if runs.has(request.uri().path()) => Ok(runs.respond(request).await),
            _ => Err(request),
        }
    }

    /// Returns the service without its store.
    fn service(&self) -> &AgentService {
        &self.home.service
    }

    pub async fn close(&self) {
        self.threads.close().await;
    }

    fn stopping(&self) -> MutexGuard<'_, HashMap<String, watch::Receiver<()>>> {
        self.stopping.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Responds to a request, whose user is known.
    pub async fn respond(self: &Arc<Self>, request: Request) -> Response {
        let (http, body) = request.into_parts();
        let extensions = &http.extensions;
        let user = extensions.get::<RequestUser>().and_then(|RequestUser(user)| user.clone());
        let id = extensions.get::<RequestId>().map(|RequestId(id)| id.clone());
        let path = http.uri.path();
        let protocol = AgentService::protocol_of(path)
            .or_else(|| chats::chat_of_path(path).map(|_| ProtocolKind::AiSdk))
            .or_else(|| path.starts_with(sessions::PATH).then_some(ProtocolKind::AgentScope))
            .or_else(|| {
                path.starts_with([responses::PATH, "/"].concat().as_str())
                    .then_some(ProtocolKind::Responses)
            });
        let protocol = protocol.filter(|kind| self.service().serves(*kind));
        let call = AnswerCall {
            protocol,
            user: user.unwrap_or_default(),
            request_id: id.unwrap_or_default(),
            http,
        };
        let _kept = self.home.extensions.keep(&call.request_id, &call.http.extensions);
        self.routed(call, body).await.unwrap_or_else(|refused| refused)
    }

    async fn routed(self: &Arc<Self>, call: AnswerCall, body: Body) -> Result<Response, Response> {
        let path = call.path();
        if path.starts_with(ANSWERS) {
            return self.resume(call, body).await;
        }
        let is_posted = call.http.method == Method::POST;
        match call.protocol {
            Some(ProtocolKind::A2a) if !CARD_PATHS.contains(&path) => {
                Ok(self.task(call, body).await)
            }
            Some(ProtocolKind::Responses) if path != responses::PATH => {
                self.below_responses(call, body).await
            }
            Some(ProtocolKind::Responses) if is_posted => self.create_response(call, body).await,
            Some(ProtocolKind::AgentScope) if path.starts_with(sessions::PATH) => {
                self.session(call, body).await
            }
            Some(ProtocolKind::AgentScope) if is_posted && !sessions::accepts_stream(&call) => {
                self.start_reply(call, body).await
            }
            Some(ProtocolKind::AgentApi | ProtocolKind::AgentScope | ProtocolKind::AgKit)
                if is_posted =>
            {
                let text = call.read(body).await?;
                match conversations::conversation_in(&call, &text) {
                    Some(name) => {
                        let answered = self.converse(&call, &text, &name).await;
                        answered.map_err(|refusal| call.refuse(refusal))
                    }
                    None => self.answered(call, text).await,
                }
            }
            Some(_) if is_posted && call.prefers_resumable() => {
                let text = call.read(body).await?;
                self.answered(call, text).await
            }
            Some(ProtocolKind::AiSdk) if call.http.method == Method::GET => {
                let running = match chats::chat_of_path(path) {
                    Some(id) => self.running(&call, &id).await,
                    None => Ok(None),
                };
                match running.map_err(|refusal| call.refuse(refusal))? {
                    Some(response) => Ok(response),
                    None if chats::chat_of_path(path).is_some() => {
                        let mut response = Response::default();
                        *response.status_mut() = StatusCode::NO_CONTENT;
                        Ok(response)
                    }
                    None => Ok(self.pass(call, body).await),
                }
            }
            _ => Ok(self.pass(call, body).await),
        }
    }

    async fn pass(&self, call: AnswerCall, body: Body) -> Response {
        self.service().routed(Request::from_parts(call.http, body)).await
    }

    /// Answers a request that is not a turn of a conversation: with frames that can be resumed, if the
    /// client asks for that.
    async fn answered(&self, call: AnswerCall, body: String) -> Result<Response, Response> {
        if !call.prefers_resumable() {
            return Ok(self.pass(call, body.into()).await);
        }
        let started = async {
            let id = call.answer_id()?;
            let mut stored = call.stored(&body);
            stored.chat = chats::chat_in(&call, &body);
            if body.len() > answers::MAX_STORED_REQUEST_BYTES {
                let detail = "the request of a stored answer has 8388608 bytes at most";
                return crate::threads::reject(
                    crate::protocols::runs::problem::Code::BodyTooLarge,
                    detail,
                );
            }
            match self.ask(&call, &id, &stored).await? {
                Begun::Response(response) => Ok(response),
                Begun::Frames { losses } => self.frames(&call, &id, None, losses.as_deref()).await,
            }
        };
        started.await.map_err(|refusal| call.refuse(refusal))
    }

    /// Returns the frames after a cursor, or stops the agent.
    async fn resume(&self, call: AnswerCall, body: Body) -> Result<Response, Response> {
        let id = call.path().strip_prefix(ANSWERS).unwrap_or_default().to_owned();
        if !is_answer_id(&id) {
            return Err(call.refuse(no_answer()));
        }
        let turn = call.query("turn");
        match call.http.method {
            Method::GET => {
                let frames = self.frames(&call, &id, turn.as_deref(), None).await;
                frames.map_err(|refusal| call.refuse(refusal))
            }
            Method::DELETE => {
                call.read(body).await?;
                let stopped = self.threads.get(&id).cancel(&call.user, turn.as_deref()).await;
                stopped.map_err(|refusal: Refusal| call.refuse(missing(refusal)))?;
                let mut response = Response::default();
                *response.status_mut() = StatusCode::ACCEPTED;
                Ok(response)
            }
            _ => {
                let mut response = call.refuse(no_answer());
                *response.status_mut() = StatusCode::METHOD_NOT_ALLOWED;
                response.headers_mut().insert("allow", HeaderValue::from_static(METHODS));
                Err(response)
            }
        }
    }
}
