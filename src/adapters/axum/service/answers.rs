//! Requests to the agent, and the responses with its answers.

use std::boxed::Box;
use std::error::Error;
use std::future::poll_fn;
use std::pin::Pin;
use std::string::{String, ToString};
use std::sync::Arc;

use axum_core::extract::{FromRequest, Request};
use axum_core::response::{IntoResponse, Response};
use futures_core::Stream;
use http::HeaderValue;
use http::header::USER_AGENT;

use super::super::{
    AgentJson, HttpRefusal, JSON, LastEvent, RequestBody, SseResponse, answer, read_body,
};
use super::paths::COUNT_TOKENS_PATH;
use super::{AgentContext, AgentFuture, AgentService, HttpStatus, RunAddition};
use crate::convert::{ProtocolRequest, RawRequest};
use crate::core::error::UsageError;
use crate::core::id::{IdSource as _, RandomIds};
use crate::core::violation::excerpt;
use crate::emit::{ConversationRequest, Emission, EmitOptions, emit_written};
use crate::hub::{EndError, Losses};
use crate::json::Value;
use crate::protocols::ProtocolKind;
use crate::protocols::agent_api::builder::BuilderOptions;
use crate::protocols::agentscope::request::ChatRequest as AgentScopeRequest;
use crate::protocols::anthropic::request::MessagesRequest;
use crate::protocols::responses::request::CreateResponse;

/// The request of a client, and the head of the HTTP request.
pub(in super::super) struct Asked {
    pub request: ConversationRequest,
    pub context: AgentContext,
}

/// An answer that an agent writes.
pub(in super::super) type Running = Emission<AgentFuture>;

/// A request of a protocol that was parsed, and the text of its body.
pub(super) struct Received<R> {
    body: R,
    text: String,
    context: AgentContext,
}

impl<R: RequestBody> Received<R> {
    async fn read(kind: ProtocolKind, request: Request) -> Result<Self, Response> {
        let (context, request) = AgentContext::of(kind, request);
        let text = read_body(request, &()).await;
        let text = text.map_err(|refusal| R::refused(&refusal).into_response())?;
        let body = R::from_body(&text).map_err(IntoResponse::into_response)?;
        Ok(Received { body, text, context })
    }
}

impl<R: RequestBody + ProtocolRequest> Received<R> {
    /// Converts the request to the one that the agent receives.
    fn asked(self) -> Result<Asked, Box<Response>> {
        let Received { body, text, context } = self;
        let request = ConversationRequest::of(&body, &mut RandomIds);
        let request = request.map_err(|error| {
            let refusal = HttpRefusal::new(422, "invalid_request", error.to_string());
            Box::new(refusal.response(body.protocol()))
        })?;
        let received = RawRequest { protocol: body.protocol(), body: text };
        let request = request.with_native(received).with_user(context.user.clone());
        Ok(Asked { request, context })
    }
}

impl AgentService {
    pub(super) async fn converted<R: RequestBody + ProtocolRequest>(
        &self,
        kind: ProtocolKind,
        request: Request,
    ) -> Result<Response, Response> {
        let received = Received::<R>::read(kind, request).await?;
        let echo = received.body.echo();
        let asked = received.asked().map_err(|refused| *refused)?;
        self.stream(kind, asked, echo).await
    }

    /// Responds to a request of AgentScope. The answer to questions and calls of a reply has the id
    /// of the reply.
    pub(super) async fn agentscope(&self, request: Request) -> Result<Response, Response> {
        let kind = ProtocolKind::AgentScope;
        let received = Received::<AgentScopeRequest>::read(kind, request).await?;
        let continued = AgentScopeRequest::reply_in(&received.body.input).map(String::from);
        let echo = received.body.echo();
        let mut asked = received.asked().map_err(|refused| *refused)?;
        if continued.is_some() {
            let extensions = &mut asked.context.http.extensions;
            extensions.get_or_insert_default::<RunAddition>().response_id = continued;
        }
        self.stream(kind, asked, echo).await
    }

