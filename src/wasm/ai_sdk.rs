//! The AI SDK: the echo of requests.

use alloc::string::String;

use wasm_bindgen::prelude::wasm_bindgen;

use super::request::accepted;
use crate::protocols::ai_sdk::request::UiRequest;

/// Returns what the writer of an answer needs of its request, as JSON: `[members]`, null if there
/// is nothing, or the error.
#[wasm_bindgen(js_name = uiRequestEcho)]
pub fn ui_request_echo(json: &str) -> String {
    accepted(UiRequest::parse(json), |request| request.echo().to_json())
}
