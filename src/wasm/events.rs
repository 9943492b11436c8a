//! The events of a stream, read.

use alloc::string::String;
use alloc::vec::Vec;

use wasm_bindgen::prelude::wasm_bindgen;

use super::exchange::Exchange;
use super::options;
use crate::core::error::DecodeError;
use crate::json::{push_integer, put, write_list, write_string};
use crate::protocols::ProtocolKind;
use crate::read::{CommentEntry, EventReader, StreamEntry, StreamEvent};
use crate::sse::LimitExceeded;
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
pub(super) enum RowValue<'a> {
    Null,
    Number(u64),
    Text(&'a str),
}

#[inline(never)]
pub(super) fn row<'a>(cells: impl IntoIterator<Item = RowValue<'a>>, out: &mut String) {
    write_list(cells, out, |cell, out| match cell {
        Null => put(out, "null"),
        Number(number) => push_integer(i64::try_from(number).unwrap_or(i64::MAX), out),
        Text(text) => write_string(text, out),
    });
}
