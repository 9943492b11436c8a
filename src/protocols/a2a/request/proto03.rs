//! The objects of 0.3 in the REST binding: its protocol buffers as JSON, which have neither the `kind` of the JSON-RPC
//! binding nor the parts of 1.0.
//!
//! Facts: `@a2a-js/sdk` 0.3.14, client and server. Objects are discriminated as in 1.0, by the name of the member. A
//! message has `content`, files and data are nested (`{file: {fileWithUri, mimeType}}`, `{data: {data}}`), and the
//! state of a canceled task is spelled `CANCELLED`.

use alloc::vec::Vec;

use super::dialect::{change, each, object, update_to_v03};
use crate::json::{Member, Value};

/// Converts the parameters of a method to those of 1.0.
pub(super) fn params(mut params: Value) -> Value {
    change(&mut params, "message", message_from);
    change(&mut params, "configuration", |mut configuration| {
        // An absent value is false, as in any protocol buffer.
        let blocking = configuration.get("blocking").and_then(Value::as_bool).unwrap_or(false);
        configuration.insert("returnImmediately", (!blocking).into());
        renamed(configuration, "pushNotification", "taskPushNotificationConfig")
    });
    params
}

fn message_from(message: Value) -> Value {
    let mut message = renamed(message, "content", "parts");
    change(&mut message, "parts", |parts| each(parts, part_from));
    message
}

fn part_from(part: Value) -> Value {
    let (file, data) = (part.get("file"), part.get("data"));
    let of_file = |name: &str| file?.get(name).filter(|value| !value.is_null()).cloned();
    object([
        ("text", part.get("text").cloned()),
        ("raw", of_file("fileWithBytes")),
        ("url", of_file("fileWithUri")),
        ("data", data.map(|data| data.get("data").unwrap_or(data).clone())),
        ("filename", of_file("name")),
        ("mediaType", of_file("mimeType")),
        ("metadata", part.get("metadata").cloned()),
    ])
}

/// Converts an event of a stream or the result of a method: a task, or an object whose member names the kind.
pub(super) fn said(mut said: Value) -> Value {
    change(&mut said, "task", task);
    change(&mut said, "tasks", |tasks| each(tasks, task));
    change(&mut said, "message", message);
    change(&mut said, "statusUpdate", |update| update_to_v03(update, status));
    change(&mut said, "artifactUpdate", |mut update| {
        change(&mut update, "artifact", artifact);
        update
    });
    if said.get("status").is_some() { task(said) } else { said }
}

fn task(mut task: Value) -> Value {
    change(&mut task, "status", status);
    change(&mut task, "artifacts", |artifacts| each(artifacts, artifact));
    change(&mut task, "history", |history| each(history, message));
    task
}

fn status(mut status: Value) -> Value {
    change(&mut status, "state", |state| match state.as_str() {
        Some("TASK_STATE_CANCELED") => "TASK_STATE_CANCELLED".into(),
        _ => state,
    });
    change(&mut status, "message", message);
    status
}

fn artifact(mut artifact: Value) -> Value {
    change(&mut artifact, "parts", |parts| each(parts, part));
    artifact
}

fn message(mut message: Value) -> Value {
    change(&mut message, "parts", |parts| each(parts, part));
    renamed(message, "parts", "content")
}

/// Converts a part. Its data are objects: other JSON is the `value` of an object.
fn part(part: Value) -> Value {
    let text = |name: &str| part.get(name).filter(|value| !value.is_null()).cloned();
    let (raw, url) = (text("raw"), text("url"));
    let file = (raw.is_some() || url.is_some()).then(|| {
        let (name, media_type) = (text("filename"), text("mediaType"));
        object([("fileWithBytes", raw), ("fileWithUri", url), ("mimeType", media_type), ("name", name)])
    });
    let data = part.get("data").map(|data| match data {
        Value::Object(_) => data.clone(),
        other => [("value", other.clone())].into(),
    });
    let data = data.map(|data| Value::from([("data", data)]));
    object([("text", text("text")), ("file", file), ("data", data), ("metadata", text("metadata"))])
}

fn renamed(value: Value, from: &str, to: &str) -> Value {
    let Value::Object(members) = value else { return value };
    let named = |Member { key, value }| Member { key: if key == from { to.into() } else { key }, value };
    Value::Object(members.into_iter().map(named).collect::<Vec<_>>())
}
