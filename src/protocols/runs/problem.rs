//! Refusals of requests: problem details (RFC 9457) with a stable `code`. (C.4, E17.)

use alloc::{
    borrow::{Cow, ToOwned},
    string::String,
    vec::Vec,
};
use core::fmt;

use crate::core::request::{Problem, refusal};
use crate::json::{ObjectWriter, Value, decimal};

/// Declares the codes: their names on the wire, their statuses, and their docs.
macro_rules! codes {
    ($($(#[doc = $doc:literal])* $Code:ident = $name:literal $status:literal;)*) => {
        /// The reason of a refusal. More codes may be added; a client treats an unknown one by the
        /// status.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Code {
            $($(#[doc = $doc])* $Code,)*
        }

        impl Code {
            /// All of them, in the order of their declaration.
            pub const ALL: &'static [Code] = &[$(Code::$Code,)*];

            /// Returns the name in the body.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Code::$Code => $name,)*
                }
            }

            /// Returns the HTTP status of the code.
            pub const fn status(self) -> u16 {
                match self {
                    $(Code::$Code => $status,)*
                }
            }
        }
    };
}

codes! {
    /// No token, or one that is wrong or has expired.
    Unauthorized = "AUTH_UNAUTHORIZED" 401;
    /// The thread, the run or the object belongs to another user.
    Forbidden = "AGENT_FORBIDDEN" 403;
    /// A signed address whose signature is wrong or whose time is over.
    SignatureInvalid = "AGENT_SIGNATURE_INVALID" 403;
    /// The thread does not exist.
    ThreadNotFound = "AGENT_SESSION_NOT_FOUND" 404;
    /// The thread has no such run.
    RunNotFound = "AGENT_RUN_NOT_FOUND" 404;
    /// The attachment does not exist.
    AttachmentNotFound = "AGENT_ATTACHMENT_NOT_FOUND" 404;
    /// The endpoint does not exist.
    NotFound = "AGENT_NOT_FOUND" 404;
    /// The endpoint does not support the method.
    MethodNotAllowed = "AGENT_METHOD_NOT_ALLOWED" 405;
    /// The body did not arrive in time.
    BodyTimeout = "AGENT_BODY_TIMEOUT" 408;
    /// The thread has an active run already.
    RunActive = "AGENT_SESSION_RUN_LIMIT_EXCEEDED" 409;
    /// The run has ended, and its events are not kept any more.
    RunExpired = "AGENT_RUN_EXPIRED" 410;
    /// An upload without a length.
    LengthRequired = "AGENT_LENGTH_REQUIRED" 411;
    /// The body is larger than every endpoint accepts.
    BodyTooLarge = "AGENT_BODY_TOO_LARGE" 413;
    /// The attachment is larger than the service accepts.
    AttachmentTooLarge = "AGENT_ATTACHMENT_TOO_LARGE" 413;
    /// The recording is larger than the service accepts.
    AudioTooLarge = "AGENT_AUDIO_TOO_LARGE" 413;
    /// The body has another content type than the endpoint takes.
    MediaTypeUnsupported = "AGENT_UNSUPPORTED_MEDIA_TYPE" 415;
    /// The range lies outside of the attachment.
    RangeInvalid = "AGENT_RANGE_INVALID" 416;
    /// The body of `POST /runs` is invalid.
    InputInvalid = "AGENT_RUN_INPUT_INVALID" 422;
    /// The messages in the body of `POST /runs` are invalid.
    MessagesInvalid = "AGENT_RUN_MESSAGES_INVALID" 422;
    /// A parameter of the request, other than those of a run, is invalid.
    PayloadInvalid = "AGENT_PAYLOAD_INVALID" 422;
    /// The thread's id is not a UUID.
    ThreadIdInvalid = "AGENT_SESSION_ID_INVALID" 422;
    /// `runId` is missing or too long.
    InvalidRunId = "AGENT_INVALID_RUN_ID" 422;
    /// `Last-Event-ID` is not a cursor of this log.
    InvalidLastEventId = "AGENT_INVALID_LAST_EVENT_ID" 422;
    /// The run or the idempotency key was used with another body.
    IdempotencyConflict = "AGENT_IDEMPOTENCY_CONFLICT" 422;
    /// The service does not accept files of this type.
    AttachmentUnsupported = "AGENT_ATTACHMENT_UNSUPPORTED_TYPE" 422;
    /// A file without content.
    AttachmentEmpty = "AGENT_ATTACHMENT_EMPTY" 422;
    /// A recording that is not a WAV file.
    AudioUnsupported = "AGENT_AUDIO_UNSUPPORTED_FORMAT" 422;
    /// A recording without sound.
    AudioEmpty = "AGENT_AUDIO_EMPTY" 422;
    /// The user has too many event connections.
    ConnectionLimit = "AGENT_SSE_CONNECTION_LIMIT" 429;
    /// The user starts runs too fast.
    RateLimit = "AGENT_RATE_LIMIT_EXCEEDED" 429;
    /// Something went wrong in the service.
    Internal = "AGENT_INTERNAL_ERROR" 500;
    /// The storage does not answer, or is full.
    StorageUnavailable = "AGENT_STORAGE_UNAVAILABLE" 503;
    /// The speech service does not answer.
    SpeechUnavailable = "AGENT_ASR_UNAVAILABLE" 503;
}

impl Code {
    /// Returns the code with that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|code| code.as_str() == name)
    }
}

