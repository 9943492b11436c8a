//! Applies a patch completely or not at all.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use super::change::Change;
use super::diff::diff;
use super::node::Node;
use super::pointer::steps;
use super::tree::Tree;
use super::undo::Undo;
use crate::core::budget::Budget;
use crate::core::limits::Limits;
use crate::json::Element;

/// A document to which patches are applied.
#[derive(Clone, Debug, Default)]
pub(crate) struct Patched {
    pub(super) tree: Tree,
}

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
    pub(super) document: &'p mut Patched,
    pub(super) limits: &'p Limits,
    pub(super) budget: &'p mut Budget,
    /// The changes that undo the operations so far, the latest last.
    pub(super) undo: Vec<Undo>,
    pub(super) changes: Vec<Change<'a>>,
}

pub(super) type Done = Result<(), Failure>;

pub(super) const NOWHERE: Failure = Failure::Impossible(0, "no such place");

impl Patched {
    /// Replaces the document.
    pub fn replace(&mut self, value: Tree) {
        self.tree = value;
    }

    /// Returns a patch that changes the document to `value`, an array of operations, which is empty if they are equal.
    /// Returns `None` if the whole document is not longer than the patch, or no patch is found.
    pub fn patch_to(&self, value: &Tree) -> Option<String> {
        diff(&self.tree, value).filter(|patch| patch.len() < "[]".len() + value.to_json().len())
    }

    /// Returns the document as JSON.
    pub fn to_json(&self) -> String {
        self.tree.to_json()
    }

    /// Applies a patch, an array of operations, and returns its changes, or changes nothing. `budget` pays for content
    /// that the patch itself does not contain, and `accept` makes the final decision about the new document.
    pub fn apply<'a>(
        &mut self,
        patch: Element<'_, 'a>,
        limits: &Limits,
        budget: &mut Budget,
        accept: impl FnOnce(&Tree) -> bool,
    ) -> Result<Vec<Change<'a>>, Failure> {
        let nodes = self.tree.size().nodes;
        let mut applying = Applying { document: self, limits, budget, undo: Vec::new(), changes: Vec::new() };
        let mut operations = patch.items().enumerate();
        let mut done = operations.try_for_each(|(at, operation)| applying.operation(at, operation));
        let most = limits.data_nodes;
        if done.is_ok() && applying.document.tree.size().nodes > most.max(nodes) {
            done = Err(Failure::Over("data_nodes", most as u64));
        }
        if done.is_ok() {
            done = applying.shorten();
        }
        if done.is_ok() && !accept(&applying.document.tree) {
            done = Err(Failure::Over("content_bytes", limits.content_bytes));
        }
        let Applying { undo, changes, .. } = applying;
        if let Err(failure) = done {
            undo.into_iter().rev().for_each(|undo| undo.take_back(&mut self.tree));
            return Err(failure);
        }
        changes.iter().for_each(|change| self.tree.tidy(change.path()));
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
                let held = self.document.tree.find(&path);
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
