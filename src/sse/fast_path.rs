//! Fast paths for the usual shapes of chunks and events, without the general decoder.

use alloc::borrow::Cow;

use super::decode::{Decoder, ItemHandler, has_no_line_end, line_end, text};
use super::event::{Framing, SseEvent, StreamItem};

impl Decoder {
    /// Reads the usual small chunk: the next part of a line, without its end and without reaching a
    /// limit. Returns `false` for any other chunk, of which nothing is read.
    pub(crate) fn lengthen(&mut self, chunk: &[u8]) -> bool {
        let lengthens = self.line.len() + chunk.len() <= self.line_limit && has_no_line_end(chunk);
        if lengthens {
            self.line.extend_from_slice(chunk);
            self.advance(chunk.len());
        }
        lengthens
    }

    /// Reads the usual event in two chunks: a line that has begun ends in this chunk, a blank line
    /// follows, and the block has no other lines. Passes its bytes and its offset to `known`. If
    /// `known` accepts the event, returns the number of bytes of the chunk that belong to it; else
    /// changes nothing and returns 0.
    pub(crate) fn complete(
        &mut self,
        chunk: &[u8],
        known: impl FnOnce(&[u8], u64) -> bool,
    ) -> usize {
        let begun = self.line.len();
        let alone = self.framing == Framing::Sse
            && begun > 0
            && !self.has_data
            && self.name.is_empty()
            && self.pending_id.is_none()
            && self.event_start == Some(self.offset.wrapping_sub(begun as u64));
        let Some(end) = alone.then(|| line_end(chunk, 0)).flatten() else { return 0 };
        if begun + end > self.line_limit {
            return 0;
        }
        let next = match chunk.get(end..end + 4) {
            Some(b"\r\n\r\n") => end + 4,
            _ if chunk.get(end..end + 2) == Some(b"\n\n") => end + 2,
            _ => return 0,
        };
        self.line.extend_from_slice(chunk.get(..next).unwrap_or_default());
        if known(&self.line, self.offset - begun as u64) {
            self.line.clear();
            self.line_limit = 0;
            self.event_start = None;
            return next;
        }
        self.line.truncate(begun);
        0
    }

    /// Reads the usual event straight from the chunk: one data line and a blank line, after at most
    /// one event line. The event is borrowed from the chunk. `end` is the end of the line that
    /// starts at `at`. Returns the position after the event, or `None` for any other shape.
    pub(super) fn whole_event(
        &mut self,
        chunk: &[u8],
        at: usize,
        end: usize,
        on: ItemHandler<'_>,
    ) -> Option<usize> {
        if self.event_start.is_some() || self.skipping || !self.line.is_empty() {
            return None;
        }
        let (name, data, end) = if chunk[at..].starts_with(b"data:") {
            ("message", at, end)
        } else {
            named(chunk, at, end)?
        };
        let next = match chunk.get(end..end + 4) {
            Some(b"\r\n\r\n") => end + 4,
            _ if chunk.get(end..end + 2) == Some(b"\n\n") => end + 2,
            _ => return None,
        };
        if end - at > self.line_bytes.min(self.event_bytes) {
            return None;
        }
        let value = &chunk[data + 5..end];
        let text = text(value.strip_prefix(b" ").unwrap_or(value));
        on(StreamItem::Event(SseEvent {
            name,
            replaced: matches!(text, Cow::Owned(_)),
            data: &text,
            last_event_id: &self.last_event_id,
            has_id: false,
            offset: self.offset + at as u64,
            frame: Some(&chunk[at..next]),
            unterminated: false,
        }));
        Some(next)
    }
}

/// Returns the name in an event line, and the start and the end of the data line after it.
fn named(chunk: &[u8], at: usize, end: usize) -> Option<(&str, usize, usize)> {
    let name = chunk[at..end].strip_prefix(b"event:")?;
    let name = core::str::from_utf8(name.strip_prefix(b" ").unwrap_or(name)).ok()?;
    let data = if chunk[end] == b'\r' { end + 2 } else { end + 1 };
    let follows = chunk[end..].starts_with(b"\r\ndata:") || chunk[end..].starts_with(b"\ndata:");
    (follows && !name.is_empty()).then_some((name, data, line_end(chunk, data)?))
}
