//! What an input may make this crate allocate and write, in proportion to its length.

use crate::core::limits::Limits;

/// Bytes that may still be allocated and written. Input refills them.
///
/// A limit on what is held does not bound what is made in between: padding, copies, a log of changes. Each of these is paid
/// for before its memory is taken.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    left: u64,
    growth: u64,
}

impl Budget {
    /// Bytes that are there before any input.
    const START: u64 = 64 << 10;

    /// Bytes around an event that are no part of its data.
    const FRAME: u64 = 8;

    pub fn new(limits: &Limits) -> Self {
        Budget { left: Self::START, growth: limits.growth }
    }

    /// An event of so many bytes has come.
    #[inline]
    pub fn refill(&mut self, bytes: usize) {
        let earned = self.growth.saturating_mul(bytes as u64 + Self::FRAME);
        self.left = self.left.saturating_add(earned);
    }

    #[inline]
    pub fn has(&self, bytes: u64) -> bool {
        bytes <= self.left
    }

    /// Pays for so many bytes; pays nothing and returns false where they are too many.
    #[inline]
    #[must_use]
    pub fn pay(&mut self, bytes: u64) -> bool {
        let has = self.has(bytes);
        if has {
            self.left -= bytes;
        }
        has
    }
}

/// What is read with the default limits.
impl Default for Budget {
    fn default() -> Self {
        Self::new(&Limits::default())
    }
}
