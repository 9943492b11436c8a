//! Repeated events: recognised by their bytes, and processed in batches.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use crate::bytes::{self, utf8};
use crate::core::options::ReadOptions;
use crate::json::{Str, number, scan};
use crate::sse::{self, Framing};

/// The positions of the variable places in the data of an event, in bytes; the text without its
/// quotes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repeat {
    /// The digits of the event's number, if it has one.
    pub number: Option<Range<usize>>,
    /// The characters between the quotes.
    pub text: Range<usize>,
    /// Strings, with their quotes, and numbers that are not read: a nonce.
    pub unread: Vec<Range<usize>>,
    /// Integers whose values are not read, but that have to be integers: a time.
    pub integers: Vec<Range<usize>>,
}

// Event templates: an event that differs from the previous one only in a few places is not parsed
// again.
//
// A stream of deltas repeats one shape thousands of times. If an event that was parsed had only the
// effect of appending one string, its bytes are kept: those before, between and after the variable
// places. These are the string, the event's number, and values that are not read (a nonce, a time).
// The next event of that shape needs a comparison for each stretch of bytes, a scan over digits and
// a scan over a string.
//
// This is correct because the engine itself reports that an event's whole effect was one append,
// and the engine has not changed since. Any other difference (except for another number of digits)
// uses the general path and disarms the template.

/// The bytes of an event around its variable places.
#[derive(Clone, Debug)]
pub(crate) struct EventTemplate {
    armed: bool,
    /// The event's name, and whether the stream had an id by then: engines can use both.
    name: String,
    has_id: bool,
    /// The bytes of a chunk before the first variable place: the framing, and from `data` on the
    /// data.
    before: Vec<u8>,
    data: usize,
    /// The name of the events that have these bytes before their data.
    framed: String,
    /// Whether that name is the name of the event.
    in_chunks: bool,
    /// The data between the number and the string if these are the variable places; `None` if the
    /// string is the only one.
    between: Option<Vec<u8>>,
    /// The data after the last place, and from `end` on the line ends after it.
    after: Vec<u8>,
    end: usize,
    /// The line ends.
    ends: Vec<u8>,
    /// Other combinations of places, each with the end in `literals` of the data after it. The last
    /// place is followed by `after`.
    places: Vec<(VariableKind, usize)>,
    literals: Vec<u8>,
    framing: Framing,
    /// The maximum length of the line of an event.
    most: usize,
}

/// The maximum number of variable places of an event.
const PLACES: usize = 4;

/// The kind of a variable place.
#[derive(Clone, Copy, Debug)]
enum VariableKind {
    /// The event's number: digits.
    Number,
    /// The characters of its text.
    Text,
    /// A string or a number that is not read.
    Unread,
    /// An integer whose value is not read.
    Integer,
}

/// The name of events without an `event` line.
const UNNAMED: &str = "message";

/// An event that the template recognises.
pub(crate) struct TemplateMatch<'c> {
    pub number: Option<i64>,
    /// The bytes between the quotes of its text, which may be invalid UTF-8.
    pub text: &'c [u8],
    /// The text and all bytes after it.
    pub rest: &'c [u8],
    pub escaped: bool,
    /// The text contains a `\u` escape, which can be an unpaired surrogate.
    pub numbered: bool,
    /// The length of the recognised bytes.
    pub length: usize,
}

impl<'c> TemplateMatch<'c> {
    /// Returns the text, if it is UTF-8.
    #[inline]
    pub fn str(&self) -> Option<Str<'c>> {
        let text = utf8(self.text)?;
        Some(Str::new(text, self.escaped))
    }
}

