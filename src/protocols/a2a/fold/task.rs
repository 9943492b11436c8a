//! The task with its artifacts, and the changes by its updates, as the official stores apply them.
//! (A4 to A8.)

use alloc::{string::String, vec::Vec};

use super::object::{Destination, named, word};
use super::part::Proto03;
use super::{A2aFold, Dialect};
use crate::bytes::string_map::StringMap;
use crate::core::{DecodeError, Observed, Rule};
use crate::engine::{Context, Field, FieldValue, ObjectId, ObjectLimit, Subject};
use crate::json::Element;
use crate::protocols::a2a::{
    Artifact, Message, Part, Snapshot, Task, TaskState, TaskStatus, rules,
};

/// The task of the stream.
#[derive(Clone, Debug, Default)]
pub(super) struct TaskFold {
    pub node: ObjectId,
    id: String,
    status: Option<ObjectId>,
    pub state: TaskState,
    has_metadata: bool,
    /// The ids of the messages of the history; `None` before its first message.
    history: Option<StringMap<()>>,
    /// The artifacts by id; `None` before the first artifact.
    pub artifacts: Option<StringMap<ArtifactFold>>,
}

/// The indexes of members of their object, in the order of the model.
const ARTIFACTS: usize = 3;
const HISTORY: usize = 4;
const TASK_METADATA: usize = 5;
const STATUS: usize = 2;

/// The observation for a task or a status update of 0.3 without a status.
const NO_STATUS: Observed<'static> = Observed::Words("no `status`");

impl A2aFold {
    /// Handles a task. (A4.)
    pub(super) fn task(&mut self, json: Element<'_, '_>, dialect: Dialect, cx: &mut Context<'_>) {
        let id = named(json, "id").map_or_else(String::new, |id| id.words().into_owned());
        let again = self.task.as_ref().is_some_and(|task| task.id == id);
        if self.task.is_some() {
            let rule = if again { &rules::TASK_AGAIN } else { &rules::OTHER_TASK };
            cx.record(rule, Observed::Named("another task:", &id));
        }
        if !again {
            // Halves of characters that still wait belong to the previous task.
            self.end_texts(cx);
            let Some(node) =
                cx.open(Task::KIND, 0, Snapshot::task, ObjectLimit::Messages, Subject::NONE)
            else {
                return;
            };
            self.task = Some(TaskFold { node, id, ..TaskFold::default() });
        }
        let Some(node) = self.task.as_ref().map(|task| task.node) else { return };
        let to = Destination::new(Task::SHAPE, node, dialect);
        let mut found = self.find(json, to, cx);
        match found[STATUS].take() {
            Some(status) => self.status(status, dialect, cx),
            None if dialect == Dialect::V0_3 => to.record(&rules::LEGACY_REQUIRED, NO_STATUS, cx),
            None => {}
        }
        self.more(found[TASK_METADATA].take(), cx);
        let history = found[HISTORY].take().map(|history| to.items(history, "history", cx));
        for (at, message) in history.into_iter().flatten().enumerate() {
            let before =
                self.task.as_mut().filter(|_| at == 0).and_then(|task| task.history.take());
            if before.is_some() {
                cx.arrange(node, Task::history, &[]);
            }
            self.remember(message, dialect, false, cx);
        }
        let artifacts =
            found[ARTIFACTS].take().map(|artifacts| to.items(artifacts, "artifacts", cx));
        let has_none = self.task.as_ref().is_some_and(|task| task.artifacts.is_none());
        let mut listed = StringMap::<()>::default();
        for artifact in artifacts.into_iter().flatten() {
            let id = named(artifact, "artifactId").map(Element::words).unwrap_or_default();
            let is_second = has_none && listed.get(&id).is_some();
            listed.insert(&id, ());
            if !is_second {
                self.artifact(artifact, [false, true], dialect, cx);
                continue;
            }
            // Artifacts with the same id in one task object are not merged. Later updates with this
            // id apply to the first.
            let owner = cx.next_owner();
            if let Some(second) =
                cx.open(Artifact::KIND, node, Task::artifacts, ObjectLimit::Messages, owner)
            {
                cx.own(&id);
                self.place(
                    artifact,
                    Destination { owner, ..Destination::new(Artifact::SHAPE, second, dialect) },
                    cx,
                );
            }
        }
        self.write_members(&found, to, cx);
    }

