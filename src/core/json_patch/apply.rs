//! Applies a patch completely or not at all: edits, and what undoes them.

use alloc::borrow::{Cow, ToOwned};
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use super::tree::{Size, Tree, TreeNode, TreeValue};
use crate::core::limits::{Budget, Limits};
use crate::json::{Element, decimal};

/// The reason why a patch was not applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PatchFailure {
    /// The operation with that index cannot be done, for this reason.
    Impossible(usize, &'static str),
    /// The document would exceed the limit of that name and size.
    Over(&'static str, u64),
}

/// A path in the document, as every operation has it.
pub(super) type DocumentPath = Vec<String>;

/// A patch that is being applied.
pub(super) struct PatchApplication<'p, 'a> {
    pub(super) document: &'p mut Tree,
    pub(super) limits: &'p Limits,
    pub(super) budget: &'p mut Budget,
    /// The changes that undo the operations so far, the latest last.
    pub(super) undo: Vec<Undo>,
    pub(super) changes: Vec<DocumentChange<'a>>,
}

pub(super) type EditResult = Result<(), PatchFailure>;

pub(super) const NOWHERE: PatchFailure = PatchFailure::Impossible(0, "no such place");

impl Tree {
    /// Applies a patch, an array of operations, and returns its changes, or changes nothing.
    /// `budget` pays for content that the patch itself does not contain, and `accept` makes the
    /// final decision about the new document.
    pub(crate) fn apply<'a>(
        &mut self,
        patch: Element<'_, 'a>,
        limits: &Limits,
        budget: &mut Budget,
        accept: impl FnOnce(&Tree) -> bool,
    ) -> Result<Vec<DocumentChange<'a>>, PatchFailure> {
        let nodes = self.size().nodes;
        let mut applying = PatchApplication {
            document: self,
            limits,
            budget,
            undo: Vec::new(),
            changes: Vec::new(),
        };
        let mut operations = patch.items().enumerate();
        let mut done = operations.try_for_each(|(at, operation)| applying.operation(at, operation));
        let most = limits.data_nodes;
        if done.is_ok() && applying.document.size().nodes > most.max(nodes) {
            done = Err(PatchFailure::Over("data_nodes", most as u64));
        }
        if done.is_ok() {
            done = applying.shorten();
        }
        if done.is_ok() && !accept(applying.document) {
            done = Err(PatchFailure::Over("content_bytes", limits.content_bytes));
        }
        let PatchApplication { undo, changes, .. } = applying;
        if let Err(failure) = done {
            undo.into_iter().rev().for_each(|undo| undo.take_back(self));
            return Err(failure);
        }
        changes.iter().for_each(|change| self.tidy(&change.path));
        Ok(changes)
    }
}

impl<'a> PatchApplication<'_, 'a> {
    fn operation(&mut self, at: usize, operation: Element<'_, 'a>) -> EditResult {
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
        let impossible = |reason| PatchFailure::Impossible(at, reason);
        let place = |pointer: Option<crate::json::Str<'_>>| {
            let path = pointer
                .and_then(|pointer| steps(&pointer.to_str()))
                .ok_or(impossible("no JSON Pointer"))?;
            let banned =
                |at: usize| path[at] == "prototype" && at > 0 && path[at - 1] == "constructor";
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
                self.add(path, TreeNode::of(value), Cow::Borrowed(value.raw().as_str()), true)
            }
            Some("replace") => self.replace(path, value()?),
            Some("remove") => self.remove(path),
            Some("move") => self.relocate(place(from)?, path),
            Some("copy") => self.copy(&place(from)?, path),
            Some("test") => {
                let expected = TreeNode::of(value()?);
                let current = self.document.find(&path);
                current
                    .filter(|current| current.equals(&expected))
                    .map(drop)
                    .ok_or(impossible("another value than the tested one"))
            }
            _ => Err(impossible("no operation")),
        };
        done.map_err(|failure| match failure {
            PatchFailure::Impossible(_, reason) => PatchFailure::Impossible(at, reason),
            over @ PatchFailure::Over(..) => over,
        })
    }
}

/// A change of one place. Making it returns its inverse.
#[derive(Clone, Debug)]
pub(crate) enum Edit {
    /// Sets the member or element.
    Set(Box<TreeNode>),
    /// Inserts a value before the element.
    Insert(Box<TreeNode>),
    /// Restores the member at this position of its object.
    Restore(usize, Box<TreeNode>),
    /// Removes the member or element.
    Remove,
}

