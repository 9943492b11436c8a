//! What a JavaScript host does in the place of tables that the module would have to carry: pure functions, of which each
//! has a twin in Rust for every other build.

pub(crate) mod numbers;
pub(crate) mod unicode;
