//! The errors of the API: their types, the HTTP statuses of these, and their JSON.

use alloc::string::String;
use alloc::vec;

use crate::Limits;
use crate::core::request::{Fault, InvalidRequest, Problem, refusal};
use crate::json::{Document, ObjectWriter, Value};

/// The types of errors, each with its HTTP status.
const TYPES: [(&str, u16); 10] = [
    ("invalid_request_error", 400),
    ("authentication_error", 401),
    ("billing_error", 402),
    ("permission_error", 403),
    ("not_found_error", 404),
    ("request_too_large", 413),
    ("rate_limit_error", 429),
    ("api_error", 500),
    ("timeout_error", 504),
    ("overloaded_error", 529),
];

/// Words in the error codes of other protocols, and the types of such errors.
const CODES: [(&str, &str); 20] = [
    ("rate_limit", "rate_limit_error"),
    ("quota", "rate_limit_error"),
    ("exhausted", "rate_limit_error"),
    ("429", "rate_limit_error"),
    ("overloaded", "overloaded_error"),
    ("slow_down", "overloaded_error"),
    ("unavailable", "overloaded_error"),
    ("503", "overloaded_error"),
    ("529", "overloaded_error"),
    ("timeout", "timeout_error"),
    ("deadline", "timeout_error"),
    ("504", "timeout_error"),
    ("401", "authentication_error"),
    ("api_key", "authentication_error"),
    ("unauthenticated", "authentication_error"),
    ("403", "permission_error"),
    ("404", "not_found_error"),
    ("context_length", "request_too_large"),
    ("too_long", "request_too_large"),
    ("invalid_request", "invalid_request_error"),
];

/// Phrases by which servers say that the conversation is longer than the context of the model.
const TOO_LONG: [&str; 9] = [
    "prompt is too long",
    "context length",
    "context window",
    "context_length_exceeded",
    "maximum number of tokens allowed",
    "input is too long",
    "too many input tokens",
    "reduce the length of the messages",
    "available context size",
];

/// Returns the type of the error with that code, of any protocol.
pub fn error_type(code: &str) -> &'static str {
    if let Some((own, _)) = TYPES.iter().find(|(own, _)| *own == code) {
        return own;
    }
    let code = code.to_ascii_lowercase();
    CODES.iter().find(|(word, _)| code.contains(word)).map_or("api_error", |(_, own)| own)
}

/// Returns the type of the error of a response with that HTTP status.
pub fn error_type_of_status(status: u16) -> &'static str {
    let own = TYPES.iter().find(|(_, of)| *of == status).map(|(own, _)| *own);
    own.unwrap_or(match status {
        408 => "timeout_error",
        503 => "overloaded_error",
        400..=499 => "invalid_request_error",
        _ => "api_error",
    })
}

/// Returns the HTTP status of an answer that is only an error, by the JSON of the error; `None` for
/// any other answer.
///
/// ```
/// use agentwire::anthropic::error_status;
///
/// assert_eq!(error_status(r#"{"type":"error","error":{"type":"overloaded_error","message":""}}"#), Some(529));
/// assert_eq!(error_status(r#"{"type":"message","content":[]}"#), None);
/// ```
pub fn error_status(json: &str) -> Option<u16> {
    let document = Document::read(json, Limits::default().json_depth).ok()?;
    let text = |name: &str, of: &str| {
        let object = if of.is_empty() { Some(document.root()) } else { document.root().member(of) };
        Some(object?.member(name)?.string().ok()?.to_str().into_owned())
    };
    if text("type", "").as_deref() != Some("error") {
        return None;
    }
    let own = text("type", "error").unwrap_or_default();
    Some(TYPES.iter().find(|(known, _)| *known == own).map_or(500, |(_, status)| *status))
}

/// Returns whether a message says that the conversation is longer than the context of the model.
pub fn is_too_long(message: &str) -> bool {
    let message = message.to_ascii_lowercase();
    TOO_LONG.iter().any(|phrase| message.contains(phrase))
}

