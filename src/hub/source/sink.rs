//! The sink of an engine whose changes become steps.

use super::HubSink;
use crate::engine::{Key, Kind, Node, Sink, SinkValue};
use crate::hub::transducer::Hub;
use crate::json::Raw;

/// Passes every change to the adapter of a protocol.
pub(super) struct StepSink<'t, 'o> {
    pub adapter: &'t mut dyn HubSink,
    pub hub: &'t mut Hub<'o>,
}

impl Sink for StepSink<'_, '_> {
    fn open(&mut self, kind: Kind, parent: Node, list: Key) {
        self.adapter.open(kind, parent, list, self.hub);
    }

    fn set(&mut self, node: Node, key: Key, value: SinkValue<'_>) {
        self.adapter.set(node, key, value, self.hub);
    }

    fn append(&mut self, node: Node, key: Key, text: &str) {
        self.adapter.append(node, key, text, self.hub);
    }

    fn end(&mut self, node: Node, key: Key) {
        self.adapter.ends(node, key);
    }

    fn insert_in(&mut self, node: Node, key: Key, _: &[&str], _: SinkValue<'_>) {
        self.adapter.patched(node, key);
    }

    fn remove_in(&mut self, node: Node, key: Key, _: &[&str]) {
        self.adapter.patched(node, key);
    }

    fn move_in(&mut self, node: Node, key: Key, _: &[&str], _: &[&str]) {
        self.adapter.patched(node, key);
    }

    fn set_extra(&mut self, node: Node, name: &str, value: Raw<'_>) {
        self.adapter.set_extra(node, name, value, self.hub);
    }

    fn unset_extra(&mut self, node: Node, name: &str) {
        self.adapter.unset_extra(node, name);
    }

    fn set_in(&mut self, node: Node, key: Key, path: &[&str], value: SinkValue<'_>) {
        self.adapter.set_in(node, key, path, value);
    }

    fn append_in(&mut self, node: Node, key: Key, path: &[&str], text: &str) {
        self.adapter.append_in(node, key, path, text, self.hub);
    }

    fn extend_in(&mut self, node: Node, key: Key, path: &[&str], items: Raw<'_>) {
        self.adapter.extend_in(node, key, path, items);
    }

    fn add_in(&mut self, node: Node, key: Key, path: &[&str], summand: Raw<'_>, float: bool) {
        self.adapter.add_in(node, key, path, summand, float);
    }

    fn share(&mut self, node: Node, key: Key, from: Node, from_key: Key) {
        self.adapter.share(node, key, from, from_key);
    }

    fn move_last(&mut self, parent: Node, list: Key, node: Node, at: usize) {
        self.adapter.move_last(parent, list, node, at);
    }

    fn remove(&mut self, parent: Node, list: Key, node: Node) {
        self.adapter.remove(parent, list, node, self.hub);
    }

    fn arrange(&mut self, parent: Node, list: Key, nodes: &[Node]) {
        self.adapter.arrange(parent, list, nodes, self.hub);
    }
}
