//! Requests to an agent, and their conversion between protocols.
#![allow(non_snake_case, reason = "the functions have their names in JavaScript")]

use alloc::string::String;
use alloc::vec::Vec;

use wasm_bindgen::prelude::wasm_bindgen;

use crate::convert::{ConvertError, RequestOptions, convert_request};
use crate::core::request::{Problem, RequestError};
use crate::hub::Losses;
use crate::protocols::ProtocolKind;
use crate::protocols::ag_kit::request::SendMessageInput;
use crate::protocols::ag_ui::request::RunAgentInput;
use crate::protocols::agent_api::request::AgentRequest;
use crate::protocols::agent_api::{self, Style};
use crate::protocols::ai_sdk::request::UiRequest;
use crate::protocols::anthropic::request::MessagesRequest;
use crate::protocols::chat::request::ChatRequest;
use crate::protocols::gemini::request::GenerateContentRequest;
use crate::protocols::responses::request::{self, CreateResponse};
use crate::wasm::framed::HostIds;

/// The error of a request, which each protocol reports in its own way.
pub(super) trait RejectedRequest {
    /// Returns the error as JSON: an object with `status`, `contentType`, `body`, `message` and `problems`.
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
impl_rejected_request!(RequestError, agent_api::request::RequestError, request::RequestError);

/// Returns a request as JSON: `[request]`, or the error, an object.
pub(super) fn accepted<A, E: RejectedRequest>(read: Result<A, E>, json: impl FnOnce(A) -> String) -> String {
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

/// Returns a request of a protocol, which was `read`, as one of another protocol. Returns JSON: `[request, losses]`, or the
/// error, an object.
pub(super) fn converted<A>(
    read: Result<A, impl RejectedRequest>,
    from: ProtocolKind,
    json: &str,
    to: ProtocolKind,
) -> String {
    if let Err(error) = read {
        return error.json();
    }
    let (mut losses, options) = (Losses::default(), RequestOptions::default());
    match convert_request(from, json, to, &options, &mut HostIds, &mut losses) {
        Ok(sent) => ["[", &sent.json, ",", &losses.to_json(), "]"].concat(),
        Err(ConvertError::Request(error)) => error.to_json(),
        // The request functions are compiled with their protocol.
        Err(ConvertError::Usage(error)) => error.text(),
    }
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

/// Declares the functions for requests of a protocol, by their names in JavaScript. The first two names are those of the method that
/// writes a request.
macro_rules! request_functions {
    ($($Request:ident $Kind:ident $json:ident: $parse:ident $validate:ident $to_agent:ident $of_agent:ident;)*) => {$(
        /// Parses the body of a request. Returns JSON: `[request]`, or the error.
        #[wasm_bindgen]
        pub fn $parse(body: &str) -> String {
            accepted($Request::parse(body), |request| request.$json())
        }

        /// Returns the problems for which a server rejects a request, as a JSON array.
        #[wasm_bindgen]
        pub fn $validate(json: &str) -> String {
            problems($Request::parse(json), |request| request.validate())
        }

        /// Converts a request to an Agent API request. Returns JSON: `[request, losses]`, or the error.
        #[wasm_bindgen]
        pub fn $to_agent(json: &str) -> String {
            converted($Request::parse(json), ProtocolKind::$Kind, json, ProtocolKind::AgentApi)
        }

        /// Converts an Agent API request to one of the protocol. Returns JSON: `[request, losses]`, or the error.
        #[wasm_bindgen]
        pub fn $of_agent(json: &str) -> String {
            converted(AgentRequest::parse(json), ProtocolKind::AgentApi, json, ProtocolKind::$Kind)
        }
    )*};
}

request_functions! {
    SendMessageInput AgKit normalized_json:
        parseSendMessageInput validateSendMessageInput toAgentRequest toSendMessageInput;
    RunAgentInput AgUi normalized_json:
        parseRunAgentInput validateRunAgentInput runAgentInputToAgentRequest toRunAgentInput;
    CreateResponse Responses to_json:
        parseCreateResponse validateCreateResponse createResponseToAgentRequest toCreateResponse;
    UiRequest AiSdk to_json: parseUiRequest validateUiRequest uiRequestToAgentRequest toUiRequest;
    ChatRequest Chat to_json: parseChatRequest validateChatRequest chatRequestToAgentRequest toChatRequest;
    MessagesRequest Anthropic to_json:
        parseMessagesRequest validateMessagesRequest messagesRequestToAgentRequest toMessagesRequest;
    GenerateContentRequest Gemini to_json:
        parseGeminiRequest validateGeminiRequest geminiRequestToAgentRequest toGeminiRequest;
}
