//! The events of Responses as messages: the JSON that server-sent events have as data.

use std::string::String;

use super::super::{HttpRefusal, refused_by_openai};
use crate::core::Limits;
use crate::core::violation::excerpt;
use crate::hub::conversation::members::take;
use crate::json::Value;

/// The `stream_id` of a request, which all events of its response have.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Lane(pub Option<String>);

impl Lane {
    /// Returns the data of an event with the `stream_id`.
    pub fn event(&self, mut data: String) -> String {
        if let (Some(lane), Some(end)) = (&self.0, data.rfind('}')) {
            data.truncate(end);
            data.push_str(",\"stream_id\":");
            data.push_str(&Value::from(lane.as_str()).to_json());
            data.push('}');
        }
        data
    }

    /// Returns the `error` event for a request that is refused.
    pub fn refused(&self, refusal: &HttpRefusal) -> String {
        self.error(refusal.status, &refused_by_openai(refusal).body)
    }

    /// Returns the `error` event for a response that is no stream, with the status of the response.
    pub fn error(&self, status: u16, body: &str) -> String {
        let error = error_in(body).unwrap_or_else(|| {
            let refusal = HttpRefusal::new(status, "", excerpt(body));
            error_in(&refused_by_openai(&refusal).body).unwrap_or_default()
        });
        let event = Value::from([
            ("type", "error".into()),
            ("status", Value::from(i64::from(status))),
            ("error", error),
        ]);
        self.event(event.to_json())
    }
}

/// Returns the error object in a body.
fn error_in(body: &str) -> Option<Value> {
    let mut body = Value::parse(body, Limits::default().json_depth).ok()?;
    take(&mut body, "error").filter(|error| matches!(error, Value::Object(_)))
}

/// What an event is for the socket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// The response continues after it.
    Progress,
    /// The response ends with it.
    End,
    /// An error, which is the last event of some servers.
    Error,
}

impl EventKind {
    /// Returns the kind of an event by its name; without a name, by the type in front of the data.
    pub fn of(name: &str, data: &str) -> Self {
        let named = match name {
            "" | "message" => data.trim_start().strip_prefix('{').and_then(type_in_front),
            name => Some(name),
        };
        match named.unwrap_or_default() {
            "response.completed"
            | "response.failed"
            | "response.incomplete"
            | "response.cancelled" => EventKind::End,
            "error" => EventKind::Error,
            _ => EventKind::Progress,
        }
    }
}

/// Returns the type, if it is the first member of an object.
fn type_in_front(members: &str) -> Option<&str> {
    let value = members.trim_start().strip_prefix("\"type\"")?.trim_start().strip_prefix(':')?;
    value.trim_start().strip_prefix('"')?.split('"').next()
}
