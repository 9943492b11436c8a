//! Requests to the APIs of models.

use alloc::string::String;

use wasm_bindgen::prelude::wasm_bindgen;

use super::request::{accepted, agent_request, converted, problems, to_agent};
use crate::protocols::anthropic::request::MessagesRequest;
use crate::protocols::chat::request::ChatRequest;
use crate::protocols::gemini::request::GenerateContentRequest;

/// Reads the body of a request: [`accepted`].
#[wasm_bindgen(js_name = parseChatRequest)]
pub fn parse_chat_request(body: &str) -> String {
    accepted(ChatRequest::parse(body), |request| request.to_json())
}

/// The problems of a request, as a JSON array.
#[wasm_bindgen(js_name = validateChatRequest)]
pub fn validate_chat_request(json: &str) -> String {
    problems(ChatRequest::parse(json), |request| request.validate())
}

/// A Chat Completions request as an Agent API one: [`converted`].
#[wasm_bindgen(js_name = chatRequestToAgentRequest)]
pub fn chat_request_to_agent_request(json: &str) -> String {
    to_agent(ChatRequest::parse(json))
}

/// An Agent API request as a Chat Completions one: [`converted`].
#[wasm_bindgen(js_name = toChatRequest)]
pub fn to_chat_request(json: &str) -> String {
    converted(agent_request(json), |request: ChatRequest| request.to_json())
}

/// Reads the body of a request: [`accepted`].
#[wasm_bindgen(js_name = parseMessagesRequest)]
pub fn parse_messages_request(body: &str) -> String {
    accepted(MessagesRequest::parse(body), |request| request.to_json())
}

/// The problems of a request, as a JSON array.
#[wasm_bindgen(js_name = validateMessagesRequest)]
pub fn validate_messages_request(json: &str) -> String {
    problems(MessagesRequest::parse(json), |request| request.validate())
}

/// A Messages request as an Agent API one: [`converted`].
#[wasm_bindgen(js_name = messagesRequestToAgentRequest)]
pub fn messages_request_to_agent_request(json: &str) -> String {
    to_agent(MessagesRequest::parse(json))
}

/// An Agent API request as a Messages one: [`converted`].
#[wasm_bindgen(js_name = toMessagesRequest)]
pub fn to_messages_request(json: &str) -> String {
    converted(agent_request(json), |request: MessagesRequest| request.to_json())
}

/// Reads the body of a request: [`accepted`].
#[wasm_bindgen(js_name = parseGeminiRequest)]
pub fn parse_gemini_request(body: &str) -> String {
    accepted(GenerateContentRequest::parse(body), |request| request.to_json())
}

/// The problems of a request, as a JSON array.
#[wasm_bindgen(js_name = validateGeminiRequest)]
pub fn validate_gemini_request(json: &str) -> String {
    problems(GenerateContentRequest::parse(json), |request| request.validate())
}

/// A Gemini request as an Agent API one: [`converted`].
#[wasm_bindgen(js_name = geminiRequestToAgentRequest)]
pub fn gemini_request_to_agent_request(json: &str) -> String {
    to_agent(GenerateContentRequest::parse(json))
}

/// An Agent API request as a Gemini one: [`converted`].
#[wasm_bindgen(js_name = toGeminiRequest)]
pub fn to_gemini_request(json: &str) -> String {
    converted(agent_request(json), |request: GenerateContentRequest| request.to_json())
}
