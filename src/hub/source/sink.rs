//! The sink that a fold is given: what it is told goes on to the hub.

use super::HubSink;
use crate::core::fold::{Key, Kind, Node, Sink, SinkValue};
use crate::hub::transducer::Hub;
use crate::json::Raw;

/// The sink that a fold is given.
pub(super) struct Telling<'t, 'o, T> {
    pub says: &'t mut T,
    pub hub: &'t mut Hub<'o>,
}

impl<T: HubSink> Sink for Telling<'_, '_, T> {
    fn open(&mut self, kind: Kind, parent: Node, list: Key) {
        self.says.open(kind, parent, list, self.hub);
    }

    fn set(&mut self, node: Node, key: Key, value: SinkValue<'_>) {
        self.says.set(node, key, value, self.hub);
    }

    fn append(&mut self, node: Node, key: Key, text: &str) {
        self.says.append(node, key, text, self.hub);
    }

    fn end(&mut self, node: Node, key: Key) {
        self.says.ends(node, key);
    }

    fn insert_in(&mut self, node: Node, key: Key, _: &[&str], _: SinkValue<'_>) {
        self.says.patched(node, key);
    }

    fn remove_in(&mut self, node: Node, key: Key, _: &[&str]) {
        self.says.patched(node, key);
    }

    fn move_in(&mut self, node: Node, key: Key, _: &[&str], _: &[&str]) {
        self.says.patched(node, key);
    }

    fn set_extra(&mut self, node: Node, name: &str, value: Raw<'_>) {
        self.says.set_extra(node, name, value, self.hub);
    }

    fn unset_extra(&mut self, node: Node, name: &str) {
        self.says.unset_extra(node, name);
    }

    fn set_in(&mut self, node: Node, key: Key, path: &[&str], value: SinkValue<'_>) {
        self.says.set_in(node, key, path, value);
    }

    fn append_in(&mut self, node: Node, key: Key, path: &[&str], text: &str) {
        self.says.append_in(node, key, path, text, self.hub);
    }

    fn extend_in(&mut self, node: Node, key: Key, path: &[&str], items: Raw<'_>) {
        self.says.extend_in(node, key, path, items);
    }

    fn add_in(&mut self, node: Node, key: Key, path: &[&str], summand: Raw<'_>, float: bool) {
        self.says.add_in(node, key, path, summand, float);
    }

    fn share(&mut self, node: Node, key: Key, from: Node, from_key: Key) {
        self.says.share(node, key, from, from_key);
    }

    fn move_last(&mut self, parent: Node, list: Key, node: Node, at: usize) {
        self.says.move_last(parent, list, node, at);
    }

    fn remove(&mut self, parent: Node, list: Key, node: Node) {
        self.says.remove(parent, list, node, self.hub);
    }

    fn arrange(&mut self, parent: Node, list: Key, nodes: &[Node]) {
        self.says.arrange(parent, list, nodes, self.hub);
    }
}
