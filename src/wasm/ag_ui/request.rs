//! Requests to an agent.

use alloc::string::String;

use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::core::request::{Problem, RequestError};
use crate::protocols::ag_ui::request::RunAgentInput;
use crate::wasm::error::thrown;

/// Reads the body of a request. Gives JSON: `[request]`, or the refusal, an object with `status`, `contentType`, `body`,
/// `message` and `problems`.
#[wasm_bindgen(js_name = parseRunAgentInput)]
pub fn parse_run_agent_input(body: &str) -> String {
    match RunAgentInput::parse(body) {
        Ok(input) => ["[", &input.normalized_json(), "]"].concat(),
        Err(error) => error.to_json(),
    }
}

/// A request as the official client sends it.
#[wasm_bindgen(js_name = writeRunAgentInput)]
pub fn write_run_agent_input(json: &str) -> Result<String, JsValue> {
    let input = RunAgentInput::parse(json).map_err(|error| thrown("bad-request", &error.text()))?;
    Ok(input.to_json()?)
}

/// What a server would refuse in a request, as a JSON array.
#[wasm_bindgen(js_name = validateRunAgentInput)]
pub fn validate_run_agent_input(json: &str) -> String {
    Problem::list_to_json(&match RunAgentInput::parse(json) {
        Ok(input) => input.validate(),
        Err(error) => RequestError::problems(&error).to_vec(),
    })
}
