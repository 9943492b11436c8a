//! One line of an event stream: its field and its value.

use crate::bytes::{self, LineEnd};

/// The field and value of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Line<'a> {
    /// The blank line that dispatches.
    Blank,
    /// A line that starts with a colon; the bytes after it.
    Comment(&'a [u8]),
    Data(&'a [u8]),
    Event(&'a [u8]),
    Id(&'a [u8]),
    Retry(&'a [u8]),
    /// A line of JSON with one object instead of a field.
    Json,
    /// A field that is not in the standard.
    Other,
}

/// Splits a line at its first colon and drops one space after it.
pub(super) fn parse(line: &[u8]) -> Line<'_> {
    // Nearly every line of a stream is of this form, which takes one comparison.
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
        _ => match line.trim_ascii() {
            [b'{', .., b'}'] => Line::Json,
            _ => Line::Other,
        },
    }
}

/// Returns the position of the first CR or LF at or after `at`.
pub(super) fn end(bytes: &[u8], at: usize) -> Option<usize> {
    let end = bytes::find::<LineEnd>(bytes, at);
    (end < bytes.len()).then_some(end)
}

/// Reports whether these bytes certainly contain neither CR nor LF, nor another control character as small: a faster
/// check than a search for the position, for chunks that are within a line.
pub(super) fn has_no_end(bytes: &[u8]) -> bool {
    !bytes::has_below(bytes, b'\r' + 1)
}
