//! The memo: an event that differs from the one before it only in its number and its text is not read again.
//!
//! A stream of deltas repeats one shape thousands of times. After an event has been read the general way, and if all it
//! did was to append one string, the memo keeps its bytes before the number, between number and string, and behind the
//! string. The next event of that shape takes three comparisons, a scan over digits and a scan over a string.
//!
//! What makes it right: the fold says itself that an event's whole effect was one append, and nothing else has touched
//! the fold since. Whatever differs (another number of digits is no difference) goes the general way and ends the memo.

use alloc::string::String;
use alloc::vec::Vec;

use crate::fold::Repeat;
use crate::json::Str;
use crate::json::scan;
use crate::sse;

/// The bytes of an event around what changes.
#[derive(Debug)]
pub(super) struct Memo {
    armed: bool,
    /// The event's name, and whether the stream had an id by then: folds may look at both.
    name: String,
    has_id: bool,
    /// What stands before the data and behind it in a chunk that holds the whole event.
    lead: Vec<u8>,
    tail: Vec<u8>,
    /// The data up to the number, or up to the string if there is no number.
    before: Vec<u8>,
    /// The data from behind the number to the string, if there is a number.
    between: Option<Vec<u8>>,
    /// The data from the closing quote of the string.
    after: Vec<u8>,
}

/// The name of events without an `event` line.
const UNNAMED: &str = "message";

/// An event that the memo knows.
pub(super) struct Hit<'c> {
    pub number: Option<i64>,
    pub text: Str<'c>,
    /// Length of the recognised bytes.
    pub length: usize,
}

impl Default for Memo {
    fn default() -> Self {
        Memo {
            armed: false,
            name: String::new(),
            has_id: false,
            lead: b"data: ".to_vec(),
            tail: b"\n\n".to_vec(),
            before: Vec::new(),
            between: None,
            after: Vec::new(),
        }
    }
}

impl Memo {
    /// Some other event was read: what the memo knows holds no more.
    pub fn forget(&mut self) {
        self.armed = false;
    }

    /// Keeps the shape of an event, and the framing around it if its bytes are at hand.
    pub fn learn(&mut self, event: &sse::Event<'_>, repeat: &Repeat) {
        let data = event.data.as_bytes();
        let mut start = repeat.text.start;
        match &repeat.number {
            Some(number) => {
                keep(self.between.get_or_insert_default(), &data[number.end..repeat.text.start]);
                start = number.start;
            }
            None => self.between = None,
        }
        keep(&mut self.before, &data[..start]);
        keep(&mut self.after, &data[repeat.text.end..]);
        if let Some(frame) = event.frame {
            let tail = frame.iter().rev().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
            let (line, tail) = frame.split_at(frame.len() - tail);
            keep(&mut self.lead, &line[..line.len() - data.len()]);
            keep(&mut self.tail, tail);
        }
        if self.name != event.name {
            self.name.clear();
            self.name.push_str(event.name);
        }
        self.has_id = !event.last_event_id.is_empty();
        self.armed = true;
    }

    /// Recognises the event that starts at the first byte of `chunk`, if it lies whole in it; `id` is the stream's last.
    #[inline]
    pub fn recognise<'c>(&self, chunk: &'c [u8], id: &str) -> Option<Hit<'c>> {
        // What is recognised here is one data line, so it has no name of its own.
        if !self.armed || self.name != UNNAMED || self.has_id == id.is_empty() {
            return None;
        }
        let mut hit = self.read(chunk, skip(chunk, 0, &self.lead)?)?;
        hit.length = skip(chunk, hit.length, &self.tail)?;
        Some(hit)
    }

    /// Recognises an event that was put together from several chunks or lines.
    pub fn recognise_event<'c>(&self, event: &sse::Event<'c>) -> Option<Hit<'c>> {
        let other = self.name != event.name || self.has_id == event.last_event_id.is_empty();
        if !self.armed || event.replaced || other {
            return None;
        }
        self.read(event.data.as_bytes(), 0).filter(|hit| hit.length == event.data.len())
    }

    #[inline]
    fn read<'c>(&self, bytes: &'c [u8], from: usize) -> Option<Hit<'c>> {
        let mut at = skip(bytes, from, &self.before)?;
        let mut number = None;
        if let Some(between) = &self.between {
            let (value, end) = digits(bytes, at)?;
            number = Some(value);
            at = skip(bytes, end, between)?;
        }
        let found = scan::string(bytes, at).ok()?;
        let length = skip(bytes, found.end, &self.after)?;
        let text = core::str::from_utf8(&bytes[at..found.end]).ok()?;
        Some(Hit { number, text: Str::new(text, found.escaped), length })
    }
}

fn keep(slot: &mut Vec<u8>, bytes: &[u8]) {
    slot.clear();
    slot.extend_from_slice(bytes);
}

/// Position behind `expected`, if that is what stands at `at`.
#[inline]
fn skip(chunk: &[u8], at: usize, expected: &[u8]) -> Option<usize> {
    let end = at + expected.len();
    (chunk.get(at..end)? == expected).then_some(end)
}

/// A number as JSON writes it, without sign, fraction or leading zeros, and small enough for any stream.
#[inline]
fn digits(chunk: &[u8], from: usize) -> Option<(i64, usize)> {
    let mut value = 0;
    let mut at = from;
    while let Some(digit) = chunk.get(at).map(|byte| byte.wrapping_sub(b'0')).filter(|digit| *digit < 10) {
        value = value * 10 + i64::from(digit);
        at += 1;
        if at - from > 17 {
            return None;
        }
    }
    let canonical = at > from && (at == from + 1 || chunk[from] != b'0');
    canonical.then_some((value, at))
}
