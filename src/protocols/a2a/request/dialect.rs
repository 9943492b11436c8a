//! The conversion of objects between 1.0 and 0.3. The rest of the module uses 1.0 only. (2.2, A13.)

use alloc::{borrow::ToOwned, string::String, vec, vec::Vec};

use crate::json::{Member, Value};
use crate::protocols::a2a::Dialect;

impl Dialect {
    /// Returns the version in the form of `A2A-Version` and of agent cards.
    pub const fn as_str(self) -> &'static str {
        match self {
            Dialect::V0_3 => "0.3",
            Dialect::V1 => "1.0",
        }
    }

    /// Parses the value of `A2A-Version`. Returns `None` for an unsupported version. An empty value is 0.3.
    pub fn of_version(version: &str) -> Option<Self> {
        let mut numbers = version.trim().split('.');
        match (numbers.next(), numbers.next()) {
            (Some(""), None) | (Some("0"), Some("3")) => Some(Dialect::V0_3),
            (Some("1"), _) => Some(Dialect::V1),
            _ => None,
        }
    }
}

const STATE: &str = "TASK_STATE_";
const ROLE: &str = "ROLE_";

/// Converts the payload of an event to 0.3: a task, a message or an update with its `kind`.
pub(crate) fn event_to_v03(mut event: Value) -> Value {
    let Value::Object(members) = &mut event else { return event };
    let Some(Member { key, mut value }) = members.pop() else { return event };
    let kind = match key.as_str() {
        "task" => return task_to_v03(value),
        "message" => return message_to_v03(value),
        "statusUpdate" => {
            value = update_to_v03(value, status_to_v03);
            "status-update"
        }
        _ => {
            change(&mut value, "artifact", parts_to_v03);
            "artifact-update"
        }
    };
    with_kind(value, kind)
}

/// Converts a status update, which in 0.3 has `final`.
pub(super) fn update_to_v03(mut update: Value, status: fn(Value) -> Value) -> Value {
    let ends = is_terminal(state(&update));
    change(&mut update, "status", status);
    update.insert("final", ends.into());
    update
}

/// Returns the state of a task, for example `TASK_STATE_WORKING`, or an empty string if it has no state.
pub fn state(task: &Value) -> &str {
    task.get("status").and_then(|status| status.get("state")).and_then(Value::as_str).unwrap_or("")
}

/// Reports whether a state is terminal.
pub(crate) fn is_terminal(state: &str) -> bool {
    matches!(state.strip_prefix(STATE), Some("COMPLETED" | "FAILED" | "CANCELED" | "REJECTED"))
}

/// Reports whether a task in this state waits for its client: the stream closes, and the task continues with another
/// message. (A1.)
pub(crate) fn is_interrupted(state: &str) -> bool {
    matches!(state.strip_prefix(STATE), Some("INPUT_REQUIRED" | "AUTH_REQUIRED"))
}

/// Converts a task to 0.3.
pub(crate) fn task_to_v03(mut task: Value) -> Value {
    change(&mut task, "status", status_to_v03);
    change(&mut task, "artifacts", |list| each(list, parts_to_v03));
    change(&mut task, "history", |list| each(list, message_to_v03));
    with_kind(task, "task")
}

fn message_to_v03(mut message: Value) -> Value {
    change(&mut message, "role", |role| word(role, ROLE, |name| name.to_ascii_lowercase()));
    with_kind(parts_to_v03(message), "message")
}

fn status_to_v03(mut status: Value) -> Value {
    change(&mut status, "state", |state| {
        word(state, STATE, |name| match name {
            "UNSPECIFIED" => "unknown".to_owned(),
            name => name.to_ascii_lowercase().replace('_', "-"),
        })
    });
    change(&mut status, "message", message_to_v03);
    status
}

/// Converts the parts of an artifact or a message to 0.3, where the list is required. (A13.)
fn parts_to_v03(mut object: Value) -> Value {
    if object.get("parts").is_none() {
        object.insert("parts", Value::Array(Vec::new()));
    }
    change(&mut object, "parts", |list| each(list, part_to_v03));
    object
}

