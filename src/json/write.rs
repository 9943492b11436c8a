//! Writing compact JSON: no spaces, raw UTF-8. Characters are escaped if JSON requires it or if
//! some readers treat them as a line end.

use alloc::string::String;

use super::number::push_integer;
use super::scan;
use super::value::Raw;
use crate::bytes::{between, put, separator};

/// Appends `text` as a JSON string. Escapes quotes, backslashes and control characters, and also
/// U+0085, U+2028 and U+2029, which JSON allows unescaped: some readers, the runtime's own client
/// among them, treat those three as line ends and lose the event.
pub fn write_string(text: &str, out: &mut String) {
    put(out, "\"");
    write_escaped(text, out);
    put(out, "\"");
}

/// Appends the contents of a JSON string, without the quotes.
pub(crate) fn write_escaped(text: &str, out: &mut String) {
    if is_short_and_plain(text) {
        put(out, text);
    } else {
        escaping_separators(text, out, write_characters);
    }
}

/// Reports whether a text certainly needs no escapes. Nearly every key and most pieces of a text
/// are short and plain: for them a loop is faster than starting a search by words or vectors.
fn is_short_and_plain(text: &str) -> bool {
    const SHORT: usize = 24;
    // The last two are the first bytes of the three line ends, and of other characters.
    let plain = |byte: &u8| *byte >= b' ' && !matches!(byte, b'"' | b'\\' | 0xc2 | 0xe2);
    text.len() <= SHORT && text.as_bytes().iter().all(plain)
}

/// Appends JSON text unchanged, except for the three line ends that [`write_string`] escapes and
/// other writers may not. They can occur in its strings only.
pub(crate) fn put_json(out: &mut String, json: &str) {
    escaping_separators(json, out, |json, out| put(out, json));
}

/// Appends a text with the three line ends escaped; `write` appends the text between them.
fn escaping_separators(text: &str, out: &mut String, write: impl Fn(&str, &mut String)) {
    let mut from = 0;
    if !text.is_ascii() {
        while let Some((at, escape, end)) = separator(text.as_bytes(), from) {
            write(between(text, from, at), out);
            put(out, escape);
            from = end;
        }
    }
    write(between(text, from, text.len()), out);
}

pub(crate) fn write_characters(text: &str, out: &mut String) {
    let mut from = 0;
    loop {
        let at = scan::next_special(text.as_bytes(), from);
        put(out, between(text, from, at));
        let Some(&byte) = text.as_bytes().get(at) else { break };
        from = at + 1;
        let escape = match byte {
            b'"' => "\\\"",
            b'\\' => "\\\\",
            b'\n' => "\\n",
            b'\r' => "\\r",
            b'\t' => "\\t",
            0x08 => "\\b",
            0x0c => "\\f",
            control => {
                put(out, if control < 0x10 { "\\u000" } else { "\\u001" });
                let digit = usize::from(control & 15);
                between("0123456789abcdef", digit, digit + 1)
            }
        };
        put(out, escape);
    }
}

/// Appends a string that needs no escapes.
pub(crate) fn write_plain(text: &str, out: &mut String) {
    put(out, "\"");
    put(out, text);
    put(out, "\"");
}

/// Appends an array, whose items are written by `write`.
pub(crate) fn write_list<T>(
    items: impl IntoIterator<Item = T>,
    out: &mut String,
    mut write: impl FnMut(T, &mut String),
) {
    put(out, "[");
    for (at, item) in items.into_iter().enumerate() {
        if at > 0 {
            put(out, ",");
        }
        write(item, out);
    }
    put(out, "]");
}

/// Writes one object, member by member, in the order of the calls.
///
/// `omit_null` selects the form of members without a value: omitted (compact style) or written as
/// `null` (the wire style of the Python servers).
#[derive(Debug)]
pub struct ObjectWriter<'o> {
    out: &'o mut String,
    omit_null: bool,
    empty: bool,
}

