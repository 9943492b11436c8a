//! The conversion of objects between 1.0 and 0.3. The rest of the module uses 1.0 only. (2.2, A13.)
//!
//! 0.3 has two forms. In JSON-RPC an object has its `kind`, and words are in lower case. In REST it
//! is protocol buffers as JSON (`@a2a-js/sdk` 0.3.14): objects are discriminated as in 1.0, by the
//! name of the member, but a message has `content`, files and data are nested
//! (`{file: {fileWithUri, mimeType}}`, `{data: {data}}`), and the state of a canceled task is
//! spelled `CANCELLED`.

use alloc::{borrow::ToOwned, string::String, vec, vec::Vec};

use super::reply::Binding;
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

    /// Parses the value of `A2A-Version`. Returns `None` for an unsupported version. An empty value
    /// is 0.3.
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

/// Converts an event of a stream or the result of a method to 0.3: an object whose member names the
/// kind, a task, or a page of tasks.
pub(super) fn to_v03(mut value: Value, to: Binding) -> Value {
    change(&mut value, "task", |value| task(value, to));
    change(&mut value, "tasks", |list| each(list, |value| task(value, to)));
    change(&mut value, "message", |value| message(value, to));
    change(&mut value, "statusUpdate", |mut update| {
        let ends = is_terminal(state(&update));
        change(&mut update, "status", |value| status(value, to));
        update.insert("final", ends.into());
        with_kind(update, "status-update", to)
    });
    change(&mut value, "artifactUpdate", |mut update| {
        change(&mut update, "artifact", |value| with_parts(value, to));
        with_kind(update, "artifact-update", to)
    });
    match (value, to) {
        (Value::Object(mut members), Binding::JsonRpc) if members.len() == 1 => {
            members.swap_remove(0).value
        }
        (value, Binding::Rest) if value.get("status").is_none() => value,
        (value, _) => task(value, to),
    }
}

fn task(mut task: Value, to: Binding) -> Value {
    change(&mut task, "status", |value| status(value, to));
    change(&mut task, "artifacts", |list| each(list, |value| with_parts(value, to)));
    change(&mut task, "history", |list| each(list, |value| message(value, to)));
    with_kind(task, "task", to)
}

fn message(message: Value, to: Binding) -> Value {
    let mut message = with_parts(message, to);
    match to {
        Binding::Rest => renamed(message, "parts", "content"),
        Binding::JsonRpc => {
            change(&mut message, "role", |role| word(role, ROLE, |name| name.to_ascii_lowercase()));
            with_kind(message, "message", to)
        }
    }
}

fn status(mut status: Value, to: Binding) -> Value {
    change(&mut status, "state", |state| {
        word(state, STATE, |name| match (to, name) {
            (Binding::Rest, "CANCELED") => "TASK_STATE_CANCELLED".to_owned(),
            (Binding::Rest, name) => [STATE, name].concat(),
            (Binding::JsonRpc, "UNSPECIFIED") => "unknown".to_owned(),
            (Binding::JsonRpc, name) => name.to_ascii_lowercase().replace('_', "-"),
        })
    });
    change(&mut status, "message", |value| message(value, to));
    status
}

/// Converts the parts of an artifact or a message. In JSON-RPC the list is required. (A13.)
fn with_parts(mut object: Value, to: Binding) -> Value {
    if to == Binding::JsonRpc && object.get("parts").is_none() {
        object.insert("parts", Value::Array(Vec::new()));
    }
    change(&mut object, "parts", |list| {
        each(list, if to == Binding::Rest { proto_part } else { kind_part })
    });
    object
}

