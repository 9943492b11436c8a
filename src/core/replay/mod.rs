//! Repeated events: recognised by their bytes, and processed in batches.

mod delta_batch;
mod event_template;

pub(crate) use delta_batch::DeltaBatchBuffer;
pub use delta_batch::{Delta, DeltaBatch};
pub(crate) use event_template::EventTemplate;

use alloc::vec::Vec;
use core::ops::Range;

/// The positions of the variable places in the data of an event, in bytes; the text without its quotes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repeat {
    /// The digits of the event's number, if it has one.
    pub number: Option<Range<usize>>,
    /// The characters between the quotes.
    pub text: Range<usize>,
    /// Strings, with their quotes, and numbers that are not read: a nonce.
    pub unread: Vec<Range<usize>>,
    /// Integers whose values are not read, but that have to be integers: a time.
    pub integers: Vec<Range<usize>>,
}
