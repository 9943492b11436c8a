//! From the Agent API to the hub.
//!
//! The engine interprets a stream, and the snapshot keeps the answer; only the differences are
//! emitted. So a repeated text is emitted once, a longer snapshot adds only its new part, and a
//! stream that violates rules is interpreted as by a reader. Emitted text cannot change: a value
//! that replaces another one is noted.

mod emit;
mod objects;
mod parts;

use alloc::{borrow::ToOwned, string::String, vec::Vec};

use self::objects::{PartId, SourceObject, SourceObjects};
use super::{NOTE, PENDING, RESULT, end_error};
use crate::bytes::string_map::{Numbers, StringMap, pair};
use crate::core::{EndReason, Opening};
use crate::engine::{Field, FieldValue, JsonChange, ObjectId, ObjectKind, Sink};
use crate::hub::{FoldSource, Hub, RunEnd, Step, StepSink, StepSource};
use crate::json::{Document, Element, Raw, Value};
use crate::protocols::agent_api::events::Event as WireEvent;
use crate::protocols::agent_api::model::{RefusalContent, TextContent};
use crate::protocols::agent_api::{Content, Message, Snapshot, ToolCall, ToolSide};

/// Reads the Agent API: the source of a conversion. Heartbeats are always passed on, and are never
/// messages.
pub type FromAgentApi = FoldSource;

/// R34: returns whether an event is a heartbeat, which is not in the snapshot.
fn is_heartbeat(event: Element<'_, '_>, depth: u32) -> bool {
    Opening::Object(event).is_one_of("type", &["heartbeat"])
        && Document::read(event.raw().as_str(), depth).is_ok_and(|document| {
            matches!(WireEvent::decode(&document), Ok(WireEvent::Message(message))
                if message.kind().is_some_and(|kind| kind == "heartbeat"))
        })
}

/// Emits steps immediately where possible, and all others after the event.
impl StepSource for AgentApiSource {
    fn repeats(&self) -> bool {
        true
    }

    fn after(&mut self, hub: &mut Hub<'_>) {
        self.emit_changed(hub);
    }

    fn end(&mut self, ended: EndReason, hub: &mut Hub<'_>) -> Option<RunEnd> {
        self.emit_waiting(hub);
        let response = &self.snapshot.response;
        let mut end = RunEnd::new(response.status.as_str().into());
        end.usage.clone_from(&response.usage);
        end.error = response.error.as_ref().map(end_error);
        let details = response.extra.iter().find(|member| member.key == "incomplete_details");
        let reason = details.and_then(|details| details.value.get("reason")?.as_str());
        let member = |name: &str| {
            response.extra.iter().find(|member| member.key == name).map(|member| &member.value)
        };
        end.result = member(RESULT).filter(|result| !result.is_null()).cloned();
        end.pending = member(PENDING).map(Value::to_texts).unwrap_or_default();
        end.reason =
            if ended == EndReason::Eof { Some(RunEnd::CUT_OFF) } else { reason }.map(Into::into);
        Some(end)
    }

    fn appended(&mut self, node: ObjectId, key: Field, path: &[&str], text: &str) -> bool {
        if let Some(part) = self.objects.part(node) {
            self.objects[part].emitted_bytes += text.len();
        }
        match path {
            [] => self.snapshot.append(node, key, text),
            path => self.snapshot.change_in(node, key, path, JsonChange::Append(text)),
        }
        path.is_empty() || !text.is_empty()
    }
}

impl Sink for StepSink<'_, '_, AgentApiSource> {
    fn begin(&mut self, event: Element<'_, '_>) {
        if is_heartbeat(event, self.state.depth) {
            self.hub.emit(&Step::Heartbeat);
        }
    }

    fn open(&mut self, kind: ObjectKind, parent: ObjectId, list: Field) {
        self.state.snapshot.open(kind, parent, list);
        self.state.objects.open(kind, parent);
    }

