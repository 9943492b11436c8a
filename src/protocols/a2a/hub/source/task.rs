//! The start of the run, and the metadata of its task. (2.4, A8.)

use alloc::{borrow::ToOwned, string::String, vec::Vec};

use super::A2aSource;
use crate::hub::{EndStatus, Hub, Note, RunEnd, Step};
use crate::json::{Member, Value};
use crate::protocols::a2a::TaskState;
use crate::protocols::a2a::hub::AUTH_REQUIRED;

impl A2aSource {
    /// Starts the run with the first data of its task.
    pub(super) fn begin(&mut self, task: &Value, hub: &mut Hub<'_>) {
        if core::mem::replace(&mut self.started, true) {
            return;
        }
        let metadata = task.get("metadata").cloned().unwrap_or_default();
        let created_at = metadata.get("createdAt").and_then(Value::integer);
        hub.emit(&Step::Start {
            id: task.text("id"),
            session_id: task.text("contextId"),
            parent_id: metadata.text("parentId"),
            model: metadata.text("model"),
            created_at,
        });
    }

    /// Handles metadata of the task: arbitrary data, steps, and data for the end of the run.
    pub(super) fn metadata(&mut self, metadata: &Value, hub: &mut Hub<'_>) {
        for Member { key, value } in metadata.members() {
            let word = || value.as_str().map(ToOwned::to_owned);
            match key.as_str() {
                "model" | "parentId" | "createdAt" => {}
                "usage" if matches!(value, Value::Object(_)) => {
                    self.usage = Some(value.clone());
                    hub.note(Note::Usage { usage: value, message: None });
                }
                "result" => self.result = Some(value.clone()),
                "reason" => self.reason = word(),
                "incomplete" => self.incomplete = word(),
                "pending" if matches!(value, Value::Array(_)) => self.pending = value.to_texts(),
                "pending" => {}
                name => {
                    let step = name.strip_prefix("agentwire.");
                    if !step.is_some_and(|step| self.calls.note(step, value, hub)) {
                        let value = [(name, value.clone())].into();
                        hub.note(Note::Metadata { value: &value, message: None, call: None });
                    }
                }
            }
        }
    }
}

impl A2aSource {
    /// Handles a state of the task and the message of its status.
    pub(super) fn status(
        &mut self,
        state: TaskState,
        message: Option<(Value, Vec<Value>)>,
        hub: &mut Hub<'_>,
    ) {
        let (message, parts) = message.unwrap_or_default();
        let is_end = state.is_terminal() || state.is_interrupted();
        let fails = match state {
            TaskState::Failed | TaskState::Rejected => true,
            TaskState::Completed => self.incomplete.is_some() && error_of(&parts).is_some(),
            TaskState::Canceled => error_of(&parts).is_some(),
            _ => false,
        };
        self.end = is_end.then(|| end_of(state, &parts, fails));
        // A new status means that the previous questions were answered.
        self.questions.clear();
        if state.is_interrupted() {
            self.ask(state, &message, parts, hub);
        } else if !message.is_null() && !fails {
            // If the run fails, its error has the text of the message.
            match error_of(&parts).filter(|_| !is_end) {
                Some((code, text)) if self.is_new(&message) => hub.note(Note::Error { code, text }),
                Some(_) => {}
                None => self.growing_message(&message, parts, hub),
            }
        }
        if is_end {
            self.end_growing(hub);
        }
    }

    /// Handles a state that waits for the client. Data that are questions become the questions of
    /// the run. Without such data the parts are a message, and the state is the question.
    fn ask(&mut self, state: TaskState, message: &Value, parts: Vec<Value>, hub: &mut Hub<'_>) {
        let reason = reason_of(state);
        let id = message.text("messageId").unwrap_or(reason).to_owned();
        if !parts.iter().any(is_question) {
            // The emitted message has the id of the message, and so has a question without a
            // message.
            let question = if parts.is_empty() { id } else { [&*id, ":", reason].concat() };
            self.questions.push(
                [("id", question.into()), ("reason", reason.into()), ("payload", Value::Null)]
                    .into(),
            );
            if !parts.is_empty() {
                self.message(message, parts, hub);
            }
            return;
        }
        let mut before: Option<Value> = None;
        for part in parts {
            match (is_question(&part), part.text("text")) {
                (true, _) => {
                    let mut question = part.get("data").cloned().unwrap_or_default();
                    // The text for people is before the data that it describes.
                    if let Some(before) = before.take() {
                        question.insert("text", before);
                    }
                    self.questions.push(question);
                }
                (false, Some(text)) => before = Some(text.into()),
                (false, None) => hub.lose("data", &id, "a question has one payload"),
            }
        }
    }

    /// Emits the questions that are open when the run ends.
    pub(super) fn emit_questions(&mut self, hub: &mut Hub<'_>) {
        const KNOWN: [&str; 8] =
            ["id", "reason", "call", "text", "expiresAt", "responseSchema", "metadata", "lane"];
        for question in core::mem::take(&mut self.questions) {
            let rest = Value::Object(question.members_without(&KNOWN));
            self.messages += 1;
            let metadata =
                question.get("metadata").map(|metadata| metadata.members_without(&["type"]));
            let metadata = metadata.unwrap_or_default();
            let context = hub.meta().in_lane(question.text("lane")).with_metadata(&metadata);
            let payload = question.get("payload").unwrap_or(&rest);
            hub.emit_in(context, &Step::question(self.messages, 0, &question, payload));
        }
    }
}

/// Reports whether a part of the message of a waiting state is a question: an interrupt, or the
/// request to approve a call.
fn is_question(part: &Value) -> bool {
    let Some(data) = part.get("data").filter(|data| data.text("id").is_some()) else {
        return false;
    };
    let kind = part.get("metadata").and_then(|metadata| metadata.text("kind"));
    kind == Some("interrupt") || data.text("name").is_some() && data.get("arguments").is_some()
}

/// Returns the reason for an incomplete run whose task waits in this state.
fn reason_of(state: TaskState) -> &'static str {
    if state == TaskState::AuthRequired { AUTH_REQUIRED } else { "input-required" }
}

/// Returns the code and the text of an error as this crate writes it: a text, and data with the
/// same message.
fn error_of(parts: &[Value]) -> Option<(Option<&str>, &str)> {
    let [text, data] = parts else { return None };
    let data = data.get("data")?;
    data.text("message")
        .filter(|message| Some(*message) == text.text("text"))
        .map(|text| (data.text("code"), text))
}

/// Returns the end of a run whose task is in this state. The parts of the status are its error if
/// `fails` is true.
fn end_of(state: TaskState, parts: &[Value], fails: bool) -> RunEnd {
    let status = match state {
        TaskState::Completed => EndStatus::Completed,
        TaskState::Canceled => EndStatus::Canceled,
        TaskState::Failed => EndStatus::Failed,
        TaskState::Rejected => EndStatus::Rejected,
        waits => return RunEnd::incomplete(reason_of(waits)),
    };
    let data = parts
        .iter()
        .filter_map(|part| part.get("data"))
        .find(|data| data.text("message").is_some());
    let texts: String = parts.iter().filter_map(|part| part.text("text")).collect();
    let message = Some(texts).filter(|texts| !texts.is_empty());
    let message =
        message.or_else(|| data.and_then(|data| data.text("message")).map(ToOwned::to_owned));
    let code = data.and_then(|data| data.text("code"));
    match message.filter(|_| fails) {
        Some(message) => RunEnd { status, ..RunEnd::failed(code, message) },
        None => RunEnd::new(status),
    }
}
