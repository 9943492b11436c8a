//! Requests to an agent, and their conversion between protocols.

use alloc::string::String;

use wasm_bindgen::prelude::wasm_bindgen;

use crate::core::id::IdSource;
use crate::core::request::Problem;
use crate::hub::{Losses, request};
use crate::protocols::ag_kit::request::SendMessageInput;
use crate::protocols::ag_ui::request::RunAgentInput;
use crate::protocols::agent_api::Style;
use crate::protocols::agent_api::request::AgentRequest;
use crate::wasm::ids::HostIds;

/// Reads the body of a request. Gives JSON: `[request]`, or the refusal, an object with `status`, `contentType`, `body`,
/// `message` and `problems`.
#[wasm_bindgen(js_name = parseAgentRequest)]
pub fn parse_agent_request(body: &str) -> String {
    match AgentRequest::parse(body) {
        Ok(request) => ["[", &request.to_json(Style::Compact), "]"].concat(),
        Err(error) => error.to_json(),
    }
}

/// What a server would refuse in a request, and what it would misunderstand, as a JSON array.
#[wasm_bindgen(js_name = validateAgentRequest)]
pub fn validate_agent_request(json: &str) -> String {
    Problem::list_to_json(&match AgentRequest::parse(json) {
        Ok(request) => request.validate(),
        Err(error) => error.problems().to_vec(),
    })
}

/// An AG-Kit request as an Agent API one. Gives JSON: `[request, losses]`, or the refusal, an object.
#[wasm_bindgen(js_name = toAgentRequest)]
pub fn to_agent_request(json: &str) -> String {
    match SendMessageInput::parse(json) {
        Ok(input) => {
            let mut losses = Losses::default();
            let request: AgentRequest = request::convert(&input, &mut losses);
            ["[", &request.to_json(Style::Compact), ",", &losses.to_json(), "]"].concat()
        }
        Err(error) => error.to_json(),
    }
}

/// An Agent API request as an AG-Kit one. Gives JSON: `[request, losses]`, or the refusal, an object.
#[wasm_bindgen(js_name = toSendMessageInput)]
pub fn to_send_message_input(json: &str) -> String {
    match AgentRequest::parse(json) {
        Ok(mut request) => {
            request.ensure_session(&mut HostIds);
            let mut losses = Losses::default();
            let input: SendMessageInput = request::convert(&request, &mut losses);
            ["[", &input.normalized_json(), ",", &losses.to_json(), "]"].concat()
        }
        Err(error) => error.to_json(),
    }
}

/// An AG-UI request as an Agent API one. Gives JSON: `[request, losses]`, or the refusal, an object.
#[wasm_bindgen(js_name = runAgentInputToAgentRequest)]
pub fn run_agent_input_to_agent_request(json: &str) -> String {
    match RunAgentInput::parse(json) {
        Ok(input) => {
            let mut losses = Losses::default();
            let request: AgentRequest = request::convert(&input, &mut losses);
            ["[", &request.to_json(Style::Compact), ",", &losses.to_json(), "]"].concat()
        }
        Err(error) => error.to_json(),
    }
}

/// An Agent API request as an AG-UI one, with a new run where it has no id. Gives JSON: `[request, losses]`, or the refusal, an
/// object.
#[wasm_bindgen(js_name = toRunAgentInput)]
pub fn to_run_agent_input(json: &str) -> String {
    match AgentRequest::parse(json) {
        Ok(mut request) => {
            request.ensure_session(&mut HostIds);
            request.id.get_or_insert_with(|| HostIds.next_id("run_"));
            let mut losses = Losses::default();
            let input: RunAgentInput = request::convert(&request, &mut losses);
            ["[", &input.normalized_json(), ",", &losses.to_json(), "]"].concat()
        }
        Err(error) => error.to_json(),
    }
}