impl<'o> ObjectWriter<'o> {
    /// Opens an object at the end of `out`.
    pub fn open(out: &'o mut String, omit_null: bool) -> Self {
        put(out, "{");
        ObjectWriter { out, omit_null, empty: true }
    }

    /// Closes the object.
    pub fn close(self) {
        put(self.out, "}");
    }

    /// Writes the key and returns the text to which the value is appended.
    pub fn member(&mut self, key: &str) -> &mut String {
        self.key(key, "\":");
        self.out
    }

    /// Writes the key of a declared member, as `member_key!` creates it.
    pub(crate) fn declared(&mut self, key: &'static str) -> &mut String {
        // The first member has no comma before it.
        let from = usize::from(core::mem::replace(&mut self.empty, false));
        put(self.out, between(key, from, key.len()));
        self.out
    }

    /// Writes a declared member without a value.
    pub(crate) fn declared_null(&mut self, key: &'static str) {
        if !self.omit_null {
            put(self.declared(key), "null");
        }
    }

    /// Writes the key, followed by `end`.
    fn key(&mut self, key: &str, end: &str) {
        if !core::mem::replace(&mut self.empty, false) {
            self.out.push(',');
        }
        self.out.push('"');
        write_escaped(key, self.out);
        put(self.out, end);
    }

    /// Writes `null`, or omits the member.
    pub(super) fn null(&mut self, key: &str) {
        if !self.omit_null {
            self.key(key, "\":null");
        }
    }

    /// Writes a string, or a member without a value.
    pub fn string(&mut self, key: &str, value: Option<&str>) {
        match value {
            Some(text) => {
                self.key(key, "\":\"");
                write_escaped(text, self.out);
                put(self.out, "\"");
            }
            None => self.null(key),
        }
    }

    /// Writes an integer, or a member without a value.
    pub fn integer(&mut self, key: &str, value: Option<i64>) {
        match value {
            Some(number) => push_integer(number, self.member(key)),
            None => self.null(key),
        }
    }

    /// Writes a boolean, or a member without a value.
    pub fn bool(&mut self, key: &str, value: Option<bool>) {
        match value {
            Some(value) => self.key(key, if value { "\":true" } else { "\":false" }),
            None => self.null(key),
        }
    }

    /// Writes a value that is JSON text already, or a member without a value.
    pub fn raw(&mut self, key: &str, value: Option<Raw<'_>>) {
        match value {
            Some(raw) => put_json(self.member(key), raw.as_str()),
            None => self.null(key),
        }
    }
}

/// Creates at compile time a key with its punctuation: `,"name":`, followed by a constant value if
/// one is given as JSON. The name must not contain characters that have to be escaped.
macro_rules! member_key {
    ($name:expr) => {
        $crate::json::member_key!($name, "")
    };
    ($name:expr, $value:expr) => {
        const {
            const PARTS: [&str; 4] = [",\"", $name, "\":", $value];
            const KEY: &[u8; $crate::json::length_of(&PARTS)] = &$crate::json::joined_parts(&PARTS);
            match core::str::from_utf8(KEY) {
                Ok(key) => key,
                Err(_) => unreachable!(),
            }
        }
    };
}
pub(crate) use member_key;

/// Returns the total length of some texts.
pub(crate) const fn length_of(parts: &[&str]) -> usize {
    let (mut at, mut length) = (0, 0);
    while at < parts.len() {
        length += parts[at].len();
        at += 1;
    }
    length
}

/// Joins the bytes of some texts.
pub(crate) const fn joined_parts<const LENGTH: usize>(parts: &[&str]) -> [u8; LENGTH] {
    let mut bytes = [0; LENGTH];
    let (mut part, mut to) = (0, 0);
    while part < parts.len() {
        let from = parts[part].as_bytes();
        let mut at = 0;
        while at < from.len() {
            bytes[to] = from[at];
            to += 1;
            at += 1;
        }
        part += 1;
    }
    bytes
}
