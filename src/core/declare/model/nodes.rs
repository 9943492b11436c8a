//! The positions of the objects of a declared answer, by their numbers, and of members in objects with many of them.

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use super::member::Step;
use crate::bytes::string_map::{Numbers, StringMap};
use crate::core::sink::{Key, Node};
use crate::json::{Member, Value};

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

/// The minimum number of members of an object with an index: a linear search for each piece would take quadratic time.
const WIDE: usize = 16;

/// The positions of the members of one object. Members are only ever appended, and replacing a value removes its
/// index.
#[derive(Clone, Debug, Default)]
pub(crate) struct Index {
    /// Empty while the object is not wide.
    places: StringMap<usize>,
    /// The indexes of the members that are objects.
    inside: StringMap<Box<Index>>,
}

impl Index {
    /// Returns the member with a name, which is added if it does not exist.
    pub fn member<'m>(&mut self, members: &'m mut Vec<Member>, name: &str) -> &'m mut Value {
        let known = if members.len() < WIDE {
            members.iter().position(|member| member.key == name)
        } else {
            // The members that were added while the object was not wide.
            for (at, member) in members.iter().enumerate().skip(self.places.len()) {
                self.places.insert(&member.key, at);
            }
            self.places.get(name).copied()
        };
        let at = known.unwrap_or_else(|| {
            members.push(Member { key: name.to_owned(), value: Value::Null });
            members.len() - 1
        });
        &mut members[at].value
    }

    /// Returns the value at a path. Missing members on the path are added as objects. `None` if a value on the path is
    /// not an object.
    pub fn value<'v>(&mut self, object: &'v mut Value, path: &[&str]) -> Option<&'v mut Value> {
        let (mut index, mut value) = (self, object);
        for (depth, step) in path.iter().enumerate() {
            if value.is_null() {
                *value = Value::Object(Vec::new());
            }
            let Value::Object(members) = value else { return None };
            value = index.member(members, step);
            if depth + 1 < path.len() {
                index = index.inside.get_or_insert_default(step);
            }
        }
        Some(value)
    }

    /// Removes the index of a value that is replaced.
    pub fn forget(&mut self, path: &[&str]) {
        let Some((last, way)) = path.split_last() else {
            *self = Index::default();
            return;
        };
        let mut index = self;
        for step in way {
            let Some(inside) = index.inside.get_mut(step) else { return };
            index = inside;
        }
        if let Some(inside) = index.inside.get_mut(last) {
            **inside = Index::default();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;

    #[test]
    fn finds_what_a_search_would_find() {
        let (mut index, mut object) = (Index::default(), Value::Object(Vec::new()));
        for round in 0..100 {
            for path in [&[&*format!("k{}", round % 40)][..], &["deep", &format!("k{round}")]] {
                *index.value(&mut object, path).unwrap() = i64::from(round).into();
            }
            if round == 50 {
                *index.value(&mut object, &["deep"]).unwrap() = Value::Object(Vec::new());
                index.forget(&["deep"]);
            }
        }
        assert_eq!(object.get("k7"), Some(&87.into()));
        let Some(Value::Object(deep)) = object.get("deep") else { panic!("an object") };
        assert_eq!(deep.len(), 49);
        assert!(deep.iter().enumerate().all(|(at, member)| member.value == (at as i64 + 51).into()));
        assert_eq!(index.value(&mut object, &["k7", "x"]), None);
    }
}