impl EventTemplate {
    /// Creates an empty template with the framing and the limits of events.
    pub fn new(options: &ReadOptions) -> Self {
        let ReadOptions { framing, limits, .. } = options;
        let (before, ends) = match framing {
            Framing::Sse => (b"data: ".to_vec(), b"\n\n".to_vec()),
            Framing::Ndjson => (Vec::new(), b"\n".to_vec()),
            #[cfg(feature = "binary")]
            Framing::LengthPrefixed => (Vec::new(), Vec::new()),
        };
        // The data of a frame are not in the chunk.
        let framed = if ends.is_empty() { "" } else { UNNAMED };
        EventTemplate {
            armed: false,
            name: String::new(),
            has_id: false,
            data: before.len(),
            before,
            framed: framed.to_owned(),
            in_chunks: false,
            between: None,
            after: Vec::new(),
            end: 0,
            ends,
            places: Vec::new(),
            literals: Vec::new(),
            framing: *framing,
            most: limits.line_bytes.min(limits.event_bytes),
        }
    }

    /// Disarms the template after another event was read.
    pub fn forget(&mut self) {
        self.armed = false;
    }

    /// Stores the shape of an event, and the framing around it if its bytes are available.
    pub fn learn(&mut self, event: &sse::SseEvent<'_>, repeat: &Repeat) {
        self.armed = false;
        let data = event.data.as_bytes();
        if let Some(frame) = event.frame {
            let ends = frame.iter().rev().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
            let (line, ends) = frame.split_at(frame.len() - ends);
            keep(&mut self.before, &line[..line.len() - data.len()]);
            keep(&mut self.ends, ends);
            self.data = self.before.len();
            set(&mut self.framed, event.name);
        }
        let Some((places, count)) = in_order(repeat) else { return };
        self.before.truncate(self.data);
        self.before.extend_from_slice(&data[..places[0].1.start]);
        keep(&mut self.after, &data[places[count - 1].1.end..]);
        self.end = self.after.len();
        self.after.extend_from_slice(&self.ends);
        self.places.clear();
        self.literals.clear();
        match &places[..count] {
            [(VariableKind::Text, _)] => self.between = None,
            [(VariableKind::Number, number), (VariableKind::Text, text)] => {
                keep(self.between.get_or_insert_default(), &data[number.end..text.start]);
            }
            places => {
                for (at, (varies, range)) in places.iter().enumerate() {
                    let next = places.get(at + 1).map_or(range.end, |(_, next)| next.start);
                    self.literals.extend_from_slice(&data[range.end..next]);
                    self.places.push((*varies, self.literals.len()));
                }
            }
        }
        set(&mut self.name, event.name);
        self.in_chunks = self.name == self.framed;
        self.has_id = !event.last_event_id.is_empty();
        self.armed = true;
    }

    /// Whether events that are completely in a chunk can be recognised; `id` is the stream's last
    /// one.
    #[inline]
    pub fn is_ready(&self, id: &str) -> bool {
        self.in_chunks && self.armed && self.has_id != id.is_empty()
    }

