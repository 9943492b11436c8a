//! From A2A to the hub. (2.4.)
//!
//! The engine interprets the stream. This sink emits the steps at the end of each event, because
//! the name of an artifact follows its parts. Every artifact becomes a message, and so does the
//! message of a status.

mod artifact;
mod task;

use alloc::{borrow::ToOwned, string::String, vec::Vec};

use self::artifact::{EmittedArtifact, role_of};
use crate::bytes::string_map::{Numbers, StringMap};
use crate::core::EndReason;
use crate::engine::{Field, FieldValue, JsonChange, ObjectId, ObjectKind, Sink};
use crate::hub::steps::emit_note;
use crate::hub::{EndStatus, FoldSource, Hub, Note, RunEnd, StepSink, StepSource, json_of};
use crate::json::{Member, Raw, Value};
use crate::protocols::a2a::{MODEL, Message, RpcError, Task, TaskState, TaskStatus, model};

/// Reads A2A: the source of a conversion.
pub type FromA2a = FoldSource;

/// The role of an object in the snapshot.
#[derive(Clone, Copy, Debug, PartialEq)]
enum ObjectRole {
    Task,
    Status,
    /// The message of a status.
    StatusMessage,
    /// A message of the history.
    Past,
    /// The message of a stream without a task.
    Answer,
    Artifact,
    Part,
    Error,
}

/// The state of the conversion.
#[derive(Debug, Default)]
pub struct A2aSource {
    /// The objects by their numbers: the role and the parent of each.
    objects: Vec<(ObjectRole, ObjectId)>,
    /// The values that the current event sets, by object.
    fresh: Numbers<Value>,
    artifacts: Numbers<EmittedArtifact>,
    /// The artifacts that the current event changes.
    changed: Vec<ObjectId>,
    calls: EmittedCalls,
    messages: u32,
    /// The ids of the messages that were emitted.
    emitted_ids: StringMap<()>,
    /// The message of the last status: the next status may repeat its text and add to it.
    growing: Option<EmittedArtifact>,
    started: bool,
    state: TaskState,
    /// The open questions.
    questions: Vec<Value>,
    end: Option<RunEnd>,
    /// The data for the end of the run, from the metadata of the task.
    result: Option<Value>,
    reason: Option<String>,
    incomplete: Option<String>,
    pending: Vec<String>,
    usage: Option<Value>,
}

impl A2aSource {
    fn what(&self, node: ObjectId) -> Option<ObjectRole> {
        // The root has the number 0 and is not in the list.
        self.objects.get((node as usize).checked_sub(1)?).map(|(what, _)| *what)
    }

    /// Returns an artifact and marks it as changed by the current event.
    fn artifact(&mut self, node: ObjectId) -> &mut EmittedArtifact {
        // The changes of an artifact are consecutive.
        if self.changed.last() != Some(&node) {
            self.changed.push(node);
        }
        self.artifacts.get_or_insert_default(node.into())
    }

    /// Reports whether a message was not emitted before, and records it.
    fn is_new(&mut self, message: &Value) -> bool {
        let id = message.text("messageId").unwrap_or_default();
        let is_new = id.is_empty() || self.emitted_ids.get(id).is_none();
        self.emitted_ids.insert(id, ());
        is_new
    }

    /// Emits a message that is sent whole, unless it was emitted before.
    fn message(&mut self, message: &Value, parts: Vec<Value>, hub: &mut Hub<'_>) {
        if let Some(mut whole) = self.open_message(message, parts, hub) {
            whole.close(hub);
        }
    }

    /// Emits the message of a status. One with the text of the last one, and perhaps more, is the
    /// same message.
    pub(super) fn growing_message(
        &mut self,
        message: &Value,
        parts: Vec<Value>,
        hub: &mut Hub<'_>,
    ) {
        let id = message.text("messageId").unwrap_or_default();
        if let Some(whole) = &mut self.growing
            && whole.grows_to(&parts)
        {
            self.emitted_ids.insert(id, ());
            return whole.replace(parts, hub);
        }
        let whole = self.open_message(message, parts, hub);
        if let Some(whole) = whole {
            self.growing = Some(whole);
        }
    }

    /// Ends the message of the last status.
    pub(super) fn end_growing(&mut self, hub: &mut Hub<'_>) {
        if let Some(mut whole) = self.growing.take() {
            whole.close(hub);
        }
    }

    /// Begins a message with all its parts, unless it was emitted before.
    fn open_message(
        &mut self,
        message: &Value,
        parts: Vec<Value>,
        hub: &mut Hub<'_>,
    ) -> Option<EmittedArtifact> {
        if !self.is_new(message) {
            return None;
        }
        self.end_growing(hub);
        let id = message.text("messageId").unwrap_or_default();
        self.messages += 1;
        let mut whole = EmittedArtifact::default();
        whole.message = self.messages;
        whole.open(id, None, role_of(message.text("role")), message.get("metadata"), hub);
        whole.add(parts, hub);
        Some(whole)
    }
}

