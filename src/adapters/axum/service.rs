//! A service of one agent in every protocol.

use std::boxed::Box;
use std::convert::Infallible;
use std::error::Error;
use std::fmt;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::string::{String, ToString};
use std::sync::Arc;
use std::task::{Context, Poll};
use std::vec::Vec;

use axum_core::extract::{FromRequest, Request};
use axum_core::response::{IntoResponse, Response};
use futures_core::Stream;
use http::{HeaderValue, Method};
use tower_service::Service;

use super::tasks::Tasks;
use super::{AgentJson, HttpRefusal, LastEvent, RequestBody, SseResponse, answer};
use crate::convert::{ProtocolRequest, RawRequest, convert_typed};
use crate::core::error::UsageError;
use crate::core::id::{Clock, RandomIds};
use crate::core::violation::excerpt;
use crate::emit::{
    AnyError, Emission, EmitOptions, Failure, ListedModel, ModelList, ModelListForm, ModelListPath,
    Out, emit,
};
use crate::hub::{EndError, Losses};
use crate::json::Value;
use crate::protocols::ProtocolKind;
use crate::protocols::a2a::card::{AgentCard, CARD_PATHS};
use crate::protocols::ag_kit::request::SendMessageInput;
use crate::protocols::ag_ui::request::RunAgentInput;
use crate::protocols::agent_api::builder::BuilderOptions;
use crate::protocols::agent_api::request::AgentRequest;
use crate::protocols::ai_sdk::request::UiRequest;
use crate::protocols::anthropic::request::MessagesRequest;
use crate::protocols::chat::request::ChatRequest;
use crate::protocols::responses::request::CreateResponse;

