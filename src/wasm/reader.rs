//! Reading streams.

use wasm_bindgen::prelude::wasm_bindgen;

use super::exchange::Exchange;
use super::options;
use crate::core::error::UsageError;
use crate::json::put;
use crate::protocols::ProtocolKind;
use crate::read::any::AnyStream;

/// Reads a stream. JavaScript applies the patch of each push; the answer is not stored here.
#[wasm_bindgen]
#[derive(Debug)]
pub struct RawReader {
    /// The stream; `None` when it has ended: JavaScript keeps the object for another stream.
    stream: Option<AnyStream>,
}

#[wasm_bindgen]
impl RawReader {
    /// Starts reading. `protocol` is the number of a protocol; an unknown number detects the
    /// protocol from the first event. `seed` is a secret random number. Writes a first patch, or
    /// the reason why the options are not taken.
    #[wasm_bindgen(constructor)]
    pub fn new(protocol: usize, settings: &str, seed: u64, exchange: &mut Exchange) -> RawReader {
        let mut reader = RawReader { stream: None };
        reader.restart(protocol, settings, seed, exchange);
        reader
    }

    /// Starts reading another stream, as `new` does.
    pub fn restart(&mut self, protocol: usize, settings: &str, seed: u64, exchange: &mut Exchange) {
        let choices =
            options::read(settings, seed).and_then(|choices| choices.check().map(|()| choices));
        let choices = match choices {
            Ok(choices) => choices,
            Err(error) => return refuse(&error, exchange),
        };
        let protocol = ProtocolKind::READABLE.get(protocol).copied();
        let stream = exchange.begin(|patch| AnyStream::new(protocol, choices, patch));
        publish(self.stream.insert(stream), exchange);
    }

    /// Reads the bytes of the input between two positions. It stops early if the patch becomes
    /// large: the header contains the number of bytes that were read.
    pub fn push(&mut self, exchange: &mut Exchange, from: usize, to: usize) {
        let Some(stream) = &mut self.stream else { return };
        exchange.run(from, to, |input, patch| stream.push_some(input, patch));
        publish(stream, exchange);
    }

    /// Ends the stream. Writes the report after the last patch. No other method may be called after
    /// this one.
    pub fn finish(&mut self, exchange: &mut Exchange, aborted: bool) {
        let Some(mut stream) = self.stream.take() else { return };
        exchange.run(0, 0, |_, patch| {
            stream.end(aborted, patch);
            0
        });
        exchange.add_findings(stream.report(), 0, u64::MAX);
        publish(&stream, exchange);
        exchange.summarise(stream.report());
    }

    /// Writes the numbers of the report so far to the header, and by `what`: 0, the other parts of
    /// the report, instead of a patch; 1, the same with only the violations between two totals; 2,
    /// as a text, the value of `Last-Event-ID` for a reconnection.
    #[wasm_bindgen(js_name = writeReport)]
    pub fn write_report(&self, exchange: &mut Exchange, what: u32, from: u32, to: u32) {
        let Some(stream) = &self.stream else { return };
        let report = stream.report();
        exchange.summarise(report);
        let text = exchange.empty_text();
        match what {
            0 => exchange.add_findings(report, 0, u64::MAX),
            1 => exchange.add_findings(report, from.into(), to.into()),
            _ => put(text, stream.last_event_id()),
        }
        exchange.write_header();
    }
}

/// Marks a module that reads binary streams.
#[cfg(feature = "binary")]
#[wasm_bindgen(js_name = readsBinary)]
pub fn reads_binary() {}

/// The number of the protocol in the header if the options are not taken: the text is the error's
/// code, and its message on the next line. A module that reads has no bindings of JavaScript's
/// errors.
const REFUSED: u32 = u32::MAX;

fn refuse(error: &UsageError, exchange: &mut Exchange) {
    let text = exchange.empty_text();
    put(text, error.code);
    put(text, "\n");
    put(text, &error.text());
    exchange.publish(0, true, REFUSED);
}

fn publish(stream: &AnyStream, exchange: &mut Exchange) {
    exchange.publish(
        stream.report().total(),
        stream.has_ended(),
        options::number(stream.protocol()),
    );
}
