//! The AI SDK: requests.

use alloc::string::String;

use wasm_bindgen::prelude::wasm_bindgen;

use super::request::{accepted, agent_request, converted, problems, to_agent};
use crate::protocols::ai_sdk::request::UiRequest;

/// Parses the body of a request. Returns JSON: `[request]`, or the error.
#[wasm_bindgen(js_name = parseUiRequest)]
pub fn parse_ui_request(body: &str) -> String {
    accepted(UiRequest::parse(body), |request| request.to_json())
}

/// Returns the problems for which a server rejects a request, as a JSON array.
#[wasm_bindgen(js_name = validateUiRequest)]
pub fn validate_ui_request(json: &str) -> String {
    problems(UiRequest::parse(json), |request| request.validate())
}

/// Converts a request of the AI SDK to an Agent API request. Returns JSON: `[request, losses]`, or the error.
#[wasm_bindgen(js_name = uiRequestToAgentRequest)]
pub fn ui_request_to_agent_request(json: &str) -> String {
    to_agent(UiRequest::parse(json))
}

/// Converts an Agent API request to one of the AI SDK. Returns JSON: `[request, losses]`, or the error.
#[wasm_bindgen(js_name = toUiRequest)]
pub fn to_ui_request(json: &str) -> String {
    converted(agent_request(json), |request: UiRequest| request.to_json())
}