    /// Recognises the event that starts at the first byte of `chunk`, if it is completely in the
    /// chunk and the template is ready.
    #[inline(always)]
    pub fn recognise<'c>(&self, chunk: &'c [u8]) -> Option<TemplateMatch<'c>> {
        // The CR of a line of JSON is counted.
        let ends = if self.framing == Framing::Ndjson { 1 } else { self.ends.len() };
        self.read(chunk, &self.before, &self.after)
            .filter(|hit| hit.length <= self.most.saturating_add(ends))
    }

    /// Recognises an event that was assembled from several chunks or lines.
    pub fn recognise_event<'c>(&self, event: &sse::SseEvent<'c>) -> Option<TemplateMatch<'c>> {
        let other = self.name != event.name || self.has_id == event.last_event_id.is_empty();
        if !self.armed || event.replaced || other {
            return None;
        }
        let hit =
            self.read(event.data.as_bytes(), &self.before[self.data..], &self.after[..self.end])?;
        (hit.length == event.data.len()).then_some(hit)
    }

    #[inline]
    fn read<'c>(&self, bytes: &'c [u8], before: &[u8], after: &[u8]) -> Option<TemplateMatch<'c>> {
        let mut at = skip(bytes, 0, before)?;
        if !self.places.is_empty() {
            return self.read_places(bytes, at, after);
        }
        let mut number = None;
        if let Some(between) = &self.between {
            let (value, end) = number::count(bytes, at)?;
            number = Some(value);
            at = skip(bytes, end, between)?;
        }
        let found = scan::string(bytes, at).ok()?;
        let length = skip(bytes, found.end, after)?;
        let (rest, text) = (bytes.get(at..)?, bytes.get(at..found.end)?);
        Some(TemplateMatch {
            number,
            text,
            rest,
            escaped: found.escaped,
            numbered: found.numbered,
            length,
        })
    }

    /// Like `read`, for other variable places than a number and the string after it.
    #[inline(never)]
    fn read_places<'c>(
        &self,
        bytes: &'c [u8],
        mut at: usize,
        after: &[u8],
    ) -> Option<TemplateMatch<'c>> {
        let mut hit = TemplateMatch {
            number: None,
            text: &[],
            rest: &[],
            escaped: false,
            numbered: false,
            length: 0,
        };
        let mut from = 0;
        for (varies, to) in &self.places {
            match varies {
                VariableKind::Number => {
                    let (value, end) = number::count(bytes, at)?;
                    hit.number = Some(value);
                    at = end;
                }
                VariableKind::Text => {
                    let found = scan::string(bytes, at).ok()?;
                    hit.text = bytes.get(at..found.end)?;
                    hit.rest = bytes.get(at..)?;
                    (hit.escaped, hit.numbered) = (found.escaped, found.numbered);
                    at = found.end;
                }
                VariableKind::Unread => at = unread(bytes, at)?,
                VariableKind::Integer => at = number::safe(bytes, at)?,
            }
            at = skip(bytes, at, self.literals.get(from..*to)?)?;
            from = *to;
        }
        hit.length = skip(bytes, at, after)?;
        Some(hit)
    }
}

type Places = [(VariableKind, Range<usize>); PLACES];

/// Returns the variable places of an event in the order of its bytes; `None` if there are too many.
fn in_order(repeat: &Repeat) -> Option<(Places, usize)> {
    let mut places: Places = [const { (VariableKind::Text, 0..0) }; PLACES];
    let number = repeat.number.iter().map(|range| (VariableKind::Number, range.clone()));
    let unread = repeat.unread.iter().map(|range| (VariableKind::Unread, range.clone()));
    let integers = repeat.integers.iter().map(|range| (VariableKind::Integer, range.clone()));
    let mut count = 0;
    for place in [(VariableKind::Text, repeat.text.clone())]
        .into_iter()
        .chain(number)
        .chain(unread)
        .chain(integers)
    {
        *places.get_mut(count)? = place;
        // Insertion sort of the few places.
        let mut at = count;
        while at > 0 && places[at].1.start < places[at - 1].1.start {
            places.swap(at, at - 1);
            at -= 1;
        }
        count += 1;
    }
    Some((places, count))
}

/// Returns the end of the string or the number that starts at `at`. Only accepts ASCII: other bytes
/// would have to be checked.
fn unread(bytes: &[u8], at: usize) -> Option<usize> {
    if bytes.get(at) == Some(&b'"') {
        let end = scan::string(bytes, at + 1).ok()?.end;
        return bytes.get(at..end)?.is_ascii().then_some(end + 1);
    }
    let is_digit =
        |byte: &&u8| byte.is_ascii_digit() || matches!(byte, b'-' | b'+' | b'.' | b'e' | b'E');
    let length = bytes.get(at..)?.iter().take_while(is_digit).count();
    (length > 0).then_some(at + length)
}

fn set(slot: &mut String, text: &str) {
    if slot != text {
        slot.clear();
        slot.push_str(text);
    }
}

