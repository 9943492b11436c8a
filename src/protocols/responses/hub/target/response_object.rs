//! The Response object: its members and its JSON, which the first and the last events contain.

use alloc::{borrow::ToOwned, string::String, vec::Vec};

use super::item::WrittenItem;
use super::readable::is_readable;
use super::{UNREADABLE, WireOutput};
use crate::hub::complete_usage;
use crate::json::{Member, ObjectWriter, Raw, Value, write_list};

/// The Response object without its output.
#[derive(Debug, Default)]
pub(super) struct ResponseObject {
    id: String,
    model: String,
    /// In seconds since 1970.
    created_at: i64,
    /// In seconds since 1970; `None` until it has been completed.
    completed_at: Option<i64>,
    /// Further members.
    members: Vec<Member>,
    usage: Option<Value>,
}

/// The end of a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End<'a> {
    Completed,
    /// The code and the message of the error.
    Failed(&'a str, &'a str),
    /// The reason, if it is known.
    Incomplete(Option<&'a str>),
    /// The protocol has no event for this: it is the status of an incomplete response. (O20.)
    Cancelled,
}

impl End<'_> {
    /// Returns the name of the event, and the status.
    pub fn names(self) -> (&'static str, &'static str) {
        match self {
            End::Completed => ("response.completed", "completed"),
            End::Failed(..) => ("response.failed", "failed"),
            End::Incomplete(_) => ("response.incomplete", "incomplete"),
            End::Cancelled => ("response.incomplete", "cancelled"),
        }
    }
}

/// The members that are written from other data of the response.
const OWN: &[&str] = &[
    "id",
    "object",
    "created_at",
    "completed_at",
    "status",
    "error",
    "incomplete_details",
    "model",
    "output",
    "usage",
];

/// The members that a response always has, with their default values: those that typed clients
/// and the specification of Open Responses require.
const USUAL: &[(&str, &str)] = &[
    ("previous_response_id", "null"),
    ("instructions", "null"),
    ("metadata", "{}"),
    ("parallel_tool_calls", "true"),
    ("temperature", "1"),
    ("tool_choice", "\"auto\""),
    ("tools", "[]"),
    ("top_p", "1"),
    ("presence_penalty", "0"),
    ("frequency_penalty", "0"),
    ("top_logprobs", "0"),
    ("max_output_tokens", "null"),
    ("max_tool_calls", "null"),
    ("reasoning", "null"),
    ("text", "{\"format\":{\"type\":\"text\"}}"),
    ("truncation", "\"disabled\""),
    ("background", "false"),
    ("store", "false"),
    ("service_tier", "\"default\""),
    ("safety_identifier", "null"),
    ("prompt_cache_key", "null"),
];

/// Adds the members that an object in a response always has, but may lack in a request.
fn complete(key: &str, value: &mut Value) {
    let add = |object: &mut Value, missing: &[(&str, &str)]| {
        for (key, json) in missing {
            if matches!(object, Value::Object(_)) && object.get(key).is_none() {
                object.insert(key, Value::from_raw(Raw(json)));
            }
        }
    };
    match (key, value) {
        ("reasoning", reasoning) => add(reasoning, &[("effort", "null"), ("summary", "null")]),
        ("text", text) => add(text, &[("format", "{\"type\":\"text\"}")]),
        ("tools", Value::Array(tools)) => {
            let is_function = |tool: &&mut Value| tool.text("type") == Some("function");
            for tool in tools.iter_mut().filter(is_function) {
                add(tool, &[("description", "null"), ("parameters", "null"), ("strict", "null")]);
            }
        }
        _ => {}
    }
}

impl ResponseObject {
    pub fn new(id: String, model: &str, created_at: i64) -> Self {
        ResponseObject { id, model: model.to_owned(), created_at, ..Self::default() }
    }

    /// Sets a further member (`conversation`, `metadata`, `tools`), which is in every later event
    /// with the whole response. `place` is the location of the loss if readers could not read it.
    pub fn set(&mut self, key: &str, mut value: Value, place: &str, out: &mut WireOutput<'_>) {
        if OWN.contains(&key) || !is_readable(&value) {
            return out.lose("refused", place, UNREADABLE);
        }
        if value.is_null() && USUAL.iter().any(|(usual, _)| *usual == key) {
            return self.members.retain(|member| member.key != key);
        }
        complete(key, &mut value);
        match self.members.iter_mut().find(|member| member.key == key) {
            Some(member) => member.value = value,
            None => self.members.push(Member { key: key.to_owned(), value }),
        }
    }

    /// Sets the time of its completion.
    pub fn complete_at(&mut self, seconds: i64) {
        self.completed_at = Some(seconds);
    }

    /// Sets the token usage, which is in the last event.
    pub fn set_usage(&mut self, usage: &Value, out: &mut WireOutput<'_>) {
        let usage = complete_usage(usage);
        if is_readable(&usage) {
            self.usage = Some(usage);
        } else {
            out.lose("refused", "", UNREADABLE);
        }
    }

    /// Writes the object with that status: the members that the types of the official clients have,
    /// and those that were set.
    pub fn write(&self, status: &str, end: Option<(End<'_>, &[WrittenItem])>, out: &mut String) {
        let mut object = ObjectWriter::open(out, false);
        object.string("id", Some(&self.id));
        object.string("object", Some("response"));
        object.integer("created_at", Some(self.created_at));
        object.integer("completed_at", self.completed_at);
        object.string("status", Some(status));
        match end {
            Some((End::Failed(code, message), _)) => {
                let mut error = ObjectWriter::open(object.member("error"), false);
                error.string("code", Some(code));
                error.string("message", Some(message));
                error.close();
            }
            _ => object.value("error", None),
        }
        match end {
            Some((End::Incomplete(Some(reason)), _)) => {
                let mut details = ObjectWriter::open(object.member("incomplete_details"), false);
                details.string("reason", Some(reason));
                details.close();
            }
            _ => object.value("incomplete_details", None),
        }
        object.string("model", Some(&self.model));
        // Only the last response contains items (O2): before that, events transfer them.
        let items = end.map_or(&[][..], |(_, items)| items);
        let kept = items.iter().filter(|item| !item.is_dropped);
        write_list(kept, object.member("output"), |item, out| item.write_done(out));
        object.value("usage", self.usage.as_ref().filter(|_| end.is_some()));
        for (key, json) in USUAL {
            if !self.members.iter().any(|member| member.key == *key) {
                object.raw(key, Some(Raw(json)));
            }
        }
        for member in &self.members {
            object.value(&member.key, Some(&member.value));
        }
        object.close();
    }
}
