//! Searching for bytes.

use super::simd128;
use super::simd128::OnSimd;

/// The target has vectors that the compiler uses for loops over blocks of bytes.
const VECTORS: bool = cfg!(any(target_feature = "sse2", target_feature = "neon"));

/// Returns the position of the first byte of the set at or after `at`, else the length of the
/// input.
///
/// Checks one word first, because most strings are short; then whole blocks if the target has
/// vectors: the loop over a block has no exit, so the compiler turns it into a few vector
/// instructions, and the position in a matching block is computed without a branch, which would be
/// mispredicted. The rest is searched by words.
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
                    let marks =
                        [both as u64, (both >> 64) as u64].map(|word| T::marks(word) & HIGH);
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

/// Reports whether a byte smaller than `limit` (at most 0x80) occurs. Faster than finding its
/// position.
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

// Sets of bytes that can be searched for.

/// A set of bytes, in the forms that the loops need.
pub(crate) trait Needle {
    /// Reports whether the byte is in the set.
    fn is(byte: u8) -> bool;
    /// Marks the bytes of a word that are in the set, as [`marks`] does.
    fn marks(word: u64) -> u64;
    /// Returns a number below [`Needle::LIGHT`] for every byte of the set, and for few others.
    fn weight(byte: u8) -> u8;
    const LIGHT: u8 = 1;
}

/// `"`, `\` and control characters. With their second bit inverted, the quote and the control
/// characters are the bytes below 0x21.
pub(crate) struct Special;

impl Needle for Special {
    #[inline]
    fn is(byte: u8) -> bool {
        byte == b'"' || byte == b'\\' || byte < 0x20
    }

    #[inline]
    fn marks(word: u64) -> u64 {
        below(word ^ (LOW * 2), 0x21) | marks(word, b'\\')
    }

    fn weight(byte: u8) -> u8 {
        (byte ^ 2).saturating_sub(0x20).min(byte ^ b'\\')
    }
}

/// One byte.
pub(crate) struct Byte<const BYTE: u8>;

pub(crate) type Backslash = Byte<b'\\'>;
pub(crate) type Bracket = Byte<b'['>;

impl<const BYTE: u8> Needle for Byte<BYTE> {
    #[inline]
    fn is(byte: u8) -> bool {
        byte == BYTE
    }

    #[inline]
    fn marks(word: u64) -> u64 {
        marks(word, BYTE)
    }

    fn weight(byte: u8) -> u8 {
        byte ^ BYTE
    }
}

/// CR and LF.
pub(crate) struct LineEnd;

impl Needle for LineEnd {
    #[inline]
    fn is(byte: u8) -> bool {
        byte == b'\n' || byte == b'\r'
    }

    #[inline]
    fn marks(word: u64) -> u64 {
        marks(word, b'\n') | marks(word, b'\r')
    }

    /// Lines contain almost no other bytes that are as small.
    fn weight(byte: u8) -> u8 {
        byte
    }

    const LIGHT: u8 = b'\r' + 1;
}

// Eight bytes at once.

/// Every byte 1.
pub(super) const LOW: u64 = 0x0101_0101_0101_0101;
/// The bits of a word that hold the marks.
pub(super) const HIGH: u64 = 0x8080_8080_8080_8080;

/// Marks, at the high bit, the bytes of a word that are `byte`. Bits above the first mark may be
/// wrong and only the high bits have a meaning, so only the lowest mark counts.
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

// The three characters that some readers of lines treat as a line end: U+0085, U+2028 and U+2029.

/// Returns the start of the first of them at or after `at`, its escape in JSON, and its end.
///
/// The search is for the two bytes that distinguish them from nearly all other characters: the last
/// two of E2 80 A8 and E2 80 A9, and C2 85. A search for the first byte would stop at every dash
/// and curly quote.
pub(crate) fn separator(bytes: &[u8], mut at: usize) -> Option<(usize, &'static str, usize)> {
    loop {
        at += simd128::without_pair(bytes, at);
        // A block, and the byte after it, which may end a pair.
        for place in at..bytes.len().min(at + 16) {
            match bytes.get(place..)? {
                [0xc2, 0x85, ..] => return Some((place, "\\u0085", place + 2)),
                [0xe2, 0x80, 0xa8, ..] => return Some((place, "\\u2028", place + 3)),
                [0xe2, 0x80, 0xa9, ..] => return Some((place, "\\u2029", place + 3)),
                // The block before ended after the first byte of this character.
                [0x80, 0xa8 | 0xa9, ..] if place == at && at > 0 && bytes[at - 1] == 0xe2 => {
                    let escape = if bytes[at + 1] == 0xa8 { "\\u2028" } else { "\\u2029" };
                    return Some((at - 1, escape, at + 2));
                }
                _ => {}
            }
        }
        at += 16;
        if at >= bytes.len() {
            return None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn has_below_detects_a_byte_at_any_position() {
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

    fn finds<T: Needle>(targets: &[u8], fillers: &[u8]) {
        for &target in targets {
            for length in 0..150 {
                for &filler in fillers {
                    let mut bytes = vec![filler; length];
                    assert_eq!(find::<T>(&bytes, 0), length);
                    bytes.push(target);
                    bytes.extend([filler; 33]);
                    assert_eq!(find::<T>(&bytes, 0), length, "{target} after {length} of {filler}");
                    assert_eq!(find::<T>(&bytes, length + 1), length + 34);
                }
            }
        }
    }

    #[test]
    fn finds_every_needle_at_every_alignment() {
        let special = [b' ', b'a', 0x7f, 0x80, 0xff, b'!', b'#', b'[', b']'];
        finds::<Special>(&[b'"', b'\\', 0, 0x1f, b'\n'], &special);
        finds::<Backslash>(b"\\", &[b'[', b']', b'a', 0xdc, 0]);
        finds::<Bracket>(b"[", &[b'\\', b'Z', b'a', 0xdb, 0]);
        finds::<LineEnd>(b"\r\n", &[b'a', 0x0b, 0x0c, 0x0e, 0x8a, 0x8d, 0xff]);
    }

    #[test]
    fn finds_separators_at_every_position() {
        for (character, escape) in
            [('\u{85}', "\\u0085"), ('\u{2028}', "\\u2028"), ('\u{2029}', "\\u2029")]
        {
            for filler in ["a", "你", "“", "\u{2027}", "\u{84}", "\u{4028}", "\u{80}"] {
                for before in 0..40 {
                    for after in 0..20 {
                        let text =
                            filler.repeat(before) + &character.to_string() + &filler.repeat(after);
                        let at = before * filler.len();
                        let found = Some((at, escape, at + character.len_utf8()));
                        for from in 0..=before {
                            assert_eq!(
                                separator(text.as_bytes(), from * filler.len()),
                                found,
                                "{text:?}"
                            );
                        }
                        assert_eq!(
                            separator(text.as_bytes(), at + character.len_utf8()),
                            None,
                            "{text:?}"
                        );
                    }
                }
            }
        }
    }
}
