//! The sink whose result crosses to JavaScript: a flat list of numbers and one text.
//!
//! Each op is a few `u32`; all strings of a push stand one behind the other in one UTF-8 buffer, which JavaScript
//! decodes in one go and slices by lengths in UTF-16 units. An object or a string per event across the border costs
//! more than the parsing (README, "Architecture").
//!
//! | op | words |
//! |---|---|
//! | `Open` | op, key, kind · parent |
//! | `Null`, `True`, `False` | op, key · node |
//! | `Word` | op, key, word · node |
//! | `Int` | op, key · node · low half · high half |
//! | `Str`, `Append`, `Json`, `BigJson` | op, key · node · length |
//! | `Extra`, `BigExtra` | op · node · length of the name · length of the JSON |
//! | `SetIn`, `BigSetIn`, `AppendIn`, `ExtendIn`, `BigExtendIn` | op, key, steps · node · length of each step … · length |
//! | `Arrange` | op, key · parent · count · node … |
//!
//! The first word is op (8 bits), key (8 bits) and one argument (16 bits). `Big…` is JSON with an integer that a
//! JavaScript number cannot hold: such integers stand as strings of U+0001 and the digits, strings that begin with
//! U+0001 got one more.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::sink::{Key, Kind, Node, Sink, Value};
use crate::json::{Raw, write_exact};

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
    BigJson = 9,
    Extra = 10,
    BigExtra = 11,
    SetIn = 12,
    BigSetIn = 13,
    AppendIn = 14,
    ExtendIn = 15,
    BigExtendIn = 16,
    Arrange = 17,
}

/// Collects what one push decided.
#[derive(Debug, Default)]
pub struct PatchBuffer {
    ops: Vec<u32>,
    text: String,
    /// Where in `ops` the last op starts if it is an `Append` that may still grow.
    growing: Option<(usize, Node, Key)>,
}

impl PatchBuffer {
    /// The ops.
    pub fn ops(&self) -> &[u32] {
        &self.ops
    }

    /// The strings.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Forgets everything, keeps the memory up to a bound.
    pub fn clear(&mut self) {
        const KEEP: usize = 1 << 20;
        self.ops.clear();
        self.ops.shrink_to(KEEP / 4);
        self.text.clear();
        self.text.shrink_to(KEEP);
        self.growing = None;
    }

    fn head(&mut self, op: Op, key: Key, argument: u16, node: Node) {
        self.growing = None;
        self.ops.push(op as u32 | u32::from(key.0) << 8 | u32::from(argument) << 16);
        self.ops.push(node);
    }

    /// Adds a string and its length.
    fn string(&mut self, text: &str) {
        self.text.push_str(text);
        self.ops.push(utf16_length(text));
    }

    /// Adds JSON; true when it had to be written in the exact form.
    fn json(&mut self, raw: Raw<'_>) -> bool {
        let from = self.text.len();
        let big = write_exact(raw, &mut self.text);
        let length = utf16_length(&self.text[from..]);
        self.ops.push(length);
        big
    }

    /// Turns the op that starts at `at` into its `Big` form, which is the next number.
    fn mark_big(&mut self, at: usize, big: bool) {
        self.ops[at] += u32::from(big);
    }

    fn path(&mut self, op: Op, node: Node, key: Key, path: &[&str]) -> usize {
        let at = self.ops.len();
        self.head(op, key, path.len() as u16, node);
        for step in path {
            self.string(step);
        }
        at
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
                let at = self.ops.len();
                self.head(Op::Json, key, 0, node);
                let big = self.json(raw);
                self.mark_big(at, big);
            }
        }
    }

    fn append(&mut self, node: Node, key: Key, text: &str) {
        if let Some((at, growing, of)) = self.growing
            && growing == node
            && of == key
        {
            self.text.push_str(text);
            self.ops[at + 2] += utf16_length(text);
            return;
        }
        let at = self.ops.len();
        self.head(Op::Append, key, 0, node);
        self.string(text);
        self.growing = Some((at, node, key));
    }

    fn set_extra(&mut self, node: Node, name: &str, value: Raw<'_>) {
        let at = self.ops.len();
        self.head(Op::Extra, Key(0), 0, node);
        self.string(name);
        let big = self.json(value);
        self.mark_big(at, big);
    }

    fn set_in(&mut self, node: Node, key: Key, path: &[&str], value: Value<'_>) {
        let at = self.path(Op::SetIn, node, key, path);
        let mut text = String::new();
        match value {
            Value::Null | Value::Word(_) => text.push_str("null"),
            Value::Bool(value) => text.push_str(if value { "true" } else { "false" }),
            Value::Int(number) => text.push_str(&number.to_string()),
            Value::Str(value) => crate::json::write_string(value, &mut text),
            Value::Json(raw) => {
                let big = self.json(raw);
                return self.mark_big(at, big);
            }
        }
        self.string(&text);
    }

    fn append_in(&mut self, node: Node, key: Key, path: &[&str], text: &str) {
        self.path(Op::AppendIn, node, key, path);
        self.string(text);
    }

    fn extend_in(&mut self, node: Node, key: Key, path: &[&str], items: Raw<'_>) {
        let at = self.path(Op::ExtendIn, node, key, path);
        let big = self.json(items);
        self.mark_big(at, big);
    }

    fn arrange(&mut self, parent: Node, list: Key, nodes: &[Node]) {
        self.head(Op::Arrange, list, 0, parent);
        self.ops.push(nodes.len() as u32);
        self.ops.extend_from_slice(nodes);
    }
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
