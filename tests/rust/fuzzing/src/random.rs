//! Random numbers that are the same for the same seed.

/// A generator (xorshift).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A generator with that seed.
    pub fn new(seed: u64) -> Self {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// Returns the next number.
    pub fn number(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// Returns a number below `limit`, and 0 where that is 0.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.number() >> 16) as usize % limit.max(1)
    }

    /// Returns true once in `many` times.
    pub fn once_in(&mut self, many: usize) -> bool {
        self.below(many) == 0
    }

    /// Returns one of these.
    ///
    /// # Panics
    /// If the slice is empty.
    pub fn one_of<'t, T>(&mut self, things: &'t [T]) -> &'t T {
        &things[self.below(things.len())]
    }
}
