//! OpenAI Responses: requests, and errors outside of streams.

use alloc::string::String;
use alloc::vec::Vec;

use wasm_bindgen::prelude::wasm_bindgen;

use super::request::{accepted, agent_request, converted, problems, to_agent};
use crate::protocols::responses::request::{CreateResponse, error_body};

/// Parses the body of a request. Returns JSON: `[request]`, or the error.
#[wasm_bindgen(js_name = parseCreateResponse)]
pub fn parse_create_response(body: &str) -> String {
    accepted(CreateResponse::parse(body), |request| request.to_json())
}

/// Returns the problems for which an OpenAI server rejects a request, as a JSON array.
#[wasm_bindgen(js_name = validateCreateResponse)]
pub fn validate_create_response(json: &str) -> String {
    problems(CreateResponse::parse(json), |_| Vec::new())
}

/// Converts a Responses request to an Agent API request. Returns JSON: `[request, losses]`, or the error.
#[wasm_bindgen(js_name = createResponseToAgentRequest)]
pub fn create_response_to_agent_request(json: &str) -> String {
    to_agent(CreateResponse::parse(json))
}

/// Returns the request members that a response repeats, as JSON: `[members]`, or the error.
#[wasm_bindgen(js_name = createResponseEcho)]
pub fn create_response_echo(json: &str) -> String {
    accepted(CreateResponse::parse(json), |request| request.echo().to_json())
}

/// Converts an Agent API request to a Responses request. Returns JSON: `[request, losses]`, or the error.
#[wasm_bindgen(js_name = toCreateResponse)]
pub fn to_create_response(json: &str) -> String {
    converted(agent_request(json), |request: CreateResponse| request.to_json())
}

/// Returns the body of an error response for OpenAI's clients.
#[wasm_bindgen(js_name = responsesError)]
pub fn responses_error(message: &str, r#type: &str, code: &str) -> String {
    error_body(message, r#type, None, Some(code))
}
