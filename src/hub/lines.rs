//! Lines of bytes: the framing of newline-JSON protocols.

use crate::core::limits::Limits;
use crate::sse::{Decoder, Framing, Item, TrailingEvent};

/// Cuts bytes that arrive cut anywhere into lines.
///
/// A line ends with LF or CRLF; blank ones are passed by. Bytes that are no UTF-8 become U+FFFD. A line that is longer than
/// `line_bytes` or `event_bytes` of the limits is dropped and counted.
#[derive(Debug)]
pub struct Lines {
    decoder: Decoder,
    dropped: u64,
}

impl Lines {
    /// At the start of a stream.
    pub fn new(limits: &Limits) -> Self {
        Lines { decoder: Decoder::framed(limits.clone(), Framing::Ndjson), dropped: 0 }
    }

    /// Takes the next bytes, and gives each line that ends in them to `on`.
    pub fn push(&mut self, chunk: &[u8], on: &mut dyn FnMut(&str)) {
        let Lines { decoder, dropped } = self;
        decoder.push(chunk, &mut |item: Item<'_>| take(item, dropped, on));
    }

    /// The stream is over: a last line may lack its end.
    pub fn finish(&mut self, on: &mut dyn FnMut(&str)) {
        let Lines { decoder, dropped } = self;
        decoder.finish(TrailingEvent::Lenient, &mut |item: Item<'_>| take(item, dropped, on));
    }

    /// How many lines were too long.
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
