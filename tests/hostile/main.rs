//! Streams that mean harm: what they may cost, and that nobody else pays. The same cases run on the optimised wasm in the
//! `.test.mjs` files beside this one.

#![expect(clippy::unwrap_used, reason = "a failure to set up a case is a failed case")]

mod floods;
mod limits;
mod streams;