    pub(super) async fn responses(&self, request: Request) -> Result<Response, Response> {
        let kind = ProtocolKind::Responses;
        let received = Received::<CreateResponse>::read(kind, request).await?;
        let body = &received.body;
        let mut echo = body.echo();
        let addition = received.context.http.extensions.get::<RunAddition>();
        let is_stored = addition.is_some_and(|addition| addition.response_id.is_some());
        if addition.is_some() {
            // The turns before this one are in the request.
            echo.insert("store", is_stored.into());
        } else if !self.0.stores_responses {
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
        let has_addition = addition.is_some();
        let mut asked = received.asked().map_err(|refused| *refused)?;
        let request = asked.request.as_agent_request_mut();
        if has_addition {
            request.extra.retain(|member| member.key != "previous_response_id");
        }
        // The events of a stored response are stored, whatever its client receives.
        let is_stream = request.stream || is_stored;
        self.answered(kind, asked, echo, is_stream).await
    }

    /// Responds to a request to the API of a model, whose answer is a stream only if the request has
    /// `stream: true`, which is among the members for the writer. `more` is a member of the headers
    /// for the writer.
    pub(super) async fn model_api<R: RequestBody + ProtocolRequest>(
        &self,
        kind: ProtocolKind,
        request: Request,
        more: Option<(&'static str, Value)>,
    ) -> Result<Response, Response> {
        let received = Received::<R>::read(kind, request).await?;
        let mut echo = received.body.echo();
        let mut asked = received.asked().map_err(|refused| *refused)?;
        if let Some((key, value)) = more {
            echo.insert(key, value);
        }
        let is_stream = echo.get("stream") == Some(&Value::Bool(true));
        asked.request.as_agent_request_mut().stream = is_stream;
        self.answered(kind, asked, echo, is_stream).await
    }

    /// Responds to a request to Anthropic Messages: for an answer, or for the number of its input
    /// tokens.
    pub(super) async fn messages(&self, request: Request) -> Result<Response, Response> {
        let kind = ProtocolKind::Anthropic;
        if request.uri().path() != COUNT_TOKENS_PATH {
            let user_agent = request.headers().get(USER_AGENT).and_then(|name| name.to_str().ok());
            let more = user_agent.map(|name| ("user_agent", Value::from(name)));
            return self.model_api::<MessagesRequest>(kind, request, more).await;
        }
        let AgentJson(body) = AgentJson::<MessagesRequest>::from_request(request, &()).await?;
        let count = match &self.0.count_tokens {
            Some(count) => count(body).await.map_err(|error| self.refused_count(&*error))?,
            None => body.estimated_tokens(),
        };
        let count = Value::from([("input_tokens", Value::from(count as i64))]);
        Ok(answer(200, JSON, count.to_json()))
    }

    /// Returns the response to a request whose tokens could not be counted.
    fn refused_count(&self, error: &(dyn Error + Send + Sync + 'static)) -> Response {
        let http = (self.0.status)(error).unwrap_or_else(|| HttpStatus::new(500));
        http.refusal("", "the tokens could not be counted").response(ProtocolKind::Anthropic)
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
                let response = answer(last.status(), JSON, last.answer().into());
                Ok(with_losses(&running.losses(), response))
            }
        }
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
        let request = asked.request.as_agent_request_mut();
        request.ensure_session(&mut RandomIds);
        let session = request.session_id.clone().unwrap_or_default();
        let addition = asked.context.http.extensions.get_mut::<RunAddition>();
        let stored = addition.as_ref().and_then(|addition| addition.response_id.clone());
        let mut id = stored.unwrap_or_else(|| request.response_id().unwrap_or_default().into());
        if let Some(addition) = addition
            && let Some(record) = addition.record.take()
        {
            // The client receives the id of the stored answer.
            if id.is_empty() {
                let is_reply = kind == ProtocolKind::AgentScope;
                id = RandomIds.next_id(if is_reply { "reply_" } else { "response_" });
            }
            let own = Value::from(&*id);
            addition.record = Some(Arc::new(move |mut answer: Value| {
                answer.insert("id", own.clone());
                record(answer);
            }));
        }
        self.emit(kind, asked, |write| write.session_id(session).response_id(id).echo(echo))
    }

    /// Runs the agent until it has written something. Returns the error response if it has failed
    /// before, with an HTTP status.
    async fn early_failure(&self, kind: ProtocolKind, running: &mut Running) -> Option<Response> {
        let failure = running.begin().await?;
        let http = (self.0.status)(&*failure.error)?;
        let (code, message) = match failure.shown {
            Some(EndError { code, message, .. }) => (code.unwrap_or_default(), message),
            None => {
                let status = http.status.to_string();
                let message =
                    ["the model answered ", &status, ", the id of the error is ", &failure.id];
                (["MODEL_HTTP_", &status].concat(), message.concat())
            }
        };
        Some(http.refusal(code, message).response(kind))
    }

    /// Runs the agent.
    pub(in super::super) fn emit(
        &self,
        kind: ProtocolKind,
        asked: Asked,
        write: impl FnOnce(BuilderOptions) -> BuilderOptions,
    ) -> Result<Running, UsageError> {
        let Asked { mut request, context } = asked;
        let addition = context.http.extensions.get::<RunAddition>().cloned().unwrap_or_default();
        if let Some(begin) = addition.begin {
            begin(&mut request);
        }
        let mut options = EmitOptions::random(kind, self.0.clock).write(write);
        if let Some(on_losses) = self.0.on_losses.clone() {
            options = options.on_losses(move |losses| on_losses(losses));
        }
        let (on_error, usual) = (self.0.on_error.clone(), addition.failure);
        if on_error.is_some() || usual.is_some() {
            options = options.on_error(move |failure| {
                let usual = usual.as_ref().filter(|_| failure.tool.is_none());
                let shown = on_error.as_ref().and_then(|on_error| on_error(failure));
                shown.or_else(|| usual.cloned())
            });
        }
        if let Some(record) = addition.record {
            options = options.on_answer(move |answer| record(answer));
        }
        #[cfg(feature = "store")]
        if let Some(stop) = addition.stop.filter(|stop| stop.has_end) {
            options = options.until(async move { stop.drops().await });
        }
        emit_written(options, |out| {
            out.add_losses(request.losses());
            (self.0.agent)(out, request, context)
        })
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
pub(super) fn marked(mut response: Response) -> Response {
    response.headers_mut().insert("x-vercel-ai-ui-message-stream", HeaderValue::from_static("v1"));
    response
}