    fn set(&mut self, node: ObjectId, key: Field, value: FieldValue<'_>) {
        let StepSink { state, hub } = self;
        if let (FieldValue::Str(text), TextContent::text | RefusalContent::refusal) = (value, key)
            && !state.must_wait(node)
        {
            state.replace(node, text, hub);
        }
        state.note_set(node, key, value, hub);
    }

    fn append(&mut self, node: ObjectId, key: Field, text: &str) {
        let StepSink { state, hub } = self;
        if state.must_wait(node) {
            state.touch(node);
        } else if let Some(part) = state.begin_text(node, hub) {
            let part = &mut state.objects[part];
            if part.other.is_none() {
                part.emitted_bytes += text.len();
                part.emit_piece(text, hub);
            }
        }
        state.snapshot.append(node, key, text);
    }

    fn set_extra(&mut self, node: ObjectId, name: &str, value: Raw<'_>) {
        self.state.snapshot.set_extra(node, name, value);
        self.state.lose_extra(node, name, self.hub);
    }

    fn change_in(&mut self, node: ObjectId, key: Field, path: &[&str], change: JsonChange<'_>) {
        match change {
            JsonChange::Append(text) => self.state.arguments(node, path, text, self.hub),
            JsonChange::Set(_) => {
                self.state.keep_emitted_text(node);
                self.state.touch(node);
            }
            _ => self.state.touch(node),
        }
        self.state.snapshot.change_in(node, key, path, change);
    }

    fn share(&mut self, node: ObjectId, key: Field, from: ObjectId, from_key: Field) {
        let state = &mut *self.state;
        state.touch(node);
        if key != Content::msg_id {
            state.calls.0.insert(pair(from, key.0.into()), node);
        }
        state.snapshot.share(node, key, from, from_key);
    }

    fn move_last(&mut self, parent: ObjectId, list: Field, node: ObjectId, at: usize) {
        self.state.snapshot.move_last(parent, list, node, at);
    }

    fn remove(&mut self, parent: ObjectId, list: Field, node: ObjectId) {
        self.state.drop_part(node, self.hub);
        self.state.snapshot.remove(parent, list, node);
    }

    fn arrange(&mut self, parent: ObjectId, list: Field, nodes: &[ObjectId]) {
        self.state.drop_others(parent, nodes, self.hub);
        self.state.snapshot.arrange(parent, list, nodes);
    }
}

/// The answer, and the extent to which it has been emitted.
#[derive(Debug, Default)]
pub struct AgentApiSource {
    snapshot: Snapshot,
    /// Messages and parts are emitted with the numbers of their nodes.
    objects: SourceObjects,
    /// The objects changed by the current event that may have steps to emit.
    changed: Vec<SourceObject>,
    /// Whether a part that is no text is among them: its steps are emitted after the event.
    has_waiting: bool,
    started: bool,
    /// The maximum nesting depth of JSON.
    depth: u32,
    calls: CallParts,
    /// The calls that wait for their names, by id.
    waiting: StringMap<PartId>,
}

impl AgentApiSource {
    pub(super) fn new(depth: u32) -> Self {
        AgentApiSource { depth, ..AgentApiSource::default() }
    }
}

/// The tool calls that parts belong to, by the part and the member of the call that refers to it.
#[derive(Debug, Default)]
struct CallParts(pub Numbers<ObjectId>);

impl CallParts {
    /// Returns the tool call whose call or output a part is.
    pub fn of<'s>(
        &self,
        part: ObjectId,
        side: ToolSide,
        snapshot: &'s Snapshot,
    ) -> Option<&'s ToolCall> {
        let key =
            if side == ToolSide::Call { ToolCall::message_id } else { ToolCall::output_message_id };
        snapshot.call_of(*self.0.get(pair(part, key.0.into()))?)
    }
}

/// Returns the id of a message, for notes about losses.
fn place(state: &AgentApiSource, message: ObjectId) -> String {
    state
        .snapshot
        .message_of(message)
        .map(|message| message.id.as_str().to_owned())
        .unwrap_or_default()
}

/// Returns the name of the step that a message stands for, from its type.
fn note_name(message: &Message) -> Option<&str> {
    message.r#type.as_str().strip_prefix(NOTE)
}
