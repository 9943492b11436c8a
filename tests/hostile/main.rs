//! Streams that mean harm: what they may cost, and that nobody else pays. The same cases run on the optimised wasm in the
//! `.test.mjs` files beside this one.

#![expect(clippy::unwrap_used, reason = "a test that unwraps fails where it should")]

mod depth;
mod floods;
mod framing;
mod limits;
mod numbers;
mod seed;
mod streams;
mod twice;
