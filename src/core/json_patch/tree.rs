//! A JSON value that is changed in place.

use alloc::boxed::Box;
use alloc::string::String;

use super::apply::Edit;
use super::node::{Kind, Node, Size};
use crate::json::{Document, Element, Raw, Value};

/// A JSON value that is changed in place. Finding, adding and removing a member costs as much as reading its path,
/// regardless of the size of the objects. It starts as an object without members.
#[derive(Clone, Debug)]
pub struct Tree {
    pub(super) root: Box<Node>,
}

impl Default for Tree {
    fn default() -> Self {
        Tree { root: Box::new(Node::new(Kind::Object(Box::default()))) }
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Tree {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.to_value().serialize(serializer)
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Tree {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Value::deserialize(deserializer).map(|value| Tree::from_raw(Raw(&value.to_json())))
    }
}

impl PartialEq for Tree {
    fn eq(&self, other: &Self) -> bool {
        self.root.equals(&other.root)
    }
}

impl Tree {
    /// Creates a tree from an element.
    pub(crate) fn of(value: Element<'_, '_>) -> Self {
        Tree { root: Box::new(Node::of(value)) }
    }

    pub(crate) fn into_root(self) -> Box<Node> {
        self.root
    }

    /// Creates a tree from JSON. The JSON was read before, so it is valid.
    pub(crate) fn from_raw(json: Raw<'_>) -> Self {
        match Document::read(json.as_str(), u32::MAX) {
            Ok(document) => Self::of(document.root()),
            Err(_) => Tree::default(),
        }
    }

    /// Returns the value as a tree of [`Value`]s.
    pub fn to_value(&self) -> Value {
        Value::from_raw(Raw(&self.to_json()))
    }

    /// Returns the characters of a string.
    pub fn as_str(&self) -> Option<&str> {
        self.root.as_str()
    }

    /// Returns the value as JSON.
    pub fn to_json(&self) -> String {
        self.root.to_json()
    }

    pub(crate) fn write(&self, out: &mut String) {
        self.root.write(out);
    }

    pub(crate) fn size(&self) -> Size {
        self.root.size
    }

    pub(super) fn find<S: AsRef<str>>(&self, path: &[S]) -> Option<&Node> {
        path.iter().try_fold(&*self.root, |node, step| node.child(step.as_ref()))
    }

    /// Makes a change. Returns `None` and changes nothing if the place does not exist.
    pub(crate) fn edit<S: AsRef<str>>(&mut self, path: &[S], edit: Edit) -> Option<Edit> {
        match (path, edit) {
            ([], Edit::Set(value)) => Some(Edit::Set(core::mem::replace(&mut self.root, value))),
            ([], _) => None,
            (path, edit) => self.root.edit(path, edit),
        }
    }

    /// Appends to a text. Any other value is replaced by the text.
    pub(crate) fn append<S: AsRef<str>>(&mut self, path: &[S], piece: &str) {
        self.root.append(path, piece);
    }

    /// Moves a value from one place to another: before the element at that place, or to that member.
    pub(crate) fn move_to<S: AsRef<str>>(&mut self, from: &[S], to: &[S]) -> Option<()> {
        let value = self.edit(from, Edit::Remove)?.swap(Box::new(Node::null()))?;
        let is_element =
            to.split_last().is_some_and(|(_, parent)| self.find(parent).is_some_and(Node::is_array));
        self.edit(to, if is_element { Edit::Insert(value) } else { Edit::Set(value) }).map(drop)
    }

    /// Computes the exact height from the whole value.
    pub(super) fn measure_height(&mut self) -> u32 {
        self.root.measure_height()
    }

    /// Removes the empty slots of removed members.
    pub(crate) fn tidy<S: AsRef<str>>(&mut self, path: &[S]) {
        let mut node = &mut self.root;
        for step in path {
            if let Kind::Object(members) = &mut node.kind {
                members.tidy();
            }
            match node.child_mut(step.as_ref()) {
                Some(child) => node = child,
                None => return,
            }
        }
    }
}
