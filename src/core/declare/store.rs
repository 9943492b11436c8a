//! The sink that stores: the native answer of a declared protocol.

use alloc::vec::Vec;

use super::member::{Member, Object};
use crate::core::sink::{Key, Kind, Node, Sink, SinkValue};
use crate::json::Raw;

/// Where the objects of an answer stand that a fold has opened. It says nothing of the answer, so all are equal.
#[derive(Clone, Debug, Default)]
pub struct Nodes(Vec<Place>);

impl PartialEq for Nodes {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

#[derive(Clone, Copy, Debug)]
struct Place {
    parent: Node,
    list: Key,
    at: usize,
}

impl Nodes {
    fn find<'r>(&self, root: &'r mut dyn Object, node: Node) -> Option<&'r mut dyn Object> {
        let Some(above) = (node as usize).checked_sub(1) else { return Some(root) };
        let Place { parent, list, at } = *self.0.get(above)?;
        self.find(root, parent)?.member(list)?.child(at)
    }
}

/// The root of a declared answer. It is a [`Sink`]: what it is told, it stores.
pub trait Root: Object {
    /// The objects that were opened.
    fn nodes(&mut self) -> &mut Nodes;
}

fn with_member<R: Root>(root: &mut R, node: Node, key: Key, work: impl FnOnce(&mut dyn Member)) {
    let nodes = core::mem::take(root.nodes());
    if let Some(member) = nodes.find(root, node).and_then(|object| object.member(key)) {
        work(member);
    }
    *root.nodes() = nodes;
}

impl<R: Root> Sink for R {
    fn open(&mut self, kind: Kind, parent: Node, list: Key) {
        let mut at = 0;
        with_member(self, parent, list, |member| at = member.open(kind));
        self.nodes().0.push(Place { parent, list, at });
    }

    fn set(&mut self, node: Node, key: Key, value: SinkValue<'_>) {
        with_member(self, node, key, |member| member.set(value));
    }

    fn append(&mut self, node: Node, key: Key, text: &str) {
        with_member(self, node, key, |member| member.append(text));
    }

    // What declared answers do not have yet: members that are not declared, data in pieces, lists that change their order.
    fn set_extra(&mut self, _: Node, _: &str, _: Raw<'_>) {}
    fn set_in(&mut self, _: Node, _: Key, _: &[&str], _: SinkValue<'_>) {}
    fn append_in(&mut self, _: Node, _: Key, _: &[&str], _: &str) {}
    fn extend_in(&mut self, _: Node, _: Key, _: &[&str], _: Raw<'_>) {}
    fn add_in(&mut self, _: Node, _: Key, _: &[&str], _: Raw<'_>, _: bool) {}
    fn share(&mut self, _: Node, _: Key, _: Node, _: Key) {}
    fn move_last(&mut self, _: Node, _: Key, _: Node, _: usize) {}
    fn remove(&mut self, _: Node, _: Key, _: Node) {}
    fn arrange(&mut self, _: Node, _: Key, _: &[Node]) {}
}
