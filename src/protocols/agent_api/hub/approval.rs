//! Questions and answers as the Agent API has them.

use alloc::vec::Vec;

use super::members::with;
use crate::hub::approval::question;
use crate::hub::{Step, given};
use crate::json::{Member, Value};

/// The data of an approval request: always a valid `McpApprovalRequest` (spec 1.2), or clients show no question. A payload
/// that is one stands in its own members. Any other payload is carried beside the members that it lacks: the question is
/// the call of a tool whose arguments are the payload.
pub(super) fn approval(id: &str, reason: Option<&str>, payload: &Value, beside: &[Member]) -> Value {
    let text = |name: &str| payload.text(name);
    let (name, arguments, server) = (text("name"), text("arguments"), text("server_label"));
    let is_own = name.and(arguments).and(server).is_some()
        && ["id", "reason", "payload"].iter().all(|key| payload.get(key).is_none());
    if let Value::Object(members) = payload
        && is_own
        && reason.is_none()
        && beside.is_empty()
    {
        return with([("id", id.into())], members);
    }
    let [name, arguments, server] = question(payload);
    let said = [
        ("id", id.into()),
        ("name", name.into()),
        ("arguments", arguments.into()),
        ("server_label", server.into()),
        ("reason", reason.map_or(Value::Null, Value::from)),
        ("payload", payload.clone()),
    ];
    with(said, beside)
}

/// What a question says that the protocol has no member for.
pub(super) fn beside(step: &Step<'_>) -> Vec<Member> {
    let Step::Interrupt { call, text, expires_at, response_schema, .. } = *step else { return Vec::new() };
    given([
        ("call", call.map(Value::from)),
        ("text", text.map(Value::from)),
        ("expiresAt", expires_at.map(Value::from)),
        ("responseSchema", response_schema.cloned()),
    ])
}

/// The data of an approval response: as it came from the Agent API, or a valid `McpApprovalResponse` (R37).
pub(super) fn answer(id: &str, approved: Option<bool>, reason: Option<&str>, payload: &Value) -> Value {
    if payload.get("approval_request_id").is_some() {
        let mut data = payload.clone();
        if approved != Some(true) && data.get("approve") == Some(&Value::Bool(true)) {
            data.insert("approve", false.into());
        }
        return data;
    }
    // What is neither yes nor no declines.
    let mut data =
        Value::from([("approval_request_id", id.into()), ("approve", Value::Bool(approved == Some(true)))]);
    if let Some(reason) = reason {
        data.insert("reason", reason.into());
    }
    if !payload.is_null() {
        data.insert("payload", payload.clone());
    }
    data
}
