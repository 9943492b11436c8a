//! The objects of an answer, with the extent to which they have been emitted.

use alloc::{borrow::ToOwned, string::String, vec, vec::Vec};

use crate::bytes::string_map::{Numbers, StringMap, pair};
use crate::engine::{Kind, Node};
use crate::protocols::agent_api::{Message, Snapshot, ToolCall, ToolSide};

/// The objects by node.
#[derive(Debug)]
pub(super) struct Objects(pub Vec<Object>);

#[derive(Debug)]
pub(super) enum Object {
    Message(MessageState),
    Part(PartState),
    Other,
}

#[derive(Debug, Default)]
pub(super) struct MessageState {
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
pub(super) struct PartState {
    pub message: Node,
    pub kind: Kind,
    pub phase: Phase,
    /// The number of bytes of the text or the arguments that have been emitted.
    pub said: usize,
    /// The emitted text, once the value no longer begins with it.
    pub other: Option<String>,
    /// The id of a call, as first received.
    pub id: String,
    pub name: String,
    pub changed: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
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
    pub(super) snapshot: Snapshot,
    /// By node. Messages and parts are emitted with the numbers of their nodes.
    pub(super) objects: Objects,
    /// The objects changed by the current event that may have steps to emit.
    pub(super) changed: Vec<Node>,
    pub(super) started: bool,
    /// The maximum nesting depth of JSON.
    pub(super) depth: u32,
    pub(super) calls: Calls,
    /// The calls that wait for their names, by id.
    pub(super) waiting: StringMap<Node>,
}

/// The tool calls that parts belong to, by the part and the member of the call that refers to it.
#[derive(Debug, Default)]
pub(super) struct Calls(pub Numbers<Node>);

impl Calls {
    /// Returns the tool call whose call or output a part is.
    pub fn of<'s>(&self, part: Node, side: ToolSide, snapshot: &'s Snapshot) -> Option<&'s ToolCall> {
        let key = if side == ToolSide::Call { ToolCall::message_id } else { ToolCall::output_message_id };
        snapshot.call_of(*self.0.get(pair(part, key.0.into()))?)
    }
}

/// Returns the id of a message, for notes about losses.
pub(super) fn place(state: &State, message: Node) -> String {
    state.snapshot.message_of(message).map(|message| message.id.as_str().to_owned()).unwrap_or_default()
}

/// Returns the name of the step that a message stands for, from its type.
pub(super) fn note_name(message: &Message) -> Option<&str> {
    message.r#type.as_str().strip_prefix(NOTE)
}

/// The prefix in the types of messages that stand for steps of the hub.
pub(super) const NOTE: &str = "agentwire.";

/// Returns the rest of a value that begins with the emitted text. Any other value has to wait for the end of the part.
pub(super) fn more<'t>(part: &mut PartState, held: &str, value: &'t str) -> Option<&'t str> {
    let said = part.other.as_deref().or(held.get(..part.said)).unwrap_or("");
    match value.strip_prefix(said) {
        Some(rest) => {
            part.other = None;
            part.said = value.len();
            Some(rest).filter(|rest| !rest.is_empty())
        }
        None => {
            part.other = Some(said.to_owned());
            None
        }
    }
}
