//! The JavaScript bindings: rename, convert, delegate. No logic lives here.

use wasm_bindgen::prelude::wasm_bindgen;

/// The version of the crate that the module was built from.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}
