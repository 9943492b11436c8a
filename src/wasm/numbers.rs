//! Floating point numbers as the JavaScript host reads and writes them. The core asks for them by the same names.

use alloc::string::String;

use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = Number)]
    pub(crate) fn nearest(digits: &str) -> f64;

    #[wasm_bindgen(js_name = String)]
    pub(crate) fn shortest(number: f64) -> String;
}
