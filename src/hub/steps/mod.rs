//! The hub's steps as lines of JSON, for protocols that are implemented in another language.
//!
//! Each line is an object, and `type` is the name of the step ([`Step`](crate::hub::Step)). Numbers
//! and texts have the same meaning as in the step.
//!
//! `docs/reference/hub.md` lists the steps with their members. The content of `whole` is a content
//! of the Agent API without its envelope: `{"type":"image","image_url":…}`. Every line can also
//! have `lane`, `event` and `metadata`.

/// The names of the steps of messages and runs; [`Note::NAMES`](super::Note::NAMES) has the names
/// of the notes.
pub const NAMES: [&str; 16] = [
    "start",
    "open",
    "text",
    "reasoning",
    "refusal",
    "media",
    "whole",
    "call",
    "arguments",
    "result",
    "interrupt",
    "answer",
    "end-part",
    "close",
    "heartbeat",
    "end",
];

/// The member of a line whose step repeats a list of messages.
const LISTED: &str = "listed";

mod read;
mod write;

use crate::core::limits::Limits;
use crate::sse::{Decoder, Framing, StreamItem, TrailingEvent};
pub use read::FromSteps;
pub(crate) use read::{emit_note, message_end};
pub use write::ToSteps;
pub(crate) use write::members;

/// Splits bytes into lines. The bytes can arrive in chunks of any size.
///
/// A line ends with LF or CRLF; blank lines are skipped. Bytes that are not UTF-8 become U+FFFD. A
/// line that is longer than `line_bytes` or `event_bytes` of the limits is dropped and counted.
#[derive(Debug)]
pub struct Lines {
    decoder: Decoder,
    dropped: u64,
}

impl Lines {
    /// Creates a decoder at the start of a stream.
    pub fn new(limits: &Limits) -> Self {
        Lines { decoder: Decoder::framed(limits.clone(), Framing::Ndjson), dropped: 0 }
    }

    /// Reads the next bytes and passes each complete line to `on`.
    pub fn push(&mut self, chunk: &[u8], on: &mut dyn FnMut(&str)) {
        let Lines { decoder, dropped } = self;
        decoder.push(chunk, &mut |item: StreamItem<'_>| take(item, dropped, on));
    }

    /// Ends the stream. The last line may lack its line end.
    pub fn finish(&mut self, on: &mut dyn FnMut(&str)) {
        let Lines { decoder, dropped } = self;
        decoder.finish(TrailingEvent::Lenient, &mut |item: StreamItem<'_>| take(item, dropped, on));
    }

    /// Returns the number of lines that were dropped because they were too long.
    pub fn dropped(&self) -> u64 {
        self.dropped
    }
}

fn take(item: StreamItem<'_>, dropped: &mut u64, on: &mut dyn FnMut(&str)) {
    match item {
        StreamItem::Event(event) => on(event.data),
        StreamItem::Oversize(_) => *dropped += 1,
        _ => {}
    }
}
