//! Requests to the APIs of models.

use alloc::string::String;

use wasm_bindgen::prelude::wasm_bindgen;

use super::ids::HostIds;
use crate::core::request::Problem;
use crate::hub::{Losses, request};
use crate::protocols::agent_api::Style;
use crate::protocols::agent_api::request::AgentRequest;
use crate::protocols::anthropic::request::MessagesRequest;
use crate::protocols::chat::request::ChatRequest;

/// Creates the functions for the requests of a protocol.
macro_rules! requests {
    ($Request:ident: $parse:ident $validate:ident $to_agent:ident $from_agent:ident, $parsed:ident $validated:ident $to:ident $from:ident) => {
        /// Reads the body of a request. Gives JSON: `[request]`, or the refusal, an object with `status`, `contentType`, `body`,
        /// `message` and `problems`.
        #[wasm_bindgen(js_name = $parsed)]
        pub fn $parse(body: &str) -> String {
            match $Request::parse(body) {
                Ok(request) => ["[", &request.to_json(), "]"].concat(),
                Err(error) => error.to_json(),
            }
        }

        /// The problems of a request, as a JSON array.
        #[wasm_bindgen(js_name = $validated)]
        pub fn $validate(json: &str) -> String {
            Problem::list_to_json(&match $Request::parse(json) {
                Ok(request) => request.validate(),
                Err(error) => error.problems().to_vec(),
            })
        }

        /// A request as an Agent API one. Gives JSON: `[request, losses]`, or the refusal, an object.
        #[wasm_bindgen(js_name = $to)]
        pub fn $to_agent(json: &str) -> String {
            match $Request::parse(json) {
                Ok(asked) => {
                    let mut losses = Losses::default();
                    let request: AgentRequest = request::convert(&asked, &mut losses);
                    ["[", &request.to_json(Style::Compact), ",", &losses.to_json(), "]"].concat()
                }
                Err(error) => error.to_json(),
            }
        }

        /// An Agent API request as one of the protocol. Gives JSON: `[request, losses]`, or the refusal, an object.
        #[wasm_bindgen(js_name = $from)]
        pub fn $from_agent(json: &str) -> String {
            match AgentRequest::parse(json) {
                Ok(mut request) => {
                    request.ensure_session(&mut HostIds);
                    let mut losses = Losses::default();
                    let asked: $Request = request::convert(&request, &mut losses);
                    ["[", &asked.to_json(), ",", &losses.to_json(), "]"].concat()
                }
                Err(error) => error.to_json(),
            }
        }
    };
}

requests! {
    ChatRequest: parse_chat_request validate_chat_request chat_request_to_agent_request to_chat_request,
    parseChatRequest validateChatRequest chatRequestToAgentRequest toChatRequest
}
requests! {
    MessagesRequest: parse_messages_request validate_messages_request messages_request_to_agent_request to_messages_request,
    parseMessagesRequest validateMessagesRequest messagesRequestToAgentRequest toMessagesRequest
}
