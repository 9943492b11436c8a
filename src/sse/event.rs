//! What the decoder hands out.

use super::limit::LimitExceeded;

/// What the decoder found in the stream.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Item<'a> {
    /// An event was dispatched.
    Event(SseEvent<'a>),
    /// A comment line ended. The standard ignores comments; servers send them as heartbeats.
    Comment(Comment<'a>),
    /// A line that is a JSON object and no field of the standard, which ignores it: what a stream of newline-delimited JSON
    /// consists of.
    JsonLine(JsonLine<'a>),
    /// The server asked clients to wait this many milliseconds before they reconnect.
    Retry(u64),
    /// A frame has ended, in a stream of [length-prefixed](Framing::LengthPrefixed) ones.
    #[cfg(feature = "binary")]
    Frame(Frame<'a>),
    /// A line or an event was larger than the limit. The event it belongs to is dropped; reading goes on after the next
    /// blank line.
    Oversize(LimitExceeded),
}

/// A comment line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Comment<'a> {
    /// What follows the colon.
    pub text: &'a str,
    /// Byte offset in the stream of the line.
    pub offset: u64,
}

/// One dispatched event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SseEvent<'a> {
    /// The event's name; `"message"` unless the stream gave one.
    pub name: &'a str,
    /// The data lines, joined by line feeds.
    pub data: &'a str,
    /// The last event ID at dispatch: what `Last-Event-ID` should say when reconnecting after this event.
    pub last_event_id: &'a str,
    /// Whether that id came with this event: without an id line, an event has that of the one before.
    pub has_id: bool,
    /// Byte offset in the stream of the first line of the event.
    pub offset: u64,
    /// Bytes of the stream that were no UTF-8 stand as U+FFFD in `data`.
    pub replaced: bool,
    /// The bytes of the event, from its first line to its blank line, when they lie whole in the chunk and are one data
    /// line with at most an event line before it; the data is at the end of that line. In newline-delimited JSON, the line and its end.
    pub frame: Option<&'a [u8]>,
    /// The stream ended before the blank line that dispatches the event ([`TrailingEvent::Lenient`] only).
    pub unterminated: bool,
}

/// A line that is a JSON object, where a field was expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct JsonLine<'a> {
    /// The line.
    pub text: &'a str,
    /// Byte offset in the stream of its first byte.
    pub offset: u64,
}

/// One frame of a length-prefixed stream.
#[cfg(feature = "binary")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Frame<'a> {
    /// What follows the length.
    pub message: &'a [u8],
    /// Byte offset in the stream of the length.
    pub offset: u64,
    /// The stream ended inside of the frame.
    pub is_cut: bool,
}

/// How a stream is cut into events.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Framing {
    /// Server-sent events.
    #[default]
    Sse,
    /// Newline-delimited JSON: each line is the data of an event, without a name and an id. A line ends with LF or CRLF,
    /// the last one may lack its end; blank ones are passed by.
    Ndjson,
    /// Frames, each with its length before it: four bytes, the most significant first. For protocols whose events are bytes,
    /// as in AG-UI's binary form.
    #[cfg(feature = "binary")]
    LengthPrefixed,
}

/// What happens to an event whose blank line is missing when the stream ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TrailingEvent {
    /// It is dropped, as the standard says.
    Strict,
    /// It is delivered, marked [`unterminated`](SseEvent::unterminated): servers that forget the last blank line are
    /// common, and what they lose is the final answer.
    #[default]
    Lenient,
}
