//! The three characters that some readers of lines treat as a line end: U+0085, U+2028 and U+2029.

use super::simd128;

/// Returns the start of the first of them at or after `at`, its escape in JSON, and its end.
///
/// The search is for the two bytes that distinguish them from nearly all other characters: the last two of E2 80 A8 and
/// E2 80 A9, and C2 85. A search for the first byte would stop at every dash and curly quote.
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
    fn each_is_found_at_every_place() {
        for (character, escape) in [('\u{85}', "\\u0085"), ('\u{2028}', "\\u2028"), ('\u{2029}', "\\u2029")] {
            for filler in ["a", "你", "“", "\u{2027}", "\u{84}", "\u{4028}", "\u{80}"] {
                for before in 0..40 {
                    for after in 0..20 {
                        let text = filler.repeat(before) + &character.to_string() + &filler.repeat(after);
                        let at = before * filler.len();
                        let found = Some((at, escape, at + character.len_utf8()));
                        for from in 0..=before {
                            assert_eq!(separator(text.as_bytes(), from * filler.len()), found, "{text:?}");
                        }
                        assert_eq!(separator(text.as_bytes(), at + character.len_utf8()), None, "{text:?}");
                    }
                }
            }
        }
    }
}
