//! The sink that stores changes: the native answer of a declared protocol.

#[cfg(feature = "patches")]
use alloc::boxed::Box;
use alloc::vec::Vec;

use super::member::{EXTRA, Member, Object};
use super::nodes::{Index, NONE, Nodes, Place};
use super::shape::Model;
use crate::bytes::string_map::pair;
use crate::core::changes::{AgentText, Located, Path, PathStep, Texts};
#[cfg(feature = "patches")]
use crate::core::json_patch::{Edit, Node as TreeNode, Tree};
use crate::core::sink::{Key, Kind, Node, Sink, SinkValue};
use crate::json::{self, Raw, Value};

/// The root of a declared answer. It is a [`Sink`] that stores all changes.
pub trait Root: Object + Texts + Sized {
    /// The model of the answer.
    const MODEL: &'static Model;

    /// Returns the objects that were opened.
    fn nodes(&mut self) -> &mut Nodes;
}

impl<R: Root> Located for R {
    fn locate(&mut self, node: Node) -> Option<Path> {
        let (steps, depth) = self.nodes().way(node)?;
        let (mut path, mut shape) = (Path::default(), Some(R::MODEL.objects[0]));
        for step in steps.get(..depth)?.iter().rev() {
            let name = R::MODEL.key(step.list)?;
            path.0.push(PathStep::Member(name.into()));
            // All objects that can be in that place have the same shape for a member with that name, if any.
            let member = shape.and_then(|shape| shape.members.iter().find(|member| member.name == name));
            let member = member.or_else(|| R::MODEL.member(name));
            if member.is_some_and(|member| member.shape.is_list()) {
                path.0.push(PathStep::Place(step.at as usize));
            }
            shape = member.and_then(|member| member.shape.object());
        }
        Some(path)
    }

    fn member_name(&self, key: Key) -> Option<&'static str> {
        R::MODEL.key(key)
    }

    fn text(&mut self, node: Node, key: Key) -> Option<&str> {
        member(self, node, key).and_then(|member| member.text())
    }

    fn text_keys(&self) -> &'static [Key] {
        R::TEXTS
    }

    fn agent_text(&mut self, node: Node, key: Key) -> Option<AgentText<'_>> {
        if !is_current(self, node) {
            return None;
        }
        let (steps, depth) = self.nodes().way(node)?;
        let mut way = steps.map(|step| (step.list, step.at as usize));
        let way = way.get_mut(..depth)?;
        way.reverse();
        self.text_at(way, key)
    }

    fn holds_texts(&self, key: Key) -> bool {
        R::HOLDERS.contains(&key)
    }

    fn is_list(&self, key: Key) -> bool {
        is_list::<R>(key)
    }

    fn children(&mut self, node: Node, list: Option<Key>) -> Vec<Node> {
        let Some(place) = self.nodes().places.get(node as usize) else { return Vec::new() };
        let lists = place.lists.iter().filter(|(key, _)| list.is_none_or(|list| list == *key));
        // Only the last object that was opened in a member that is not a list.
        let children = lists.flat_map(|(key, nodes)| {
            let from = if is_list::<R>(*key) { 0 } else { nodes.len().saturating_sub(1) };
            nodes.get(from..).unwrap_or_default()
        });
        children.copied().collect()
    }
}

/// Whether an object is in the answer. Another one may have been opened in its member.
fn is_current<R: Root>(root: &mut R, mut node: Node) -> bool {
    let places = &root.nodes().places;
    while node != 0 {
        let Some(place) = places.get(node as usize) else { return false };
        let Some(parent) = places.get(place.parent as usize) else { return false };
        let mut lists = parent.lists.iter();
        if !is_list::<R>(place.list)
            && !lists.any(|(list, nodes)| *list == place.list && nodes.last() == Some(&node))
        {
            return false;
        }
        node = place.parent;
    }
    true
}

/// Whether a member is a list.
fn is_list<R: Root>(key: Key) -> bool {
    R::MODEL.members().nth(key.0.into()).is_some_and(|member| member.shape.is_list())
}

/// Returns a member of an object.
fn member<R: Root>(root: &mut R, node: Node, key: Key) -> Option<&mut dyn Member> {
    let (steps, depth) = root.nodes().way(node)?;
    root.find(steps.get(..depth)?, key)
}

/// Returns the value at a place inside free JSON, which is then replaced or extended.
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

#[cfg(feature = "patches")]
fn tree<R: Root>(root: &mut R, node: Node, key: Key) -> Option<&mut Tree> {
    member(root, node, key)?.tree()
}

/// Converts a value to a part of free JSON.
#[cfg(feature = "patches")]
fn value_of(value: SinkValue<'_>) -> Box<TreeNode> {
    let mut tree = Tree::default();
    Member::set(&mut tree, value);
    tree.into_root()
}

/// Arranges the objects of a list: keeps those at these positions, in this order.
fn arrange(list: &mut dyn Member, places: &[usize], length: usize) {
    // The object at each position, and the position of each object.
    let mut objects: Vec<usize> = (0..length).collect();
    let mut stands = objects.clone();
    for (to, &object) in places.iter().enumerate() {
        let from = stands[object];
        list.swap(to, from);
        objects.swap(to, from);
        stands[objects[from]] = from;
        stands[object] = to;
    }
    list.truncate(places.len());
}

