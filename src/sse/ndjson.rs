//! Newline-delimited JSON: an alternative framing of the same events.

use alloc::borrow::Cow;

use super::decode::{Decoder, ItemHandler, line_end, text};
use super::event::{SseEvent, StreamItem};

impl Decoder {
    /// Reads a chunk from `at` to the end of the line or of the chunk; returns the position.
    pub(super) fn json_line(&mut self, chunk: &[u8], at: usize, on: ItemHandler<'_>) -> usize {
        let start = self.offset + at as u64;
        let mut from = at;
        // A CR alone does not end a line.
        while let Some(end) = line_end(chunk, from) {
            from = end + 1;
            if chunk[end] == b'\n' {
                self.json_line_ended(&chunk[at..end], start, Some(&chunk[at..from]), on);
                return from;
            }
        }
        self.keep(&chunk[at..], start, on);
        chunk.len()
    }

    /// Ends a line; `tail` is the part of it in the current chunk, at stream offset `at`, and
    /// `frame` that part with its line end.
    pub(super) fn json_line_ended(
        &mut self,
        tail: &[u8],
        at: u64,
        frame: Option<&[u8]>,
        on: ItemHandler<'_>,
    ) {
        let start = at - self.line.len() as u64;
        if !self.skipping && self.within_limits(tail.len(), start, on) {
            let mut line = core::mem::take(&mut self.line);
            if line.is_empty() {
                self.json_event(tail, start, frame, on);
            } else {
                line.extend_from_slice(tail);
                self.json_event(&line, start, None, on);
            }
            self.line = line;
        }
        self.line.clear();
        self.line_limit = 0;
        self.event_start = None;
        self.skipping = false;
    }

    fn json_event(&self, line: &[u8], offset: u64, frame: Option<&[u8]>, on: ItemHandler<'_>) {
        let ends = line.iter().rev().take_while(|&&byte| byte == b'\r').count();
        let line = &line[..line.len() - ends];
        if line.trim_ascii().is_empty() {
            return;
        }
        let text = text(line);
        on(StreamItem::Event(SseEvent {
            name: "message",
            replaced: matches!(text, Cow::Owned(_)),
            data: &text,
            last_event_id: "",
            has_id: false,
            offset,
            frame,
            unterminated: false,
        }));
    }
}
