//! How long to wait before the next connection.

/// No server is waited for longer, whatever it asks.
const LONGEST: u64 = 600_000;

/// How long to wait between attempts at the same thing, in milliseconds: longer each time that one brings nothing, spread out
/// over half of the length, and never shorter than the server asks.
#[derive(Clone, Debug)]
pub struct Backoff {
    base: u64,
    most: u64,
    attempts: u32,
    /// How many connections in a row brought nothing.
    fruitless: u32,
    /// What the stream asked for (`retry:`).
    asked: u64,
    state: u64,
}

impl Backoff {
    /// Waits of about `base` first and `most` at last, for so many attempts; `seed` is a number that others do not have.
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

    /// The server asks to be left alone for so long after each connection.
    pub fn asked(&mut self, milliseconds: u64) {
        self.asked = milliseconds.min(LONGEST);
    }

    /// The next wait, after an attempt that brought something (`heard`) or nothing; `None` when that was the last.
    /// `retry_after` is what the server asks for, 0 if nothing.
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

    /// A number below another one (SplitMix64).
    fn random(&mut self, below: u64) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % below
    }
}