impl Edit {
    fn value(&mut self) -> Option<&mut Box<TreeNode>> {
        match self {
            Edit::Set(value) | Edit::Insert(value) | Edit::Restore(_, value) => Some(value),
            Edit::Remove => None,
        }
    }

    /// Replaces the value of the change, and returns the previous one.
    pub fn swap(&mut self, value: Box<TreeNode>) -> Option<Box<TreeNode>> {
        self.value().map(|current| core::mem::replace(current, value))
    }
}

impl TreeNode {
    pub(super) fn edit<S: AsRef<str>>(&mut self, path: &[S], edit: Edit) -> Option<Edit> {
        match path {
            [] => None,
            [last] => self.edit_child(last.as_ref(), edit),
            [step, rest @ ..] => self.with_child(step.as_ref(), |child| child.edit(rest, edit))?,
        }
    }

    fn edit_child(&mut self, step: &str, mut edit: Edit) -> Option<Edit> {
        let name = if self.is_object() { step.len() as u64 } else { 0 };
        let (added, height) =
            edit.value().map_or((Size::default(), 0), |value| (value.size, value.height));
        let mut inverse = match (&mut self.kind, edit) {
            (TreeValue::Array(items), Edit::Set(value)) => {
                Edit::Set(core::mem::replace(items.get_mut(index(step)?)?, value))
            }
            (TreeValue::Array(items), Edit::Insert(value)) => {
                let at = index(step).filter(|at| *at <= items.len())?;
                items.insert(at, value);
                Edit::Remove
            }
            (TreeValue::Array(items), Edit::Remove) => {
                let at = index(step).filter(|at| *at < items.len())?;
                Edit::Insert(items.remove(at))
            }
            (TreeValue::Object(members), Edit::Set(value)) => {
                members.set(step, value).map_or(Edit::Remove, Edit::Set)
            }
            (TreeValue::Object(members), Edit::Restore(at, value)) => {
                members.restore(at, step, value);
                Edit::Remove
            }
            (TreeValue::Object(members), Edit::Remove) => {
                members.remove(step).map(|(at, value)| Edit::Restore(at, value))?
            }
            (TreeValue::Array(_), Edit::Restore(..))
            | (TreeValue::Object(_), Edit::Insert(_))
            | (TreeValue::Scalar(_) | TreeValue::Text(_), _) => return None,
        };
        let with_name = |size: Size| Size { bytes: size.bytes + name, ..size };
        let added = if added.nodes > 0 { with_name(added) } else { added };
        let removed = inverse.value().map_or(Size::default(), |value| with_name(value.size));
        self.grow(removed, added, height);
        Some(inverse)
    }
}

/// The inverse of one step.
pub(super) enum Undo {
    Edit(DocumentPath, Edit),
    /// Moves the value at the second place back to the first.
    Move {
        from: DocumentPath,
        hole: Edit,
        to: DocumentPath,
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
                if let Some(value) = tree
                    .edit(&to, over)
                    .and_then(|mut moved| moved.swap(Box::new(TreeNode::null())))
                {
                    hole.swap(value);
                }
                tree.edit(&from, hole);
            }
        }
    }
}

// The operations of a patch.