/// A refused request.
#[derive(Clone, Debug, PartialEq)]
pub struct RefusedRequest {
    /// The reason.
    pub code: Code,
    /// The reason as a sentence for people.
    pub detail: Cow<'static, str>,
    /// The problems of the body, if they are the reason.
    pub problems: Vec<Problem>,
}

impl RefusedRequest {
    /// Creates a refusal for a reason other than the contents of the body.
    pub fn new(code: Code, detail: impl Into<Cow<'static, str>>) -> Self {
        RefusedRequest { code, detail: detail.into(), problems: Vec::new() }
    }

    /// Creates a refusal for these problems, which are not empty. The sentence names the first of
    /// them.
    pub(super) fn of(code: Code, problems: Vec<Problem>) -> Self {
        let first = problems.first();
        let detail = first.map(|problem| [&problem.path(), ": ", &*problem.expected()].concat());
        RefusedRequest { code, detail: detail.unwrap_or_default().into(), problems }
    }

    /// Writes the body of the answer, of type `application/problem+json`: `type`, `title`,
    /// `status`, `detail`, `code` and, if there are any, `problems`, each with `path`, `code`,
    /// `expected` and `got`.
    pub fn body(&self) -> String {
        let mut out = String::new();
        let mut object = ObjectWriter::open(&mut out, false);
        object.string("type", Some("about:blank"));
        object.string("title", Some(title(self.code.status())));
        object.integer("status", Some(self.code.status().into()));
        object.string("detail", Some(&self.detail));
        object.string("code", Some(self.code.as_str()));
        if !self.problems.is_empty() {
            object.member("problems").push_str(&Problem::list_to_json(&self.problems));
        }
        object.close();
        out
    }

    /// Writes the whole answer as JSON: `status`, `contentType` and `body`, a `message` for people,
    /// and the `problems`.
    pub fn to_json(&self) -> String {
        let status = self.code.status();
        refusal(status, "application/problem+json", &self.body(), &self.detail, &self.problems)
    }
}

/// Returns the phrase of the status (RFC 9110), which is the title of a problem of type
/// `about:blank`.
fn title(status: u16) -> &'static str {
    match status {
        401 => "Unauthorized",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        408 => "Request Timeout",
        409 => "Conflict",
        410 => "Gone",
        411 => "Length Required",
        413 => "Content Too Large",
        415 => "Unsupported Media Type",
        416 => "Range Not Satisfiable",
        422 => "Unprocessable Content",
        429 => "Too Many Requests",
        503 => "Service Unavailable",
        _ => "Internal Server Error",
    }
}

impl fmt::Display for RefusedRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code.as_str())?;
        f.write_str(": ")?;
        f.write_str(&self.detail)
    }
}

impl core::error::Error for RefusedRequest {}

/// The contents of an answer that is not a success, read leniently by a client.
#[derive(Clone, Debug, PartialEq)]
pub struct Answered {
    /// The HTTP status.
    pub status: u16,
    /// The `code` of the body, known or not; empty if it has none.
    pub code: String,
    /// A sentence for people: `detail`, or else `title`, or else the status.
    pub detail: String,
}

impl Answered {
    /// Reads an answer. A body that does not describe a problem is ignored.
    pub fn read(status: u16, body: &str) -> Self {
        let body = Value::parse(body, 32).unwrap_or_default();
        let text = |name| body.get(name).and_then(Value::as_str).filter(|text| !text.is_empty());
        let code = text("code").unwrap_or_default().to_owned();
        let detail = text("detail").or_else(|| text("title")).map(ToOwned::to_owned);
        let status_text = || ["the server answered ", &decimal(status.into())].concat();
        Answered { status, code, detail: detail.unwrap_or_else(status_text) }
    }

    /// Returns the code, if it is known.
    pub fn known(&self) -> Option<Code> {
        Code::named(&self.code)
    }
}
