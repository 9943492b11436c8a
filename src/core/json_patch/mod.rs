//! Free JSON that is patched (RFC 6902): the fold holds the document, applies a patch to all of it or leaves it as it is,
//! and tells its sink the changes of single places. Nobody after it has to know what a patch is.
//!
//! What a patch costs is in the order of its bytes and of what it touches: an element of an array moves those after it, a
//! `copy` makes what it copies. The sum of all copies of one document has a bound, and so has its size.

mod change;
mod members;
mod pointer;
#[cfg(test)]
mod tests;
mod tree;

pub(crate) use change::{Change, What};
pub(crate) use pointer::steps;
pub use tree::Tree;
pub(crate) use tree::{Edit, Node, Size};

use alloc::borrow::{Cow, ToOwned};
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use crate::core::limits::Limits;
use crate::json::{Element, decimal};

/// A document that patches are applied to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Patched {
    tree: Tree,
    /// How many bytes have been copied and counted because of patches.
    work: u64,
}

/// Why a patch was not applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    /// The operation of that number cannot be done, for this reason.
    Impossible(usize, &'static str),
    /// The document would pass the limit of that name and size.
    Over(&'static str, u64),
}

/// What an operation needs that every one has.
type Path = Vec<String>;

/// A patch while it is applied.
struct Applying<'p, 'a> {
    document: &'p mut Patched,
    limits: &'p Limits,
    /// How to take back what has been done, the last at the end.
    undo: Vec<Undo>,
    changes: Vec<Change<'a>>,
}

enum Undo {
    Edit(Path, Edit),
    /// The value of the second place belongs to the first, from where it was taken.
    Move {
        from: Path,
        hole: Edit,
        to: Path,
        over: Edit,
    },
}

type Done = Result<(), Failure>;

const NOWHERE: Failure = Failure::Impossible(0, "no such place");

impl Patched {
    /// The document is this now.
    pub fn replace(&mut self, value: Tree) {
        self.tree = value;
    }

    /// The document as JSON.
    pub fn to_json(&self) -> String {
        self.tree.to_json()
    }

    /// Applies a patch, an array of operations, and says what it changes; or changes nothing. `accept` has the last word
    /// about what the document has become.
    pub fn apply<'a>(
        &mut self,
        patch: Element<'_, 'a>,
        limits: &Limits,
        accept: impl FnOnce(&Tree) -> bool,
    ) -> Result<Vec<Change<'a>>, Failure> {
        let nodes = self.tree.size().nodes;
        let mut applying = Applying { document: self, limits, undo: Vec::new(), changes: Vec::new() };
        let mut operations = patch.array().into_iter().flatten().enumerate();
        let mut done = operations.try_for_each(|(at, operation)| applying.operation(at, operation));
        let most = limits.data_nodes;
        if done.is_ok() && applying.document.tree.size().nodes > most.max(nodes) {
            done = Err(Failure::Over("data_nodes", most as u64));
        }
        if done.is_ok() && !accept(&applying.document.tree) {
            done = Err(Failure::Over("content_bytes", limits.content_bytes));
        }
        let Applying { undo, mut changes, .. } = applying;
        if let Err(failure) = done {
            undo.into_iter().rev().for_each(|undo| undo.take_back(&mut self.tree));
            return Err(failure);
        }
        changes.iter().for_each(|change| self.tree.tidy(change.path()));
        change::shorten(&mut changes, &self.tree);
        Ok(changes)
    }
}

