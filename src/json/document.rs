//! A JSON text that has been read, in which every value is found without looking at its bytes again.

use alloc::vec::Vec;

use super::string::Str;
use super::tape::{MARK, TapeEntry};
use crate::bytes::between;

/// The deepest nesting that is ever read: values are walked by recursion, which uses up the stack.
pub const DEEPEST: u32 = 512;

/// A JSON text that has been read once: checked to be one value, and where each value in it stands.
///
/// What it holds is eight bytes per value and key, and as much again per container.
#[derive(Clone, Debug)]
pub struct Document<'a> {
    pub(super) text: &'a str,
    pub(super) tape: Vec<TapeEntry>,
    /// How much deeper its containers could have been nested within the limit.
    pub(super) spare_depth: u32,
    /// How long the ids in it may be, in bytes.
    pub(crate) id_bytes: usize,
    /// The container that holds all objects which were skipped, if they are in the same one.
    pub(super) skipped_in: Option<u32>,
    /// Whether there are such objects.
    pub(super) has_skipped: bool,
}

/// An object in the text that is skipped: the caller has read the same bytes before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Skip {
    /// Where it stands: from its opening bracket to after its closing one.
    pub from: u32,
    pub to: u32,
    /// What [`Element::skipped`] says of it.
    pub tag: u32,
}

impl<'a> Document<'a> {
    pub(crate) fn text(&self) -> &'a str {
        self.text
    }

    /// Whether objects in it were skipped.
    pub(crate) fn has_skipped(&self) -> bool {
        self.has_skipped
    }

    #[inline]
    pub(crate) fn token(&self, at: u32) -> TapeEntry {
        self.tape.get(at as usize).copied().unwrap_or(TapeEntry { start: 0, end: 0 })
    }

    /// The string of a token.
    #[inline]
    pub(crate) fn str(&self, at: u32) -> Str<'a> {
        let TapeEntry { start, end } = self.token(at);
        let end = ((end & !MARK) as usize).saturating_sub(1);
        Str::new(between(self.text, start as usize + 1, end), self.token(at).end & MARK != 0)
    }

    /// The bytes of a string without escapes.
    #[inline]
    pub(crate) fn plain(&self, at: u32) -> Option<&'a [u8]> {
        let TapeEntry { start, end } = self.token(at);
        // With escapes it ends, by its mark, beyond the text.
        self.text.as_bytes().get(start as usize + 1..(end as usize).wrapping_sub(1))
    }

    /// The bytes of a value.
    pub(crate) fn raw(&self, at: u32) -> &'a str {
        let token = self.token(at);
        let end = match token.is_container() {
            true => self.token(token.end.wrapping_sub(1)).start() + 1,
            false => (token.end & !MARK) as usize,
        };
        between(self.text, token.start(), end)
    }
}
