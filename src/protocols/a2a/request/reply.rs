//! Answers in the form of the request: results, refusals and events, in JSON-RPC and REST, in both
//! dialects. (A9, A10, A16.)

use alloc::string::String;

use super::dialect::{object, to_v03};
use crate::core::WireEvent;
use crate::json::{Value, put};
use crate::protocols::a2a::Dialect;

/// The binding of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binding {
    /// JSON-RPC: every answer is in an envelope that repeats the request's id.
    JsonRpc,
    /// REST: answers have no envelope.
    Rest,
}

/// The properties of a request that its answer needs: the dialect, the binding, and the id, which
/// is repeated unchanged.
#[derive(Clone, Debug, PartialEq)]
pub struct Reply {
    /// The version of the answer.
    pub dialect: Dialect,
    /// The binding of the answer.
    pub binding: Binding,
    /// The id of a JSON-RPC request: any JSON.
    pub id: Value,
    /// Whether the answer of the method is a stream. In JSON-RPC a refusal is a stream, too,
    /// because clients of 0.3 read only streams.
    pub is_stream: bool,
}

/// The default is the first request of a client: 1.0 in JSON-RPC, with the id 1.
impl Default for Reply {
    fn default() -> Self {
        Reply {
            dialect: Dialect::V1,
            binding: Binding::JsonRpc,
            id: Value::from(1),
            is_stream: false,
        }
    }
}

/// An HTTP answer with a complete body.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct HttpAnswer {
    /// The status.
    pub status: u16,
    /// The content type.
    pub content_type: &'static str,
    /// JSON, or one SSE event that refuses the request for a stream.
    pub body: String,
}

/// The reason for the refusal of a call. (2.2.)
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The body is not JSON.
    Parse,
    /// The body is not a JSON-RPC request.
    InvalidRequest,
    /// The method does not exist.
    MethodNotFound,
    /// The parameters are not those of the method.
    InvalidParams,
    /// The server has failed.
    Internal,
    /// The task does not exist.
    TaskNotFound,
    /// The task has ended.
    TaskNotCancelable,
    /// Push notifications are not supported.
    PushNotificationNotSupported,
    /// The task or the server does not support the operation.
    UnsupportedOperation,
    /// The server does not have an extended card.
    ExtendedCardNotConfigured,
    /// The requested version of the protocol is not supported.
    VersionNotSupported,
}

/// The representation of an error: the code of JSON-RPC, the reason, and the HTTP status of REST
/// with its name.
type ErrorRow = (ErrorKind, i64, &'static str, u16, &'static str);

const ERRORS: [ErrorRow; 11] = {
    use ErrorKind::*;
    const ARGUMENT: &str = "INVALID_ARGUMENT";
    const PRECONDITION: &str = "FAILED_PRECONDITION";
    [
        (Parse, -32700, "PARSE_ERROR", 400, ARGUMENT),
        (InvalidRequest, -32600, "INVALID_REQUEST", 400, ARGUMENT),
        (MethodNotFound, -32601, "METHOD_NOT_FOUND", 404, "NOT_FOUND"),
        (InvalidParams, -32602, "INVALID_PARAMS", 400, ARGUMENT),
        (Internal, -32603, "INTERNAL_ERROR", 500, "INTERNAL"),
        (TaskNotFound, -32001, "TASK_NOT_FOUND", 404, "NOT_FOUND"),
        (TaskNotCancelable, -32002, "TASK_NOT_CANCELABLE", 400, PRECONDITION),
        (
            PushNotificationNotSupported,
            -32003,
            "PUSH_NOTIFICATION_NOT_SUPPORTED",
            400,
            PRECONDITION,
        ),
        (UnsupportedOperation, -32004, "UNSUPPORTED_OPERATION", 400, PRECONDITION),
        (
            ExtendedCardNotConfigured,
            -32007,
            "EXTENDED_AGENT_CARD_NOT_CONFIGURED",
            400,
            PRECONDITION,
        ),
        (VersionNotSupported, -32009, "VERSION_NOT_SUPPORTED", 400, PRECONDITION),
    ]
};

impl ErrorKind {
    /// Returns the row of the error: the rows are in the order of the declaration.
    const fn row(self) -> ErrorRow {
        ERRORS[self as usize]
    }

    /// Returns the code of JSON-RPC.
    pub const fn code(self) -> i64 {
        self.row().1
    }

    /// Returns the error with this code, or [`Internal`](Self::Internal) for an unknown code.
    pub fn of_code(code: i64) -> Self {
        ERRORS.into_iter().find(|row| row.1 == code).map_or(ErrorKind::Internal, |row| row.0)
    }
}

impl Reply {
    /// Returns the answer with the result of a method: an object of 1.0.
    pub fn result(&self, result: Value) -> HttpAnswer {
        let result = self.in_dialect(result);
        let (content_type, body) = match (self.binding, self.dialect) {
            (Binding::JsonRpc, _) => (JSON, self.enveloped("result", &result)),
            (Binding::Rest, Dialect::V1) => ("application/a2a+json", result.to_json()),
            (Binding::Rest, Dialect::V0_3) => (JSON, result.to_json()),
        };
        HttpAnswer { status: 200, content_type, body }
    }

