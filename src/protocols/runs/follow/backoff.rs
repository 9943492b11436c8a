//! The wait before the next connection.

/// The longest wait, in milliseconds, whatever the server requests.
const LONGEST: u64 = 600_000;

/// The waits between attempts at the same request, in milliseconds. A wait grows with each attempt in a row that brings
/// no data, is random within the upper half of its length, and is never shorter than the server requests.
#[derive(Clone, Debug)]
pub struct Backoff {
    base: u64,
    most: u64,
    attempts: u32,
    /// The number of connections in a row that brought no data.
    fruitless: u32,
    /// The wait that the stream requested (`retry:`), in milliseconds.
    asked: u64,
    state: u64,
}

impl Backoff {
    /// Creates waits of about `base` first and `most` at last, for so many attempts; `seed` is a number that differs
    /// from that of other clients.
    pub fn new(base: u64, most: u64, attempts: u32, seed: u64) -> Self {
        Backoff {
            base: base.max(1),
            most: most.clamp(1, LONGEST),
            attempts,
            fruitless: 0,
            asked: 0,
            state: seed,
        }
    }

    /// Sets the wait that the server requests after each connection.
    pub fn asked(&mut self, milliseconds: u64) {
        self.asked = milliseconds.min(LONGEST);
    }

    /// Returns the next wait, after an attempt that brought data (`heard`) or none; `None` after the last attempt.
    /// `retry_after` is the wait that the server requests, 0 by default.
    pub fn next(&mut self, heard: bool, retry_after: u64) -> Option<u64> {
        if heard {
            self.fruitless = 0;
        } else {
            self.fruitless += 1;
            if self.fruitless >= self.attempts {
                return None;
            }
        }
        let own = self.base.saturating_mul(1 << self.fruitless.min(20)).min(self.most);
        let least = self.asked.max(retry_after.min(LONGEST));
        let length = own.max(least.saturating_add(least / 2));
        let from = least.max(length / 2);
        Some(from + self.random(length - from + 1))
    }

    /// Returns a random number below `below` (SplitMix64).
    fn random(&mut self, below: u64) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % below
    }
}
