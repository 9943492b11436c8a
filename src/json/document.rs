//! A JSON text that has been read: the tape with the position of every value.

use super::string::Str;
use crate::bytes::between;
use alloc::vec::Vec;

/// The limit of nesting for all documents: values are walked by recursion, which uses up the stack.
pub const DEEPEST: u32 = 512;

/// A JSON text that has been read once: it is one valid value, and the position of each value in it is known.
///
/// It takes eight bytes per value and key, and eight more per container.
#[derive(Clone, Debug)]
pub struct Document<'a> {
    pub(super) text: &'a str,
    pub(super) tape: Vec<TapeEntry>,
    /// The number of levels between its deepest container and the limit.
    pub(super) spare_depth: u32,
    /// The maximum length of the ids in it, in bytes.
    pub(crate) id_bytes: usize,
    /// The container of all skipped objects, if they are in the same one.
    pub(super) skipped_in: Option<u32>,
    /// The document has skipped objects.
    pub(super) has_skipped: bool,
}

/// An object in the text that is skipped: the caller has read the same bytes before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Skip {
    /// Its position: from its opening bracket to after its closing one.
    pub from: u32,
    pub to: u32,
    /// The result of [`Element::skipped`] for it.
    pub tag: u32,
}

impl<'a> Document<'a> {
    pub(crate) fn text(&self) -> &'a str {
        self.text
    }

    /// Reports whether objects in it were skipped.
    pub(crate) fn has_skipped(&self) -> bool {
        self.has_skipped
    }

    #[inline]
    pub(crate) fn token(&self, at: u32) -> TapeEntry {
        self.tape.get(at as usize).copied().unwrap_or(TapeEntry { start: 0, end: 0 })
    }

    /// Returns the string of a token.
    #[inline]
    pub(crate) fn str(&self, at: u32) -> Str<'a> {
        let TapeEntry { start, end } = self.token(at);
        let end = ((end & !MARK) as usize).saturating_sub(1);
        Str::new(between(self.text, start as usize + 1, end), self.token(at).end & MARK != 0)
    }

    /// Returns the bytes of a string without escapes.
    #[inline]
    pub(crate) fn plain(&self, at: u32) -> Option<&'a [u8]> {
        let TapeEntry { start, end } = self.token(at);
        // With escapes, the mark puts its end beyond the text.
        self.text.as_bytes().get(start as usize + 1..(end as usize).wrapping_sub(1))
    }

    /// Returns the bytes of a value.
    pub(crate) fn raw(&self, at: u32) -> &'a str {
        let token = self.token(at);
        let end = match token.is_container() {
            true => self.token(token.end.wrapping_sub(1)).start() + 1,
            false => (token.end & !MARK) as usize,
        };
        between(self.text, token.start(), end)
    }
}

/// The position of a value, or of the end of a container.
///
/// | of | `start` | `end` |
/// |---|---|---|
/// | a string or a key | its quote | after its closing quote, with [`MARK`] if a backslash occurs |
/// | a number, `true`, `false`, `null` | its first byte | after its last byte |
/// | an object or array | its bracket, with [`MARK`] | the token after its closing one |
/// | a closing bracket | the bracket | 0, or the tag of an object that was skipped and one |
///
/// The entries are in the order of the text: keys before their values, containers before their contents.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TapeEntry {
    pub start: u32,
    pub end: u32,
}

/// Marks a string with escapes, and a container.
pub(super) const MARK: u32 = 1 << 31;

impl TapeEntry {
    #[inline]
    pub fn start(self) -> usize {
        (self.start & !MARK) as usize
    }

    #[inline]
    pub fn is_container(self) -> bool {
        self.start & MARK != 0
    }

    /// Returns the token after the value whose own token is number `at`.
    #[inline]
    pub fn after(self, at: u32) -> u32 {
        if self.is_container() { self.end } else { at + 1 }
    }
}

/// The number of the container if none is open.
pub(super) const NONE: u32 = u32::MAX;

/// The memory of a document, kept for the next one. Most events fit in it; its size is bounded for the sake of many
/// readers.
#[derive(Debug, Default)]
pub(crate) struct Tape(pub(super) Vec<TapeEntry>);
