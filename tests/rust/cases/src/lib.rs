//! The cases of `tests/data/corpus`, and the ways to split a stream into chunks.
//! `tests/data/corpus/README.md` describes the files of a case.
//!
//! A case is found by its folder: the corpus of a new protocol needs no change here. This crate
//! depends neither on a protocol nor on the crate under test.

mod case;
pub mod cut;
mod layout;

pub use case::{Case, Kind, all, one, path, reads, select};
pub use layout::complaints;
