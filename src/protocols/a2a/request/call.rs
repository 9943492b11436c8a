//! Calls: the method, the dialect and the parameters of a request. (2.1, A16, A17.)

use alloc::{borrow::ToOwned, string::String, vec::Vec};
use core::fmt;

use super::message::SendMessageRequest;
use super::reply::{Binding, ErrorKind, HttpAnswer, Reply};
use super::{dialect, rest};
use crate::core::Limits;
use crate::core::request::{decision, read};
use crate::core::violation::excerpt;
use crate::json::{JsonErrorKind as JsonError, Value, decimal};
use crate::protocols::a2a::Dialect;

/// A call that can be answered.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct OperationCall {
    /// The dialect, the binding and the id for the answer.
    pub reply: Reply,
    /// The method with its parameters.
    pub method: Method,
}

/// A method of a server.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
#[allow(clippy::large_enum_variant, reason = "there is one per request")]
pub enum Method {
    /// A message for the agent.
    SendMessage {
        /// The message.
        request: SendMessageRequest,
        /// Whether the answer is a stream.
        streaming: bool,
    },
    /// The current state of a task.
    GetTask {
        /// The id of the task.
        id: String,
        /// The maximum number of messages of its history; all if it is absent.
        history_length: Option<i64>,
    },
    /// A page of tasks.
    ListTasks(ListTasks),
    /// The cancellation of a task.
    CancelTask {
        /// The id of the task.
        id: String,
    },
    /// The stream of a task that continues.
    SubscribeToTask {
        /// The id of the task.
        id: String,
    },
}

/// The selection of tasks for a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ListTasks {
    /// The id of their conversation.
    pub context_id: Option<String>,
    /// Their state, for example `TASK_STATE_WORKING`.
    pub status: Option<String>,
    /// The maximum number of tasks: 1 to 100, 50 by default.
    pub page_size: Option<i64>,
    /// The start of the page: the token from the previous page.
    pub page_token: Option<String>,
    /// The maximum number of messages of their histories; all if it is absent.
    pub history_length: Option<i64>,
    /// Whether the tasks have their artifacts.
    pub include_artifacts: bool,
}

/// The maximum size of an id in bytes: every event of the answer repeats it.
const LONGEST_ID: usize = 1024;

