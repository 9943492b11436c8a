//! Requests to an agent, and their conversion between protocols.
#![allow(non_snake_case, reason = "the functions have their names in JavaScript")]

use alloc::string::String;
use alloc::vec::Vec;

use wasm_bindgen::prelude::wasm_bindgen;

use crate::core::id::IdSource;
use crate::core::request::{Problem, RequestError};
use crate::hub::Losses;
use crate::hub::request::{HubRequest, convert};
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

/// Returns a converted request as JSON: `[request, losses]`, or the error, an object.
pub(super) fn converted<A: HubRequest, B: HubRequest, E: RejectedRequest>(
    read: Result<A, E>,
    json: impl FnOnce(B) -> String,
) -> String {
    accepted(read, |body| {
        let mut losses = Losses::default();
        let request = convert(&body, &mut losses);
        [&json(request), ",", &losses.to_json()].concat()
    })
}

/// Returns a request as one of the Agent API.
pub(super) fn to_agent<A: HubRequest>(read: Result<A, impl RejectedRequest>) -> String {
    converted(read, |request: AgentRequest| request.to_json(Style::Compact))
}

/// Parses a request of the Agent API, and adds a session id if it is missing.
fn agent_request(json: &str) -> Result<AgentRequest, agent_api::request::RequestError> {
    let mut request = AgentRequest::parse(json)?;
    request.ensure_session(&mut HostIds);
    Ok(request)
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

/// The same for AG-UI, with a new run id if it is missing.
fn identified_request(json: &str) -> Result<AgentRequest, agent_api::request::RequestError> {
    let mut request = agent_request(json)?;
    request.id.get_or_insert_with(|| HostIds.next_id("run_"));
    Ok(request)
}

/// Declares the functions for requests of a protocol, by their names in JavaScript. The first two names are those of the method that
/// writes a request, and of the function that reads an Agent API request.
macro_rules! request_functions {
    ($($Request:ident $json:ident $agent_request:ident: $parse:ident $validate:ident $to_agent:ident $of_agent:ident;)*) => {$(
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
            to_agent($Request::parse(json))
        }

        /// Converts an Agent API request to one of the protocol. Returns JSON: `[request, losses]`, or the error.
        #[wasm_bindgen]
        pub fn $of_agent(json: &str) -> String {
            converted($agent_request(json), |request: $Request| request.$json())
        }
    )*};
}

request_functions! {
    SendMessageInput normalized_json agent_request:
        parseSendMessageInput validateSendMessageInput toAgentRequest toSendMessageInput;
    RunAgentInput normalized_json identified_request:
        parseRunAgentInput validateRunAgentInput runAgentInputToAgentRequest toRunAgentInput;
    CreateResponse to_json agent_request:
        parseCreateResponse validateCreateResponse createResponseToAgentRequest toCreateResponse;
    UiRequest to_json agent_request: parseUiRequest validateUiRequest uiRequestToAgentRequest toUiRequest;
    ChatRequest to_json agent_request: parseChatRequest validateChatRequest chatRequestToAgentRequest toChatRequest;
    MessagesRequest to_json agent_request:
        parseMessagesRequest validateMessagesRequest messagesRequestToAgentRequest toMessagesRequest;
    GenerateContentRequest to_json agent_request:
        parseGeminiRequest validateGeminiRequest geminiRequestToAgentRequest toGeminiRequest;
}
