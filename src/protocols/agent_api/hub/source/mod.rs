//! From the Agent API to the hub.
//!
//! The engine interprets a stream, and the snapshot keeps the answer; only the differences are
//! emitted. So a repeated text is emitted once, a longer snapshot adds only its new part, and a
//! stream that violates rules is interpreted as by a reader. Emitted text cannot change: a value
//! that replaces another one is noted.

mod emit;
mod parts;

use alloc::{borrow::ToOwned, string::String, vec, vec::Vec};

use super::{NOTE, PENDING, RESULT, end_error};
use crate::bytes::string_map::{Numbers, StringMap, pair};
use crate::core::{EndReason, Opening};
use crate::engine::{JsonChange, Key, Kind, Node, Sink, SinkValue};
use crate::hub::{FoldSource, Hub, HubSink, RunEnd, Source, Step};
use crate::json::{Document, Element, Raw, Value};
use crate::protocols::agent_api::events::Event as WireEvent;
use crate::protocols::agent_api::model::{RefusalContent, TextContent};
use crate::protocols::agent_api::{Content, Message, Response, Snapshot, ToolCall, ToolSide};

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
impl Source for State {
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

    fn appended(&mut self, node: Node, key: Key, path: &[&str], text: &str) -> bool {
        if let Some(part) = self.objects.part(node) {
            part.emitted_bytes += text.len();
        }
        match path {
            [] => self.snapshot.append(node, key, text),
            path => self.snapshot.change_in(node, key, path, JsonChange::Append(text)),
        }
        path.is_empty() || !text.is_empty()
    }
}

impl Sink for HubSink<'_, '_, State> {
    fn begin(&mut self, event: Element<'_, '_>) {
        if is_heartbeat(event, self.state.depth) {
            self.hub.emit(&Step::Heartbeat);
        }
    }

    fn open(&mut self, kind: Kind, parent: Node, list: Key) {
        let State { snapshot, objects, .. } = &mut *self.state;
        let node = objects.0.len() as Node;
        snapshot.open(kind, parent, list);
        let object = match kind {
            Message::KIND => Object::Message(MessageState::default()),
            Response::KIND | ToolCall::KIND => Object::Other,
            _ => {
                if let Some(message) = objects.message(parent) {
                    message.parts.push(node);
                }
                Object::Part(PartState {
                    message: parent,
                    kind,
                    phase: Phase::Silent,
                    emitted_bytes: 0,
                    other: None,
                    id: String::new(),
                    name: String::new(),
                    changed: false,
                })
            }
        };
        objects.0.push(object);
    }

    fn set(&mut self, node: Node, key: Key, value: SinkValue<'_>) {
        let HubSink { state, hub } = self;
        if let (SinkValue::Str(text), TextContent::text | RefusalContent::refusal) = (value, key) {
            state.replace(node, text, hub);
        }
        state.note_set(node, key, value, hub);
    }

    fn append(&mut self, node: Node, key: Key, text: &str) {
        let HubSink { state, hub } = self;
        if state.begins_text(node, hub)
            && let Some(part) = state.objects.part(node)
            && part.other.is_none()
        {
            part.emitted_bytes += text.len();
            emit::piece(part, node, text, hub);
        }
        state.snapshot.append(node, key, text);
    }

    fn set_extra(&mut self, node: Node, name: &str, value: Raw<'_>) {
        self.state.snapshot.set_extra(node, name, value);
        self.state.lose_extra(node, name, self.hub);
    }

