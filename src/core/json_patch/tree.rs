//! A JSON value that is changed in place, place by place.

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use super::members::{Members, same_number};
use super::pointer::index;
use crate::json::{Document, Element, Raw, Value, write_list, write_string};

/// A JSON value that is changed in place: finding, adding and removing a member cost what reading its path costs, however
/// wide the objects are. It starts as an object without members.
#[derive(Clone, Debug)]
pub struct Tree {
    pub(super) root: Box<Node>,
}

/// One value, and how much it and everything below it is.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    kind: Kind,
    size: Size,
    /// How many containers are inside one another at most: never too few.
    height: u32,
}

#[derive(Clone, Debug)]
enum Kind {
    /// Null, a boolean or a number, as JSON.
    Scalar(String),
    Text(String),
    #[allow(clippy::vec_box, reason = "an element is moved whenever one comes before it")]
    Array(Vec<Box<Node>>),
    Object(Box<Members>),
}

/// How much a value is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Size {
    /// Keys and elements.
    pub nodes: usize,
    /// Of keys and of values.
    pub bytes: u64,
}

/// A change of one place. Making it returns the change that takes it back.
#[derive(Clone, Debug)]
pub(crate) enum Edit {
    /// The member or element is this now.
    Set(Box<Node>),
    /// This comes before the element.
    Insert(Box<Node>),
    /// The member stands at this place of its object again.
    Restore(usize, Box<Node>),
    /// The member or element is gone.
    Remove,
}

impl Edit {
    fn value(&mut self) -> Option<&mut Box<Node>> {
        match self {
            Edit::Set(value) | Edit::Insert(value) | Edit::Restore(_, value) => Some(value),
            Edit::Remove => None,
        }
    }

    /// Gives it another value to bring, and returns the one that it had.
    pub fn swap(&mut self, value: Box<Node>) -> Option<Box<Node>> {
        self.value().map(|held| core::mem::replace(held, value))
    }
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

impl PartialEq for Tree {
    fn eq(&self, other: &Self) -> bool {
        self.root.equals(&other.root)
    }
}

impl Tree {
    /// The value of an element.
    pub(crate) fn of(value: Element<'_, '_>) -> Self {
        Tree { root: Box::new(Node::of(value)) }
    }

    pub(crate) fn into_root(self) -> Box<Node> {
        self.root
    }

    /// The value that JSON is. It was read before, so it is known to be JSON.
    pub(crate) fn from_raw(json: Raw<'_>) -> Self {
        match Document::read(json.as_str(), u32::MAX) {
            Ok(document) => Self::of(document.root()),
            Err(_) => Tree::default(),
        }
    }

    /// The value as a tree of [`Value`]s.
    pub fn to_value(&self) -> Value {
        Value::from_raw(Raw(&self.to_json()))
    }

    /// The characters, when this is a string.
    pub fn as_str(&self) -> Option<&str> {
        self.root.as_str()
    }

    /// The value as JSON.
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

    /// Makes a change; `None`, and nothing is changed, if there is no such place.
    pub(crate) fn edit<S: AsRef<str>>(&mut self, path: &[S], edit: Edit) -> Option<Edit> {
        match (path, edit) {
            ([], Edit::Set(value)) => Some(Edit::Set(core::mem::replace(&mut self.root, value))),
            ([], _) => None,
            (path, edit) => self.root.edit(path, edit),
        }
    }

    /// A text got longer. What is no text becomes one.
    pub(crate) fn append<S: AsRef<str>>(&mut self, path: &[S], piece: &str) {
        self.root.append(path, piece);
    }

    /// Moves a value from one place to another: before the element that is there, or as the member.
    pub(crate) fn move_to<S: AsRef<str>>(&mut self, from: &[S], to: &[S]) -> Option<()> {
        let value = self.edit(from, Edit::Remove)?.swap(Box::new(Node::null()))?;
        let is_element =
            to.split_last().is_some_and(|(_, parent)| self.find(parent).is_some_and(Node::is_array));
        self.edit(to, if is_element { Edit::Insert(value) } else { Edit::Set(value) }).map(drop)
    }

    /// The exact height, by looking at all of it.
    pub(super) fn measure_height(&mut self) -> u32 {
        self.root.measure_height()
    }

