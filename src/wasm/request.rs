//! Requests to an agent.

use alloc::string::String;

use wasm_bindgen::prelude::wasm_bindgen;

use crate::core::request::Problem;
use crate::protocols::agent_api::Style;
use crate::protocols::agent_api::request::AgentRequest;

/// Reads the body of a request. Gives JSON: `[request]`, or the refusal, an object with `status`, `contentType`, `body`,
/// `message` and `problems`.
#[wasm_bindgen(js_name = parseAgentRequest)]
pub fn parse_agent_request(body: &str) -> String {
    match AgentRequest::parse(body) {
        Ok(request) => ["[", &request.to_json(Style::Compact), "]"].concat(),
        Err(error) => error.to_json(),
    }
}

/// What a server would refuse in a request, and what it would misunderstand, as a JSON array.
#[wasm_bindgen(js_name = validateAgentRequest)]
pub fn validate_agent_request(json: &str) -> String {
    Problem::list_to_json(&match AgentRequest::parse(json) {
        Ok(request) => request.validate(),
        Err(error) => error.problems().to_vec(),
    })
}
