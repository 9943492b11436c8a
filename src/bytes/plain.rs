//! Short texts that JSON has as they are.

use super::needle::{Needle, Special};
use super::word::{HIGH, LOW, marks};

/// Whether a text has at most 24 bytes and surely nothing that is escaped in JSON, nor a byte that begins one of the three
/// characters that [`separator`](super::separator) looks for. Most ids and pieces of a text are like that: a few words are
/// done with them before a search by vectors has begun.
pub(crate) fn is_short_and_plain(bytes: &[u8]) -> bool {
    let word = |from: usize| bytes.get(from..).and_then(|rest| rest.first_chunk()).map_or(0, escaped);
    let found = match *bytes {
        [] => 0,
        [a] => escaped(&[a; 8]),
        [a, b] => escaped(&[a, b, b, b, b, b, b, b]),
        [a, b, c] => escaped(&[a, b, c, c, c, c, c, c]),
        // Both halves of a word, which may overlap; then words, of which the last one may.
        [a, b, c, d, ..] if bytes.len() < 8 => match bytes.last_chunk() {
            Some(&[e, f, g, h]) => escaped(&[a, b, c, d, e, f, g, h]),
            None => 0,
        },
        _ if bytes.len() <= 24 => word(0) | word(8) | word(bytes.len() - 8),
        _ => HIGH,
    };
    found & HIGH == 0
}

/// Marks the bytes of a word that are escaped, or may begin what is.
fn escaped(word: &[u8; 8]) -> u64 {
    let word = u64::from_le_bytes(*word);
    // 0xc2 and 0xe2, which differ in one bit.
    Special::marks(word) | marks(word & !(LOW * 0x20), 0xc2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_byte_tells_at_every_place() {
        for length in 0..=30 {
            for byte in 0..=u8::MAX {
                let plain = byte >= b' ' && !matches!(byte, b'"' | b'\\' | 0xc2 | 0xe2);
                for at in 0..length {
                    let mut bytes = vec![b'a'; length];
                    bytes[at] = byte;
                    assert_eq!(is_short_and_plain(&bytes), plain && length <= 24, "{byte} at {at} of {length}");
                }
            }
        }
        assert!(is_short_and_plain(b""));
    }
}
