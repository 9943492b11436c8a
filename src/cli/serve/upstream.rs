//! The agent of the gateway: it calls the upstream and passes the answer on.

use std::env;
use std::error::Error;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use agentwire::adapters::axum::HttpStatus;
use agentwire::adapters::reqwest::HttpError;
use agentwire::agent_api::request::AgentRequest;
use agentwire::emit::{AnyError, Failure, ForwardError, Out};
use agentwire::hub::EndError;
use agentwire::model::{CallError, Model, call_model};

use super::Arguments;
use super::log::LoggedRequest;
use crate::input::Unreadable;

/// How often a comment shows that the connection is alive.
const BEAT: Duration = Duration::from_secs(15);
const CONNECT: Duration = Duration::from_secs(10);

/// The variable with the key of any upstream.
const KEY: &str = "AGENTWIRE_UPSTREAM_KEY";

pub struct Upstream {
    model: Model,
    name: Option<String>,
    allowed: Vec<String>,
    /// The key, which no error may contain.
    key: Option<String>,
}

impl Upstream {
    pub fn new(arguments: &Arguments) -> Result<Self, Unreadable> {
        let unreadable = |error: &dyn fmt::Display| Unreadable(error.to_string());
        let model = Model::new(arguments.upstream_protocol, &arguments.upstream);
        let mut model = model.map_err(|error| {
            Unreadable(format!("--upstream: {}: {}", error.problem, error.instead))
        })?;
        if model.key_variable().is_some() && arguments.model.is_none() {
            return Err(Unreadable("--model is required for the API of a model".into()));
        }
        let client = reqwest::Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .connect_timeout(CONNECT)
            .read_timeout(Duration::from_secs(arguments.timeout))
            .build();
        model = model.client(client.map_err(|error| unreadable(&error))?);
        model = model.strict(arguments.strict);
        if let Some(name) = &arguments.model {
            model = model.name(name);
        }
        let key = [Some(KEY), model.key_variable()]
            .into_iter()
            .flatten()
            .find_map(|name| env::var(name).ok());
        let key = key.filter(|key| !key.trim().is_empty());
        if let Some(key) = &key {
            model = model.key(key).map_err(|error| unreadable(&error))?;
        }
        let (name, allowed) = (arguments.model.clone(), arguments.allow_model.clone());
        Ok(Upstream { model, name, allowed, key: key.map(|key| key.trim().into()) })
    }

    /// Returns the name for the agent card.
    pub fn name(&self) -> &str {
        self.name.as_deref().unwrap_or("agent")
    }

    /// Returns the models that requests may name; the first one is the default.
    pub fn models(&self) -> impl Iterator<Item = &str> {
        self.name.iter().chain(&self.allowed).map(String::as_str)
    }

    /// Answers a request, until `ends` is ready.
    pub async fn answer(
        &self,
        request: AgentRequest,
        out: Out,
        entry: Arc<LoggedRequest>,
        ends: impl Future<Output = ()>,
    ) -> Result<(), AnyError> {
        let beats = async {
            loop {
                tokio::time::sleep(BEAT).await;
                out.heartbeat();
            }
        };
        let outcome = tokio::select! {
            outcome = self.forward(request, &out, &entry) => outcome,
            () = ends => Err(UpstreamError::new(503, "gateway_stopping", "the gateway stops")),
            () = beats => Ok(()),
        };
        entry.lost(&out.losses());
        outcome.map_err(|mut error| {
            if let Some(key) = &self.key {
                error.shown.message = error.shown.message.replace(key, "***");
            }
            entry.failed(error.shown.code.as_deref().unwrap_or_default());
            error.into()
        })
    }

