//! JSON strings, decoded only on request.

use alloc::borrow::Cow;
use alloc::string::String;
use core::fmt;

use super::scan;
use crate::bytes::between;

/// A JSON string as written between its quotes.
///
/// Copying it does not allocate; nor does decoding if nothing is escaped, which is the usual case.
#[derive(Clone, Copy)]
pub struct Str<'a> {
    raw: &'a str,
    escaped: bool,
}

/// The first half of a surrogate pair whose second half is in the next piece of the same text
/// (`"\ud83d"`, then `"\ude00"`). Producers that cut UTF-16 text at any unit send such halves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SurrogateHalf(Option<u16>);

impl SurrogateHalf {
    /// No half is pending.
    pub const NONE: Self = SurrogateHalf(None);

    /// Reports whether a half is waiting for its second half.
    pub fn is_waiting(self) -> bool {
        self.0.is_some()
    }
}

impl<'a> Str<'a> {
    /// Creates a string without escapes: its characters are its bytes.
    pub fn plain(text: &'a str) -> Self {
        Str { raw: text, escaped: false }
    }

    pub(crate) fn new(raw: &'a str, escaped: bool) -> Self {
        Str { raw, escaped }
    }

    /// Returns the characters if they are the bytes.
    pub fn as_plain(self) -> Option<&'a str> {
        (!self.escaped).then_some(self.raw)
    }

    /// Returns the bytes between the quotes, including escapes.
    pub fn raw(self) -> &'a str {
        self.raw
    }

    /// Returns the number of bytes of the characters of a string without `\u` escapes: each other
    /// escape is one byte.
    #[cfg(feature = "hub")]
    pub(crate) fn decoded_length(self) -> usize {
        let mut length = self.raw.len();
        let mut at = if self.escaped { scan::next_escape(self.raw.as_bytes(), 0) } else { length };
        while at < self.raw.len() {
            length -= 1;
            at = scan::next_escape(self.raw.as_bytes(), at + 2);
        }
        length
    }

    /// Reports whether the string is empty.
    pub fn is_empty(self) -> bool {
        self.raw.is_empty()
    }

    /// Returns the characters; a lone surrogate becomes U+FFFD.
    pub fn to_str(self) -> Cow<'a, str> {
        if !self.escaped {
            return Cow::Borrowed(self.raw);
        }
        let mut out = String::with_capacity(self.raw.len());
        let mut half = SurrogateHalf::NONE;
        decode_into(self, &mut half, &mut out);
        if half.is_waiting() {
            out.push('\u{fffd}');
        }
        Cow::Owned(out)
    }
}

impl PartialEq<&str> for Str<'_> {
    fn eq(&self, other: &&str) -> bool {
        match self.as_plain() {
            Some(text) => text == *other,
            None => self.to_str() == *other,
        }
    }
}

impl PartialEq for Str<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.to_str() == other.to_str()
    }
}

impl fmt::Debug for Str<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.to_str())
    }
}

/// Appends the characters of `piece` to `out`, joining surrogate halves with the half that is
/// pending from the piece before. Returns the number of lone halves that became U+FFFD.
pub fn decode_into(piece: Str<'_>, half: &mut SurrogateHalf, out: &mut String) -> u32 {
    let (mut lone, raw) = (0, piece.raw);
    // The start of the characters that are unescaped, and the position from which the next escape
    // is searched.
    let (mut from, mut at) = (0, 0);
    loop {
        let end = if piece.escaped { scan::next_escape(raw.as_bytes(), at) } else { raw.len() };
        // The reader has checked that every backslash starts a whole, valid escape.
        let code = raw.as_bytes().get(end + 1).copied();
        if from < end || code.is_some_and(|code| code != b'u') {
            lone += flush(half, out);
        }
        out.push_str(raw.get(from..end).unwrap_or_default());
        at = match code {
            None => return lone,
            Some(b'"' | b'\\' | b'/') => {
                // The escaped character is itself.
                from = end + 1;
                at = end + 2;
                continue;
            }
            Some(b'u') => {
                let digits = between(raw, end + 2, end + 6).bytes();
                let unit = digits.fold(0, |unit, digit| unit << 4 | u16::from(hex(digit)));
                lone += push_unit(unit, half, out);
                end + 6
            }
            Some(code) => {
                // A table, because a branch of `match` would be mispredicted.
                const LETTERS: &[u8; 19] = b"\x08cde\x0cghijklm\nopq\rs\t";
                let plain = LETTERS.get(code.wrapping_sub(b'b') as usize).unwrap_or(&code);
                // Always ASCII; the mask lets the compiler omit the check for longer characters.
                out.push((plain & 0x7f) as char);
                end + 2
            }
        };
        from = at;
    }
}