/// Converts a part to 0.3. Its data are objects: other JSON is the `value` of an object, as the official servers write
/// it.
fn part_to_v03(part: Value) -> Value {
    let text = |name: &str| part.get(name).and_then(Value::as_str).map(Value::from);
    let mut metadata = part.get("metadata").cloned();
    let (kind, content) = match (part.get("text"), text("raw"), text("url"), part.get("data")) {
        (Some(text), ..) => ("text", text.clone()),
        (_, None, None, Some(data @ Value::Object(_))) => ("data", data.clone()),
        (_, None, None, data) => {
            metadata.get_or_insert_default().insert(COMPAT, true.into());
            ("data", [("value", data.cloned().unwrap_or_default())].into())
        }
        (_, raw, url, _) => {
            let file = [
                ("name", text("filename")),
                ("mimeType", text("mediaType")),
                (if raw.is_some() { "bytes" } else { "uri" }, raw.or(url)),
            ];
            ("file", object(file))
        }
    };
    object([("kind", Some(kind.into())), (kind, Some(content)), ("metadata", metadata)])
}

/// The member of the metadata that marks data which were not an object.
const COMPAT: &str = "data_part_compat";

/// Converts the parameters of a method from 0.3 to 1.0.
pub(super) fn params_from_v03(mut params: Value) -> Value {
    change(&mut params, "message", message_from_v03);
    change(&mut params, "configuration", |mut configuration| {
        let Some(blocking) = configuration.get("blocking").and_then(Value::as_bool) else {
            return configuration;
        };
        configuration.insert("returnImmediately", (!blocking).into());
        configuration
    });
    params
}

/// Converts a message from 0.3 to 1.0. A role of 1.0 is unchanged.
fn message_from_v03(mut message: Value) -> Value {
    change(&mut message, "role", |role| match role.as_str() {
        Some("user") => "ROLE_USER".into(),
        Some("agent") => "ROLE_AGENT".into(),
        _ => role,
    });
    change(&mut message, "parts", |list| each(list, part_from_v03));
    message
}

fn part_from_v03(part: Value) -> Value {
    let mut metadata = part.get("metadata").cloned();
    let file = part.get("file");
    let of_file = |name: &str| file?.get(name).filter(|value| !value.is_null()).cloned();
    let data = part.get("data").map(|data| {
        let wrapped = metadata.as_ref().and_then(|metadata| metadata.get(COMPAT)) == Some(&Value::Bool(true));
        data.get("value").filter(|_| wrapped).unwrap_or(data).clone()
    });
    if data.is_some()
        && let Some(Value::Object(members)) = &mut metadata
    {
        members.retain(|member| member.key != COMPAT);
    }
    let members = [
        ("text", part.get("text").cloned()),
        ("raw", of_file("bytes")),
        ("url", of_file("uri")),
        ("data", data),
        ("filename", of_file("name")),
        ("mediaType", of_file("mimeType")),
        ("metadata", metadata.filter(|metadata| *metadata != Value::Object(Vec::new()))),
    ];
    object(members)
}

/// Returns an object of the members that are present.
pub(crate) fn object<const N: usize>(members: [(&str, Option<Value>); N]) -> Value {
    let there =
        members.into_iter().filter_map(|(key, value)| Some(Member { key: key.to_owned(), value: value? }));
    Value::Object(there.collect())
}

/// Converts a word with `name`, after removal of the prefix that all words of its list have.
fn word(value: Value, prefix: &str, name: impl Fn(&str) -> String) -> Value {
    match value.as_str().and_then(|text| text.strip_prefix(prefix)) {
        Some(rest) => name(rest).into(),
        None => value,
    }
}

pub(super) fn each(list: Value, of: fn(Value) -> Value) -> Value {
    match list {
        Value::Array(items) => Value::Array(items.into_iter().map(of).collect()),
        other => other,
    }
}

/// Converts the value of a member, if it is present.
pub(super) fn change(value: &mut Value, key: &str, of: impl FnOnce(Value) -> Value) {
    if let Value::Object(members) = value
        && let Some(member) = members.iter_mut().find(|member| member.key == key)
    {
        member.value = of(core::mem::take(&mut member.value));
    }
}

fn with_kind(value: Value, kind: &str) -> Value {
    let mut members = vec![Member { key: "kind".to_owned(), value: kind.into() }];
    if let Value::Object(rest) = value {
        members.extend(rest);
    }
    Value::Object(members)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_parts_is_never_left_out() {
        let task = r#"{"id":"t","status":{"state":"TASK_STATE_CANCELED"},"artifacts":[{"artifactId":"a"}],"history":[{"messageId":"m"}]}"#;
        let told = task_to_v03(Value::parse(task, 8).unwrap());
        for list in ["artifacts", "history"] {
            let Some(Value::Array(objects)) = told.get(list) else { panic!("{list}") };
            assert_eq!(objects[0].get("parts"), Some(&Value::Array(Vec::new())), "{list}");
        }
    }
}
