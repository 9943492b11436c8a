//! Length-prefixed frames: the framing of protocols whose events are bytes.

use super::decode::{Decoder, ItemHandler, LimitExceeded};
use super::event::{Frame, SseEvent, StreamItem};

/// The number of bytes of the length, the most significant first.
const PREFIX: usize = 4;

impl Decoder {
    /// Reads a chunk from `at` to the end of the frame or of the chunk; returns the position.
    pub(super) fn frame(&mut self, chunk: &[u8], at: usize, on: ItemHandler<'_>) -> usize {
        let rest = &chunk[at..];
        if self.to_skip > 0 {
            let skipped = rest.len().min(usize::try_from(self.to_skip).unwrap_or(usize::MAX));
            self.to_skip -= skipped as u64;
            return at + skipped;
        }
        let offset = self.offset + at as u64 - self.line.len() as u64;
        if self.line.len() < PREFIX {
            if self.line.is_empty()
                && let Some((message, end)) = whole(rest)
                && message.len() <= self.event_bytes
            {
                on(StreamItem::Frame(Frame { message, offset, is_cut: false }));
                return at + end;
            }
            let taken = rest.len().min(PREFIX - self.line.len());
            self.line.extend_from_slice(&rest[..taken]);
            if let Some(length) = length(&self.line).filter(|length| *length > self.event_bytes) {
                self.line.clear();
                self.to_skip = length as u64;
                let allowed = self.event_bytes as u64;
                on(StreamItem::Oversize(LimitExceeded { limit: "event_bytes", allowed, offset }));
            } else {
                self.frame_ended(offset, on);
            }
            return at + taken;
        }
        let missing = length(&self.line).unwrap_or(0) + PREFIX - self.line.len();
        let taken = rest.len().min(missing);
        self.line.extend_from_slice(&rest[..taken]);
        self.frame_ended(offset, on);
        at + taken
    }

    /// Emits the collected frame if it is whole.
    fn frame_ended(&mut self, offset: u64, on: ItemHandler<'_>) {
        if let Some((message, _)) = whole(&self.line) {
            on(StreamItem::Frame(Frame { message, offset, is_cut: false }));
            self.line.clear();
        }
    }

    /// Ends the stream: an incomplete frame is emitted as cut.
    pub(super) fn end_frames(&mut self, on: ItemHandler<'_>) {
        if !self.line.is_empty() {
            let offset = self.offset - self.line.len() as u64;
            let message = self.line.get(PREFIX..).unwrap_or_default();
            on(StreamItem::Frame(Frame { message, offset, is_cut: true }));
        }
    }
}

impl Frame<'_> {
    /// Returns an event with this data, at the position of the frame.
    pub(crate) fn event<'d>(&self, data: &'d str, replaced: bool) -> SseEvent<'d> {
        SseEvent {
            name: "message",
            data,
            last_event_id: "",
            has_id: false,
            offset: self.offset,
            replaced,
            frame: None,
            unterminated: self.is_cut,
        }
    }
}

/// Returns the message of the frame that begins here, and the end of the frame, if it is whole.
fn whole(bytes: &[u8]) -> Option<(&[u8], usize)> {
    let end = length(bytes)?.checked_add(PREFIX)?;
    Some((bytes.get(PREFIX..end)?, end))
}

fn length(bytes: &[u8]) -> Option<usize> {
    bytes.first_chunk::<PREFIX>().map(|prefix| u32::from_be_bytes(*prefix) as usize)
}
