//! Framing of bytes into events, for protocols that are written in JavaScript.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use wasm_bindgen::prelude::wasm_bindgen;

use crate::core::error::{DecodeError, UsageError};
use crate::core::limits::Limits;
use crate::core::wire::WireEvent;
use crate::hub::Lines;
use crate::json::Value;
use crate::sse::{Decoder, Item, TrailingEvent};
use js_sys::{Error, Reflect};
use wasm_bindgen::JsValue;

/// A stream being cut: into server-sent events, or into lines.
#[wasm_bindgen]
#[derive(Debug)]
pub struct RawFramer(Cut);

#[derive(Debug)]
enum Cut {
    Events(Decoder),
    Lines(Lines),
}

#[wasm_bindgen]
impl RawFramer {
    #[wasm_bindgen(constructor)]
    pub fn new(events: bool) -> RawFramer {
        let limits = Limits::default();
        RawFramer(if events { Cut::Events(Decoder::new(limits)) } else { Cut::Lines(Lines::new(&limits)) })
    }

    /// The events that the next bytes complete.
    pub fn push(&mut self, bytes: &[u8]) -> Vec<String> {
        let mut found = Vec::new();
        match &mut self.0 {
            Cut::Events(decoder) => decoder.push(bytes, &mut |item: Item<'_>| keep(item, &mut found)),
            Cut::Lines(lines) => lines.push(bytes, &mut |line| found.push(line.to_owned())),
        }
        found
    }

    /// The event that the end completes, if there is one.
    pub fn finish(&mut self) -> Vec<String> {
        let mut found = Vec::new();
        match &mut self.0 {
            Cut::Events(decoder) => {
                decoder.finish(TrailingEvent::Lenient, &mut |item: Item<'_>| keep(item, &mut found));
            }
            Cut::Lines(lines) => lines.finish(&mut |line| found.push(line.to_owned())),
        }
        found
    }
}

fn keep(item: Item<'_>, found: &mut Vec<String>) {
    if let Item::Event(event) = item {
        found.push(event.data.to_owned());
    }
}

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
