//! Reading streams.

use alloc::borrow::ToOwned;
use alloc::string::String;

use wasm_bindgen::prelude::wasm_bindgen;

use super::exchange::Exchange;
use super::options;
use crate::agent_api::{self, AgentApiFold};
use crate::fold::Protocol as _;
use crate::read::Stream;

/// A stream being read. JavaScript applies the patch of each push; nothing of the answer stays here.
#[wasm_bindgen]
#[derive(Debug)]
pub struct RawReader {
    stream: Stream<AgentApiFold>,
}

#[wasm_bindgen]
impl RawReader {
    /// Starts reading; `seed` is a number nobody else knows. Leaves a first patch.
    #[wasm_bindgen(constructor)]
    pub fn new(settings: &[f64], seed: u64, exchange: &mut Exchange) -> RawReader {
        let (protocol, options) = options::read(settings, seed);
        let stream = exchange.begin(|patch| Stream::new(protocol.fold(&options, patch), &options));
        RawReader { stream }
    }

    /// Reads the first `length` bytes of the input.
    pub fn push(&mut self, exchange: &mut Exchange, length: usize) {
        exchange.run(length, |input, patch| self.stream.push(input, patch));
        self.publish(exchange);
    }

    /// Ends the stream.
    pub fn finish(&mut self, exchange: &mut Exchange, aborted: bool) {
        exchange.run(0, |_, patch| self.stream.finish(aborted, patch));
        self.publish(exchange);
    }

    /// The report so far, as JSON.
    pub fn report(&self) -> String {
        self.stream.report().to_json()
    }

    /// The violations from the one with that number on, as a JSON array.
    pub fn violations(&self, from: usize) -> String {
        self.stream.report().violations_to_json(from)
    }

    /// What `Last-Event-ID` should say when reconnecting now.
    #[wasm_bindgen(js_name = lastEventId)]
    pub fn last_event_id(&self) -> String {
        self.stream.last_event_id().to_owned()
    }

    fn publish(&self, exchange: &mut Exchange) {
        exchange.publish(self.stream.report().total(), self.stream.has_ended());
    }
}

/// The tables of a protocol as JSON: names of members, words, templates of objects.
#[wasm_bindgen]
pub fn schema() -> String {
    agent_api::patch_schema()
}
