//! A JSON value that is changed in place.

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use super::apply::{Edit, index};
use crate::bytes::string_map::StringMap;
use crate::json::{Document, Element, Raw, Value, write_list, write_string};

/// A JSON value that is changed in place. Finding, adding and removing a member costs as much as
/// reading its path, regardless of the size of the objects. It starts as an object without members.
#[derive(Clone)]
pub struct Tree {
    pub(super) root: Box<TreeNode>,
}

impl Default for Tree {
    fn default() -> Self {
        Tree { root: Box::new(TreeNode::new(TreeValue::Object(Box::default()))) }
    }
}

/// The JSON text.
impl fmt::Debug for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_value().to_json())
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
        Tree { root: Box::new(TreeNode::of(value)) }
    }

    pub(crate) fn into_root(self) -> Box<TreeNode> {
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

    pub(crate) fn find<S: AsRef<str>>(&self, path: &[S]) -> Option<&TreeNode> {
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

    /// Moves a value from one place to another: before the element at that place, or to that
    /// member.
    pub(crate) fn move_to<S: AsRef<str>>(&mut self, from: &[S], to: &[S]) -> Option<()> {
        let value = self.edit(from, Edit::Remove)?.swap(Box::new(TreeNode::null()))?;
        let is_element = to
            .split_last()
            .is_some_and(|(_, parent)| self.find(parent).and_then(TreeNode::len).is_some());
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
            if let TreeValue::Object(members) = &mut node.kind {
                members.tidy();
            }
            match node.child_mut(step.as_ref()) {
                Some(child) => node = child,
                None => return,
            }
        }
    }
}

// A JSON value with its size.

/// A value with its size, including its descendants.
#[derive(Clone, Debug)]
pub(crate) struct TreeNode {
    pub(super) kind: TreeValue,
    pub(super) size: Size,
    /// An upper bound on the depth of nested containers.
    pub(super) height: u32,
}

#[derive(Clone, Debug)]
pub(super) enum TreeValue {
    /// Null, a boolean or a number, as JSON.
    Scalar(String),
    Text(String),
    #[allow(clippy::vec_box, reason = "an element is moved whenever one comes before it")]
    Array(Vec<Box<TreeNode>>),
    Object(Box<TreeMembers>),
}

/// The size of a value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Size {
    /// The number of keys and elements.
    pub nodes: usize,
    /// The number of bytes of keys and values.
    pub bytes: u64,
}

impl TreeNode {
    pub(super) fn new(kind: TreeValue) -> Self {
        let (mut size, mut height) = (Size { nodes: 1, bytes: 0 }, 0);
        let mut add = |name: &str, child: &TreeNode| {
            size.nodes += child.size.nodes;
            size.bytes += name.len() as u64 + child.size.bytes;
            height = height.max(child.height + 1);
        };
        match &kind {
            TreeValue::Scalar(text) | TreeValue::Text(text) => size.bytes = text.len() as u64,
            TreeValue::Array(items) => items.iter().for_each(|item| add("", item)),
            TreeValue::Object(members) => members.iter().for_each(|(name, value)| add(name, value)),
        }
        TreeNode { kind, size, height }
    }

    pub(super) fn null() -> Self {
        TreeNode::new(TreeValue::Scalar("null".to_owned()))
    }

    pub(crate) fn of(value: Element<'_, '_>) -> Self {
        TreeNode::new(match value.first() {
            b'"' => TreeValue::Text(value.words().into_owned()),
            b'[' => {
                TreeValue::Array(value.items().map(|item| Box::new(TreeNode::of(item))).collect())
            }
            b'{' => {
                let mut members = TreeMembers::default();
                for (name, value) in value.members() {
                    members.set(&name.to_str(), Box::new(TreeNode::of(value)));
                }
                TreeValue::Object(Box::new(members))
            }
            _ => TreeValue::Scalar(value.raw().as_str().to_owned()),
        })
    }

