//! Pages of `docs` that state facts of the crate.

pub mod clauses;
pub mod hub;
mod rules;
