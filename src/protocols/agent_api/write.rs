//! The model as JSON in the runtime's own order of keys. (Spec 1.2, R5.)

use alloc::string::String;

use super::model::{Content, ErrorInfo, Message, Payload, Response};
use crate::json::{Member, Object, Value, write_list};

/// What becomes of members without a value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Style {
    /// Every declared member is there, null when unset: what the Python runtime writes, byte for byte.
    #[default]
    Wire,
    /// Members without a value are left out.
    Compact,
}

/// How much of an object a piece of JSON carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Body {
    /// Everything; an empty list is a list. What snapshots are written with.
    Listed,
    /// Everything; a message without parts has null, as the runtime writes it in events.
    Whole,
    /// The list inside is null: an event that only announces.
    Announced,
}

impl Response {
    /// The response as JSON.
    pub fn to_json(&self, style: Style) -> String {
        let mut out = String::new();
        self.write(&mut out, style, Body::Listed);
        out
    }

    pub(crate) fn write(&self, out: &mut String, style: Style, body: Body) {
        let mut object =
            open(out, style, self.sequence_number, "response", self.status.as_str(), self.error.as_ref());
        object.string("id", Some(&self.id));
        object.integer("created_at", self.created_at);
        object.integer("completed_at", self.completed_at);
        list(&mut object, "output", body, &self.output, |message, out| {
            message.write(out, style, if body == Body::Listed { body } else { Body::Whole })
        });
        object.value("usage", self.usage.as_ref());
        object.string("session_id", self.session_id.as_deref());
        close(object, &self.extra);
    }
}

impl Message {
    /// The message as JSON.
    pub fn to_json(&self, style: Style) -> String {
        let mut out = String::new();
        self.write(&mut out, style, Body::Listed);
        out
    }

    pub(crate) fn write(&self, out: &mut String, style: Style, body: Body) {
        let mut object =
            open(out, style, self.sequence_number, "message", self.status.as_str(), self.error.as_ref());
        object.string("id", Some(&self.id));
        object.string("type", Some(self.r#type.as_str()));
        object.string("role", self.role.as_ref().map(|role| role.as_str()));
        let body = if self.content.is_empty() && body == Body::Whole { Body::Announced } else { body };
        list(&mut object, "content", body, &self.content, |part, out| part.write(out, style, false));
        object.string("code", self.code.as_deref());
        object.string("message", self.message.as_deref());
        object.value("usage", self.usage.as_ref());
        object.value("metadata", self.metadata.as_ref());
        close(object, &self.extra);
    }
}

impl Content {
    /// The content as JSON.
    pub fn to_json(&self, style: Style) -> String {
        let mut out = String::new();
        self.write(&mut out, style, false);
        out
    }

    pub(crate) fn write(&self, out: &mut String, style: Style, delta: bool) {
        let mut object =
            open(out, style, self.sequence_number, "content", self.status.as_str(), self.error.as_ref());
        object.string("type", Some(self.payload.content_type().as_str()));
        object.integer("index", Some(self.index.into()));
        object.bool("delta", Some(delta));
        object.string("msg_id", Some(&self.msg_id));
        write_payload(&mut object, &self.payload);
        close(object, &self.extra);
    }
}

/// The members of a content that depend on its type.
pub(crate) fn write_payload(object: &mut Object<'_>, payload: &Payload) {
    match payload {
        Payload::Text { text } => object.string("text", text.as_deref()),
        Payload::Image { image_url } => object.string("image_url", image_url.as_deref()),
        Payload::Data { data } => object.value("data", data.as_ref()),
        Payload::Audio { data, format } => {
            object.string("data", data.as_deref());
            object.string("format", format.as_deref());
        }
        Payload::Video { video_url } => object.string("video_url", video_url.as_deref()),
        Payload::File { file_url, file_id, filename, file_data } => {
            object.string("file_url", file_url.as_deref());
            object.string("file_id", file_id.as_deref());
            object.string("filename", filename.as_deref());
            object.string("file_data", file_data.as_deref());
        }
        Payload::Refusal { refusal } => object.string("refusal", refusal.as_deref()),
        Payload::Other { .. } => {}
    }
}

/// The members every object starts with.
fn open<'o>(
    out: &'o mut String,
    style: Style,
    sequence_number: Option<i64>,
    name: &str,
    status: &str,
    error: Option<&ErrorInfo>,
) -> Object<'o> {
    let mut object = Object::open(out, style == Style::Compact);
    object.integer("sequence_number", sequence_number);
    object.string("object", Some(name));
    object.string("status", Some(status));
    write_error(&mut object, error);
    object
}

/// The member `error`.
pub(crate) fn write_error(object: &mut Object<'_>, error: Option<&ErrorInfo>) {
    let error = error
        .map(|e| Value::from([("code", e.code.as_str().into()), ("message", e.message.as_str().into())]));
    object.value("error", error.as_ref());
}

fn list<T>(object: &mut Object<'_>, key: &str, body: Body, items: &[T], write: impl Fn(&T, &mut String)) {
    if body == Body::Announced {
        return object.value(key, None);
    }
    write_list(items, object.member(key), write);
}

fn close(mut object: Object<'_>, extra: &[Member]) {
    for Member { key, value } in extra {
        object.value(key, Some(value));
    }
    object.close();
}
