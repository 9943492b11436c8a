//! What the fold remembers of messages and contents.

use alloc::{boxed::Box, vec::Vec};

use crate::engine::{Digest, Node, Owner};
use crate::json::SurrogateHalf;
use crate::protocols::agent_api::lifecycle::Phase;
use crate::protocols::agent_api::{ContentType, MessageType, Role};

use super::fingerprint_cache::FingerprintCache;
use super::outline::Outline;
use super::tools::Identity;

/// A message that has been seen.
#[derive(Debug)]
pub(super) struct MessageState {
    /// Its id: empty while only contents without a `msg_id` have come.
    pub owner: Owner,
    /// Its object in the sink; `None` for heartbeats that are not kept.
    pub node: Option<Node>,
    /// `Absent` while it is provisional: contents came, no message event.
    pub phase: Phase,
    pub kind: MessageType,
    pub role: Option<Role>,
    pub heartbeat: bool,
    /// In the order of their index.
    pub parts: Vec<PartState>,
    /// Event number and offset of its first appearance.
    pub opened: (u64, u64),
    /// It ended with status completed.
    pub completed: bool,
    /// The last event that listed it in a response, counted from 1; 0 for none.
    pub listed_in: u64,
    /// The event that ended it, if it is as that left it.
    pub fingerprints: Option<FingerprintCache>,
}

/// A content that has been seen.
#[derive(Debug)]
pub(super) struct PartState {
    pub node: Node,
    pub index: u32,
    pub kind: ContentType,
    pub phase: Phase,
    /// What the sink has as `status`, as far as the fold has set it.
    pub status: &'static str,
    /// The value of the member that pieces append to, or of `data` as JSON text when it came whole: nothing if that is
    /// empty.
    pub value: CellValue,
    /// The last that came was a piece, so a whole value can be compared with the pieces.
    pub pieces: bool,
    /// The first half of a character that the last piece was cut in.
    pub half: SurrogateHalf,
    /// The data, for contents of type data.
    pub shape: Option<Box<Outline>>,
    /// The tool call that this content is, or is the output of.
    pub tool: Option<usize>,
    /// What its data said while the type of its message was not known.
    pub said: Option<Box<Identity>>,
    /// The event that ended it, if it is as that left it.
    pub fingerprints: Option<FingerprintCache>,
}

/// What is known of the text that a content holds.
#[derive(Debug)]
pub(super) enum CellValue {
    /// Null, or nothing has come.
    None,
    /// A text.
    Text(Digest),
    /// Data that pieces have made: while it may go on, its shape says what it is.
    Pieces,
}

impl PartState {
    /// Whether there is anything that an empty value must not erase.
    pub fn is_empty(&self) -> bool {
        match &self.value {
            CellValue::None => true,
            CellValue::Text(digest) => digest.len() == 0,
            CellValue::Pieces => self.shape.as_ref().is_some_and(|shape| shape.is_empty()),
        }
    }

    /// No further piece comes: what the data is has been told, and need not be known any more.
    pub fn forget_shape(&mut self) {
        if self.shape.take().is_some_and(|shape| shape.is_empty()) && matches!(self.value, CellValue::Pieces)
        {
            self.value = CellValue::None;
        }
    }

    /// Length of the text in bytes.
    pub fn len(&self) -> u64 {
        match &self.value {
            CellValue::None | CellValue::Pieces => 0,
            CellValue::Text(digest) => digest.len(),
        }
    }
}

impl MessageState {
    /// The position in `parts` of the part with that index.
    pub fn part(&self, index: u32) -> Result<usize, usize> {
        // Usually the index is the position.
        match self.parts.get(index as usize) {
            Some(part) if part.index == index => Ok(index as usize),
            _ => self.parts.binary_search_by_key(&index, |part| part.index),
        }
    }
}

/// The messages that have not ended: how many, and which if there is one.
#[derive(Debug, Default)]
pub(super) struct OpenMessages {
    count: usize,
    /// The sum of their positions.
    sum: usize,
}

impl OpenMessages {
    pub fn insert(&mut self, at: usize) {
        self.count += 1;
        self.sum += at;
    }

    pub fn remove(&mut self, at: usize) {
        self.count -= 1;
        self.sum -= at;
    }

    /// The only one.
    pub fn only(&self) -> Option<usize> {
        (self.count == 1).then_some(self.sum)
    }
}