type AgentFuture = Pin<Box<dyn Future<Output = Result<(), AnyError>> + Send>>;
type AgentFn = dyn Fn(AgentRequest, Out) -> AgentFuture + Send + Sync;
type ErrorHook = dyn Fn(Failure<'_>) -> Option<EndError> + Send + Sync;
type User = dyn Fn(&Request) -> Option<String> + Send + Sync;
type TokenCount = Pin<Box<dyn Future<Output = Result<u64, AnyError>> + Send>>;
type CountTokens = dyn Fn(MessagesRequest) -> TokenCount + Send + Sync;
type HasModel = dyn Fn(&str) -> bool + Send + Sync;
type LossesHook = dyn Fn(&Losses) + Send + Sync;
type Status = dyn Fn(&(dyn Error + 'static)) -> Option<HttpStatus> + Send + Sync;

/// The HTTP status of a response to a request whose agent has failed before its first output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HttpStatus {
    /// The status.
    pub status: u16,
    /// The type of the error in the protocols that have types. Default: that of the status.
    pub kind: Option<String>,
    /// The member of the request that is wrong, in the protocols that name it.
    pub param: Option<String>,
    /// The value of `Retry-After`.
    pub retry_after: Option<String>,
}

impl HttpStatus {
    /// Creates a status without details.
    pub fn new(status: u16) -> Self {
        HttpStatus { status, kind: None, param: None, retry_after: None }
    }
}

/// The request of a client, as the agent receives it.
pub(super) struct Asked {
    pub request: AgentRequest,
    /// The request as it was received, if it is of another protocol.
    pub received: Option<RawRequest>,
    /// The losses of its conversion to the request of the agent.
    pub losses: Losses,
}

/// An answer that an agent writes.
pub(super) type Running = Emission<AgentFuture>;

/// Serves one agent at the usual paths of the protocols, as a `tower` service that `axum` routes
/// requests to.
///
/// | protocol | path |
/// |---|---|
/// | Agent API | `POST /process` |
/// | AG-Kit | `POST /send-message` |
/// | AG-UI | `POST /ag-ui` |
/// | OpenAI Responses | `POST /v1/responses` |
/// | Chat Completions | `POST /v1/chat/completions`, `POST /chat/completions` |
/// | Anthropic Messages | `POST /v1/messages`, `POST /v1/messages/count_tokens` |
/// | the list of models, for the clients of the three before | `GET /v1/models`, `GET /v1/models/{id}` |
/// | AI SDK | `POST /api/chat` |
/// | A2A | `POST /a2a` for JSON-RPC, `/a2a/…` for REST, and the agent card at [`CARD_PATHS`] |
///
/// Each request is converted to an [`AgentRequest`], and a request that is not one is refused as a
/// server of the protocol refuses it. Other paths are answered with 404 and the list of the paths,
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
/// [stores responses](Self::stores_responses).
///
/// [`MemoryTaskStore`]: crate::a2a::tasks::MemoryTaskStore
///
/// ```
/// use agentwire::adapters::axum::AgentService;
/// use axum::Router;
///
/// let service = AgentService::new(async |request, out| {
///     for word in request.user_text().split_inclusive(' ') {
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
    count_tokens: Option<Arc<CountTokens>>,
    models: Option<ModelList>,
    has_model: Option<Arc<HasModel>>,
    status: Arc<Status>,
    stores_responses: bool,
    card: AgentCard,
    tasks: Tasks,
}

impl AgentService {
    /// Creates a service of an agent in every protocol, with the clock of the system.
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    pub fn new<F, A>(agent: F) -> Self
    where
        F: Fn(AgentRequest, Out) -> A + Send + Sync + 'static,
        A: Future<Output = Result<(), AnyError>> + Send + 'static,
    {
        Self::with_clock(agent, crate::core::id::system_clock)
    }

    /// Creates a service of an agent in every protocol.
    pub fn with_clock<F, A>(agent: F, clock: Clock) -> Self
    where
        F: Fn(AgentRequest, Out) -> A + Send + Sync + 'static,
        A: Future<Output = Result<(), AnyError>> + Send + 'static,
    {
        AgentService(Arc::new(ServiceState {
            agent: Arc::new(move |request, out| Box::pin(agent(request, out))),
            protocols: ProtocolKind::WRITABLE.to_vec(),
            clock,
            on_error: None,
            on_losses: None,
            user: None,
            count_tokens: None,
            models: None,
            has_model: None,
            status: Arc::new(upstream_status),
            stores_responses: false,
            card: AgentCard {
                name: "agent".into(),
                version: "1.0.0".into(),
                ..AgentCard::default()
            },
            tasks: Tasks::default(),
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

    /// Sets a function that returns the user of a request, for example by its [`api_key`], or from
    /// an extension that a middleware has set. A2A tasks belong to their user, and do not exist for
    /// other users.
    pub fn user(self, user: impl Fn(&Request) -> Option<String> + Send + Sync + 'static) -> Self {
        self.with(|shared| shared.user = Some(Arc::new(user)))
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

    /// Returns the protocol that is served at this path.
    pub fn protocol_of(path: &str) -> Option<ProtocolKind> {
        let is_below = path.strip_prefix(A2A_PATH).is_some_and(|below| below.starts_with('/'));
        let path = if is_below { A2A_PATH } else { path };
        PATHS.iter().find(|(_, known)| *known == path).map(|(kind, _)| *kind)
    }

    /// Returns the paths of the protocols that are served.
    fn paths(&self) -> Vec<&'static str> {
        let served = PATHS.iter().filter(|(kind, _)| self.0.protocols.contains(kind));
        served.map(|(_, path)| *path).collect()
    }

    /// Responds to a request.
    pub async fn respond(&self, request: Request) -> Response {
        let path = request.uri().path();
        let serves = |kind| self.0.protocols.contains(&kind);
        if serves(ProtocolKind::A2a) {
            if CARD_PATHS.contains(&path) {
                return match *request.method() {
                    Method::GET => self.card_of(&request),
                    _ => other_method(ProtocolKind::A2a, "GET"),
                };
            }
            if Self::protocol_of(path) == Some(ProtocolKind::A2a) {
                let user = self.0.user.as_ref().and_then(|user| user(&request));
                return self.0.tasks.respond(self, user, request).await;
            }
        }
        // Clients of Anthropic Messages ask so whether the server is there.
        if path == "/" && request.method() == Method::HEAD && serves(ProtocolKind::Anthropic) {
            return Response::default();
        }
        if let Some(asked) = ModelListPath::of(path).filter(|_| MODEL_APIS.into_iter().any(&serves))
        {
            return self.models_of(&asked, &request);
        }
        let Some(kind) =
            Self::protocol_of(path).filter(|kind| *kind != ProtocolKind::A2a && serves(*kind))
        else {
            return self.not_found(path);
        };
        if request.method() != Method::POST {
            return other_method(kind, "POST");
        }
        let responded = match kind {
            ProtocolKind::AgKit => self.converted::<SendMessageInput>(kind, request).await,
            ProtocolKind::AgUi => self.converted::<RunAgentInput>(kind, request).await,
            ProtocolKind::AiSdk => self.converted::<UiRequest>(kind, request).await.map(marked),
            ProtocolKind::Responses => self.responses(request).await,
            ProtocolKind::Chat => self.model_api::<ChatRequest>(kind, request).await,
            ProtocolKind::Anthropic => self.messages(request).await,
            _ => self.agent_api(request).await,
        };
        responded.unwrap_or_else(|rejection| rejection)
    }

    async fn agent_api(&self, request: Request) -> Result<Response, Response> {
        let AgentJson(body) = AgentJson::from_request(request, &()).await?;
        let asked = Asked { request: body, received: None, losses: Losses::default() };
        self.stream(ProtocolKind::AgentApi, asked, Value::Null).await
    }

    async fn converted<R: RequestBody + ProtocolRequest>(
        &self,
        kind: ProtocolKind,
        request: Request,
    ) -> Result<Response, Response> {
        let AgentJson(body) = AgentJson::<R>::from_request(request, &()).await?;
        let (asked, echo) = (self.asked(&body).map_err(|refused| *refused)?, body.echo());
        drop(body);
        self.stream(kind, asked, echo).await
    }

    async fn responses(&self, request: Request) -> Result<Response, Response> {
        let kind = ProtocolKind::Responses;
        let AgentJson(body) = AgentJson::<CreateResponse>::from_request(request, &()).await?;
        let mut echo = body.echo();
        if !self.0.stores_responses {
            if let Some(id) = &body.previous_response_id {
                let message =
                    ["Previous response with id '", &excerpt(id), "' not found."].concat();
                let mut refusal = HttpRefusal::new(400, "previous_response_not_found", message);
                refusal.param = Some("previous_response_id".into());
                return Err(refusal.response(kind));
            }
            echo.insert("store", false.into());
        } else if body.store.is_none() {
            echo.insert("store", true.into());
        }
        let asked = self.asked(&body).map_err(|refused| *refused)?;
        drop(body);
        let is_stream = asked.request.stream;
        self.answered(kind, asked, echo, is_stream).await
    }

    /// Responds to a request to the API of a model, whose answer is a stream only if the request
    /// says so: what the writer needs of the request contains this.
    async fn model_api<R: RequestBody + ProtocolRequest>(
        &self,
        kind: ProtocolKind,
        request: Request,
    ) -> Result<Response, Response> {
        let AgentJson(body) = AgentJson::<R>::from_request(request, &()).await?;
        let mut asked = self.asked(&body).map_err(|refused| *refused)?;
        let echo = body.echo();
        drop(body);
        let is_stream = echo.get("stream") == Some(&Value::Bool(true));
        asked.request.stream = is_stream;
        self.answered(kind, asked, echo, is_stream).await
    }

    /// Responds to a request to Anthropic Messages: for an answer, or for the number of its input
    /// tokens.
    async fn messages(&self, request: Request) -> Result<Response, Response> {
        let kind = ProtocolKind::Anthropic;
        if request.uri().path() != COUNT_TOKENS_PATH {
            return self.model_api::<MessagesRequest>(kind, request).await;
        }
        let AgentJson(body) = AgentJson::<MessagesRequest>::from_request(request, &()).await?;
        let count = match &self.0.count_tokens {
            Some(count) => count(body).await.map_err(|error| self.refused_count(&*error))?,
            None => body.estimated_tokens(),
        };
        let count = Value::from([("input_tokens", Value::from(count as i64))]);
        Ok(answer(200, super::JSON, count.to_json()))
    }

    /// Returns the response to a request whose tokens could not be counted.
    fn refused_count(&self, error: &(dyn Error + Send + Sync + 'static)) -> Response {
        let http = (self.0.status)(error);
        let status = http.as_ref().map_or(500, |http| http.status);
        let mut refusal = HttpRefusal::new(status, "", "the tokens could not be counted");
        refusal.retry_after = http.and_then(|http| http.retry_after);
        refusal.response(ProtocolKind::Anthropic)
    }

    /// Responds with a stream, or with the whole answer at the end of the run.
    async fn answered(
        &self,
        kind: ProtocolKind,
        asked: Asked,
        echo: Value,
        is_stream: bool,
    ) -> Result<Response, Response> {
        if is_stream {
            return self.stream(kind, asked, echo).await;
        }
        // Nothing is sent before the end.
        let mut running = self.named(kind, asked, echo).map_err(IntoResponse::into_response)?;
        let mut last = LastEvent::default();
        while let Some(events) = poll_fn(|context| Pin::new(&mut running).poll_next(context)).await
        {
            last.push(&events);
        }
        match self.early_failure(kind, &mut running).await {
            Some(refused) => Err(refused),
            None => {
                let response = answer(last.status(), super::JSON, last.answer().into());
                Ok(with_losses(&running.losses(), response))
            }
        }
    }

    /// Converts a request to the one that the agent receives.
    pub(super) fn asked(&self, body: &impl ProtocolRequest) -> Result<Asked, Box<Response>> {
        let mut losses = Losses::default();
        let received = RawRequest { protocol: body.protocol(), body: body.to_body() };
        let request = convert_typed(&received, &mut RandomIds, &mut losses);
        let request = request.map_err(|error| {
            Box::new(
                HttpRefusal::new(422, "invalid_request", error.to_string())
                    .response(body.protocol()),
            )
        })?;
        Ok(Asked { request, received: Some(received), losses })
    }

    async fn stream(
        &self,
        kind: ProtocolKind,
        asked: Asked,
        echo: Value,
    ) -> Result<Response, Response> {
        let mut running = self.named(kind, asked, echo).map_err(IntoResponse::into_response)?;
        match self.early_failure(kind, &mut running).await {
            Some(refused) => Err(refused),
            None => {
                let losses = running.losses();
                Ok(with_losses(&losses, SseResponse(running).into_response()))
            }
        }
    }

    /// Starts the agent, with the ids of the request.
    fn named(
        &self,
        kind: ProtocolKind,
        mut asked: Asked,
        echo: Value,
    ) -> Result<Running, UsageError> {
        let request = &mut asked.request;
        request.ensure_session(&mut RandomIds);
        let session = request.session_id.clone().unwrap_or_default();
        let id: String = request.response_id().unwrap_or_default().into();
        self.emit(kind, asked, |write| write.session_id(session).response_id(id).echo(echo))
    }

    /// Runs the agent until it has written something. Returns the error response if it has failed
    /// before, with an HTTP status.
    async fn early_failure(&self, kind: ProtocolKind, running: &mut Running) -> Option<Response> {
        let failure = running.begin().await?;
        let http = (self.0.status)(&*failure.error)?;
        let mut refusal = match failure.shown {
            Some(EndError { code, message, .. }) => {
                HttpRefusal::new(http.status, code.unwrap_or_default(), message)
            }
            None => {
                let status = http.status.to_string();
                let message =
                    ["the model answered ", &status, ", the id of the error is ", &failure.id];
                HttpRefusal::new(http.status, ["MODEL_HTTP_", &status].concat(), message.concat())
            }
        };
        (refusal.kind, refusal.param) = (http.kind, http.param);
        refusal.retry_after = http.retry_after;
        Some(refusal.response(kind))
    }

    /// Runs the agent.
    pub(super) fn emit(
        &self,
        kind: ProtocolKind,
        asked: Asked,
        write: impl FnOnce(BuilderOptions) -> BuilderOptions,
    ) -> Result<Running, UsageError> {
        let Asked { request, received, losses } = asked;
        let mut options = EmitOptions::random(kind, self.0.clock).write(write);
        if let Some(on_losses) = self.0.on_losses.clone() {
            options = options.on_losses(move |losses| on_losses(losses));
        }
        if let Some(on_error) = self.0.on_error.clone() {
            options = options.on_error(move |failure| on_error(failure));
        }
        emit(options, |out| {
            out.add_losses(&losses);
            out.received(received);
            (self.0.agent)(request, out)
        })
    }

    pub(super) fn clock(&self) -> Clock {
        self.0.clock
    }

    /// Responds to a request for the list of models, or for one of them.
    fn models_of(&self, asked: &ModelListPath, request: &Request) -> Response {
        let query = request.uri().query().unwrap_or_default();
        let has_version = request.headers().contains_key("anthropic-version");
        let form = ModelListForm::of(query, has_version);
        if !matches!(*request.method(), Method::GET | Method::HEAD) {
            let kind = match form {
                ModelListForm::Anthropic => ProtocolKind::Anthropic,
                _ => ProtocolKind::Chat,
            };
            return other_method(kind, "GET");
        }
        let name = || ModelList::new([&*self.0.card.name]);
        let models = self.0.models.clone().unwrap_or_else(name);
        let has = |id: &str| self.0.has_model.as_ref().is_some_and(|has| has(id));
        let (status, json) = models.answer(asked, query, form, &has);
        answer(status, super::JSON, json)
    }

    /// Responds to a request for another path, in the form of the protocol that is served above it.
    fn not_found(&self, path: &str) -> Response {
        let served = PATHS.iter().filter(|(kind, _)| self.0.protocols.contains(kind));
        let is_above =
            |above: &str| path.strip_prefix(above).is_some_and(|below| below.starts_with('/'));
        let kind = served.map(|(kind, above)| (*kind, *above)).find(|(_, above)| is_above(above));
        let detail =
            ["there is nothing here; protocols are at ", &self.paths().join(", ")].concat();
        let kind = kind.map_or(ProtocolKind::AgentApi, |(kind, _)| kind);
        HttpRefusal::new(404, "not_found", detail).response(kind)
    }

    fn card_of(&self, request: &Request) -> Response {
        let mut card = self.0.card.clone();
        if card.url.is_empty() {
            let host = request.headers().get("host").and_then(|host| host.to_str().ok());
            card.url = ["http://", host.unwrap_or("localhost"), A2A_PATH].concat();
        }
        answer(200, super::JSON, card.to_json())
    }
}

/// The paths of the protocols.
const PATHS: &[(ProtocolKind, &str)] = &[
    (ProtocolKind::AgentApi, "/process"),
    (ProtocolKind::AgKit, "/send-message"),
    (ProtocolKind::AgUi, "/ag-ui"),
    (ProtocolKind::Responses, "/v1/responses"),
    (ProtocolKind::Chat, "/v1/chat/completions"),
    (ProtocolKind::Chat, "/chat/completions"),
    (ProtocolKind::Anthropic, "/v1/messages"),
    (ProtocolKind::Anthropic, COUNT_TOKENS_PATH),
    (ProtocolKind::AiSdk, "/api/chat"),
    (ProtocolKind::A2a, A2A_PATH),
];

/// The protocols whose clients ask for a list of models.
const MODEL_APIS: [ProtocolKind; 3] =
    [ProtocolKind::Responses, ProtocolKind::Chat, ProtocolKind::Anthropic];

/// The path at which Anthropic Messages counts the tokens of a request.
const COUNT_TOKENS_PATH: &str = "/v1/messages/count_tokens";

/// The path of JSON-RPC. Those of REST are below it.
const A2A_PATH: &str = "/a2a";

/// Returns the status of an upstream that has refused a request.
fn upstream_status(error: &(dyn Error + 'static)) -> Option<HttpStatus> {
    #[cfg(feature = "reqwest")]
    {
        let mut cause = Some(error);
        while let Some(error) = cause {
            if let Some(http) = error.downcast_ref::<crate::adapters::reqwest::HttpError>() {
                return http.is_error_status().then(|| HttpStatus {
                    retry_after: http.retry_after().map(String::from),
                    ..HttpStatus::new(http.status.as_u16())
                });
            }
            cause = error.source();
        }
    }
    let _ = error;
    None
}

/// Returns the key that a client of a model's API has sent: in the header `Authorization: Bearer …`,
/// or in `x-api-key` as clients of Anthropic Messages do.
///
/// ```
/// use agentwire::adapters::axum::api_key;
/// use axum::extract::Request;
///
/// let with = |name: &str, value: &str| Request::builder().header(name, value).body(().into()).unwrap();
/// assert_eq!(api_key(&with("authorization", "Bearer k")), Some("k"));
/// assert_eq!(api_key(&with("x-api-key", "k")), Some("k"));
/// assert_eq!(api_key(&with("authorization", "Basic k")), None);
/// ```
pub fn api_key(request: &Request) -> Option<&str> {
    let text = |name: &str| request.headers().get(name)?.to_str().ok().map(str::trim);
    let bearer = text("authorization").and_then(|header| {
        let (scheme, key) = header.split_once(' ')?;
        scheme.eq_ignore_ascii_case("bearer").then(|| key.trim())
    });
    bearer.or_else(|| text("x-api-key")).filter(|key| !key.is_empty())
}

fn other_method(kind: ProtocolKind, allowed: &'static str) -> Response {
    let message = ["this path takes ", allowed].concat();
    let mut response = HttpRefusal::new(405, "method_not_allowed", message).response(kind);
    response.headers_mut().insert("allow", HeaderValue::from_static(allowed));
    response
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

/// Adds the header with what was lost.
fn with_losses(losses: &Losses, mut response: Response) -> Response {
    if let Ok(value) = HeaderValue::from_str(&losses.to_header())
        && !losses.is_empty()
    {
        response.headers_mut().insert(Losses::HEADER, value);
    }
    response
}

/// Adds the header by which some readers recognize a stream of the AI SDK.
fn marked(mut response: Response) -> Response {
    response.headers_mut().insert("x-vercel-ai-ui-message-stream", HeaderValue::from_static("v1"));
    response
}
