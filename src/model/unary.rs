//! A2A agents that do not support streaming: one request for the answer, and requests for its task
//! until it has ended.

use std::string::String;
use std::time::Duration;
use std::vec::Vec;

use reqwest::Url;
use reqwest::header::HeaderMap;

use super::call::{CallError, Model, ModelBytes};
use crate::adapters::reqwest::{AnswerBytes, HttpError};
use crate::core::limits::Limits;
use crate::json::Value;
use crate::protocols::a2a::request::ErrorKind;
use crate::protocols::a2a::tasks::state;

/// The method whose answer is a stream.
pub(super) const STREAM: &str = "SendStreamingMessage";

/// The pause before the task of an agent is requested again.
const PAUSE: Duration = Duration::from_secs(1);

/// Returns the call of a method in JSON-RPC.
pub(super) fn call(method: &str, params: Value) -> String {
    let id = Value::from(1);
    Value::from([
        ("jsonrpc", "2.0".into()),
        ("id", id),
        ("method", method.into()),
        ("params", params),
    ])
    .to_json()
}

/// Sends the call of [`STREAM`]. If the agent refuses it because it does not support streaming,
/// sends the message without it.
pub(super) async fn send(model: &Model, url: Url, body: String) -> Result<ModelBytes, CallError> {
    match model.send(url.clone(), HeaderMap::new(), body.clone()).await {
        Ok(mut answer) => {
            let first = answer.peek(HttpError::BODY, has_first_event).await;
            if !refuses_streams(first) {
                return Ok(answer);
            }
        }
        Err(CallError::Http(error)) if refuses_streams(error.body.as_bytes()) => {}
        Err(error) => return Err(error),
    }
    let message = Value::parse(&body, Limits::default().json_depth).unwrap_or_default();
    let message = message.get("params").cloned().unwrap_or_default();
    let (head, mut answer) = result(model, &url, call("SendMessage", message)).await?;
    loop {
        let parsed = Value::parse(&answer, Limits::default().json_depth).unwrap_or_default();
        let task = parsed.get("result").map(|result| result.get("task").unwrap_or(result));
        let is_running =
            |task: &&Value| matches!(state(task), "TASK_STATE_SUBMITTED" | "TASK_STATE_WORKING");
        let Some(id) = task.filter(is_running).and_then(|task| task.text("id")) else { break };
        tokio::time::sleep(PAUSE).await;
        let next = result(model, &url, call("GetTask", [("id", id.into())].into())).await?.1;
        // The result of `GetTask` is the task itself.
        let task = Value::parse(&next, Limits::default().json_depth).ok();
        answer = match task.as_ref().and_then(|next| next.get("result")) {
            Some(task) if task.get("task").is_none() => {
                let result = Value::from([("task", task.clone())]);
                Value::from([("jsonrpc", "2.0".into()), ("id", Value::from(1)), ("result", result)])
                    .to_json()
            }
            _ => next,
        };
    }
    // Line breaks in JSON are only spaces.
    let event = ["data: ", &answer.replace(['\r', '\n'], " "), "\n\n"].concat();
    Ok(ModelBytes { bytes: AnswerBytes::of(event.into_bytes()), ..head })
}

/// Sends a call whose answer is JSON, and returns the response and the answer.
async fn result(model: &Model, url: &Url, body: String) -> Result<(ModelBytes, String), CallError> {
    let mut response = model.send(url.clone(), HeaderMap::new(), body).await?;
    let most = Limits::default().event_bytes;
    let answer: Vec<u8> = response.peek(most, |_| false).await.into();
    match response.bytes.failure() {
        Some(error) => Err(CallError::body(error)),
        None => Ok((response, String::from_utf8_lossy(&answer).into_owned())),
    }
}

/// Whether these bytes have the first event of a stream. JSON has none: it is read to its end.
fn has_first_event(bytes: &[u8]) -> bool {
    let is_json = bytes.trim_ascii_start().first() == Some(&b'{');
    let blank: [&[u8]; 2] = [b"\n\n", b"\r\n\r\n"];
    !is_json && blank.iter().any(|blank| bytes.windows(blank.len()).any(|two| two == *blank))
}

/// Reports whether an answer is an error of JSON-RPC by which an agent refuses streams. It is JSON,
/// or the first event.
fn refuses_streams(answer: &[u8]) -> bool {
    let text = String::from_utf8_lossy(answer);
    let lines = || text.lines().filter_map(|line| line.strip_prefix("data:"));
    let json = if text.trim_start().starts_with('{') {
        text.trim()
    } else {
        lines().next().unwrap_or_default()
    };
    let answer = Value::parse(json.trim(), Limits::default().json_depth).ok();
    let error = answer.as_ref().and_then(|answer| answer.get("error"));
    let code = error.and_then(|error| error.get("code"));
    [ErrorKind::UnsupportedOperation, ErrorKind::MethodNotFound]
        .iter()
        .any(|kind| code == Some(&kind.code().into()))
}
