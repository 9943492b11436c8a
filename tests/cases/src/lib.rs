//! The cases of `tests/corpus`, and the ways to cut a stream. `tests/corpus/README.md` says what a case consists of.
//!
//! A case is found by its folder: a new protocol's corpus needs nothing here. Knows no protocol, and not the crate under test.

mod case;
pub mod cut;
mod layout;

pub use case::{Case, Kind, all, one, reads, select};
pub use layout::complaints;
