//! The sink that stores: the native answer of a declared protocol.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::member::{Member, Object};
use crate::core::json_patch::{Edit, Node as TreeNode, Tree};
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

/// The place of what its list does not have any more.
const GONE: usize = usize::MAX;

impl Nodes {
    fn at(&self, node: Node) -> usize {
        (node as usize).checked_sub(1).and_then(|above| self.0.get(above)).map_or(GONE, |place| place.at)
    }

    fn put(&mut self, node: Node, at: usize) {
        if let Some(place) = (node as usize).checked_sub(1).and_then(|above| self.0.get_mut(above)) {
            place.at = at;
        }
    }

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

    fn set_in(&mut self, node: Node, key: Key, path: &[&str], value: SinkValue<'_>) {
        with_tree(self, node, key, |tree| drop(tree.edit(path, Edit::Set(made(value)))));
    }

    fn append_in(&mut self, node: Node, key: Key, path: &[&str], text: &str) {
        with_tree(self, node, key, |tree| tree.append(path, text));
    }

    fn insert_in(&mut self, node: Node, key: Key, path: &[&str], value: SinkValue<'_>) {
        with_tree(self, node, key, |tree| drop(tree.edit(path, Edit::Insert(made(value)))));
    }

    fn remove_in(&mut self, node: Node, key: Key, path: &[&str]) {
        with_tree(self, node, key, |tree| {
            tree.edit(path, Edit::Remove);
            tree.tidy(path);
        });
    }

    fn move_in(&mut self, node: Node, key: Key, from: &[&str], to: &[&str]) {
        with_tree(self, node, key, |tree| {
            tree.move_to(from, to);
            tree.tidy(from);
        });
    }

    fn move_last(&mut self, parent: Node, list: Key, node: Node, at: usize) {
        with_member(self, parent, list, |member| member.move_last(at));
        for place in self.nodes().0.iter_mut().filter(|place| place.parent == parent && place.list == list) {
            place.at += usize::from(place.at != GONE && place.at >= at);
        }
        self.nodes().put(node, at);
    }

    fn remove(&mut self, parent: Node, list: Key, node: Node) {
        let at = self.nodes().at(node);
        if at == GONE {
            return;
        }
        with_member(self, parent, list, |member| member.remove(at));
        for place in self.nodes().0.iter_mut().filter(|place| place.parent == parent && place.list == list) {
            place.at -= usize::from(place.at != GONE && place.at > at);
        }
        self.nodes().put(node, GONE);
    }

    fn arrange(&mut self, parent: Node, list: Key, nodes: &[Node]) {
        let places: Vec<usize> = nodes.iter().map(|node| self.nodes().at(*node)).collect();
        with_member(self, parent, list, |member| member.arrange(&places));
        for place in self.nodes().0.iter_mut().filter(|place| place.parent == parent && place.list == list) {
            place.at = GONE;
        }
        nodes.iter().enumerate().for_each(|(at, node)| self.nodes().put(*node, at));
    }

    // What declared answers do not have yet: members that are not declared, data in pieces.
    fn set_extra(&mut self, _: Node, _: &str, _: Raw<'_>) {}
    fn extend_in(&mut self, _: Node, _: Key, _: &[&str], _: Raw<'_>) {}
    fn add_in(&mut self, _: Node, _: Key, _: &[&str], _: Raw<'_>, _: bool) {}
    fn share(&mut self, _: Node, _: Key, _: Node, _: Key) {}
}

fn with_tree<R: Root>(root: &mut R, node: Node, key: Key, work: impl FnOnce(&mut Tree)) {
    with_member(root, node, key, |member| {
        if let Some(tree) = member.tree() {
            work(tree);
        }
    });
}

/// A value as a part of free JSON.
fn made(value: SinkValue<'_>) -> Box<TreeNode> {
    let mut tree = Tree::default();
    Member::set(&mut tree, value);
    tree.into_root()
}
