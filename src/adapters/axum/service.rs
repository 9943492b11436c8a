//! A service of one agent in every protocol.

use std::boxed::Box;
use std::convert::Infallible;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::string::String;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::vec::Vec;

use axum_core::extract::{FromRequest, Request};
use axum_core::response::{IntoResponse, Response};
use http::{HeaderValue, Method, StatusCode};
use tower_service::Service;

use super::tasks::Tasks;
use super::{AgentJson, JsonResponse, RequestBody, SseResponse, answer};
use crate::core::error::UsageError;
use crate::core::id::{Clock, RandomIds};
use crate::emit::{AnyError, Emission, EmitOptions, Failure, Out, emit};
use crate::hub::request::{HubRequest, convert};
use crate::hub::{EndError, Losses};
use crate::json::Value;
use crate::protocols::ProtocolKind;
use crate::protocols::a2a::card::{AgentCard, CARD_PATHS};
use crate::protocols::ag_kit::request::SendMessageInput;
use crate::protocols::ag_ui::request::RunAgentInput;
use crate::protocols::agent_api::builder::BuilderOptions;
use crate::protocols::agent_api::request::AgentRequest;
use crate::protocols::ai_sdk::request::UiRequest;
use crate::protocols::responses::request::CreateResponse;

type AgentFuture = Pin<Box<dyn Future<Output = Result<(), AnyError>> + Send>>;
type Agent = dyn Fn(AgentRequest, Out) -> AgentFuture + Send + Sync;
type OnError = dyn Fn(Failure<'_>) -> Option<EndError> + Send + Sync;

/// An answer that an agent writes.
pub(super) type Running = Emission<AgentFuture>;

/// Serves one agent at the usual paths of the protocols, as a `tower` service that `axum` routes requests to.
///
/// | protocol | path |
/// |---|---|
/// | Agent API | `POST /process` |
/// | AG-Kit | `POST /send-message` |
/// | AG-UI | `POST /ag-ui` |
/// | OpenAI Responses | `POST /v1/responses` |
/// | AI SDK | `POST /api/chat` |
/// | A2A | `POST /a2a` for JSON-RPC, `/a2a/…` for REST, and the agent card at [`CARD_PATHS`] |
///
/// Each request is converted to an [`AgentRequest`], and a request that is not one is refused as a server of the protocol
/// refuses it. Other paths are answered with 404, other methods with 405, and bodies that are not sent as JSON with 415.
///
/// The agent works at an A2A task as long as its connection is open; the task stays in memory afterwards.
/// `examples/a2a.rs` shows tasks that continue without their connection. Every caller can list and cancel the tasks of all
/// callers: authenticate requests in front of the service.
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
pub struct AgentService(Arc<Shared>);

#[derive(Clone)]
struct Shared {
    agent: Arc<Agent>,
    protocols: Vec<ProtocolKind>,
    clock: Clock,
    on_error: Option<Arc<OnError>>,
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
        AgentService(Arc::new(Shared {
            agent: Arc::new(move |request, out| Box::pin(agent(request, out))),
            protocols: ProtocolKind::WRITABLE.to_vec(),
            clock,
            on_error: None,
            card: AgentCard { name: "agent".into(), version: "1.0.0".into(), ..AgentCard::default() },
            tasks: Tasks::default(),
        }))
    }

    /// Sets the protocols that are served; all of them by default.
    pub fn protocols(self, protocols: impl IntoIterator<Item = ProtocolKind>) -> Self {
        let protocols = protocols.into_iter().collect();
        self.with(|shared| shared.protocols = protocols)
    }

    /// Sets the card by which A2A clients find the agent. An empty `url` becomes `http://`, the host of the request, and
    /// `/a2a`.
    pub fn card(self, card: AgentCard) -> Self {
        self.with(|shared| shared.card = card)
    }

    /// Sets a function that receives every error of the agent, and returns the error for the client. Without it, or with
    /// `None`, the client receives only the id of the error.
    pub fn on_error(
        self,
        on_error: impl Fn(Failure<'_>) -> Option<EndError> + Send + Sync + 'static,
    ) -> Self {
        self.with(|shared| shared.on_error = Some(Arc::new(on_error)))
    }

    fn with(mut self, change: impl FnOnce(&mut Shared)) -> Self {
        change(Arc::make_mut(&mut self.0));
        self
    }

    /// Returns the protocol that is served at this path.
    pub fn protocol_of(path: &str) -> Option<ProtocolKind> {
        Some(match path {
            "/process" => ProtocolKind::AgentApi,
            "/send-message" => ProtocolKind::AgKit,
            "/ag-ui" => ProtocolKind::AgUi,
            "/v1/responses" => ProtocolKind::Responses,
            "/api/chat" => ProtocolKind::AiSdk,
            _ if path == "/a2a" || path.starts_with("/a2a/") => ProtocolKind::A2a,
            _ => return None,
        })
    }

    /// Responds to a request.
    pub async fn respond(&self, request: Request) -> Response {
        let path = request.uri().path();
        let serves = |kind| self.0.protocols.contains(&kind);
        if serves(ProtocolKind::A2a) {
            if CARD_PATHS.contains(&path) {
                return match *request.method() {
                    Method::GET => self.card_of(&request),
                    _ => other_method("GET"),
                };
            }
            if Self::protocol_of(path) == Some(ProtocolKind::A2a) {
                return self.0.tasks.respond(self, request).await;
            }
        }
        let Some(kind) = Self::protocol_of(path).filter(|kind| *kind != ProtocolKind::A2a && serves(*kind))
        else {
            return not_found();
        };
        if request.method() != Method::POST {
            return other_method("POST");
        }
        let responded = match kind {
            ProtocolKind::AgKit => self.converted::<SendMessageInput>(kind, request).await,
            ProtocolKind::AgUi => self.converted::<RunAgentInput>(kind, request).await,
            ProtocolKind::AiSdk => self.converted::<UiRequest>(kind, request).await.map(marked),
            ProtocolKind::Responses => self.responses(request).await,
            _ => self.agent_api(request).await,
        };
        responded.unwrap_or_else(|rejection| rejection)
    }

    async fn agent_api(&self, request: Request) -> Result<Response, Response> {
        let AgentJson(body) = AgentJson::from_request(request, &()).await?;
        Ok(self.stream(ProtocolKind::AgentApi, body, Value::Null))
    }

    async fn converted<R: RequestBody + HubRequest>(
        &self,
        kind: ProtocolKind,
        request: Request,
    ) -> Result<Response, Response> {
        let AgentJson(body) = AgentJson::<R>::from_request(request, &()).await?;
        Ok(self.stream(kind, convert(&body, &mut Losses::default()), Value::Null))
    }

    async fn responses(&self, request: Request) -> Result<Response, Response> {
        let AgentJson(body) = AgentJson::<CreateResponse>::from_request(request, &()).await?;
        let request: AgentRequest = convert(&body, &mut Losses::default());
        if request.stream {
            return Ok(self.stream(ProtocolKind::Responses, request, body.echo()));
        }
        let emission = self.named(ProtocolKind::Responses, request, body.echo());
        Ok(emission.map(JsonResponse).into_response())
    }

    fn stream(&self, kind: ProtocolKind, request: AgentRequest, echo: Value) -> Response {
        self.named(kind, request, echo).map(SseResponse).into_response()
    }

    /// Runs the agent with the ids of the request.
    fn named(
        &self,
        kind: ProtocolKind,
        mut request: AgentRequest,
        echo: Value,
    ) -> Result<Running, UsageError> {
        request.ensure_session(&mut RandomIds);
        let session = request.session_id.clone().unwrap_or_default();
        let id: String = request.response_id().unwrap_or_default().into();
        self.emit(kind, request, |write| write.session_id(session).response_id(id).echo(echo))
    }

    /// Runs the agent.
    pub(super) fn emit(
        &self,
        kind: ProtocolKind,
        request: AgentRequest,
        write: impl FnOnce(BuilderOptions) -> BuilderOptions,
    ) -> Result<Running, UsageError> {
        let mut options = EmitOptions::random(kind, self.0.clock).write(write);
        if let Some(on_error) = self.0.on_error.clone() {
            options = options.on_error(move |failure| on_error(failure));
        }
        emit(options, |out| (self.0.agent)(request, out))
    }

    pub(super) fn clock(&self) -> Clock {
        self.0.clock
    }

    fn card_of(&self, request: &Request) -> Response {
        let mut card = self.0.card.clone();
        if card.url.is_empty() {
            let host = request.headers().get("host").and_then(|host| host.to_str().ok());
            card.url = ["http://", host.unwrap_or("localhost"), "/a2a"].concat();
        }
        answer(200, super::JSON, card.to_json())
    }
}

fn not_found() -> Response {
    StatusCode::NOT_FOUND.into_response()
}

fn other_method(allowed: &'static str) -> Response {
    let mut response = StatusCode::METHOD_NOT_ALLOWED.into_response();
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

/// Adds the header by which some readers recognize a stream of the AI SDK.
fn marked(mut response: Response) -> Response {
    response.headers_mut().insert("x-vercel-ai-ui-message-stream", HeaderValue::from_static("v1"));
    response
}
