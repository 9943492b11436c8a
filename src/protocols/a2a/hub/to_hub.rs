//! From A2A to the hub. (2.4.)
//!
//! The engine interprets the stream. This sink emits the steps at the end of each event, because the name of an
//! artifact follows its parts. Every artifact becomes a message, and so does the message of a status.

mod say;

use alloc::{string::String, vec::Vec};

use super::artifact::{Artifact, role_of};
use super::calls::Calls;
use crate::bytes::string_map::{Numbers, StringMap};
use crate::core::EndReason;
use crate::core::declare::model::member::Member as _;
use crate::engine::{Key, Kind, Node, SinkValue};
use crate::hub::{EndStatus, FoldSource, Hub, HubSink, RunEnd, json_of};
use crate::json::{Member, Raw, Value};
use crate::protocols::a2a::model;
use crate::protocols::a2a::{MODEL, Message, RpcError, Task, TaskState, TaskStatus};

/// Reads A2A: the source of a conversion.
pub type FromA2a = FoldSource;

/// The role of an object in the snapshot.
#[derive(Clone, Copy, Debug, PartialEq)]
enum What {
    Task,
    Status,
    /// The message of a status.
    Said,
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
pub struct State {
    /// The objects by their numbers: the role and the parent of each.
    objects: Vec<(What, Node)>,
    /// The values that the current event sets, by object.
    fresh: Vec<(Node, Value)>,
    /// The index of each object in `fresh`.
    fresh_at: Numbers<usize>,
    artifacts: Numbers<Artifact>,
    /// The artifacts that the current event changes.
    changed: Vec<Node>,
    pub(super) calls: Calls,
    pub(super) messages: u32,
    /// The ids of the messages that were emitted.
    said: StringMap<()>,
    pub(super) started: bool,
    pub(super) state: TaskState,
    /// The open questions.
    pub(super) asked: Vec<Value>,
    pub(super) end: Option<RunEnd>,
    /// The data for the end of the run, from the metadata of the task.
    pub(super) result: Option<Value>,
    pub(super) reason: Option<String>,
    pub(super) incomplete: Option<String>,
    pub(super) pending: Vec<String>,
    pub(super) usage: Option<Value>,
}

impl State {
    fn what(&self, node: Node) -> Option<What> {
        // The root has the number 0 and is not in the list.
        self.objects.get((node as usize).checked_sub(1)?).map(|(what, _)| *what)
    }

    /// Returns the values that the current event sets in an object.
    fn fresh(&mut self, node: Node) -> &mut Value {
        let at = match self.fresh_at.get(node.into()) {
            Some(at) => *at,
            None => {
                self.fresh.push((node, Value::Object(Vec::new())));
                self.fresh_at.insert(node.into(), self.fresh.len() - 1);
                self.fresh.len() - 1
            }
        };
        &mut self.fresh[at].1
    }

    /// Returns an artifact and marks it as changed by the current event.
    fn artifact(&mut self, node: Node) -> &mut Artifact {
        // The changes of an artifact are consecutive.
        if self.changed.last() != Some(&node) {
            self.changed.push(node);
        }
        self.artifacts.get_or_insert_default(node.into())
    }

    /// Emits a message that is sent whole, unless it was emitted before.
    pub(super) fn message(&mut self, message: &Value, parts: Vec<Value>, hub: &mut Hub<'_>) {
        let id = message.text("messageId").unwrap_or_default();
        if !id.is_empty() && self.said.get(id).is_some() {
            return;
        }
        self.said.insert(id, ());
        self.messages += 1;
        let mut whole = Artifact::default();
        whole.message = self.messages;
        whole.open(id, None, role_of(message.text("role")), message.get("metadata"), hub);
        whole.add(parts, hub);
        whole.close(hub);
    }
}

impl HubSink for State {
    fn after(&mut self, hub: &mut Hub<'_>) {
        self.say(hub);
    }

    fn end(&mut self, ended: EndReason, hub: &mut Hub<'_>) -> Option<RunEnd> {
        self.say(hub);
        self.calls.end(hub);
        let mut end = self.end.take().filter(|_| ended != EndReason::Aborted)?;
        self.say_questions(hub);
        let may_be = matches!(end.status, EndStatus::Completed | EndStatus::Failed | EndStatus::Incomplete);
        if let Some(reason) = self.incomplete.take().filter(|_| may_be) {
            end = RunEnd { error: end.error, ..RunEnd::incomplete(reason) };
        }
        end.reason = end.reason.or(self.reason.take());
        end.result = self.result.take();
        end.usage = self.usage.take();
        end.pending = core::mem::take(&mut self.pending);
        Some(end)
    }

    fn open(&mut self, kind: Kind, parent: Node, list: Key, _: &mut Hub<'_>) {
        let what = match kind {
            Task::KIND => What::Task,
            TaskStatus::KIND => What::Status,
            model::Artifact::KIND => What::Artifact,
            Message::KIND if list == Task::history => What::Past,
            Message::KIND if parent == 0 => What::Answer,
            Message::KIND => What::Said,
            RpcError::KIND => What::Error,
            _ => What::Part,
        };
        self.objects.push((what, parent));
        let node = self.objects.len() as Node;
        self.fresh(node);
        if self.what(parent) == Some(What::Artifact) {
            self.artifact(parent);
        }
    }

    fn set(&mut self, node: Node, key: Key, value: SinkValue<'_>, _: &mut Hub<'_>) {
        let (Some(name), false) = (MODEL.key(key), node == 0) else { return };
        let value = json_of(value, &MODEL);
        // The objects of a list are reported one by one, after its initial empty value.
        if !matches!(value, Value::Array(ref items) if items.is_empty()) {
            self.fresh(node).insert(name, value);
        }
    }

    fn append(&mut self, node: Node, _: Key, piece: &str, hub: &mut Hub<'_>) {
        if self.fresh_at.get(node.into()).is_some() {
            let part = self.fresh(node);
            let text = [part.text("text").unwrap_or_default(), piece].concat();
            return part.insert("text", text.into());
        }
        let parent = self.objects.get((node as usize).wrapping_sub(1)).map(|(_, parent)| *parent);
        if let Some(artifact) = parent.and_then(|parent| self.artifacts.get_mut(parent.into())) {
            artifact.piece(piece, hub);
        }
    }

    fn ends(&mut self, node: Node, _: Key) {
        self.artifact(node).is_whole = true;
    }

    fn set_in(&mut self, node: Node, key: Key, path: &[&str], value: SinkValue<'_>) {
        let (Some(name), [member]) = (MODEL.key(key), path) else { return };
        let mut json = Value::Null;
        json.set(value);
        let fresh = self.fresh(node);
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

    fn set_extra(&mut self, _: Node, name: &str, _: Raw<'_>, hub: &mut Hub<'_>) {
        hub.lose("undeclared-member", name, "runs have no such member");
    }

    fn arrange(&mut self, parent: Node, list: Key, _: &[Node], _: &mut Hub<'_>) {
        if list == model::Artifact::parts {
            self.artifact(parent).is_replaced = true;
        }
    }
}
