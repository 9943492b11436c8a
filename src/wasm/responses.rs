//! OpenAI Responses: the echo of requests, and errors outside of streams.

use alloc::string::String;

use wasm_bindgen::prelude::wasm_bindgen;

use super::request::accepted;
use crate::core::request::openai::error_body;
use crate::protocols::responses::request::CreateResponse;

/// Returns the request members that a response repeats, as JSON: `[members]`, or the error.
#[wasm_bindgen(js_name = createResponseEcho)]
pub fn create_response_echo(json: &str) -> String {
    accepted(CreateResponse::parse(json), |request| request.echo().to_json())
}

/// Returns the body of an error response for OpenAI's clients.
#[wasm_bindgen(js_name = openAiError)]
pub fn open_ai_error(message: &str, r#type: &str, code: &str) -> String {
    error_body(message, r#type, None, Some(code))
}
