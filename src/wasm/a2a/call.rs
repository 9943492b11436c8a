//! Calls and answers.

use alloc::string::String;

use wasm_bindgen::prelude::wasm_bindgen;

use crate::core::limits::Limits;
use crate::json::Value;
use crate::protocols::a2a::card::AgentCard;
use crate::protocols::a2a::request::{Call, ErrorKind, HttpAnswer, Method, Reply};

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
