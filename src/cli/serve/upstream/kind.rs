//! The kinds of errors of model APIs, and how each client protocol names them.

use agentwire::ProtocolKind;
use agentwire::anthropic::is_too_long;
use agentwire::json::Value;

/// The error of an API, read from any of its forms.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReportedError {
    pub message: Option<String>,
    /// `error.type` of OpenAI and Anthropic, `error.status` of Gemini.
    pub r#type: Option<String>,
    pub code: Option<String>,
    pub param: Option<String>,
    /// Seconds until the request may be repeated, where the body has them.
    pub retry_after: Option<f64>,
}

impl ReportedError {
    /// Reads the body of an error, or the data of an event that is one: `{"error":{…}}`,
    /// `{"type":"error",…}`, `{"detail":…}`, a list with one of these.
    pub fn read(json: &str) -> Option<Self> {
        let body = Value::parse(json, 64).ok()?;
        let body = match &body {
            Value::Array(list) => list.first()?,
            other => other,
        };
        let inner = ["error", "detail"].into_iter().find_map(|name| body.get(name));
        let error = match inner.filter(|inner| !inner.is_null()) {
            Some(text @ Value::String(_)) => {
                let message = text.as_str().map(String::from);
                return Some(ReportedError { message, ..ReportedError::default() });
            }
            Some(object @ Value::Object(_)) => object,
            // The problems of a request that FastAPI lists.
            Some(Value::Array(problems)) => {
                let message = problems.first().and_then(|first| text(first, "msg"));
                let message = message.map(String::from);
                return Some(ReportedError { message, ..ReportedError::default() });
            }
            _ => body,
        };
        let own = |name: &str| text(error, name).map(String::from);
        let is_plain = std::ptr::eq(error, body);
        let message = own("message");
        if is_plain && message.is_none() {
            return None;
        }
        let delay = |detail: &Value| {
            let delay = text(detail, "retryDelay")?.strip_suffix('s')?;
            delay.parse::<f64>().ok().filter(|delay| (0.0..1e9).contains(delay))
        };
        let retry_after = match error.get("details") {
            Some(Value::Array(details)) => details.iter().find_map(delay),
            _ => None,
        };
        let kind = own("type").filter(|kind| !(is_plain && kind == "error"));
        let (r#type, code) = (kind.or_else(|| own("status")), own("code"));
        Some(ReportedError { message, r#type, code, param: own("param"), retry_after })
    }

    /// Reads an event that reports an error instead of an answer.
    pub fn of_event(data: &str) -> Option<Self> {
        let event = Value::parse(data, 64).ok()?;
        match text(&event, "type") {
            Some("error") => Self::read(data),
            Some("response.failed") => {
                let response = event.get("response")?;
                Self::read(&Value::from([("error", response.get("error")?.clone())]).to_json())
            }
            _ if event.get("error").is_some_and(|error| !error.is_null()) => Self::read(data),
            _ => None,
        }
    }

    /// Returns the HTTP status that an event names.
    fn status(&self) -> Option<u16> {
        let code = self.code.as_deref()?.parse().ok()?;
        (400..600).contains(&code).then_some(code)
    }
}

/// Returns a member that is a text; a number as its digits.
fn text<'v>(object: &'v Value, name: &str) -> Option<&'v str> {
    match object.get(name)? {
        Value::String(text) => Some(text),
        Value::Number(digits) => Some(digits.as_str()),
        _ => None,
    }
}

/// The kinds of errors that clients distinguish.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// The conversation is longer than the context of the model.
    ContextLength,
    /// The body is larger than the server accepts.
    TooLarge,
    /// The account has no credit left: repeating the request does not help.
    Quota,
    RateLimit,
    Overloaded,
    Authentication,
    Permission,
    NotFound,
    Timeout,
    Invalid,
    Server,
}

