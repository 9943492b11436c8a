//! Operations on bytes for all other modules: searching, comparing, and maps with keys of bytes.
//!
//! The loops have up to three forms: by words of eight bytes on every target, by blocks that the
//! compiler turns into vector instructions on native targets, and by wasm's own vectors, which the
//! compiler does not use by itself in a module that is optimised for size.

mod balance;
#[cfg(feature = "agentscope")]
mod base64;
mod find;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
#[path = "no_simd128.rs"]
mod simd128;
pub(crate) mod string_map;
mod text;

pub(crate) use balance::Balance;
#[cfg(feature = "agentscope")]
pub(crate) use base64::Base64Joiner;
pub(crate) use find::{Backslash, Bracket, LineEnd, Special, find, has_below, separator};
#[cfg(feature = "ag-ui")]
pub(crate) use text::holds;
pub(crate) use text::{after, between, digits, put, same, same_name, utf8};
