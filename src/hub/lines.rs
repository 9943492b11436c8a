//! Lines of bytes: the framing of newline-JSON protocols.

use crate::core::limits::Limits;
use crate::sse::{Decoder, Framing, Item, TrailingEvent};

/// Splits bytes into lines. The bytes can arrive in chunks of any size.
///
/// A line ends with LF or CRLF; blank lines are skipped. Bytes that are not UTF-8 become U+FFFD. A line that is longer
/// than `line_bytes` or `event_bytes` of the limits is dropped and counted.
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
        decoder.push(chunk, &mut |item: Item<'_>| take(item, dropped, on));
    }

    /// Ends the stream. The last line may lack its line end.
    pub fn finish(&mut self, on: &mut dyn FnMut(&str)) {
        let Lines { decoder, dropped } = self;
        decoder.finish(TrailingEvent::Lenient, &mut |item: Item<'_>| take(item, dropped, on));
    }

    /// Returns the number of lines that were dropped because they were too long.
    pub fn dropped(&self) -> u64 {
        self.dropped
    }
}

fn take(item: Item<'_>, dropped: &mut u64, on: &mut dyn FnMut(&str)) {
    match item {
        Item::Event(event) => on(event.data),
        Item::Oversize(_) => *dropped += 1,
        _ => {}
    }
}
