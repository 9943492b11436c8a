//! A change of one place of a JSON value, and its inverse.

use alloc::boxed::Box;

use super::node::{Kind, Node, Size};
use super::pointer::index;

/// A change of one place. Making it returns its inverse.
#[derive(Clone, Debug)]
pub(crate) enum Edit {
    /// Sets the member or element.
    Set(Box<Node>),
    /// Inserts a value before the element.
    Insert(Box<Node>),
    /// Restores the member at this position of its object.
    Restore(usize, Box<Node>),
    /// Removes the member or element.
    Remove,
}

impl Edit {
    fn value(&mut self) -> Option<&mut Box<Node>> {
        match self {
            Edit::Set(value) | Edit::Insert(value) | Edit::Restore(_, value) => Some(value),
            Edit::Remove => None,
        }
    }

    /// Replaces the value of the change, and returns the previous one.
    pub fn swap(&mut self, value: Box<Node>) -> Option<Box<Node>> {
        self.value().map(|held| core::mem::replace(held, value))
    }
}

impl Node {
    pub(super) fn edit<S: AsRef<str>>(&mut self, path: &[S], edit: Edit) -> Option<Edit> {
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
}
