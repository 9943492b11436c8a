//! Conversion of streams: bytes in, bytes out.

use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;
use core::cell::RefCell;

use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::builder::options as builder_options;
use super::exchange::grow_ahead;
use super::forward::{RawForwarding, RunOutput};
use super::options::{self, UNDECIDED};
use crate::convert::{ConversionSide, ConvertOptions, Converter, Source};
use crate::core::report::RuleTexts;
use crate::emit::relay::{RelayWork, UsedNames};
use crate::hub::LossClass;
use crate::hub::source::Write;
use crate::protocols::ProtocolKind;

/// The number of messages that a source can have; those that are passed on have the numbers after
/// it.
const SOURCE_MESSAGES: u32 = 1 << 31;

/// The number of the hub's own lines, as a source or target.
const STEPS: usize = UNDECIDED as usize + 1;

fn side(number: usize) -> Option<ConversionSide> {
    match ProtocolKind::READABLE.get(number) {
        None if number == STEPS => Some(ConversionSide::Steps),
        protocol => protocol.copied().map(ConversionSide::Protocol),
    }
}

/// Returns the class of the losses of a kind, unless they are of another one.
#[wasm_bindgen(js_name = lossClass)]
pub fn loss_class(kind: &str) -> String {
    LossClass::usual(kind).as_str().into()
}

/// Returns the source with a number.
pub(super) fn source(number: usize) -> Source {
    side(number).map_or(Source::Auto, Source::from)
}

/// A conversion, and the steps of other answers that are passed on to its target.
#[derive(Debug)]
pub(super) struct ConverterOutput {
    converter: Converter,
    taken: UsedNames,
    /// The number of changes so far.
    states: u64,
    /// The output of the steps that were passed on.
    pub relayed: String,
}

impl ConverterOutput {
    /// [`RelayOutput::relay`](crate::emit::relay::RelayOutput::relay)
    pub fn relay(&mut self, bytes: u64, work: &mut RelayWork<'_>) -> Option<u64> {
        let ConverterOutput { converter, taken, states, relayed } = self;
        *states += 1;
        let is_piece = converter.relay(bytes, relayed, &mut |hub| work(hub, taken));
        is_piece.then_some(*states)
    }

    /// [`RelayOutput::pieces`](crate::emit::relay::RelayOutput::pieces)
    pub fn pieces(&mut self, state: u64, work: &mut dyn FnMut(&mut Write<'_>)) -> bool {
        let ConverterOutput { converter, states, relayed, .. } = self;
        *states == state && converter.relay_pieces(relayed, work)
    }
}

/// Converts a stream.
#[wasm_bindgen]
#[derive(Debug)]
pub struct RawConverter(Rc<RefCell<ConverterOutput>>);

#[wasm_bindgen]
impl RawConverter {
    /// Starts converting. `from` and `to` are numbers of protocols; [`STEPS`] is the hub, and
    /// another unknown number as the source detects the protocol from the first event. `settings`
    /// are the options of a reader, `write` those of a builder, as JSON.
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
        let converter =
            Converter::new(source(from), side(to).unwrap_or(ConversionSide::Steps), options)?;
        let taken = UsedNames::after(SOURCE_MESSAGES);
        let output = ConverterOutput { converter, taken, states: 0, relayed: String::new() };
        Ok(RawConverter(Rc::new(RefCell::new(output))))
    }

    /// Starts passing an answer on to the target of this conversion.
    pub fn forward(
        &self,
        from: usize,
        settings: &str,
        origin: &str,
        seed: u64,
    ) -> Result<RawForwarding, JsValue> {
        RawForwarding::new(RunOutput::Converter(Rc::clone(&self.0)), from, settings, origin, seed)
    }

    /// Converts the next bytes.
    pub fn push(&mut self, chunk: &[u8]) -> Vec<u8> {
        let mut out = String::new();
        let mut output = self.0.borrow_mut();
        output.states += 1;
        output.converter.push(chunk, &mut out);
        grow_ahead();
        out.into_bytes()
    }

    /// Ends the stream, or processes an abort by its reader. Returns the rest of the output.
    pub fn finish(&mut self, aborted: bool) -> Vec<u8> {
        let mut out = String::new();
        let converter = &mut self.0.borrow_mut().converter;
        match aborted {
            true => converter.abort(&mut out),
            false => converter.finish(&mut out),
        }
        out.into_bytes()
    }

    /// Processes a source that was cut off. Returns the rest of the output.
    #[wasm_bindgen(js_name = cutOff)]
    pub fn cut_off(&mut self) -> Vec<u8> {
        let mut out = String::new();
        self.0.borrow_mut().converter.cut_off(&mut out);
        out.into_bytes()
    }

    /// Returns the number of the source protocol; an unused number while it is not known, or for a
    /// protocol of JavaScript.
    pub fn source(&self) -> u32 {
        options::number(match self.0.borrow().converter.source() {
            Some(ConversionSide::Protocol(protocol)) => Some(protocol),
            _ => None,
        })
    }

    /// Returns whether the source has ended.
    #[wasm_bindgen(js_name = hasEnded)]
    pub fn has_ended(&self) -> bool {
        self.0.borrow().converter.has_ended()
    }

    /// Returns the losses so far as JSON; empty while the source protocol is not known.
    pub fn losses(&self) -> String {
        self.0.borrow().converter.losses().map(|losses| losses.to_json()).unwrap_or_default()
    }

    /// Returns the report of the source so far as JSON; empty while the source protocol is not
    /// known.
    pub fn report(&self) -> String {
        self.0
            .borrow()
            .converter
            .report()
            .map(|report| report.json(RuleTexts::Without))
            .unwrap_or_default()
    }
}
