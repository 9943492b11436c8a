//! Requests to the APIs of models.

use alloc::string::String;

use wasm_bindgen::prelude::wasm_bindgen;

use super::ids::HostIds;
use crate::core::request::Problem;
use crate::hub::{Losses, request};
use crate::protocols::agent_api::Style;
use crate::protocols::agent_api::request::AgentRequest;
use crate::protocols::chat::request::ChatRequest;

/// Reads the body of a request. Gives JSON: `[request]`, or the refusal, an object with `status`, `contentType`, `body`,
/// `message` and `problems`.
#[wasm_bindgen(js_name = parseChatRequest)]
pub fn parse_chat_request(body: &str) -> String {
    match ChatRequest::parse(body) {
        Ok(request) => ["[", &request.to_json(), "]"].concat(),
        Err(error) => error.to_json(),
    }
}

/// The problems of a request, as a JSON array.
#[wasm_bindgen(js_name = validateChatRequest)]
pub fn validate_chat_request(json: &str) -> String {
    Problem::list_to_json(&match ChatRequest::parse(json) {
        Ok(request) => request.validate(),
        Err(error) => error.problems().to_vec(),
    })
}

/// A Chat Completions request as an Agent API one. Gives JSON: `[request, losses]`, or the refusal, an object.
#[wasm_bindgen(js_name = chatRequestToAgentRequest)]
pub fn chat_request_to_agent_request(json: &str) -> String {
    match ChatRequest::parse(json) {
        Ok(asked) => {
            let mut losses = Losses::default();
            let request: AgentRequest = request::convert(&asked, &mut losses);
            ["[", &request.to_json(Style::Compact), ",", &losses.to_json(), "]"].concat()
        }
        Err(error) => error.to_json(),
    }
}

/// An Agent API request as a Chat Completions one. Gives JSON: `[request, losses]`, or the refusal, an object.
#[wasm_bindgen(js_name = toChatRequest)]
pub fn to_chat_request(json: &str) -> String {
    match AgentRequest::parse(json) {
        Ok(mut request) => {
            request.ensure_session(&mut HostIds);
            let mut losses = Losses::default();
            let asked: ChatRequest = request::convert(&request, &mut losses);
            ["[", &asked.to_json(), ",", &losses.to_json(), "]"].concat()
        }
        Err(error) => error.to_json(),
    }
}