fn keep(slot: &mut Vec<u8>, bytes: &[u8]) {
    slot.clear();
    slot.extend_from_slice(bytes);
}

/// Returns the position after `expected`, if it occurs at `at`.
#[inline]
fn skip(chunk: &[u8], at: usize, expected: &[u8]) -> Option<usize> {
    let end = at + expected.len();
    bytes::same(chunk.get(at..end)?, expected).then_some(end)
}

// Batches of repeated events.

/// A batch of consecutive events that differ only in number and text. Common work is done once for
/// all of them: their texts are one text.
#[derive(Clone, Copy, Debug)]
pub struct DeltaBatch<'r> {
    text: &'r str,
    escaped: bool,
    pieces: &'r [Delta],
}

/// One event of a batch.
#[derive(Clone, Copy, Debug, Default)]
pub struct Delta {
    /// The event's number, if such events are numbered.
    pub number: Option<i64>,
    /// The start of the event in the stream, in bytes.
    pub offset: u64,
    /// The end of its text in that of the batch, in bytes.
    pub end: usize,
}

impl<'r> DeltaBatch<'r> {
    /// The maximum number of events in a batch: enough to share the work.
    pub(crate) const PIECES: usize = 32;

    /// Returns the events.
    pub fn pieces(self) -> &'r [Delta] {
        self.pieces
    }

    /// Returns the texts of the first events, up to the offset `end`.
    pub fn text(self, end: usize) -> Str<'r> {
        self.between(0, end)
    }

    /// Returns the length of all texts in bytes, with their escapes. The decoded texts are not
    /// longer.
    pub fn len(self) -> usize {
        self.text.len()
    }

    /// Whether all texts are empty.
    pub fn is_empty(self) -> bool {
        self.text.is_empty()
    }

    /// Iterates over the events with their texts.
    pub fn each(self) -> impl Iterator<Item = (Delta, Str<'r>)> {
        let mut from = 0;
        self.pieces.iter().map(move |piece| {
            let text = self.between(from, piece.end);
            from = piece.end;
            (*piece, text)
        })
    }

    fn between(self, from: usize, end: usize) -> Str<'r> {
        Str::new(self.text.get(from..end).unwrap_or_default(), self.escaped)
    }
}

const PIECES: usize = DeltaBatch::PIECES;

/// Short texts are copied in blocks of so many bytes, including bytes after the text: in wasm,
/// copying an exact number of bytes costs a call.
const BLOCK: usize = 16;

/// A batch that is being collected, before its texts are checked for UTF-8.
#[derive(Clone, Debug)]
pub(crate) struct DeltaBatchBuffer {
    bytes: [u8; DeltaBatchBuffer::BYTES],
    length: usize,
    escaped: bool,
    pieces: [Delta; PIECES],
    count: usize,
}

impl Default for DeltaBatchBuffer {
    fn default() -> Self {
        let pieces = [Delta::default(); PIECES];
        DeltaBatchBuffer {
            bytes: [0; DeltaBatchBuffer::BYTES],
            length: 0,
            escaped: false,
            pieces,
            count: 0,
        }
    }
}

impl DeltaBatchBuffer {
    /// The maximum length of the texts of a batch, in bytes.
    pub const BYTES: usize = 512;

    /// Whether an event with a text of this length can be added.
    #[inline]
    pub fn has_room(&self, length: usize) -> bool {
        self.count < PIECES && self.length + length <= Self::BYTES
    }

