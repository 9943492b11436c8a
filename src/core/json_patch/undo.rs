//! Undoes the operations of a patch if a later one fails.

use alloc::boxed::Box;

use super::apply::Path;
use super::edit::Edit;
use super::node::Node;
use super::tree::Tree;

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
