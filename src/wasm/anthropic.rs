//! Anthropic Messages: the echo of requests, the number of their tokens, and errors.

use alloc::string::String;

use wasm_bindgen::prelude::wasm_bindgen;

use super::request::accepted;
use crate::json::decimal;
use crate::protocols::anthropic::request::MessagesRequest;
use crate::protocols::anthropic::{error_response, error_status};

/// Returns what the writer of an answer needs of its request, as JSON: `[members]`, or the error.
#[wasm_bindgen(js_name = messagesRequestEcho)]
pub fn messages_request_echo(json: &str) -> String {
    accepted(MessagesRequest::parse_as_server(json), |request| request.echo().to_json())
}

/// Returns an estimate of the input tokens of a request: `[number]`, or the error.
#[wasm_bindgen(js_name = messagesRequestTokens)]
pub fn messages_request_tokens(json: &str) -> String {
    let count = |request: MessagesRequest| decimal(request.estimated_tokens() as i64);
    accepted(MessagesRequest::parse_as_server(json), |request| String::from(&*count(request)))
}

/// Returns an error response as JSON: `[status, body]`.
#[wasm_bindgen(js_name = anthropicError)]
pub fn anthropic_error(status: u16, message: &str, request_id: &str) -> String {
    let request_id = Some(request_id).filter(|id| !id.is_empty());
    let (status, body) = error_response(status, message, request_id);
    ["[", &decimal(status.into()), ",", &body, "]"].concat()
}

/// Returns the HTTP status of an answer that is only an error, 0 for any other answer.
#[wasm_bindgen(js_name = anthropicErrorStatus)]
pub fn anthropic_error_status(json: &str) -> u16 {
    error_status(json).unwrap_or(0)
}