impl<'a> PatchApplication<'_, 'a> {
    /// Adds or sets a value. `is_add` allows the position after the last element.
    pub(super) fn add(
        &mut self,
        path: DocumentPath,
        value: TreeNode,
        json: Cow<'a, str>,
        is_add: bool,
    ) -> EditResult {
        self.check_height(path.len(), value.height)?;
        let (path, inserts) = self.target(path, is_add)?;
        let value = Box::new(value);
        if inserts {
            let Some((_, parent)) = path.split_last() else { return Ok(()) };
            let shifted = self.document.find(parent).and_then(TreeNode::len).unwrap_or(0);
            self.shift(shifted)?;
            self.edit(&path, Edit::Insert(value))?;
            self.change(path, DocumentChangeKind::Insert(json), shifted);
            return Ok(());
        }
        self.edit(&path, Edit::Set(value))?;
        self.change(path, DocumentChangeKind::Set(json), 0);
        Ok(())
    }

    pub(super) fn replace(&mut self, path: DocumentPath, value: Element<'_, 'a>) -> EditResult {
        let new = TreeNode::of(value);
        self.check_height(path.len(), new.height)?;
        let current = self.existing(&path)?;
        // Texts are streamed by replacing them with longer ones.
        let grown = match (current.as_str(), new.as_str()) {
            (Some(current), Some(new)) if !current.is_empty() => {
                new.strip_prefix(current).map(ToOwned::to_owned)
            }
            _ => None,
        };
        self.edit(&path, Edit::Set(Box::new(new)))?;
        let what = grown.map_or(
            DocumentChangeKind::Set(Cow::Borrowed(value.raw().as_str())),
            DocumentChangeKind::Append,
        );
        self.change(path, what, 0);
        Ok(())
    }

    pub(super) fn remove(&mut self, path: DocumentPath) -> EditResult {
        self.existing(&path)?;
        if path.is_empty() {
            let null = TreeNode::null();
            self.edit(&path, Edit::Set(Box::new(null)))?;
            self.change(path, DocumentChangeKind::Set(Cow::Borrowed("null")), 0);
            return Ok(());
        }
        let shifted = path
            .split_last()
            .and_then(|(_, parent)| self.document.find(parent)?.len())
            .unwrap_or(0);
        self.shift(shifted)?;
        self.edit(&path, Edit::Remove)?;
        self.change(path, DocumentChangeKind::Remove, shifted);
        Ok(())
    }

    pub(super) fn copy(&mut self, from: &DocumentPath, path: DocumentPath) -> EditResult {
        let size = self.existing(from)?.size;
        self.spend(size)?;
        self.check_height_of(from, path.len())?;
        let current = self.existing(from)?.clone();
        let json = current.to_json();
        self.add(path, current, Cow::Owned(json), false)
    }

    /// Moves a value without reading its content.
    pub(super) fn relocate(&mut self, from: DocumentPath, path: DocumentPath) -> EditResult {
        let size = self.existing(&from)?.size;
        if from.is_empty() || path.starts_with(&from) && path != from {
            return Err(PatchFailure::Impossible(0, "a value inside itself"));
        }
        if let Some((_, parent)) = path.split_last() {
            self.container(parent)?;
        }
        self.check_height_of(&from, path.len())?;
        if path.is_empty() {
            self.spend(size)?;
        }
        let Some(mut hole) = self.document.edit(&from, Edit::Remove) else { return Err(NOWHERE) };
        let Some(value) = hole.swap(Box::new(TreeNode::null())) else { return Err(NOWHERE) };
        // The target is resolved after the value is removed.
        let (to, inserts) = match self.target(path, false) {
            Ok(target) => target,
            Err(failure) => {
                hole.swap(value);
                self.document.edit(&from, hole);
                return Err(failure);
            }
        };
        let tree = &mut *self.document;
        let edit = if inserts { Edit::Insert(value) } else { Edit::Set(value) };
        let Some(over) = tree.edit(&to, edit) else { return Err(NOWHERE) };
        match to.is_empty() {
            true => {
                let whole = Cow::Owned(tree.to_json());
                self.change(Vec::new(), DocumentChangeKind::Set(whole), 0);
            }
            false => self.change(from.clone(), DocumentChangeKind::Move(to.clone()), 0),
        }
        self.undo.push(Undo::Move { from, hole, to, over });
        Ok(())
    }

    fn change(&mut self, path: DocumentPath, what: DocumentChangeKind<'a>, shifted: usize) {
        self.changes.push(DocumentChange { path, what, shifted });
    }

    fn edit(&mut self, path: &DocumentPath, edit: Edit) -> EditResult {
        let inverse = self.document.edit(path, edit).ok_or(NOWHERE)?;
        self.undo.push(Undo::Edit(path.clone(), inverse));
        Ok(())
    }

    fn existing(&self, path: &[String]) -> Result<&TreeNode, PatchFailure> {
        self.document.find(path).ok_or(NOWHERE)
    }

    fn container(&self, path: &[String]) -> Result<&TreeNode, PatchFailure> {
        let node = self.existing(path)?;
        let is_container = !matches!(node.kind, TreeValue::Scalar(_) | TreeValue::Text(_));
        is_container
            .then_some(node)
            .ok_or(PatchFailure::Impossible(0, "neither an object nor an array"))
    }

    /// Returns the place at which a value is added, and whether it is inserted between elements.
    fn target(
        &self,
        mut path: DocumentPath,
        is_add: bool,
    ) -> Result<(DocumentPath, bool), PatchFailure> {
        let Some((last, parent)) = path.split_last_mut() else { return Ok((path, false)) };
        let Some(length) = self.container(parent)?.len() else { return Ok((path, false)) };
        let at = match index_to_add(last) {
            _ if *last == "-" => length,
            Some(at) if at <= length || !is_add => at.min(length),
            Some(_) => {
                return Err(PatchFailure::Impossible(0, "a place after the end of the array"));
            }
            None => return Err(PatchFailure::Impossible(0, "no place in an array")),
        };
        *last = decimal(at as i64);
        Ok((path, true))
    }

    /// Checks that a value of that height may be at that depth.
    fn check_height(&self, depth: usize, height: u32) -> EditResult {
        let most = u64::from(self.limits.json_depth);
        let fits = depth as u64 + u64::from(height) <= most;
        fits.then_some(()).ok_or(PatchFailure::Over("json_depth", most))
    }

    /// Checks the height of a value of the document. Its height may be too large after something
    /// deep was removed.
    fn check_height_of(&mut self, path: &DocumentPath, depth: usize) -> EditResult {
        let height = self.existing(path)?.height;
        if self.check_height(depth, height).is_ok() {
            return Ok(());
        }
        self.spend(self.document.size())?;
        self.document.measure_height();
        self.check_height(depth, self.existing(path)?.height)
    }

    /// Pays for the elements that an insertion or removal before them moves: five of them cost a
    /// byte.
    fn shift(&mut self, elements: usize) -> EditResult {
        self.spend(Size { nodes: 0, bytes: elements as u64 / 10 })
    }

    /// Replaces the changes by one of the whole document if that is cheaper for the receiver.
    pub(super) fn shorten(&mut self) -> EditResult {
        if are_long(&self.changes, self.document) {
            self.spend(self.document.size())?;
            let whole = Cow::Owned(self.document.to_json());
            self.changes.clear();
            self.change(Vec::new(), DocumentChangeKind::Set(whole), 0);
        }
        Ok(())
    }

    /// Pays for values that an operation creates or reads and that the patch itself does not
    /// contain: a value, and its JSON.
    fn spend(&mut self, size: Size) -> EditResult {
        /// Bytes that a key or element takes.
        const NODE: u64 = 128;
        let cost = 2 * size.bytes + NODE * size.nodes as u64;
        self.budget.pay(cost).then_some(()).ok_or(PatchFailure::Over("growth", self.limits.growth))
    }
}

