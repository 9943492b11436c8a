//! The two byte scans everything else stands on: to the end of a string, and over white space.

/// Where a string that starts at `from` (just behind its opening quote) ends, and what was met on the way.
pub(crate) struct Scan {
    /// Position of the closing quote.
    pub end: usize,
    /// A backslash occurs, so the characters are not the bytes.
    pub escaped: bool,
    /// A character occurs by its number, which may be half of one.
    pub numbered: bool,
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

/// The target has vectors, so that loops over blocks of bytes pay. Not said of wasm's: optimised for size, as our module
/// is, the loops stay scalar and cost more than words; optimised for speed, they gain nothing measurable.
pub(crate) const VECTORS: bool = cfg!(any(target_feature = "sse2", target_feature = "neon"));

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
/// One word, because most strings are short; then whole blocks where the target has vectors: the loop over a block has no
/// exit, so the compiler turns it into a few vector instructions, and a block that holds one is asked for the place
/// without a branch, which nobody could predict. The rest goes by words.
#[inline(always)]
pub(crate) fn find<T: Target>(bytes: &[u8], mut at: usize) -> usize {
    let mut rest = bytes.get(at..).unwrap_or_default();
    if VECTORS && let Some((word, behind)) = rest.split_first_chunk() {
        let marks = T::marks(u64::from_le_bytes(*word)) & HIGH;
        if marks != 0 {
            return at + (marks.trailing_zeros() / 8) as usize;
        }
        at += 8;
        let (blocks, behind) = behind.as_chunks::<32>();
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
        rest = behind;
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

const LOW: u64 = 0x0101_0101_0101_0101;
/// The bits of a word that marks stand at.
pub(crate) const HIGH: u64 = 0x8080_8080_8080_8080;

/// Marks, at the high bit, the bytes of a word that are `byte`. Bits above the first mark may be wrong and all but the
/// high ones mean nothing, so only the lowest mark counts.
#[inline]
pub(crate) fn marks(word: u64, byte: u8) -> u64 {
    let other = word ^ (LOW * byte as u64);
    other.wrapping_sub(LOW) & !other
}

/// Marks the bytes of a word that are smaller than `limit` (at most 0x80), in the same way.
#[inline]
pub(crate) fn below(word: u64, limit: u8) -> u64 {
    word.wrapping_sub(LOW * limit as u64) & !word
}

/// `"`, `\` and control characters. With their second bit turned over, the quote and the control characters are the bytes
/// below 0x21.
struct Special;

impl Target for Special {
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

/// The beginning of an escape.
struct Backslash;

impl Target for Backslash {
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

/// Position of the first `"`, `\` or control character at or behind `at`; the length of the input when there is none.
pub(crate) fn next_special(bytes: &[u8], at: usize) -> usize {
    find::<Special>(bytes, at)
}

/// Position of the first `\` at or behind `at`; the length of the input when there is none.
pub(crate) fn next_escape(bytes: &[u8], at: usize) -> usize {
    find::<Backslash>(bytes, at)
}

/// Finds the end of the string whose first character stands at `from`.
#[inline]
pub(crate) fn string(bytes: &[u8], from: usize) -> Result<Scan, Stop> {
    let end = find::<Special>(bytes, from);
    if bytes.get(end) == Some(&b'"') {
        Ok(Scan { end, escaped: false, numbered: false })
    } else {
        escaped(bytes, end)
    }
}

/// The same from the first byte on that is not plain.
#[inline(never)]
fn escaped(bytes: &[u8], mut at: usize) -> Result<Scan, Stop> {
    let mut numbered = false;
    loop {
        match bytes.get(at) {
            None => return Err(Stop::End),
            Some(b'"') => return Ok(Scan { end: at, escaped: true, numbered }),
            Some(b'\\') => {
                at += match bytes.get(at + 1) {
                    Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => 2,
                    Some(b'u') if is_hex(bytes.get(at + 2..at + 6)) => {
                        numbered = true;
                        6
                    }
                    None => return Err(Stop::End),
                    Some(_) => return Err(Stop::BadEscape(at)),
                };
            }
            Some(_) => return Err(Stop::Control(at)),
        }
        at = find::<Special>(bytes, at);
    }
}

fn is_hex(digits: Option<&[u8]>) -> bool {
    digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
}

/// Whether two runs of bytes are the same. Comparing slices calls the target's `memcmp`, which in wasm goes byte by byte.
#[inline]
pub(crate) fn same(one: &[u8], other: &[u8]) -> bool {
    let in_words = cfg!(target_family = "wasm");
    if in_words { one.len() == other.len() && same_words(one, other) } else { one == other }
}

/// What stands behind `start`, if a text starts so: `strip_prefix` by words.
pub(crate) fn behind<'a>(text: &'a str, start: &str) -> Option<&'a str> {
    let (found, rest) = text.split_at_checked(start.len())?;
    same(found.as_bytes(), start.as_bytes()).then_some(rest)
}

/// Of runs of one length: the words, and the last bytes once more with what is behind the words.
#[inline(never)]
fn same_words(one: &[u8], other: &[u8]) -> bool {
    if let (Some(end), Some(same)) = (one.last_chunk(), other.last_chunk()) {
        let word = |bytes: &[u8; 16]| u128::from_le_bytes(*bytes);
        let words = one.as_chunks().0.iter().zip(other.as_chunks().0);
        return word(end) == word(same)
            && words.fold(true, |same, (one, other)| same & (word(one) == word(other)));
    }
    if let (Some(end), Some(same)) = (one.last_chunk(), other.last_chunk()) {
        let half = |bytes: &[u8; 4]| u32::from_le_bytes(*bytes);
        let mut halves = one.as_chunks().0.iter().zip(other.as_chunks().0);
        return half(end) == half(same) && halves.all(|(one, other)| half(one) == half(other));
    }
    one.iter().eq(other)
}

/// Position of the first byte at or behind `at` that is not JSON white space.
#[inline]
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
    fn compares_every_byte() {
        for len in 0..70 {
            let bytes: Vec<u8> = (0..len).collect();
            assert!(same_words(&bytes, &bytes.clone()));
            for at in 0..bytes.len() {
                let mut other = bytes.clone();
                other[at] ^= 0x80;
                assert!(!same_words(&bytes, &other), "{at} of {len}");
            }
        }
    }

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
