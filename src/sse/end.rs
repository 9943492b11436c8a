//! The end of a stream.

use super::decode::{Decoder, On};
use super::event::{Framing, Item, TrailingEvent};
use super::line::{self, Line};

impl Decoder {
    /// Ends the stream. The decoder is then at the start of a new stream (a reconnection), and keeps the last event ID.
    pub fn finish(&mut self, ending: TrailingEvent, on: &mut impl FnMut(Item<'_>)) {
        self.end(ending, on);
    }

    fn end(&mut self, ending: TrailingEvent, on: On<'_>) {
        #[cfg(feature = "binary")]
        if self.framing == Framing::LengthPrefixed {
            self.end_frames(on);
            *self = Self::within(self.line_bytes, self.event_bytes, self.framing);
            return;
        }
        self.mark.end(&mut self.line);
        if ending == TrailingEvent::Lenient && self.framing == Framing::Ndjson {
            self.json_line_ended(&[], self.offset, None, on);
        } else if ending == TrailingEvent::Lenient && !self.skipping {
            // Half an id or half a number would be wrong; incomplete data is checked by the reader of the data.
            if matches!(line::parse(&self.line), Line::Data(_) | Line::Json) {
                self.line_ended(&[], self.offset, on);
            }
            if self.has_data {
                self.dispatch(true, on);
            }
        }
        let last_event_id = core::mem::take(&mut self.last_event_id);
        *self = Decoder { last_event_id, ..Self::within(self.line_bytes, self.event_bytes, self.framing) };
    }
}
