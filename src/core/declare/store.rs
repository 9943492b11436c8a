//! The sink that stores: the native answer of a declared protocol.

use alloc::vec;
use alloc::vec::Vec;

use super::index::Index;
use super::member::{Member, Object};
use crate::bytes::string_map::{Numbers, pair};
use crate::core::sink::{Key, Kind, Node, Sink, SinkValue};
use crate::json::{self, Raw, Value};

/// Where the objects of an answer stand that a fold has opened. It says nothing of the answer, so all are equal.
#[derive(Clone, Debug)]
pub struct Nodes {
    places: Vec<Place>,
    /// Where the members stand of free JSON, by object and member, and the undeclared members of objects.
    indexes: Numbers<Index>,
}

#[derive(Clone, Debug)]
struct Place {
    parent: Node,
    list: Key,
    at: usize,
    /// The objects in its lists, in their order.
    lists: Vec<(Key, Vec<Node>)>,
}

/// The parent of the root, and of what is gone.
const NONE: Node = Node::MAX;

/// No object is inside of more objects than this.
const DEEPEST: usize = 8;

/// In the place of a member's number: the undeclared ones.
const EXTRA: u32 = 256;

impl Default for Nodes {
    fn default() -> Self {
        let root = Place { parent: NONE, list: Key(0), at: 0, lists: Vec::new() };
        Nodes { places: vec![root], indexes: Numbers::default() }
    }
}

impl PartialEq for Nodes {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Nodes {
    /// What an object stands in and at which place, if that is in such a list.
    pub(crate) fn place(&self, node: Node, list: Key) -> Option<(Node, usize)> {
        let place =
            self.places.get(node as usize).filter(|place| place.parent != NONE && place.list == list)?;
        Some((place.parent, place.at))
    }

    fn list(&mut self, parent: Node, list: Key) -> Option<&mut Vec<Node>> {
        let lists = &mut self.places.get_mut(parent as usize)?.lists;
        let at = lists.iter().position(|(key, _)| *key == list).unwrap_or_else(|| {
            lists.push((list, Vec::new()));
            lists.len() - 1
        });
        Some(&mut lists[at].1)
    }

    /// A list consists of these objects now, and from that place on they stand elsewhere than before.
    fn put(&mut self, parent: Node, list: Key, nodes: Vec<Node>, from: usize) {
        for (at, node) in nodes.iter().enumerate().skip(from) {
            if let Some(place) = self.places.get_mut(*node as usize) {
                place.parent = parent;
                place.at = at;
            }
        }
        if let Some(list) = self.list(parent, list) {
            *list = nodes;
        }
    }

    fn take(&mut self, parent: Node, list: Key) -> Vec<Node> {
        self.list(parent, list).map(core::mem::take).unwrap_or_default()
    }
}

/// The root of a declared answer. It is a [`Sink`]: what it is told, it stores.
pub trait Root: Object + Sized {
    /// The objects that were opened.
    fn nodes(&mut self) -> &mut Nodes;
}

fn object<R: Root>(root: &mut R, node: Node) -> Option<&mut dyn Object> {
    let mut way = [(Key(0), 0); DEEPEST];
    let (mut depth, mut node) = (0, node);
    let places = &root.nodes().places;
    while node != 0 {
        let place = places.get(node as usize)?;
        *way.get_mut(depth)? = (place.list, place.at);
        depth += 1;
        node = place.parent;
    }
    let mut object: &mut dyn Object = root;
    for &(list, at) in way.get(..depth)?.iter().rev() {
        object = object.member(list)?.child(at)?;
    }
    Some(object)
}

fn member<R: Root>(root: &mut R, node: Node, key: Key) -> Option<&mut dyn Member> {
    object(root, node)?.member(key)
}

/// The value at a place inside free JSON; what stands there is another one afterwards, or the same and longer.
fn inside<R: Root>(
    root: &mut R,
    node: Node,
    key: Key,
    path: &[&str],
    work: impl FnOnce(&mut Value, &mut Index),
) {
    let mut indexes = core::mem::take(&mut root.nodes().indexes);
    if let Some(json) = member(root, node, key).and_then(Member::json) {
        let index = indexes.get_or_insert_default(pair(node, key.0.into()));
        if json.is_null() {
            *json = Value::Object(Vec::new());
        }
        if let Some(value) = index.value(json, path) {
            work(value, index);
        }
    }
    root.nodes().indexes = indexes;
}

impl<R: Root> Sink for R {
    fn open(&mut self, kind: Kind, parent: Node, list: Key) {
        let at = member(self, parent, list).map(|member| member.open(kind));
        let nodes = self.nodes();
        let node = nodes.places.len() as Node;
        if at.is_some()
            && let Some(list) = nodes.list(parent, list)
        {
            list.push(node);
        }
        let parent = if at.is_some() { parent } else { NONE };
        nodes.places.push(Place { parent, list, at: at.unwrap_or_default(), lists: Vec::new() });
    }