/// The methods of JSON-RPC: the name in 1.0, the name in 0.3, and the operation.
const METHODS: &[(&str, &str, Name)] = &[
    ("SendMessage", "message/send", Name::Send),
    ("SendStreamingMessage", "message/stream", Name::Stream),
    ("GetTask", "tasks/get", Name::Get),
    ("ListTasks", "", Name::List),
    ("CancelTask", "tasks/cancel", Name::Cancel),
    ("SubscribeToTask", "tasks/resubscribe", Name::Subscribe),
    ("CreateTaskPushNotificationConfig", "tasks/pushNotificationConfig/set", Name::Push),
    ("GetTaskPushNotificationConfig", "tasks/pushNotificationConfig/get", Name::Push),
    ("ListTaskPushNotificationConfigs", "tasks/pushNotificationConfig/list", Name::Push),
    ("DeleteTaskPushNotificationConfig", "tasks/pushNotificationConfig/delete", Name::Push),
    ("GetExtendedAgentCard", "agent/getAuthenticatedExtendedCard", Name::ExtendedCard),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Name {
    Send,
    Stream,
    Get,
    List,
    Cancel,
    Subscribe,
    Push,
    ExtendedCard,
}

impl OperationCall {
    /// Reads a JSON-RPC request from its body and the header `A2A-Version` (empty if it is absent).
    /// The name of the method determines the dialect. A request that cannot be served becomes the
    /// answer that refuses it.
    pub fn of_json_rpc(body: &str, version: &str) -> Result<Self, HttpAnswer> {
        // The id is null until the request is parsed.
        let mut reply = Reply { id: Value::Null, ..Reply::default() };
        // A refusal before the dialect is known has the form of the version in the header.
        reply.dialect = Dialect::of_version(version).unwrap_or_default();
        let method = Self::read_json_rpc(body, version, &mut reply);
        method
            .map(|method| OperationCall { reply: reply.clone(), method })
            .map_err(|refusal| refuse(&reply, refusal))
    }

    fn read_json_rpc(
        body: &str,
        version: &str,
        reply: &mut Reply,
    ) -> Result<Method, RefusedOperation> {
        let request = parse(body)?;
        let id = request.get("id").cloned().unwrap_or_default();
        let invalid = |reason: &str| Err(RefusedOperation::new(ErrorKind::InvalidRequest, reason));
        if id.to_json().len() > LONGEST_ID {
            return invalid("The id is too long.");
        }
        reply.id = id;
        if request.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
            return invalid("`jsonrpc` has to be \"2.0\".");
        }
        let Some(method) = request.get("method").and_then(Value::as_str) else {
            return invalid("`method` has to be a string.");
        };
        let found =
            METHODS.iter().find(|(v1, v03, _)| [*v1, *v03].contains(&method) && !method.is_empty());
        let Some((v1, _, name)) = found else {
            return Err(RefusedOperation::new(
                ErrorKind::MethodNotFound,
                ["Method not found: ", &excerpt(method)].concat(),
            ));
        };
        reply.dialect = if *v1 == method { Dialect::V1 } else { Dialect::V0_3 };
        reply.is_stream = matches!(name, Name::Stream | Name::Subscribe);
        check_version(version)?;
        let params = take(request, "params");
        let params = match (reply.dialect, params) {
            (_, Value::Null) if *name == Name::List => Value::Object(Vec::new()),
            (Dialect::V0_3, params) => dialect::params_from_v03(params, Binding::JsonRpc),
            (Dialect::V1, params) => params,
        };
        Method::of(*name, params)
    }

    /// Reads a REST request from the HTTP method, the path below the endpoint (`/message:send`, in
    /// 0.3 `/v1/message:send`), its query, the body, and the header `A2A-Version` (empty if it is
    /// absent). The path determines the dialect. A request that cannot be served becomes the answer
    /// that refuses it.
    pub fn of_rest(
        http: &str,
        path: &str,
        query: &str,
        body: &str,
        version: &str,
    ) -> Result<Self, HttpAnswer> {
        let reply =
            Reply { dialect: rest::dialect(path).0, binding: Binding::Rest, ..Reply::default() };
        let method = check_version(version).and_then(|()| rest::method(http, path, query, body));
        method
            .map(|method| OperationCall { reply: reply.clone(), method })
            .map_err(|refusal| refuse(&reply, refusal))
    }
}

impl Method {
    pub(super) fn of(name: Name, params: Value) -> Result<Self, RefusedOperation> {
        let invalid = |reason: &str| Err(RefusedOperation::new(ErrorKind::InvalidParams, reason));
        let text =
            |key: &str| params.get(key).and_then(Value::as_str).filter(|text| !text.is_empty());
        if name == Name::Push {
            return Err(no_push());
        }
        if name == Name::ExtendedCard {
            let reason = "There is no extended agent card.";
            return Err(RefusedOperation::new(ErrorKind::ExtendedCardNotConfigured, reason));
        }
        if !matches!(params, Value::Object(_)) {
            return invalid("`params` has to be an object.");
        }
        if matches!(name, Name::Send | Name::Stream) {
            let request: SendMessageRequest = read(params, None).map_err(malformed)?;
            let problems = crate::core::request::check(&request, None);
            if !problems.is_empty() {
                return Err(malformed(problems));
            }
            if request
                .configuration
                .as_ref()
                .is_some_and(|configuration| configuration.push.is_some())
            {
                return Err(no_push());
            }
            return Ok(Method::SendMessage { request, streaming: name == Name::Stream });
        }
        let history_length = number(&params, "historyLength")?;
        if name == Name::List {
            let page_size = number(&params, "pageSize")?;
            if page_size.is_some_and(|size| !(1..=100).contains(&size)) {
                return invalid("`pageSize` has to be between 1 and 100.");
            }
            let owned = |key: &str| text(key).map(ToOwned::to_owned);
            let include = params.get("includeArtifacts");
            return Ok(Method::ListTasks(ListTasks {
                context_id: owned("contextId"),
                status: owned("status").filter(|status| status != "TASK_STATE_UNSPECIFIED"),
                page_size,
                page_token: owned("pageToken"),
                history_length,
                include_artifacts: include
                    .is_some_and(|is| *is == true.into() || *is == "true".into()),
            }));
        }
        let Some(id) = text("id") else { return invalid("`id` has to be the id of a task.") };
        let id = id.to_owned();
        Ok(match name {
            Name::Get => Method::GetTask { id, history_length },
            Name::Cancel => Method::CancelTask { id },
            _ => Method::SubscribeToTask { id },
        })
    }
}

