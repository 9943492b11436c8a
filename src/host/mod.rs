//! Functions that need long tables. In the npm package's module the JavaScript host does them, so the module carries no
//! tables; every other build has the same functions in Rust.

pub(crate) mod numbers;
pub(crate) mod unicode;
