//! The decoder of event streams, with the byte order mark and the bounds on lines and events.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use super::event::{Framing, StreamItem, TrailingEvent};
use super::loose::LooseJson;
use crate::bytes::{self, LineEnd, put, utf8};

/// The callback that receives the items. It is a trait object below the public methods, so that the
/// decoder is compiled once for all callers.
pub(super) type ItemHandler<'o> = &'o mut dyn FnMut(StreamItem<'_>);

/// Reads an event stream whose bytes arrive in chunks of any size.
///
/// The cost is linear in the bytes at any chunk size. An event is emitted at the byte that ends its
/// blank line, also when that is a bare CR that an LF might follow. A line that is whole in the
/// chunk is not copied.
#[derive(Clone, Debug)]
pub struct Decoder {
    pub(super) line_bytes: usize,
    pub(super) event_bytes: usize,
    pub(super) framing: Framing,
    /// The number of bytes before the current chunk.
    pub(super) offset: u64,
    /// The last byte was a CR, so a following LF belongs to it.
    pub(super) after_cr: bool,
    /// The state of the byte order mark at the start of the stream.
    pub(super) mark: ByteOrderMark,
    /// The beginning of a line whose end is in a later chunk.
    pub(super) line: Vec<u8>,
    /// The length of that line at which the limits have to be checked again; 0 if they have not
    /// been checked yet.
    pub(super) line_limit: usize,
    /// Stream offset of the first line of the current event.
    pub(super) event_start: Option<u64>,
    /// Data lines of the current event, joined by LF. They are preceded by the name of the field if
    /// the first line was in several chunks: that line becomes the data without being copied. Empty
    /// until the first data line.
    pub(super) data: Vec<u8>,
    /// The position of the data in `data`.
    pub(super) data_start: usize,
    pub(super) has_data: bool,
    pub(super) name: String,
    /// The id of the current block, which takes effect when the block ends.
    pub(super) pending_id: Option<String>,
    pub(super) last_event_id: String,
    /// A JSON value outside of an event whose end is in a later line.
    pub(super) loose: Option<Box<LooseJson>>,
    /// A limit was exceeded: everything up to the next blank line (in NDJSON, to the end of the
    /// line) is ignored.
    pub(super) skipping: bool,
    /// The number of bytes to skip of a frame that exceeds the limit.
    #[cfg(feature = "binary")]
    pub(super) to_skip: u64,
}

impl Decoder {
    /// Creates a decoder at the start of a stream of server-sent events.
    pub fn new(limits: impl Into<FramingLimits>) -> Self {
        Self::framed(limits, Framing::Sse)
    }

    /// Creates a decoder at the start of a stream with this framing.
    pub fn framed(limits: impl Into<FramingLimits>, framing: Framing) -> Self {
        let limits = limits.into();
        Self::within(limits.line_bytes, limits.event_bytes, framing)
    }

    pub(super) fn within(line_bytes: usize, event_bytes: usize, framing: Framing) -> Self {
        Decoder {
            line_bytes,
            event_bytes,
            framing,
            offset: 0,
            after_cr: false,
            mark: ByteOrderMark::default(),
            line: Vec::new(),
            line_limit: 0,
            event_start: None,
            data: Vec::new(),
            data_start: 0,
            has_data: false,
            name: String::new(),
            pending_id: None,
            last_event_id: String::new(),
            loose: None,
            skipping: false,
            #[cfg(feature = "binary")]
            to_skip: 0,
        }
    }

    /// Returns the last event ID of the blocks that have ended.
    pub fn last_event_id(&self) -> &str {
        &self.last_event_id
    }

    /// Returns the number of bytes that have been pushed.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Reads the next bytes and emits the items that they complete.
    pub fn push(&mut self, chunk: &[u8], on: &mut impl FnMut(StreamItem<'_>)) {
        if self.lengthen(chunk) {
            return;
        }
        let mut at = 0;
        while at < chunk.len() {
            at = self.step(chunk, at, on);
        }
        self.advance(chunk.len());
    }

    /// Reads a chunk from `at` until an event or the chunk ends; returns the position. At the end
    /// of the chunk,
    /// [`Decoder::advance`] has to be called with its length.
    pub(crate) fn step(&mut self, chunk: &[u8], at: usize, on: ItemHandler<'_>) -> usize {
        #[cfg(feature = "binary")]
        if self.framing == Framing::LengthPrefixed {
            return self.frame(chunk, at, on);
        }
        let mut at = if at == 0 { self.mark.skip(chunk, &mut self.line) } else { at };
        if self.framing == Framing::Ndjson {
            return if at < chunk.len() { self.json_line(chunk, at, on) } else { at };
        }
        while at < chunk.len() {
            if self.after_cr {
                self.after_cr = false;
                if chunk[at] == b'\n' {
                    at += 1;
                    continue;
                }
            }
            let Some(end) = line_end(chunk, at) else {
                self.keep(&chunk[at..], self.offset + at as u64, on);
                return chunk.len();
            };
            if let Some(next) = self.whole_event(chunk, at, end, on) {
                return next;
            }
            self.after_cr = chunk[end] == b'\r';
            let dispatches = self.has_data && end == at && self.line.is_empty();
            self.line_ended(&chunk[at..end], self.offset + at as u64, on);
            at = end + 1;
            if dispatches {
                break;
            }
        }
        at
    }

    /// Adds the length of a chunk that has been read to the offset.
    pub(crate) fn advance(&mut self, length: usize) {
        self.offset += length as u64;
    }

    /// Reports whether the next byte starts a line and no event has begun.
    pub(crate) fn is_between_events(&self) -> bool {
        self.event_start.is_none()
            && self.line.is_empty()
            && !self.skipping
            && !self.after_cr
            && self.mark == ByteOrderMark::Past
    }

    /// Keeps the beginning of a line whose end is in a later chunk.
    pub(super) fn keep(&mut self, part: &[u8], at: u64, on: ItemHandler<'_>) {
        if self.skipping {
            // Only the difference between a blank line and others matters, so one byte of it is
            // enough.
            if self.line.is_empty() {
                self.line.extend_from_slice(&part[..part.len().min(1)]);
            }
            return;
        }
        if self.event_start.is_none() {
            self.event_start = Some(at - self.line.len() as u64);
        }
        if self.within_limits(part.len(), at, on) {
            self.line.extend_from_slice(part);
            self.line_limit = self.line_bytes.min(self.room());
        }
    }

    /// Checks the length of the line, which began at `start`, plus `more` bytes; if it exceeds a
    /// limit, the current event is dropped.
    pub(super) fn within_limits(&mut self, more: usize, start: u64, on: ItemHandler<'_>) -> bool {
        let Decoder { line_bytes, event_bytes, .. } = *self;
        let room = self.room();
        if self.line.len() + more <= line_bytes.min(room) {
            return true;
        }
        // The limit that the bytes exceeded first, whatever the size of the chunk.
        let exceeded = if line_bytes <= room {
            ("line_bytes", line_bytes)
        } else {
            ("event_bytes", event_bytes)
        };
        let offset = self.event_start.unwrap_or(start);
        self.reset_block();
        self.loose = None;
        self.skipping = true;
        self.line_limit = 0;
        // The line that was too long is not blank.
        self.line.push(0);
        on(StreamItem::Oversize(LimitExceeded {
            limit: exceeded.0,
            allowed: exceeded.1 as u64,
            offset,
        }));
        false
    }

    /// Returns the number of bytes that the event may still have.
    fn room(&self) -> usize {
        let id = self.pending_id.as_ref().map_or(0, String::len);
        let collected = self.data.len() - self.data_start + self.name.len() + id;
        self.event_bytes.saturating_sub(collected)
    }

    /// Ends a line; `tail` is the part of it in the current chunk, at stream offset `at`.
    pub(super) fn line_ended(&mut self, tail: &[u8], at: u64, on: ItemHandler<'_>) {
        self.line_limit = 0;
        if self.skipping {
            let blank = self.line.is_empty() && tail.is_empty();
            self.line.clear();
            if blank {
                self.skipping = false;
                self.reset_block();
            }
            return;
        }
        let start = at - self.line.len() as u64;
        if !self.within_limits(tail.len(), start, on) {
            self.line.clear();
            return;
        }
        if self.line.is_empty() {
            self.field(tail, parse_line(tail), start, on);
        } else {
            let mut whole = core::mem::take(&mut self.line);
            whole.extend_from_slice(tail);
            match parse_line(&whole) {
                Line::Data(value) if !self.has_data && self.loose.is_none() => {
                    self.event_start.get_or_insert(start);
                    self.has_data = true;
                    self.data_start = whole.len() - value.len();
                    core::mem::swap(&mut self.data, &mut whole);
                }
                line => self.field(&whole, line, start, on),
            }
            whole.clear();
            self.line = whole;
        }
    }
}

impl Decoder {
    /// Ends the stream. The decoder is then at the start of a new stream (a reconnection), and
    /// keeps the last event ID.
    pub fn finish(&mut self, ending: TrailingEvent, on: &mut impl FnMut(StreamItem<'_>)) {
        self.end(ending, on);
    }

    fn end(&mut self, ending: TrailingEvent, on: ItemHandler<'_>) {
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
            // Half an id or half a number would be wrong; incomplete data is checked by the reader
            // of the data.
            if matches!(parse_line(&self.line), Line::Data(_)) {
                self.line_ended(&[], self.offset, on);
            }
        }
        if self.framing == Framing::Sse && !self.skipping {
            // Only events need a line end and a blank line. A comment or a field that lacks its
            // line end is none.
            if matches!(parse_line(&self.line), Line::Json | Line::Other) {
                self.line_ended(&[], self.offset, on);
            }
            self.end_loose(on);
            if ending == TrailingEvent::Lenient && self.has_data {
                self.dispatch(true, on);
            }
        }
        let last_event_id = core::mem::take(&mut self.last_event_id);
        *self = Decoder {
            last_event_id,
            ..Self::within(self.line_bytes, self.event_bytes, self.framing)
        };
    }
}

/// The number of bytes of a mark at the start of the stream so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ByteOrderMark {
    Seen(u8),
    Past,
}

const BOM: [u8; 3] = [0xef, 0xbb, 0xbf];

impl Default for ByteOrderMark {
    fn default() -> Self {
        ByteOrderMark::Seen(0)
    }
}

impl ByteOrderMark {
    /// Returns the number of bytes at the start of a chunk that belong to the mark, also when it
    /// arrives byte by byte. Bytes that are only the beginning of a mark become the start of
    /// `line`, the first line.
    pub fn skip(&mut self, chunk: &[u8], line: &mut Vec<u8>) -> usize {
        let ByteOrderMark::Seen(seen) = *self else {
            return 0;
        };
        let mut matched = seen as usize;
        for (at, &byte) in chunk.iter().enumerate() {
            if byte != BOM[matched] {
                *self = ByteOrderMark::Past;
                line.extend_from_slice(&BOM[..matched - at]);
                return 0;
            }
            matched += 1;
            if matched == BOM.len() {
                *self = ByteOrderMark::Past;
                return at + 1;
            }
        }
        *self = ByteOrderMark::Seen(matched as u8);
        chunk.len()
    }

    /// Ends the stream: the beginning of a mark becomes the start of `line`.
    pub fn end(&mut self, line: &mut Vec<u8>) {
        if let ByteOrderMark::Seen(seen) = core::mem::replace(self, ByteOrderMark::Past) {
            line.extend_from_slice(&BOM[..seen as usize]);
        }
    }
}

/// The maximum size of the parts of a stream that are collected before they are emitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FramingLimits {
    /// Longest line, in bytes.
    pub line_bytes: usize,
    /// Largest event, in bytes.
    pub event_bytes: usize,
}

