//! What a patch changed, place by place.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use super::tree::Tree;

/// One place of a document that has changed.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Change<'a> {
    path: Vec<String>,
    pub what: What<'a>,
    /// How many elements may have got another place.
    shifted: usize,
}

/// What has become of the place.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum What<'a> {
    /// It is this JSON now.
    Set(Cow<'a, str>),
    /// This JSON is an element before the one that was there.
    Insert(Cow<'a, str>),
    /// It is gone.
    Remove,
    /// The text got longer by this.
    Append(String),
    /// It has moved there: before the element of that place, or as that member.
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

/// Whether one change, the whole document, is less to do than these, which move elements of long arrays.
pub(super) fn are_long(changes: &[Change<'_>], tree: &Tree) -> bool {
    const FEW: usize = 10_000;
    let shifted: usize = changes.iter().map(|change| change.shifted).sum();
    shifted > FEW.max(4 * tree.size().nodes)
}