    /// Forgets the places of members that are gone.
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

impl Node {
    fn new(kind: Kind) -> Self {
        let (mut size, mut height) = (Size { nodes: 1, bytes: 0 }, 0);
        let mut add = |name: &str, child: &Node| {
            size.nodes += child.size.nodes;
            size.bytes += name.len() as u64 + child.size.bytes;
            height = height.max(child.height + 1);
        };
        match &kind {
            Kind::Scalar(text) | Kind::Text(text) => size.bytes = text.len() as u64,
            Kind::Array(items) => items.iter().for_each(|item| add("", item)),
            Kind::Object(members) => members.iter().for_each(|(name, value)| add(name, value)),
        }
        Node { kind, size, height }
    }

    pub(super) fn null() -> Self {
        Node::new(Kind::Scalar("null".to_owned()))
    }

    pub(crate) fn of(value: Element<'_, '_>) -> Self {
        Node::new(match value.first() {
            b'"' => Kind::Text(value.words().into_owned()),
            b'[' => Kind::Array(
                value.array().into_iter().flatten().map(|item| Box::new(Node::of(item))).collect(),
            ),
            b'{' => {
                let mut members = Members::default();
                for (name, value) in value.object().into_iter().flatten() {
                    members.set(&name.to_str(), Box::new(Node::of(value)));
                }
                Kind::Object(Box::new(members))
            }
            _ => Kind::Scalar(value.raw().as_str().to_owned()),
        })
    }

    pub(super) fn as_str(&self) -> Option<&str> {
        match &self.kind {
            Kind::Text(text) => Some(text),
            _ => None,
        }
    }

    pub(super) fn items(&self) -> Option<&[Box<Node>]> {
        match &self.kind {
            Kind::Array(items) => Some(items),
            _ => None,
        }
    }

    pub(super) fn members(&self) -> Option<&Members> {
        match &self.kind {
            Kind::Object(members) => Some(members),
            _ => None,
        }
    }

    pub(super) fn is_array(&self) -> bool {
        matches!(self.kind, Kind::Array(_))
    }

    pub(super) fn size(&self) -> Size {
        self.size
    }

    pub(super) fn height(&self) -> u32 {
        self.height
    }

    /// How many elements it has, if it is an array.
    pub(super) fn len(&self) -> Option<usize> {
        match &self.kind {
            Kind::Array(items) => Some(items.len()),
            _ => None,
        }
    }

    pub(super) fn is_object(&self) -> bool {
        matches!(self.kind, Kind::Object(_))
    }

    fn child(&self, step: &str) -> Option<&Node> {
        match &self.kind {
            Kind::Array(items) => items.get(index(step)?).map(|item| &**item),
            Kind::Object(members) => members.find(step).map(|(_, value)| value),
            Kind::Scalar(_) | Kind::Text(_) => None,
        }
    }

    fn child_mut(&mut self, step: &str) -> Option<&mut Box<Node>> {
        match &mut self.kind {
            Kind::Array(items) => items.get_mut(index(step)?),
            Kind::Object(members) => {
                let (at, _) = members.find(step)?;
                members.slots[at].as_mut().map(|(_, value)| value)
            }
            Kind::Scalar(_) | Kind::Text(_) => None,
        }
    }

    /// Looks after the size and the height while a child is changed.
    fn with_child<T>(&mut self, step: &str, work: impl FnOnce(&mut Box<Node>) -> T) -> Option<T> {
        let child = self.child_mut(step)?;
        let before = child.size;
        let done = work(child);
        let (after, height) = (child.size, child.height);
        self.grow(before, after, height);
        Some(done)
    }

    fn grow(&mut self, before: Size, after: Size, height: u32) {
        self.size.nodes = self.size.nodes + after.nodes - before.nodes;
        self.size.bytes = self.size.bytes + after.bytes - before.bytes;
        self.height = self.height.max(height + 1);
    }

    fn edit<S: AsRef<str>>(&mut self, path: &[S], edit: Edit) -> Option<Edit> {
        match path {
            [] => None,
            [last] => self.edit_child(last.as_ref(), edit),
            [step, rest @ ..] => self.with_child(step.as_ref(), |child| child.edit(rest, edit))?,
        }
    }

