//! Unicode as the JavaScript host knows it.

use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
extern "C" {
    type RegExp;

    #[wasm_bindgen(constructor)]
    fn new(pattern: &str, flags: &str) -> RegExp;

    #[wasm_bindgen(method)]
    fn test(this: &RegExp, text: &str) -> bool;
}

/// What Python calls printable: whether a text has no control, format, private or unassigned characters, and no
/// separators but the space.
pub(crate) fn is_printable(text: &str) -> bool {
    !RegExp::new(r"(?! )[\p{C}\p{Z}]", "u").test(text)
}
