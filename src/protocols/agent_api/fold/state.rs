//! The state of messages and contents during a run.

use alloc::{boxed::Box, vec::Vec};

use crate::engine::{Digest, Node, Owner};
use crate::json::SurrogateHalf;
use crate::protocols::agent_api::lifecycle::Phase;
use crate::protocols::agent_api::{ContentType, MessageType, Role};

use super::fingerprint_cache::FingerprintCache;
use super::outline::Outline;
use super::tools::Identity;

/// A message that has appeared.
#[derive(Debug)]
pub(super) struct MessageState {
    /// The reference to its id, which is empty while only contents without a `msg_id` have arrived.
    pub owner: Owner,
    /// Its object in the sink; `None` for heartbeats that are not kept.
    pub node: Option<Node>,
    /// `Absent` while the message is provisional: contents have arrived, but not a message event.
    pub phase: Phase,
    pub kind: MessageType,
    pub role: Option<Role>,
    pub heartbeat: bool,
    /// Sorted by index.
    pub parts: Vec<PartState>,
    /// Event number and offset of its first appearance.
    pub opened: (u64, u64),
    /// Whether it ended with the status completed.
    pub completed: bool,
    /// The number of the last event that listed it in a response, from 1; 0 without such an event.
    pub listed_in: u64,
    /// The fingerprint of the event that ended it, unless the message has changed since.
    pub fingerprints: Option<FingerprintCache>,
}

/// A content that has appeared.
#[derive(Debug)]
pub(super) struct PartState {
    pub node: Node,
    pub index: u32,
    pub kind: ContentType,
    pub phase: Phase,
    /// The `status` in the sink, as last set here.
    pub status: &'static str,
    /// The value of the member that pieces append to, or of `data` as JSON text when it arrived whole. Empty data is
    /// `None`.
    pub value: CellValue,
    /// Whether the last value was a piece, so that a whole value can be compared with the pieces.
    pub pieces: bool,
    /// The first half of a character that the last piece ended with.
    pub half: SurrogateHalf,
    /// The outline of the data, for contents of type data.
    pub shape: Option<Box<Outline>>,
    /// The position of the tool call whose call or output this content is.
    pub tool: Option<usize>,
    /// The ids and the name in its data, while the type of its message is not known.
    pub said: Option<Box<Identity>>,
    /// The fingerprint of the event that ended it, unless the content has changed since.
    pub fingerprints: Option<FingerprintCache>,
}

/// The state of the value of a content.
#[derive(Debug)]
pub(super) enum CellValue {
    /// Null, or without a value so far.
    None,
    /// A text.
    Text(Digest),
    /// Data merged from pieces: while it may continue, the shape describes it.
    Pieces,
}

impl PartState {
    /// Returns whether the part has no value, or an empty one. An empty value must not erase any other.
    pub fn is_empty(&self) -> bool {
        match &self.value {
            CellValue::None => true,
            CellValue::Text(digest) => digest.len() == 0,
            CellValue::Pieces => self.shape.as_ref().is_some_and(|shape| shape.is_empty()),
        }
    }

    /// Drops the outline of the data, because further pieces do not follow.
    pub fn forget_shape(&mut self) {
        if self.shape.take().is_some_and(|shape| shape.is_empty()) && matches!(self.value, CellValue::Pieces)
        {
            self.value = CellValue::None;
        }
    }

    /// Returns the length of the text in bytes.
    pub fn len(&self) -> u64 {
        match &self.value {
            CellValue::None | CellValue::Pieces => 0,
            CellValue::Text(digest) => digest.len(),
        }
    }
}

impl MessageState {
    /// Returns the position in `parts` of the part with that index, or the position to insert it at.
    pub fn part(&self, index: u32) -> Result<usize, usize> {
        // Usually the index is the position.
        match self.parts.get(index as usize) {
            Some(part) if part.index == index => Ok(index as usize),
            _ => self.parts.binary_search_by_key(&index, |part| part.index),
        }
    }
}

/// The messages that have not ended: their number, and the position if there is only one.
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

    /// Returns the position of the only open message.
    pub fn only(&self) -> Option<usize> {
        (self.count == 1).then_some(self.sum)
    }
}
