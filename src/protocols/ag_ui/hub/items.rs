//! What a source of AG-UI keeps of messages and calls.

use alloc::{string::String, vec::Vec};

use crate::hub::Step;
use crate::json::Value;
use crate::protocols::ag_ui::Role;

/// What a node is.
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
    /// Of a message its speaker's, of a call its tool's.
    pub name: Option<String>,
    pub lane: Option<String>,
    /// Of a call, the id of its message.
    pub parent: String,
    /// Of a message, its calls.
    pub calls: Vec<usize>,
    /// Of a result, the call that it answers and what that came to.
    pub answers: String,
    pub content: Value,
    /// Of a text or of arguments that are open, what was said; and what a snapshot of the messages says, until that is said.
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
    /// The last snapshot of the messages that has it.
    pub snapshot: u64,
    /// A snapshot did not have it, and nothing was said of it since.
    pub is_taken_back: bool,
}

impl Item {
    pub fn is_open(&self, run: u32) -> bool {
        self.open_in == run
    }

    /// The next piece of its text or arguments.
    pub fn piece<'p>(&self, piece: &'p str) -> Step<'p> {
        let (message, part) = (self.number, 0);
        match self.role {
            _ if self.is_call => Step::Arguments { message, part, piece },
            Role::Reasoning => Step::reasoning(message, part, piece),
            _ => Step::Text { message, part, piece },
        }
    }
}
