//! The sink whose result crosses to JavaScript: a flat list of numbers and one text.
//!
//! Each op is a few `u32`; the strings of a push stand one behind the other in one UTF-8 buffer, which JavaScript
//! decodes in one go and slices by lengths in UTF-16 units. Long strings stand in a second buffer and are decoded one by
//! one: their lengths are in bytes, with [`LONG`] added. An object or a string per event across the border costs more
//! than the parsing (README, "Architecture").
//!
//! | op | words |
//! |---|---|
//! | `Open` | op, key, kind · parent |
//! | `Null`, `True`, `False` | op, key · node |
//! | `Word` | op, key, word · node |
//! | `Int` | op, key · node · low half · high half |
//! | `Str`, `Append`, `Json` | op, key · node · length |
//! | `Extra` | op · node · length of the name · length of the JSON |
//! | `SetIn`, `AppendIn`, `ExtendIn` | op, key, steps · node · length of each step … · length |
//! | `AddIn` | op, key, steps · node · length of each step … · 1 if the sum is a float · length |
//! | `Arrange` | op, key · parent · count · node … |
//!
//! The first word is op (8 bits), key (8 bits) and one argument (16 bits); of the argument, [`DIGITS`] says that the
//! JSON may hold an integer that a JavaScript number cannot: what becomes of those is JavaScript's choice.
//!
//! Long strings inside free JSON do not cross as JSON: the value crosses with empty ones, and `AppendIn` fills them.

use alloc::string::String;
use alloc::vec::Vec;

use super::hollow::{Hollow, LongString};
use super::sink::{Key, Kind, Node, Sink, Value};
use crate::json::{Raw, push_integer, write_string};

/// Marks the length of a string in the second buffer.
pub const LONG: u32 = 1 << 31;

/// Marks an op whose JSON has 16 digits in a row.
pub const DIGITS: u16 = 1 << 15;

/// From this many bytes on a string is a long one: below, slicing is cheaper than a call to a decoder.
const SHORT: usize = 1 << 10;

/// What an op does. The numbers are the contract with the package's `patch.ts`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
#[expect(missing_docs, reason = "the table above the module")]
#[non_exhaustive]
pub enum Op {
    Open = 0,
    Null = 1,
    True = 2,
    False = 3,
    Word = 4,
    Int = 5,
    Str = 6,
    Append = 7,
    Json = 8,
    Extra = 9,
    SetIn = 10,
    AppendIn = 11,
    ExtendIn = 12,
    AddIn = 13,
    Arrange = 14,
}

/// Collects what one push decided.
#[derive(Debug, Default)]
pub struct PatchBuffer {
    ops: Vec<u32>,
    text: String,
    long: String,
    /// Where in `ops` the last op starts if it is an `Append` that may still grow.
    growing: Option<(usize, Node, Key)>,
}

impl PatchBuffer {
    /// The ops.
    pub fn ops(&self) -> &[u32] {
        &self.ops
    }

    /// The strings that are not long.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The long strings.
    pub fn long(&self) -> &str {
        &self.long
    }

    /// Forgets everything, keeps the memory up to a bound.
    pub fn clear(&mut self) {
        const KEEP: usize = 1 << 20;
        self.ops.clear();
        self.ops.shrink_to(KEEP / 4);
        for text in [&mut self.text, &mut self.long] {
            text.clear();
            text.shrink_to(KEEP);
        }
        self.growing = None;
    }

    fn head(&mut self, op: Op, key: Key, argument: u16, node: Node) {
        self.growing = None;
        self.ops.push(op as u32 | u32::from(key.0) << 8 | u32::from(argument) << 16);
        self.ops.push(node);
    }

    /// Adds a string and its length.
    fn string(&mut self, text: &str) {
        if text.len() < SHORT {
            self.text.push_str(text);
            self.ops.push(utf16_length(text));
        } else {
            self.long.push_str(text);
            self.ops.push(text.len() as u32 | LONG);
        }
    }

    /// Puts the long strings of a value that has just crossed without them where they belong.
    fn fill(&mut self, node: Node, key: Key, path: &[&str], hollow: &Hollow<'_>) {
        for LongString { key: member, text } in &hollow.strings {
            let path: Vec<&str> = path.iter().copied().chain(member.as_deref()).collect();
            self.path(Op::AppendIn, node, key, &path, 0);
            self.string(text);
        }
    }

    fn path(&mut self, op: Op, node: Node, key: Key, path: &[&str], digits: u16) {
        self.head(op, key, path.len() as u16 | digits, node);
        for step in path {
            self.string(step);
        }
    }
}

impl Sink for PatchBuffer {
    fn open(&mut self, kind: Kind, parent: Node, list: Key) {
        self.head(Op::Open, list, kind.0.into(), parent);
    }

