//! Why an upstream has not answered, and what the client receives.

use std::error::Error;
use std::fmt;
use std::time::{Duration, SystemTime};

use agentwire::ProtocolKind;
use agentwire::adapters::axum::{HttpRefusal, HttpStatus};
use agentwire::adapters::reqwest::HttpError;
use agentwire::emit::Failure;
use agentwire::hub::EndError;
use agentwire::json::Value;
use agentwire::model::CallError;
use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};

use super::headers;
use super::kind::{ErrorKind, ReportedError};
use crate::serve::routes::Target;

/// The reason why an upstream has not answered.
#[derive(Clone, Debug)]
pub struct UpstreamError {
    /// The code for the log.
    pub code: String,
    /// The error for the client.
    pub shown: EndError,
    /// The status of the response if nothing has been sent.
    pub http: HttpStatus,
    /// Whether another upstream may answer the request.
    pub is_retryable: bool,
    /// How long the upstream asks to wait.
    pub retry_after: Option<Duration>,
    /// The headers of the upstream's response that the client receives.
    pub headers: HeaderMap,
    /// The body of the upstream's response, if it is an error in JSON, and its protocol.
    body: Option<(ProtocolKind, String)>,
}

/// The maximum number of characters of a text of the upstream that are passed on.
const DETAIL: usize = 4000;

impl UpstreamError {
    /// Creates an error of the gateway, which no other upstream can change.
    pub fn new(status: u16, code: &str, message: &str) -> Self {
        let mut shown = EndError::default();
        shown.code = Some(code.into());
        shown.message = message.into();
        UpstreamError {
            code: code.into(),
            shown,
            http: HttpStatus::new(status),
            is_retryable: false,
            retry_after: None,
            headers: HeaderMap::new(),
            body: None,
        }
    }

    /// Another upstream may answer: nothing of the answer was sent.
    pub fn retryable(self) -> Self {
        UpstreamError { is_retryable: true, ..self }
    }

    /// The answer of the upstream has no bytes.
    pub fn empty(status: u16) -> Self {
        let message = format!("the upstream answered {status} without a body");
        Self::new(502, &format!("upstream_{status}"), &message).retryable()
    }

    /// The answer of the upstream broke off.
    pub fn cut_off() -> Self {
        Self::new(502, "upstream_cut_off", "the answer of the upstream broke off")
    }

