//! The two byte scans everything else stands on: to the end of a string, and over white space.

/// Where a string that starts at `from` (just behind its opening quote) ends, and what was met on the way.
pub(crate) struct Scan {
    /// Position of the closing quote.
    pub end: usize,
    /// A backslash occurs, so the characters are not the bytes.
    pub escaped: bool,
}

/// What stops a string scan that finds no closing quote.
pub(crate) enum Stop {
    /// The input ended inside the string.
    End,
    /// A control character below U+0020 stands unescaped at this position.
    Control(usize),
    /// A backslash at this position starts no escape.
    BadEscape(usize),
}

const VECTORS: bool = cfg!(any(target_feature = "sse2", target_feature = "neon", target_feature = "simd128"));
const BLOCK: usize = 16;
/// Words that are looked at before blocks.
const WORDS: usize = if VECTORS { 2 } else { usize::MAX };

/// What a scan looks for, in three forms.
pub(crate) trait Target {
    /// Whether this byte is looked for.
    fn is(byte: u8) -> bool;
    /// Marks the bytes of a word that are, as [`marks`] does.
    fn marks(word: u64) -> u64;
    /// A number below [`Target::LIGHT`] for every byte that is, and for few others.
    fn weight(byte: u8) -> u8;
    const LIGHT: u8 = 1;
}

/// Position of the first byte at or behind `at` that is looked for; the length of the input when there is none.
///
/// Two words, because most strings are short; then whole blocks where the target has vectors: the loop over a block has
/// no exit, so the compiler turns it into a few vector instructions. Words again find the place in a block.
#[inline(always)]
pub(crate) fn find<T: Target>(bytes: &[u8], mut at: usize) -> usize {
    loop {
        let (words, tail) = bytes.get(at..).unwrap_or_default().as_chunks::<8>();
        for word in words.iter().take(WORDS) {
            let marks = T::marks(u64::from_le_bytes(*word)) & HIGH;
            if marks != 0 {
                return at + (marks.trailing_zeros() / 8) as usize;
            }
            at += 8;
        }
        if words.len() <= WORDS {
            return at + tail.iter().position(|&byte| T::is(byte)).unwrap_or(tail.len());
        }
        let (blocks, _) = bytes.get(at..).unwrap_or_default().as_chunks::<BLOCK>();
        for block in blocks {
            let mut any = 0u8;
            for &byte in block {
                any |= u8::from(T::weight(byte) < T::LIGHT);
            }
            if any != 0 {
                break;
            }
            at += BLOCK;
        }
    }
}

const LOW: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x8080_8080_8080_8080;

/// Marks, at the high bit, the bytes of a word that are `byte`. Bits above the first mark may be wrong and all but the
/// high ones mean nothing, so only the lowest mark counts.
pub(crate) fn marks(word: u64, byte: u8) -> u64 {
    let other = word ^ (LOW * byte as u64);
    other.wrapping_sub(LOW) & !other
}

/// `"`, `\` and control characters.
struct Special;

impl Target for Special {
    fn is(byte: u8) -> bool {
        byte == b'"' || byte == b'\\' || byte < 0x20
    }

    fn marks(word: u64) -> u64 {
        marks(word, b'"') | marks(word, b'\\') | (word.wrapping_sub(LOW * 0x20) & !word)
    }

    fn weight(byte: u8) -> u8 {
        (byte ^ b'"').min(byte ^ b'\\').min(byte & 0xe0)
    }
}

/// The beginning of an escape.
struct Backslash;

impl Target for Backslash {
    fn is(byte: u8) -> bool {
        byte == b'\\'
    }

    fn marks(word: u64) -> u64 {
        marks(word, b'\\')
    }

    fn weight(byte: u8) -> u8 {
        byte ^ b'\\'
    }
}

/// Position of the first `"`, `\` or control character at or behind `at`; the length of the input when there is none.
pub(crate) fn next_special(bytes: &[u8], at: usize) -> usize {
    find::<Special>(bytes, at)
}

/// Position of the first `\` at or behind `at`; the length of the input when there is none.
pub(crate) fn next_escape(bytes: &[u8], at: usize) -> usize {
    find::<Backslash>(bytes, at)
}

/// Finds the end of the string whose first character stands at `from`.
pub(crate) fn string(bytes: &[u8], from: usize) -> Result<Scan, Stop> {
    let mut at = from;
    let mut escaped = false;
    loop {
        at = next_special(bytes, at);
        match bytes.get(at) {
            None => return Err(Stop::End),
            Some(b'"') => return Ok(Scan { end: at, escaped }),
            Some(b'\\') => {
                escaped = true;
                at += match bytes.get(at + 1) {
                    Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => 2,
                    Some(b'u') if is_hex(bytes.get(at + 2..at + 6)) => 6,
                    None => return Err(Stop::End),
                    Some(_) => return Err(Stop::BadEscape(at)),
                };
            }
            Some(_) => return Err(Stop::Control(at)),
        }
    }
}

fn is_hex(digits: Option<&[u8]>) -> bool {
    digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
}

/// Position of the first byte at or behind `at` that is not JSON white space.
pub(crate) fn skip_space(bytes: &[u8], mut at: usize) -> usize {
    while let Some(b' ' | b'\n' | b'\r' | b'\t') = bytes.get(at) {
        at += 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_every_special_byte_at_every_alignment() {
        for special in [b'"', b'\\', 0, 0x1f, b'\n'] {
            for len in 0..80 {
                for filler in [b' ', b'a', 0x7f, 0x80, 0xff, b'!', b'#', b'[', b']'] {
                    let mut bytes = vec![filler; len];
                    assert_eq!(next_special(&bytes, 0), len);
                    bytes.push(special);
                    bytes.extend([filler; 33]);
                    assert_eq!(next_special(&bytes, 0), len, "{special} behind {len} of {filler}");
                    let escape = if special == b'\\' { len } else { len + 34 };
                    assert_eq!(next_escape(&bytes, 0), escape, "{special} behind {len} of {filler}");
                }
            }
        }
    }
}
