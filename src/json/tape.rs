//! Where the values of a text stand, and the memory for that.

use alloc::vec::Vec;

/// Where a value stands, or where a container ends.
///
/// | of | `start` | `end` |
/// |---|---|---|
/// | a string or a key | its quote | after its closing quote, with [`MARK`] if a backslash occurs |
/// | a number, `true`, `false`, `null` | its first byte | after its last byte |
/// | an object or array | its bracket, with [`MARK`] | the token after its closing one |
/// | a closing bracket | the bracket | 0, or the tag of an object that was skipped and one |
///
/// The entries stand in the order of the text: keys before their values, containers before what they hold.
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

    /// The token after the value, which is that of number `at`.
    #[inline]
    pub fn after(self, at: u32) -> u32 {
        if self.is_container() { self.end } else { at + 1 }
    }
}

/// No container is open.
pub(super) const NONE: u32 = u32::MAX;

/// The memory of a document, kept for the next one. Most events fit in it; what many readers keep is bounded.
#[derive(Debug, Default)]
pub(crate) struct Tape(pub(super) Vec<TapeEntry>);