/// Returns the HTTP status and the body of an error response:
/// `{"type":"error","error":{"type","message"},"request_id"}`.
///
/// A conversation that is too long for the model is status 413 with the words by which clients
/// shorten it.
///
/// ```
/// use agentwire::anthropic::error_response;
///
/// let (status, body) = error_response(429, "Slow down.", Some("r1"));
/// assert_eq!(status, 429);
/// assert_eq!(
///     body,
///     r#"{"type":"error","error":{"type":"rate_limit_error","message":"Slow down."},"request_id":"r1"}"#,
/// );
/// let (status, body) = error_response(400, "This model's maximum context length is 8192 tokens.", None);
/// assert_eq!(status, 413);
/// assert!(body.contains("prompt is too long: This model's"));
/// ```
pub fn error_response(status: u16, message: &str, request_id: Option<&str>) -> (u16, String) {
    const WORDS: &str = "prompt is too long";
    let is_of_client = (400..500).contains(&status) && status != 429;
    let too_long = is_of_client && is_too_long(message);
    let status = if too_long { 413 } else { status };
    let mut body = String::new();
    let mut response = ObjectWriter::open(&mut body, true);
    response.string("type", Some("error"));
    let mut error = ObjectWriter::open(response.member("error"), true);
    error.string("type", Some(error_type_of_status(status)));
    if too_long && !message.to_ascii_lowercase().contains(WORDS) {
        error.string("message", Some(&[WORDS, ": ", message].concat()));
    } else {
        error.string("message", Some(message));
    }
    error.close();
    response.string("request_id", request_id);
    response.close();
    (status, body)
}

/// The error of a request that a server of the API refuses, with all its problems.
#[derive(Clone, Debug, PartialEq)]
pub struct RequestError(InvalidRequest);

/// The code of the problem of a request that continues a thread.
const THREAD_NOT_FOUND: &str = "thread_not_found";

impl RequestError {
    /// Returns the error of a request that continues a thread: only its new messages are there, and
    /// this server stores no others. Clients then send the whole conversation.
    pub(super) fn thread_not_found(id: &Value) -> Self {
        let place = ["body", "thread", "previous_message_id"].map(Into::into).to_vec();
        let fault = Fault::Other(THREAD_NOT_FOUND, "Thread not found: send the whole conversation");
        RequestError(InvalidRequest::new(vec![Problem::new(place, fault, id)]))
    }

    /// Returns the problems, in the order of the members' declaration. Never empty.
    pub fn problems(&self) -> &[Problem] {
        self.0.problems()
    }

    /// Returns the HTTP status and the body of the response: 400, 413 for a body that is too long,
    /// or 404 for a thread that does not exist.
    pub fn response(&self) -> (u16, String) {
        if self.problems().iter().any(|problem| problem.code() == THREAD_NOT_FOUND) {
            let error = Value::from([
                ("type", error_type_of_status(404).into()),
                ("message", self.problems()[0].expected().as_ref().into()),
                ("details", [("error_code", THREAD_NOT_FOUND.into())].into()),
            ]);
            return (404, Value::from([("type", "error".into()), ("error", error)]).to_json());
        }
        let status = if self.0.status() == 413 { 413 } else { 400 };
        error_response(status, &self.0.text(), None)
    }

    /// Returns the whole refusal as JSON: `status`, `contentType` and `body` of the response, and
    /// the `problems`.
    pub fn to_json(&self) -> String {
        let (status, body) = self.response();
        refusal(status, "application/json", &body, &self.0.text(), self.problems())
    }
}

impl From<InvalidRequest> for RequestError {
    fn from(error: InvalidRequest) -> Self {
        RequestError(error)
    }
}

impl core::fmt::Display for RequestError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(&self.0.text())
    }
}

impl core::error::Error for RequestError {}
