//! Events as bytes.

use alloc::string::String;
use alloc::vec::Vec;

use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::core::limits::Limits;
use crate::json::{write_list, write_string};
use crate::protocols::ag_ui::binary;

/// An AG-UI event in binary form. Gives what it does not say, a JSON list of JSON Pointers, with its length in four bytes
/// before it, the least significant first; and then the frame.
#[wasm_bindgen(js_name = agUiFrame)]
pub fn ag_ui_frame(json: &str) -> Result<Vec<u8>, JsValue> {
    let encoded = binary::encode(json, Limits::DEEPEST)?;
    let mut lost = String::new();
    write_list(&encoded.lost, &mut lost, |pointer, out| write_string(pointer, out));
    let mut out = (lost.len() as u32).to_le_bytes().to_vec();
    out.extend_from_slice(lost.as_bytes());
    out.extend_from_slice(&encoded.frame);
    Ok(out)
}
