//! Streams that mean harm: what they may cost, and that nobody else pays. The same cases run on the optimised wasm in the
//! `.test.mjs` files beside this one.

mod framing;
mod limits;
