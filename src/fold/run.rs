//! Events that repeat one another, taken together.

use alloc::string::String;
use alloc::vec::Vec;

use crate::json::Str;

/// A run of events, one behind the other, each like the one before it but for its number and its text. What they have in
/// common is done once for all of them: their texts are one text.
#[derive(Debug, Default)]
pub struct Run {
    /// The texts as they stood between their quotes, one behind the other.
    text: String,
    escaped: bool,
    pieces: Vec<Piece>,
}

/// One event of a run.
#[derive(Clone, Copy, Debug)]
pub struct Piece {
    /// The event's number, if such events have one.
    pub number: Option<i64>,
    /// Where the event begins in the stream, in bytes.
    pub offset: u64,
    /// Where its text ends in that of the run, in bytes.
    pub end: usize,
}

impl Run {
    /// The events.
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// The texts of the first events, up to the one that ends there.
    pub fn text(&self, end: usize) -> Str<'_> {
        self.between(0, end)
    }

    /// How long all texts are, in bytes and with their escapes: decoded they are no longer.
    pub fn len(&self) -> usize {
        self.text.len()
    }

    /// Whether there is no text.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Each event with its text.
    pub fn each(&self) -> impl Iterator<Item = (Piece, Str<'_>)> {
        let mut from = 0;
        self.pieces.iter().map(move |piece| {
            let text = self.between(from, piece.end);
            from = piece.end;
            (*piece, text)
        })
    }

    fn between(&self, from: usize, end: usize) -> Str<'_> {
        Str::new(self.text.get(from..end).unwrap_or_default(), self.escaped)
    }
}

/// A run that is being put together, before it is known whether the bytes of its texts are UTF-8.
#[derive(Debug, Default)]
pub(crate) struct Gathering {
    run: Run,
    bytes: Vec<u8>,
}

impl Gathering {
    /// Enough to share the work, little enough for ten thousand readers.
    const PIECES: usize = 16;
    const BYTES: usize = 512;

    pub fn is_empty(&self) -> bool {
        self.run.pieces.is_empty()
    }

    /// Whether an event with so long a text may be added.
    #[inline]
    pub fn has_room(&self, length: usize) -> bool {
        self.run.pieces.len() < Self::PIECES && self.bytes.len() + length <= Self::BYTES
    }

    /// Adds an event, unless its text surely does not begin where a character does.
    #[inline]
    pub fn push(&mut self, number: Option<i64>, offset: u64, text: &[u8], escaped: bool) -> bool {
        let begins = text.first().is_none_or(|first| first & 0xc0 != 0x80);
        if begins {
            self.bytes.extend_from_slice(text);
            self.run.escaped |= escaped;
            self.run.pieces.push(Piece { number, offset, end: self.bytes.len() });
        }
        begins
    }

    /// Hands out what was put together and forgets it. Where an event's text is no UTF-8, only the events before it are
    /// handed out, and its offset is returned.
    pub fn take(&mut self, with: impl FnOnce(&Run)) -> Option<u64> {
        let Gathering { run, bytes } = self;
        if run.pieces.is_empty() {
            return None;
        }
        let mut bad = None;
        let good = match core::str::from_utf8(bytes) {
            Ok(good) => good,
            // Each text begins with a character, so the fault lies inside of one.
            Err(error) => {
                let count = run.pieces.iter().take_while(|piece| piece.end <= error.valid_up_to()).count();
                bad = run.pieces.get(count).map(|piece| piece.offset);
                run.pieces.truncate(count);
                let end = run.pieces.last().map_or(0, |piece| piece.end);
                core::str::from_utf8(bytes.get(..end).unwrap_or_default()).unwrap_or_default()
            }
        };
        run.text.push_str(good);
        if !run.pieces.is_empty() {
            with(run);
        }
        run.text.clear();
        run.pieces.clear();
        run.escaped = false;
        bytes.clear();
        bad
    }
}
