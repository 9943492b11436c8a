//! The sink that stores changes: the native answer of a declared protocol.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use super::member::{DeclaredMember, DeclaredObject, EXTRA, MemberSlot, ModelPathStep, ObjectList};
use super::shape::ModelShape;
use crate::bytes::string_map::{Numbers, pair};
use crate::core::changes::{AgentText, AgentTexts, Located, Path, PathStep};
use crate::core::sink::{Field, FieldValue, JsonChange, ObjectId, ObjectKind, Sink};
use crate::json::{self, MemberIndex, Raw, Value};

#[cfg(feature = "patches")]
use crate::core::json_patch::{Edit, Tree, TreeNode};

/// The root of a declared answer. It is a [`Sink`] that stores all changes.
pub trait Root: DeclaredObject + AgentTexts + Sized {
    /// The model of the answer.
    const MODEL: &'static ModelShape;

    /// Returns the objects that were opened.
    fn nodes(&mut self) -> &mut Nodes;
}

impl<R: Root> Located for R {
    fn locate(&mut self, node: ObjectId) -> Option<Path> {
        let (steps, depth) = self.nodes().way(node)?;
        let (mut path, mut shape) = (Path::default(), Some(R::MODEL.objects[0]));
        for step in steps.get(..depth)?.iter().rev() {
            let name = R::MODEL.key(step.list)?;
            path.0.push(PathStep::Member(name.into()));
            // All objects that can be in that place have the same shape for a member with that
            // name, if any.
            let member =
                shape.and_then(|shape| shape.members.iter().find(|member| member.name == name));
            let member = member.or_else(|| R::MODEL.member(name));
            if member.is_some_and(|member| member.shape.is_list()) {
                path.0.push(PathStep::Place(step.at as usize));
            }
            shape = member.and_then(|member| member.shape.object());
        }
        Some(path)
    }

