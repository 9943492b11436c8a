//! The standard output: text, and JSON for people.

use std::io::{ErrorKind, Write, stdout};

use agentwire::json::{Member, Value, write_string};

use crate::input::Unreadable;

/// Writes a text. Returns false if the pipe is closed, which is not an error.
pub fn write(text: &str) -> Result<bool, Unreadable> {
    let mut stdout = stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(false),
        Err(error) => Err(Unreadable(format!("cannot write: {error}"))),
    }
}

/// Prints JSON, indented by two spaces if `pretty`.
pub fn print(json: &str, pretty: bool) -> Result<(), Unreadable> {
    let value = pretty.then(|| Value::parse(json, u32::MAX).ok()).flatten();
    let mut text = value.map_or_else(|| json.to_owned(), |value| indented(&value));
    text.push('\n');
    write(&text).map(drop)
}

fn indented(value: &Value) -> String {
    let mut out = String::new();
    write_indented(value, 0, &mut out);
    out
}

fn write_indented(value: &Value, depth: usize, out: &mut String) {
    let newline = |depth: usize, out: &mut String| {
        out.push('\n');
        out.extend(std::iter::repeat_n("  ", depth));
    };
    match value {
        Value::Array(items) if !items.is_empty() => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                newline(depth + 1, out);
                write_indented(item, depth + 1, out);
            }
            newline(depth, out);
            out.push(']');
        }
        Value::Object(members) if !members.is_empty() => {
            out.push('{');
            for (at, Member { key, value }) in members.iter().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                newline(depth + 1, out);
                write_string(key, out);
                out.push_str(": ");
                write_indented(value, depth + 1, out);
            }
            newline(depth, out);
            out.push('}');
        }
        other => other.write(out),
    }
}
