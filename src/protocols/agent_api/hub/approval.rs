//! Questions and answers in the format of the Agent API.

use alloc::vec::Vec;

use super::members::with;
use crate::hub::approval::question;
use crate::hub::{Step, given};
use crate::json::{Member, Value};

/// Returns the data of an approval request: always a valid `McpApprovalRequest` (spec 1.2), because clients do not show
/// any other question. A payload of this form is used as it is. Any other payload becomes the member `payload`, next to
/// the required members: the question is then the call of a tool with the payload as its arguments.
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

/// Returns the members of a question that the protocol does not declare.
pub(super) fn beside(step: &Step<'_>) -> Vec<Member> {
    let Step::Interrupt { call, text, expires_at, response_schema, .. } = *step else { return Vec::new() };
    given([
        ("call", call.map(Value::from)),
        ("text", text.map(Value::from)),
        ("expiresAt", expires_at.map(Value::from)),
        ("responseSchema", response_schema.cloned()),
    ])
}

/// Returns the data of an approval response: as received from the Agent API, or a valid `McpApprovalResponse` (R37).
pub(super) fn answer(id: &str, approved: Option<bool>, reason: Option<&str>, payload: &Value) -> Value {
    if payload.get("approval_request_id").is_some() {
        let mut data = payload.clone();
        if approved != Some(true) && data.get("approve") == Some(&Value::Bool(true)) {
            data.insert("approve", false.into());
        }
        return data;
    }
    // An answer that is neither yes nor no declines.
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
