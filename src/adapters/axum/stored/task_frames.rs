//! The frames of A2A tasks, and a message as it was taken into its task.

use std::borrow::ToOwned as _;
use std::string::String;
use std::vec;
use std::vec::Vec;

use axum_core::response::Response;

use super::super::{JSON, answer};
use super::answers::AnswerCall;
use super::frames::data_in;
use crate::core::id::{iso8601, system_clock};
use crate::json::Value;
use crate::protocols::a2a::request::{ErrorKind, Reply};
use crate::threads::parsed;

/// The path of JSON-RPC. Those of REST are below it.
pub(super) const PATH: &str = "/a2a";

/// A message that was taken into its task.
pub(super) struct Accepted {
    pub task_id: String,
    pub context_id: String,
    /// The request of the agent, one of the Agent API.
    pub request: Value,
    /// The task before the message, and the message.
    pub task: Value,
}

impl Accepted {
    /// Reads the form in which it is stored: the message, the request, and the task.
    pub fn parse(accepted: &str) -> Self {
        let accepted = parsed(accepted);
        let at = |at: usize| accepted.items().get(at).cloned().unwrap_or_default();
        let message = at(0).get("message").cloned().unwrap_or_default();
        let text = |name| message.text(name).unwrap_or_default().to_owned();
        Accepted {
            task_id: text("taskId"),
            context_id: text("contextId"),
            request: at(1),
            task: at(2),
        }
    }
}

/// Returns the frame that ends a task whose agent has failed.
pub(super) fn failed_update(task: &str, context: &str, code: &str, message: &str) -> String {
    let update = Value::from([
        ("taskId", task.into()),
        ("contextId", context.into()),
        ("status", failed_status(task, context, code, message)),
    ]);
    frame([("statusUpdate", update)])
}

/// Returns the frame of a task whose agent has failed before its first event.
pub(super) fn failed_frame(accepted: &str, code: &str, message: &str) -> String {
    let Accepted { task_id, context_id, mut task, .. } = Accepted::parse(accepted);
    task.insert("id", task_id.as_str().into());
    task.insert("contextId", context_id.as_str().into());
    task.insert("status", failed_status(&task_id, &context_id, code, message));
    frame([("task", task)])
}

fn failed_status(task: &str, context: &str, code: &str, message: &str) -> Value {
    let failure = Value::from([("code", code.into()), ("message", message.into())]);
    let parts =
        vec![Value::from([("text", Value::from(message))]), Value::from([("data", failure)])];
    let message = Value::from([
        ("messageId", Value::from([task, "_error"].concat())),
        ("contextId", context.into()),
        ("taskId", task.into()),
        ("role", "ROLE_AGENT".into()),
        ("parts", Value::Array(parts)),
    ]);
    [
        ("state", Value::from("TASK_STATE_FAILED")),
        ("message", message),
        ("timestamp", iso8601(system_clock()).into()),
    ]
    .into()
}

pub(super) fn frame<const N: usize>(event: [(&str, Value); N]) -> String {
    Reply::default().event(event.into()).into_sse()
}

/// Returns the last state of a task in the last frames of a run.
pub(super) fn state_in<'f>(frames: impl DoubleEndedIterator<Item = &'f str>) -> String {
    let state = |frame: &str| {
        let data = data_in(frame);
        let event = data.get("result")?;
        let place = event.get("task").or_else(|| event.get("statusUpdate"))?;
        place.get("status")?.text("state").map(ToOwned::to_owned)
    };
    frames.rev().find_map(state).unwrap_or_default()
}

/// Returns a frame of a log in the form of a reply.
pub(super) fn in_form(reply: &Reply, frame: &str) -> String {
    match data_in(frame).get("result") {
        Some(event) => reply.event(event.clone()).into_sse(),
        None => frame.to_owned(),
    }
}

/// Returns a refusal of HTTP in A2A's form: JSON-RPC, or REST of the version of the path.
pub(super) fn refuse_task(call: &AnswerCall, status: u16, message: &str, body: &str) -> Response {
    const BUSY: i64 = -32000;
    let below = call.path().strip_prefix(PATH).unwrap_or_default();
    let json: Value = if below.is_empty() {
        let code = match status {
            429 => BUSY,
            ..500 => ErrorKind::InvalidRequest.code(),
            _ => ErrorKind::Internal.code(),
        };
        let id = parsed(body).get("id").cloned().unwrap_or_default();
        let id = if id.to_json().len() <= 250 { id } else { Value::Null };
        let error = [("code", code.into()), ("message", message.into())];
        [("jsonrpc", "2.0".into()), ("id", id), ("error", error.into())].into()
    } else if below.starts_with("/v1/") {
        [("code", i64::from(status).into()), ("message", message.into())].into()
    } else {
        let name = match status {
            401 => "UNAUTHENTICATED",
            429 => "RESOURCE_EXHAUSTED",
            503 => "UNAVAILABLE",
            ..500 => "INVALID_ARGUMENT",
            _ => "INTERNAL",
        };
        let error = [
            ("code", i64::from(status).into()),
            ("status", name.into()),
            ("message", message.into()),
            ("details", Value::Array(Vec::new())),
        ];
        [("error", error.into())].into()
    };
    answer(status, JSON, json.to_json())
}
