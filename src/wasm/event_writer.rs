//! Single events, judged and written.

use wasm_bindgen::prelude::wasm_bindgen;

use super::events::{
    RowValue::{Null, Number, Text},
    row,
};
use super::exchange::Exchange;
use super::options;
use crate::core::violation::Violation;
use crate::core::wire::WireEvent;
use crate::json::put;
use crate::protocols::ProtocolKind;
use crate::read::FALLBACK;
use crate::write::{AnyEventWriter, EventError};

/// Writes the events of a stream.
#[wasm_bindgen]
#[derive(Debug)]
pub struct RawEventWriter(Option<AnyEventWriter>);

#[wasm_bindgen]
impl RawEventWriter {
    /// Starts writing a stream of the protocol with that number. The options are those of a reader.
    /// Writes as a text the code of an error and its message on the next line, if the options are
    /// not taken.
    #[wasm_bindgen(constructor)]
    pub fn new(
        protocol: usize,
        settings: &str,
        seed: u64,
        exchange: &mut Exchange,
    ) -> RawEventWriter {
        let protocol = ProtocolKind::READABLE.get(protocol).copied().unwrap_or(FALLBACK);
        let choices = options::read(settings, seed);
        let writer = choices.and_then(|choices| AnyEventWriter::new(protocol, choices));
        let text = exchange.empty_text();
        if let Err(error) = &writer {
            put(text, error.code);
            put(text, "\n");
            put(text, &error.text());
        }
        exchange.write_header();
        RawEventWriter(writer.ok())
    }

    /// Writes as a text the frame of an event, or the violation because of which it was refused: a
    /// JSON array of the rule, its severity, the number and the offset of the event, the id of the
    /// message, the index of the content, what was found, and the message of the error.
    pub fn write(&mut self, exchange: &mut Exchange, data: &str) {
        let Some(writer) = &mut self.0 else { return };
        write_result(writer.write_json(data).map(Some), exchange);
    }

    /// Writes as a text the last frame, if there is one, or the violation of the end.
    pub fn finish(&mut self, exchange: &mut Exchange) {
        let Some(writer) = &mut self.0 else { return };
        write_result(writer.finish(), exchange);
    }
}

fn write_result(result: Result<Option<WireEvent>, EventError>, exchange: &mut Exchange) {
    let text = exchange.empty_text();
    match &result {
        Ok(event) => put(text, event.as_ref().map_or("", WireEvent::as_sse)),
        Err(error) => {
            let Violation { rule, at, got } = &error.violation;
            let number = |number: u64| number.min(i64::MAX as u64);
            row(
                [
                    Text(rule.id),
                    Text(rule.severity.as_str()),
                    Number(number(at.event)),
                    Number(number(at.offset)),
                    at.message_id.as_deref().map_or(Null, Text),
                    at.index.map_or(Null, |index| Number(index.into())),
                    Text(got),
                    Text(&error.text()),
                ],
                text,
            );
        }
    }
    exchange.write_header();
}
