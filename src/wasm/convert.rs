//! Conversion of streams: bytes in, bytes out.

use alloc::string::String;
use alloc::vec::Vec;

use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::builder::options as builder_options;
use super::exchange::grow_ahead;
use super::options::{self, UNDECIDED};
use crate::convert::{ConvertOptions, Converter, Endpoint, Source};
use crate::core::report::Texts;
use crate::protocols::ProtocolKind;

/// The number of the hub's own lines, as a source or target.
const STEPS: usize = UNDECIDED as usize + 1;

fn side(number: usize) -> Option<Endpoint> {
    match ProtocolKind::READABLE.get(number) {
        None if number == STEPS => Some(Endpoint::Steps),
        protocol => protocol.copied().map(Endpoint::Protocol),
    }
}

/// Converts a stream.
#[wasm_bindgen]
#[derive(Debug)]
pub struct RawConverter(Converter);

#[wasm_bindgen]
impl RawConverter {
    /// Starts converting. `from` and `to` are numbers of protocols; [`STEPS`] is the hub, and another unknown number as the
    /// source detects the protocol from the first event. `settings` are the options of a reader, `write` those of a builder, as
    /// JSON.
    #[wasm_bindgen(constructor)]
    pub fn new(
        from: usize,
        to: usize,
        settings: &str,
        write: &str,
        seed: u64,
    ) -> Result<RawConverter, JsValue> {
        let mut options = ConvertOptions::new(builder_options(write)?);
        options.read = options::read(settings, seed)?;
        grow_ahead();
        Ok(RawConverter(Converter::new(
            side(from).map_or(Source::Auto, Source::from),
            side(to).unwrap_or(Endpoint::Steps),
            options,
        )?))
    }

    /// Converts the next bytes.
    pub fn push(&mut self, chunk: &[u8]) -> Vec<u8> {
        let mut out = String::new();
        self.0.push(chunk, &mut out);
        grow_ahead();
        out.into_bytes()
    }

    /// Ends the stream, or processes an abort by its reader. Returns the rest of the output.
    pub fn finish(&mut self, aborted: bool) -> Vec<u8> {
        let mut out = String::new();
        match aborted {
            true => self.0.abort(&mut out),
            false => self.0.finish(&mut out),
        }
        out.into_bytes()
    }

    /// Processes a source that was cut off. Returns the rest of the output.
    #[wasm_bindgen(js_name = cutOff)]
    pub fn cut_off(&mut self) -> Vec<u8> {
        let mut out = String::new();
        self.0.cut_off(&mut out);
        out.into_bytes()
    }

    /// Returns the number of the source protocol; an unused number while it is not known, or for a protocol of JavaScript.
    pub fn source(&self) -> u32 {
        options::number(match self.0.source() {
            Some(Endpoint::Protocol(protocol)) => Some(protocol),
            _ => None,
        })
    }

    /// Returns whether the source has ended.
    #[wasm_bindgen(js_name = hasEnded)]
    pub fn has_ended(&self) -> bool {
        self.0.has_ended()
    }

    /// Returns the losses so far as JSON; empty while the source protocol is not known.
    pub fn losses(&self) -> String {
        self.0.losses().map(|losses| losses.to_json()).unwrap_or_default()
    }

    /// Returns the report of the source so far as JSON; empty while the source protocol is not known.
    pub fn report(&self) -> String {
        self.0.report().map(|report| report.json(Texts::Without)).unwrap_or_default()
    }
}
