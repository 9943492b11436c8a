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

/// Whole blocks at once, where the target has vectors: the loop over a block has no exit, so the compiler turns it into
/// a few vector instructions. Elsewhere it would be slower than going by words, so there it does nothing.
pub(crate) mod block {
    const VECTORS: bool =
        cfg!(any(target_feature = "sse2", target_feature = "neon", target_feature = "simd128"));
    const BLOCK: usize = 32;

    /// Skips blocks of which every byte is `plain`.
    #[inline(always)]
    pub fn skip_while(bytes: &[u8], at: usize, special: impl Fn(u8) -> bool) -> usize {
        if !VECTORS {
            return at;
        }
        let rest = bytes.get(at..).unwrap_or_default();
        let (blocks, _) = rest.as_chunks::<BLOCK>();
        let mut plain = 0;
        for block in blocks {
            let mut any = 0u8;
            for &byte in block {
                any |= u8::from(special(byte));
            }
            if any != 0 {
                break;
            }
            plain += BLOCK;
        }
        at + plain
    }
}

const LOW: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x8080_8080_8080_8080;

/// Marks (at the high bit of its byte) the first `"`, `\` or control character of eight bytes; bits above the first mark
/// may be wrong, so only the lowest one is meaningful.
fn special(word: u64) -> u64 {
    let quote = word ^ (LOW * b'"' as u64);
    let slash = word ^ (LOW * b'\\' as u64);
    let zero_byte = |w: u64| w.wrapping_sub(LOW) & !w;
    (zero_byte(quote) | zero_byte(slash) | (word.wrapping_sub(LOW * 0x20) & !word)) & HIGH
}

/// Position of the first `"`, `\` or control character at or behind `at`; the length of the input when there is none.
pub(crate) fn next_special(bytes: &[u8], at: usize) -> usize {
    let mut at = block::skip_while(bytes, at, |byte| (byte == b'"') | (byte == b'\\') | (byte < 0x20));
    while let Some(chunk) = bytes.get(at..at + 8) {
        let word = u64::from_le_bytes(chunk.try_into().expect("eight bytes"));
        let mark = special(word);
        if mark != 0 {
            return at + (mark.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    while let Some(&b) = bytes.get(at) {
        if b == b'"' || b == b'\\' || b < 0x20 {
            return at;
        }
        at += 1;
    }
    at
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
            for len in 0..40 {
                for filler in [b' ', b'a', 0x7f, 0x80, 0xff, b'!', b'#', b'[', b']'] {
                    let mut bytes = vec![filler; len];
                    assert_eq!(next_special(&bytes, 0), len);
                    bytes.push(special);
                    bytes.extend([filler; 9]);
                    assert_eq!(next_special(&bytes, 0), len, "{special} behind {len} of {filler}");
                }
            }
        }
    }
}