impl StepSource for A2aSource {
    fn after(&mut self, hub: &mut Hub<'_>) {
        self.emit_changes(hub);
    }

    fn end(&mut self, ended: EndReason, hub: &mut Hub<'_>) -> Option<RunEnd> {
        self.emit_changes(hub);
        self.end_growing(hub);
        self.calls.end(hub);
        let mut end = self.end.take().filter(|_| ended != EndReason::Aborted)?;
        self.emit_questions(hub);
        let may_be =
            matches!(end.status, EndStatus::Completed | EndStatus::Failed | EndStatus::Incomplete);
        if let Some(reason) = self.incomplete.take().filter(|_| may_be) {
            end = RunEnd { error: end.error, ..RunEnd::incomplete(reason) };
        }
        end.reason = end.reason.or(self.reason.take());
        end.result = self.result.take();
        end.usage = self.usage.take();
        end.pending = core::mem::take(&mut self.pending);
        Some(end)
    }
}

impl Sink for StepSink<'_, '_, A2aSource> {
    fn open(&mut self, kind: ObjectKind, parent: ObjectId, list: Field) {
        let state = &mut *self.state;
        let what = match kind {
            Task::KIND => ObjectRole::Task,
            TaskStatus::KIND => ObjectRole::Status,
            model::Artifact::KIND => ObjectRole::Artifact,
            Message::KIND if list == Task::history => ObjectRole::Past,
            Message::KIND if parent == 0 => ObjectRole::Answer,
            Message::KIND => ObjectRole::StatusMessage,
            RpcError::KIND => ObjectRole::Error,
            _ => ObjectRole::Part,
        };
        state.objects.push((what, parent));
        let node = state.objects.len() as ObjectId;
        state.fresh.insert(node.into(), Value::Object(Vec::new()));
        if state.what(parent) == Some(ObjectRole::Artifact) {
            state.artifact(parent);
        }
    }

    fn set(&mut self, node: ObjectId, key: Field, value: FieldValue<'_>) {
        let (Some(name), false) = (MODEL.key(key), node == 0) else { return };
        let value = json_of(value, &MODEL);
        // The objects of a list are reported one by one, after its initial empty value.
        if !matches!(value, Value::Array(ref items) if items.is_empty()) {
            self.state.fresh.get_or_insert_default(node.into()).insert(name, value);
        }
    }

    fn append(&mut self, node: ObjectId, _: Field, piece: &str) {
        let StepSink { state, hub } = self;
        if let Some(part) = state.fresh.get_mut(node.into()) {
            let text = [part.text("text").unwrap_or_default(), piece].concat();
            return part.insert("text", text.into());
        }
        let parent = state.objects.get((node as usize).wrapping_sub(1)).map(|(_, parent)| *parent);
        if let Some(artifact) = parent.and_then(|parent| state.artifacts.get_mut(parent.into())) {
            artifact.piece(piece, hub);
        }
    }

    fn end(&mut self, node: ObjectId, _: Field) {
        self.state.artifact(node).change.completes = true;
    }

    fn change_in(&mut self, node: ObjectId, key: Field, path: &[&str], change: JsonChange<'_>) {
        let (JsonChange::Set(value), Some(name), [member]) = (change, MODEL.key(key), path) else {
            return;
        };
        let json = json_of(value, &MODEL);
        let fresh = self.state.fresh.get_or_insert_default(node.into());
        let known = match fresh {
            Value::Object(members) => members.iter_mut().find(|known| known.key == name),
            _ => None,
        };
        match known {
            // An event sets each member once, so the members are not searched.
            Some(Member { value: Value::Object(members), .. }) => {
                members.push(Member { key: (*member).into(), value: json });
            }
            _ => fresh.insert(name, [(*member, json)].into()),
        }
    }

    fn set_extra(&mut self, _: ObjectId, name: &str, _: Raw<'_>) {
        self.hub.lose("undeclared-member", name, "runs have no such member");
    }

    fn arrange(&mut self, parent: ObjectId, list: Field, _: &[ObjectId]) {
        if list == model::Artifact::parts {
            self.state.artifact(parent).change.replaces = true;
        }
    }
}

