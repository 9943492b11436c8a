//! One line of an event stream: its field and its value.

use crate::bytes::{self, LineEnd};

/// What a line says.
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
    /// No field, but as a line of JSON that holds one object.
    Json,
    /// A field that the standard does not know.
    Other,
}

/// Splits a line at its first colon and drops one space after it.
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
        _ => match line.trim_ascii() {
            [b'{', .., b'}'] => Line::Json,
            _ => Line::Other,
        },
    }
}

/// Position of the first CR or LF at or after `at`.
pub(super) fn end(bytes: &[u8], at: usize) -> Option<usize> {
    let end = bytes::find::<LineEnd>(bytes, at);
    (end < bytes.len()).then_some(end)
}

/// Whether there is surely neither CR nor LF in these bytes, nor another control character as small: the quick way over
/// a chunk that is all inside a line, without a place to find.
pub(super) fn has_no_end(bytes: &[u8]) -> bool {
    !bytes::has_below(bytes, b'\r' + 1)
}