    /// Returns the answer that refuses a call. In JSON-RPC its status is 200, as for any other
    /// answer.
    pub fn error(&self, kind: ErrorKind, message: &str) -> HttpAnswer {
        let error = self.error_object(kind, message);
        match self.binding {
            Binding::JsonRpc => {
                let body = self.enveloped("error", &error);
                match self.is_stream {
                    true => {
                        let body = WireEvent::written(body.len(), None, |frame| put(frame, &body))
                            .into_sse();
                        HttpAnswer { status: 200, content_type: EVENTS, body }
                    }
                    false => HttpAnswer { status: 200, content_type: JSON, body },
                }
            }
            Binding::Rest => {
                // The official servers of 0.3 use this status.
                let is_conflict =
                    self.dialect == Dialect::V0_3 && kind == ErrorKind::TaskNotCancelable;
                let status = if is_conflict { 409 } else { kind.row().3 };
                HttpAnswer { status, content_type: JSON, body: error.to_json() }
            }
        }
    }

    fn error_object(&self, kind: ErrorKind, message: &str) -> Value {
        let (_, code, reason, status, name) = kind.row();
        let info = Value::from([
            ("@type", "type.googleapis.com/google.rpc.ErrorInfo".into()),
            ("reason", reason.into()),
            ("domain", "a2a-protocol.org".into()),
        ]);
        let details = Some(Value::Array([info].into()));
        let message = ("message", Some(message.into()));
        match (self.binding, self.dialect) {
            (Binding::JsonRpc, _) | (Binding::Rest, Dialect::V0_3) => {
                let data = details.filter(|_| self.dialect == Dialect::V1);
                object([("code", Some(code.into())), message, ("data", data)])
            }
            (Binding::Rest, Dialect::V1) => {
                let code = ("code", Some(i64::from(status).into()));
                let error =
                    object([code, ("status", Some(name.into())), message, ("details", details)]);
                [("error", error)].into()
            }
        }
    }

    /// Returns an event of a stream: an object with the member `task`, `message`, `statusUpdate` or
    /// `artifactUpdate`.
    pub fn event(&self, event: Value) -> WireEvent {
        self.passed(&self.in_dialect(event))
    }

    /// Returns an event with a result that is in the dialect already.
    pub(crate) fn passed(&self, result: &Value) -> WireEvent {
        self.frame("result", result)
    }

    /// Returns the event of an error in the middle of a stream, which ends it.
    pub fn error_event(&self, kind: ErrorKind, message: &str) -> WireEvent {
        self.frame("error", &self.error_object(kind, message))
    }

    /// Returns an event with a value, which has an envelope in JSON-RPC.
    fn frame(&self, name: &str, value: &Value) -> WireEvent {
        WireEvent::written(USUAL, None, |frame| match self.binding {
            Binding::JsonRpc => put(frame, &self.enveloped(name, value)),
            Binding::Rest => value.write(frame),
        })
    }

    /// Converts an event, or the result of a method, to the dialect.
    fn in_dialect(&self, value: Value) -> Value {
        match self.dialect {
            Dialect::V1 => value,
            Dialect::V0_3 => to_v03(value, self.binding),
        }
    }

    fn enveloped(&self, name: &str, value: &Value) -> String {
        let mut body = String::with_capacity(USUAL);
        put(&mut body, "{\"jsonrpc\":\"2.0\",\"id\":");
        self.id.write(&mut body);
        put(&mut body, ",\"");
        put(&mut body, name);
        put(&mut body, "\":");
        value.write(&mut body);
        put(&mut body, "}");
        body
    }
}

const JSON: &str = "application/json";
const EVENTS: &str = "text/event-stream; charset=utf-8";

/// The initial capacity in bytes, which is enough for most events.
const USUAL: usize = 256;

/// The conversion to and from `{"version","binding","id","isStream"}`: the form outside the Rust
/// API, and in the option
/// [`echo`](crate::hub::WriteOptions::echo) of a target.
impl Reply {
    /// Returns the reply as JSON.
    pub fn to_value(&self) -> Value {
        let rest = (self.binding == Binding::Rest).then(|| "rest".into());
        object([
            ("version", Some(self.dialect.as_str().into())),
            ("binding", rest),
            ("id", Some(self.id.clone())),
            ("isStream", self.is_stream.then(|| true.into())),
        ])
    }

    /// Reads such an object. Missing members have their [default](Self::default) values.
    pub fn of_value(value: &Value) -> Self {
        let text = |name: &str| value.get(name).and_then(Value::as_str);
        let usual = Reply::default();
        let is_rest = text("binding") == Some("rest");
        Reply {
            dialect: text("version").and_then(Dialect::of_version).unwrap_or(usual.dialect),
            binding: if is_rest { Binding::Rest } else { usual.binding },
            id: value.get("id").cloned().unwrap_or(usual.id),
            is_stream: value.get("isStream").and_then(Value::as_bool) == Some(true),
        }
    }
}
