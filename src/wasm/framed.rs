//! Arguments and results of builders, in the forms that cross the border.

use alloc::string::String;

use wasm_bindgen::JsValue;

use crate::core::error::{DecodeError, UsageError};
use crate::core::limits::Limits;
use crate::core::wire::WireEvent;
use crate::json::Value;

/// The result of a method that creates one event or several: their text on the wire.
pub(super) type Framed = Result<String, JsValue>;

pub(super) fn framed(event: Result<WireEvent, UsageError>) -> Framed {
    Ok(event?.into_sse())
}

pub(super) fn all(events: &[WireEvent]) -> String {
    events.iter().map(WireEvent::as_sse).collect()
}

/// Parses free JSON, which crosses as text so that its numbers stay exact.
pub(super) fn free(json: &str) -> Result<Value, JsValue> {
    let depth = Limits::default().json_depth;
    Value::parse(json, depth).map_err(|error| DecodeError::new(error, "").into())
}
