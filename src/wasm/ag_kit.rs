//! AG-Kit: requests.

use crate::protocols::ag_kit::request::SendMessageInput;
use crate::wasm::framed::thrown;
use alloc::string::String;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// Converts a request to the form that the server accepts.
#[wasm_bindgen(js_name = writeSendMessageInput)]
pub fn write_send_message_input(json: &str) -> Result<String, JsValue> {
    let input =
        SendMessageInput::parse(json).map_err(|error| thrown("bad-request", &error.text()))?;
    Ok(input.to_json()?)
}
