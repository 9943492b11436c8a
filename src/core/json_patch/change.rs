//! The changes of a patch, place by place.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use super::tree::Tree;

/// A change of one place of a document.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Change<'a> {
    path: Vec<String>,
    pub what: What<'a>,
    /// The number of elements that may have moved.
    shifted: usize,
}

/// The kind of a change.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum What<'a> {
    /// The value is replaced by this JSON.
    Set(Cow<'a, str>),
    /// This JSON is inserted before the element.
    Insert(Cow<'a, str>),
    /// The value is removed.
    Remove,
    /// This is appended to the text.
    Append(String),
    /// The value is moved: before the element at that place, or to that member.
    Move(Vec<String>),
}

impl<'a> Change<'a> {
    pub fn set(path: Vec<String>, json: Cow<'a, str>) -> Self {
        Change { path, what: What::Set(json), shifted: 0 }
    }

    pub fn insert(path: Vec<String>, json: Cow<'a, str>, shifted: usize) -> Self {
        Change { path, what: What::Insert(json), shifted }
    }

    pub fn remove(path: Vec<String>, shifted: usize) -> Self {
        Change { path, what: What::Remove, shifted }
    }

    pub fn append(path: Vec<String>, piece: String) -> Self {
        Change { path, what: What::Append(piece), shifted: 0 }
    }

    pub fn relocate(path: Vec<String>, to: Vec<String>) -> Self {
        Change { path, what: What::Move(to), shifted: 0 }
    }

    pub fn path(&self) -> &[String] {
        &self.path
    }
}

/// Whether setting the whole document is cheaper than these changes, because they move elements of long arrays.
pub(super) fn are_long(changes: &[Change<'_>], tree: &Tree) -> bool {
    const FEW: usize = 10_000;
    let shifted: usize = changes.iter().map(|change| change.shifted).sum();
    shifted > FEW.max(4 * tree.size().nodes)
}
