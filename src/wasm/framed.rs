//! Arguments, results and errors of builders, in the forms that cross the border.

use alloc::string::String;

use js_sys::{Error, Reflect};
use uuid::Builder;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::core::error::{DecodeError, UsageError};
use crate::core::id::IdSource;
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

/// Creates an `Error` with a stable `code`.
pub(super) fn thrown(code: &str, message: &str) -> JsValue {
    let error = Error::new(message);
    error.set_name("AgentwireError");
    // Setting a property of a fresh object cannot fail.
    let _ = Reflect::set(&error, &"code".into(), &code.into());
    error.into()
}

impl From<UsageError> for JsValue {
    fn from(misuse: UsageError) -> Self {
        thrown(misuse.code, &misuse.text())
    }
}

impl From<DecodeError> for JsValue {
    fn from(error: DecodeError) -> Self {
        let mut text = String::new();
        error.write(&mut text);
        let thrown = thrown(error.code, &text);
        let _ = Reflect::set(&thrown, &"path".into(), &error.path.as_str().into());
        let _ = Reflect::set(&thrown, &"offset".into(), &(error.offset as f64).into());
        thrown
    }
}

// Random ids from the JavaScript host.

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = crypto, js_name = getRandomValues)]
    fn get_random_values(bytes: &mut [u8]);
}

/// A source of version 4 UUIDs, the ids of the real servers.
pub(super) struct HostIds;

impl IdSource for HostIds {
    fn next_id(&mut self, prefix: &str) -> String {
        let mut bytes = [0; 16];
        get_random_values(&mut bytes);
        let id = Builder::from_random_bytes(bytes).into_uuid().hyphenated();
        [prefix, id.encode_lower(&mut [0; 36])].concat()
    }
}
