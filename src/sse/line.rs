//! One line of an event stream: its field and its value.

use crate::json::scan::{self, Target};

/// What a line says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Line<'a> {
    /// The blank line that dispatches.
    Blank,
    /// A line that starts with a colon; the bytes behind it.
    Comment(&'a [u8]),
    Data(&'a [u8]),
    Event(&'a [u8]),
    Id(&'a [u8]),
    Retry(&'a [u8]),
    /// A field that the standard does not know.
    Other,
}

/// Splits a line at its first colon and drops one space behind it.
pub(super) fn parse(line: &[u8]) -> Line<'_> {
    // What nearly every line of a stream is, decided by one comparison.
    if let Some(value) = line.strip_prefix(b"data: ") {
        return Line::Data(value);
    }
    let (name, value) = match line.iter().position(|&b| b == b':') {
        Some(colon) => (&line[..colon], &line[colon + 1..]),
        None => (line, &line[line.len()..]),
    };
    if name.is_empty() {
        return if line.is_empty() { Line::Blank } else { Line::Comment(value) };
    }
    let value = value.strip_prefix(b" ").unwrap_or(value);
    match name {
        b"data" => Line::Data(value),
        b"event" => Line::Event(value),
        b"id" => Line::Id(value),
        b"retry" => Line::Retry(value),
        _ => Line::Other,
    }
}

/// CR and LF.
struct LineEnd;

impl Target for LineEnd {
    #[inline]
    fn is(byte: u8) -> bool {
        byte == b'\n' || byte == b'\r'
    }

    #[inline]
    fn marks(word: u64) -> u64 {
        scan::marks(word, b'\n') | scan::marks(word, b'\r')
    }

    /// Lines hold next to no other bytes that are as small.
    fn weight(byte: u8) -> u8 {
        byte
    }

    const LIGHT: u8 = b'\r' + 1;
}

/// Position of the first CR or LF at or behind `at`.
pub(super) fn end(bytes: &[u8], at: usize) -> Option<usize> {
    let end = scan::find::<LineEnd>(bytes, at);
    (end < bytes.len()).then_some(end)
}

/// Whether there is surely neither CR nor LF in these bytes, nor another control character as small: the quick way over
/// a chunk that is all inside a line, without a place to find.
pub(super) fn has_no_end(bytes: &[u8]) -> bool {
    const SMALL: u8 = b'\r' + 1;
    let (blocks, rest) = if scan::VECTORS { bytes.as_chunks::<64>() } else { (&[][..], bytes) };
    for block in blocks {
        let (first, second) = block.split_at(32);
        let mut any = 0u8;
        for at in 0..16 {
            let smallest = first[at].min(first[at + 16]).min(second[at]).min(second[at + 16]);
            any |= u8::from(smallest < SMALL);
        }
        if any != 0 {
            return false;
        }
    }
    let has_none = |word: &[u8; 8]| scan::below(u64::from_le_bytes(*word), SMALL) & scan::HIGH == 0;
    // The bytes behind the last whole word are in the last eight.
    match rest.last_chunk() {
        Some(last) => rest.as_chunks().0.iter().chain([last]).all(has_none),
        None => rest.iter().all(|&byte| byte >= SMALL),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_line_ends_at_every_alignment() {
        for byte in [b'\n', b'\r'] {
            for len in 0..150 {
                for filler in [b'a', 0x0b, 0x0c, 0x0e, 0x8a, 0x8d, 0xff] {
                    let mut bytes = vec![filler; len];
                    assert_eq!(end(&bytes, 0), None);
                    assert_eq!(has_no_end(&bytes), len == 0 || filler > b'\r');
                    bytes.push(byte);
                    bytes.extend([filler; 33]);
                    assert_eq!(end(&bytes, 0), Some(len));
                    assert!(!has_no_end(&bytes));
                }
            }
        }
    }
}