    /// Returns the status for an error of the agent.
    pub fn status_of(error: &(dyn Error + 'static)) -> Option<HttpStatus> {
        Some(error.downcast_ref::<Self>()?.http.clone())
    }

    /// Returns the error for the client.
    pub fn shown_of(failure: Failure<'_>) -> Option<EndError> {
        Some(failure.error.downcast_ref::<Self>()?.shown.clone())
    }

    /// Describes why a call has no answer, for a client of this protocol.
    pub fn of_call(error: &CallError, target: &Target<'_>, client: Option<ProtocolKind>) -> Self {
        match error {
            CallError::Http(http) => Self::of_response(http, target, client),
            CallError::Network(network) if network.is_timeout() => {
                Self::new(504, "upstream_timeout", "the upstream does not answer in time")
                    .retryable()
            }
            CallError::Network(_) => {
                Self::new(502, "upstream_unreachable", "the upstream cannot be reached").retryable()
            }
            CallError::Body(_) => Self::cut_off().retryable(),
            CallError::Lost(losses) => {
                let is_missing = losses.count("result-without-call") > 0;
                let code = if is_missing { "history_missing" } else { "request_losses" };
                Self::new(400, code, &error.to_string())
            }
            other => Self::new(400, "unsupported", &other.to_string()),
        }
    }

    /// Describes a response that is not an answer.
    fn of_response(http: &HttpError, target: &Target<'_>, client: Option<ProtocolKind>) -> Self {
        let status = http.status.as_u16();
        let sent = if http.is_error_status() { status } else { 502 };
        let name = match http.status.canonical_reason() {
            Some(reason) => format!("{status} {reason}"),
            None => status.to_string(),
        };
        let kind = http.content_type.as_deref().unwrap_or("a text");
        let ending = match &http.unsupported_coding {
            Some(coding) => {
                format!(" with the content coding {coding}, which is not supported")
            }
            None if http.status.is_success() => format!(" with {kind} instead of a stream"),
            None if http.status.is_redirection() => ", and redirects are not followed".into(),
            None => String::new(),
        };
        let reported = ReportedError::read(&http.body).filter(|_| http.is_error_status());
        let is_json = reported.is_some() && http.body.len() < HttpError::BODY && status != 401;
        let mut reported = reported.unwrap_or_default();
        let is_silent = |text: &String| text.trim().is_empty();
        // The text about a key can contain a part of it.
        if reported.message.as_ref().is_none_or(is_silent) || status == 401 {
            reported.message = Some(format!("the upstream answered {name}{ending}"));
        }
        let mut error = Self::of_report(Some(sent), &reported, target, client);
        let body = || (target.upstream.protocol(), target.upstream.without_key(&http.body));
        error.body = is_json.then(body);
        let code = format!("upstream_{status}");
        if error.shown.code.as_ref() == Some(&error.code) {
            error.shown.code = Some(code.clone());
        }
        error.code = code;
        if http.is_error_status() {
            error.headers = headers::of_response(&http.headers);
            error.retry_after = error.retry_after.or_else(|| retry_after(http));
            match http.retry_after() {
                Some(value) => error.http.retry_after = Some(value.into()),
                None => drop(error.headers.remove(header::RETRY_AFTER)),
            }
        }
        error
    }

    /// Describes an error that the upstream reports: in a response with a status, or in the first
    /// event of a stream.
    pub fn of_report(
        status: Option<u16>,
        reported: &ReportedError,
        target: &Target<'_>,
        client: Option<ProtocolKind>,
    ) -> Self {
        let kind = ErrorKind::of(status, reported);
        let status = status.unwrap_or_else(|| kind.status(client));
        let text = reported.message.as_deref();
        let text = text.filter(|text| !text.trim().is_empty());
        let text = text.unwrap_or("the upstream reports an error");
        let message: String = target.upstream.without_key(text).chars().take(DETAIL).collect();
        let code = format!("upstream_{status}");
        let mut error = Self::new(status, &code, "");
        error.is_retryable = matches!(status, 429 | 500..) && kind != ErrorKind::ContextLength;
        error.retry_after = reported.retry_after.map(Duration::from_secs_f64);
        error.http.retry_after = reported.retry_after.map(|seconds| seconds.ceil().to_string());
        use ProtocolKind::{Chat, Responses};
        let is_openai = |protocol| matches!(protocol, Chat | Responses);
        if client.is_some_and(is_openai) {
            let own = is_openai(target.upstream.protocol());
            let own = |text: &Option<String>| text.clone().filter(|_| own);
            let code = own(&reported.code).or_else(|| kind.openai_code().map(Into::into));
            error.shown.code = code.or(error.shown.code);
            let kind = own(&reported.r#type).unwrap_or_else(|| kind.openai_type().into());
            error.http.kind = Some(kind);
            error.http.param = own(&reported.param);
        }
        error.shown.message = message;
        error
    }

    /// Returns the events that end a stream of this protocol, of which so many events were sent.
    pub fn event(&self, client: ProtocolKind, events: u64) -> String {
        let EndError { code, message, .. } = &self.shown;
        let (message, code) = (Value::from(&**message), code.as_deref().unwrap_or(&self.code));
        let kind = self.http.kind.as_deref();
        let (name, event) = match client {
            ProtocolKind::Anthropic => {
                let error = [("type", "api_error".into()), ("message", message)];
                ("error", Value::from([("type", "error".into()), ("error", error.into())]))
            }
            ProtocolKind::Responses => {
                let event = [
                    ("type", "error".into()),
                    ("sequence_number", (events as i64).into()),
                    ("code", code.into()),
                    ("message", message),
                    ("param", Value::Null),
                ];
                ("error", event.into())
            }
            ProtocolKind::Chat => {
                let error = [
                    ("message", message),
                    ("type", kind.unwrap_or("server_error").into()),
                    ("param", Value::Null),
                    ("code", code.into()),
                ];
                ("", Value::from([("error", error.into())]))
            }
            ProtocolKind::AgUi => {
                let event =
                    [("type", "RUN_ERROR".into()), ("message", message), ("code", code.into())];
                ("", event.into())
            }
            ProtocolKind::AiSdk => ("", [("type", "error".into()), ("errorText", message)].into()),
            ProtocolKind::AgentScope => {
                let error = [("type", "upstream".into()), ("message", message)];
                let event = [
                    ("type", "REPLY_END".into()),
                    ("session_id", "".into()),
                    ("reply_id", "".into()),
                    ("finished_reason", "error".into()),
                    ("error", error.into()),
                ];
                ("", event.into())
            }
            ProtocolKind::AgKit => ("", [("type", "error".into()), ("error", message)].into()),
            _ => {
                let error = Value::from([("code", code.into()), ("message", message)]);
                let event = [
                    ("sequence_number", (events as i64).into()),
                    ("object", "response".into()),
                    ("status", "failed".into()),
                    ("error", error),
                ];
                ("", event.into())
            }
        };
        let name = if name.is_empty() { String::new() } else { format!("event: {name}\n") };
        let done = match client {
            ProtocolKind::AgKit | ProtocolKind::AiSdk => "data: [DONE]\n\n",
            _ => "",
        };
        format!("{name}data: {}\n\n{done}", event.to_json())
    }

    /// Returns the response to a client of this protocol: the body of the upstream as it is, if the
    /// upstream has the same protocol.
    pub fn response(&self, client: ProtocolKind) -> Response {
        let mut response = match &self.body {
            Some((protocol, body)) if *protocol == client => {
                let mut response = Body::from(body.clone()).into_response();
                let json = HeaderValue::from_static("application/json");
                response.headers_mut().insert(header::CONTENT_TYPE, json);
                *response.status_mut() = StatusCode::from_u16(self.http.status).unwrap_or_default();
                response
            }
            _ => {
                let code = self.shown.code.clone().unwrap_or_default();
                let mut refusal = HttpRefusal::new(self.http.status, code, &*self.shown.message);
                refusal.kind.clone_from(&self.http.kind);
                refusal.param.clone_from(&self.http.param);
                refusal.response(client)
            }
        };
        let own = response.headers_mut();
        own.extend(self.headers.clone());
        if let Some(Ok(value)) = self.http.retry_after.as_deref().map(HeaderValue::from_str) {
            own.insert(header::RETRY_AFTER, value);
        }
        response
    }
}

/// Returns how long a response asks to wait.
fn retry_after(http: &HttpError) -> Option<Duration> {
    let milliseconds = http.headers.get("retry-after-ms").and_then(|value| value.to_str().ok());
    if let Some(milliseconds) = milliseconds.and_then(|text| text.trim().parse().ok()) {
        return Some(Duration::from_millis(milliseconds));
    }
    let value = http.retry_after()?;
    match value.parse() {
        Ok(seconds) => Some(Duration::from_secs(seconds)),
        Err(_) => {
            let date = httpdate::parse_http_date(value).ok()?;
            Some(date.duration_since(SystemTime::now()).unwrap_or_default())
        }
    }
}

impl fmt::Display for UpstreamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown.message)
    }
}

impl Error for UpstreamError {}
