//! Errors as JavaScript receives them.

use alloc::string::String;

use js_sys::{Error, Reflect};
use wasm_bindgen::JsValue;

use crate::core::error::{DecodeError, UsageError};

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
