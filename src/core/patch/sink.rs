//! Writes the changes of an engine as ops.

use alloc::string::String;

use super::buffer::{Growing, KEEP, PatchBuffer, SHORT};
use super::op::has_long_run;
use super::op::{DIGITS, Op};
use crate::core::sink::{Key, Kind, Node, Sink, SinkValue};
use crate::json::{Raw, push_integer, write_string};

impl PatchBuffer {
    /// Sets a member, or the place inside it at the path, to free JSON.
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

    fn unset_extra(&mut self, node: Node, name: &str) {
        self.head(Op::Null, Key(0), 2, node);
        self.string(name);
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

/// Passes a value as JSON to `work`.
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

/// Returns the flag of JSON that can contain an integer that a JavaScript number cannot represent.
fn digits(raw: Raw<'_>) -> u16 {
    if has_long_run(raw.as_str()) { DIGITS } else { 0 }
}
