//! Applies a patch completely or not at all: edits, and what undoes them.

use super::change::Change;
use super::diff::diff;
use super::node::{Kind, Node, Size};
use super::pointer::{index, steps};
use super::tree::Tree;
use crate::core::limits::Budget;
use crate::core::limits::Limits;
use crate::json::Element;
use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

/// The reason why a patch was not applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    /// The operation with that index cannot be done, for this reason.
    Impossible(usize, &'static str),
    /// The document would exceed the limit of that name and size.
    Over(&'static str, u64),
}

/// A path in the document, as every operation has it.
pub(super) type Path = Vec<String>;

/// A patch that is being applied.
pub(super) struct Applying<'p, 'a> {
    pub(super) document: &'p mut Tree,
    pub(super) limits: &'p Limits,
    pub(super) budget: &'p mut Budget,
    /// The changes that undo the operations so far, the latest last.
    pub(super) undo: Vec<Undo>,
    pub(super) changes: Vec<Change<'a>>,
}

pub(super) type Done = Result<(), Failure>;

pub(super) const NOWHERE: Failure = Failure::Impossible(0, "no such place");

impl Tree {
    /// Returns a patch that changes the document to `value`, an array of operations, which is empty if they are equal.
    /// Returns `None` if the whole document is not longer than the patch, or no patch is found.
    pub(crate) fn patch_to(&self, value: &Tree) -> Option<String> {
        diff(self, value).filter(|patch| patch.len() < "[]".len() + value.to_json().len())
    }

    /// Applies a patch, an array of operations, and returns its changes, or changes nothing. `budget` pays for content
    /// that the patch itself does not contain, and `accept` makes the final decision about the new document.
    pub(crate) fn apply<'a>(
        &mut self,
        patch: Element<'_, 'a>,
        limits: &Limits,
        budget: &mut Budget,
        accept: impl FnOnce(&Tree) -> bool,
    ) -> Result<Vec<Change<'a>>, Failure> {
        let nodes = self.size().nodes;
        let mut applying = Applying { document: self, limits, budget, undo: Vec::new(), changes: Vec::new() };
        let mut operations = patch.items().enumerate();
        let mut done = operations.try_for_each(|(at, operation)| applying.operation(at, operation));
        let most = limits.data_nodes;
        if done.is_ok() && applying.document.size().nodes > most.max(nodes) {
            done = Err(Failure::Over("data_nodes", most as u64));
        }
        if done.is_ok() {
            done = applying.shorten();
        }
        if done.is_ok() && !accept(applying.document) {
            done = Err(Failure::Over("content_bytes", limits.content_bytes));
        }
        let Applying { undo, changes, .. } = applying;
        if let Err(failure) = done {
            undo.into_iter().rev().for_each(|undo| undo.take_back(self));
            return Err(failure);
        }
        changes.iter().for_each(|change| self.tidy(change.path()));
        Ok(changes)
    }
}

impl<'a> Applying<'_, 'a> {
    fn operation(&mut self, at: usize, operation: Element<'_, 'a>) -> Done {
        let (mut op, mut path, mut from, mut value) = (None, None, None, None);
        for (name, member) in operation.members() {
            match name.as_plain() {
                Some("op") => op = member.string().ok(),
                Some("path") => path = member.string().ok(),
                Some("from") => from = member.string().ok(),
                Some("value") => value = Some(member),
                _ => {}
            }
        }
        let impossible = |why| Failure::Impossible(at, why);
        let place = |pointer: Option<crate::json::Str<'_>>| {
            let path =
                pointer.and_then(|pointer| steps(&pointer.to_str())).ok_or(impossible("no JSON Pointer"))?;
            let banned = |at: usize| path[at] == "prototype" && at > 0 && path[at - 1] == "constructor";
            match (0..path.len()).any(|at| path[at] == "__proto__" || banned(at)) {
                true => Err(impossible("a prototype")),
                false => Ok(path),
            }
        };
        let path = place(path)?;
        let value = || value.ok_or(impossible("no value"));
        let done = match op.map(|op| op.to_str()).as_deref() {
            Some("add") => {
                let value = value()?;
                self.add(path, Node::of(value), Cow::Borrowed(value.raw().as_str()), true)
            }
            Some("replace") => self.replace(path, value()?),
            Some("remove") => self.remove(path),
            Some("move") => self.relocate(place(from)?, path),
            Some("copy") => self.copy(&place(from)?, path),
            Some("test") => {
                let expected = Node::of(value()?);
                let held = self.document.find(&path);
                held.filter(|held| held.equals(&expected))
                    .map(drop)
                    .ok_or(impossible("another value than the tested one"))
            }
            _ => Err(impossible("no operation")),
        };
        done.map_err(|failure| match failure {
            Failure::Impossible(_, why) => Failure::Impossible(at, why),
            over @ Failure::Over(..) => over,
        })
    }
}

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

/// The inverse of one step.
pub(super) enum Undo {
    Edit(Path, Edit),
    /// Moves the value at the second place back to the first.
    Move {
        from: Path,
        hole: Edit,
        to: Path,
        over: Edit,
    },
}

impl Undo {
    pub(super) fn take_back(self, tree: &mut Tree) {
        match self {
            Undo::Edit(path, edit) => {
                tree.edit(&path, edit);
            }
            Undo::Move { from, mut hole, to, over } => {
                if let Some(value) =
                    tree.edit(&to, over).and_then(|mut moved| moved.swap(Box::new(Node::null())))
                {
                    hole.swap(value);
                }
                tree.edit(&from, hole);
            }
        }
    }
}
