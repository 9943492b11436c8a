//! Serving agents with axum: requests as arguments of handlers, streams of the agent as responses,
//! and [`AgentService`] for all protocols.
//!
//! ```
//! use agentwire::adapters::axum::{AgentJson, SseResponse};
//! use agentwire::agent_api::request::AgentRequest;
//! use agentwire::emit::{EmitOptions, emit};
//! use agentwire::ProtocolKind;
//! use axum::{Router, response::IntoResponse, routing::post};
//!
//! async fn process(AgentJson(request): AgentJson<AgentRequest>) -> Result<impl IntoResponse, agentwire::UsageError> {
//!     let session = request.session_id.clone().unwrap_or_default();
//!     let options = EmitOptions::random(ProtocolKind::AgentApi, || 0).write(|write| write.session_id(session));
//!     Ok(SseResponse(emit(options, async move |out| {
//!         for token in ["Hello", ", ", "you"] {
//!             out.text(token).await; // waits while the client is slow
//!         }
//!         Ok(())
//!     })?))
//! }
//!
//! let app: Router = Router::new().route("/process", post(process));
//! ```

mod api_key;
#[cfg(feature = "store")]
mod foreign;
#[cfg(feature = "runs-server")]
pub mod runs;
mod service;
#[cfg(feature = "axum-ws")]
mod socket;
#[cfg(feature = "store")]
mod stored;
mod tasks;

use std::borrow::ToOwned;
use std::convert::Infallible;
use std::pin::Pin;
use std::string::String;
use std::task::{Context, Poll, ready};

use axum_core::body::Body;
use axum_core::extract::{FromRequest, Request};
use axum_core::response::{IntoResponse, Response};
use bytes::Bytes;
use futures_core::Stream;
use http::HeaderValue;

use crate::agent_api::request::AgentRequest;
use crate::anthropic::request::MessagesRequest;
use crate::anthropic::{error_response, error_status};
use crate::chat::request::ChatRequest;
use crate::core::error::UsageError;
use crate::core::limits::Limits;
use crate::core::request::InvalidRequest;
use crate::core::request::openai::error_body;
use crate::json::Value;
use crate::protocols::ProtocolKind;
use crate::protocols::a2a::request::{ErrorKind, Reply};
use crate::responses::request::CreateResponse;
pub use api_key::api_key;
pub use service::{AgentContext, AgentService, HttpStatus};
#[cfg(feature = "axum-ws")]
pub use socket::{SocketLimits, Sockets};
#[cfg(feature = "store")]
pub use stored::{StoreLimits, WhileRunning};

/// The request of a client. The body is parsed, and an invalid one refused, as the protocol's own
/// server does.
///
/// The content type of the body has to be JSON (415 otherwise). The body may be as large as
/// [`Limits::event_bytes`] allows by default, or as axum's `DefaultBodyLimit` does if that is less.
#[derive(Clone, Copy, Debug)]
pub struct AgentJson<R>(pub R);

/// A request that can be the body of an HTTP request.
pub trait RequestBody: Sized {
    /// Parses the body.
    ///
    /// # Errors
    ///
    /// The response of a server of the protocol to a body that is not such a request.
    fn from_body(json: &str) -> Result<Self, Rejection>;

    /// Returns the response of such a server to a request whose body it does not parse, as
    /// `{"detail","code"}` by default.
    fn refused(refusal: &HttpRefusal) -> Rejection {
        let body = Value::from([
            ("detail", refusal.message.as_str().into()),
            ("code", (&*refusal.code).into()),
        ]);
        Rejection::new(refusal.status, JSON, body.to_json())
    }
}

/// The reason for an error response of HTTP, which each protocol writes in its own form.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct HttpRefusal {
    /// The HTTP status.
    pub status: u16,
    /// A code for programs.
    pub code: String,
    /// A text for people.
    pub message: String,
    /// The type of the error in the protocols that have types, such as `rate_limit_error`. Default:
    /// that of the status.
    pub kind: Option<String>,
    /// The member of the request that is wrong, in the protocols that name it.
    pub param: Option<String>,
    /// The value of `Retry-After`.
    pub retry_after: Option<String>,
}

