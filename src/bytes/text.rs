//! Comparison, digits, and parts of texts.

use super::simd128;
use alloc::string::String;

/// Reports whether two runs of bytes are equal. Comparing slices calls the target's `memcmp`, which
/// in wasm goes byte by byte.
#[inline]
pub(crate) fn same(one: &[u8], other: &[u8]) -> bool {
    let in_words = cfg!(target_family = "wasm");
    if in_words { one.len() == other.len() && same_words(one, other) } else { one == other }
}

/// Reports whether two names are equal. Most names have four to eight bytes and are compared
/// without a call.
#[inline(always)]
pub(crate) fn same_name(one: &[u8], other: &[u8]) -> bool {
    if !matches!(one.len(), 4..=8) || one.len() != other.len() {
        return same(one, other);
    }
    one.first_chunk::<4>() == other.first_chunk() && one.last_chunk::<4>() == other.last_chunk()
}

/// Returns the text after `start`, if `text` starts with it: `strip_prefix` by words.
pub(crate) fn after<'a>(text: &'a str, start: &str) -> Option<&'a str> {
    let (found, rest) = text.split_at_checked(start.len())?;
    same(found.as_bytes(), start.as_bytes()).then_some(rest)
}

/// Compares runs of equal length: the words, and the last bytes, which overlap the last word.
#[inline(never)]
fn same_words(one: &[u8], other: &[u8]) -> bool {
    if let Some(same) = simd128::same(one, other) {
        return same;
    }
    if let (Some(end), Some(same)) = (one.last_chunk(), other.last_chunk()) {
        let word = |bytes: &[u8; 8]| u64::from_le_bytes(*bytes);
        let mut words = one.as_chunks().0.iter().zip(other.as_chunks().0);
        return word(end) == word(same) && words.all(|(one, other)| word(one) == word(other));
    }
    if let (Some(end), Some(same)) = (one.last_chunk(), other.last_chunk()) {
        let half = |bytes: &[u8; 4]| u32::from_le_bytes(*bytes);
        let mut halves = one.as_chunks().0.iter().zip(other.as_chunks().0);
        return half(end) == half(same) && halves.all(|(one, other)| half(one) == half(other));
    }
    one.iter().eq(other)
}

/// Appends a text. Used outside of hot paths: an inlined `push_str` would be a large part of small
/// functions.
#[cfg_attr(target_family = "wasm", inline(never))]
pub(crate) fn put(out: &mut String, text: &str) {
    out.push_str(text);
}

/// Returns a part of a text whose bounds are known to be correct, without the code for a panic.
#[inline]
pub(crate) fn between(text: &str, from: usize, to: usize) -> &str {
    text.get(from..to).unwrap_or_default()
}

/// Reports whether a text contains a short one. `str::contains` brings code for patterns of any
/// length.
#[cfg(feature = "ag-ui")]
pub(crate) fn holds<const LENGTH: usize>(text: &str, part: &[u8; LENGTH]) -> bool {
    text.as_bytes().windows(LENGTH).any(|window| window == part)
}

/// Parses a number in decimal digits and nothing else.
pub(crate) fn digits(text: &[u8]) -> Option<u64> {
    let digit = |number: u64, byte: &u8| {
        let digit = byte.wrapping_sub(b'0');
        // Checked before: `checked_mul` is a product of 128 bits in wasm, by a call.
        let tens = (number <= u64::MAX / 10).then(|| number * 10)?;
        tens.checked_add(u64::from(digit)).filter(|_| digit < 10)
    };
    if text.is_empty() { None } else { text.iter().try_fold(0, digit) }
}

/// Returns the bytes as text if they are UTF-8.
#[inline]
pub(crate) fn utf8(bytes: &[u8]) -> Option<&str> {
    #[cfg(feature = "simd")]
    return simdutf8::basic::from_utf8(bytes).ok();
    #[cfg(not(feature = "simd"))]
    return core::str::from_utf8(bytes).ok();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compares_every_byte() {
        for len in 0..70 {
            let bytes: Vec<u8> = (0..len).collect();
            assert!(same_words(&bytes, &bytes.clone()) && same_name(&bytes, &bytes.clone()));
            assert!(!same_name(&bytes, &bytes[..bytes.len().saturating_sub(1)]) || len == 0);
            for at in 0..bytes.len() {
                let mut other = bytes.clone();
                other[at] ^= 0x80;
                assert!(!same_words(&bytes, &other) && !same_name(&bytes, &other), "{at} of {len}");
            }
        }
    }
}
