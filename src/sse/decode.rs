//! Bytes to events.

use alloc::string::String;
use alloc::vec::Vec;

use super::bom::ByteOrderMark;
use super::event::{Framing, Item};
use super::limit::{FramingLimits, LimitExceeded};
use super::line::{self, Line};

/// The callback that gets the items. A trait object below the public methods, so that the decoder is compiled once for all
/// callers.
pub(super) type On<'o> = &'o mut dyn FnMut(Item<'_>);

/// Reads an event stream whose bytes arrive cut anywhere.
///
/// The cost is linear in the bytes at any chunk size. An event is handed out at the byte that ends its blank line, also
/// when that is a bare CR that an LF might follow. A line that lies whole in the chunk is not copied.
#[derive(Clone, Debug)]
pub struct Decoder {
    pub(super) line_bytes: usize,
    pub(super) event_bytes: usize,
    pub(super) framing: Framing,
    /// Bytes consumed before the current chunk.
    pub(super) offset: u64,
    /// The last byte was a CR, so an LF that comes next belongs to it.
    pub(super) after_cr: bool,
    /// How much of a byte order mark has been seen at the start of the stream.
    pub(super) mark: ByteOrderMark,
    /// The line that the previous chunks left unfinished.
    pub(super) line: Vec<u8>,
    /// How long that line may get before the limits have to be checked again; 0 if they have not been checked yet.
    pub(super) line_limit: usize,
    /// Stream offset of the first line of the event that is being collected.
    pub(super) event_start: Option<u64>,
    /// Data lines of the current event joined by LF, after the name of the field when the first line was in several
    /// chunks: then the line became the data without being copied. Empty until the first one.
    pub(super) data: Vec<u8>,
    /// Where in `data` the data begins.
    pub(super) data_start: usize,
    pub(super) has_data: bool,
    pub(super) name: String,
    /// The id line of the current block takes effect when the block ends.
    pub(super) pending_id: Option<String>,
    pub(super) last_event_id: String,
    /// A limit was passed: everything up to the next blank line is thrown away.
    pub(super) skipping: bool,
    /// How many bytes of a frame are still to come that is larger than the limit.
    #[cfg(feature = "binary")]
    pub(super) to_skip: u64,
}

impl Decoder {
    /// A decoder at the start of a stream of server-sent events.
    pub fn new(limits: impl Into<FramingLimits>) -> Self {
        Self::framed(limits, Framing::Sse)
    }

    /// A decoder at the start of a stream that is cut into events in this way.
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
            skipping: false,
            #[cfg(feature = "binary")]
            to_skip: 0,
        }
    }

    /// The last event ID of the blocks that have ended.
    pub fn last_event_id(&self) -> &str {
        &self.last_event_id
    }

    /// How many bytes have been pushed.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Reads the next bytes and hands out what they complete.
    pub fn push(&mut self, chunk: &[u8], on: &mut impl FnMut(Item<'_>)) {
        if self.lengthen(chunk) {
            return;
        }
        let mut at = 0;
        while at < chunk.len() {
            at = self.step(chunk, at, on);
        }
        self.advance(chunk.len());
    }

    /// Reads on from `at` in a chunk until an event or the chunk ends; returns where. When the chunk is done,
    /// [`Decoder::advance`] has to be called with its length.
    pub(crate) fn step(&mut self, chunk: &[u8], at: usize, on: On<'_>) -> usize {
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
            let Some(end) = line::end(chunk, at) else {
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

    /// A chunk has been read to its end.
    pub(crate) fn advance(&mut self, length: usize) {
        self.offset += length as u64;
    }

    /// Whether the next byte starts a line and no event has begun.
    pub(crate) fn is_between_events(&self) -> bool {
        self.event_start.is_none()
            && self.line.is_empty()
            && !self.skipping
            && !self.after_cr
            && self.mark == ByteOrderMark::Past
    }

    /// Keeps the beginning of a line whose end is in a later chunk.
    pub(super) fn keep(&mut self, part: &[u8], at: u64, on: On<'_>) {
        if self.skipping {
            // Only whether the line is blank matters, so one byte of it is enough.
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

    /// Checks the line so far, which began at `start`, plus `more` bytes; on excess the current event is given up.
    pub(super) fn within_limits(&mut self, more: usize, start: u64, on: On<'_>) -> bool {
        let Decoder { line_bytes, event_bytes, .. } = *self;
        let room = self.room();
        if self.line.len() + more <= line_bytes.min(room) {
            return true;
        }
        // The limit that the bytes reached first, however many came at once.
        let exceeded =
            if line_bytes <= room { ("line_bytes", line_bytes) } else { ("event_bytes", event_bytes) };
        let offset = self.event_start.unwrap_or(start);
        self.reset_block();
        self.skipping = true;
        self.line_limit = 0;
        // The line that was too long is not a blank one.
        self.line.push(0);
        on(Item::Oversize(LimitExceeded { limit: exceeded.0, allowed: exceeded.1 as u64, offset }));
        false
    }

    /// How many bytes the event may still have.
    fn room(&self) -> usize {
        let id = self.pending_id.as_ref().map_or(0, String::len);
        let collected = self.data.len() - self.data_start + self.name.len() + id;
        self.event_bytes.saturating_sub(collected)
    }

    /// A line has ended; `tail` is the part of it that lies in the current chunk, at stream offset `at`.
    pub(super) fn line_ended(&mut self, tail: &[u8], at: u64, on: On<'_>) {
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
            self.field(tail, line::parse(tail), start, on);
        } else {
            let mut whole = core::mem::take(&mut self.line);
            whole.extend_from_slice(tail);
            match line::parse(&whole) {
                Line::Data(value) if !self.has_data => {
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
