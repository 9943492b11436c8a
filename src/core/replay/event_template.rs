//! Event templates: an event that differs from the one before it only in its number and its text is not read again.
//!
//! A stream of deltas repeats one shape thousands of times. After an event has been read the general way, and if all it
//! did was to append one string, its bytes are kept: those before the number, between number and string, and after the
//! string. The next event of that shape takes three comparisons, a scan over digits and a scan over a string.
//!
//! What makes it right: the fold says itself that an event's whole effect was one append, and nothing else has touched
//! the fold since. Whatever differs (another number of digits is no difference) goes the general way and makes the template forget what it knows.

use alloc::string::String;
use alloc::vec::Vec;

use crate::bytes;
use crate::core::fold::Repeat;
use crate::core::options::ReadOptions;
use crate::json::Str;
use crate::json::{number, scan};
use crate::sse::{self, Framing};

/// The bytes of an event around what changes.
#[derive(Debug)]
pub(crate) struct EventTemplate {
    armed: bool,
    /// The event's name, and whether the stream had an id by then: folds may look at both.
    name: String,
    has_id: bool,
    /// What stands in a chunk before the number, or before the string if there is no number: first the name of the
    /// field, then the data from `data` on.
    before: Vec<u8>,
    data: usize,
    /// The data from after the number to the string, if there is a number.
    between: Option<Vec<u8>>,
    /// The data from the closing quote of the string, and from `end` on the line ends after it.
    after: Vec<u8>,
    end: usize,
    /// These line ends.
    ends: Vec<u8>,
    framing: Framing,
    /// How long the line of an event may be.
    most: usize,
}

/// The name of events without an `event` line.
const UNNAMED: &str = "message";

/// An event that the template recognises.
pub(crate) struct TemplateMatch<'c> {
    pub number: Option<i64>,
    /// What stands between the quotes of its text, whether it is UTF-8 or not.
    pub text: &'c [u8],
    /// The text and all that follows it.
    pub rest: &'c [u8],
    pub escaped: bool,
    /// A character occurs by its number, which may be half of one.
    pub numbered: bool,
    /// Length of the recognised bytes.
    pub length: usize,
}

impl<'c> TemplateMatch<'c> {
    /// The text, if it is UTF-8.
    #[inline]
    pub fn str(&self) -> Option<Str<'c>> {
        let text = bytes::utf8(self.text)?;
        Some(Str::new(text, self.escaped))
    }
}

impl EventTemplate {
    /// A template that knows nothing yet but how events are framed and how long they may be.
    pub fn new(options: &ReadOptions) -> Self {
        let ReadOptions { framing, limits, .. } = options;
        let (before, ends) = match framing {
            Framing::Sse => (b"data: ".to_vec(), b"\n\n".to_vec()),
            Framing::Ndjson => (Vec::new(), b"\n".to_vec()),
        };
        EventTemplate {
            armed: false,
            name: String::new(),
            has_id: false,
            data: before.len(),
            before,
            between: None,
            after: Vec::new(),
            end: 0,
            ends,
            framing: *framing,
            most: limits.line_bytes.min(limits.event_bytes),
        }
    }

    /// Some other event was read: what the template knows holds no more.
    pub fn forget(&mut self) {
        self.armed = false;
    }

    /// Keeps the shape of an event, and the framing around it if its bytes are at hand.
    pub fn learn(&mut self, event: &sse::SseEvent<'_>, repeat: &Repeat) {
        let data = event.data.as_bytes();
        if let Some(frame) = event.frame {
            let ends = frame.iter().rev().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
            let (line, ends) = frame.split_at(frame.len() - ends);
            keep(&mut self.before, &line[..line.len() - data.len()]);
            keep(&mut self.ends, ends);
            self.data = self.before.len();
        }
        let mut start = repeat.text.start;
        match &repeat.number {
            Some(number) => {
                keep(self.between.get_or_insert_default(), &data[number.end..repeat.text.start]);
                start = number.start;
            }
            None => self.between = None,
        }
        self.before.truncate(self.data);
        self.before.extend_from_slice(&data[..start]);
        keep(&mut self.after, &data[repeat.text.end..]);
        self.end = self.after.len();
        self.after.extend_from_slice(&self.ends);
        if self.name != event.name {
            self.name.clear();
            self.name.push_str(event.name);
        }
        self.has_id = !event.last_event_id.is_empty();
        self.armed = true;
    }

    /// Whether events of one data line may be recognised; `id` is the stream's last. Such events have no name of their
    /// own.
    #[inline]
    pub fn is_ready(&self, id: &str) -> bool {
        self.armed && self.name == UNNAMED && self.has_id != id.is_empty()
    }

    /// Recognises the event that starts at the first byte of `chunk`, if it lies whole in it and the template is ready.
    #[inline]
    pub fn recognise<'c>(&self, chunk: &'c [u8]) -> Option<TemplateMatch<'c>> {
        // The CR of a line of JSON counts.
        let ends = if self.framing == Framing::Ndjson { 1 } else { self.ends.len() };
        self.read(chunk, &self.before, &self.after).filter(|hit| hit.length <= self.most.saturating_add(ends))
    }

    /// Recognises an event that was put together from several chunks or lines.
    pub fn recognise_event<'c>(&self, event: &sse::SseEvent<'c>) -> Option<TemplateMatch<'c>> {
        let other = self.name != event.name || self.has_id == event.last_event_id.is_empty();
        if !self.armed || event.replaced || other {
            return None;
        }
        let hit = self.read(event.data.as_bytes(), &self.before[self.data..], &self.after[..self.end])?;
        (hit.length == event.data.len()).then_some(hit)
    }

    #[inline]
    fn read<'c>(&self, bytes: &'c [u8], before: &[u8], after: &[u8]) -> Option<TemplateMatch<'c>> {
        let mut at = skip(bytes, 0, before)?;
        let mut number = None;
        if let Some(between) = &self.between {
            let (value, end) = number::count(bytes, at)?;
            number = Some(value);
            at = skip(bytes, end, between)?;
        }
        let found = scan::string(bytes, at).ok()?;
        let length = skip(bytes, found.end, after)?;
        let (rest, text) = (bytes.get(at..)?, bytes.get(at..found.end)?);
        Some(TemplateMatch { number, text, rest, escaped: found.escaped, numbered: found.numbered, length })
    }
}

fn keep(slot: &mut Vec<u8>, bytes: &[u8]) {
    slot.clear();
    slot.extend_from_slice(bytes);
}

/// Position after `expected`, if that is what stands at `at`.
#[inline]
fn skip(chunk: &[u8], at: usize, expected: &[u8]) -> Option<usize> {
    let end = at + expected.len();
    bytes::same(chunk.get(at..end)?, expected).then_some(end)
}
