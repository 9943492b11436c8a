//! The sink whose result crosses to JavaScript: a flat list of numbers and one text.
//!
//! Each op is a few `u32`; the strings of a push stand one after the other in one UTF-8 buffer, which JavaScript
//! decodes in one go and slices by lengths in UTF-16 units (what is not ASCII crosses as UTF-16, see `widen`). Long strings stand in a second buffer and are decoded one by
//! one: their lengths are in bytes, with [`LONG`] added. An object or a string per event across the border costs more
//! than the parsing (README, "Architecture").
//!
//! | op | words |
//! |---|---|
//! | `Open` | op, key, kind · parent |
//! | `Null`, `True`, `False` | op, key · node (`Null`: with the argument 1 the member is not there any more) |
//! | `Word` | op, key, word · node |
//! | `Int` | op, key · node · low half · high half |
//! | `Str`, `Append`, `Json` | op, key · node · length |
//! | `Extra` | op · node · length of the name · length of the JSON |
//! | `SetIn`, `AppendIn`, `ExtendIn` | op, key, steps · node · length of each step … · length |
//! | `AddIn` | op, key, steps · node · length of each step … · 1 if the sum is a float · length |
//! | `InsertIn` | as `SetIn` |
//! | `RemoveIn` | op, key, steps · node · length of each step … |
//! | `MoveIn` | op, key, steps of both · node · steps of the first · length of each step … |
//! | `Arrange` | op, key · parent · count · node … |
//! | `Share` | op, key, key of the other object · node · the other object |
//! | `MoveLast` | op, key · parent · node · place |
//! | `Remove` | op, key · parent · node |
//!
//! The first word is op (8 bits), key (8 bits) and one argument (16 bits); of the argument, [`DIGITS`] says that the
//! JSON may hold an integer that a JavaScript number cannot: what becomes of those is JavaScript's choice. Long strings
//! inside JSON are not in it: `AppendIn` follows with each of them (`hoisted.rs`).

mod hoisted;
pub(crate) mod measure;

use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use self::measure::{has_long_run, utf16_length};
use crate::core::sink::{Key, Kind, Node, Sink, SinkValue};
#[cfg(feature = "wasm-reader")]
use crate::json::between;
use crate::json::{Raw, push_integer, write_string};

/// Marks the length of a string in the second buffer.
pub const LONG: u32 = 1 << 31;

/// Marks the length of a text that crosses as UTF-16.
pub const WIDE: u32 = 1 << 30;

/// Marks an op whose JSON has 16 digits in a row.
pub const DIGITS: u16 = 1 << 15;

/// From this many bytes on a string is a long one: below, slicing is cheaper than a call to a decoder.
pub(super) const SHORT: usize = 1 << 10;

/// How many bytes of a patch are kept in memory, and how many it may have before whoever reads it should take it up.
const KEEP: usize = 1 << 20;

macro_rules! ops {
    ($($Op:ident $name:literal,)*) => {
        /// What an op does. The package's JavaScript is given the names and numbers when it is built.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u8)]
        #[expect(missing_docs, reason = "the table above the module")]
        #[non_exhaustive]
        pub enum Op {
            $($Op,)*
        }

        impl Op {
            /// Their names in JavaScript, by number.
            pub const NAMES: &'static [&'static str] = &[$($name),*];
        }
    };
}
ops! {
    Open "OPEN",
    Null "NULL",
    True "TRUE",
    False "FALSE",
    Word "WORD",
    Int "INT",
    Str "STR",
    Append "APPEND",
    Json "FREE_JSON",
    Extra "EXTRA",
    SetIn "SET_IN",
    AppendIn "APPEND_IN",
    ExtendIn "EXTEND_IN",
    AddIn "ADD_IN",
    Arrange "ARRANGE",
    Share "SHARE",
    MoveLast "MOVE_LAST",
    Remove "REMOVE",
    InsertIn "INSERT_IN",
    RemoveIn "REMOVE_IN",
    MoveIn "MOVE_IN",
}

/// Tells builds apart: JavaScript and wasm that have different ones do not understand each other.
pub const CONTRACT: u32 = {
    let mut hash = fnv(0x811c_9dc5, env!("CARGO_PKG_VERSION"));
    let mut at = 0;
    while at < Op::NAMES.len() {
        hash = fnv(hash, Op::NAMES[at]);
        at += 1;
    }
    hash
};