// The changes of a patch, place by place.

/// A change of one place of a document.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct DocumentChange<'a> {
    pub path: Vec<String>,
    pub what: DocumentChangeKind<'a>,
    /// The number of elements that may have moved.
    pub shifted: usize,
}

/// The kind of a change.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum DocumentChangeKind<'a> {
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

/// Whether setting the whole document is cheaper than these changes, because they move elements of
/// long arrays.
pub(super) fn are_long(changes: &[DocumentChange<'_>], tree: &Tree) -> bool {
    const FEW: usize = 10_000;
    let shifted: usize = changes.iter().map(|change| change.shifted).sum();
    shifted > FEW.max(4 * tree.size().nodes)
}

// JSON Pointer (RFC 6901).

/// Returns the steps of a pointer; `None` if it is not a pointer: it does not start with `/`, or a
/// `~` is not followed by 0 or 1.
pub(crate) fn steps(pointer: &str) -> Option<Vec<String>> {
    if pointer.is_empty() {
        return Some(Vec::new());
    }
    pointer.strip_prefix('/')?.split('/').map(|step| unescaped(step).map(Cow::into_owned)).collect()
}

fn unescaped(step: &str) -> Option<Cow<'_, str>> {
    let mut pieces = step.split('~');
    let first = pieces.next().unwrap_or_default();
    if first.len() == step.len() {
        return Some(Cow::Borrowed(step));
    }
    let mut out = String::from(first);
    for piece in pieces {
        let (escape, rest) = piece.split_at_checked(1)?;
        out.push(match escape {
            "0" => '~',
            "1" => '/',
            _ => return None,
        });
        out.push_str(rest);
    }
    Some(Cow::Owned(out))
}

/// Returns the position of an element for a step: digits without leading zeros.
pub(super) fn index(step: &str) -> Option<usize> {
    let is_plain =
        step == "0" || !step.starts_with('0') && step.bytes().all(|byte| byte.is_ascii_digit());
    if is_plain { step.parse().ok() } else { None }
}

/// Like `index`, for the position of an added element, as the official client reads it: leading
/// zeros are allowed, and an empty step is 0.
pub(super) fn index_to_add(step: &str) -> Option<usize> {
    if !step.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    match step.trim_start_matches('0') {
        "" => Some(0),
        digits => digits.parse().ok(),
    }
}