    fn set(&mut self, node: Node, key: Key, value: Value<'_>) {
        match value {
            Value::Null => self.head(Op::Null, key, 0, node),
            Value::Bool(true) => self.head(Op::True, key, 0, node),
            Value::Bool(false) => self.head(Op::False, key, 0, node),
            Value::Word(word) => self.head(Op::Word, key, word.into(), node),
            Value::Int(number) => {
                self.head(Op::Int, key, 0, node);
                self.ops.push(number as u32);
                self.ops.push((number >> 32) as u32);
            }
            Value::Str(text) => {
                self.head(Op::Str, key, 0, node);
                self.string(text);
            }
            Value::Json(raw) => {
                let hollow = Hollow::of(raw);
                self.head(Op::Json, key, digits(&hollow.json), node);
                self.string(&hollow.json);
                self.fill(node, key, &[], &hollow);
            }
        }
    }

    fn append(&mut self, node: Node, key: Key, text: &str) {
        if let Some((at, growing, of)) = self.growing
            && growing == node
            && of == key
            && text.len() < SHORT
        {
            self.text.push_str(text);
            self.ops[at + 2] += utf16_length(text);
            return;
        }
        let at = self.ops.len();
        self.head(Op::Append, key, 0, node);
        self.string(text);
        self.growing = (text.len() < SHORT).then_some((at, node, key));
    }

    fn set_extra(&mut self, node: Node, name: &str, value: Raw<'_>) {
        self.head(Op::Extra, Key(0), digits(value.as_str()), node);
        self.string(name);
        self.string(value.as_str());
    }

    fn set_in(&mut self, node: Node, key: Key, path: &[&str], value: Value<'_>) {
        let mut text = String::new();
        match value {
            Value::Null | Value::Word(_) => text.push_str("null"),
            Value::Bool(value) => text.push_str(if value { "true" } else { "false" }),
            Value::Int(number) => push_integer(number, &mut text),
            Value::Str(value) => write_string(value, &mut text),
            Value::Json(raw) => {
                let hollow = Hollow::of(raw);
                self.path(Op::SetIn, node, key, path, digits(&hollow.json));
                self.string(&hollow.json);
                return self.fill(node, key, path, &hollow);
            }
        }
        self.path(Op::SetIn, node, key, path, DIGITS);
        self.string(&text);
    }

    fn append_in(&mut self, node: Node, key: Key, path: &[&str], text: &str) {
        self.path(Op::AppendIn, node, key, path, 0);
        self.string(text);
    }

    fn extend_in(&mut self, node: Node, key: Key, path: &[&str], items: Raw<'_>) {
        self.path(Op::ExtendIn, node, key, path, digits(items.as_str()));
        self.string(items.as_str());
    }

    fn add_in(&mut self, node: Node, key: Key, path: &[&str], summand: Raw<'_>, float: bool) {
        self.path(Op::AddIn, node, key, path, digits(summand.as_str()));
        self.ops.push(float.into());
        self.string(summand.as_str());
    }

    fn arrange(&mut self, parent: Node, list: Key, nodes: &[Node]) {
        self.head(Op::Arrange, list, 0, parent);
        self.ops.push(nodes.len() as u32);
        self.ops.extend_from_slice(nodes);
    }
}

/// [`DIGITS`] if it has 16 of them in a row, as every integer beyond ±2^53 has.
fn digits(json: &str) -> u16 {
    let bytes = json.as_bytes();
    // Any run of 16 contains a position that is a multiple of 16, so only those are looked at first.
    let mut at = 15;
    while let Some(byte) = bytes.get(at) {
        if byte.is_ascii_digit() {
            let back = bytes[..at].iter().rev().take(16).take_while(|byte| byte.is_ascii_digit()).count();
            let ahead = bytes[at..].iter().take(16).take_while(|byte| byte.is_ascii_digit()).count();
            if back + ahead >= 16 {
                return DIGITS;
            }
        }
        at += 16;
    }
    0
}

/// How many UTF-16 units a text has: one per character, two above U+FFFF. Eight bytes at once, because this sees every
/// character that crosses.
fn utf16_length(text: &str) -> u32 {
    const LOW: u64 = 0x0101_0101_0101_0101;
    let units = |bytes: u64| {
        let continues = (bytes >> 7) & !(bytes >> 6) & LOW;
        let two_units = (bytes >> 7) & (bytes >> 6) & (bytes >> 5) & (bytes >> 4) & LOW;
        two_units.count_ones() + 8 - continues.count_ones()
    };
    let (words, tail) = text.as_bytes().as_chunks();
    // Bytes that only fill up the last word count as one unit each.
    let mut last = [0; 8];
    last[..tail.len()].copy_from_slice(tail);
    let last = units(u64::from_le_bytes(last)) + tail.len() as u32 - 8;
    words.iter().fold(last, |sum, word| sum + units(u64::from_le_bytes(*word)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_those_of_utf16() {
        let text = "aé你😀".repeat(4);
        for start in (0..text.len()).filter(|&at| text.is_char_boundary(at)) {
            for end in (start..=text.len()).filter(|&at| text.is_char_boundary(at)) {
                let part = &text[start..end];
                assert_eq!(utf16_length(part) as usize, part.encode_utf16().count(), "{part}");
            }
        }
    }
}