    async fn forward(
        &self,
        request: AgentRequest,
        out: &Out,
        entry: &LoggedRequest,
    ) -> Result<(), UpstreamError> {
        let is_stored = |member: &agentwire::json::Member| member.key == "previous_response_id";
        if self.model.key_variable().is_some() && request.extra.iter().any(is_stored) {
            let message = "the gateway stores no responses: send the whole conversation instead of `previous_response_id`";
            return Err(UpstreamError::new(400, "unsupported", message));
        }
        if self.model.key_variable().is_some() && out.losses().count("history") > 0 {
            let message = "the message continues a conversation, and the gateway does not store its earlier messages";
            return Err(UpstreamError::new(400, "history_missing", message));
        }
        let mut model = self.model.clone();
        if let Some(name) = request.model.as_ref().filter(|name| self.allowed.contains(name)) {
            model = model.name(name);
            entry.calls(name);
        } else if let Some(name) = &self.name {
            entry.calls(name);
        }
        // The request of the client is converted once, and not at all if the upstream has its
        // protocol.
        let called = match out.take_received() {
            Some(received) => call_model(&model, &received).await,
            None => call_model(&model, &request).await,
        };
        // A long conversation does not have to stay in memory while its answer arrives.
        drop(request);
        let answer = match called {
            Ok(answer) => answer,
            Err(error) => {
                if let Some(status) = error.status() {
                    entry.upstream(status);
                }
                return Err(UpstreamError::not_called(&error));
            }
        };
        entry.upstream(answer.bytes.status());
        match out.forward(answer).await {
            Ok(forwarded) => {
                out.end(forwarded.end);
                Ok(())
            }
            Err(ForwardError::Failed(mut failed)) => {
                failed.code.get_or_insert_with(|| "upstream_failed".into());
                Err(UpstreamError { http: None, shown: failed })
            }
            Err(ForwardError::Stream(_)) => Err(UpstreamError::new(
                502,
                "upstream_cut_off",
                "the answer of the upstream broke off",
            )),
            Err(other) => Err(UpstreamError::new(400, "unsupported", &other.to_string())),
        }
    }
}

/// The reason why the upstream has not answered.
#[derive(Debug)]
pub struct UpstreamError {
    /// The status of the response if nothing has been sent; `None` if the upstream has answered
    /// with success.
    http: Option<HttpStatus>,
    /// The error for the client.
    shown: EndError,
}

/// The maximum number of characters of a text of the upstream that are passed on.
const DETAIL: usize = 1000;

impl UpstreamError {
    fn new(status: u16, code: &str, message: &str) -> Self {
        let mut shown = EndError::default();
        shown.code = Some(code.into());
        shown.message = message.into();
        UpstreamError { http: Some(HttpStatus { status, retry_after: None }), shown }
    }

    /// Returns the status for an error of the agent.
    pub fn status_of(error: &(dyn Error + 'static)) -> Option<HttpStatus> {
        error.downcast_ref::<Self>()?.http.clone()
    }

    /// Returns the error for the client.
    pub fn shown_of(failure: Failure<'_>) -> Option<EndError> {
        Some(failure.error.downcast_ref::<Self>()?.shown.clone())
    }

    /// Describes why there is no answer. The text of the upstream is passed on if it is about the
    /// request; other texts can contain details of the account.
    fn not_called(failed: &CallError) -> Self {
        match failed {
            CallError::Http(http) => Self::refused(http, failed.message()),
            CallError::Network(network) if network.is_timeout() => {
                Self::new(504, "upstream_timeout", "the upstream does not answer in time")
            }
            CallError::Network(_) => {
                Self::new(502, "upstream_unreachable", "the upstream cannot be reached")
            }
            CallError::Body(body) => Self::new(502, "upstream_cut_off", &body.to_string()),
            CallError::Lost(losses) => {
                let is_missing = losses.count("result-without-call") > 0;
                let code = if is_missing { "history_missing" } else { "request_losses" };
                Self::new(400, code, &failed.to_string())
            }
            other => Self::new(400, "unsupported", &other.to_string()),
        }
    }

    fn refused(http: &HttpError, message: Option<String>) -> Self {
        let status = http.status.as_u16();
        let name = match http.status.canonical_reason() {
            Some(reason) => format!("{status} {reason}"),
            None => status.to_string(),
        };
        let detail = match (&http.unsupported_coding, &http.content_type) {
            (Some(coding), _) => {
                format!(" with the content coding {coding}, which is not supported")
            }
            (None, content_type) if http.status.is_success() => {
                format!(" with {} instead of a stream", content_type.as_deref().unwrap_or("a text"))
            }
            _ if http.status.is_redirection() => ", and redirects are not followed".into(),
            _ => {
                let message = message.filter(|_| matches!(status, 400 | 404 | 413 | 422));
                message.map(|message| format!(": {message}")).unwrap_or_default()
            }
        };
        let detail: String = detail.chars().take(DETAIL).collect();
        let sent = if http.is_error_status() { status } else { 502 };
        let mut error = Self::new(
            sent,
            &format!("upstream_{status}"),
            &format!("the upstream answered {name}{detail}"),
        );
        let retry_after = http.retry_after().filter(|_| http.is_error_status()).map(str::to_owned);
        error.http =
            (!http.status.is_success()).then_some(HttpStatus { status: sent, retry_after });
        error
    }
}

impl fmt::Display for UpstreamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown.message)
    }
}

impl Error for UpstreamError {}
