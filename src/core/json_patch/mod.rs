//! Free JSON that is patched (RFC 6902): the fold holds the document, applies a patch to all of it or leaves it as it is,
//! and tells its sink the changes of single places. Nobody after it has to know what a patch is.
//!
//! What a patch costs is in the order of its bytes and of what it touches: an element of an array moves those after it, a
//! `copy` makes what it copies. A budget (`core::budget`) pays for what the patch itself does not have before it is
//! made; what is held has limits.

mod apply;
mod change;
mod diff;
mod edit;
mod members;
mod node;
mod operations;
mod pointer;
#[cfg(test)]
mod tests;
mod tree;
mod undo;

pub(crate) use apply::{Failure, Patched};
pub(crate) use change::{Change, What};
pub(crate) use edit::Edit;
pub(crate) use node::Node;
pub(crate) use pointer::steps;
pub use tree::Tree;