    /// Adds an event whose text is the first `length` bytes of `rest`. Returns false if the batch
    /// is full, or if the text certainly does not start at a character boundary.
    #[inline]
    pub fn push(
        &mut self,
        number: Option<i64>,
        offset: u64,
        (rest, length): (&[u8], usize),
        escaped: bool,
    ) -> bool {
        let end = self.length + length;
        let begins = length == 0 || rest.first().is_some_and(|first| first & 0xc0 != 0x80);
        let Some(piece) = self.pieces.get_mut(self.count).filter(|_| begins && end <= Self::BYTES)
        else {
            return false;
        };
        *piece = Delta { number, offset, end };
        let room = self.bytes.get_mut(self.length..).unwrap_or_default();
        match (room.first_chunk_mut::<BLOCK>(), rest.first_chunk::<BLOCK>()) {
            (Some(to), Some(from)) if length <= BLOCK => *to = *from,
            _ => room.iter_mut().zip(rest.iter().take(length)).for_each(|(to, from)| *to = *from),
        }
        self.length = end;
        self.escaped |= escaped;
        self.count += 1;
        true
    }

    /// Passes the collected batch to `with` and clears it. If an event's text is not UTF-8, only
    /// the events before it are passed, and its offset is returned.
    pub fn take(&mut self, with: impl FnOnce(DeltaBatch<'_>)) -> Option<u64> {
        let pieces = self.pieces.get(..self.count).unwrap_or_default();
        let bytes = self.bytes.get(..self.length).unwrap_or_default();
        let (mut good, mut bad) = (pieces, None);
        let text = utf8(bytes).unwrap_or_else(|| {
            let sound =
                core::str::from_utf8(bytes).map_or_else(|error| error.valid_up_to(), str::len);
            // Each text starts at a character boundary, so the invalid byte is inside one text.
            let count = pieces.iter().take_while(|piece| piece.end <= sound).count();
            bad = pieces.get(count).map(|piece| piece.offset);
            good = pieces.get(..count).unwrap_or_default();
            let end = good.last().map_or(0, |piece| piece.end);
            core::str::from_utf8(bytes.get(..end).unwrap_or_default()).unwrap_or_default()
        });
        if !good.is_empty() {
            with(DeltaBatch { text, escaped: self.escaped, pieces: good });
        }
        (self.count, self.length, self.escaped) = (0, 0, false);
        bad
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_before_invalid_utf8_are_flushed() {
        for (texts, good) in [
            (&[&b"a"[..], b"\xe4\xbd\xa0", b"", b"b\xe4", b"c"][..], 3),
            (&[b"a long text, longer than a block is", b"\xff"], 1),
            (&[b"\xf0\x9f\x98\x80", b"x"], 2),
            (&[b"\xf0\x9f"], 0),
        ] {
            let mut gathering = DeltaBatchBuffer::default();
            for (at, text) in texts.iter().enumerate() {
                assert!(gathering.push(None, at as u64, (text, text.len()), false));
            }
            let mut texts_out = Vec::new();
            let bad = gathering
                .take(|run| texts_out.extend(run.each().map(|(_, text)| text.raw().to_owned())));
            let expected: Vec<_> = texts[..good]
                .iter()
                .map(|text| String::from_utf8_lossy(text).into_owned())
                .collect();
            assert_eq!(texts_out, expected);
            assert_eq!(bad, (good < texts.len()).then_some(good as u64));
            assert!(gathering.take(|_| panic!("an empty run")).is_none());
        }
    }

    #[test]
    fn push_rejects_partial_characters_and_texts_beyond_the_capacity() {
        let mut gathering = DeltaBatchBuffer::default();
        assert!(!gathering.push(None, 0, (b"\xbd\xa0", 2), false));
        assert!(!gathering.push(
            None,
            0,
            (&[b'a'; DeltaBatchBuffer::BYTES + 1], DeltaBatchBuffer::BYTES + 1),
            false
        ));
        for at in 0..PIECES {
            assert!(
                gathering.has_room(1)
                    && gathering.push(None, at as u64, (b"ab, and what follows", 1), false)
            );
        }
        assert!(!gathering.has_room(0) && !gathering.push(None, 0, (b"", 0), false));
        gathering.take(|run| assert_eq!(run.text(run.len()).raw(), "a".repeat(PIECES)));
    }
}
