//! Pages of `docs` that state facts of the crate.

mod clauses;
pub mod hub;
mod rules;
