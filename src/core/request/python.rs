//! JSON values in the notation of Python, which the servers use in their errors.

use alloc::borrow::ToOwned;
use alloc::string::String;

use crate::host::unicode::is_printable;
use crate::json::Value;
use crate::json::float::{self, FloatFormat};

/// Returns the `json.dumps` of a string with its default settings: everything outside of printable
/// ASCII is escaped.
pub(crate) fn dumps(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            ' '..='~' => out.push(c),
            _ => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    escape(&mut out, 'u', 4, u32::from(*unit));
                }
            }
        }
    }
    out.push('"');
    out
}

/// Returns the name of the Python type of the value.
pub(crate) fn type_name(value: &Value) -> &'static str {
    match value {
        Value::Null => "NoneType",
        Value::Bool(_) => "bool",
        Value::Number(digits) if is_float(digits) => "float",
        Value::Number(_) => "int",
        Value::String(_) => "str",
        Value::Array(_) => "list",
        Value::Object(_) => "dict",
    }
}

/// Returns `str(value)`.
pub(crate) fn str(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => repr(other),
    }
}

/// Returns `repr(value)`.
pub(crate) fn repr(value: &Value) -> String {
    let mut out = String::new();
    write_repr(value, &mut out);
    out
}

/// Returns the runtime's short form of a long text: fifty bytes, without the middle.
pub(crate) fn shorten(text: &str) -> String {
    const MOST: usize = 50;
    if text.len() <= MOST {
        return text.to_owned();
    }
    let head = (0..=MOST / 2).rev().find(|&at| text.is_char_boundary(at));
    let from = text.len() - (MOST / 2 - 1);
    let tail = (from..text.len()).find(|&at| text.is_char_boundary(at));
    let head = &text[..head.unwrap_or(0)];
    let tail = &text[tail.unwrap_or(text.len())..];
    [head, "...", tail].concat()
}

fn write_repr(value: &Value, out: &mut String) {
    match value {
        Value::Null => out.push_str("None"),
        Value::Bool(true) => out.push_str("True"),
        Value::Bool(false) => out.push_str("False"),
        Value::Number(digits) if is_float(digits) => out.push_str(&float(digits)),
        Value::Number(digits) if digits == "-0" => out.push('0'),
        Value::Number(digits) => out.push_str(digits),
        Value::String(text) => quote(text, out),
        Value::Array(items) => {
            out.push('[');
            for (i, item) in items.iter().enumerate() {
                if i > 0 {
                    out.push_str(", ");
                }
                write_repr(item, out);
            }
            out.push(']');
        }
        Value::Object(members) => {
            out.push('{');
            for (i, member) in members.iter().enumerate() {
                if i > 0 {
                    out.push_str(", ");
                }
                quote(&member.key, out);
                out.push_str(": ");
                write_repr(&member.value, out);
            }
            out.push('}');
        }
    }
}

fn is_float(digits: &str) -> bool {
    digits.contains(['.', 'e', 'E'])
}

fn float(digits: &str) -> String {
    let value = float::parse(digits).unwrap_or(f64::NAN);
    match value.is_finite() {
        true => FloatFormat { plain_from: 1e-4, wide: true }.of(value),
        false => float::name(value).to_owned(),
    }
}

fn quote(text: &str, out: &mut String) {
    let mark = match text.contains('\'') && !text.contains('"') {
        true => '"',
        false => '\'',
    };
    out.push(mark);
    let plain = is_printable(text);
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\\' => out.push_str("\\\\"),
            _ if c == mark => out.extend(['\\', c]),
            _ if plain || is_printable(c.encode_utf8(&mut [0; 4])) => out.push(c),
            _ => match u32::from(c) {
                code @ ..0x100 => escape(out, 'x', 2, code),
                code @ ..0x1_0000 => escape(out, 'u', 4, code),
                code => escape(out, 'U', 8, code),
            },
        }
    }
    out.push(mark);
}

fn escape(out: &mut String, kind: char, width: usize, code: u32) {
    out.push('\\');
    out.push(kind);
    for place in (0..width).rev() {
        out.extend(char::from_digit(code >> (4 * place) & 15, 16));
    }
}
