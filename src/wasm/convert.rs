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

/// A stream being converted.
#[wasm_bindgen]
#[derive(Debug)]
pub struct RawConverter(Converter);

#[wasm_bindgen]
impl RawConverter {
    /// Starts converting. Protocols are numbers; [`STEPS`] is the hub itself, any other one as the source is what the first
    /// event tells. `settings` are those of a reader, `write` those of a builder, as JSON.
    #[wasm_bindgen(constructor)]
    pub fn new(
        from: usize,
        to: usize,
        settings: &str,
        write: &str,
        seed: u64,
    ) -> Result<RawConverter, JsValue> {
        let mut options = ConvertOptions::new(builder_options(write)?);
        options.read = options::read(settings, seed);
        grow_ahead();
        Ok(RawConverter(Converter::new(
            side(from).map_or(Source::Auto, Source::from),
            side(to).unwrap_or(Endpoint::Steps),
            options,
        )?))
    }

    /// Takes the next bytes; gives what they become.
    pub fn push(&mut self, chunk: &[u8]) -> Vec<u8> {
        let mut out = String::new();
        self.0.push(chunk, &mut out);
        grow_ahead();
        out.into_bytes()
    }

    /// The stream is over, or its reader has stopped it; gives the end.
    pub fn finish(&mut self, aborted: bool) -> Vec<u8> {
        let mut out = String::new();
        match aborted {
            true => self.0.abort(&mut out),
            false => self.0.finish(&mut out),
        }
        out.into_bytes()
    }

    /// The source broke off; gives the end.
    #[wasm_bindgen(js_name = cutOff)]
    pub fn cut_off(&mut self) -> Vec<u8> {
        let mut out = String::new();
        self.0.cut_off(&mut out);
        out.into_bytes()
    }

    /// The number of the protocol that is read; one that no protocol has while it is not known, or is none of ours.
    pub fn source(&self) -> u32 {
        options::number(match self.0.source() {
            Some(Endpoint::Protocol(protocol)) => Some(protocol),
            _ => None,
        })
    }

    /// Whether the source has ended.
    #[wasm_bindgen(js_name = hasEnded)]
    pub fn has_ended(&self) -> bool {
        self.0.has_ended()
    }

    /// What could not be carried so far, as JSON; empty while it is not known what is read.
    pub fn losses(&self) -> String {
        self.0.losses().map(|losses| losses.to_json()).unwrap_or_default()
    }

    /// The report on the source so far, as JSON; empty while it is not known what it is.
    pub fn report(&self) -> String {
        self.0.report().map(|report| report.json(Texts::Without)).unwrap_or_default()
    }
}
