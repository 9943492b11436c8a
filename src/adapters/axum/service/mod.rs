//! A service of one agent in every protocol.

mod answers;
mod context;
mod http_status;
mod paths;

use std::boxed::Box;
use std::convert::Infallible;
use std::error::Error;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::string::String;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::vec::Vec;

use axum_core::body::Body;
use axum_core::extract::Request;
use axum_core::response::Response;
use http::request::Parts;
use tower_service::Service;

pub(super) use self::answers::{Asked, Running};
pub use self::context::AgentContext;
pub(super) use self::context::RunAddition;
#[cfg(feature = "store")]
pub(super) use self::context::{RequestId, RequestUser};
pub use self::http_status::HttpStatus;
use self::http_status::upstream_status;
#[cfg(feature = "runs-server")]
use super::runs::RunsEndpoints;
#[cfg(feature = "store")]
use super::stored::{StoreLimits, StoreSettings, Stored, WhileRunning};
use super::tasks::Tasks;
#[cfg(feature = "runs-server")]
use crate::convert::RawRequest;
use crate::core::id::{Clock, IdSource as _, RandomIds};
use crate::emit::{
    AnyError, ConversationRequest, Failure, IntoAnswer, ListedModel, ModelList, Out,
};
use crate::hub::{EndError, Losses};
use crate::protocols::ProtocolKind;
use crate::protocols::a2a::card::AgentCard;
#[cfg(feature = "runs-server")]
use crate::protocols::ag_ui::request::RunAgentInput;
use crate::protocols::anthropic::request::MessagesRequest;
#[cfg(feature = "store")]
use crate::stores::LogStore;
#[cfg(feature = "runs-server")]
use crate::threads::{RunFailure, StopRequest};

