//! Patches of free JSON (RFC 6902): the engine holds the document, applies a patch completely or
//! not at all, and passes the changes of single places to its sink. The code after it does not have
//! to handle patches.
//!
//! The cost of a patch is in the order of its bytes and of the values that it changes: an element
//! of an array moves those after it, and a `copy` creates its copy. A budget (`core::limits`) pays
//! in advance for content that the patch itself does not contain; limits bound the stored document.

mod apply;
#[cfg(test)]
mod tests;
mod tree;

pub(crate) use apply::{DocumentChange, DocumentChangeKind, Edit, PatchFailure, steps};
pub use tree::Tree;
pub(crate) use tree::TreeNode;
