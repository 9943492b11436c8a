//! Why an upstream has not answered, and what the client receives.

use std::error::Error;
use std::fmt;

use agentwire::adapters::axum::HttpStatus;
use agentwire::adapters::reqwest::HttpError;
use agentwire::emit::Failure;
use agentwire::hub::EndError;
use agentwire::model::CallError;

/// The reason why the upstream has not answered.
#[derive(Clone, Debug)]
pub struct UpstreamError {
    /// The status of the response if nothing has been sent; `None` if the upstream has answered
    /// with success.
    pub http: Option<HttpStatus>,
    /// The error for the client.
    pub shown: EndError,
    /// Whether another upstream may answer the request.
    pub is_retryable: bool,
}

/// The maximum number of characters of a text of the upstream that are passed on.
const DETAIL: usize = 1000;

impl UpstreamError {
    /// Creates an error of the gateway, which no other upstream can change.
    pub fn new(status: u16, code: &str, message: &str) -> Self {
        let mut shown = EndError::default();
        shown.code = Some(code.into());
        shown.message = message.into();
        let http = Some(HttpStatus { status, retry_after: None });
        UpstreamError { http, shown, is_retryable: false }
    }

    fn retryable(self) -> Self {
        UpstreamError { is_retryable: true, ..self }
    }

    /// Returns the status for an error of the agent.
    pub fn status_of(error: &(dyn Error + 'static)) -> Option<HttpStatus> {
        error.downcast_ref::<Self>()?.http.clone()
    }

    /// Returns the error for the client.
    pub fn shown_of(failure: Failure<'_>) -> Option<EndError> {
        Some(failure.error.downcast_ref::<Self>()?.shown.clone())
    }

    /// Returns the code.
    pub fn code(&self) -> &str {
        self.shown.code.as_deref().unwrap_or_default()
    }

    /// Describes why there is no answer. The text of the upstream is passed on if it is about the
    /// request; other texts can contain details of the account.
    pub fn not_called(failed: &CallError) -> Self {
        match failed {
            CallError::Http(http) => Self::refused(http, failed.message()),
            CallError::Network(network) if network.is_timeout() => {
                Self::new(504, "upstream_timeout", "the upstream does not answer in time")
                    .retryable()
            }
            CallError::Network(_) => {
                Self::new(502, "upstream_unreachable", "the upstream cannot be reached").retryable()
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
        error.is_retryable = matches!(sent, 429 | 500..);
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
