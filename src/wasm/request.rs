//! Requests to an agent, and their conversion between protocols.
#![allow(non_snake_case, reason = "the functions have their names in JavaScript")]

use alloc::string::String;
use alloc::vec::Vec;

use wasm_bindgen::prelude::wasm_bindgen;

use crate::core::request::{InvalidRequest, Problem, openai};
use crate::protocols::ProtocolKind;
use crate::protocols::a2a::request::SendMessageRequest;
use crate::protocols::ag_kit::request::SendMessageInput;
use crate::protocols::ag_ui::request::RunAgentInput;
use crate::protocols::agent_api::request::AgentRequest;
use crate::protocols::agent_api::{self, Style};
use crate::protocols::agentscope::request::ChatRequest as AgentScopeRequest;
use crate::protocols::ai_sdk::request::UiRequest;
use crate::protocols::anthropic::request::{self as anthropic, MessagesRequest};
use crate::protocols::chat::request::ChatRequest;
use crate::protocols::gemini::request::GenerateContentRequest;
use crate::protocols::interactions::request::CreateInteraction;
use crate::protocols::responses::request::CreateResponse;

/// The error of a request, which each protocol reports in its own way.
pub(super) trait RejectedRequest {
    /// Returns the error as JSON: an object with `status`, `contentType`, `body`, `message` and
    /// `problems`.
    fn json(&self) -> String;

    /// Returns the problems of the request.
    fn problems(&self) -> Vec<Problem>;
}

macro_rules! impl_rejected_request {
    ($($Error:ty),*) => {$(
        impl RejectedRequest for $Error {
            fn json(&self) -> String {
                self.to_json()
            }

            fn problems(&self) -> Vec<Problem> {
                <$Error>::problems(self).to_vec()
            }
        }
    )*};
}
impl_rejected_request!(
    InvalidRequest,
    agent_api::request::RequestError,
    openai::RequestError,
    anthropic::RequestError
);

/// Returns a request as JSON: `[request]`, or the error, an object.
pub(super) fn accepted<A, E: RejectedRequest>(
    read: Result<A, E>,
    json: impl FnOnce(A) -> String,
) -> String {
    match read {
        Ok(request) => ["[", &json(request), "]"].concat(),
        Err(error) => error.json(),
    }
}

/// Returns the problems of a request as a JSON array.
pub(super) fn problems<A, E: RejectedRequest>(
    read: Result<A, E>,
    validate: impl FnOnce(A) -> Vec<Problem>,
) -> String {
    Problem::list_to_json(&read.map_or_else(|error| error.problems(), validate))
}

/// Returns the error of a request, which its protocol reports in its own way, as JSON.
fn refused<A>(read: Result<A, impl RejectedRequest>) -> Option<String> {
    read.err().map(|error| error.json())
}

/// Parses the body of a request. Returns JSON: `[request]`, or the error.
#[wasm_bindgen(js_name = parseAgentRequest)]
pub fn parse_agent_request(body: &str) -> String {
    accepted(AgentRequest::parse(body), |request| request.to_json(Style::Compact))
}

/// Returns the problems for which a server rejects or misreads a request, as a JSON array.
#[wasm_bindgen(js_name = validateAgentRequest)]
pub fn validate_agent_request(json: &str) -> String {
    problems(AgentRequest::parse(json), |request| request.validate())
}

/// Declares the functions for requests of a protocol, by their names in JavaScript. The names before
/// them are those of the methods that read and write a request.
macro_rules! request_functions {
    ($($Request:ident::$read:ident $Kind:ident $json:ident: $parse:ident $validate:ident;)*) => {
        $(
        /// Parses the body of a request. Returns JSON: `[request]`, or the error.
        #[wasm_bindgen]
        pub fn $parse(body: &str) -> String {
            accepted($Request::$read(body), |request| request.$json())
        }

        /// Returns the problems for which a server rejects a request, as a JSON array.
        #[wasm_bindgen]
        pub fn $validate(json: &str) -> String {
            problems($Request::$read(json), |request| request.validate())
        }
    )*

        /// Returns the error of a request that a server of the protocol rejects, as JSON.
        pub(super) fn refusal(protocol: ProtocolKind, body: &str) -> Option<String> {
            match protocol {
                ProtocolKind::AgentApi => refused(AgentRequest::parse(body)),
                ProtocolKind::A2a => refused(SendMessageRequest::parse(body)),
                $(ProtocolKind::$Kind => refused($Request::$read(body)),)*
                #[allow(unreachable_patterns, reason = "a build may have the protocol of the tests")]
                _ => None,
            }
        }
    };
}

request_functions! {
    SendMessageInput::parse AgKit normalized_json: parseSendMessageInput validateSendMessageInput;
    AgentScopeRequest::parse AgentScope normalized_json: parseAgentScopeRequest validateAgentScopeRequest;
    RunAgentInput::parse AgUi normalized_json: parseRunAgentInput validateRunAgentInput;
    CreateResponse::parse Responses to_json: parseCreateResponse validateCreateResponse;
    UiRequest::parse AiSdk to_json: parseUiRequest validateUiRequest;
    ChatRequest::parse Chat to_json: parseChatRequest validateChatRequest;
    MessagesRequest::parse_as_server Anthropic to_json: parseMessagesRequest validateMessagesRequest;
    GenerateContentRequest::parse Gemini to_json: parseGeminiRequest validateGeminiRequest;
    CreateInteraction::parse Interactions to_json: parseInteractionsRequest validateInteractionsRequest;
}
