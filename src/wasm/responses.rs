//! OpenAI Responses: requests, and errors outside of streams.

use alloc::string::String;
use alloc::vec::Vec;

use wasm_bindgen::prelude::wasm_bindgen;

use super::ids::HostIds;
use crate::core::request::Problem;
use crate::hub::{Losses, request};
use crate::protocols::agent_api::Style;
use crate::protocols::agent_api::request::AgentRequest;
use crate::protocols::responses::request::{CreateResponse, error_body};

/// Reads the body of a request. Gives JSON: `[request]`, or the refusal, an object with `status`, `contentType`, `body`,
/// `message` and `problems`.
#[wasm_bindgen(js_name = parseCreateResponse)]
pub fn parse_create_response(body: &str) -> String {
    match CreateResponse::parse(body) {
        Ok(asked) => ["[", &asked.to_json(), "]"].concat(),
        Err(error) => error.to_json(),
    }
}

/// What an OpenAI server would refuse in a request, as a JSON array.
#[wasm_bindgen(js_name = validateCreateResponse)]
pub fn validate_create_response(json: &str) -> String {
    Problem::list_to_json(&match CreateResponse::parse(json) {
        Ok(_) => Vec::new(),
        Err(error) => error.problems().to_vec(),
    })
}

/// A Responses request as an Agent API one. Gives JSON: `[request, losses]`, or the refusal, an object.
#[wasm_bindgen(js_name = createResponseToAgentRequest)]
pub fn create_response_to_agent_request(json: &str) -> String {
    match CreateResponse::parse(json) {
        Ok(asked) => {
            let mut losses = Losses::default();
            let request: AgentRequest = request::convert(&asked, &mut losses);
            ["[", &request.to_json(Style::Compact), ",", &losses.to_json(), "]"].concat()
        }
        Err(error) => error.to_json(),
    }
}

/// What a response repeats of its request. Gives JSON: `[members]`, or the refusal, an object.
#[wasm_bindgen(js_name = createResponseEcho)]
pub fn create_response_echo(json: &str) -> String {
    match CreateResponse::parse(json) {
        Ok(asked) => ["[", &asked.echo().to_json(), "]"].concat(),
        Err(error) => error.to_json(),
    }
}

/// An Agent API request as a Responses one. Gives JSON: `[request, losses]`, or the refusal, an object.
#[wasm_bindgen(js_name = toCreateResponse)]
pub fn to_create_response(json: &str) -> String {
    match AgentRequest::parse(json) {
        Ok(mut request) => {
            request.ensure_session(&mut HostIds);
            let mut losses = Losses::default();
            let asked: CreateResponse = request::convert(&request, &mut losses);
            ["[", &asked.to_json(), ",", &losses.to_json(), "]"].concat()
        }
        Err(error) => error.to_json(),
    }
}

/// An error as OpenAI's clients read it: the body of an answer.
#[wasm_bindgen(js_name = responsesError)]
pub fn responses_error(message: &str, r#type: &str, code: &str) -> String {
    error_body(message, r#type, None, Some(code))
}
