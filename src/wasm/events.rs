//! The events of a stream: read, and written.

use alloc::string::String;
use alloc::vec::Vec;

use wasm_bindgen::prelude::wasm_bindgen;

use super::exchange::Exchange;
use super::options;
use crate::core::error::DecodeError;
use crate::core::violation::Violation;
use crate::core::wire::WireEvent;
use crate::json::{push_integer, put, write_list, write_string};
use crate::protocols::ProtocolKind;
use crate::read::{CommentEntry, EventReader, FALLBACK, StreamEntry, StreamEvent};
use crate::sse::LimitExceeded;
use crate::write::{AnyEventWriter, EventError};
use RowValue::{Null, Number, Text};

/// Reads the events of a stream.
#[wasm_bindgen]
#[derive(Debug)]
pub struct RawEventReader(EventReader);

#[wasm_bindgen]
impl RawEventReader {
    /// Starts reading. The arguments are those of a reader of answers.
    #[wasm_bindgen(constructor)]
    pub fn new(protocol: usize, settings: &str) -> RawEventReader {
        let protocol = ProtocolKind::READABLE.get(protocol).copied();
        // Events do not depend on the options that can nest too deeply.
        let choices = options::read(settings, 0).unwrap_or_default();
        RawEventReader(EventReader::new(protocol, &choices.options))
    }

    /// Writes as a text the events that the first bytes of the input complete: a JSON array of
    /// arrays, each with an offset and a text. An event also has its end, number, name and id, and
    /// for an error the code, path, offset and expected value; an omitted event has an end of 0 and
    /// the limit; a comment has no further elements.
    pub fn push(&mut self, exchange: &mut Exchange, length: usize) {
        let entries = self.0.push(exchange.given(length));
        write_entries(entries, exchange);
    }

    /// Writes the events that the end of the stream completes, in the same form.
    pub fn finish(&mut self, exchange: &mut Exchange) {
        write_entries(self.0.finish(), exchange);
    }
}

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

fn write_entries(entries: Vec<StreamEntry>, exchange: &mut Exchange) {
    write_list(entries, exchange.empty_text(), |entry, out| match &entry {
        StreamEntry::Event(StreamEvent { number, offset, end, name, id, data, fault, .. }) => {
            let fault =
                fault.as_ref().map(|DecodeError { code, path, offset, expected, .. }| {
                    [Text(code), Text(path), Number(*offset as u64), Text(expected)]
                });
            let event =
                [Number(*offset), Text(data), Number(*end), Number(*number), Text(name), Text(id)];
            row(event.into_iter().chain(fault.into_iter().flatten()), out);
        }
        StreamEntry::Comment(CommentEntry { offset, text, .. }) => {
            row([Number(*offset), Text(text)], out)
        }
        StreamEntry::Oversize(LimitExceeded { limit, allowed, offset, .. }) => {
            write_omitted(*offset, limit, *allowed, out)
        }
    });
    exchange.write_header();
}

/// Writes the row of an omitted event, which has an end of 0.
fn write_omitted(offset: u64, limit: &str, allowed: u64, out: &mut String) {
    row([Number(offset), Text(limit), Number(0), Number(allowed)], out);
}

/// A value of a row.
enum RowValue<'a> {
    Null,
    Number(u64),
    Text(&'a str),
}

#[inline(never)]
fn row<'a>(cells: impl IntoIterator<Item = RowValue<'a>>, out: &mut String) {
    write_list(cells, out, |cell, out| match cell {
        Null => put(out, "null"),
        Number(number) => push_integer(i64::try_from(number).unwrap_or(i64::MAX), out),
        Text(text) => write_string(text, out),
    });
}