impl A2aSource {
    /// Emits the changes by the event.
    fn emit_changes(&mut self, hub: &mut Hub<'_>) {
        let mut fresh = core::mem::take(&mut self.fresh);
        let mut parts: Numbers<Vec<Value>> = Numbers::default();
        let mut objects = Vec::new();
        for node in fresh.sorted() {
            let Some(value) = fresh.remove(node) else { continue };
            match self.objects.get((node as usize).wrapping_sub(1)) {
                Some((ObjectRole::Part, parent)) => {
                    parts.get_or_insert_default((*parent).into()).push(value)
                }
                Some((what, _)) => objects.push((*what, node as ObjectId, value)),
                None => {}
            }
        }
        // The task is first: it has the ids of the run.
        objects.sort_by_key(|(what, ..)| *what != ObjectRole::Task);
        let (mut status, mut status_message) = (None, None);
        for (what, node, value) in objects {
            let mut own = || parts.remove(node.into()).unwrap_or_default();
            match what {
                ObjectRole::Task => {
                    self.begin(&value, hub);
                    self.metadata(value.get("metadata").unwrap_or(&Value::Null), hub);
                }
                ObjectRole::Status => status = Some(value),
                ObjectRole::StatusMessage => status_message = Some((value, own())),
                ObjectRole::Past => {
                    let id = value.text("messageId");
                    let is_status_message = status_message
                        .as_ref()
                        .is_some_and(|(status_message, _)| status_message.text("messageId") == id);
                    if !is_status_message && id.is_none_or(|id| self.emitted_ids.get(id).is_none())
                    {
                        hub.lose(
                            "history",
                            id.unwrap_or(""),
                            "messages before the run belong to the client",
                        );
                    }
                }
                ObjectRole::Answer => {
                    self.begin(
                        &[("contextId", value.get("contextId").cloned().unwrap_or_default())]
                            .into(),
                        hub,
                    );
                    self.message(&value, own(), hub);
                    self.end = Some(RunEnd::new(EndStatus::Completed));
                }
                ObjectRole::Artifact => self.artifact(node).change.fields = value,
                ObjectRole::Error => {
                    hub.lose_error(&value, &["code"]);
                    let code = value.get("code").map(Value::to_json);
                    let message = value.text("message").unwrap_or_default();
                    self.end = Some(RunEnd::failed(code.as_deref(), message));
                }
                ObjectRole::Part => {}
            }
        }
        let state = status
            .as_ref()
            .map(|status| status.text("state").unwrap_or(TaskState::Unspecified.as_str()));
        let state = state
            .and_then(|state| TaskState::ALL.iter().copied().find(|known| known.as_str() == state));
        let before = self.state;
        if let Some(state) = state.filter(|state| *state != before) {
            self.state = state;
            let status = match state {
                // As the first state of a task, it only means that the task exists.
                TaskState::Submitted if before != TaskState::Unspecified => Some("queued"),
                TaskState::Working => Some("in_progress"),
                TaskState::Unrecognized => {
                    hub.lose("status", state.as_str(), "its meaning is not defined");
                    None
                }
                _ => None,
            };
            if let Some(status) = status {
                hub.note(Note::Status { status, detail: None });
            }
        }
        if !self.changed.is_empty() {
            self.end_growing(hub);
        }
        for node in core::mem::take(&mut self.changed) {
            let new = parts.remove(node.into()).unwrap_or_default();
            let next = self.messages + 1;
            let Some(artifact) = self.artifacts.get_mut(node.into()) else { continue };
            if artifact.message == 0 {
                artifact.message = next;
                self.messages = next;
            }
            let call_of = |part: &Value| Some(part.get("data")?.text("call_id")?.into());
            let calls: Vec<String> = new.iter().filter_map(call_of).collect();
            artifact.emit_changes(new, hub);
            self.calls.begin(&calls, hub);
        }
        if let Some(state) = state {
            self.status(state, status_message, hub);
        }
    }
}

/// The calls that have begun, and those with notes that wait.
#[derive(Debug, Default)]
struct EmittedCalls {
    by_id: StringMap<EmittedCall>,
    /// The notes that wait for their calls: the name and the members of the step.
    waiting: Vec<Option<(String, Value)>>,
}

#[derive(Debug, Default)]
struct EmittedCall {
    has_begun: bool,
    waiting: Vec<usize>,
}

impl EmittedCalls {
    /// Emits a step, or keeps it until its call begins. Returns false if the name is not that of a
    /// step.
    pub fn note(&mut self, step: &str, value: &Value, hub: &mut Hub<'_>) -> bool {
        let id = value.text("id").filter(|_| matches!(step, "progress" | "output"));
        if let Some(id) = id {
            let call = self.by_id.get_or_insert_default(id);
            if !call.has_begun {
                call.waiting.push(self.waiting.len());
                self.waiting.push(Some((step.to_owned(), value.clone())));
                return true;
            }
        }
        emit_note(step, value, hub)
    }

    /// Emits the notes that wait for calls which have begun.
    pub fn begin(&mut self, ids: &[String], hub: &mut Hub<'_>) {
        for id in ids {
            let call = self.by_id.get_or_insert_default(id);
            call.has_begun = true;
            for at in core::mem::take(&mut call.waiting) {
                self.emit_waiting(at, hub);
            }
        }
    }

    /// Emits all notes that wait: no more calls begin.
    pub fn end(&mut self, hub: &mut Hub<'_>) {
        for at in 0..self.waiting.len() {
            self.emit_waiting(at, hub);
        }
    }

    fn emit_waiting(&mut self, at: usize, hub: &mut Hub<'_>) {
        if let Some((step, value)) = self.waiting[at].take() {
            emit_note(&step, &value, hub);
        }
    }
}
