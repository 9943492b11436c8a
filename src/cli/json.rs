//! JSON for people.

use std::io::Write;

use agentwire::json::{Member, Value, write_string};

use crate::input::Unreadable;

/// Prints JSON, indented by two spaces if `pretty`. A closed pipe is not an error.
pub fn print(json: &str, pretty: bool) -> Result<(), Unreadable> {
    let text = match Value::parse(json, u32::MAX) {
        Ok(value) if pretty => indented(&value),
        _ => json.to_owned(),
    };
    line(&text)
}

/// Prints one line.
pub fn line(text: &str) -> Result<(), Unreadable> {
    match writeln!(std::io::stdout().lock(), "{text}") {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(Unreadable(format!("cannot write: {error}")))
        }
        _ => Ok(()),
    }
}

fn indented(value: &Value) -> String {
    let mut out = String::new();
    write(value, 0, &mut out);
    out
}

fn write(value: &Value, depth: usize, out: &mut String) {
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
                write(item, depth + 1, out);
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
                write(value, depth + 1, out);
            }
            newline(depth, out);
            out.push('}');
        }
        other => other.write(out),
    }
}
