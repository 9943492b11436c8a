//! Reading streams.

use alloc::borrow::ToOwned;
use alloc::string::String;

use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::error::thrown;
use super::exchange::Exchange;
use super::options;
use crate::agent_api::{self, AgentApiFold};
use crate::fold::Protocol as _;
use crate::read::Stream;
use crate::report::Report;

/// A stream being read. JavaScript applies the patch of each push; nothing of the answer stays here.
#[wasm_bindgen]
#[derive(Debug)]
pub struct RawReader {
    stream: Stream<AgentApiFold>,
}

#[wasm_bindgen]
impl RawReader {
    /// Starts reading `protocol`; `options` is JSON, `seed` a number nobody else knows. Leaves a first patch.
    #[wasm_bindgen(constructor)]
    pub fn new(
        protocol: &str,
        options: &str,
        seed: u64,
        exchange: &mut Exchange,
    ) -> Result<RawReader, JsValue> {
        let (choices, options) = options::parse(options, seed)?;
        if protocol != "agent-api" {
            return Err(thrown("unknown-protocol", "`protocol` is one of: agent-api"));
        }
        let mut fold = None;
        exchange.run(0, |_, patch| {
            fold = Some(choices.fold(&options, patch));
            (0, 0)
        });
        let stream = fold.map(|fold| Stream::new(fold, &options));
        stream.map(|stream| RawReader { stream }).ok_or(JsValue::NULL)
    }

    /// Reads the first `length` bytes of the input.
    pub fn push(&mut self, exchange: &mut Exchange, length: usize) {
        exchange.run(length, |input, patch| {
            self.stream.push(input, patch);
            self.state()
        });
    }

    /// Ends the stream.
    pub fn finish(&mut self, exchange: &mut Exchange, aborted: bool) {
        exchange.run(0, |_, patch| {
            self.stream.finish(aborted, patch);
            self.state()
        });
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

    fn state(&self) -> (u32, u32) {
        let report: &Report = self.stream.report();
        (report.total().min(u32::MAX.into()) as u32, u32::from(self.stream.has_ended()))
    }
}

/// The tables of a protocol as JSON: names of members, words, templates of objects.
#[wasm_bindgen]
pub fn schema(protocol: &str) -> Result<String, JsValue> {
    match protocol {
        "agent-api" => Ok(agent_api::patch_schema()),
        _ => Err(thrown("unknown-protocol", "`protocol` is one of: agent-api")),
    }
}