    /// Replaces the status of the task.
    fn status(&mut self, json: Element<'_, '_>, dialect: Dialect, cx: &mut Context<'_>) {
        let Some(task) = self.task.as_mut() else { return };
        if json.object().is_err() {
            return cx.record(&rules::MEMBER_TYPE, Observed::Named("another type for", "status"));
        }
        let node = match task.status {
            Some(node) => {
                for key in [TaskStatus::state, TaskStatus::message, TaskStatus::timestamp] {
                    cx.unset(node, key);
                }
                node
            }
            None => {
                let node = cx.open(
                    TaskStatus::KIND,
                    task.node,
                    Task::status,
                    ObjectLimit::Once,
                    Subject::NONE,
                );
                let Some(node) = node else { return };
                task.status = Some(node);
                node
            }
        };
        task.state = state_of(json, dialect, self.proto03);
        self.place(json, Destination::new(TaskStatus::SHAPE, node, dialect), cx);
    }

    /// Adds a message to the history. The message of a status (`again`) is added once. (A8.)
    fn remember(
        &mut self,
        json: Element<'_, '_>,
        dialect: Dialect,
        again: bool,
        cx: &mut Context<'_>,
    ) {
        let Some(task) = self.task.as_mut().filter(|_| json.object().is_ok()) else { return };
        let id = named(json, "messageId").map(Element::words).unwrap_or_default();
        if again && task.history.as_ref().is_some_and(|ids| ids.get(&id).is_some()) {
            return;
        }
        if task.history.is_none() {
            cx.set_json(task.node, Task::history, "[]");
        }
        let node =
            cx.open(Message::KIND, task.node, Task::history, ObjectLimit::Messages, Subject::NONE);
        let Some(node) = node else { return };
        task.history.get_or_insert_default().insert(&id, ());
        self.place(
            json,
            Destination { again, ..Destination::new(Message::SHAPE, node, dialect) },
            cx,
        );
    }

    /// Handles a status update. (A8.)
    pub(super) fn status_update(
        &mut self,
        json: Element<'_, '_>,
        dialect: Dialect,
        cx: &mut Context<'_>,
    ) {
        let Some(from) = self.updated(json, cx) else { return };
        let status = named(json, "status");
        let to =
            status.map_or(TaskState::Unspecified, |status| state_of(status, dialect, self.proto03));
        if dialect == Dialect::V0_3 {
            let is_final = named(json, "final").is_some_and(|value| value.bool() == Ok(true));
            let is_wrong =
                if is_final { !to.is_terminal() && !to.is_interrupted() } else { to.is_terminal() };
            if status.is_none() {
                cx.record(&rules::LEGACY_REQUIRED, NO_STATUS);
            }
            if is_wrong {
                let got = if is_final { "`final` before the end" } else { "no `final` at the end" };
                cx.record(&rules::LEGACY_FINAL, Observed::Words(got));
            }
        }
        if from.is_terminal() && from != to {
            return cx.record(
                &rules::STATUS_AFTER_TERMINAL,
                Observed::Instead(to.as_str(), from.as_str()),
            );
        }
        if from.is_interrupted() {
            cx.record(&rules::AFTER_INTERRUPTION, Observed::Name(to.as_str()));
        }
        if let Some(status) = status {
            self.status(status, dialect, cx);
        }
        self.more(named(json, "metadata"), cx);
        if let Some(message) = status.and_then(|status| named(status, "message")) {
            self.remember(message, dialect, true, cx);
        }
    }

    /// Returns the state of the task that an update refers to, or reports an update of an unknown
    /// task and returns `None`.
    pub(super) fn updated(
        &mut self,
        json: Element<'_, '_>,
        cx: &mut Context<'_>,
    ) -> Option<TaskState> {
        let id = named(json, "taskId").map(Element::words).unwrap_or_default();
        let rule = match &self.task {
            Some(task) if task.id == id => return Some(task.state),
            Some(_) => &rules::OTHER_TASK,
            None => &rules::BEFORE_TASK,
        };
        cx.record(rule, Observed::Named("an update of", &id));
        None
    }

