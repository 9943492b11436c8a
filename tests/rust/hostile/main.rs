//! Hostile streams: their cost is bounded, and other streams are not affected. The same cases run
//! on the optimised wasm in the `.test.mjs` files of this folder.

#![expect(clippy::unwrap_used, reason = "a test that unwraps fails where it should")]

mod depth;
mod floods;
mod framing;
mod limits;
mod numbers;
mod seed;
mod streams;
mod twice;