impl HttpRefusal {
    /// Creates the reason for an error response.
    pub fn new(status: u16, code: impl Into<String>, message: impl Into<String>) -> Self {
        HttpRefusal {
            status,
            code: code.into(),
            message: message.into(),
            kind: None,
            param: None,
            retry_after: None,
        }
    }

    /// Returns the response in the form of this protocol.
    pub fn response(&self, protocol: ProtocolKind) -> Response {
        let rejection = match protocol {
            ProtocolKind::Responses | ProtocolKind::Chat => refused_by_openai(self),
            ProtocolKind::Anthropic => MessagesRequest::refused(self),
            ProtocolKind::A2a => {
                let answer = Reply::default().error(ErrorKind::InvalidRequest, &self.message);
                Rejection::new(self.status, answer.content_type, answer.body)
            }
            _ => AgentRequest::refused(self),
        };
        let mut response = rejection.into_response();
        if let Some(Ok(value)) = self.retry_after.as_deref().map(HeaderValue::from_str) {
            response.headers_mut().insert("retry-after", value);
        }
        response
    }
}

/// The response to a request that is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rejection {
    /// The HTTP status.
    pub status: u16,
    /// The value of `Content-Type`.
    pub content_type: &'static str,
    /// The body.
    pub body: String,
}

impl Rejection {
    /// Creates a rejection.
    pub fn new(status: u16, content_type: &'static str, body: impl Into<String>) -> Self {
        Rejection { status, content_type, body: body.into() }
    }
}

impl IntoResponse for Rejection {
    fn into_response(self) -> Response {
        answer(self.status, self.content_type, self.body)
    }
}

const JSON: &str = "application/json";
const TEXT: &str = "text/plain; charset=utf-8";
const EVENTS: &str = "text/event-stream; charset=utf-8";

fn rejection(error: &InvalidRequest) -> Rejection {
    Rejection::new(error.status(), JSON, error.detail())
}

#[cfg(feature = "agent-api")]
impl RequestBody for AgentRequest {
    /// Parses the body as the runtime does: a body that is not a JSON object is refused with 422,
    /// an invalid request with an error event in a stream.
    fn from_body(json: &str) -> Result<Self, Rejection> {
        Self::parse(json).map_err(|error| match error.status() {
            200 => Rejection::new(200, EVENTS, error.to_sse()),
            status => Rejection::new(status, JSON, error.detail()),
        })
    }
}

#[cfg(feature = "ag-kit")]
impl RequestBody for crate::ag_kit::request::SendMessageInput {
    fn from_body(json: &str) -> Result<Self, Rejection> {
        Self::parse(json).map_err(|error| rejection(&error))
    }
}

#[cfg(feature = "agentscope")]
impl RequestBody for crate::agentscope::request::ChatRequest {
    fn from_body(json: &str) -> Result<Self, Rejection> {
        Self::parse(json).map_err(|error| rejection(&error))
    }
}

#[cfg(feature = "ag-ui")]
impl RequestBody for crate::ag_ui::request::RunAgentInput {
    fn from_body(json: &str) -> Result<Self, Rejection> {
        Self::parse(json).map_err(|error| rejection(&error))
    }
}

#[cfg(feature = "ai-sdk")]
impl RequestBody for crate::ai_sdk::request::UiRequest {
    fn from_body(json: &str) -> Result<Self, Rejection> {
        Self::parse(json).map_err(|error| rejection(&error))
    }
}

#[cfg(feature = "responses")]
impl RequestBody for CreateResponse {
    /// Refuses an invalid body as an OpenAI server does.
    fn from_body(json: &str) -> Result<Self, Rejection> {
        Self::parse(json).map_err(|error| Rejection::new(error.status(), JSON, error.body()))
    }

    fn refused(refusal: &HttpRefusal) -> Rejection {
        refused_by_openai(refusal)
    }
}

