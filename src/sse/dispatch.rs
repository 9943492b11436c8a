//! The fields of a block, and the event that is dispatched at its end.

use alloc::borrow::Cow;

use super::decode::{Decoder, On};
use super::event::{Comment, Item, JsonLine, SseEvent};
use super::line::Line;
use super::text::text;
use crate::bytes;

impl Decoder {
    pub(super) fn field(&mut self, whole: &[u8], line: Line<'_>, start: u64, on: On<'_>) {
        if line == Line::Blank {
            return self.dispatch(false, on);
        }
        self.event_start.get_or_insert(start);
        match line {
            Line::Blank | Line::Other => {}
            Line::Comment(value) => on(Item::Comment(Comment { text: &text(value), offset: start })),
            Line::Data(value) => {
                if self.has_data {
                    self.data.push(b'\n');
                }
                self.has_data = true;
                self.data.extend_from_slice(value);
            }
            Line::Event(value) => self.name = text(value).into_owned(),
            Line::Id(value) if value.iter().all(|&byte| byte != 0) => {
                self.pending_id = Some(text(value).into_owned());
            }
            Line::Id(_) => {}
            Line::Json => on(Item::JsonLine(JsonLine { text: &text(whole), offset: start })),
            Line::Retry(value) => {
                if let Some(milliseconds) = bytes::digits(value) {
                    on(Item::Retry(milliseconds));
                }
            }
        }
    }

    /// Ends a block at its blank line: the id takes effect, and an event is emitted if there was a data line.
    pub(super) fn dispatch(&mut self, unterminated: bool, on: On<'_>) {
        let id = self.pending_id.take();
        let has_id = id.is_some();
        if let Some(id) = id {
            self.last_event_id = id;
        }
        if self.has_data {
            let text = text(&self.data[self.data_start..]);
            let offset = self.event_start.unwrap_or(self.offset);
            on(Item::Event(SseEvent {
                name: if self.name.is_empty() { "message" } else { &self.name },
                replaced: matches!(text, Cow::Owned(_)),
                data: &text,
                last_event_id: &self.last_event_id,
                has_id,
                offset,
                frame: None,
                unterminated,
            }));
        }
        self.reset_block();
    }

    pub(super) fn reset_block(&mut self) {
        self.event_start = None;
        self.data.clear();
        self.data_start = 0;
        self.has_data = false;
        self.name.clear();
        self.pending_id = None;
    }
}
