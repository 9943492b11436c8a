//! The operations of a patch.

use alloc::borrow::{Cow, ToOwned};
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use super::apply::Edit;
use super::apply::Undo;
use super::apply::{Applying, Done, Failure, NOWHERE, Path};
use super::change::{Change, are_long};
use super::node::{Node, Size};
use super::pointer;
use crate::json::{Element, decimal};

impl<'a> Applying<'_, 'a> {
    /// Adds or sets a value. `is_add` allows the position after the last element.
    pub(super) fn add(&mut self, path: Path, value: Node, json: Cow<'a, str>, is_add: bool) -> Done {
        self.check_height(path.len(), value.height())?;
        let (path, inserts) = self.target(path, is_add)?;
        let value = Box::new(value);
        if inserts {
            let Some((_, parent)) = path.split_last() else { return Ok(()) };
            let shifted = self.document.find(parent).and_then(Node::len).unwrap_or(0);
            self.shift(shifted)?;
            self.edit(&path, Edit::Insert(value))?;
            self.changes.push(Change::insert(path, json, shifted));
            return Ok(());
        }
        self.edit(&path, Edit::Set(value))?;
        self.changes.push(Change::set(path, json));
        Ok(())
    }

    pub(super) fn replace(&mut self, path: Path, value: Element<'_, 'a>) -> Done {
        let new = Node::of(value);
        self.check_height(path.len(), new.height())?;
        let held = self.existing(&path)?;
        // Texts are streamed by replacing them with longer ones.
        let grown = match (held.as_str(), new.as_str()) {
            (Some(held), Some(new)) if !held.is_empty() => new.strip_prefix(held).map(ToOwned::to_owned),
            _ => None,
        };
        self.edit(&path, Edit::Set(Box::new(new)))?;
        self.changes.push(match grown {
            Some(piece) => Change::append(path, piece),
            None => Change::set(path, Cow::Borrowed(value.raw().as_str())),
        });
        Ok(())
    }

    pub(super) fn remove(&mut self, path: Path) -> Done {
        self.existing(&path)?;
        if path.is_empty() {
            let null = Node::null();
            self.edit(&path, Edit::Set(Box::new(null)))?;
            self.changes.push(Change::set(path, Cow::Borrowed("null")));
            return Ok(());
        }
        let shifted = path.split_last().and_then(|(_, parent)| self.document.find(parent)?.len());
        self.shift(shifted.unwrap_or(0))?;
        self.edit(&path, Edit::Remove)?;
        self.changes.push(Change::remove(path, shifted.unwrap_or(0)));
        Ok(())
    }

    pub(super) fn copy(&mut self, from: &Path, path: Path) -> Done {
        let size = self.existing(from)?.size();
        self.spend(size)?;
        self.check_height_of(from, path.len())?;
        let held = self.existing(from)?.clone();
        let json = held.to_json();
        self.add(path, held, Cow::Owned(json), false)
    }

    /// Moves a value without reading its content.
    pub(super) fn relocate(&mut self, from: Path, path: Path) -> Done {
        let size = self.existing(&from)?.size();
        if from.is_empty() || path.starts_with(&from) && path != from {
            return Err(Failure::Impossible(0, "a value inside itself"));
        }
        if let Some((_, parent)) = path.split_last() {
            self.container(parent)?;
        }
        self.check_height_of(&from, path.len())?;
        if path.is_empty() {
            self.spend(size)?;
        }
        let Some(mut hole) = self.document.edit(&from, Edit::Remove) else { return Err(NOWHERE) };
        let Some(value) = hole.swap(Box::new(Node::null())) else { return Err(NOWHERE) };
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
        self.changes.push(match to.is_empty() {
            true => Change::set(Vec::new(), Cow::Owned(tree.to_json())),
            false => Change::relocate(from.clone(), to.clone()),
        });
        self.undo.push(Undo::Move { from, hole, to, over });
        Ok(())
    }

    fn edit(&mut self, path: &Path, edit: Edit) -> Done {
        let inverse = self.document.edit(path, edit).ok_or(NOWHERE)?;
        self.undo.push(Undo::Edit(path.clone(), inverse));
        Ok(())
    }

    fn existing(&self, path: &[String]) -> Result<&Node, Failure> {
        self.document.find(path).ok_or(NOWHERE)
    }

    fn container(&self, path: &[String]) -> Result<&Node, Failure> {
        let node = self.existing(path)?;
        let is_container = node.is_object() || node.is_array();
        is_container.then_some(node).ok_or(Failure::Impossible(0, "neither an object nor an array"))
    }

    /// Returns the place at which a value is added, and whether it is inserted between elements.
    fn target(&self, mut path: Path, is_add: bool) -> Result<(Path, bool), Failure> {
        let Some((last, parent)) = path.split_last_mut() else { return Ok((path, false)) };
        let Some(length) = self.container(parent)?.len() else { return Ok((path, false)) };
        let at = match pointer::index_to_add(last) {
            _ if *last == "-" => length,
            Some(at) if at <= length || !is_add => at.min(length),
            Some(_) => return Err(Failure::Impossible(0, "a place after the end of the array")),
            None => return Err(Failure::Impossible(0, "no place in an array")),
        };
        *last = decimal(at as i64);
        Ok((path, true))
    }

    /// Checks that a value of that height may be at that depth.
    fn check_height(&self, depth: usize, height: u32) -> Done {
        let most = u64::from(self.limits.json_depth);
        let fits = depth as u64 + u64::from(height) <= most;
        fits.then_some(()).ok_or(Failure::Over("json_depth", most))
    }

    /// Checks the height of a value of the document. Its height may be too large after something deep was removed.
    fn check_height_of(&mut self, path: &Path, depth: usize) -> Done {
        let height = self.existing(path)?.height();
        if self.check_height(depth, height).is_ok() {
            return Ok(());
        }
        self.spend(self.document.size())?;
        self.document.measure_height();
        self.check_height(depth, self.existing(path)?.height())
    }

    /// Pays for the elements that an insertion or removal before them moves: five of them cost a byte.
    fn shift(&mut self, elements: usize) -> Done {
        self.spend(Size { nodes: 0, bytes: elements as u64 / 10 })
    }

    /// Replaces the changes by one of the whole document if that is cheaper for the receiver.
    pub(super) fn shorten(&mut self) -> Done {
        if are_long(&self.changes, self.document) {
            self.spend(self.document.size())?;
            let whole = Cow::Owned(self.document.to_json());
            self.changes = alloc::vec![Change::set(Vec::new(), whole)];
        }
        Ok(())
    }

    /// Pays for values that an operation creates or reads and that the patch itself does not contain: a value, and its
    /// JSON.
    fn spend(&mut self, size: Size) -> Done {
        /// Bytes that a key or element takes.
        const NODE: u64 = 128;
        let cost = 2 * size.bytes + NODE * size.nodes as u64;
        self.budget.pay(cost).then_some(()).ok_or(Failure::Over("growth", self.limits.growth))
    }
}
