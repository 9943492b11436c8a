//! Chat Completions: the echo of requests.

use alloc::string::String;

use wasm_bindgen::prelude::wasm_bindgen;

use super::request::accepted;
use crate::protocols::chat::request::ChatRequest;

/// Returns what the writer of an answer needs of its request, as JSON: `[members]`, or the error.
#[wasm_bindgen(js_name = chatRequestEcho)]
pub fn chat_request_echo(json: &str) -> String {
    accepted(ChatRequest::parse(json), |request| request.echo().to_json())
}
