//! The messages and calls of a source of AG-UI.

use alloc::{string::String, vec::Vec};

use crate::hub::Step;
use crate::json::Value;
use crate::protocols::ag_ui::Role;

/// The kind of a node.
#[derive(Clone, Copy, Debug)]
pub(super) enum Object {
    Item(usize),
    Span,
    Other,
}

/// A message of text or reasoning, a result, or a call.
#[derive(Debug, Default)]
pub(super) struct Item {
    pub is_call: bool,
    pub id: String,
    pub role: Role,
    /// The name of a message's sender, or of a call's tool.
    pub name: Option<String>,
    pub lane: Option<String>,
    /// The id of a call's message.
    pub parent: String,
    /// The calls of a message.
    pub calls: Vec<usize>,
    /// The call that a result answers, and the content of the result.
    pub answers: String,
    pub content: Value,
    /// The emitted part of an open text or of open arguments; and their text in a snapshot of the messages, until it is
    /// emitted.
    pub said: String,
    pub listed: Option<String>,
    pub metadata: Vec<Value>,
    pub opaque: Option<String>,
    /// Its number at the hub, and the run in which it is open there, from 1.
    pub number: u32,
    pub open_in: u32,
    pub begins: bool,
    pub ends: bool,
    pub changed: bool,
    /// The last snapshot of the messages that contains the item.
    pub snapshot: u64,
    /// Whether a snapshot did not contain the item, and no piece of it has been emitted since.
    pub is_taken_back: bool,
}

impl Item {
    pub fn is_open(&self, run: u32) -> bool {
        self.open_in == run
    }

    /// Returns the step for the next piece of its text or arguments.
    pub fn piece<'p>(&self, piece: &'p str) -> Step<'p> {
        let (message, part) = (self.number, 0);
        match self.role {
            _ if self.is_call => Step::Arguments { message, part, piece },
            Role::Reasoning => Step::reasoning(message, part, piece),
            _ => Step::Text { message, part, piece },
        }
    }
}
