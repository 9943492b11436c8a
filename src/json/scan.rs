//! The two scans of JSON text: to the end of a string, and over white space.

use crate::bytes::{Backslash, Special, find};

/// The result of scanning a string that starts just after its opening quote.
pub(crate) struct Scan {
    /// Position of the closing quote.
    pub end: usize,
    /// A backslash occurs, so the characters differ from the bytes.
    pub escaped: bool,
    /// A `\u` escape occurs, which may be half of a character.
    pub numbered: bool,
}

/// The reason why a scan stopped before the closing quote.
pub(crate) enum ScanStop {
    /// The input ended inside the string.
    End,
    /// A control character below U+0020 is unescaped at this position.
    Control(usize),
    /// The backslash at this position is not the start of an escape.
    BadEscape(usize),
}

/// Returns the position of the first `"`, `\` or control character at or after `at`, else the
/// length of the input.
#[inline(never)]
pub(crate) fn next_special(bytes: &[u8], at: usize) -> usize {
    find::<Special>(bytes, at)
}

/// Returns the position of the first `\` at or after `at`, else the length of the input.
pub(crate) fn next_escape(bytes: &[u8], at: usize) -> usize {
    find::<Backslash>(bytes, at)
}

/// Finds the end of the string whose first character is at `from`.
#[inline(always)]
pub(crate) fn string(bytes: &[u8], from: usize) -> Result<Scan, ScanStop> {
    let end = next_special(bytes, from);
    if bytes.get(end) == Some(&b'"') {
        Ok(Scan { end, escaped: false, numbered: false })
    } else {
        escaped(bytes, end)
    }
}

/// Finds the end of the string from the first special byte on.
#[inline(never)]
fn escaped(bytes: &[u8], mut at: usize) -> Result<Scan, ScanStop> {
    let mut numbered = false;
    loop {
        match bytes.get(at) {
            None => return Err(ScanStop::End),
            Some(b'"') => return Ok(Scan { end: at, escaped: true, numbered }),
            Some(b'\\') => match escape(bytes, at) {
                Some(length) => {
                    numbered |= length > 2;
                    at += length;
                }
                None if at + 1 == bytes.len() => return Err(ScanStop::End),
                None => return Err(ScanStop::BadEscape(at)),
            },
            Some(_) => return Err(ScanStop::Control(at)),
        }
        at = find::<Special>(bytes, at);
    }
}

/// Returns the length of the complete escape that starts at `at`, else `None`.
#[inline]
pub(crate) fn escape(bytes: &[u8], at: usize) -> Option<usize> {
    match bytes.get(at..at + 2)? {
        [b'\\', b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't'] => Some(2),
        b"\\u" => is_hex(bytes.get(at + 2..at + 6)).then_some(6),
        _ => None,
    }
}

fn is_hex(digits: Option<&[u8]>) -> bool {
    digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
}

/// Returns the position of the first byte at or after `at` that is not JSON white space.
#[inline]
pub(crate) fn skip_space(bytes: &[u8], mut at: usize) -> usize {
    while let Some(b' ' | b'\n' | b'\r' | b'\t') = bytes.get(at) {
        at += 1;
    }
    at
}