    fn set(&mut self, node: Node, key: Key, value: SinkValue<'_>) {
        if let Some(member) = member(self, node, key) {
            member.set(value);
        }
        if let Some(index) = self.nodes().indexes.get_mut(pair(node, key.0.into())) {
            index.forget(&[]);
        }
    }

    fn append(&mut self, node: Node, key: Key, text: &str) {
        if let Some(member) = member(self, node, key) {
            member.append(text);
        }
    }

    fn set_extra(&mut self, node: Node, name: &str, value: Raw<'_>) {
        let mut indexes = core::mem::take(&mut self.nodes().indexes);
        if let Some(extra) = object(self, node).and_then(Object::extra) {
            let index = indexes.get_or_insert_default(pair(node, EXTRA));
            *index.member(extra, name) = Value::from_raw(value);
        }
        self.nodes().indexes = indexes;
    }

    fn set_in(&mut self, node: Node, key: Key, path: &[&str], value: SinkValue<'_>) {
        inside(self, node, key, path, |slot, index| {
            slot.set(value);
            index.forget(path);
        });
    }

    fn append_in(&mut self, node: Node, key: Key, path: &[&str], text: &str) {
        inside(self, node, key, path, |slot, _| match slot {
            Value::String(slot) => slot.push_str(text),
            slot => *slot = text.into(),
        });
    }

    fn extend_in(&mut self, node: Node, key: Key, path: &[&str], items: Raw<'_>) {
        inside(self, node, key, path, |slot, _| {
            if let (Value::Array(slot), Value::Array(items)) = (slot, Value::from_raw(items)) {
                slot.extend(items);
            }
        });
    }

    fn add_in(&mut self, node: Node, key: Key, path: &[&str], summand: Raw<'_>, _: bool) {
        inside(self, node, key, path, |slot, _| {
            if let Value::Number(slot) = slot {
                *slot = json::add(slot, summand.as_str());
            }
        });
    }

    fn share(&mut self, node: Node, key: Key, from: Node, from_key: Key) {
        let id = member(self, from, from_key).and_then(|member| member.id());
        if let (Some(id), Some(member)) = (id, member(self, node, key)) {
            member.set_id(id);
        }
    }

    fn move_last(&mut self, parent: Node, list: Key, node: Node, at: usize) {
        let mut nodes = self.nodes().take(parent, list);
        let Some(last) = nodes.len().checked_sub(1) else { return };
        let at = at.min(last);
        if let Some(member) = member(self, parent, list) {
            member.move_item(last, Some(at));
        }
        nodes.pop();
        nodes.insert(at, node);
        self.nodes().put(parent, list, nodes, at);
    }

    fn remove(&mut self, parent: Node, list: Key, node: Node) {
        let Some((_, at)) = self.nodes().place(node, list) else { return };
        if let Some(member) = member(self, parent, list) {
            member.move_item(at, None);
        }
        let mut nodes = self.nodes().take(parent, list);
        nodes.retain(|other| *other != node);
        self.nodes().places[node as usize].parent = NONE;
        self.nodes().put(parent, list, nodes, at);
    }

    fn arrange(&mut self, parent: Node, list: Key, nodes: &[Node]) {
        let all = self.nodes();
        let places: Vec<(Node, usize)> =
            nodes.iter().filter_map(|&node| Some((node, all.place(node, list)?.1))).collect();
        for node in all.take(parent, list) {
            all.places[node as usize].parent = NONE;
        }
        let (nodes, places): (Vec<_>, Vec<_>) = places.into_iter().unzip();
        all.put(parent, list, nodes, 0);
        if let Some(member) = member(self, parent, list) {
            member.arrange(&places);
        }
    }
}
