//! Requests to the agent, and the responses with its answers.

use std::boxed::Box;
use std::error::Error;
use std::future::poll_fn;
use std::pin::Pin;
use std::string::{String, ToString};

use axum_core::extract::{FromRequest, Request};
use axum_core::response::{IntoResponse, Response};
use futures_core::Stream;
use http::HeaderValue;
use http::header::USER_AGENT;

use super::super::{AgentJson, HttpRefusal, JSON, LastEvent, RequestBody, SseResponse, answer};
use super::paths::COUNT_TOKENS_PATH;
use super::{AgentFuture, AgentService, HttpStatus};
use crate::convert::{ProtocolRequest, RawRequest, convert_typed};
use crate::core::error::UsageError;
use crate::core::id::RandomIds;
use crate::core::violation::excerpt;
use crate::emit::{Emission, EmitOptions, emit};
use crate::hub::{EndError, Losses};
use crate::json::Value;
use crate::protocols::ProtocolKind;
use crate::protocols::agent_api::builder::BuilderOptions;
use crate::protocols::agent_api::request::AgentRequest;
use crate::protocols::anthropic::request::MessagesRequest;
use crate::protocols::responses::request::CreateResponse;

/// The request of a client, as the agent receives it.
pub(in super::super) struct Asked {
    pub request: AgentRequest,
    /// The request as it was received, if it is of another protocol.
    pub received: Option<RawRequest>,
    /// The losses of its conversion to the request of the agent.
    pub losses: Losses,
}

/// An answer that an agent writes.
pub(in super::super) type Running = Emission<AgentFuture>;

impl AgentService {
    pub(super) async fn agent_api(&self, request: Request) -> Result<Response, Response> {
        let AgentJson(body) = AgentJson::from_request(request, &()).await?;
        let asked = Asked { request: body, received: None, losses: Losses::default() };
        self.stream(ProtocolKind::AgentApi, asked, Value::Null).await
    }

    pub(super) async fn converted<R: RequestBody + ProtocolRequest>(
        &self,
        kind: ProtocolKind,
        request: Request,
    ) -> Result<Response, Response> {
        let AgentJson(body) = AgentJson::<R>::from_request(request, &()).await?;
        let (asked, echo) = (self.asked(&body).map_err(|refused| *refused)?, body.echo());
        drop(body);
        self.stream(kind, asked, echo).await
    }

    pub(super) async fn responses(&self, request: Request) -> Result<Response, Response> {
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
    /// says so: what the writer needs of the request contains this. `more` is what it needs of the
    /// headers.
    pub(super) async fn model_api<R: RequestBody + ProtocolRequest>(
        &self,
        kind: ProtocolKind,
        request: Request,
        more: Option<(&'static str, Value)>,
    ) -> Result<Response, Response> {
        let AgentJson(body) = AgentJson::<R>::from_request(request, &()).await?;
        let mut asked = self.asked(&body).map_err(|refused| *refused)?;
        let mut echo = body.echo();
        if let Some((key, value)) = more {
            echo.insert(key, value);
        }
        drop(body);
        let is_stream = echo.get("stream") == Some(&Value::Bool(true));
        asked.request.stream = is_stream;
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

    /// Converts a request to the one that the agent receives.
    pub(in super::super) fn asked(
        &self,
        body: &impl ProtocolRequest,
    ) -> Result<Asked, Box<Response>> {
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