    /// Merges metadata into that of the task.
    pub(super) fn more(&mut self, metadata: Option<Element<'_, '_>>, cx: &mut Context<'_>) {
        if let Some(task) = &mut self.task {
            merge(task.node, Task::metadata, &mut task.has_metadata, metadata, cx);
        }
    }

    /// Ends all texts: halves of characters that still wait are replaced by U+FFFD.
    pub(super) fn end_texts(&mut self, cx: &mut Context<'_>) {
        for node in self.halves.sorted() {
            self.end_text(Destination::new(Artifact::SHAPE, node as ObjectId, Dialect::V1), cx);
        }
    }
}

/// Merges metadata into that of an object, member by member.
pub(super) fn merge(
    node: ObjectId,
    key: Field,
    has: &mut bool,
    metadata: Option<Element<'_, '_>>,
    cx: &mut Context<'_>,
) {
    let Some(metadata) = metadata else { return };
    let Ok(members) = metadata.object() else {
        return cx.record(&rules::MEMBER_TYPE, Observed::Named("another type for", "metadata"));
    };
    if !core::mem::replace(has, true) {
        *has = cx.set(node, key, FieldValue::Free(metadata));
        return;
    }
    for (name, value) in members {
        cx.set_in(node, key, &[&name.to_str()], FieldValue::Json(value.raw()));
    }
}

/// Returns the state in a status.
fn state_of(json: Element<'_, '_>, dialect: Dialect, proto03: Proto03) -> TaskState {
    let state = named(json, "state").map(|state| word(state, TaskState::SHAPE, dialect, proto03));
    match state {
        Some(Some(at)) => TaskState::ALL[at],
        Some(None) if dialect == Dialect::V1 => TaskState::Unrecognized,
        _ => TaskState::Unspecified,
    }
}

/// An artifact of the task.
#[derive(Clone, Debug)]
pub(super) struct ArtifactFold {
    node: ObjectId,
    owner: Subject,
    parts: Vec<ObjectId>,
    has_metadata: bool,
}

/// Returns whether a value is an empty list.
fn is_empty(list: Element<'_, '_>) -> bool {
    list.array().is_ok_and(|mut items| items.next().is_none())
}

/// Returns the rule that a value of another type instead of an artifact violates. The client of 0.3
/// throws on it.
fn wrong_type(dialect: Dialect) -> &'static Rule {
    if dialect == Dialect::V0_3 { &rules::LEGACY_REQUIRED } else { &rules::MEMBER_TYPE }
}

/// The indexes of members of an artifact, in the order of the model.
const NAME: usize = 1;
const PARTS: usize = 3;
const METADATA: usize = 4;

impl A2aFold {
    /// Handles an artifact update.
    pub(super) fn artifact_update(
        &mut self,
        json: Element<'_, '_>,
        dialect: Dialect,
        cx: &mut Context<'_>,
    ) {
        let Some(state) = self.updated(json, cx) else { return };
        let Some(artifact) = named(json, "artifact") else {
            return cx.record(wrong_type(dialect), Observed::Named("no", "artifact"));
        };
        if state.is_terminal() {
            cx.record(&rules::ARTIFACT_AFTER_TERMINAL, Observed::Name(state.as_str()));
        } else if state.is_interrupted() {
            cx.record(&rules::AFTER_INTERRUPTION, Observed::Name(state.as_str()));
        }
        let append = named(json, "append").is_some_and(|append| append.bool() == Ok(true));
        let is_last = named(json, "lastChunk").is_some_and(|last| last.bool() == Ok(true));
        let node = self.artifact(artifact, [append, is_last], dialect, cx);
        if let Some(node) = node.filter(|_| is_last) {
            cx.note_text_end(node, Artifact::parts);
        }
        self.more(named(json, "metadata"), cx);
    }