/// The error of a line or event that exceeds one of the [`Limits`](crate::Limits).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LimitExceeded {
    /// The field of [`Limits`](crate::Limits).
    pub limit: &'static str,
    /// Its value.
    pub allowed: u64,
    /// Stream offset of the event concerned.
    pub offset: u64,
}

impl FramingLimits {
    /// Creates limits, in bytes.
    pub const fn new(line_bytes: usize, event_bytes: usize) -> Self {
        FramingLimits { line_bytes, event_bytes }
    }
}

impl fmt::Display for LimitExceeded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "more than `{}` = {} at byte {}", self.limit, self.allowed, self.offset)
    }
}

impl core::error::Error for LimitExceeded {}

// One line of an event stream: its field and its value.

/// The field and value of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Line<'a> {
    /// The blank line that dispatches.
    Blank,
    /// A line that starts with a colon; the bytes after it.
    Comment(&'a [u8]),
    Data(&'a [u8]),
    Event(&'a [u8]),
    Id(&'a [u8]),
    Retry(&'a [u8]),
    /// The beginning of a JSON object or array instead of a field.
    Json,
    /// A field that is not in the standard, or other text.
    Other,
}

/// Splits a line at its first colon and drops one space after it.
pub(super) fn parse_line(line: &[u8]) -> Line<'_> {
    // Nearly every line of a stream is of this form, which takes one comparison.
    if let Some(value) = line.strip_prefix(b"data: ") {
        return Line::Data(value);
    }
    let (name, value) = match line.iter().position(|&b| b == b':') {
        Some(colon) => (&line[..colon], &line[colon + 1..]),
        None => (line, &line[line.len()..]),
    };
    if name.is_empty() {
        return if line.is_empty() { Line::Blank } else { Line::Comment(value) };
    }
    let value = value.strip_prefix(b" ").unwrap_or(value);
    match name {
        b"data" => Line::Data(value),
        b"event" => Line::Event(value),
        b"id" => Line::Id(value),
        b"retry" => Line::Retry(value),
        _ => match line.trim_ascii_start() {
            [b'{' | b'[', ..] => Line::Json,
            _ => Line::Other,
        },
    }
}

/// Returns the position of the first CR or LF at or after `at`.
pub(super) fn line_end(bytes: &[u8], at: usize) -> Option<usize> {
    let end = bytes::find::<LineEnd>(bytes, at);
    (end < bytes.len()).then_some(end)
}

/// Reports whether these bytes certainly contain neither CR nor LF, nor another control character
/// as small: a faster check than a search for the position, for chunks that are within a line.
pub(super) fn has_no_line_end(bytes: &[u8]) -> bool {
    !bytes::has_below(bytes, b'\r' + 1)
}

// Decoding of UTF-8.

/// Decodes bytes as UTF-8; invalid bytes become U+FFFD as in the standard's decoder.
pub(crate) fn text(bytes: &[u8]) -> Cow<'_, str> {
    utf8(bytes).map_or_else(|| Cow::Owned(replaced(bytes)), Cow::Borrowed)
}

/// Replaces each longest run of bytes that begins a character, and each byte that cannot, by one
/// U+FFFD.
fn replaced(bytes: &[u8]) -> String {
    let (mut out, mut rest) = (String::new(), bytes);
    while let Err(error) = core::str::from_utf8(rest) {
        let (good, bad) = rest.split_at(error.valid_up_to());
        put(&mut out, core::str::from_utf8(good).unwrap_or_default());
        put(&mut out, "\u{fffd}");
        rest = bad.get(error.error_len().unwrap_or(bad.len())..).unwrap_or_default();
    }
    put(&mut out, core::str::from_utf8(rest).unwrap_or_default());
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_utf8_is_replaced_as_by_the_standard_library() {
        let pieces: [&[u8]; 9] = [
            b"a",
            b"\xe4\xbd\xa0",
            b"\xf0\x9f",
            b"\xe2\x82",
            b"\x80",
            b"\xc0\xaf",
            b"\xed\xa0\x80",
            b"\xff",
            b"\xc3",
        ];
        for mut number in 0..pieces.len().pow(4) {
            let mut bytes = Vec::new();
            for _ in 0..4 {
                bytes.extend_from_slice(pieces[number % pieces.len()]);
                number /= pieces.len();
            }
            assert_eq!(text(&bytes), String::from_utf8_lossy(&bytes), "{bytes:x?}");
        }
    }
}
