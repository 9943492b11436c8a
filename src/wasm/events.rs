//! The events of a stream.

use alloc::vec::Vec;

use wasm_bindgen::prelude::wasm_bindgen;

use super::exchange::Exchange;
use super::options;
use crate::json::{Row, write_list};
use crate::protocols::ProtocolKind;
use crate::read::{Entry, EventReader};
use crate::sse::LimitExceeded;

/// A stream whose events are read.
#[wasm_bindgen]
#[derive(Debug)]
pub struct RawEventReader(EventReader);

#[wasm_bindgen]
impl RawEventReader {
    /// Starts reading, told the same as a reader of answers.
    #[wasm_bindgen(constructor)]
    pub fn new(protocol: usize, settings: &str) -> RawEventReader {
        let protocol = ProtocolKind::READABLE.get(protocol).copied();
        RawEventReader(EventReader::new(protocol, &options::read(settings, 0).options))
    }

    /// Leaves as a text what the first bytes of the input complete, as a JSON array of arrays. All have an offset and a text. An
    /// event has also its end, its number, its name and its id, and if something is wrong with it, code, path, offset and what was
    /// expected; what was left out has an end of 0 and what was allowed, 0 for JSON lines; a comment has nothing more.
    pub fn push(&mut self, exchange: &mut Exchange, length: usize) {
        let entries = self.0.push(exchange.given(length));
        tell_all(entries, exchange);
    }

    /// Leaves the same of what the end completes.
    pub fn finish(&mut self, exchange: &mut Exchange) {
        tell_all(self.0.finish(), exchange);
    }
}

fn tell_all(entries: Vec<Entry>, exchange: &mut Exchange) {
    write_list(entries, exchange.empty_text(), |entry, out| {
        let mut row = Row::open(out);
        match &entry {
            Entry::Event(event) => {
                row.number(event.offset);
                row.text(&event.data);
                row.number(event.end);
                row.number(event.number);
                row.text(&event.name);
                row.text(&event.id);
                if let Some(fault) = &event.fault {
                    row.text(fault.code);
                    row.text(&fault.path);
                    row.number(fault.offset as u64);
                    row.text(fault.expected);
                }
            }
            Entry::Comment(comment) => {
                row.number(comment.offset);
                row.text(&comment.text);
            }
            Entry::Oversize(LimitExceeded { limit, allowed, offset, .. }) => {
                leave_out(*offset, limit, *allowed, &mut row);
            }
            Entry::Ndjson(offset) => leave_out(*offset, "", 0, &mut row),
        }
        row.close();
    });
    exchange.lay_out();
}

/// Writes the row of an omitted event, which has an end of 0.
fn leave_out(offset: u64, limit: &str, allowed: u64, row: &mut Row<'_>) {
    row.number(offset);
    row.text(limit);
    row.number(0);
    row.number(allowed);
}
