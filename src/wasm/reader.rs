//! Reading streams.

use wasm_bindgen::prelude::wasm_bindgen;

use super::exchange::Exchange;
use super::options;
use crate::json::put;
use crate::protocols::ProtocolKind;
use crate::read::any::AnyStream;

/// A stream being read. JavaScript applies the patch of each push; nothing of the answer stays here.
#[wasm_bindgen]
#[derive(Debug)]
pub struct RawReader {
    stream: AnyStream,
}

#[wasm_bindgen]
impl RawReader {
    /// Starts reading; the protocol is a number, any unknown one for what the first event tells, `seed` a number that
    /// nobody else knows. Leaves a first patch.
    #[wasm_bindgen(constructor)]
    pub fn new(protocol: usize, settings: &str, seed: u64, exchange: &mut Exchange) -> RawReader {
        let choices = options::read(settings, seed);
        let protocol = ProtocolKind::READABLE.get(protocol).copied();
        let reader = RawReader { stream: exchange.begin(|patch| AnyStream::new(protocol, choices, patch)) };
        reader.publish(exchange);
        reader
    }

    /// Reads the bytes of the input between two places, or the first of them, if what they say becomes much: the header
    /// says up to where.
    pub fn push(&mut self, exchange: &mut Exchange, from: usize, to: usize) {
        exchange.run(from, to, |input, patch| self.stream.push_some(input, patch));
        self.publish(exchange);
    }

    /// Ends the stream.
    pub fn finish(&mut self, exchange: &mut Exchange, aborted: bool) {
        exchange.run(0, 0, |_, patch| {
            self.stream.finish(aborted, patch);
            0
        });
        self.publish(exchange);
        exchange.summarise(self.stream.report());
    }

    /// Leaves the figures of the report so far in the header, and as a text, which is JSON, by `what`: 0, nothing; 1, what the
    /// report has besides, of which the header says whether that is anything; 2, the violations that were found between two
    /// moments, at which there were so many in all; 3, not as JSON, what `Last-Event-ID` should say when reconnecting now.
    pub fn tell(&self, exchange: &mut Exchange, what: u32, from: u32, to: u32) {
        let report = self.stream.report();
        exchange.summarise(report);
        let out = exchange.empty_text();
        match what {
            1 => report.write_findings_as_rows(out),
            2 => report.write_rows(from.into(), to.into(), out),
            3 => put(out, self.stream.last_event_id()),
            _ => {}
        }
        exchange.lay_out();
    }

    fn publish(&self, exchange: &mut Exchange) {
        let protocol = options::number(self.stream.protocol());
        exchange.publish(self.stream.report().total(), self.stream.has_ended(), protocol);
    }
}
