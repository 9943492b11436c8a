//! Steps without an equivalent in the Agent API.
//!
//! Its message types are free strings (Spec 1.1), and its web interface does not show messages of unknown types. So
//! such a step becomes a completed message of type `agentwire.` and the step's name, whose data are the step's members.
//! Notes about a message become members of its metadata.

use alloc::{string::String, vec::Vec};

use super::{ToAgentApi, emit, why};
use crate::hub::approval::question;
use crate::hub::steps::members;
use crate::hub::{Context, Note, Out, Step, given};
use crate::json::{Member, Value, decimal};
use crate::protocols::agent_api::builder::{ResponseBuilder, WireEvent};
use crate::protocols::agent_api::hub::NOTE;
use crate::protocols::agent_api::hub::words::with;
use crate::protocols::agent_api::{ErrorInfo, MessageType, Payload, Role, RunStatus};

impl ToAgentApi {
    pub(super) fn note(&mut self, note: &Note<'_>, step: &Step<'_>, out: &mut Out<'_, WireEvent>) {
        match *note {
            Note::Status { status: "in_progress", detail: None } => {}
            Note::Passthrough { .. }
            | Note::Retract { .. }
            | Note::Replace { .. }
            | Note::Reopened { .. } => {}
            Note::Usage { usage, message } => self.used(usage, message, out),
            Note::Error { code, text } => {
                let error = (code.unwrap_or_default(), text);
                self.send_message(
                    (MessageType::Error, None),
                    RunStatus::Completed,
                    None,
                    Some(error),
                    None,
                    out,
                );
            }
            Note::ToolError { id, cause, text } => {
                out.lose("tool-error", id, "it became the result, in a message that failed");
                let id = self.call_ids.of(id, out);
                let data =
                    Value::from([("call_id", id.into()), ("name", Value::Null), ("output", text.into())]);
                let error = ErrorInfo::new(cause.unwrap_or("tool"), text);
                let r#type = MessageType::FunctionCallOutput;
                self.send_message((r#type, None), RunStatus::Failed, Some(error), None, Some(data), out);
            }
            Note::Metadata { value: Value::Object(members), message: Some(message), .. }
                if self.messages.get(message.into()).is_some() =>
            {
                self.pending.merge(message, members);
            }
            Note::Annotation { message, annotation, .. } if self.messages.get(message.into()).is_some() => {
                self.pending.add(message, "annotations", annotation.clone());
            }
            Note::Opaque { kind, value, message: Some(message), call: None }
                if self.messages.get(message.into()).is_some() =>
            {
                let opaque = Value::from([("kind", kind.into()), ("value", value.into())]);
                self.pending.add(message, "opaque", opaque);
            }
            _ => self.own(note.name(), step, out.context(), out),
        }
    }

    /// Writes a message that stands for a step. Its id contains its number in the response: the step has no other
    /// identity, and a repeated conversion must have the same result.
    fn own(&mut self, name: &str, step: &Step<'_>, context: Context<'_>, out: &mut Out<'_, WireEvent>) {
        const LONGEST: usize = 128;
        let data = members(step, context);
        let r#type = MessageType::from([NOTE, name].concat().as_str());
        let run = self.run.as_ref().map(ResponseBuilder::id).filter(|run| run.len() <= LONGEST);
        self.notes += 1;
        let id = run.map(|run| [&run, "_step_", &decimal(self.notes)].concat());
        self.send_message((r#type, id), RunStatus::Completed, None, None, Some(data), out);
    }

    /// Writes a message that begins and ends at once.
    fn send_message(
        &mut self,
        (r#type, id): (MessageType, Option<String>),
        status: RunStatus,
        error: Option<ErrorInfo>,
        text: Option<(&str, &str)>,
        data: Option<Value>,
        out: &mut Out<'_, WireEvent>,
    ) {
        let Some(run) = &self.run else { return };
        let role = if r#type == MessageType::FunctionCallOutput { Role::Tool } else { Role::Assistant };
        let Ok(message) = run.create_named_message_builder(id.as_deref(), role, r#type) else { return };
        emit(message.in_progress(), message.id(), out);
        if let Some(data) = data {
            emit(message.add_content(Payload::Data { data: Some(data) }), message.id(), out);
        }
        if let Some((code, text)) = text {
            let _ = message.set_error(code, text);
        }
        message.finish_with(status, error).into_iter().for_each(|event| out.emit(event));
    }

    fn used(&mut self, usage: &Value, message: Option<u32>, out: &mut Out<'_, WireEvent>) {
        let set = match message.map(|message| self.messages.get(message.into())) {
            Some(Some(message)) => message.set_usage(usage.clone()),
            Some(None) => return out.lose("usage", "", "its message had ended"),
            None => match &self.run {
                Some(run) => run.set_usage(usage.clone()),
                None => return,
            },
        };
        if let Err(refused) = set {
            out.lose("refused", "", why(&refused));
        }
    }
}

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
    let data_members = [
        ("id", id.into()),
        ("name", name.into()),
        ("arguments", arguments.into()),
        ("server_label", server.into()),
        ("reason", reason.map_or(Value::Null, Value::from)),
        ("payload", payload.clone()),
    ];
    with(data_members, beside)
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
