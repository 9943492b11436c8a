//! Functions of text, which leave one.

use wasm_bindgen::prelude::wasm_bindgen;

use super::exchange::Exchange;
use crate::json::{self, put};

/// The version of the crate that the module was built from.
#[wasm_bindgen]
pub fn version(exchange: &mut Exchange) {
    put(exchange.empty_text(), env!("CARGO_PKG_VERSION"));
    exchange.lay_out();
}

/// What a JSON text that is still being streamed says so far, as JSON; empty when nothing is certain yet.
#[wasm_bindgen(js_name = partialJson)]
pub fn partial_json(exchange: &mut Exchange, text: &str) {
    put(exchange.empty_text(), &json::close(text, 128).0);
    exchange.lay_out();
}