#[cfg(feature = "chat")]
impl RequestBody for ChatRequest {
    /// Refuses an invalid body as an OpenAI server does.
    fn from_body(json: &str) -> Result<Self, Rejection> {
        Self::parse(json).map_err(|error| Rejection::new(error.status(), JSON, error.body()))
    }

    fn refused(refusal: &HttpRefusal) -> Rejection {
        refused_by_openai(refusal)
    }
}

#[cfg(feature = "anthropic")]
impl RequestBody for MessagesRequest {
    /// Refuses an invalid body as Anthropic's server does.
    fn from_body(json: &str) -> Result<Self, Rejection> {
        Self::parse_as_server(json).map_err(|error| {
            let (status, body) = error.response();
            Rejection::new(status, JSON, body)
        })
    }

    fn refused(refusal: &HttpRefusal) -> Rejection {
        let (status, body) = error_response(refusal.status, &refusal.message, None);
        Rejection::new(status, JSON, body)
    }
}

/// Returns the response of an OpenAI server to a request that it does not parse.
fn refused_by_openai(refusal: &HttpRefusal) -> Rejection {
    let HttpRefusal { status, code, message, kind, param, .. } = refusal;
    let kind = kind.as_deref().unwrap_or(match status {
        ..500 => "invalid_request_error",
        _ => "server_error",
    });
    let code = Some(&**code).filter(|code| !code.is_empty());
    Rejection::new(*status, JSON, error_body(message, kind, param.as_deref(), code))
}

impl<R: RequestBody, S: Send + Sync> FromRequest<S> for AgentJson<R> {
    type Rejection = Response;

    async fn from_request(request: Request, state: &S) -> Result<Self, Response> {
        let json = read_body(request, state)
            .await
            .map_err(|refusal| R::refused(&refusal).into_response())?;
        R::from_body(&json).map(AgentJson).map_err(IntoResponse::into_response)
    }
}

/// The body of a request to an A2A server: JSON text, or empty. As with [`AgentJson`], other
/// content types are refused.
#[derive(Clone, Debug)]
pub struct A2aBody(pub String);

impl<S: Send + Sync> FromRequest<S> for A2aBody {
    type Rejection = Response;

    async fn from_request(request: Request, state: &S) -> Result<Self, Response> {
        let body = read_body(request, state).await.map(A2aBody);
        body.map_err(|refusal| refusal.response(ProtocolKind::A2a))
    }
}

/// Reads the body of a request. Invalid UTF-8 is replaced, and the protocol then refuses the body
/// as invalid JSON.
///
/// A form of another site can send a body only with a content type that is not JSON: such a body is
/// refused, because it would start the agent with the cookies of the user.
async fn read_body<S: Send + Sync>(request: Request, state: &S) -> Result<String, HttpRefusal> {
    let is_json = request.headers().get("content-type").is_some_and(is_json);
    let body = Bytes::from_request(request, state).await.map_err(|rejection| {
        let too_long = rejection.status() == 413;
        let code = if too_long { "body_too_long" } else { "body_unreadable" };
        HttpRefusal::new(rejection.status().as_u16(), code, rejection.to_string())
    })?;
    if !body.is_empty() && !is_json {
        let message = "the content type of the body has to be application/json";
        return Err(HttpRefusal::new(415, "content_type", message));
    }
    if body.len() > Limits::default().event_bytes {
        return Err(HttpRefusal::new(413, "body_too_long", "the body is too large"));
    }
    Ok(String::from_utf8_lossy(&body).into_owned())
}

/// Returns whether a content type is `application/json` or ends with `+json`.
fn is_json(content_type: &HeaderValue) -> bool {
    let kind = content_type.to_str().unwrap_or_default().split(';').next().unwrap_or_default();
    let kind = kind.trim().to_ascii_lowercase();
    kind == JSON || (kind.starts_with("application/") && kind.ends_with("+json"))
}

