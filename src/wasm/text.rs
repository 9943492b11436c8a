//! Functions that return a text.

use wasm_bindgen::prelude::wasm_bindgen;

use super::exchange::Exchange;
use crate::json::put;

/// The version of the crate that the module was built from.
#[wasm_bindgen]
pub fn version(exchange: &mut Exchange) {
    put(exchange.empty_text(), env!("CARGO_PKG_VERSION"));
    exchange.lay_out();
}