/// Converts a part. Its data are objects: other JSON is the `value` of an object, as the official
/// servers write it.
fn kind_part(part: Value) -> Value {
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

fn proto_part(part: Value) -> Value {
    let text = |name: &str| part.get(name).filter(|value| !value.is_null()).cloned();
    let (raw, url) = (text("raw"), text("url"));
    let file = (raw.is_some() || url.is_some()).then(|| {
        let (name, media_type) = (text("filename"), text("mediaType"));
        object([
            ("fileWithBytes", raw),
            ("fileWithUri", url),
            ("mimeType", media_type),
            ("name", name),
        ])
    });
    let data = part.get("data").map(|data| match data {
        Value::Object(_) => data.clone(),
        other => [("value", other.clone())].into(),
    });
    let data = data.map(|data| Value::from([("data", data)]));
    object([("text", text("text")), ("file", file), ("data", data), ("metadata", text("metadata"))])
}

/// The member of the metadata that marks data which were not an object.
const COMPAT: &str = "data_part_compat";

/// Converts the parameters of a method from 0.3 to 1.0.
pub(super) fn params_from_v03(mut params: Value, from: Binding) -> Value {
    change(&mut params, "message", |message| {
        let mut message = match from {
            Binding::Rest => renamed(message, "content", "parts"),
            Binding::JsonRpc => message,
        };
        change(&mut message, "role", |role| match (from, role.as_str()) {
            (Binding::JsonRpc, Some("user")) => "ROLE_USER".into(),
            (Binding::JsonRpc, Some("agent")) => "ROLE_AGENT".into(),
            // A role of 1.0 is unchanged.
            _ => role,
        });
        change(&mut message, "parts", |list| each(list, |part| part_from(part, from)));
        message
    });
    change(&mut params, "configuration", |mut configuration| {
        // In protocol buffers an absent value is false.
        let is_proto = from == Binding::Rest;
        let blocking = configuration.get("blocking").and_then(Value::as_bool);
        if let Some(blocking) = blocking.or(is_proto.then_some(false)) {
            configuration.insert("returnImmediately", (!blocking).into());
        }
        if !is_proto {
            return configuration;
        }
        renamed(configuration, "pushNotification", "taskPushNotificationConfig")
    });
    params
}

fn part_from(part: Value, from: Binding) -> Value {
    let is_proto = from == Binding::Rest;
    let (bytes, uri) = if is_proto { ("fileWithBytes", "fileWithUri") } else { ("bytes", "uri") };
    let file = part.get("file");
    let of_file = |name: &str| file?.get(name).filter(|value| !value.is_null()).cloned();
    let mut metadata = part.get("metadata").cloned();
    let is_wrapped =
        metadata.as_ref().and_then(|metadata| metadata.get(COMPAT)) == Some(&Value::Bool(true));
    let data = part.get("data").map(|data| {
        let nested =
            if is_proto { data.get("data") } else { data.get("value").filter(|_| is_wrapped) };
        nested.unwrap_or(data).clone()
    });
    if let (false, Some(_), Some(Value::Object(members))) = (is_proto, &data, &mut metadata) {
        members.retain(|member| member.key != COMPAT);
    }
    object([
        ("text", part.get("text").cloned()),
        ("raw", of_file(bytes)),
        ("url", of_file(uri)),
        ("data", data),
        ("filename", of_file("name")),
        ("mediaType", of_file("mimeType")),
        (
            "metadata",
            metadata.filter(|metadata| is_proto || *metadata != Value::Object(Vec::new())),
        ),
    ])
}

/// Returns the state of a task, for example `TASK_STATE_WORKING`, or an empty string if it has no
/// state.
pub fn state(task: &Value) -> &str {
    task.get("status").and_then(|status| status.text("state")).unwrap_or("")
}

/// Reports whether a state is terminal.
pub(crate) fn is_terminal(state: &str) -> bool {
    matches!(state.strip_prefix(STATE), Some("COMPLETED" | "FAILED" | "CANCELED" | "REJECTED"))
}

/// Reports whether a task in this state waits for its client: the stream closes, and the task
/// continues with another message. (A1.)
#[cfg(feature = "hub")]
pub(crate) fn is_interrupted(state: &str) -> bool {
    matches!(state.strip_prefix(STATE), Some("INPUT_REQUIRED" | "AUTH_REQUIRED"))
}

/// Returns an object of the members that are present.
pub(crate) fn object<const N: usize>(members: [(&str, Option<Value>); N]) -> Value {
    let there = members
        .into_iter()
        .filter_map(|(key, value)| Some(Member { key: key.to_owned(), value: value? }));
    Value::Object(there.collect())
}

/// Converts a word with `name`, after removal of the prefix that all words of its list have.
fn word(value: Value, prefix: &str, name: impl Fn(&str) -> String) -> Value {
    match value.as_str().and_then(|text| text.strip_prefix(prefix)) {
        Some(rest) => name(rest).into(),
        None => value,
    }
}

fn each(list: Value, of: impl Fn(Value) -> Value) -> Value {
    match list {
        Value::Array(items) => Value::Array(items.into_iter().map(of).collect()),
        other => other,
    }
}

/// Converts the value of a member, if it is present.
fn change(value: &mut Value, key: &str, of: impl FnOnce(Value) -> Value) {
    if let Value::Object(members) = value
        && let Some(member) = members.iter_mut().find(|member| member.key == key)
    {
        member.value = of(core::mem::take(&mut member.value));
    }
}

fn renamed(value: Value, from: &str, to: &str) -> Value {
    let Value::Object(members) = value else { return value };
    let named =
        |Member { key, value }| Member { key: if key == from { to.into() } else { key }, value };
    Value::Object(members.into_iter().map(named).collect())
}

/// Adds the kind of an object, which only JSON-RPC has.
fn with_kind(value: Value, kind: &str, to: Binding) -> Value {
    if to == Binding::Rest {
        return value;
    }
    let mut members = vec![Member { key: "kind".to_owned(), value: kind.into() }];
    if let Value::Object(rest) = value {
        members.extend(rest);
    }
    Value::Object(members)
}
