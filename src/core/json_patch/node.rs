//! A JSON value with its size.

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use super::members::{Members, same_number};
use super::pointer::index;
use crate::json::{Element, write_list, write_string};

/// A value with its size, including its descendants.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(super) kind: Kind,
    pub(super) size: Size,
    /// An upper bound on the depth of nested containers.
    pub(super) height: u32,
}

#[derive(Clone, Debug)]
pub(super) enum Kind {
    /// Null, a boolean or a number, as JSON.
    Scalar(String),
    Text(String),
    #[allow(clippy::vec_box, reason = "an element is moved whenever one comes before it")]
    Array(Vec<Box<Node>>),
    Object(Box<Members>),
}

/// The size of a value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Size {
    /// The number of keys and elements.
    pub nodes: usize,
    /// The number of bytes of keys and values.
    pub bytes: u64,
}

impl Node {
    pub(super) fn new(kind: Kind) -> Self {
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
            b'[' => Kind::Array(value.items().map(|item| Box::new(Node::of(item))).collect()),
            b'{' => {
                let mut members = Members::default();
                for (name, value) in value.members() {
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

    /// Returns the number of elements of an array, `None` for any other value.
    pub(super) fn len(&self) -> Option<usize> {
        match &self.kind {
            Kind::Array(items) => Some(items.len()),
            _ => None,
        }
    }

    pub(super) fn is_object(&self) -> bool {
        matches!(self.kind, Kind::Object(_))
    }

    pub(super) fn child(&self, step: &str) -> Option<&Node> {
        match &self.kind {
            Kind::Array(items) => items.get(index(step)?).map(|item| &**item),
            Kind::Object(members) => members.find(step).map(|(_, value)| value),
            Kind::Scalar(_) | Kind::Text(_) => None,
        }
    }

    pub(super) fn child_mut(&mut self, step: &str) -> Option<&mut Box<Node>> {
        match &mut self.kind {
            Kind::Array(items) => items.get_mut(index(step)?),
            Kind::Object(members) => {
                let (at, _) = members.find(step)?;
                members.slots[at].as_mut().map(|(_, value)| value)
            }
            Kind::Scalar(_) | Kind::Text(_) => None,
        }
    }

    /// Updates the size and the height while a child is changed.
    pub(super) fn with_child<T>(&mut self, step: &str, work: impl FnOnce(&mut Box<Node>) -> T) -> Option<T> {
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

    pub(super) fn measure_height(&mut self) -> u32 {
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

    pub(crate) fn to_json(&self) -> String {
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

    /// Whether two values are equal, regardless of the order of members and the notation of numbers.
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
