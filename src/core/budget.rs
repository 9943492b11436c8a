//! A bound on the bytes that an input can make this crate allocate and write, in proportion to its length.

use crate::core::limits::Limits;

/// The number of bytes that may still be allocated and written. Input refills it.
///
/// A limit on stored bytes does not bound temporary ones: padding, copies, a log of changes. Each of these is paid for
/// before its memory is allocated.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    left: u64,
    growth: u64,
}

impl Budget {
    /// The bytes that are available before any input.
    const START: u64 = 64 << 10;

    /// Bytes of an event's frame that are not part of its data.
    const FRAME: u64 = 8;

    pub fn new(limits: &Limits) -> Self {
        Budget { left: Self::START, growth: limits.growth }
    }

    /// Adds the budget for an event of so many bytes.
    #[inline]
    pub fn refill(&mut self, bytes: usize) {
        let earned = self.growth.saturating_mul(bytes as u64 + Self::FRAME);
        self.left = self.left.saturating_add(earned);
    }

    #[inline]
    pub fn has(&self, bytes: u64) -> bool {
        bytes <= self.left
    }

    /// Pays for so many bytes. Returns false and pays nothing if the budget is too small.
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

/// The budget for the default limits.
impl Default for Budget {
    fn default() -> Self {
        Self::new(&Limits::default())
    }
}
