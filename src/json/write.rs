//! Compact JSON text: no spaces, raw UTF-8, only what must be escaped is.

use alloc::string::String;

use super::reader::Raw;
use super::value::Value;

/// Appends `text` as a JSON string: quotes, backslashes and control characters escaped, everything else as it is (so
/// U+2028 and U+0085 travel raw, as the real servers write them).
pub fn write_string(text: &str, out: &mut String) {
    out.push('"');
    let mut from = 0;
    for (at, byte) in text.bytes().enumerate() {
        if byte >= 0x20 && byte != b'"' && byte != b'\\' {
            continue;
        }
        out.push_str(&text[from..at]);
        from = at + 1;
        match byte {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            b'\n' => out.push_str("\\n"),
            b'\r' => out.push_str("\\r"),
            b'\t' => out.push_str("\\t"),
            0x08 => out.push_str("\\b"),
            0x0c => out.push_str("\\f"),
            control => {
                const HEX: &[u8; 16] = b"0123456789abcdef";
                out.push_str("\\u00");
                out.push(HEX[(control >> 4) as usize] as char);
                out.push(HEX[(control & 15) as usize] as char);
            }
        }
    }
    out.push_str(&text[from..]);
    out.push('"');
}

/// Appends an integer in decimal digits.
pub fn push_integer(number: i64, out: &mut String) {
    let mut digits = [0u8; 20];
    let mut at = digits.len();
    let mut rest = number.unsigned_abs();
    loop {
        at -= 1;
        digits[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    if number < 0 {
        out.push('-');
    }
    out.extend(digits[at..].iter().map(|&digit| digit as char));
}

/// Appends an array, its items written by `write`.
pub(crate) fn write_list<T>(
    items: impl IntoIterator<Item = T>,
    out: &mut String,
    mut write: impl FnMut(T, &mut String),
) {
    out.push('[');
    for (at, item) in items.into_iter().enumerate() {
        if at > 0 {
            out.push(',');
        }
        write(item, out);
    }
    out.push(']');
}

/// Writes one object, member by member, in the order of the calls.
///
/// `omit_null` decides what becomes of members without a value: left out (compact style) or written as `null` (the wire
/// style of the Python servers).
#[derive(Debug)]
pub struct Object<'o> {
    out: &'o mut String,
    omit_null: bool,
    empty: bool,
}

impl<'o> Object<'o> {
    /// Opens an object at the end of `out`.
    pub fn open(out: &'o mut String, omit_null: bool) -> Self {
        out.push('{');
        Object { out, omit_null, empty: true }
    }

    /// Closes the object.
    pub fn close(self) {
        self.out.push('}');
    }

    /// Writes the key and hands out the text behind it.
    pub fn member(&mut self, key: &str) -> &mut String {
        if !self.empty {
            self.out.push(',');
        }
        self.empty = false;
        write_string(key, self.out);
        self.out.push(':');
        self.out
    }

    fn null(&mut self, key: &str) {
        if !self.omit_null {
            self.member(key).push_str("null");
        }
    }

    /// A string or nothing.
    pub fn string(&mut self, key: &str, value: Option<&str>) {
        match value {
            Some(text) => write_string(text, self.member(key)),
            None => self.null(key),
        }
    }

    /// An integer or nothing.
    pub fn integer(&mut self, key: &str, value: Option<i64>) {
        match value {
            Some(number) => push_integer(number, self.member(key)),
            None => self.null(key),
        }
    }

    /// A boolean or nothing.
    pub fn bool(&mut self, key: &str, value: Option<bool>) {
        match value {
            Some(value) => self.member(key).push_str(if value { "true" } else { "false" }),
            None => self.null(key),
        }
    }

    /// Free JSON or nothing.
    pub fn value(&mut self, key: &str, value: Option<&Value>) {
        match value {
            Some(value) => value.write(self.member(key)),
            None => self.null(key),
        }
    }

    /// A value that is JSON text already, or nothing.
    pub fn raw(&mut self, key: &str, value: Option<Raw<'_>>) {
        match value {
            Some(raw) => self.member(key).push_str(raw.as_str()),
            None => self.null(key),
        }
    }
}
