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
pub(super) trait Refused {
    /// Returns the error as JSON: an object with `status`, `contentType`, `body`, `message` and `problems`.
    fn json(&self) -> String;

    /// Returns the problems of the request.
    fn problems(&self) -> Vec<Problem>;
}

macro_rules! refused {
    ($($Error:ty),*) => {$(
        impl Refused for $Error {
            fn json(&self) -> String {
                self.to_json()
            }

            fn problems(&self) -> Vec<Problem> {
                <$Error>::problems(self).to_vec()
            }
        }
    )*};
}
refused!(RequestError, agent_api::request::RequestError, responses::request::RequestError);

/// Returns a request as JSON: `[request]`, or the refusal, an object.
pub(super) fn accepted<A, E: Refused>(read: Result<A, E>, json: impl FnOnce(A) -> String) -> String {
    match read {
        Ok(request) => ["[", &json(request), "]"].concat(),
        Err(error) => error.json(),
    }
}

/// Returns the problems of a request as a JSON array.
pub(super) fn problems<A, E: Refused>(
    read: Result<A, E>,
    validate: impl FnOnce(A) -> Vec<Problem>,
) -> String {
    Problem::list_to_json(&read.map_or_else(|error| error.problems(), validate))
}

/// Returns a request in another protocol as JSON: `[request, losses]`, or the refusal, an object.
pub(super) fn converted<A: HubRequest, B: HubRequest, E: Refused>(
    read: Result<A, E>,
    json: impl FnOnce(B) -> String,
) -> String {
    accepted(read, |asked| {
        let mut losses = Losses::default();
        let request = convert(&asked, &mut losses);
        [&json(request), ",", &losses.to_json()].concat()
    })
}

/// Returns a request as one of the Agent API.
pub(super) fn to_agent<A: HubRequest>(read: Result<A, impl Refused>) -> String {
    converted(read, |request: AgentRequest| request.to_json(Style::Compact))
}

/// Reads a request of the Agent API. It gets a session if it has none.
pub(super) fn agent_request(json: &str) -> Result<AgentRequest, agent_api::request::RequestError> {
    let mut request = AgentRequest::parse(json)?;
    request.ensure_session(&mut HostIds);
    Ok(request)
}

/// Reads the body of a request: [`accepted`].
#[wasm_bindgen(js_name = parseAgentRequest)]
pub fn parse_agent_request(body: &str) -> String {
    accepted(AgentRequest::parse(body), |request| request.to_json(Style::Compact))
}

/// What a server would refuse in a request, and what it would misunderstand, as a JSON array.
#[wasm_bindgen(js_name = validateAgentRequest)]
pub fn validate_agent_request(json: &str) -> String {
    problems(AgentRequest::parse(json), |request| request.validate())
}

/// An AG-Kit request as an Agent API one: [`converted`].
#[wasm_bindgen(js_name = toAgentRequest)]
pub fn to_agent_request(json: &str) -> String {
    to_agent(SendMessageInput::parse(json))
}

/// An Agent API request as an AG-Kit one: [`converted`].
#[wasm_bindgen(js_name = toSendMessageInput)]
pub fn to_send_message_input(json: &str) -> String {
    converted(agent_request(json), |input: SendMessageInput| input.normalized_json())
}

/// An AG-UI request as an Agent API one: [`converted`].
#[wasm_bindgen(js_name = runAgentInputToAgentRequest)]
pub fn run_agent_input_to_agent_request(json: &str) -> String {
    to_agent(RunAgentInput::parse(json))
}

/// An Agent API request as an AG-UI one, with a new run where it has no id: [`converted`].
#[wasm_bindgen(js_name = toRunAgentInput)]
pub fn to_run_agent_input(json: &str) -> String {
    let read = agent_request(json).map(|mut request| {
        request.id.get_or_insert_with(|| HostIds.next_id("run_"));
        request
    });
    converted(read, |input: RunAgentInput| input.normalized_json())
}
