//! AG-UI's events in binary form, and compaction.

use alloc::string::String;
use alloc::vec::Vec;

use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::core::error::DecodeError;
use crate::core::limits::Limits;
use crate::json::{Document, put, write_list, write_string};
use crate::protocols::ag_ui::{Compactor, binary};

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

/// A JSON list of AG-UI events, with fewer of them.
#[wasm_bindgen(js_name = agUiCompact)]
pub fn ag_ui_compact(json: &str) -> Result<String, JsValue> {
    let document = Document::read(json, Limits::DEEPEST).map_err(|error| DecodeError::new(error, ""))?;
    let mut compactor = Compactor::default();
    for event in document.root().array().map_err(|error| DecodeError::new(error, ""))? {
        compactor.push(event.raw().as_str());
    }
    let mut out = String::new();
    write_list(compactor.finish(), &mut out, |event, out| put(out, &event));
    Ok(out)
}
