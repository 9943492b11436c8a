//! Sets of bytes that can be searched for.

use super::word::{LOW, below, marks};

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

/// `"`, `\` and control characters. With their second bit inverted, the quote and the control characters are the bytes
/// below 0x21.
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

/// `\`
pub(crate) struct Backslash;

impl Needle for Backslash {
    #[inline]
    fn is(byte: u8) -> bool {
        byte == b'\\'
    }

    #[inline]
    fn marks(word: u64) -> u64 {
        marks(word, b'\\')
    }

    fn weight(byte: u8) -> u8 {
        byte ^ b'\\'
    }
}

/// `[`
pub(crate) struct Bracket;

impl Needle for Bracket {
    #[inline]
    fn is(byte: u8) -> bool {
        byte == b'['
    }

    #[inline]
    fn marks(word: u64) -> u64 {
        marks(word, b'[')
    }

    fn weight(byte: u8) -> u8 {
        byte ^ b'['
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

#[cfg(test)]
mod tests {
    use super::super::find;
    use super::*;

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
    fn every_byte_is_found_at_every_alignment() {
        let special = [b' ', b'a', 0x7f, 0x80, 0xff, b'!', b'#', b'[', b']'];
        finds::<Special>(&[b'"', b'\\', 0, 0x1f, b'\n'], &special);
        finds::<Backslash>(b"\\", &[b'[', b']', b'a', 0xdc, 0]);
        finds::<Bracket>(b"[", &[b'\\', b'Z', b'a', 0xdb, 0]);
        finds::<LineEnd>(b"\r\n", &[b'a', 0x0b, 0x0c, 0x0e, 0x8a, 0x8d, 0xff]);
    }
}