    fn member_name(&self, key: Field) -> Option<&'static str> {
        R::MODEL.key(key)
    }

    fn text(&mut self, node: ObjectId, key: Field) -> Option<&str> {
        match member(self, node, key)?.slot(false)? {
            MemberSlot::Text(text) => Some(text),
            _ => None,
        }
    }

    fn text_keys(&self) -> &'static [Field] {
        R::TEXTS
    }

    fn agent_text(&mut self, node: ObjectId, key: Field) -> Option<AgentText<'_>> {
        if !is_current(self, node) {
            return None;
        }
        let (steps, depth) = self.nodes().way(node)?;
        let mut way = steps.map(|step| (step.list, step.at as usize));
        let way = way.get_mut(..depth)?;
        way.reverse();
        self.text_at(way, key)
    }

    fn holds_texts(&self, key: Field) -> bool {
        R::HOLDERS.contains(&key)
    }

    fn is_list(&self, key: Field) -> bool {
        is_list::<R>(key)
    }

    fn children(&mut self, node: ObjectId, list: Option<Field>) -> Vec<ObjectId> {
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
fn is_current<R: Root>(root: &mut R, mut node: ObjectId) -> bool {
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
fn is_list<R: Root>(key: Field) -> bool {
    R::MODEL.members().nth(key.0.into()).is_some_and(|member| member.shape.is_list())
}

/// Returns a member of an object.
fn member<R: Root>(root: &mut R, node: ObjectId, key: Field) -> Option<&mut dyn DeclaredMember> {
    let (steps, depth) = root.nodes().way(node)?;
    root.find(steps.get(..depth)?, key)
}

/// Returns the value of a member, which is created if it is absent.
fn slot<R: Root>(root: &mut R, node: ObjectId, key: Field) -> Option<MemberSlot<'_>> {
    member(root, node, key)?.slot(true)
}

/// Converts a value to a part of free JSON.
#[cfg(feature = "patches")]
fn value_of(value: FieldValue<'_>) -> Box<TreeNode> {
    let mut tree = Tree::default();
    DeclaredMember::set(&mut tree, value);
    tree.into_root()
}

/// Arranges the objects of a list: keeps those at these positions, in this order.
fn arrange(list: &mut dyn ObjectList, places: &[usize], length: usize) {
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
    fn open(&mut self, kind: ObjectKind, parent: ObjectId, list: Field) {
        let at = member(self, parent, list).map(|member| member.open(kind));
        let nodes = self.nodes();
        let node = nodes.places.len() as ObjectId;
        if at.is_some()
            && let Some(list) = nodes.list(parent, list)
        {
            // In a member that is not a list, an object replaces the previous one.
            let replaced = list.split_off(at.unwrap_or_default().min(list.len()));
            list.push(node);
            nodes.detach(&replaced);
        }
        let parent = if at.is_some() { parent } else { NONE };
        nodes.places.push(ListPosition {
            parent,
            list,
            at: at.unwrap_or_default() as u32,
            lists: Vec::new(),
        });
    }

    fn set(&mut self, node: ObjectId, key: Field, value: FieldValue<'_>) {
        if let Some(member) = member(self, node, key) {
            member.set(value);
        }
        // Other values do not have members.
        if matches!(value, FieldValue::Null | FieldValue::Json(_) | FieldValue::Free(_))
            && let Some(index) = self.nodes().indexes.get_mut(pair(node, key.0.into()))
        {
            index.forget(&[]);
        }
    }

    fn unset(&mut self, node: ObjectId, key: Field) {
        if let Some(member) = member(self, node, key) {
            member.unset();
        }
    }

    fn append(&mut self, node: ObjectId, key: Field, text: &str) {
        match slot(self, node, key) {
            Some(MemberSlot::Text(slot)) => slot.push_str(text),
            #[cfg(feature = "patches")]
            Some(MemberSlot::Tree(tree)) => tree.append::<&str>(&[], text),
            _ => {}
        }
    }

    fn set_extra(&mut self, node: ObjectId, name: &str, value: Raw<'_>) {
        let mut indexes = core::mem::take(&mut self.nodes().indexes);
        if let Some(MemberSlot::Extra(extra)) = slot(self, node, EXTRA) {
            let index = indexes.get_or_insert_default(pair(node, EXTRA.0.into()));
            *index.member(extra, name) = Value::from_raw(value);
        }
        self.nodes().indexes = indexes;
    }

    fn unset_extra(&mut self, node: ObjectId, name: &str) {
        if let Some(MemberSlot::Extra(extra)) = slot(self, node, EXTRA) {
            extra.retain(|member| member.key != name);
        }
        if let Some(index) = self.nodes().indexes.get_mut(pair(node, EXTRA.0.into())) {
            index.forget(&[]);
        }
    }

    fn change_in(&mut self, node: ObjectId, key: Field, path: &[&str], change: JsonChange<'_>) {
        let mut indexes = core::mem::take(&mut self.nodes().indexes);
        match slot(self, node, key) {
            Some(MemberSlot::Json(json)) => {
                let index = indexes.get_or_insert_default(pair(node, key.0.into()));
                if json.is_null() {
                    *json = Value::Object(Vec::new());
                }
                match (change, index.value(json, path)) {
                    (JsonChange::Set(value), Some(slot)) => {
                        slot.set(value);
                        index.forget(path);
                    }
                    (JsonChange::Append(text), Some(Value::String(slot))) => slot.push_str(text),
                    (JsonChange::Append(text), Some(slot)) => *slot = text.into(),
                    (JsonChange::Extend(items), Some(Value::Array(slot))) => {
                        if let Value::Array(items) = Value::from_raw(items) {
                            slot.extend(items);
                        }
                    }
                    (JsonChange::Add(summand, _), Some(Value::Number(slot))) => {
                        *slot = json::add(slot, summand.as_str()).into();
                    }
                    _ => {}
                }
            }
            #[cfg(feature = "patches")]
            Some(MemberSlot::Tree(tree)) => match change {
                JsonChange::Set(value) => drop(tree.edit(path, Edit::Set(value_of(value)))),
                JsonChange::Insert(value) => drop(tree.edit(path, Edit::Insert(value_of(value)))),
                JsonChange::Append(text) => tree.append(path, text),
                JsonChange::Remove => {
                    tree.edit(path, Edit::Remove);
                    tree.tidy(path);
                }
                JsonChange::Move(to) => {
                    tree.move_to(path, to);
                    tree.tidy(path);
                }
                JsonChange::Extend(_) | JsonChange::Add(..) => {}
            },
            _ => {}
        }
        self.nodes().indexes = indexes;
    }

    fn share(&mut self, node: ObjectId, key: Field, from: ObjectId, from_key: Field) {
        let from = member(self, from, from_key).and_then(|member| member.slot(false));
        let id = if let Some(MemberSlot::Id(id)) = from { id.clone() } else { return };
        if let Some(MemberSlot::Id(slot)) = slot(self, node, key) {
            *slot = id;
        }
    }

    fn move_last(&mut self, parent: ObjectId, list: Field, _: ObjectId, at: usize) {
        let mut nodes = self.nodes().take(parent, list);
        let Some(node) = nodes.pop() else { return };
        let last = nodes.len();
        let at = at.min(last);
        if let Some(MemberSlot::List(objects)) = slot(self, parent, list) {
            (at..last).for_each(|place| objects.swap(place, last));
        }
        nodes.insert(at, node);
        self.nodes().put(parent, list, nodes, at);
    }

    fn remove(&mut self, parent: ObjectId, list: Field, node: ObjectId) {
        let Some((_, at)) = self.nodes().place(node, list).filter(|place| place.0 == parent) else {
            return;
        };
        let mut nodes = self.nodes().take(parent, list);
        if let Some(MemberSlot::List(objects)) = slot(self, parent, list) {
            (at + 1..nodes.len()).for_each(|place| objects.swap(place - 1, place));
            objects.truncate(nodes.len() - 1);
        }
        nodes.remove(at);
        self.nodes().places[node as usize].parent = NONE;
        self.nodes().put(parent, list, nodes, at);
    }

    fn arrange(&mut self, parent: ObjectId, list: Field, nodes: &[ObjectId]) {
        let all = self.nodes();
        let (mut order, mut places) = (Vec::new(), Vec::new());
        for &node in nodes {
            if let Some((_, at)) = all.place(node, list).filter(|place| place.0 == parent) {
                // Each object is kept once.
                all.places[node as usize].parent = NONE;
                order.push(node);
                places.push(at);
            }
        }
        let before = all.take(parent, list);
        for node in &before {
            all.places[*node as usize].parent = NONE;
        }
        all.put(parent, list, order, 0);
        if let Some(MemberSlot::List(objects)) = slot(self, parent, list) {
            arrange(objects, &places, before.len());
        }
    }
}

// The positions of the objects of a declared answer, by their numbers, and of members in objects
// with many of them.

/// The positions of the objects of an answer that an engine has opened.
#[derive(Clone, Debug)]
pub struct Nodes {
    pub(super) places: Vec<ListPosition>,
    /// The positions of the members of free JSON, by object and member, and of the undeclared
    /// members of objects.
    pub(super) indexes: Numbers<MemberIndex>,
    last: ObjectPath,
}

/// The way from the root to an object, the last step first.
#[derive(Clone, Copy, Debug)]
struct ObjectPath {
    node: ObjectId,
    depth: usize,
    steps: [ModelPathStep; DEEPEST],
}

#[derive(Clone, Debug)]
pub(super) struct ListPosition {
    pub parent: ObjectId,
    pub list: Field,
    pub at: u32,
    /// The objects in its lists, in their order.
    pub lists: Vec<(Field, Vec<ObjectId>)>,
}

/// The parent of the root, and of removed objects.
pub(super) const NONE: ObjectId = ObjectId::MAX;

/// The maximum depth of nested objects, including the root.
pub(crate) const DEEPEST: usize = 4;

impl Default for Nodes {
    fn default() -> Self {
        let root = ListPosition { parent: NONE, list: Field(0), at: 0, lists: Vec::new() };
        let last = ObjectPath {
            node: 0,
            depth: 0,
            steps: [ModelPathStep { list: Field(0), at: 0 }; DEEPEST],
        };
        Nodes { places: vec![root], indexes: Numbers::default(), last }
    }
}

impl Nodes {
    /// Returns the parent of an object and the position in it, if the object is in such a list.
    pub(crate) fn place(&self, node: ObjectId, list: Field) -> Option<(ObjectId, usize)> {
        let place = self
            .places
            .get(node as usize)
            .filter(|place| place.parent != NONE && place.list == list)?;
        Some((place.parent, place.at as usize))
    }

    /// Returns the way to an object. The last one is cached: most changes append to one text.
    pub(super) fn way(&mut self, node: ObjectId) -> Option<([ModelPathStep; DEEPEST], usize)> {
        if self.last.node != node || node == NONE {
            self.find(node)?;
        }
        Some((self.last.steps, self.last.depth))
    }

    fn find(&mut self, node: ObjectId) -> Option<()> {
        self.last.node = NONE;
        let (mut depth, mut at) = (0, node);
        while at != 0 {
            let place = self.places.get(at as usize)?;
            *self.last.steps.get_mut(depth)? = ModelPathStep { list: place.list, at: place.at };
            depth += 1;
            at = place.parent;
        }
        self.last.node = node;
        self.last.depth = depth;
        Some(())
    }

    pub(super) fn list(&mut self, parent: ObjectId, list: Field) -> Option<&mut Vec<ObjectId>> {
        let lists = &mut self.places.get_mut(parent as usize)?.lists;
        let at = lists.iter().position(|(key, _)| *key == list).unwrap_or_else(|| {
            lists.push((list, Vec::new()));
            lists.len() - 1
        });
        Some(&mut lists[at].1)
    }

    /// Replaces the objects of a list. The objects from position `from` on have moved.
    pub(super) fn put(&mut self, parent: ObjectId, list: Field, nodes: Vec<ObjectId>, from: usize) {
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
    pub(super) fn detach(&mut self, gone: &[ObjectId]) {
        for node in gone {
            self.last.node = NONE;
            if let Some(place) = self.places.get_mut(*node as usize) {
                place.parent = NONE;
            }
        }
    }

    /// Removes and returns the objects of a list that will be replaced.
    pub(super) fn take(&mut self, parent: ObjectId, list: Field) -> Vec<ObjectId> {
        self.last.node = NONE;
        self.list(parent, list).map(core::mem::take).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_rearranged_in_any_order() {
        for places in [
            &[][..],
            &[0],
            &[4],
            &[4, 3, 2, 1, 0],
            &[1, 2, 3, 4, 0],
            &[4, 0, 1, 2, 3],
            &[2, 0, 3],
            &[3, 1],
        ] {
            let mut list: Vec<usize> = (0..5).collect();
            arrange(&mut list, places, 5);
            assert_eq!(list, places);
        }
    }
}