type AgentFuture = Pin<Box<dyn Future<Output = Result<(), AnyError>> + Send>>;
type AgentFn = dyn Fn(Out, ConversationRequest, AgentContext) -> AgentFuture + Send + Sync;
type ErrorHook = dyn Fn(Failure<'_>) -> Option<EndError> + Send + Sync;
type Authenticating = Pin<Box<dyn Future<Output = Result<Option<String>, AnyError>> + Send>>;
type Authenticate = dyn Fn(Parts) -> Authenticating + Send + Sync;
type User = dyn Fn(&Request) -> Option<String> + Send + Sync;
type TokenCount = Pin<Box<dyn Future<Output = Result<u64, AnyError>> + Send>>;
type CountTokens = dyn Fn(MessagesRequest) -> TokenCount + Send + Sync;
type HasModel = dyn Fn(&str) -> bool + Send + Sync;
type MayUseModel = dyn Fn(&Request, &str) -> bool + Send + Sync;
type LossesHook = dyn Fn(&Losses) + Send + Sync;
type Status = dyn Fn(&(dyn Error + 'static)) -> Option<HttpStatus> + Send + Sync;

/// Serves one agent at the usual paths of the protocols, as a `tower` service that `axum` routes
/// requests to.
///
/// | protocol | path |
/// |---|---|
/// | Agent API | `POST /process` |
/// | AgentScope | `POST /chat/`; its answer is the stream. With a store, also the sessions, below `/sessions/` |
/// | AG-Kit | `POST /send-message` |
/// | AG-UI | `POST /ag-ui` |
/// | OpenAI Responses | `POST /v1/responses` |
/// | Chat Completions | `POST /v1/chat/completions`, `POST /chat/completions` |
/// | Anthropic Messages | `POST /v1/messages`, `POST /v1/messages/count_tokens` |
/// | the list of models, for the clients of the three before | `GET /v1/models`, `GET /v1/models/{id}` |
/// | AI SDK | `POST /api/chat` |
/// | A2A | `POST /a2a` for JSON-RPC, `/a2a/…` for REST, and the agent card at [`CARD_PATHS`](crate::a2a::card::CARD_PATHS) |
///
/// The agent receives a request of each protocol as a [`ConversationRequest`]; a request that is not
/// valid is refused as a server of the protocol refuses it. The agent writes its answer, or returns
/// it ([`IntoAnswer`]). Other paths are answered with 404 and the list of the paths,
/// other methods with 405, and bodies that are not sent as JSON with 415. The service does not add
/// headers for pages of other origins (CORS).
///
/// The head of a response is sent with the first output of the agent. If the agent fails before,
/// and its error has an HTTP status ([`http_status`](Self::http_status)), the response has this
/// status and an error body of the protocol instead of a stream. An A2A task fails in its stream.
///
/// The agent works at an A2A task as long as its connection is open; the task stays in memory
/// afterwards, with the limits of [`MemoryTaskStore`]. `examples/a2a.rs` shows tasks that continue
/// without their connection. A task belongs to the
/// [user](Self::user) who started it. Without a user, its id grants access to it, and tasks are listed by their
/// `contextId` only.
///
/// The service stores no responses: their `store` is false, and `previous_response_id` is refused,
/// unless the agent
/// [stores responses](Self::stores_responses). With the feature `axum-ws`, clients may also use
/// Responses over WebSocket, at the same path.
///
/// [`MemoryTaskStore`]: crate::a2a::tasks::MemoryTaskStore
///
/// ```
/// use agentwire::adapters::axum::AgentService;
/// use axum::Router;
///
/// let service = AgentService::new(async |out, request, _| {
///     for word in request.text().split_inclusive(' ') {
///         out.text(word).await;
///     }
///     Ok(())
/// });
/// let app: Router = Router::new().fallback_service(service);
/// ```
#[derive(Clone)]
pub struct AgentService(Arc<ServiceState>);

#[derive(Clone)]
struct ServiceState {
    agent: Arc<AgentFn>,
    protocols: Vec<ProtocolKind>,
    clock: Clock,
    on_error: Option<Arc<ErrorHook>>,
    on_losses: Option<Arc<LossesHook>>,
    user: Option<Arc<User>>,
    authenticate: Option<Arc<Authenticate>>,
    #[cfg(feature = "store")]
    store: Option<StoreSettings>,
    count_tokens: Option<Arc<CountTokens>>,
    models: Option<ModelList>,
    has_model: Option<Arc<HasModel>>,
    may_use_model: Option<Arc<MayUseModel>>,
    status: Arc<Status>,
    stores_responses: bool,
    card: AgentCard,
    tasks: Tasks,
    #[cfg(feature = "axum-ws")]
    pub(super) sockets: super::Sockets,
}

impl AgentService {
    /// Creates a service of an agent in every protocol, with the clock of the system.
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    pub fn new<F, A, R>(agent: F) -> Self
    where
        F: Fn(Out, ConversationRequest, AgentContext) -> A + Send + Sync + 'static,
        A: Future<Output = Result<R, AnyError>> + Send + 'static,
        R: IntoAnswer + Send + 'static,
    {
        Self::with_clock(agent, crate::core::id::system_clock)
    }

    /// Creates a service of an agent in every protocol.
    pub fn with_clock<F, A, R>(agent: F, clock: Clock) -> Self
    where
        F: Fn(Out, ConversationRequest, AgentContext) -> A + Send + Sync + 'static,
        A: Future<Output = Result<R, AnyError>> + Send + 'static,
        R: IntoAnswer + Send + 'static,
    {
        AgentService(Arc::new(ServiceState {
            agent: Arc::new(move |out, request, context| {
                let running = agent(out.clone(), request, context);
                Box::pin(async move { running.await?.write_to(&out).await })
            }),
            protocols: ProtocolKind::WRITABLE.to_vec(),
            clock,
            on_error: None,
            on_losses: None,
            user: None,
            authenticate: None,
            #[cfg(feature = "store")]
            store: None,
            count_tokens: None,
            models: None,
            has_model: None,
            may_use_model: None,
            status: Arc::new(upstream_status),
            stores_responses: false,
            card: AgentCard {
                name: "agent".into(),
                version: "1.0.0".into(),
                ..AgentCard::default()
            },
            tasks: Tasks::default(),
            #[cfg(feature = "axum-ws")]
            sockets: super::Sockets::default(),
        }))
    }

    /// Sets the protocols that are served; all of them by default.
    pub fn protocols(self, protocols: impl IntoIterator<Item = ProtocolKind>) -> Self {
        let protocols = protocols.into_iter().collect();
        self.with(|shared| shared.protocols = protocols)
    }

    /// Sets the card by which A2A clients find the agent. An empty `url` becomes `http://`, the
    /// host of the request, and `/a2a`.
    pub fn card(self, card: AgentCard) -> Self {
        self.with(|shared| shared.card = card)
    }

    /// Sets the models that the service lists at `/v1/models`, in the form that a client asks for:
    /// that of OpenAI, of Anthropic or of Codex. By default, the list has one model with the name
    /// of the [card](Self::card). The agent receives the model that a request names, and may ignore
    /// it.
    pub fn models<M: Into<ListedModel>>(self, models: impl IntoIterator<Item = M>) -> Self {
        let models = ModelList::new(models);
        self.with(|shared| shared.models = Some(models))
    }

    /// Sets a function that returns whether there is a model that is not in the list.
    pub fn has_model(self, has: impl Fn(&str) -> bool + Send + Sync + 'static) -> Self {
        self.with(|shared| shared.has_model = Some(Arc::new(has)))
    }

    /// Sets a function that returns whether the client of a request may use a model. For other
    /// clients, the model is not in the list.
    pub fn may_use_model(
        self,
        may_use: impl Fn(&Request, &str) -> bool + Send + Sync + 'static,
    ) -> Self {
        self.with(|shared| shared.may_use_model = Some(Arc::new(may_use)))
    }

    /// Sets a function that returns the user of a request, for example by its [`api_key`](super::api_key), or from
    /// an extension that a middleware has set. The agent receives the user. A2A tasks belong to their
    /// user, and do not exist for other users.
    pub fn user(self, user: impl Fn(&Request) -> Option<String> + Send + Sync + 'static) -> Self {
        self.with(|shared| shared.user = Some(Arc::new(user)))
    }

    /// Sets a function that returns the user of a request, or `None` if it has none: it is then
    /// refused with 401, in the form of its protocol. The user owns answers, tasks and
    /// conversations: return the id of an account, not a token. It replaces [`user`](Self::user).
    /// Only the agent card is public.
    pub fn authenticate<F, U>(self, authenticate: F) -> Self
    where
        F: Fn(Parts) -> U + Send + Sync + 'static,
        U: Future<Output = Result<Option<String>, AnyError>> + Send + 'static,
    {
        let authenticate = move |head| Box::pin(authenticate(head)) as Authenticating;
        self.with(|shared| shared.authenticate = Some(Arc::new(authenticate)))
    }

    /// Stores answers, so that they outlive their connection.
    ///
    /// - An answer to a request with `Prefer: resumable` continues without its client. Its frames
    ///   after a cursor (`Last-Event-ID`) are at the address in `Content-Location`; `DELETE` stops
    ///   it. With the same `Idempotency-Key`, a repeated request has the same answer.
    /// - OpenAI responses are stored unless `store` is false: `GET`, `DELETE`, `POST …/cancel`,
    ///   `GET …/input_items`, `previous_response_id`, `background`.
    /// - A2A tasks continue without their connection: `GetTask`, `CancelTask`, `SubscribeToTask`.
    /// - Clients of the Agent API and AgentScope (`session_id`), AG-Kit (`conversationId`) and A2A
    ///   (`contextId`) send their new messages only: the agent receives the earlier ones before them.
    ///   If they have more than 1 MiB, the first ones are left out, which is the loss `history`.
    /// - AgentScope has sessions, as its own service: `POST /chat/` that accepts no stream only
    ///   starts a reply, whose events are those of `GET /sessions/{id}/stream`.
    /// - `GET /api/chat/{id}/stream` has the running answer of a chat of the AI SDK.
    ///
    /// Answers, tasks and conversations belong to the [user](Self::authenticate). Without users,
    /// their ids are their credentials: a conversation needs an id of at least 16 characters.
    /// Requests are served in a runtime of tokio.
    #[cfg(feature = "store")]
    pub fn store(self, store: impl LogStore) -> Self {
        self.with(|shared| shared.store = Some(StoreSettings::new(Arc::new(store))))
    }

    /// Sets what happens with a message to a conversation in which an answer is being written. Call
    /// it after [`store`](Self::store).
    ///
    /// # Panics
    ///
    /// Without a store.
    #[cfg(feature = "store")]
    pub fn while_running(self, what: WhileRunning) -> Self {
        self.with_store(|store| store.while_running = what)
    }

    /// Changes the limits of the store. Call it after [`store`](Self::store).
    ///
    /// # Panics
    ///
    /// Without a store.
    #[cfg(feature = "store")]
    pub fn store_limits(self, change: impl FnOnce(&mut StoreLimits)) -> Self {
        self.with_store(|store| change(&mut store.limits))
    }

    /// Serves the [runs endpoints](super::runs), on the same store: their agent is that of the
    /// service, and their users are those of [`authenticate`](Self::authenticate). Call it after
    /// [`store`](Self::store).
    ///
    /// The messages of a request are the history: the instructions of the request, and then the
    /// messages of the thread, which end with those of the request. Addresses of attachments in
    /// them are valid for an hour. A cookie identifies only requests of pages of the same origin
    /// (`sec-fetch-site`); for pages of other origins, add `CorsLayer` of `tower-http`. Set
    /// `TCP_NODELAY` for the listener, as `examples/runs.rs` does: otherwise the system delays small
    /// events.
    ///
    /// # Panics
    ///
    /// Without a store.
    #[cfg(feature = "runs-server")]
    pub fn runs(self, endpoints: RunsEndpoints) -> Self {
        self.with_store(|store| store.runs = Some(endpoints))
    }

    #[cfg(feature = "store")]
    #[expect(clippy::expect_used, reason = "the order of the calls is documented")]
    fn with_store(self, change: impl FnOnce(&mut StoreSettings)) -> Self {
        self.with(|shared| {
            let store = shared.store.as_mut().expect("AgentService::store is called before");
            change(store);
            store.started = Arc::default();
        })
    }

    /// Starts the work on the store, which otherwise the first request does: runs that another
    /// process has left in progress are ended or started again. Does nothing without a store.
    ///
    /// # Panics
    ///
    /// Outside of a runtime of tokio, with a store.
    #[cfg(feature = "store")]
    pub fn start(&self) {
        self.stored();
    }

    /// Returns the answers of the store, which the first request starts.
    #[cfg(feature = "store")]
    fn stored(&self) -> Option<&Arc<Stored>> {
        let settings = self.0.store.as_ref()?;
        Some(settings.started.get_or_init(|| {
            let service = self.clone().with(|shared| shared.store = None);
            Stored::start(settings, service)
        }))
    }

    /// Stops the work of this process on the store: connections are closed, whose clients resume,
    /// and agents are dropped. Another process, or the next one, ends their answers. Returns when no
    /// task uses the store.
    #[cfg(feature = "store")]
    pub async fn close(&self) {
        if let Some(stored) = self.stored() {
            stored.close().await;
        }
    }

    /// Returns the user of a request.
    pub(crate) async fn user_of(&self, head: &Parts) -> Result<Option<String>, AnyError> {
        match (&self.0.authenticate, &self.0.user) {
            (Some(authenticate), _) => authenticate(head.clone()).await,
            (None, Some(user)) => Ok(user(&Request::from_parts(head.clone(), Body::empty()))),
            (None, None) => Ok(None),
        }
    }

    /// Runs the agent for a run of the runs endpoints.
    #[cfg(feature = "runs-server")]
    pub(crate) fn run(
        &self,
        input: RunAgentInput,
        url: &str,
        user: &str,
        stop: Arc<StopRequest>,
    ) -> Result<Running, AnyError> {
        let mut http = http::Request::post(url).body(())?;
        let RunFailure { code, message } = RunFailure::FAILED;
        let failure = EndError { code: Some(code.into()), message: message.into() };
        let addition =
            RunAddition { failure: Some(failure), stop: Some(stop), ..RunAddition::default() };
        http.extensions_mut().insert(addition);
        http.extensions_mut().insert(RequestUser(Some(user.to_owned())));
        let (context, _) = AgentContext::of(ProtocolKind::AgUi, http);
        let received = RawRequest { protocol: ProtocolKind::AgUi, body: input.to_json()? };
        let request = ConversationRequest::of(&input, &mut RandomIds)?
            .with_native(received)
            .with_user(context.user.clone());
        let running = self.emit(ProtocolKind::AgUi, Asked { request, context }, |write| {
            write.session_id(input.thread_id).response_id(input.run_id)
        });
        Ok(running?)
    }

    /// Passes an error of the service on to the function of [`on_error`](Self::on_error).
    pub(crate) fn report(&self, error: &(dyn Error + 'static)) {
        let id = RandomIds.next_id("error_");
        match &self.0.on_error {
            Some(on_error) => drop(on_error(Failure::new(error, &id))),
            None => std::eprintln!("agentwire: {id}: {error}"),
        }
    }

    /// Sets a function that counts the input tokens of a request to Anthropic Messages, for
    /// `POST /v1/messages/count_tokens`. By default the count is an
    /// [estimate](MessagesRequest::estimated_tokens).
    pub fn count_tokens<F, C>(self, count: F) -> Self
    where
        F: Fn(MessagesRequest) -> C + Send + Sync + 'static,
        C: Future<Output = Result<u64, AnyError>> + Send + 'static,
    {
        let count = move |request| Box::pin(count(request)) as TokenCount;
        self.with(|shared| shared.count_tokens = Some(Arc::new(count)))
    }

    /// Sets a function that returns the HTTP status for an error of the agent, if it has one. By
    /// default, with the feature `reqwest`, that is the error status of an upstream whose
    /// `HttpError` is the error or one of its sources, as with `call_model`, and its valid
    /// `Retry-After`.
    pub fn http_status(
        self,
        status: impl Fn(&(dyn Error + 'static)) -> Option<HttpStatus> + Send + Sync + 'static,
    ) -> Self {
        self.with(|shared| shared.status = Arc::new(status))
    }

    /// Declares that the agent stores its responses: a response has the `store` of its request, and
    /// the agent receives `previous_response_id` in the `extra` of its request.
    pub fn stores_responses(self) -> Self {
        self.with(|shared| shared.stores_responses = true)
    }

    /// Sets the WebSockets of OpenAI Responses: their limits, and when they are closed.
    #[cfg(feature = "axum-ws")]
    pub fn sockets(self, sockets: super::Sockets) -> Self {
        self.with(|shared| shared.sockets = sockets)
    }

    /// Sets a function that receives what of a request or its answer was lost, when the agent has
    /// ended. Losses that are known before the first output are also in the header
    /// [`agentwire-losses`](Losses::HEADER) of the response.
    pub fn on_losses(self, on_losses: impl Fn(&Losses) + Send + Sync + 'static) -> Self {
        self.with(|shared| shared.on_losses = Some(Arc::new(on_losses)))
    }

    /// Sets a function that receives every error of the agent and of the tools of `run_tools`, and
    /// returns the error for the client. Without it, or with `None`, the client receives only the
    /// id of the error. An agent that ends without output is reported, too
    /// ([`NoOutput`](crate::emit::NoOutput)).
    pub fn on_error(
        self,
        on_error: impl Fn(Failure<'_>) -> Option<EndError> + Send + Sync + 'static,
    ) -> Self {
        self.with(|shared| shared.on_error = Some(Arc::new(on_error)))
    }

    fn with(mut self, change: impl FnOnce(&mut ServiceState)) -> Self {
        change(Arc::make_mut(&mut self.0));
        self
    }

    pub(super) fn clock(&self) -> Clock {
        self.0.clock
    }
}

impl Service<Request> for AgentService {
    type Response = Response;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request) -> Self::Future {
        let service = self.clone();
        Box::pin(async move { Ok(service.respond(request).await) })
    }
}

impl fmt::Debug for AgentService {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AgentService").field("protocols", &self.0.protocols).finish_non_exhaustive()
    }
}
