//! A2A: calls, tasks, and answers. All arguments and results are JSON.

use crate::convert::{RequestOptions, convert_request};
use crate::core::limits::Limits;
use crate::hub::Losses;
use crate::json::{Member, ObjectWriter, Raw, Value};
use crate::protocols::ProtocolKind;
use crate::protocols::a2a::card::AgentCard;
use crate::protocols::a2a::request::{
    ErrorKind, HttpAnswer, Method, OperationCall, RefusedOperation, Reply, SendMessageRequest,
};
use crate::protocols::a2a::tasks;
use crate::wasm::builder::now;
use crate::wasm::framed::HostIds;
use crate::wasm::request::accepted;
use alloc::borrow::ToOwned;
use alloc::string::String;
use wasm_bindgen::prelude::wasm_bindgen;

/// Parses a JSON-RPC request. Returns `[call]`, or the error response: `status`, `contentType`,
/// `body`.
#[wasm_bindgen(js_name = a2aJsonRpc)]
pub fn json_rpc(body: &str, version: &str) -> String {
    called(OperationCall::of_json_rpc(body, version))
}

/// Parses a REST request. Returns the same as for JSON-RPC.
#[wasm_bindgen(js_name = a2aRest)]
pub fn rest(http: &str, path: &str, query: &str, body: &str, version: &str) -> String {
    called(OperationCall::of_rest(http, path, query, body, version))
}

fn called(call: Result<OperationCall, HttpAnswer>) -> String {
    let call = match call {
        Ok(call) => call,
        Err(refusal) => return answer(&refusal),
    };
    let mut value = Value::from([("reply", call.reply.to_value())]);
    let mut message = None;
    let mut put = |key: &str, part: Value| value.insert(key, part);
    let number = |number: Option<i64>| number.map(Value::from).unwrap_or_default();
    match call.method {
        Method::SendMessage { request, streaming } => {
            put("method", if streaming { "stream" } else { "send" }.into());
            message = Some(request);
        }
        Method::GetTask { id, history_length } => {
            put("method", "get".into());
            put("id", id.into());
            put("historyLength", number(history_length));
        }
        Method::ListTasks(query) => {
            let text = |text: Option<String>| text.map(Value::from).unwrap_or_default();
            put("method", "list".into());
            put("contextId", text(query.context_id));
            put("status", text(query.status));
            put("pageSize", number(query.page_size));
            put("pageToken", text(query.page_token));
            put("historyLength", number(query.history_length));
            put("includeArtifacts", query.include_artifacts.into());
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
    let mut call = "[".to_owned();
    let mut object = ObjectWriter::open(&mut call, false);
    for Member { key, value } in value.members() {
        object.value(key, Some(value));
    }
    // A message can be most of the body: it is written once, as text.
    if let Some(message) = message {
        object.raw("request", Some(Raw(&message.normalized_json())));
    }
    object.close();
    call.push(']');
    call
}

/// Converts a result, an object of 1.0, to the form of the call.
#[wasm_bindgen(js_name = a2aResult)]
pub fn result(reply: &str, result: &str) -> String {
    answer(&Reply::of_value(&parsed(reply)).result(parsed(result)))
}

/// Converts an error, named by its code, to the form of the call.
#[wasm_bindgen(js_name = a2aError)]
pub fn error(reply: &str, code: i32, message: &str) -> String {
    answer(&Reply::of_value(&parsed(reply)).error(ErrorKind::of_code(code.into()), message))
}

/// Returns a framed event of a stream. `event` is an object of 1.0 with one member, whose name is
/// the type.
#[wasm_bindgen(js_name = a2aEvent)]
pub fn event(reply: &str, event: &str) -> String {
    Reply::of_value(&parsed(reply)).event(parsed(event)).into_sse()
}

/// Returns an agent card for `name`, `description`, `version`, `url`, `skills` and `needsKey`.
#[wasm_bindgen(js_name = a2aCard)]
pub fn card(card: &str) -> String {
    let card = parsed(card);
    let text = |key: &str| card.get(key).and_then(Value::as_str).unwrap_or("").into();
    let skills = match card.get("skills") {
        Some(Value::Array(skills)) => skills.clone(),
        _ => Default::default(),
    };
    let [name, description, version, url] = ["name", "description", "version", "url"].map(text);
    let needs_key = card.get("needsKey") == Some(&Value::Bool(true));
    AgentCard { name, description, version, url, skills, needs_key }.to_json()
}

fn answer(answer: &HttpAnswer) -> String {
    let HttpAnswer { status, content_type, body } = answer;
    let status = i64::from(*status).into();
    Value::from([
        ("status", status),
        ("contentType", (*content_type).into()),
        ("body", body.as_str().into()),
    ])
    .to_json()
}

/// Parses JSON that the package itself has written, which is always valid.
pub(super) fn parsed(json: &str) -> Value {
    Value::parse(json, Limits::DEEPEST).unwrap_or_default()
}

/// Assigns a message to the task that it names, or to a new one. Returns
/// `[ids, agent request, current task, losses]`, where the ids are
/// `{message: {taskId, contextId}}`, or the error: `code` and `message`. `continues`: the
/// conversation has earlier tasks.
#[wasm_bindgen(js_name = a2aAccept)]
pub fn accept(json: &str, task: Option<String>, continues: bool) -> String {
    let Ok(mut request) = SendMessageRequest::parse(json) else { return String::new() };
    match request.accept(task.as_deref().map(parsed).as_ref(), &mut HostIds) {
        Ok(so_far) => {
            let options = RequestOptions::default();
            let (from, to) = (ProtocolKind::A2a, ProtocolKind::AgentApi);
            let (body, mut losses) = (request.normalized_json(), Losses::default());
            let sent = convert_request(from, &body, to, &options, &mut HostIds, &mut losses);
            let agent_request = sent.map(|sent| sent.json).unwrap_or_default();
            if continues {
                losses.lose_history(request.message.context_id.as_deref().unwrap_or_default());
            }
            // The message itself is in both of the others.
            let id = |id: &Option<String>| id.as_deref().map(Value::from).unwrap_or_default();
            let message = &request.message;
            let ids = [("taskId", id(&message.task_id)), ("contextId", id(&message.context_id))];
            let ids = Value::from([("message", Value::from(ids))]);
            let parts = [&ids.to_json(), &agent_request, &so_far.to_json(), &losses.to_json()];
            ["[", &parts.map(String::as_str).join(","), "]"].concat()
        }
        Err(error) => refusal(error),
    }
}

/// Returns `[task]`, or the error: `code` and `message`. `operation` is `get`, `subscribe` (checks
/// that the task can be followed) or `cancel` (cancels it).
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
        Err(error) => refusal(error),
    }
}

/// Returns a task with at most `history_length` messages of its history (all without a number),
/// with or without its artifacts.
#[wasm_bindgen(js_name = a2aShown)]
pub fn shown(task: &str, history_length: Option<u32>, with_artifacts: bool) -> String {
    tasks::shown(parsed(task), history_length.map(i64::from), with_artifacts).to_json()
}

fn refusal(error: RefusedOperation) -> String {
    Value::from([("code", error.kind.code().into()), ("message", error.message.into())]).to_json()
}

/// Parses the parameters of `SendMessage` in the form of 1.0. Returns `[request]`, or the error.
#[wasm_bindgen(js_name = parseSendMessageRequest)]
pub fn parse_send_message_request(body: &str) -> String {
    accepted(SendMessageRequest::parse(body), |request| request.normalized_json())
}