/// Returns the characters of `piece`, which continues a text, and the number of lone halves that
/// became U+FFFD. The characters are the piece's own bytes if nothing is escaped or pending, else
/// they are written to `scratch`.
pub(crate) fn joined<'s>(
    piece: Str<'s>,
    half: &mut SurrogateHalf,
    scratch: &'s mut String,
) -> (&'s str, u32) {
    match piece.as_plain().filter(|_| !half.is_waiting()) {
        Some(plain) => (plain, 0),
        None => {
            scratch.clear();
            let lone = decode_into(piece, half, scratch);
            (scratch, lone)
        }
    }
}

/// Returns the value of a hexadecimal digit.
fn hex(digit: u8) -> u8 {
    if digit.is_ascii_digit() { digit - b'0' } else { (digit | 0x20).wrapping_sub(b'a' - 10) }
}

fn flush(half: &mut SurrogateHalf, out: &mut String) -> u32 {
    match half.0.take() {
        Some(_) => {
            out.push('\u{fffd}');
            1
        }
        None => 0,
    }
}

fn push_unit(unit: u16, half: &mut SurrogateHalf, out: &mut String) -> u32 {
    if (0xdc00..0xe000).contains(&unit) {
        let Some(high) = half.0.take() else {
            out.push('\u{fffd}');
            return 1;
        };
        let code = 0x10000 + ((high as u32 - 0xd800) << 10) + (unit as u32 - 0xdc00);
        out.push(char::from_u32(code).unwrap_or('\u{fffd}'));
        return 0;
    }
    let lone = flush(half, out);
    if (0xd800..0xdc00).contains(&unit) {
        half.0 = Some(unit);
    } else {
        out.push(char::from_u32(unit as u32).unwrap_or('\u{fffd}'));
    }
    lone
}

#[cfg(test)]
mod tests {
    use super::*;

    fn escaped(raw: &str) -> Str<'_> {
        Str::new(raw, raw.contains('\\'))
    }

    #[test]
    fn decodes_every_escape() {
        assert_eq!(
            escaped(r#"a\"\\\/\b\f\n\r\t\u00e9\u4f60x"#).to_str(),
            "a\"\\/\u{8}\u{c}\n\r\té你x"
        );
    }

    #[test]
    fn joins_surrogate_pairs_across_chunks() {
        let (mut half, mut out) = (SurrogateHalf::NONE, String::new());
        assert_eq!(decode_into(escaped(r"a\ud83d"), &mut half, &mut out), 0);
        assert!(half.is_waiting());
        assert_eq!(decode_into(escaped(""), &mut half, &mut out), 0);
        assert_eq!(decode_into(escaped(r"\ude00b"), &mut half, &mut out), 0);
        assert_eq!(out, "a😀b");
    }

    #[test]
    fn lone_surrogates_become_replacement_characters() {
        for raw in [r"\ud83dx", r"\ude00x", r"\ud83d\n", r"\ud83d\ud83d\ude00"] {
            let (mut half, mut out) = (SurrogateHalf::NONE, String::new());
            assert_eq!(decode_into(escaped(raw), &mut half, &mut out), 1, "{raw}");
            assert!(out.starts_with('\u{fffd}'));
            assert!(!half.is_waiting());
        }
        assert_eq!(escaped(r"x\ud83d").to_str(), "x\u{fffd}");
    }
}