/// FNV-1a.
const fn fnv(mut hash: u32, text: &str) -> u32 {
    let mut at = 0;
    while at < text.len() {
        hash = (hash ^ text.as_bytes()[at] as u32).wrapping_mul(0x0100_0193);
        at += 1;
    }
    hash
}

/// Collects what one push decided.
#[derive(Debug, Default)]
pub struct PatchBuffer {
    ops: Vec<u32>,
    text: String,
    pub(super) long: String,
    /// What the last op appends to, if it may still grow: its last word is the length of what is appended.
    growing: Option<Growing>,
}

/// The target of an `Append`, or of an `AppendIn` of one step.
#[derive(Debug)]
struct Growing {
    node: Node,
    key: Key,
    /// Where in the text the step stands.
    step: Range<usize>,
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
        self.ops.clear();
        self.ops.shrink_to(KEEP / 4);
        for text in [&mut self.text, &mut self.long] {
            text.clear();
            text.shrink_to(KEEP);
        }
        self.growing = None;
    }

    pub(super) fn head(&mut self, op: Op, key: Key, argument: u16, node: Node) {
        self.growing = None;
        self.ops.push(op as u32 | u32::from(key.0) << 8 | u32::from(argument) << 16);
        self.ops.push(node);
    }

    /// Adds a string and its length.
    pub(super) fn string(&mut self, text: &str) {
        if text.len() < SHORT {
            self.text.push_str(text);
            self.ops.push(utf16_length(text));
        } else {
            self.long.push_str(text);
            self.long_string(text.len());
        }
    }

    /// Adds the length of a string that has been put after the long ones.
    pub(super) fn long_string(&mut self, length: usize) {
        self.ops.push(length as u32 | LONG);
    }

    /// Appends to the last op, if that appends to the same place; `step` is empty for a member itself.
    #[inline]
    fn grow(&mut self, node: Node, key: Key, step: &str, text: &str) -> bool {
        let same = self.growing.as_ref().is_some_and(|growing| {
            growing.node == node && growing.key == key && self.text.get(growing.step.clone()) == Some(step)
        });
        let grows = same && text.len() < SHORT;
        if grows && let Some(length) = self.ops.last_mut() {
            *length += utf16_length(text);
            self.text.push_str(text);
        }
        grows
    }

    pub(super) fn path(&mut self, op: Op, node: Node, key: Key, path: &[&str], digits: u16) {
        self.head(op, key, path.len() as u16 | digits, node);
        for step in path {
            self.string(step);
        }
    }

    /// Sets a member, or the place inside of it that a path leads to, to free JSON.
    pub(super) fn set_free(&mut self, node: Node, key: Key, path: &[&str], raw: Raw<'_>) {
        match path {
            [] => self.head(Op::Json, key, digits(raw), node),
            _ => self.path(Op::SetIn, node, key, path, digits(raw)),
        }
        self.string(raw.as_str());
    }
}

impl Sink for PatchBuffer {
    fn open(&mut self, kind: Kind, parent: Node, list: Key) {
        self.head(Op::Open, list, kind.0.into(), parent);
    }

    fn set(&mut self, node: Node, key: Key, value: SinkValue<'_>) {
        match value {
            SinkValue::Null => self.head(Op::Null, key, 0, node),
            SinkValue::Bool(true) => self.head(Op::True, key, 0, node),
            SinkValue::Bool(false) => self.head(Op::False, key, 0, node),
            SinkValue::Word(word) => self.head(Op::Word, key, word.into(), node),
            SinkValue::Int(number) => {
                self.head(Op::Int, key, 0, node);
                self.ops.push(number as u32);
                self.ops.push((number >> 32) as u32);
            }
            SinkValue::Str(text) => {
                self.head(Op::Str, key, 0, node);
                self.string(text);
            }
            SinkValue::Json(raw) => self.set_free(node, key, &[], raw),
            SinkValue::Free(value) if self.set_hoisted(node, key, &[], value) => {}
            SinkValue::Free(value) => self.set_free(node, key, &[], value.raw()),
        }
    }

    fn unset(&mut self, node: Node, key: Key) {
        self.head(Op::Null, key, 1, node);
    }

    fn append(&mut self, node: Node, key: Key, text: &str) {
        if self.grow(node, key, "", text) {
            return;
        }
        self.head(Op::Append, key, 0, node);
        self.string(text);
        self.growing = (text.len() < SHORT).then_some(Growing { node, key, step: 0..0 });
    }

    fn set_extra(&mut self, node: Node, name: &str, value: Raw<'_>) {
        self.head(Op::Extra, Key(0), digits(value), node);
        self.string(name);
        self.string(value.as_str());
    }

