//! Operations on tasks, and requests in other protocols.

use alloc::string::String;

use wasm_bindgen::prelude::wasm_bindgen;

use super::call::parsed;
use crate::hub::{Losses, request};
use crate::json::Value;
use crate::protocols::a2a::request::{Refusal, SendMessageRequest};
use crate::protocols::a2a::tasks;
use crate::protocols::agent_api::Style;
use crate::protocols::agent_api::request::AgentRequest;
use crate::wasm::builder::convert::now;
use crate::wasm::ids::HostIds;

/// A message for a task, which is the one that it names, or a new one. Gives `[request, agent request, what the task has so far]`, or
/// the refusal: `code` and `message`.
#[wasm_bindgen(js_name = a2aAccept)]
pub fn accept(json: &str, task: Option<String>) -> String {
    let Ok(mut request) = SendMessageRequest::parse(json) else { return String::new() };
    match request.accept(task.as_deref().map(parsed).as_ref(), &mut HostIds) {
        Ok(so_far) => {
            let asked: AgentRequest = request::convert(&request, &mut Losses::default());
            let (request, asked) = (request.normalized_json(), asked.to_json(Style::Compact));
            ["[", &request, ",", &asked, ",", &so_far.to_json(), "]"].concat()
        }
        Err(refused) => refusal(refused),
    }
}

/// Whether a task may be followed (`subscribe`), or what it is when it was canceled (`cancel`). Gives `[task]`, or the refusal: `code`
/// and `message`.
#[wasm_bindgen(js_name = a2aTask)]
pub fn task(operation: &str, id: &str, task: Option<String>) -> String {
    let task = tasks::found(task.as_deref().map(parsed), id);
    let task = task.and_then(|task| match operation {
        "subscribe" => tasks::may_follow(&task).map(|()| task),
        "cancel" => tasks::canceled(task, now),
        _ => Ok(task),
    });
    match task {
        Ok(task) => ["[", &task.to_json(), "]"].concat(),
        Err(refused) => refusal(refused),
    }
}

/// A task with at most so many messages of its history, all where the number is missing, with its artifacts or without.
#[wasm_bindgen(js_name = a2aShown)]
pub fn shown(task: &str, history_length: Option<u32>, with_artifacts: bool) -> String {
    tasks::shown(parsed(task), history_length.map(i64::from), with_artifacts).to_json()
}

fn refusal(refused: Refusal) -> String {
    Value::from([("code", refused.kind.code().into()), ("message", refused.message.into())]).to_json()
}

/// Reads the parameters of `SendMessage` in the form of 1.0. Gives `[request]`, or the refusal.
#[wasm_bindgen(js_name = parseSendMessageRequest)]
pub fn parse_send_message_request(body: &str) -> String {
    match SendMessageRequest::parse(body) {
        Ok(request) => ["[", &request.normalized_json(), "]"].concat(),
        Err(error) => error.to_json(),
    }
}

/// Such a request as an Agent API one. Gives `[request, losses]`, or the refusal.
#[wasm_bindgen(js_name = sendMessageRequestToAgentRequest)]
pub fn send_message_request_to_agent_request(json: &str) -> String {
    match SendMessageRequest::parse(json) {
        Ok(asked) => {
            let mut losses = Losses::default();
            let request: AgentRequest = request::convert(&asked, &mut losses);
            ["[", &request.to_json(Style::Compact), ",", &losses.to_json(), "]"].concat()
        }
        Err(error) => error.to_json(),
    }
}

/// An Agent API request as parameters of `SendMessage`. Gives `[request, losses]`, or the refusal.
#[wasm_bindgen(js_name = toSendMessageRequest)]
pub fn to_send_message_request(json: &str) -> String {
    match AgentRequest::parse(json) {
        Ok(request) => {
            let mut losses = Losses::default();
            let mut asked: SendMessageRequest = request::convert(&request, &mut losses);
            asked.message.identify(&mut HostIds);
            ["[", &asked.normalized_json(), ",", &losses.to_json(), "]"].concat()
        }
        Err(error) => error.to_json(),
    }
}
