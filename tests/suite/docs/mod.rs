//! Pages of `docs` that state facts of the crate.

mod clauses;
mod hub;
mod rules;
