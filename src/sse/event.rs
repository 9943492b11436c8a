//! The items that the decoder emits, and the dispatch of an event after its blank line.
use alloc::borrow::Cow;

use super::decode::{Decoder, ItemHandler, LimitExceeded, Line, text};
use super::loose::loose_text;
use crate::bytes;

/// One item of a stream.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum StreamItem<'a> {
    /// An event was dispatched.
    Event(SseEvent<'a>),
    /// A comment line ended. The standard ignores comments; servers send them as heartbeats.
    Comment(Comment<'a>),
    /// Text that is not in a field of the standard, which ignores it: a JSON object or array, such
    /// as a line of newline-delimited JSON or a whole answer, or a line of other text, such as an
    /// error page.
    Loose(Loose<'a>),
    /// The server requests that clients wait this many milliseconds before they reconnect.
    Retry(u64),
    /// A frame of a stream with [length-prefixed](Framing::LengthPrefixed) framing.
    #[cfg(feature = "binary")]
    Frame(Frame<'a>),
    /// A line, an event or a frame exceeded the limit and is dropped, with the event that it
    /// belongs to. Reading continues after the next blank line; after the line or frame in the
    /// other [framings](Framing).
    Oversize(LimitExceeded),
}

/// A comment line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Comment<'a> {
    /// The text after the colon.
    pub text: &'a str,
    /// Byte offset of the line in the stream.
    pub offset: u64,
}

/// One dispatched event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SseEvent<'a> {
    /// The name of the event; `"message"` if it has no `event` line, and empty for JSON outside of
    /// an event.
    pub name: &'a str,
    /// The data lines, joined by line feeds.
    pub data: &'a str,
    /// The last event ID at dispatch: the value of `Last-Event-ID` for a reconnection after this
    /// event.
    pub last_event_id: &'a str,
    /// The id is from this event. An event without an id line has the id of the event before.
    pub has_id: bool,
    /// Byte offset of the first line of the event in the stream.
    pub offset: u64,
    /// Invalid UTF-8 in the stream was replaced by U+FFFD in `data`.
    pub replaced: bool,
    /// The bytes of the event, from its first line to its blank line, if they are whole in the
    /// chunk and consist of one data line after at most one event line; the data is at the end of
    /// that line. In newline-delimited JSON, the line and its end.
    pub frame: Option<&'a [u8]>,
    /// The stream ended before the blank line that dispatches the event ([`TrailingEvent::Lenient`]
    /// only).
    pub unterminated: bool,
}

/// Text outside of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Loose<'a> {
    /// A JSON object or array, from its first bracket to its last one; else a line, or the rest of
    /// one.
    pub text: &'a str,
    /// Whether it is JSON, as far as its brackets show. It may be cut off by the next field or the
    /// end of the stream.
    pub is_json: bool,
    /// Invalid UTF-8 in the stream was replaced by U+FFFD in `text`.
    pub replaced: bool,
    /// Byte offset of its first byte in the stream.
    pub offset: u64,
    /// Byte offset after its last byte.
    pub end: u64,
}

impl<'a> Loose<'a> {
    /// Returns the event whose data the text is.
    pub(crate) fn event(&self) -> SseEvent<'a> {
        SseEvent {
            name: "",
            data: self.text,
            last_event_id: "",
            has_id: false,
            offset: self.offset,
            replaced: self.replaced,
            frame: None,
            unterminated: false,
        }
    }
}

/// One frame of a length-prefixed stream.
#[cfg(feature = "binary")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Frame<'a> {
    /// The bytes after the length.
    pub message: &'a [u8],
    /// Byte offset of the length in the stream.
    pub offset: u64,
    /// The stream ended inside of the frame.
    pub is_cut: bool,
}

/// The separation of a stream into events.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Framing {
    /// Server-sent events.
    #[default]
    Sse,
    /// Newline-delimited JSON: each line is the data of an event, without a name and an id. A line
    /// ends with LF or CRLF, the last one may lack its end; blank lines are skipped.
    Ndjson,
    /// Frames, each after its length: four bytes, the most significant first. For protocols whose
    /// events are bytes, as in AG-UI's binary form.
    #[cfg(feature = "binary")]
    LengthPrefixed,
}

/// The treatment of an event whose blank line is missing when the stream ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TrailingEvent {
    /// It is dropped, as the standard requires.
    Strict,
    /// It is emitted, marked [`unterminated`](SseEvent::unterminated): servers that omit the last
    /// blank line are common, and dropping the event would lose the final answer.
    #[default]
    Lenient,
}

impl Decoder {
    pub(super) fn field(&mut self, whole: &[u8], line: Line<'_>, start: u64, on: ItemHandler<'_>) {
        match (&self.loose, line) {
            (_, Line::Json) => return self.loose_line(whole, start, on),
            (None, _) | (Some(_), Line::Comment(_)) => {}
            // No line of JSON begins like this.
            (Some(_), Line::Data(_) | Line::Event(_) | Line::Id(_) | Line::Retry(_)) => {
                self.end_loose(on)
            }
            (Some(_), Line::Blank | Line::Other) => return self.loose_line(whole, start, on),
        }
        if line == Line::Blank {
            return self.dispatch(false, on);
        }
        self.event_start.get_or_insert(start);
        match line {
            Line::Blank | Line::Json => {}
            Line::Comment(value) => {
                on(StreamItem::Comment(Comment { text: &text(value), offset: start }))
            }
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
            Line::Other => loose_text(whole, start, on),
            Line::Retry(value) => {
                if let Some(milliseconds) = bytes::digits(value) {
                    on(StreamItem::Retry(milliseconds));
                }
            }
        }
    }

    /// Ends a block at its blank line: the id takes effect, and an event is emitted if there was a
    /// data line.
    pub(super) fn dispatch(&mut self, unterminated: bool, on: ItemHandler<'_>) {
        let id = self.pending_id.take();
        let has_id = id.is_some();
        if let Some(id) = id {
            self.last_event_id = id;
        }
        if self.has_data {
            let text = text(&self.data[self.data_start..]);
            let offset = self.event_start.unwrap_or(self.offset);
            on(StreamItem::Event(SseEvent {
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
