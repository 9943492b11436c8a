//! The parts of messages in A2A. (2.4.)

use alloc::{borrow::ToOwned, string::String};

use crate::hub::Payload;
use crate::hub::media::of_data_url;
use crate::json::{Member, Value};
use crate::protocols::a2a::request::Part;
use crate::protocols::a2a::request::dialect::object;

/// Returns a part with JSON. It has the media type of JSON for clients that display parts by their media type.
pub(super) fn data_part(data: Value) -> Part {
    Part { media_type: Some("application/json".to_owned()), ..Part::data(data) }
}

/// Returns the part of a tool call with all of its arguments.
pub(super) fn call_part(id: &str, name: &str, arguments: String, more: &[Member]) -> Part {
    let mut data =
        Value::from([("call_id", id.into()), ("name", name.into()), ("arguments", arguments.into())]);
    add(&mut data, more);
    data_part(data)
}

/// Returns the part of a tool result.
pub(super) fn result_part(
    (id, name): (&str, Option<&str>),
    output: &str,
    content: Option<&Value>,
    preview: bool,
    more: &[Member],
) -> Part {
    let mut data = object([
        ("call_id", Some(id.into())),
        ("name", name.map(Value::from)),
        ("output", Some(output.into())),
        ("content", content.cloned()),
        ("preview", preview.then(|| true.into())),
    ]);
    add(&mut data, more);
    data_part(data)
}

fn add(data: &mut Value, more: &[Member]) {
    for Member { key, value } in more {
        if data.get(key).is_none() {
            data.insert(key, value.clone());
        }
    }
}

/// Returns an error in the form that is used in metadata and data.
pub(super) fn error(code: Option<&str>, message: &str) -> Value {
    object([("code", code.map(Value::from)), ("message", Some(message.into()))])
}

/// Returns the part of media, a file or data, or `None` for content without bytes or an address.
pub(super) fn media_part(payload: Payload<'_>) -> Option<Part> {
    let (content, media_type, filename) = match payload {
        Payload::Data(data) => return Some(data_part(data.clone())),
        Payload::Image { url } => (url?, Some("image/*".to_owned()), None),
        Payload::Video { url } => (url?, Some("video/*".to_owned()), None),
        Payload::Audio { data, format } => {
            let r#type = match format {
                Some(format) if format.contains('/') => format.to_owned(),
                Some(format) => ["audio/", format].concat(),
                None => "audio/*".to_owned(),
            };
            (data?, Some(r#type), None)
        }
        Payload::File { url, data, name, .. } => (data.or(url)?, None, name.map(ToOwned::to_owned)),
    };
    let is_raw = matches!(payload, Payload::File { data: Some(_), .. })
        || matches!(payload, Payload::Audio { .. }) && !content.contains(':');
    let part = match of_data_url(content) {
        Some((r#type, bytes)) => {
            let r#type = if r#type.is_empty() { media_type } else { Some(r#type.to_owned()) };
            Part::file(Some(bytes.to_owned()), None, r#type)
        }
        None if is_raw => Part::file(Some(content.to_owned()), None, media_type),
        None => Part::file(None, Some(content.to_owned()), media_type),
    };
    Some(Part { filename, ..part })
}
