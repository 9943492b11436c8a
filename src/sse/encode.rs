//! Writing events.

use alloc::string::String;

/// Appends one event to `out`: an `id` line and an `event` line if given, one `data` line per line
/// of `data`, and the blank line.
///
/// LF, CR and CRLF are line breaks in `data` (a decoder returns them as LF); an `id` or `name` is
/// written up to its first line break, and an id that contains U+0000 is left out, because decoders
/// would ignore it.
pub fn event(out: &mut String, id: Option<&str>, name: Option<&str>, data: &str) {
    if let Some(id) = id.filter(|id| !id.contains('\0')) {
        field(out, "id", first_line(id));
    }
    if let Some(name) = name {
        field(out, "event", first_line(name));
    }
    for line in lines(data) {
        field(out, "data", line);
    }
    out.push('\n');
}

/// Appends a comment, which keeps a connection alive and is not an event. It is allowed between any
/// two events.
pub fn comment(out: &mut String, text: &str) {
    for line in lines(text) {
        out.push(':');
        if !line.is_empty() {
            out.push(' ');
            out.push_str(line);
        }
        out.push('\n');
    }
    out.push('\n');
}

fn field(out: &mut String, name: &str, value: &str) {
    out.push_str(name);
    out.push_str(": ");
    out.push_str(value);
    out.push('\n');
}

fn first_line(text: &str) -> &str {
    text.split(['\r', '\n']).next().unwrap_or("")
}

/// Returns the lines of a text, ended by LF, CR or CRLF; an empty text has one empty line.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    core::iter::from_fn(move || {
        let text = rest?;
        let Some(end) = text.find(['\r', '\n']) else {
            rest = None;
            return Some(text);
        };
        let (line, tail) = text.split_at(end);
        rest = Some(tail.strip_prefix("\r\n").unwrap_or(&tail[1..]));
        Some(line)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_every_field_and_splits_lines() {
        let mut out = String::new();
        event(&mut out, Some("7\nevil"), Some("tick"), "a\r\nb\rc\n");
        assert_eq!(out, "id: 7\nevent: tick\ndata: a\ndata: b\ndata: c\ndata: \n\n");
    }

    #[test]
    fn comments_never_contain_events() {
        let mut out = String::new();
        comment(&mut out, "keep\ndata: alive");
        comment(&mut out, "");
        assert_eq!(out, ": keep\n: data: alive\n\n:\n\n");
    }
}
