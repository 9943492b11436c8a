//! Joining pieces of base64, each of which is base64 by itself.

use alloc::string::String;

use super::put;

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Joins pieces: base64 of the bytes of all of them. Bytes that do not fill a group of three are
/// kept for the next piece.
#[derive(Clone, Debug, Default)]
pub(crate) struct Base64Joiner {
    kept: [u8; 3],
    count: usize,
}

fn value(letter: u8) -> Option<u8> {
    Some(match letter {
        b'A'..=b'Z' => letter - b'A',
        b'a'..=b'z' => letter - b'a' + 26,
        b'0'..=b'9' => letter - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    })
}

fn write_group(bytes: &[u8], out: &mut String) {
    let byte = |at: usize| u32::from(bytes.get(at).copied().unwrap_or(0));
    let group = byte(0) << 16 | byte(1) << 8 | byte(2);
    for place in 0..4 {
        let letter = ALPHABET[(group >> (18 - 6 * place)) as usize & 63];
        out.push(if place > bytes.len() { '=' } else { char::from(letter) });
    }
}

impl Base64Joiner {
    /// Returns the base64 that the piece adds, or `None` if it is not base64. Padding may be
    /// missing.
    pub fn add(&mut self, piece: &str) -> Option<String> {
        let letters = piece.trim_end_matches('=');
        if piece.len() - letters.len() > 2 || letters.len() % 4 == 1 {
            return None;
        }
        let mut out = String::with_capacity(piece.len() + 4);
        if self.count == 0 && letters.len().is_multiple_of(4) {
            letters
                .bytes()
                .all(|letter| value(letter).is_some())
                .then(|| put(&mut out, letters))?;
            return Some(out);
        }
        let before = self.clone();
        for group in letters.as_bytes().chunks(4) {
            let mut bits = 0;
            for (place, letter) in group.iter().enumerate() {
                let Some(value) = value(*letter) else {
                    *self = before;
                    return None;
                };
                bits |= u32::from(value) << (18 - 6 * place);
            }
            for place in 0..group.len() - 1 {
                self.kept[self.count] = (bits >> (16 - 8 * place)) as u8;
                self.count += 1;
                if self.count == 3 {
                    write_group(&self.kept, &mut out);
                    self.count = 0;
                }
            }
        }
        Some(out)
    }

    /// Returns the base64 of the bytes that were kept.
    pub fn end(&mut self) -> String {
        let mut out = String::new();
        if self.count > 0 {
            write_group(&self.kept[..self.count], &mut out);
            self.count = 0;
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joined(pieces: &[&str]) -> Option<String> {
        let mut joiner = Base64Joiner::default();
        let mut all = String::new();
        for piece in pieces {
            all += &joiner.add(piece)?;
        }
        Some(all + &joiner.end())
    }

    #[test]
    fn pieces_are_joined_as_bytes() {
        for (pieces, whole) in [
            (&["aGVsbG8="][..], "aGVsbG8="),
            (&["aGU=", "bGxv"], "aGVsbG8="),
            (&["aA==", "ZQ==", "bA==", "bG8="], "aGVsbG8="),
            (&["aGVs", "bG8="], "aGVsbG8="),
            (&["aGVs", "bG8"], "aGVsbG8="),
            (&["", "/+8="], "/+8="),
            (&[], ""),
        ] {
            assert_eq!(joined(pieces).as_deref(), Some(whole), "{pieces:?}");
        }
        for wrong in ["a", "a===", "aG V", "ä", "aGVsb", "aGVs!"] {
            assert_eq!(joined(&[wrong]), None, "{wrong}");
        }
    }
}
