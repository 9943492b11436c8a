//! A2A: calls, tasks, and answers. All arguments and results are JSON.

use crate::core::limits::Limits;
use crate::hub::{Losses, request};
use crate::json::Value;
use crate::protocols::a2a::card::AgentCard;
use crate::protocols::a2a::request::{
    Call, ErrorKind, HttpAnswer, Method, Refusal, Reply, SendMessageRequest,
};
use crate::protocols::a2a::tasks;
use crate::protocols::agent_api::Style;
use crate::protocols::agent_api::request::AgentRequest;
use crate::wasm::builder::now;
use crate::wasm::framed::HostIds;
use crate::wasm::request::{accepted, converted, to_agent};
use alloc::string::String;
use wasm_bindgen::prelude::wasm_bindgen;

/// A request by JSON-RPC. Gives `[call]`, or the answer that refuses it: `status`, `contentType`, `body`.
#[wasm_bindgen(js_name = a2aJsonRpc)]
pub fn json_rpc(body: &str, version: &str) -> String {
    called(Call::of_json_rpc(body, version))
}

/// A request by REST; the same.
#[wasm_bindgen(js_name = a2aRest)]
pub fn rest(http: &str, path: &str, query: &str, body: &str, version: &str) -> String {
    called(Call::of_rest(http, path, query, body, version))
}

fn called(call: Result<Call, HttpAnswer>) -> String {
    let call = match call {
        Ok(call) => call,
        Err(refusal) => return answer(&refusal),
    };
    let mut value = Value::from([("reply", call.reply.to_value())]);
    let mut put = |key: &str, part: Value| value.insert(key, part);
    let number = |number: Option<i64>| number.map(Value::from).unwrap_or_default();
    match call.method {
        Method::SendMessage { request, streaming } => {
            put("method", if streaming { "stream" } else { "send" }.into());
            put("request", parsed(&request.normalized_json()));
        }
        Method::GetTask { id, history_length } => {
            put("method", "get".into());
            put("id", id.into());
            put("historyLength", number(history_length));
        }
        Method::ListTasks(asked) => {
            let text = |text: Option<String>| text.map(Value::from).unwrap_or_default();
            put("method", "list".into());
            put("contextId", text(asked.context_id));
            put("status", text(asked.status));
            put("pageSize", number(asked.page_size));
            put("pageToken", text(asked.page_token));
            put("historyLength", number(asked.history_length));
            put("includeArtifacts", asked.include_artifacts.into());
        }
        Method::CancelTask { id } => {
            put("method", "cancel".into());
            put("id", id.into());
        }
        Method::SubscribeToTask { id } => {
            put("method", "subscribe".into());
            put("id", id.into());
        }
    }
    ["[", &value.to_json(), "]"].concat()
}

/// A result, an object of 1.0, as the call wants it.
#[wasm_bindgen(js_name = a2aResult)]
pub fn result(reply: &str, result: &str) -> String {
    answer(&Reply::of_value(&parsed(reply)).result(parsed(result)))
}

/// A refusal, by its code, as the call wants it.
#[wasm_bindgen(js_name = a2aError)]
pub fn error(reply: &str, code: i32, message: &str) -> String {
    answer(&Reply::of_value(&parsed(reply)).error(ErrorKind::of_code(code.into()), message))
}

/// An event of a stream, framed. It is an object of 1.0 with the one member that tells what it is.
#[wasm_bindgen(js_name = a2aEvent)]
pub fn event(reply: &str, event: &str) -> String {
    Reply::of_value(&parsed(reply)).event(parsed(event)).into_sse()
}

/// A card, for `name`, `description`, `version`, `url` and `skills`.
#[wasm_bindgen(js_name = a2aCard)]
pub fn card(card: &str) -> String {
    let card = parsed(card);
    let text = |key: &str| card.get(key).and_then(Value::as_str).unwrap_or("").into();
    let skills = match card.get("skills") {
        Some(Value::Array(skills)) => skills.clone(),
        _ => Default::default(),
    };
    let [name, description, version, url] = ["name", "description", "version", "url"].map(text);
    AgentCard { name, description, version, url, skills }.to_json()
}

fn answer(answer: &HttpAnswer) -> String {
    let HttpAnswer { status, content_type, body } = answer;
    let status = i64::from(*status).into();
    Value::from([("status", status), ("contentType", (*content_type).into()), ("body", body.as_str().into())])
        .to_json()
}

/// Parses JSON that the package itself has written, which is always valid.
pub(super) fn parsed(json: &str) -> Value {
    Value::parse(json, Limits::DEEPEST).unwrap_or_default()
}

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

/// Reads the parameters of `SendMessage` in the form of 1.0: [`accepted`].
#[wasm_bindgen(js_name = parseSendMessageRequest)]
pub fn parse_send_message_request(body: &str) -> String {
    accepted(SendMessageRequest::parse(body), |request| request.normalized_json())
}

/// Such a request as an Agent API one: [`converted`].
#[wasm_bindgen(js_name = sendMessageRequestToAgentRequest)]
pub fn send_message_request_to_agent_request(json: &str) -> String {
    to_agent(SendMessageRequest::parse(json))
}

/// An Agent API request as parameters of `SendMessage`: [`converted`].
#[wasm_bindgen(js_name = toSendMessageRequest)]
pub fn to_send_message_request(json: &str) -> String {
    converted(AgentRequest::parse(json), |mut asked: SendMessageRequest| {
        asked.message.identify(&mut HostIds);
        asked.normalized_json()
    })
}
