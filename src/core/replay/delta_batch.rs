//! Batches of repeated events.

use crate::bytes::utf8;
use crate::json::Str;

/// A batch of consecutive events that differ only in number and text. Common work is done once for all of them: their
/// texts are one text.
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

    /// Returns the length of all texts in bytes, with their escapes. The decoded texts are not longer.
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

/// Short texts are copied in blocks of so many bytes, including bytes after the text: in wasm, copying an exact number
/// of bytes costs a call.
const BLOCK: usize = 16;

/// A batch that is being collected, before its texts are checked for UTF-8.
#[derive(Debug)]
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
        DeltaBatchBuffer { bytes: [0; DeltaBatchBuffer::BYTES], length: 0, escaped: false, pieces, count: 0 }
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

    /// Adds an event whose text is the first `length` bytes of `rest`. Returns false if the batch is full, or if the
    /// text certainly does not start at a character boundary.
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
        let Some(piece) = self.pieces.get_mut(self.count).filter(|_| begins && end <= Self::BYTES) else {
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

    /// Passes the collected batch to `with` and clears it. If an event's text is not UTF-8, only the events before it
    /// are passed, and its offset is returned.
    pub fn take(&mut self, with: impl FnOnce(DeltaBatch<'_>)) -> Option<u64> {
        let pieces = self.pieces.get(..self.count).unwrap_or_default();
        let bytes = self.bytes.get(..self.length).unwrap_or_default();
        let (mut good, mut bad) = (pieces, None);
        let text = utf8(bytes).unwrap_or_else(|| {
            let sound = core::str::from_utf8(bytes).map_or_else(|error| error.valid_up_to(), str::len);
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
    fn events_before_a_fault_are_handed_out() {
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
            let mut said = Vec::new();
            let bad = gathering.take(|run| said.extend(run.each().map(|(_, text)| text.raw().to_owned())));
            let expected: Vec<_> =
                texts[..good].iter().map(|text| String::from_utf8_lossy(text).into_owned()).collect();
            assert_eq!(said, expected);
            assert_eq!(bad, (good < texts.len()).then_some(good as u64));
            assert!(gathering.take(|_| panic!("an empty run")).is_none());
        }
    }

    #[test]
    fn takes_no_half_characters_and_no_more_than_it_has_room_for() {
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
                gathering.has_room(1) && gathering.push(None, at as u64, (b"ab, and what follows", 1), false)
            );
        }
        assert!(!gathering.has_room(0) && !gathering.push(None, 0, (b"", 0), false));
        gathering.take(|run| assert_eq!(run.text(run.len()).raw(), "a".repeat(PIECES)));
    }
}