impl<R: Root> Sink for R {
    fn open(&mut self, kind: Kind, parent: Node, list: Key) {
        let at = member(self, parent, list).map(|member| member.open(kind));
        let nodes = self.nodes();
        let node = nodes.places.len() as Node;
        if at.is_some()
            && let Some(list) = nodes.list(parent, list)
        {
            // In a member that is not a list, an object replaces the previous one.
            let replaced = list.split_off(at.unwrap_or_default().min(list.len()));
            list.push(node);
            nodes.detach(&replaced);
        }
        let parent = if at.is_some() { parent } else { NONE };
        nodes.places.push(Place { parent, list, at: at.unwrap_or_default() as u32, lists: Vec::new() });
    }

    fn set(&mut self, node: Node, key: Key, value: SinkValue<'_>) {
        if let Some(member) = member(self, node, key) {
            member.set(value);
        }
        // Other values do not have members.
        if matches!(value, SinkValue::Null | SinkValue::Json(_) | SinkValue::Free(_))
            && let Some(index) = self.nodes().indexes.get_mut(pair(node, key.0.into()))
        {
            index.forget(&[]);
        }
    }

    fn unset(&mut self, node: Node, key: Key) {
        if let Some(member) = member(self, node, key) {
            member.unset();
        }
    }

    fn append(&mut self, node: Node, key: Key, text: &str) {
        if let Some(member) = member(self, node, key) {
            member.append(text);
        }
    }

    fn set_extra(&mut self, node: Node, name: &str, value: Raw<'_>) {
        let mut indexes = core::mem::take(&mut self.nodes().indexes);
        if let Some(extra) = member(self, node, EXTRA).and_then(Member::extra) {
            let index = indexes.get_or_insert_default(pair(node, EXTRA.0.into()));
            *index.member(extra, name) = Value::from_raw(value);
        }
        self.nodes().indexes = indexes;
    }

    fn unset_extra(&mut self, node: Node, name: &str) {
        if let Some(extra) = member(self, node, EXTRA).and_then(Member::extra) {
            extra.retain(|member| member.key != name);
        }
        if let Some(index) = self.nodes().indexes.get_mut(pair(node, EXTRA.0.into())) {
            index.forget(&[]);
        }
    }

    fn set_in(&mut self, node: Node, key: Key, path: &[&str], value: SinkValue<'_>) {
        #[cfg(feature = "patches")]
        if let Some(tree) = tree(self, node, key) {
            return drop(tree.edit(path, Edit::Set(value_of(value))));
        }
        inside(self, node, key, path, |slot, index| {
            slot.set(value);
            index.forget(path);
        });
    }

    fn append_in(&mut self, node: Node, key: Key, path: &[&str], text: &str) {
        #[cfg(feature = "patches")]
        if let Some(tree) = tree(self, node, key) {
            return tree.append(path, text);
        }
        inside(self, node, key, path, |slot, _| match slot {
            Value::String(slot) => slot.push_str(text),
            slot => *slot = text.into(),
        });
    }

    #[cfg(feature = "patches")]
    fn insert_in(&mut self, node: Node, key: Key, path: &[&str], value: SinkValue<'_>) {
        if let Some(tree) = tree(self, node, key) {
            tree.edit(path, Edit::Insert(value_of(value)));
        }
    }

    #[cfg(feature = "patches")]
    fn remove_in(&mut self, node: Node, key: Key, path: &[&str]) {
        if let Some(tree) = tree(self, node, key) {
            tree.edit(path, Edit::Remove);
            tree.tidy(path);
        }
    }

    #[cfg(feature = "patches")]
    fn move_in(&mut self, node: Node, key: Key, from: &[&str], to: &[&str]) {
        if let Some(tree) = tree(self, node, key) {
            tree.move_to(from, to);
            tree.tidy(from);
        }
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

    fn move_last(&mut self, parent: Node, list: Key, _: Node, at: usize) {
        let mut nodes = self.nodes().take(parent, list);
        let Some(node) = nodes.pop() else { return };
        let last = nodes.len();
        let at = at.min(last);
        if let Some(member) = member(self, parent, list) {
            (at..last).for_each(|place| member.swap(place, last));
        }
        nodes.insert(at, node);
        self.nodes().put(parent, list, nodes, at);
    }

    fn remove(&mut self, parent: Node, list: Key, node: Node) {
        let Some((_, at)) = self.nodes().place(node, list).filter(|place| place.0 == parent) else { return };
        let mut nodes = self.nodes().take(parent, list);
        if let Some(member) = member(self, parent, list) {
            (at + 1..nodes.len()).for_each(|place| member.swap(place - 1, place));
            member.truncate(nodes.len() - 1);
        }
        nodes.remove(at);
        self.nodes().places[node as usize].parent = NONE;
        self.nodes().put(parent, list, nodes, at);
    }

    fn arrange(&mut self, parent: Node, list: Key, nodes: &[Node]) {
        let all = self.nodes();
        let (mut kept, mut places) = (Vec::new(), Vec::new());
        for &node in nodes {
            if let Some((_, at)) = all.place(node, list).filter(|place| place.0 == parent) {
                // Each object is kept once.
                all.places[node as usize].parent = NONE;
                kept.push(node);
                places.push(at);
            }
        }
        let before = all.take(parent, list);
        for node in &before {
            all.places[*node as usize].parent = NONE;
        }
        all.put(parent, list, kept, 0);
        if let Some(member) = member(self, parent, list) {
            arrange(member, &places, before.len());
        }
    }
}

#[cfg(test)]
mod tests;
