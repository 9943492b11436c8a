//! The positions of the values of a text, and the memory for them.

use alloc::vec::Vec;

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
