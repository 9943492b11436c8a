//! Answers to questions: what approves, and what declines. Neither way does anything approve that does not clearly say so.

use alloc::vec;

use crate::hub::loss::Losses;
use crate::json::Value;
use crate::protocols::ag_kit::request::Resume;
use crate::protocols::agent_api::request::{InputContent, InputMessage};
use crate::protocols::agent_api::{MessageType, Payload, Role};

/// The answer to an interrupt; what was asked by an approval request is answered by `approve` and `reason`. Where
/// `approve` is not true, nothing is sent that approves.
pub(super) fn resume(answer: &Value, losses: &mut Losses) -> Option<Resume> {
    let id = answer.get("approval_request_id")?.as_str()?;
    let approve = answer.get("approve").and_then(boolean);
    let payload = answer.get("payload");
    let agrees = |payload: &&Value| approve == Some(true) || decision(payload) != Some(true);
    if let Some(payload) = payload.filter(agrees) {
        return Some(Resume::new(id, payload.clone()));
    }
    if approve.is_none() || payload.is_some() {
        losses.note("approval-not-understood", &answer.to_json(), "`approve` is not true: it declines");
    }
    let reason = answer.get("reason").cloned().unwrap_or_default();
    let payload = Value::from([("approve", approve.unwrap_or(false).into()), ("reason", reason)]);
    Some(Resume::new(id, payload))
}

/// The answer to an approval request. What does not clearly approve declines.
pub(super) fn answered(resume: &Resume, losses: &mut Losses) -> InputMessage {
    let answer = resume.answer();
    let approve = decision(&answer).unwrap_or_else(|| {
        let why = "it is none of the answers that approve or decline: it declines";
        losses.note("approval-not-understood", &answer.to_json(), why);
        false
    });
    let data = Value::from([
        ("approval_request_id", resume.interrupt_id.as_str().into()),
        ("approve", approve.into()),
        ("id", Value::Null),
        ("reason", answer.get("reason").cloned().unwrap_or_default()),
        ("payload", answer),
    ]);
    data_message(MessageType::McpApprovalResponse, Role::User, data)
}

/// Whether an answer approves or declines; `None` when it says neither in a way that is understood.
fn decision(answer: &Value) -> Option<bool> {
    match answer {
        Value::Bool(approve) => Some(*approve),
        Value::String(word) => matches!(word.as_str(), "approve" | "approved" | "yes").then_some(true),
        Value::Object(_) => {
            let mut said = ["approve", "approved"].into_iter().filter_map(|name| answer.get(name));
            let approve = said.next().and_then(boolean);
            approve.filter(|_| said.all(|other| boolean(other) == approve))
        }
        Value::Null | Value::Number(_) | Value::Array(_) => None,
    }
}

fn boolean(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(value) => Some(*value),
        _ => None,
    }
}

/// A message of one data content.
pub(super) fn data_message(r#type: MessageType, role: Role, data: Value) -> InputMessage {
    let mut message = InputMessage::new(role, vec![InputContent::new(Payload::Data { data: Some(data) })]);
    message.r#type = r#type;
    message
}