    fn change_in(&mut self, node: Node, key: Key, path: &[&str], change: JsonChange<'_>) {
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

    fn share(&mut self, node: Node, key: Key, from: Node, from_key: Key) {
        let state = &mut *self.state;
        state.touch(node);
        if key != Content::msg_id {
            state.calls.0.insert(pair(from, key.0.into()), node);
        }
        state.snapshot.share(node, key, from, from_key);
    }

    fn move_last(&mut self, parent: Node, list: Key, node: Node, at: usize) {
        self.state.snapshot.move_last(parent, list, node, at);
    }

    fn remove(&mut self, parent: Node, list: Key, node: Node) {
        self.state.drop_part(parent, node, self.hub);
        self.state.snapshot.remove(parent, list, node);
    }

    fn arrange(&mut self, parent: Node, list: Key, nodes: &[Node]) {
        self.state.drop_others(parent, nodes, self.hub);
        self.state.snapshot.arrange(parent, list, nodes);
    }
}

/// The objects by node.
#[derive(Debug)]
struct Objects(pub Vec<Object>);

#[derive(Debug)]
enum Object {
    Message(MessageState),
    Part(PartState),
    Other,
}

#[derive(Debug, Default)]
struct MessageState {
    /// Whether an event about the message has arrived, so that its type is known.
    pub announced: bool,
    pub opened: bool,
    pub closed: bool,
    pub parts: Vec<Node>,
    pub changed: bool,
    /// Whether its undeclared members have been noted.
    pub extra: bool,
}

#[derive(Debug)]
struct PartState {
    pub message: Node,
    pub kind: Kind,
    pub phase: Phase,
    /// The number of bytes of the text or the arguments that have been emitted.
    pub emitted_bytes: usize,
    /// The emitted text, once the value no longer begins with it.
    pub other: Option<String>,
    /// The id of a call, as first received.
    pub id: String,
    pub name: String,
    pub changed: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// Not emitted so far.
    Silent,
    Open,
    Ended,
}

impl Default for Objects {
    fn default() -> Self {
        Objects(vec![Object::Other])
    }
}

impl Objects {
    pub fn message(&mut self, node: Node) -> Option<&mut MessageState> {
        match self.0.get_mut(node as usize) {
            Some(Object::Message(message)) => Some(message),
            _ => None,
        }
    }

    pub fn part(&mut self, node: Node) -> Option<&mut PartState> {
        match self.0.get_mut(node as usize) {
            Some(Object::Part(part)) => Some(part),
            _ => None,
        }
    }
}

/// The answer, and the extent to which it has been emitted.
#[derive(Debug, Default)]
pub struct State {
    snapshot: Snapshot,
    /// By node. Messages and parts are emitted with the numbers of their nodes.
    objects: Objects,
    /// The objects changed by the current event that may have steps to emit.
    changed: Vec<Node>,
    started: bool,
    /// The maximum nesting depth of JSON.
    depth: u32,
    calls: Calls,
    /// The calls that wait for their names, by id.
    waiting: StringMap<Node>,
}

impl State {
    pub(super) fn new(depth: u32) -> Self {
        State { depth, ..State::default() }
    }
}

/// The tool calls that parts belong to, by the part and the member of the call that refers to it.
#[derive(Debug, Default)]
struct Calls(pub Numbers<Node>);

impl Calls {
    /// Returns the tool call whose call or output a part is.
    pub fn of<'s>(
        &self,
        part: Node,
        side: ToolSide,
        snapshot: &'s Snapshot,
    ) -> Option<&'s ToolCall> {
        let key =
            if side == ToolSide::Call { ToolCall::message_id } else { ToolCall::output_message_id };
        snapshot.call_of(*self.0.get(pair(part, key.0.into()))?)
    }
}

/// Returns the id of a message, for notes about losses.
fn place(state: &State, message: Node) -> String {
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

/// Returns the rest of a value that begins with the emitted text. Any other value has to wait for
/// the end of the part.
fn more<'t>(part: &mut PartState, current: &str, value: &'t str) -> Option<&'t str> {
    let emitted = part.other.as_deref().or(current.get(..part.emitted_bytes)).unwrap_or("");
    match value.strip_prefix(emitted) {
        Some(rest) => {
            part.other = None;
            part.emitted_bytes = value.len();
            Some(rest).filter(|rest| !rest.is_empty())
        }
        None => {
            part.other = Some(emitted.to_owned());
            None
        }
    }
}