    pub(crate) fn as_str(&self) -> Option<&str> {
        match &self.kind {
            TreeValue::Text(text) => Some(text),
            _ => None,
        }
    }

    pub(super) fn items(&self) -> Option<&[Box<TreeNode>]> {
        match &self.kind {
            TreeValue::Array(items) => Some(items),
            _ => None,
        }
    }

    /// Returns the number of elements of an array, `None` for any other value.
    pub(crate) fn len(&self) -> Option<usize> {
        self.items().map(<[_]>::len)
    }

    pub(crate) fn is_object(&self) -> bool {
        matches!(self.kind, TreeValue::Object(_))
    }

    pub(super) fn child(&self, step: &str) -> Option<&TreeNode> {
        match &self.kind {
            TreeValue::Array(items) => items.get(index(step)?).map(|item| &**item),
            TreeValue::Object(members) => members.find(step).map(|(_, value)| value),
            TreeValue::Scalar(_) | TreeValue::Text(_) => None,
        }
    }

    pub(super) fn child_mut(&mut self, step: &str) -> Option<&mut Box<TreeNode>> {
        match &mut self.kind {
            TreeValue::Array(items) => items.get_mut(index(step)?),
            TreeValue::Object(members) => {
                let (at, _) = members.find(step)?;
                members.slots[at].as_mut().map(|(_, value)| value)
            }
            TreeValue::Scalar(_) | TreeValue::Text(_) => None,
        }
    }

    /// Updates the size and the height while a child is changed.
    pub(super) fn with_child<T>(
        &mut self,
        step: &str,
        work: impl FnOnce(&mut Box<TreeNode>) -> T,
    ) -> Option<T> {
        let child = self.child_mut(step)?;
        let before = child.size;
        let done = work(child);
        let (after, height) = (child.size, child.height);
        self.grow(before, after, height);
        Some(done)
    }

    pub(super) fn grow(&mut self, before: Size, after: Size, height: u32) {
        self.size.nodes = self.size.nodes + after.nodes - before.nodes;
        self.size.bytes = self.size.bytes + after.bytes - before.bytes;
        self.height = self.height.max(height + 1);
    }

    pub(super) fn append<S: AsRef<str>>(&mut self, path: &[S], piece: &str) {
        match path {
            [] => {
                if let TreeValue::Text(text) = &mut self.kind {
                    text.push_str(piece);
                    self.size.bytes += piece.len() as u64;
                } else {
                    *self = TreeNode::new(TreeValue::Text(piece.to_owned()));
                }
            }
            [step, rest @ ..] => {
                self.with_child(step.as_ref(), |child| child.append(rest, piece));
            }
        }
    }

    pub(super) fn measure_height(&mut self) -> u32 {
        let deepest = match &mut self.kind {
            TreeValue::Scalar(_) | TreeValue::Text(_) => None,
            TreeValue::Array(items) => items.iter_mut().map(|item| item.measure_height() + 1).max(),
            TreeValue::Object(members) => members
                .slots
                .iter_mut()
                .flatten()
                .map(|(_, value)| value.measure_height() + 1)
                .max(),
        };
        self.height = deepest.unwrap_or(0);
        self.height
    }

    pub(crate) fn to_json(&self) -> String {
        let mut out = String::new();
        self.write(&mut out);
        out
    }

    pub(super) fn write(&self, out: &mut String) {
        match &self.kind {
            TreeValue::Scalar(json) => out.push_str(json),
            TreeValue::Text(text) => write_string(text, out),
            TreeValue::Array(items) => write_list(items, out, |item, out| item.write(out)),
            TreeValue::Object(members) => {
                let mut object = crate::json::ObjectWriter::open(out, false);
                members.iter().for_each(|(name, value)| value.write(object.member(name)));
                object.close();
            }
        }
    }