    fn set_in(&mut self, node: Node, key: Key, path: &[&str], value: SinkValue<'_>) {
        match value {
            SinkValue::Free(value) if self.set_hoisted(node, key, path, value) => {}
            value => with_json(value, |raw| self.set_free(node, key, path, raw)),
        }
    }

    fn insert_in(&mut self, node: Node, key: Key, path: &[&str], value: SinkValue<'_>) {
        with_json(value, |raw| {
            self.path(Op::InsertIn, node, key, path, digits(raw));
            self.string(raw.as_str());
        });
    }

    fn remove_in(&mut self, node: Node, key: Key, path: &[&str]) {
        self.path(Op::RemoveIn, node, key, path, 0);
    }

    fn move_in(&mut self, node: Node, key: Key, from: &[&str], to: &[&str]) {
        self.head(Op::MoveIn, key, (from.len() + to.len()) as u16, node);
        self.ops.push(from.len() as u32);
        from.iter().chain(to).for_each(|step| self.string(step));
    }

    fn append_in(&mut self, node: Node, key: Key, path: &[&str], text: &str) {
        let step = if let [step] = path { *step } else { "" };
        if !step.is_empty() && self.grow(node, key, step, text) {
            return;
        }
        let from = self.text.len();
        self.path(Op::AppendIn, node, key, path, 0);
        self.string(text);
        let may_grow = !step.is_empty() && step.len() < SHORT && text.len() < SHORT;
        self.growing = may_grow.then(|| Growing { node, key, step: from..from + step.len() });
    }

    fn extend_in(&mut self, node: Node, key: Key, path: &[&str], items: Raw<'_>) {
        self.path(Op::ExtendIn, node, key, path, digits(items));
        self.string(items.as_str());
    }

    fn add_in(&mut self, node: Node, key: Key, path: &[&str], summand: Raw<'_>, float: bool) {
        self.path(Op::AddIn, node, key, path, digits(summand));
        self.ops.push(float.into());
        self.string(summand.as_str());
    }

    fn arrange(&mut self, parent: Node, list: Key, nodes: &[Node]) {
        self.head(Op::Arrange, list, 0, parent);
        self.ops.push(nodes.len() as u32);
        self.ops.extend_from_slice(nodes);
    }

    fn share(&mut self, node: Node, key: Key, from: Node, from_key: Key) {
        self.head(Op::Share, key, from_key.0.into(), node);
        self.ops.push(from);
    }

    fn move_last(&mut self, parent: Node, list: Key, node: Node, at: usize) {
        self.head(Op::MoveLast, list, 0, parent);
        self.ops.extend([node, at as u32]);
    }

    fn remove(&mut self, parent: Node, list: Key, node: Node) {
        self.head(Op::Remove, list, 0, parent);
        self.ops.push(node);
    }

    fn is_full(&self) -> bool {
        self.ops.len() * 4 + self.text.len() + self.long.len() > KEEP
    }
}

/// Adds a text as UTF-16, as JavaScript takes up many times as fast what is not ASCII.
#[cfg(feature = "wasm-reader")]
pub(crate) fn widen(text: &str, out: &mut Vec<u16>) {
    let mut rest = text;
    while !rest.is_empty() {
        let ascii = rest.bytes().position(|byte| !byte.is_ascii()).unwrap_or(rest.len());
        out.extend(between(rest, 0, ascii).bytes().map(u16::from));
        rest = between(rest, ascii, rest.len());
        let others = rest.bytes().position(|byte| byte.is_ascii()).unwrap_or(rest.len());
        out.extend(between(rest, 0, others).encode_utf16());
        rest = between(rest, others, rest.len());
    }
}

/// A value as JSON.
fn with_json(value: SinkValue<'_>, work: impl FnOnce(Raw<'_>)) {
    let mut text = String::new();
    work(match value {
        SinkValue::Null | SinkValue::Word(_) => Raw("null"),
        SinkValue::Bool(value) => Raw(if value { "true" } else { "false" }),
        SinkValue::Int(number) => {
            push_integer(number, &mut text);
            Raw(&text)
        }
        SinkValue::Str(value) => {
            write_string(value, &mut text);
            Raw(&text)
        }
        SinkValue::Json(raw) => raw,
        SinkValue::Free(value) => value.raw(),
    });
}

/// The mark of JSON in which an integer may be that a JavaScript number cannot hold.
fn digits(raw: Raw<'_>) -> u16 {
    if has_long_run(raw.as_str()) { DIGITS } else { 0 }
}
