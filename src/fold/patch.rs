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
//! | `Str`, `Append`, `Json` | op, key · node · length |
//! | `Extra` | op · node · length of the name · length of the JSON |
//! | `SetIn`, `AppendIn`, `ExtendIn` | op, key, steps · node · length of each step … · length |
//! | `AddIn` | op, key, steps · node · length of each step … · 1 if the sum is a float · length |
//! | `Arrange` | op, key · parent · count · node … |
//!
//! The first word is op (8 bits), key (8 bits) and one argument (16 bits). JSON crosses as it stood in the stream;
//! what becomes of integers that a JavaScript number cannot hold is JavaScript's choice.

use alloc::string::String;
use alloc::vec::Vec;

use super::sink::{Key, Kind, Node, Sink, Value};
use crate::json::{Raw, push_integer, write_string};

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

    fn path(&mut self, op: Op, node: Node, key: Key, path: &[&str]) {
        self.head(op, key, path.len() as u16, node);
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
                self.head(Op::Json, key, 0, node);
                self.string(raw.as_str());
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
        self.head(Op::Extra, Key(0), 0, node);
        self.string(name);
        self.string(value.as_str());
    }

    fn set_in(&mut self, node: Node, key: Key, path: &[&str], value: Value<'_>) {
        self.path(Op::SetIn, node, key, path);
        let mut text = String::new();
        match value {
            Value::Null | Value::Word(_) => text.push_str("null"),
            Value::Bool(value) => text.push_str(if value { "true" } else { "false" }),
            Value::Int(number) => push_integer(number, &mut text),
            Value::Str(value) => write_string(value, &mut text),
            Value::Json(raw) => return self.string(raw.as_str()),
        }
        self.string(&text);
    }

    fn append_in(&mut self, node: Node, key: Key, path: &[&str], text: &str) {
        self.path(Op::AppendIn, node, key, path);
        self.string(text);
    }

    fn extend_in(&mut self, node: Node, key: Key, path: &[&str], items: Raw<'_>) {
        self.path(Op::ExtendIn, node, key, path);
        self.string(items.as_str());
    }

    fn add_in(&mut self, node: Node, key: Key, path: &[&str], summand: Raw<'_>, float: bool) {
        self.path(Op::AddIn, node, key, path);
        self.ops.push(float.into());
        self.string(summand.as_str());
    }

    fn arrange(&mut self, parent: Node, list: Key, nodes: &[Node]) {
        self.head(Op::Arrange, list, 0, parent);
        self.ops.push(nodes.len() as u32);
        self.ops.extend_from_slice(nodes);
    }
}

/// How many UTF-16 units a text has: one per character, two above U+FFFF.
fn utf16_length(text: &str) -> u32 {
    if text.is_ascii() {
        return text.len() as u32;
    }
    text.bytes().map(|byte| u32::from(byte & 0xc0 != 0x80) + u32::from(byte >= 0xf0)).sum()
}
