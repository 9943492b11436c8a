//! How much of each object has been said.

use alloc::{borrow::ToOwned, string::String, vec, vec::Vec};

use crate::bytes::string_map::{Numbers, StringMap, pair};
use crate::engine::{Kind, Node};
use crate::protocols::agent_api::{Message, Snapshot, ToolCall, ToolSide};

/// What the nodes are.
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
    /// A message event has come, so its type is known.
    pub announced: bool,
    pub opened: bool,
    pub closed: bool,
    pub parts: Vec<Node>,
    pub changed: bool,
    /// That it has undeclared members was noted.
    pub extra: bool,
}

#[derive(Debug)]
pub(super) struct PartState {
    pub message: Node,
    pub kind: Kind,
    pub phase: Phase,
    /// Bytes of the text or the arguments that were said.
    pub said: usize,
    /// What was said, once the value is another one.
    pub other: Option<String>,
    /// Of a call: what it said first.
    pub id: String,
    pub name: String,
    pub changed: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// Nothing was said.
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

/// The answer, and how much of it has been said.
#[derive(Debug, Default)]
pub struct State {
    pub(super) snapshot: Snapshot,
    /// By node. Messages and parts are said under the numbers of their nodes.
    pub(super) objects: Objects,
    /// The objects that the event at work has changed and that have something to say.
    pub(super) changed: Vec<Node>,
    pub(super) started: bool,
    /// How deep JSON may nest.
    pub(super) depth: u32,
    pub(super) calls: Calls,
    /// The calls that wait for their names, by id.
    pub(super) waiting: StringMap<Node>,
}

/// The tool calls that parts belong to, by the part and the member that says so.
#[derive(Debug, Default)]
pub(super) struct Calls(pub Numbers<Node>);

impl Calls {
    /// The tool call of a part, on that side of it.
    pub fn of<'s>(&self, part: Node, side: ToolSide, snapshot: &'s Snapshot) -> Option<&'s ToolCall> {
        let key = if side == ToolSide::Call { ToolCall::message_id } else { ToolCall::output_message_id };
        snapshot.call_of(*self.0.get(pair(part, key.0.into()))?)
    }
}

/// The id of a message, as losses name it.
pub(super) fn place(state: &State, message: Node) -> String {
    state.snapshot.message_of(message).map(|message| message.id.as_str().to_owned()).unwrap_or_default()
}

/// The step that a message stands for, by its type.
pub(super) fn note_name(message: &Message) -> Option<&str> {
    message.r#type.as_str().strip_prefix(NOTE)
}

/// What the types of messages begin with that stand for steps of the hub.
pub(super) const NOTE: &str = "agentwire.";

/// A value that begins with what was said only needs its rest; any other one has to wait for the end of the part.
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
