//! Decoding of UTF-8.

use alloc::borrow::Cow;
use alloc::string::String;

use crate::bytes::{put, utf8};

/// Decodes bytes as UTF-8; invalid bytes become U+FFFD as in the standard's decoder.
pub(crate) fn text(bytes: &[u8]) -> Cow<'_, str> {
    utf8(bytes).map_or_else(|| Cow::Owned(replaced(bytes)), Cow::Borrowed)
}

/// Replaces each longest run of bytes that begins a character, and each byte that cannot, by one U+FFFD.
fn replaced(bytes: &[u8]) -> String {
    let (mut out, mut rest) = (String::new(), bytes);
    while let Err(error) = core::str::from_utf8(rest) {
        let (good, bad) = rest.split_at(error.valid_up_to());
        put(&mut out, core::str::from_utf8(good).unwrap_or_default());
        put(&mut out, "\u{fffd}");
        rest = bad.get(error.error_len().unwrap_or(bad.len())..).unwrap_or_default();
    }
    put(&mut out, core::str::from_utf8(rest).unwrap_or_default());
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replaces_as_the_standard_does() {
        let pieces: [&[u8]; 9] = [
            b"a",
            b"\xe4\xbd\xa0",
            b"\xf0\x9f",
            b"\xe2\x82",
            b"\x80",
            b"\xc0\xaf",
            b"\xed\xa0\x80",
            b"\xff",
            b"\xc3",
        ];
        for mut number in 0..pieces.len().pow(4) {
            let mut bytes = Vec::new();
            for _ in 0..4 {
                bytes.extend_from_slice(pieces[number % pieces.len()]);
                number /= pieces.len();
            }
            assert_eq!(text(&bytes), String::from_utf8_lossy(&bytes), "{bytes:x?}");
        }
    }
}
