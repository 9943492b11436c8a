//! Computes the patch between two documents.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use super::tree::{Node, Tree};
use crate::json::{decimal, write_string};

/// Returns a JSON Patch from `from` to `to`, an array of operations, which is empty if they are
/// equal. Returns `None` if the whole document is shorter, if the search would cost too much, or if
/// readers would refuse the name of a place.
pub(crate) fn diff(from: &Tree, to: &Tree) -> Option<String> {
    /// The bound on the work, as a multiple of the size of the input.
    const TIMES: usize = 64;
    let size = |tree: &Tree| tree.size().bytes as usize + tree.size().nodes;
    let budget = (size(from) + size(to) + 1_000).saturating_mul(TIMES);
    let mut diff = Diff { path: String::new(), operations: String::new(), budget };
    diff.value(&from.root, &to.root)?;
    Some(["[", &diff.operations, "]"].concat())
}

struct Diff {
    /// The pointer to the current place.
    path: String,
    operations: String,
    budget: usize,
}

impl Diff {
    fn value(&mut self, from: &Node, to: &Node) -> Option<()> {
        if self.are_same(from, to)? {
            return Some(());
        }
        let before = self.operations.len();
        match (from.members(), to.members(), from.items(), to.items()) {
            (Some(from), Some(to), ..) => {
                for (name, _) in from.iter().filter(|(name, _)| to.find(name).is_none()) {
                    self.inside(name, |inside| inside.operation("remove", None))?;
                }
                for (name, value) in to.iter() {
                    let old = from.find(name);
                    self.inside(name, |inside| match old {
                        Some((_, old)) => inside.value(old, value),
                        None => inside.operation("add", Some(value)),
                    })?;
                }
            }
            (_, _, Some(from), Some(to)) => self.items(from, to)?,
            _ => return self.operation("replace", Some(to)),
        }
        // Many small changes can be longer than their resulting value.
        let whole = to.size.bytes as usize;
        if !self.path.is_empty() && self.operations.len() - before > whole {
            let changes = self.operations.split_off(before);
            self.operation("replace", Some(to))?;
            if self.operations.len() - before > changes.len() {
                self.operations.truncate(before);
                self.operations.push_str(&changes);
            }
        }
        Some(())
    }

    /// Keeps elements that both arrays have in the same order. Elements between them are changed
    /// one by one; the others are removed or added.
    #[allow(clippy::vec_box, reason = "as the tree holds them")]
    fn items(&mut self, from: &[Box<Node>], to: &[Box<Node>]) -> Option<()> {
        let mut first = 0;
        while let (Some(old), Some(new)) = (from.get(first), to.get(first))
            && self.are_same(old, new)?
        {
            first += 1;
        }
        let (mut from_end, mut to_end) = (from.len(), to.len());
        while from_end > first
            && to_end > first
            && self.are_same(&from[from_end - 1], &to[to_end - 1])?
        {
            (from_end, to_end) = (from_end - 1, to_end - 1);
        }
        let mut at = (first, first);
        for pair in self.common(&from[first..from_end], &to[first..to_end])? {
            let pair = (first + pair.0, first + pair.1);
            self.gap(from, to, at.0..pair.0, at.1..pair.1)?;
            at = (pair.0 + 1, pair.1 + 1);
        }
        self.gap(from, to, at.0..from_end, at.1..to_end)
    }

    /// Returns the longest common subsequence of the elements; `None` if the search would cost too
    /// much.
    fn common(&mut self, from: &[Box<Node>], to: &[Box<Node>]) -> Option<Vec<(usize, usize)>> {
        const MOST: usize = 16_384;
        let width = to.len() + 1;
        if from.len().saturating_mul(to.len()) > MOST {
            return Some(Vec::new());
        }
        let mut same = vec![false; from.len() * width];
        // The number of elements that are kept from each pair of positions on.
        let mut rest = vec![0_u32; (from.len() + 1) * width];
        for i in (0..from.len()).rev() {
            for j in (0..to.len()).rev() {
                let at = i * width + j;
                same[at] = self.are_same(&from[i], &to[j])?;
                rest[at] = match same[at] {
                    true => rest[at + width + 1] + 1,
                    false => rest[at + width].max(rest[at + 1]),
                };
            }
        }
        let (mut i, mut j) = (0, 0);
        let mut common = Vec::new();
        while i < from.len() && j < to.len() {
            let at = i * width + j;
            if same[at] {
                common.push((i, j));
                (i, j) = (i + 1, j + 1);
            } else if rest[at + width] >= rest[at + 1] {
                i += 1;
            } else {
                j += 1;
            }
        }
        Some(common)
    }

    /// Changes the elements between two that are kept. The elements before them are already in
    /// place.
    fn gap(
        &mut self,
        from: &[Box<Node>],
        to: &[Box<Node>],
        old: Range<usize>,
        new: Range<usize>,
    ) -> Option<()> {
        let changed = old.len().min(new.len());
        for (before, at) in old.clone().zip(new.clone()) {
            self.inside(&decimal(at as i64), |inside| inside.value(&from[before], &to[at]))?;
        }
        for _ in changed..old.len() {
            let at = decimal((new.start + changed) as i64);
            self.inside(&at, |inside| inside.operation("remove", None))?;
        }
        let first = new.start + changed;
        for (at, item) in to[first..new.end].iter().enumerate() {
            self.inside(&decimal((first + at) as i64), |inside| {
                inside.operation("add", Some(item))
            })?;
        }
        Some(())
    }

    /// Whether two values are equal. Values of different sizes are treated as different: `1` and
    /// `1.0` are written again.
    fn are_same(&mut self, one: &Node, other: &Node) -> Option<bool> {
        let is_alike = one.size == other.size;
        let cost = if is_alike { one.size.bytes as usize + one.size.nodes } else { 0 };
        self.budget = self.budget.checked_sub(cost + 1)?;
        Some(is_alike && one.equals(other))
    }

    fn inside(&mut self, step: &str, work: impl FnOnce(&mut Self) -> Option<()>) -> Option<()> {
        if matches!(step, "__proto__" | "prototype") {
            return None;
        }
        let length = self.path.len();
        self.path.push('/');
        self.path.push_str(&step.replace('~', "~0").replace('/', "~1"));
        work(self)?;
        self.path.truncate(length);
        Some(())
    }

    /// Writes an operation. An operation on the whole document is not allowed: the document is sent
    /// instead.
    fn operation(&mut self, name: &str, value: Option<&Node>) -> Option<()> {
        if self.path.is_empty() {
            return None;
        }
        let out = &mut self.operations;
        out.push_str(if out.is_empty() { "{\"op\":\"" } else { ",{\"op\":\"" });
        out.push_str(name);
        out.push_str("\",\"path\":");
        write_string(&self.path, out);
        if let Some(value) = value {
            out.push_str(",\"value\":");
            value.write(out);
        }
        out.push('}');
        Some(())
    }
}