impl ErrorKind {
    /// Returns the kind of an error with this HTTP status; without one, by its words.
    pub fn of(status: Option<u16>, error: &ReportedError) -> Self {
        let is = |name: &str| {
            [&error.code, &error.r#type].into_iter().flatten().any(|word| word == name)
        };
        let message = error.message.as_deref().unwrap_or_default();
        let status = status.or_else(|| error.status());
        if is("context_length_exceeded")
            || matches!(status, None | Some(400 | 413 | 422 | 500)) && is_too_long(message)
        {
            return ErrorKind::ContextLength;
        }
        if is("insufficient_quota") || is("billing_error") || status == Some(402) {
            return ErrorKind::Quota;
        }
        match status {
            Some(400 | 422) => ErrorKind::Invalid,
            Some(401) => ErrorKind::Authentication,
            Some(403) => ErrorKind::Permission,
            Some(404) => ErrorKind::NotFound,
            Some(408 | 504) => ErrorKind::Timeout,
            Some(413) => ErrorKind::TooLarge,
            Some(429) => ErrorKind::RateLimit,
            Some(503 | 529) => ErrorKind::Overloaded,
            Some(402..500) => ErrorKind::Invalid,
            Some(_) => ErrorKind::Server,
            None => Self::named(&is),
        }
    }

    fn named(is: &dyn Fn(&str) -> bool) -> Self {
        let any = |names: &[&str]| names.iter().any(|name| is(name));
        match () {
            () if any(&[
                "overloaded_error",
                "server_is_overloaded",
                "slow_down",
                "UNAVAILABLE",
            ]) =>
            {
                ErrorKind::Overloaded
            }
            () if any(&[
                "rate_limit_error",
                "rate_limit_exceeded",
                "RESOURCE_EXHAUSTED",
                "tokens",
                "requests",
            ]) =>
            {
                ErrorKind::RateLimit
            }
            () if any(&["authentication_error", "invalid_api_key", "UNAUTHENTICATED"]) => {
                ErrorKind::Authentication
            }
            () if any(&["permission_error", "PERMISSION_DENIED"]) => ErrorKind::Permission,
            () if any(&["not_found_error", "model_not_found", "NOT_FOUND"]) => ErrorKind::NotFound,
            () if any(&["request_too_large"]) => ErrorKind::TooLarge,
            () if any(&["timeout_error", "DEADLINE_EXCEEDED"]) => ErrorKind::Timeout,
            () if any(&["invalid_request_error", "invalid_prompt", "INVALID_ARGUMENT"]) => {
                ErrorKind::Invalid
            }
            () => ErrorKind::Server,
        }
    }

    /// Returns the HTTP status of an error that came without one.
    pub fn status(self, client: Option<ProtocolKind>) -> u16 {
        match self {
            ErrorKind::ContextLength | ErrorKind::Invalid => 400,
            ErrorKind::Authentication => 401,
            ErrorKind::Permission => 403,
            ErrorKind::NotFound => 404,
            ErrorKind::TooLarge => 413,
            ErrorKind::Quota | ErrorKind::RateLimit => 429,
            ErrorKind::Overloaded if client == Some(ProtocolKind::Anthropic) => 529,
            ErrorKind::Overloaded => 503,
            ErrorKind::Timeout => 504,
            ErrorKind::Server => 502,
        }
    }

    /// Returns the type of an error in the API of OpenAI.
    pub fn openai_type(self) -> &'static str {
        match self {
            ErrorKind::Quota => "insufficient_quota",
            ErrorKind::RateLimit => "rate_limit_error",
            ErrorKind::Overloaded | ErrorKind::Server | ErrorKind::Timeout => "server_error",
            _ => "invalid_request_error",
        }
    }

    /// Returns the code of an error in the API of OpenAI, by which its clients decide.
    pub fn openai_code(self) -> Option<&'static str> {
        Some(match self {
            ErrorKind::ContextLength => "context_length_exceeded",
            ErrorKind::Quota => "insufficient_quota",
            ErrorKind::RateLimit => "rate_limit_exceeded",
            ErrorKind::Overloaded => "server_is_overloaded",
            ErrorKind::NotFound => "model_not_found",
            _ => return None,
        })
    }
}
