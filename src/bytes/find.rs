//! Searching for bytes.

use super::needle::Needle;
use super::simd128::{self, OnSimd};
use super::word::{HIGH, below};

/// The target has vectors that the compiler uses for loops over blocks of bytes.
const VECTORS: bool = cfg!(any(target_feature = "sse2", target_feature = "neon"));

/// Returns the position of the first byte of the set at or after `at`, else the length of the input.
///
/// Checks one word first, because most strings are short; then whole blocks if the target has vectors: the loop over a
/// block has no exit, so the compiler turns it into a few vector instructions, and the position in a matching block is
/// computed without a branch, which would be mispredicted. The rest is searched by words.
#[inline(always)]
pub(crate) fn find<T: Needle + OnSimd>(bytes: &[u8], at: usize) -> usize {
    let mut at = match simd128::find::<T>(bytes, at) {
        Ok(found) => return found,
        Err(at) => at,
    };
    let mut rest = bytes.get(at..).unwrap_or_default();
    if VECTORS && let Some((word, after)) = rest.split_first_chunk() {
        let marks = T::marks(u64::from_le_bytes(*word)) & HIGH;
        if marks != 0 {
            return at + (marks.trailing_zeros() / 8) as usize;
        }
        at += 8;
        let (blocks, after) = after.as_chunks::<32>();
        for block in blocks {
            let (one, other) = block.split_at(16);
            let mut any = 0u8;
            for (&one, &other) in one.iter().zip(other) {
                any |= u8::from(T::weight(one).min(T::weight(other)) < T::LIGHT);
            }
            if any != 0 {
                for half in block.as_chunks::<16>().0 {
                    let both = u128::from_le_bytes(*half);
                    let marks = [both as u64, (both >> 64) as u64].map(|word| T::marks(word) & HIGH);
                    if marks != [0; 2] {
                        let both = u128::from(marks[0]) | u128::from(marks[1]) << 64;
                        return at + (both.trailing_zeros() / 8) as usize;
                    }
                    at += 16;
                }
            } else {
                at += 32;
            }
        }
        rest = after;
    }
    let (words, tail) = rest.as_chunks();
    for word in words {
        let marks = T::marks(u64::from_le_bytes(*word)) & HIGH;
        if marks != 0 {
            return at + (marks.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    at + tail.iter().position(|&byte| T::is(byte)).unwrap_or(tail.len())
}

/// Reports whether a byte smaller than `limit` (at most 0x80) occurs. Faster than finding its position.
#[inline(always)]
pub(crate) fn has_below(bytes: &[u8], limit: u8) -> bool {
    let (blocks, rest) = if VECTORS { bytes.as_chunks::<64>() } else { (&[][..], bytes) };
    for block in blocks {
        let (first, second) = block.split_at(32);
        let mut any = 0u8;
        for at in 0..16 {
            let smallest = first[at].min(first[at + 16]).min(second[at]).min(second[at + 16]);
            any |= u8::from(smallest < limit);
        }
        if any != 0 {
            return true;
        }
    }
    let has = |word: &[u8; 8]| below(u64::from_le_bytes(*word), limit) & HIGH != 0;
    // The bytes after the last whole word are in the last eight.
    match rest.last_chunk() {
        Some(last) => rest.as_chunks().0.iter().chain([last]).any(has),
        None => rest.iter().any(|&byte| byte < limit),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_byte_is_noticed_anywhere() {
        for length in 0..150 {
            for filler in [b'\r' + 1, b'a', 0x8a, 0xff] {
                let mut bytes = vec![filler; length];
                assert!(!has_below(&bytes, b'\r' + 1));
                for at in 0..length {
                    bytes[at] = b'\n';
                    assert!(has_below(&bytes, b'\r' + 1), "{at} of {length}");
                    bytes[at] = filler;
                }
            }
        }
    }
}
