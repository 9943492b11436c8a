//! OpenAI Responses: requests, and errors outside of streams.

use alloc::string::String;
use alloc::vec::Vec;

use wasm_bindgen::prelude::wasm_bindgen;

use super::request::{accepted, agent_request, converted, problems, to_agent};
use crate::protocols::responses::request::{CreateResponse, error_body};

/// Reads the body of a request: [`accepted`].
#[wasm_bindgen(js_name = parseCreateResponse)]
pub fn parse_create_response(body: &str) -> String {
    accepted(CreateResponse::parse(body), |asked| asked.to_json())
}

/// What an OpenAI server would refuse in a request, as a JSON array.
#[wasm_bindgen(js_name = validateCreateResponse)]
pub fn validate_create_response(json: &str) -> String {
    problems(CreateResponse::parse(json), |_| Vec::new())
}

/// A Responses request as an Agent API one: [`converted`].
#[wasm_bindgen(js_name = createResponseToAgentRequest)]
pub fn create_response_to_agent_request(json: &str) -> String {
    to_agent(CreateResponse::parse(json))
}

/// What a response repeats of its request. Gives JSON: `[members]`, or the refusal, an object.
#[wasm_bindgen(js_name = createResponseEcho)]
pub fn create_response_echo(json: &str) -> String {
    accepted(CreateResponse::parse(json), |asked| asked.echo().to_json())
}

/// An Agent API request as a Responses one: [`converted`].
#[wasm_bindgen(js_name = toCreateResponse)]
pub fn to_create_response(json: &str) -> String {
    converted(agent_request(json), |asked: CreateResponse| asked.to_json())
}

/// An error as OpenAI's clients read it: the body of an answer.
#[wasm_bindgen(js_name = responsesError)]
pub fn responses_error(message: &str, r#type: &str, code: &str) -> String {
    error_body(message, r#type, None, Some(code))
}