fn no_push() -> RefusedOperation {
    RefusedOperation::new(
        ErrorKind::PushNotificationNotSupported,
        "Push notifications are not supported.",
    )
}

/// Returns a refusal with the problems of the parameters as one sentence.
fn malformed(problems: Vec<crate::core::request::Problem>) -> RefusedOperation {
    let texts =
        problems.iter().map(|problem| [&*problem.path(), ": ", &problem.expected()].concat());
    RefusedOperation::new(ErrorKind::InvalidParams, texts.collect::<Vec<_>>().join("; "))
}

/// Reads an integer, which is text in a query.
fn number(params: &Value, key: &str) -> Result<Option<i64>, RefusedOperation> {
    let digits = match params.get(key) {
        None | Some(Value::Null) => return Ok(None),
        Some(Value::Number(digits)) => digits.as_str(),
        Some(Value::String(digits)) => digits.as_str(),
        Some(_) => "",
    };
    let number = digits.parse().ok().filter(|number| *number >= 0);
    let reason = || ["`", key, "` has to be a whole number, not less than 0."].concat();
    number.map(Some).ok_or_else(|| RefusedOperation::new(ErrorKind::InvalidParams, reason()))
}

pub(super) fn parse(body: &str) -> Result<Value, RefusedOperation> {
    let limits = Limits::default();
    if body.len() > limits.event_bytes {
        return Err(RefusedOperation::new(ErrorKind::InvalidRequest, "The body is too long."));
    }
    decision::parse(body, limits.json_depth).map_err(|error| match error.kind {
        JsonError::TooDeep => {
            RefusedOperation::new(ErrorKind::InvalidRequest, "The body nests too deep.")
        }
        _ => RefusedOperation::new(
            ErrorKind::Parse,
            ["The body is not JSON at byte ", &decimal(error.at as i64)].concat(),
        ),
    })
}

fn take(value: Value, key: &str) -> Value {
    let Value::Object(members) = value else { return Value::Null };
    members
        .into_iter()
        .find(|member| member.key == key)
        .map(|member| member.value)
        .unwrap_or_default()
}

fn check_version(version: &str) -> Result<(), RefusedOperation> {
    let reason = || ["Version not supported: ", &excerpt(version)].concat();
    let known = Dialect::of_version(version).map(drop);
    known.ok_or_else(|| RefusedOperation::new(ErrorKind::VersionNotSupported, reason()))
}

fn refuse(reply: &Reply, refusal: RefusedOperation) -> HttpAnswer {
    reply.error(refusal.kind, &refusal.message)
}

/// A refused operation, which a [`Reply`](super::Reply) writes as an [error](super::Reply::error).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RefusedOperation {
    /// The error of the protocol.
    pub kind: ErrorKind,
    /// A sentence for the client.
    pub message: String,
}

impl RefusedOperation {
    /// Creates a refusal.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        RefusedOperation { kind, message: message.into() }
    }
}

impl fmt::Display for RefusedOperation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl core::error::Error for RefusedOperation {}