    fn edit_child(&mut self, step: &str, mut edit: Edit) -> Option<Edit> {
        let name = if self.is_object() { step.len() as u64 } else { 0 };
        let (came, height) = edit.value().map_or((Size::default(), 0), |value| (value.size, value.height));
        let mut inverse = match (&mut self.kind, edit) {
            (Kind::Array(items), Edit::Set(value)) => {
                Edit::Set(core::mem::replace(items.get_mut(index(step)?)?, value))
            }
            (Kind::Array(items), Edit::Insert(value)) => {
                let at = index(step).filter(|at| *at <= items.len())?;
                items.insert(at, value);
                Edit::Remove
            }
            (Kind::Array(items), Edit::Remove) => {
                let at = index(step).filter(|at| *at < items.len())?;
                Edit::Insert(items.remove(at))
            }
            (Kind::Object(members), Edit::Set(value)) => {
                members.set(step, value).map_or(Edit::Remove, Edit::Set)
            }
            (Kind::Object(members), Edit::Restore(at, value)) => {
                members.restore(at, step, value);
                Edit::Remove
            }
            (Kind::Object(members), Edit::Remove) => {
                members.remove(step).map(|(at, value)| Edit::Restore(at, value))?
            }
            (Kind::Array(_), Edit::Restore(..))
            | (Kind::Object(_), Edit::Insert(_))
            | (Kind::Scalar(_) | Kind::Text(_), _) => return None,
        };
        let with_name = |size: Size| Size { bytes: size.bytes + name, ..size };
        let came = if came.nodes > 0 { with_name(came) } else { came };
        let went = inverse.value().map_or(Size::default(), |value| with_name(value.size));
        self.grow(went, came, height);
        Some(inverse)
    }

    fn append<S: AsRef<str>>(&mut self, path: &[S], piece: &str) {
        match path {
            [] => {
                if let Kind::Text(text) = &mut self.kind {
                    text.push_str(piece);
                    self.size.bytes += piece.len() as u64;
                } else {
                    *self = Node::new(Kind::Text(piece.to_owned()));
                }
            }
            [step, rest @ ..] => {
                self.with_child(step.as_ref(), |child| child.append(rest, piece));
            }
        }
    }

    fn measure_height(&mut self) -> u32 {
        let deepest = match &mut self.kind {
            Kind::Scalar(_) | Kind::Text(_) => None,
            Kind::Array(items) => items.iter_mut().map(|item| item.measure_height() + 1).max(),
            Kind::Object(members) => {
                members.slots.iter_mut().flatten().map(|(_, value)| value.measure_height() + 1).max()
            }
        };
        self.height = deepest.unwrap_or(0);
        self.height
    }

    pub(super) fn to_json(&self) -> String {
        let mut out = String::new();
        self.write(&mut out);
        out
    }

    pub(super) fn write(&self, out: &mut String) {
        match &self.kind {
            Kind::Scalar(json) => out.push_str(json),
            Kind::Text(text) => write_string(text, out),
            Kind::Array(items) => write_list(items, out, |item, out| item.write(out)),
            Kind::Object(members) => {
                let mut object = crate::json::Object::open(out, false);
                members.iter().for_each(|(name, value)| value.write(object.member(name)));
                object.close();
            }
        }
    }

    /// Whether another value is the same, whatever the order of its members and the way its numbers are written.
    pub(super) fn equals(&self, other: &Node) -> bool {
        match (&self.kind, &other.kind) {
            (Kind::Scalar(one), Kind::Scalar(other)) => one == other || same_number(one, other),
            (Kind::Text(one), Kind::Text(other)) => one == other,
            (Kind::Array(one), Kind::Array(other)) => {
                one.len() == other.len() && one.iter().zip(other).all(|(one, other)| one.equals(other))
            }
            (Kind::Object(one), Kind::Object(other)) => {
                let held = |name: &str| one.find(name).map(|(_, value)| value);
                one.live == other.live
                    && other.iter().all(|(name, other)| held(name).is_some_and(|one| one.equals(other)))
            }
            _ => false,
        }
    }
}
