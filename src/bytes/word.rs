//! Eight bytes at once.

/// Every byte 1.
pub(super) const LOW: u64 = 0x0101_0101_0101_0101;
/// The bits of a word that hold the marks.
pub(super) const HIGH: u64 = 0x8080_8080_8080_8080;

/// Marks, at the high bit, the bytes of a word that are `byte`. Bits above the first mark may be wrong and only the
/// high bits have a meaning, so only the lowest mark counts.
#[inline]
pub(super) fn marks(word: u64, byte: u8) -> u64 {
    let other = word ^ (LOW * byte as u64);
    other.wrapping_sub(LOW) & !other
}

/// Marks the bytes of a word that are smaller than `limit` (at most 0x80), in the same way.
#[inline]
pub(super) fn below(word: u64, limit: u8) -> u64 {
    word.wrapping_sub(LOW * limit as u64) & !word
}