    /// Whether two values are equal, regardless of the order of members and the notation of
    /// numbers.
    pub(super) fn equals(&self, other: &TreeNode) -> bool {
        match (&self.kind, &other.kind) {
            (TreeValue::Scalar(one), TreeValue::Scalar(other)) => {
                one == other || same_number(one, other)
            }
            (TreeValue::Text(one), TreeValue::Text(other)) => one == other,
            (TreeValue::Array(one), TreeValue::Array(other)) => {
                one.len() == other.len()
                    && one.iter().zip(other).all(|(one, other)| one.equals(other))
            }
            (TreeValue::Object(one), TreeValue::Object(other)) => {
                let member = |name: &str| one.find(name).map(|(_, value)| value);
                one.live == other.live
                    && other
                        .iter()
                        .all(|(name, other)| member(name).is_some_and(|one| one.equals(other)))
            }
            _ => false,
        }
    }
}

// The members of an object that is changed in place, and a comparison of numbers in different
// notations.

/// The members of an object in order. A removed member leaves its slot empty until the object is
/// tidied up.
#[derive(Clone, Debug, Default)]
pub(super) struct TreeMembers {
    pub slots: Vec<Option<(Box<str>, Box<TreeNode>)>>,
    pub live: usize,
    /// The current or former slot of each name.
    places: StringMap<usize>,
}

impl TreeMembers {
    pub fn iter(&self) -> impl Iterator<Item = (&str, &TreeNode)> {
        self.slots.iter().flatten().map(|(name, value)| (&**name, &**value))
    }

    /// Returns the member and its slot.
    pub fn find(&self, name: &str) -> Option<(usize, &TreeNode)> {
        let at = *self.places.get(name)?;
        self.slots[at].as_ref().map(|(_, value)| (at, &**value))
    }

    /// Sets a member. Returns the value that it replaces.
    pub fn set(&mut self, name: &str, value: Box<TreeNode>) -> Option<Box<TreeNode>> {
        let slot = self.places.get(name).and_then(|&at| self.slots[at].as_mut());
        if let Some((_, old)) = slot {
            return Some(core::mem::replace(old, value));
        }
        self.places.insert(name, self.slots.len());
        self.slots.push(Some((name.into(), value)));
        self.live += 1;
        None
    }

    pub fn remove(&mut self, name: &str) -> Option<(usize, Box<TreeNode>)> {
        let at = *self.places.get(name)?;
        let (_, value) = self.slots[at].take()?;
        self.live -= 1;
        Some((at, value))
    }

    pub fn restore(&mut self, at: usize, name: &str, value: Box<TreeNode>) {
        self.places.insert(name, at);
        self.slots[at] = Some((name.into(), value));
        self.live += 1;
    }

    pub fn tidy(&mut self) {
        /// A small object is not tidied up.
        const SMALL: usize = 8;
        if self.slots.len() > 2 * self.live + SMALL {
            let all = core::mem::take(self);
            all.slots.into_iter().flatten().for_each(|(name, value)| drop(self.set(&name, value)));
        }
    }
}

/// Whether two numbers in different notations are equal.
pub(super) fn same_number(one: &str, other: &str) -> bool {
    matches!((decimal(one), decimal(other)), (Some(one), Some(other)) if one == other)
}

/// Returns the sign, the digits without the zeros at both ends, and the power of ten of the last
/// digit.
fn decimal(number: &str) -> Option<(bool, String, i64)> {
    let (mantissa, exponent) = match number.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.trim_start_matches('+').parse().ok()?),
        None => (number, 0_i64),
    };
    let digits = mantissa.trim_start_matches('-');
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    if !whole.starts_with(|first: char| first.is_ascii_digit()) {
        return None;
    }
    let all = [whole, fraction].concat();
    let significant = all.trim_end_matches('0');
    let power = exponent
        .checked_sub(fraction.len() as i64)?
        .checked_add((all.len() - significant.len()) as i64)?;
    let significant = significant.trim_start_matches('0');
    match significant {
        "" => Some((false, String::new(), 0)),
        significant => Some((mantissa.starts_with('-'), significant.to_owned(), power)),
    }
}
