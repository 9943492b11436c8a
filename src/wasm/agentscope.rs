//! AgentScope: requests.

use crate::protocols::agentscope::request::ChatRequest;
use crate::wasm::framed::thrown;
use alloc::string::String;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// Converts a request to the form that the server accepts.
#[wasm_bindgen(js_name = writeAgentScopeRequest)]
pub fn write_agentscope_request(json: &str) -> Result<String, JsValue> {
    let input = ChatRequest::parse(json).map_err(|error| thrown("bad-request", &error.text()))?;
    Ok(input.to_json()?)
}
