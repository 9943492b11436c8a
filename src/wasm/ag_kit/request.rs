//! Requests to an agent.

use alloc::string::String;

use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::core::request::{Problem, RequestError};
use crate::protocols::ag_kit::request::SendMessageInput;
use crate::wasm::error::thrown;

/// Reads the body of a request. Gives JSON: `[request]`, or the refusal, an object with `status`, `contentType`, `body`,
/// `message` and `problems`.
#[wasm_bindgen(js_name = parseSendMessageInput)]
pub fn parse_send_message_input(body: &str) -> String {
    match SendMessageInput::parse(body) {
        Ok(input) => ["[", &input.normalized_json(), "]"].concat(),
        Err(error) => error.to_json(),
    }
}

/// A request as the server wants it.
#[wasm_bindgen(js_name = writeSendMessageInput)]
pub fn write_send_message_input(json: &str) -> Result<String, JsValue> {
    let input = SendMessageInput::parse(json).map_err(|error| thrown("bad-request", &error.text()))?;
    Ok(input.to_json()?)
}

/// What a server would refuse in a request, as a JSON array.
#[wasm_bindgen(js_name = validateSendMessageInput)]
pub fn validate_send_message_input(json: &str) -> String {
    Problem::list_to_json(&match SendMessageInput::parse(json) {
        Ok(input) => input.validate(),
        Err(error) => RequestError::problems(&error).to_vec(),
    })
}
