//! How far the messages and the parts of the answer have been emitted.

use alloc::{borrow::ToOwned, string::String, vec, vec::Vec};
use core::ops::{Index, IndexMut};

use crate::engine::{ObjectId, ObjectKind};
use crate::hub::{Hub, Note, Step};
use crate::protocols::agent_api::model::{RefusalContent, TextContent};
use crate::protocols::agent_api::{Message, Response, ToolCall};

/// The objects by node.
#[derive(Debug)]
pub(super) struct SourceObjects {
    by_node: Vec<SourceObject>,
    messages: Vec<EmittedMessage>,
    parts: Vec<EmittedContent>,
}

/// The kind of a node's object.
#[derive(Clone, Copy, Debug)]
pub(super) enum SourceObject {
    Message(MessageId),
    Part(PartId),
    Other,
}

/// A message that an event has opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MessageId(u32);

/// A part that an event has opened in a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PartId(u32);

#[derive(Debug)]
pub(super) struct EmittedMessage {
    pub node: ObjectId,
    /// Whether an event about the message has arrived, so that its type is known. Its text can
    /// begin before.
    pub is_announced: bool,
    pub phase: EmissionPhase,
    pub parts: Vec<PartId>,
    /// It is in the list of changed objects.
    pub is_changed: bool,
    /// The loss of its undeclared members was noted.
    pub has_lost_members: bool,
}

#[derive(Debug)]
pub(super) struct EmittedContent {
    pub node: ObjectId,
    pub owner: MessageId,
    /// The node of the message.
    pub message: ObjectId,
    pub kind: ObjectKind,
    pub phase: EmissionPhase,
    /// The number of bytes of the text or the arguments that have been emitted.
    pub emitted_bytes: usize,
    /// The emitted text, once the value no longer begins with it.
    pub other: Option<String>,
    /// The id of a call, as first received.
    pub id: String,
    pub name: String,
    /// It is in the list of changed objects.
    pub is_changed: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EmissionPhase {
    /// Not emitted so far.
    Silent,
    Open,
    Ended,
}

impl Default for SourceObjects {
    fn default() -> Self {
        SourceObjects {
            by_node: vec![SourceObject::Other],
            messages: Vec::new(),
            parts: Vec::new(),
        }
    }
}

impl SourceObjects {
    /// Adds the object of the next node.
    pub fn open(&mut self, kind: ObjectKind, parent: ObjectId) {
        let node = self.by_node.len() as ObjectId;
        let object = match (kind, self.get(parent)) {
            (Message::KIND, _) => {
                self.messages.push(EmittedMessage::new(node));
                SourceObject::Message(MessageId(self.messages.len() as u32 - 1))
            }
            (Response::KIND | ToolCall::KIND, _) => SourceObject::Other,
            (_, SourceObject::Message(owner)) => {
                let part = PartId(self.parts.len() as u32);
                self[owner].parts.push(part);
                self.parts.push(EmittedContent::new(node, owner, parent, kind));
                SourceObject::Part(part)
            }
            _ => SourceObject::Other,
        };
        self.by_node.push(object);
    }

    #[inline]
    pub fn get(&self, node: ObjectId) -> SourceObject {
        self.by_node.get(node as usize).copied().unwrap_or(SourceObject::Other)
    }

    pub fn message(&self, node: ObjectId) -> Option<MessageId> {
        if let SourceObject::Message(message) = self.get(node) { Some(message) } else { None }
    }

    #[inline]
    pub fn part(&self, node: ObjectId) -> Option<PartId> {
        if let SourceObject::Part(part) = self.get(node) { Some(part) } else { None }
    }

    /// Returns all messages in the order in which they were opened.
    pub fn messages(&self) -> impl Iterator<Item = MessageId> + use<> {
        (0..self.messages.len() as u32).map(MessageId)
    }
}

impl Index<MessageId> for SourceObjects {
    type Output = EmittedMessage;

    fn index(&self, message: MessageId) -> &EmittedMessage {
        &self.messages[message.0 as usize]
    }
}

impl IndexMut<MessageId> for SourceObjects {
    fn index_mut(&mut self, message: MessageId) -> &mut EmittedMessage {
        &mut self.messages[message.0 as usize]
    }
}

impl Index<PartId> for SourceObjects {
    type Output = EmittedContent;

    fn index(&self, part: PartId) -> &EmittedContent {
        &self.parts[part.0 as usize]
    }
}

impl IndexMut<PartId> for SourceObjects {
    fn index_mut(&mut self, part: PartId) -> &mut EmittedContent {
        &mut self.parts[part.0 as usize]
    }
}

impl EmittedMessage {
    fn new(node: ObjectId) -> Self {
        EmittedMessage {
            node,
            is_announced: false,
            phase: EmissionPhase::Silent,
            parts: Vec::new(),
            is_changed: false,
            has_lost_members: false,
        }
    }
}

impl EmittedContent {
    fn new(node: ObjectId, owner: MessageId, message: ObjectId, kind: ObjectKind) -> Self {
        EmittedContent {
            node,
            owner,
            message,
            kind,
            phase: EmissionPhase::Silent,
            emitted_bytes: 0,
            other: None,
            id: String::new(),
            name: String::new(),
            is_changed: false,
        }
    }

    /// Whether it is a text or a refusal.
    pub fn is_text(&self) -> bool {
        matches!(self.kind, TextContent::KIND | RefusalContent::KIND)
    }

    /// Emits a further piece of a text. After the end of the text, the hub makes the piece a
    /// message of its own.
    pub fn emit_piece(&mut self, piece: &str, hub: &mut Hub<'_>) {
        if self.phase == EmissionPhase::Silent {
            self.phase = EmissionPhase::Open;
        }
        let (message, part) = (self.message, self.node);
        hub.emit(&match self.kind {
            RefusalContent::KIND => Step::Refusal { message, part, piece },
            _ => Step::Text { message, part, piece },
        });
    }

    /// Emits the difference between a whole text and the held one: its rest, or a note of the
    /// replacement after the end.
    pub fn emit_whole_text(&mut self, current: &str, value: &str, hub: &mut Hub<'_>) {
        if let Some(rest) = self.rest_of(current, value) {
            self.emit_piece(rest, hub);
        } else if self.other.is_some() && self.phase == EmissionPhase::Ended {
            self.other = None;
            self.emit_replacement(value, hub);
        }
    }

    /// Notes that a text replaces another one, which has been emitted.
    pub fn emit_replacement(&self, text: &str, hub: &mut Hub<'_>) {
        hub.note(Note::Replace { message: self.message, part: self.node, text, call: None });
    }

    /// Returns the rest of a value that begins with the emitted text. Any other value has to wait
    /// for the end of the part.
    pub fn rest_of<'t>(&mut self, current: &str, value: &'t str) -> Option<&'t str> {
        let emitted = self.other.as_deref().or(current.get(..self.emitted_bytes)).unwrap_or("");
        match value.strip_prefix(emitted) {
            Some(rest) => {
                self.other = None;
                self.emitted_bytes = value.len();
                Some(rest).filter(|rest| !rest.is_empty())
            }
            None => {
                self.other = Some(emitted.to_owned());
                None
            }
        }
    }
}
