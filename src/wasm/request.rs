//! Requests to an agent, and their conversion between protocols.

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
use crate::protocols::responses;
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
impl_rejected_request!(RequestError, agent_api::request::RequestError, responses::request::RequestError);

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
pub(super) fn agent_request(json: &str) -> Result<AgentRequest, agent_api::request::RequestError> {
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

/// Converts an AG-Kit request to an Agent API request. Returns JSON: `[request, losses]`, or the error.
#[wasm_bindgen(js_name = toAgentRequest)]
pub fn to_agent_request(json: &str) -> String {
    to_agent(SendMessageInput::parse(json))
}

/// Converts an Agent API request to an AG-Kit request. Returns JSON: `[request, losses]`, or the error.
#[wasm_bindgen(js_name = toSendMessageInput)]
pub fn to_send_message_input(json: &str) -> String {
    converted(agent_request(json), |input: SendMessageInput| input.normalized_json())
}

/// Converts an AG-UI request to an Agent API request. Returns JSON: `[request, losses]`, or the error.
#[wasm_bindgen(js_name = runAgentInputToAgentRequest)]
pub fn run_agent_input_to_agent_request(json: &str) -> String {
    to_agent(RunAgentInput::parse(json))
}

/// Converts an Agent API request to an AG-UI request, with a new run id if it is missing. Returns JSON: `[request, losses]`, or
/// the error.
#[wasm_bindgen(js_name = toRunAgentInput)]
pub fn to_run_agent_input(json: &str) -> String {
    let read = agent_request(json).map(|mut request| {
        request.id.get_or_insert_with(|| HostIds.next_id("run_"));
        request
    });
    converted(read, |input: RunAgentInput| input.normalized_json())
}