impl<'a> Applying<'_, 'a> {
    fn operation(&mut self, at: usize, operation: Element<'_, 'a>) -> Done {
        let (mut op, mut path, mut from, mut value) = (None, None, None, None);
        for (name, member) in operation.object().into_iter().flatten() {
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

    /// `is_add`: after the last element there is room for one, and no further.
    fn add(&mut self, path: Path, value: Node, json: Cow<'a, str>, is_add: bool) -> Done {
        self.check_height(path.len(), value.height())?;
        let (path, inserts) = self.target(path, is_add)?;
        let value = Box::new(value);
        if inserts {
            let Some((_, parent)) = path.split_last() else { return Ok(()) };
            let shifted = self.document.tree.find(parent).and_then(Node::len).unwrap_or(0);
            self.edit(&path, Edit::Insert(value))?;
            self.changes.push(Change::insert(path, json, shifted));
            return Ok(());
        }
        self.edit(&path, Edit::Set(value))?;
        self.changes.push(Change::set(path, json));
        Ok(())
    }

    fn replace(&mut self, path: Path, value: Element<'_, 'a>) -> Done {
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

    fn remove(&mut self, path: Path) -> Done {
        self.existing(&path)?;
        if path.is_empty() {
            let null = Node::null();
            self.edit(&path, Edit::Set(Box::new(null)))?;
            self.changes.push(Change::set(path, Cow::Borrowed("null")));
            return Ok(());
        }
        let shifted = path.split_last().and_then(|(_, parent)| self.document.tree.find(parent)?.len());
        self.edit(&path, Edit::Remove)?;
        self.changes.push(Change::remove(path, shifted.unwrap_or(0)));
        Ok(())
    }

    fn copy(&mut self, from: &Path, path: Path) -> Done {
        let size = self.existing(from)?.size();
        self.spend(size)?;
        self.check_height_of(from, path.len())?;
        let held = self.existing(from)?.clone();
        let json = held.to_json();
        self.add(path, held, Cow::Owned(json), false)
    }

    /// A value is taken away, and added where it should be. Nothing of it is looked at.
    fn relocate(&mut self, from: Path, path: Path) -> Done {
        self.existing(&from)?;
        if from.is_empty() || path.starts_with(&from) && path != from {
            return Err(Failure::Impossible(0, "a value inside itself"));
        }
        if let Some((_, parent)) = path.split_last() {
            self.container(parent)?;
        }
        self.check_height_of(&from, path.len())?;
        let Some(mut hole) = self.document.tree.edit(&from, Edit::Remove) else { return Err(NOWHERE) };
        let Some(value) = hole.swap(Box::new(Node::null())) else { return Err(NOWHERE) };
        // The place is looked for where the value is gone.
        let (to, inserts) = match self.target(path, false) {
            Ok(target) => target,
            Err(failure) => {
                hole.swap(value);
                self.document.tree.edit(&from, hole);
                return Err(failure);
            }
        };
        let tree = &mut self.document.tree;
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
        let inverse = self.document.tree.edit(path, edit).ok_or(NOWHERE)?;
        self.undo.push(Undo::Edit(path.clone(), inverse));
        Ok(())
    }

    fn existing(&self, path: &[String]) -> Result<&Node, Failure> {
        self.document.tree.find(path).ok_or(NOWHERE)
    }

    fn container(&self, path: &[String]) -> Result<&Node, Failure> {
        let node = self.existing(path)?;
        let is_container = node.is_object() || node.is_array();
        is_container.then_some(node).ok_or(Failure::Impossible(0, "neither an object nor an array"))
    }

    /// The place where a value is to be added, and whether that is between elements.
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

    /// A value of that height is to stand at that depth.
    fn check_height(&self, depth: usize, height: u32) -> Done {
        let most = u64::from(self.limits.json_depth);
        let fits = depth as u64 + u64::from(height) <= most;
        fits.then_some(()).ok_or(Failure::Over("json_depth", most))
    }

    /// The same of a value of the document, whose height may be too large where something deep was taken away.
    fn check_height_of(&mut self, path: &Path, depth: usize) -> Done {
        let height = self.existing(path)?.height();
        if self.check_height(depth, height).is_ok() {
            return Ok(());
        }
        self.spend(self.document.tree.size())?;
        self.document.tree.measure_height();
        self.check_height(depth, self.existing(path)?.height())
    }

    /// So much is to be made or looked at that the patch itself does not have.
    fn spend(&mut self, size: Size) -> Done {
        /// Bytes that a key or element counts as.
        const NODE: u64 = 64;
        let most = self.limits.answer_bytes;
        let work = self.document.work.saturating_add(size.bytes + NODE * size.nodes as u64);
        if work > most {
            return Err(Failure::Over("answer_bytes", most));
        }
        self.document.work = work;
        Ok(())
    }
}

impl Undo {
    fn take_back(self, tree: &mut Tree) {
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
