//! A small generator of numbers, so that a failing program can be run again by its own.

pub struct Rng(u64);

impl Rng {
    /// The numbers of a program.
    pub fn of(program: u64) -> Self {
        Rng(program.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn below(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % sides as u64) as usize
    }
}