    /// Adds or replaces an artifact, or appends to one, and returns its node. A last update, or a
    /// task, that has none of its parts takes none away. (A5 to A7.)
    pub(super) fn artifact(
        &mut self,
        json: Element<'_, '_>,
        [append, is_last]: [bool; 2],
        dialect: Dialect,
        cx: &mut Context<'_>,
    ) -> Option<ObjectId> {
        let task = self.task.as_mut()?;
        let id = named(json, "artifactId");
        if json.object().is_err() {
            cx.record(wrong_type(dialect), Observed::Named("another type for", "artifact"));
            return None;
        }
        if let Some(Err(error)) = id.filter(|id| id.string().is_ok()).map(Element::id) {
            let error = DecodeError::new(error, "artifactId");
            cx.malformed(&error, "an artifact", Subject::NONE, None);
            return None;
        }
        let id = id.map(Element::words).unwrap_or_default();
        let known = task.artifacts.as_ref().and_then(|artifacts| artifacts.get(&id));
        let is_known = known.is_some();
        if !is_known {
            if task.artifacts.is_none() {
                cx.set_json(task.node, Task::artifacts, "[]");
            }
            let owner = cx.next_owner();
            let node =
                cx.open(Artifact::KIND, task.node, Task::artifacts, ObjectLimit::Messages, owner);
            let artifacts = task.artifacts.get_or_insert_default();
            let node = node?;
            let owner = cx.own(&id);
            artifacts
                .insert(&id, ArtifactFold { node, owner, parts: Vec::new(), has_metadata: false });
            if append {
                cx.record_of(
                    &rules::APPEND_UNKNOWN,
                    &id,
                    Observed::Words("the first piece has `append`"),
                );
            }
        }
        let artifact = task.artifacts.as_mut().and_then(|artifacts| artifacts.get_mut(&id))?;
        let (node, owner) = (artifact.node, artifact.owner);
        let to = Destination { owner, ..Destination::new(Artifact::SHAPE, node, dialect) };
        let mut parts = core::mem::take(&mut artifact.parts);
        let mut has_metadata = artifact.has_metadata;
        let mut found = self.find(json, to, cx);
        let (new_parts, metadata) = (found[PARTS].take(), found[METADATA].take());
        if is_known {
            found[0] = None;
        }
        if is_known && append {
            let is_filled =
                |text: &Element<'_, '_>| text.string().is_ok_and(|text| !text.is_empty());
            if found[NAME..PARTS].iter().flatten().any(is_filled) {
                cx.record_of(&rules::APPEND_RENAMES, &id, Observed::Words("a name or description"));
            }
            found[METADATA..].fill(None);
        } else if is_known && is_last && !parts.is_empty() && new_parts.is_none_or(is_empty) {
            cx.record_of(&rules::ARTIFACT_EMPTIED, &id, Observed::Words("none"));
        } else if is_known {
            self.end_text(to, cx);
            cx.arrange(node, Artifact::parts, &[]);
            parts.drain(..).for_each(|part| cx.release(part));
            for key in [
                Artifact::name,
                Artifact::description,
                Artifact::parts,
                Artifact::metadata,
                Artifact::extensions,
            ] {
                cx.unset(node, key);
            }
            has_metadata = false;
        }
        self.parts(new_parts, &mut parts, to, cx);
        merge(node, Artifact::metadata, &mut has_metadata, metadata, cx);
        self.write_members(&found, to, cx);
        let artifacts = self.task.as_mut().and_then(|task| task.artifacts.as_mut());
        if let Some(artifact) = artifacts.and_then(|artifacts| artifacts.get_mut(&id)) {
            (artifact.parts, artifact.has_metadata) = (parts, has_metadata);
        }
        Some(node)
    }

    /// Adds parts to an artifact, after its other parts.
    fn parts(
        &mut self,
        list: Option<Element<'_, '_>>,
        parts: &mut Vec<ObjectId>,
        to: Destination,
        cx: &mut Context<'_>,
    ) {
        let Some(list) = list.filter(|list| to.dialect == Dialect::V1 || list.array().is_ok())
        else {
            if to.dialect == Dialect::V0_3 {
                to.record(
                    &rules::LEGACY_REQUIRED,
                    Observed::Words("an artifact without parts"),
                    cx,
                );
            }
            return;
        };
        for item in to.items(list, "parts", cx) {
            if parts.is_empty() {
                cx.set_json(to.node, Artifact::parts, "[]");
            }
            let part =
                cx.open(Part::KIND, to.node, Artifact::parts, ObjectLimit::Messages, to.owner);
            let Some(part) = part else { return };
            parts.push(part);
            self.place(
                item,
                Destination { shape: Part::SHAPE, node: part, parent: to.node, ..to },
                cx,
            );
        }
    }
}
