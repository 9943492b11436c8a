//! The sink that folds tell: one wrapper around every sink, with the limits in it.

use super::meter::{Counted, Meter};
#[cfg(feature = "ag-ui")]
use crate::core::budget::Budget;
use crate::core::sink::{Key, Kind, Node, Sink, SinkValue};
use crate::json::Raw;

/// A [`Sink`] within the limits: what passes one is not told, and becomes a [`Refusal`](super::Refusal).
///
/// Methods that say `bool` return whether the sink was told. A fold has to look where it remembers what it told.
pub struct Metered<'s> {
    meter: &'s mut Meter,
    sink: &'s mut dyn Sink,
}

impl core::fmt::Debug for Metered<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Metered").field("meter", &self.meter).finish_non_exhaustive()
    }
}

impl<'s> Metered<'s> {
    /// A sink within the limits of `meter`.
    #[inline]
    pub(super) fn new(meter: &'s mut Meter, sink: &'s mut dyn Sink) -> Self {
        Metered { meter, sink }
    }
}

impl Metered<'_> {
    /// A new object, the next number; `None` if there are too many of what it counts as. `owner` is any number that tells
    /// the fold, when something of this object is refused, what it is.
    pub fn open(
        &mut self,
        kind: Kind,
        parent: Node,
        list: Key,
        counted: Counted,
        owner: u32,
    ) -> Option<Node> {
        if !self.count(parent, counted) {
            return None;
        }
        self.sink.open(kind, parent, list);
        Some(self.meter.open(owner))
    }

    /// Counts one more below a parent, as [`open`](Self::open) does.
    pub fn count(&mut self, parent: Node, counted: Counted) -> bool {
        self.meter.count(parent, counted)
    }

    /// [`Sink::set`]
    pub fn set(&mut self, node: Node, key: Key, value: SinkValue<'_>) -> bool {
        let is_short =
            matches!(value, SinkValue::Null | SinkValue::Bool(_) | SinkValue::Int(_) | SinkValue::Word(_));
        let told = is_short || self.meter.replace(node, key, bytes(value), cost(value));
        if told {
            self.sink.set(node, key, value);
        }
        told
    }

    /// [`Sink::unset`]
    pub fn unset(&mut self, node: Node, key: Key) {
        self.sink.unset(node, key);
    }

    /// Sets a member to a text whose length is bounded already: an id, a name that was checked like one, a sentence of
    /// this crate.
    pub fn set_short(&mut self, node: Node, key: Key, text: &str) {
        self.meter.add(text.len() as u64);
        self.sink.set(node, key, SinkValue::Str(text));
    }

    /// [`Sink::share`]
    pub fn share(&mut self, node: Node, key: Key, from: Node, from_key: Key) {
        self.sink.share(node, key, from, from_key);
    }

    /// [`Sink::append`]
    #[inline]
    pub fn append(&mut self, node: Node, key: Key, text: &str) -> bool {
        let told = self.meter.grow(node, key, text.len() as u64, text.len() as u64);
        if told {
            self.sink.append(node, key, text);
        }
        told
    }

    /// [`Sink::end`]
    pub fn end(&mut self, node: Node, key: Key) {
        self.sink.end(node, key);
    }

    /// [`Sink::set_extra`]
    pub fn set_extra(&mut self, node: Node, name: &str, value: Raw<'_>) -> bool {
        let length = (name.len() + value.as_str().len()) as u64;
        let told = self.meter.undeclared(node, name, length, JSON * length);
        if told {
            self.sink.set_extra(node, name, value);
        }
        told
    }

    /// [`Sink::unset_extra`]
    pub fn unset_extra(&mut self, node: Node, name: &str) {
        self.sink.unset_extra(node, name);
    }

    /// Whether a piece of a member was refused, and none is taken any more.
    pub fn is_full(&self, node: Node, key: Key) -> bool {
        self.meter.is_full(node, key)
    }

    /// So many keys and elements more are to come into the data that a member is; false if those are too many.
    pub fn data_nodes(&mut self, node: Node, key: Key, more: usize) -> bool {
        self.meter.add_data_nodes(node, key, more)
    }

    /// The data of an object comes anew: its keys and elements are counted from 0.
    pub fn forget_data_nodes(&mut self, node: Node) {
        self.meter.forget_data_nodes(node);
    }

    /// Whether a number of so many digits may be added to one inside the data that a member is.
    pub fn adds_digits(&mut self, node: Node, key: Key, digits: usize) -> bool {
        self.meter.adds_digits(node, key, digits)
    }

    /// [`Sink::set_in`]
    pub fn set_in(&mut self, node: Node, key: Key, path: &[&str], value: SinkValue<'_>) -> bool {
        let name = path.last().map_or(0, |name| name.len()) as u64;
        let told = self.meter.grow(node, key, name + bytes(value), JSON * name + cost(value));
        if told {
            self.sink.set_in(node, key, path, value);
        }
        told
    }

    /// [`Sink::insert_in`]
    #[cfg(feature = "responses")]
    pub(crate) fn add_element(&mut self, node: Node, key: Key, path: &[&str], value: SinkValue<'_>) -> bool {
        let told = self.meter.grow(node, key, bytes(value), cost(value));
        if told {
            self.sink.insert_in(node, key, path, value);
        }
        told
    }

    /// [`Sink::append_in`]
    pub fn append_in(&mut self, node: Node, key: Key, path: &[&str], text: &str) -> bool {
        let told = self.meter.grow(node, key, text.len() as u64, text.len() as u64);
        if told {
            self.sink.append_in(node, key, path, text);
        }
        told
    }

    /// [`Sink::extend_in`]
    pub fn extend_in(&mut self, node: Node, key: Key, path: &[&str], items: Raw<'_>) -> bool {
        let length = items.as_str().len() as u64;
        let told = self.meter.grow(node, key, length, JSON * length);
        if told {
            self.sink.extend_in(node, key, path, items);
        }
        told
    }

    /// [`Sink::add_in`]
    pub fn add_in(&mut self, node: Node, key: Key, path: &[&str], summand: Raw<'_>, float: bool) -> bool {
        let length = summand.as_str().len() as u64;
        let told = self.meter.grow(node, key, length, length);
        if told {
            self.sink.add_in(node, key, path, summand, float);
        }
        told
    }

    /// A member that is changed in place holds so many bytes; false if those are too many.
    pub(crate) fn holds(&mut self, node: Node, key: Key, bytes: u64) -> bool {
        self.meter.replace(node, key, bytes, 0)
    }

    /// What may still be allocated and written, for work whose result is [counted](Self::holds).
    #[cfg(feature = "ag-ui")]
    pub(crate) fn budget(&mut self) -> &mut Budget {
        &mut self.meter.budget
    }

    /// [`Sink::set_in`] of a member whose bytes are [counted](Self::holds).
    pub(crate) fn changed_in(&mut self, node: Node, key: Key, path: &[&str], value: SinkValue<'_>) {
        match path {
            [] => self.sink.set(node, key, value),
            path => self.sink.set_in(node, key, path, value),
        }
    }

    /// [`Sink::append_in`] of such a member.
    pub(crate) fn grown_in(&mut self, node: Node, key: Key, path: &[&str], piece: &str) {
        match path {
            [] => self.sink.append(node, key, piece),
            path => self.sink.append_in(node, key, path, piece),
        }
    }

    /// [`Sink::insert_in`] of such a member.
    pub(crate) fn insert_in(&mut self, node: Node, key: Key, path: &[&str], value: SinkValue<'_>) {
        self.sink.insert_in(node, key, path, value);
    }

    /// [`Sink::remove_in`] of such a member.
    pub(crate) fn remove_in(&mut self, node: Node, key: Key, path: &[&str]) {
        self.sink.remove_in(node, key, path);
    }

    /// [`Sink::move_in`] of such a member.
    pub(crate) fn move_in(&mut self, node: Node, key: Key, from: &[&str], to: &[&str]) {
        self.sink.move_in(node, key, from, to);
    }

    /// [`Sink::move_last`]
    pub fn move_last(&mut self, parent: Node, list: Key, node: Node, at: usize) {
        self.sink.move_last(parent, list, node, at);
    }

    /// [`Sink::remove`]
    pub fn remove(&mut self, parent: Node, list: Key, node: Node) {
        self.meter.release(node);
        self.sink.remove(parent, list, node);
    }

    /// [`Sink::arrange`]
    pub fn arrange(&mut self, parent: Node, list: Key, nodes: &[Node]) {
        self.sink.arrange(parent, list, nodes);
    }

    /// An object is gone: nothing of it is held any more.
    pub fn release(&mut self, node: Node) {
        self.meter.release(node);
    }
}

/// Bytes that a byte of JSON costs: it becomes a tree.
const JSON: u64 = 20;

/// Bytes that writing a value costs.
#[must_use]
fn cost(value: SinkValue<'_>) -> u64 {
    match value {
        SinkValue::Json(_) | SinkValue::Free(_) => JSON * bytes(value),
        _ => bytes(value),
    }
}

#[must_use]
fn bytes(value: SinkValue<'_>) -> u64 {
    match value {
        SinkValue::Null | SinkValue::Bool(_) | SinkValue::Int(_) | SinkValue::Word(_) => 0,
        SinkValue::Str(text) => text.len() as u64,
        SinkValue::Json(raw) => raw.as_str().len() as u64,
        SinkValue::Free(value) => value.raw().as_str().len() as u64,
    }
}
