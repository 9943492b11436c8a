//! Reading streams.

use alloc::borrow::ToOwned;
use alloc::string::String;

use wasm_bindgen::prelude::wasm_bindgen;

use super::exchange::Exchange;
use super::options;
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
        self.summarise(exchange);
    }

    /// Leaves the figures of the report so far in the header.
    pub fn summarise(&self, exchange: &mut Exchange) {
        exchange.summarise(self.stream.report());
    }

    /// What the report so far has besides its figures, as JSON. The header says whether that is anything.
    pub fn findings(&self) -> String {
        self.stream.report().findings_to_json()
    }

    /// The violations that were found between two moments, at which there were so many in all, as a JSON array.
    pub fn violations(&self, from: u32, to: u32) -> String {
        self.stream.report().violations_to_rows(from.into(), to.into())
    }

    /// What `Last-Event-ID` should say when reconnecting now.
    #[wasm_bindgen(js_name = lastEventId)]
    pub fn last_event_id(&self) -> String {
        self.stream.last_event_id().to_owned()
    }

    fn publish(&self, exchange: &mut Exchange) {
        let protocol = options::number(self.stream.protocol());
        exchange.publish(self.stream.report().total(), self.stream.has_ended(), protocol);
    }
}
