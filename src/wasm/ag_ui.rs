//! AG-UI: events in other forms, requests.

use crate::core::error::DecodeError;
use crate::core::limits::Limits;
use crate::json::{Document, put, write_list, write_string};
use crate::protocols::ag_ui::request::RunAgentInput;
use crate::protocols::ag_ui::{Compactor, binary};
use crate::wasm::framed::thrown;
use alloc::string::String;
use alloc::vec::Vec;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// Encodes an AG-UI event in binary form. Returns a JSON list with JSON Pointers of the values that
/// the form cannot represent, after its length in four bytes, least significant first; then the
/// frame.
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

/// Compacts a JSON list of AG-UI events.
#[wasm_bindgen(js_name = agUiCompact)]
pub fn ag_ui_compact(json: &str) -> Result<String, JsValue> {
    let document =
        Document::read(json, Limits::DEEPEST).map_err(|error| DecodeError::new(error, ""))?;
    let mut compactor = Compactor::default();
    for event in document.root().array().map_err(|error| DecodeError::new(error, ""))? {
        compactor.push(event.raw().as_str());
    }
    let mut out = String::new();
    write_list(compactor.finish(), &mut out, |event, out| put(out, &event));
    Ok(out)
}

/// Converts a request to the form that the official client sends.
#[wasm_bindgen(js_name = writeRunAgentInput)]
pub fn write_run_agent_input(json: &str) -> Result<String, JsValue> {
    let input = RunAgentInput::parse(json).map_err(|error| thrown("bad-request", &error.text()))?;
    Ok(input.to_json()?)
}
