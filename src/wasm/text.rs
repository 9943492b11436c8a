//! Functions of text.

use alloc::borrow::ToOwned;
use alloc::string::String;

use wasm_bindgen::prelude::wasm_bindgen;

use crate::json;

/// The version of the crate that the module was built from.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}

/// What a JSON text that is still being streamed says so far, as JSON; empty when nothing is certain yet.
#[wasm_bindgen(js_name = partialJson)]
pub fn partial_json(text: &str) -> String {
    json::close(text, 128).0
}
