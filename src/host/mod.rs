//! Functions that need long tables. The npm package's module calls the JavaScript host for them, so the module contains
//! no tables; every other build implements the same functions in Rust.

pub(crate) mod numbers;
pub(crate) mod unicode;
