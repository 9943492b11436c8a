//! The positions of the objects of a declared answer, by their numbers.

use alloc::vec;
use alloc::vec::Vec;

use super::index::Index;
use super::member::Step;
use crate::bytes::string_map::Numbers;
use crate::core::sink::{Key, Node};

/// The positions of the objects of an answer that an engine has opened. They are not part of the answer, so all are
/// equal.
#[derive(Clone, Debug)]
pub struct Nodes {
    pub(super) places: Vec<Place>,
    /// The positions of the members of free JSON, by object and member, and of the undeclared members of objects.
    pub(super) indexes: Numbers<Index>,
    last: Way,
}

/// The way from the root to an object, the last step first.
#[derive(Clone, Copy, Debug)]
struct Way {
    node: Node,
    depth: usize,
    steps: [Step; DEEPEST],
}

#[derive(Clone, Debug)]
pub(super) struct Place {
    pub parent: Node,
    pub list: Key,
    pub at: u32,
    /// The objects in its lists, in their order.
    pub lists: Vec<(Key, Vec<Node>)>,
}

/// The parent of the root, and of removed objects.
pub(super) const NONE: Node = Node::MAX;

/// The maximum depth of nested objects, including the root.
pub(crate) const DEEPEST: usize = 4;

impl Default for Nodes {
    fn default() -> Self {
        let root = Place { parent: NONE, list: Key(0), at: 0, lists: Vec::new() };
        let last = Way { node: 0, depth: 0, steps: [Step { list: Key(0), at: 0 }; DEEPEST] };
        Nodes { places: vec![root], indexes: Numbers::default(), last }
    }
}

impl PartialEq for Nodes {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Nodes {
    /// Returns the parent of an object and the position in it, if the object is in such a list.
    pub(crate) fn place(&self, node: Node, list: Key) -> Option<(Node, usize)> {
        let place =
            self.places.get(node as usize).filter(|place| place.parent != NONE && place.list == list)?;
        Some((place.parent, place.at as usize))
    }

    /// Returns the way to an object. The last one is cached: most changes append to one text.
    pub(super) fn way(&mut self, node: Node) -> Option<([Step; DEEPEST], usize)> {
        if self.last.node != node || node == NONE {
            self.find(node)?;
        }
        Some((self.last.steps, self.last.depth))
    }

    fn find(&mut self, node: Node) -> Option<()> {
        self.last.node = NONE;
        let (mut depth, mut at) = (0, node);
        while at != 0 {
            let place = self.places.get(at as usize)?;
            *self.last.steps.get_mut(depth)? = Step { list: place.list, at: place.at };
            depth += 1;
            at = place.parent;
        }
        self.last.node = node;
        self.last.depth = depth;
        Some(())
    }

    pub(super) fn list(&mut self, parent: Node, list: Key) -> Option<&mut Vec<Node>> {
        let lists = &mut self.places.get_mut(parent as usize)?.lists;
        let at = lists.iter().position(|(key, _)| *key == list).unwrap_or_else(|| {
            lists.push((list, Vec::new()));
            lists.len() - 1
        });
        Some(&mut lists[at].1)
    }

    /// Replaces the objects of a list. The objects from position `from` on have moved.
    pub(super) fn put(&mut self, parent: Node, list: Key, nodes: Vec<Node>, from: usize) {
        for (at, node) in nodes.iter().enumerate().skip(from) {
            if let Some(place) = self.places.get_mut(*node as usize) {
                place.parent = parent;
                place.at = at as u32;
            }
        }
        if let Some(list) = self.list(parent, list) {
            *list = nodes;
        }
    }

    /// Removes these objects. Later changes to them are ignored.
    pub(super) fn detach(&mut self, gone: &[Node]) {
        for node in gone {
            self.last.node = NONE;
            if let Some(place) = self.places.get_mut(*node as usize) {
                place.parent = NONE;
            }
        }
    }

    /// Removes and returns the objects of a list that will be replaced.
    pub(super) fn take(&mut self, parent: Node, list: Key) -> Vec<Node> {
        self.last.node = NONE;
        self.list(parent, list).map(core::mem::take).unwrap_or_default()
    }
}
