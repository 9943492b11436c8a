//! Arguments of builders, in the forms that cross the border.

use alloc::string::String;

use wasm_bindgen::JsValue;

use crate::core::id::Counter;
use crate::core::sink::SinkValue;
use crate::json::{Member, Raw, Value};
use crate::protocols::agent_api::builder::{BuilderOptions, PartOrder};
use crate::protocols::agent_api::request::InputMessage;
use crate::protocols::agent_api::{ContentType, ErrorInfo, Message, Payload, Style};
use crate::wasm::error::thrown;
use crate::wasm::framed::free;
use crate::wasm::ids::HostIds;

/// Creates the error, if it has a code.
pub(super) fn error(code: Option<String>, message: Option<String>) -> Option<ErrorInfo> {
    Some(ErrorInfo::new(code?, message.unwrap_or_default()))
}

/// Creates the value of a content: its members in the order of the declaration, data as JSON. Only a file may lack the
/// first.
pub(super) fn payload(r#type: &str, members: [Option<String>; 4]) -> Result<Payload, JsValue> {
    let kind = ContentType::from(r#type);
    if members[0].is_none() && kind != ContentType::File {
        return Err(missing("value"));
    }
    let mut payload = Payload::empty(&kind);
    for (key, value) in kind.members().iter().zip(&members) {
        let (Some(member), Some(value)) = (payload.member(*key), value) else { continue };
        match kind {
            ContentType::Data => member.set(SinkValue::Json(Raw(&free(value)?.to_json()))),
            _ => member.set(SinkValue::Str(value)),
        }
    }
    Ok(payload)
}

/// Returns the error of a missing argument.
pub(super) fn missing(what: &str) -> JsValue {
    thrown("missing-argument", &["the ", what, " is missing"].concat())
}

/// Parses a message, which crosses as text.
pub(super) fn message(json: &str) -> Result<Message, JsValue> {
    let read = InputMessage::parse(json).map_err(|error| thrown("bad-message", &error.text()));
    Ok(read?.into())
}

/// Reads `sessionId`, `responseId`, `style`, `numbering`, `partOrder`, `nullOutput`, `completedOnly`, `echo` and `ids`, all
/// optional.
pub(in crate::wasm) fn options(json: &str) -> Result<BuilderOptions, JsValue> {
    let given = free(json)?;
    let mut options = match given.get("ids").map_or(Some("random"), Value::as_str) {
        Some("random") => BuilderOptions::new(HostIds, now),
        Some("numbered") => BuilderOptions::new(Counter::default(), now),
        _ => return Err(wrong("ids", "random or numbered")),
    };
    for Member { key, value } in members(&given) {
        options = match (key.as_str(), value.as_str(), value) {
            ("sessionId", Some(id), _) => options.session_id(id),
            ("sessionId", ..) => return Err(wrong(key, "a string")),
            ("responseId", Some(id), _) => options.response_id(id),
            ("responseId", ..) => return Err(wrong(key, "a string")),
            ("style", Some("wire"), _) => options.style(Style::Wire),
            ("style", Some("compact"), _) => options.style(Style::Compact),
            ("style", ..) => return Err(wrong(key, "wire or compact")),
            ("partOrder", Some("index"), _) => options.part_order(PartOrder::Index),
            ("partOrder", Some("completion"), _) => options.part_order(PartOrder::Completion),
            ("partOrder", ..) => return Err(wrong(key, "index or completion")),
            ("numbering", _, Value::Bool(numbering)) => options.numbering(*numbering),
            ("numbering", ..) => return Err(wrong(key, "true or false")),
            ("nullOutput", _, Value::Bool(null_output)) => options.null_output(*null_output),
            ("nullOutput", ..) => return Err(wrong(key, "true or false")),
            ("completedOnly", _, Value::Bool(completed_only)) => options.completed_only(*completed_only),
            ("completedOnly", ..) => return Err(wrong(key, "true or false")),
            ("echo", _, echo @ Value::Object(_)) => options.echo(echo.clone()),
            ("echo", ..) => return Err(wrong(key, "an object")),
            _ => options,
        };
    }
    Ok(options)
}

fn members(value: &Value) -> &[Member] {
    match value {
        Value::Object(members) => members,
        _ => &[],
    }
}

fn wrong(name: &str, expected: &str) -> JsValue {
    thrown("wrong-option", &["option `", name, "` is ", expected].concat())
}

/// Returns the time in seconds since 1970.
pub(in crate::wasm) fn now() -> i64 {
    (js_sys::Date::now() / 1000.0) as i64
}