fn answer(status: u16, kind: &'static str, body: String) -> Response {
    let mut response = Body::from(body).into_response();
    *response.status_mut() = status.try_into().unwrap_or_default();
    response.headers_mut().insert("content-type", HeaderValue::from_static(kind));
    response
}

/// Headers that keep proxies from buffering or changing events.
const HEADERS: [(&str, &str); 2] =
    [("cache-control", "no-cache, no-transform"), ("x-accel-buffering", "no")];

/// A stream of server-sent events as a response, with headers that keep proxies from buffering it:
/// the stream of
/// [`emit`](crate::emit::emit), or any other stream of whole events.
#[derive(Debug)]
pub struct SseResponse<S>(pub S);

impl<S: Stream<Item = String> + Send + Unpin + 'static> IntoResponse for SseResponse<S> {
    fn into_response(self) -> Response {
        let mut response = answer(200, EVENTS, String::new());
        for (name, value) in HEADERS {
            response.headers_mut().insert(name, HeaderValue::from_static(value));
        }
        *response.body_mut() = Body::from_stream(FrameBody(self.0));
        response
    }
}

/// The whole answer of a stream, for requests without `stream: true`: one JSON object at the end of
/// the run, the Response object of OpenAI Responses or a completion of Chat Completions. A failed
/// run is HTTP 200, too: the object has the error.
///
/// The stream of Chat Completions has to be written for such a request
/// ([`echo`](crate::hub::WriteOptions::echo)).
#[derive(Debug)]
pub struct JsonResponse<S>(pub S);

impl<S: Stream<Item = String> + Send + Unpin + 'static> IntoResponse for JsonResponse<S> {
    fn into_response(self) -> Response {
        let mut response = answer(200, JSON, String::new());
        *response.body_mut() =
            Body::from_stream(Whole { events: Some(self.0), last: LastEvent::default() });
        response
    }
}

/// Emits the answer in the last event of a stream.
struct Whole<S> {
    /// `None` after the end.
    events: Option<S>,
    last: LastEvent,
}

impl<S: Stream<Item = String> + Unpin> Stream for Whole<S> {
    type Item = Result<Bytes, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let Whole { events, last } = &mut *self;
        while let Some(running) = events {
            match ready!(Pin::new(running).poll_next(context)) {
                Some(more) => last.push(&more),
                None => {
                    *events = None;
                    return Poll::Ready(Some(Ok(Bytes::from(last.answer().to_owned()))));
                }
            }
        }
        Poll::Ready(None)
    }
}

/// The last event of a stream, which has the whole answer.
#[derive(Default)]
struct LastEvent(String);

impl LastEvent {
    /// Takes a chunk of whole events, of which the last one counts. Comments are skipped.
    fn push(&mut self, events: &str) {
        const DATA: &str = "data: ";
        // The data of an event is one line.
        let at = match events.rfind("\ndata: ") {
            Some(at) => at + 1,
            None if events.starts_with(DATA) => 0,
            None => return,
        };
        let data = &events[at + DATA.len()..];
        self.0 = data.split('\n').next().unwrap_or_default().into();
    }

    /// Returns the answer: that of Responses is a member of the event.
    fn answer(&self) -> &str {
        crate::responses::response_of(&self.0).unwrap_or(&self.0)
    }

    /// Returns the HTTP status of the answer. That of Chat Completions and of Anthropic Messages can
    /// be only an error.
    fn status(&self) -> u16 {
        let of_chat = || crate::chat::is_error(&self.0).then_some(500);
        error_status(&self.0).or_else(of_chat).unwrap_or(200)
    }
}

/// A protocol that this build does not write is an error of the server.
impl IntoResponse for UsageError {
    fn into_response(self) -> Response {
        answer(500, TEXT, self.text())
    }
}

struct FrameBody<S>(S);

impl<S: Stream<Item = String> + Unpin> Stream for FrameBody<S> {
    type Item = Result<Bytes, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        Pin::new(&mut self.0).poll_next(context).map(|text| text.map(|text| Ok(Bytes::from(text))))
    }
}
