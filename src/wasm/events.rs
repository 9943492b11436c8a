//! The events of a stream.

use alloc::string::String;
use alloc::vec::Vec;

use wasm_bindgen::prelude::wasm_bindgen;

use super::exchange::Exchange;
use super::options;
use crate::json::{Object, write_list};
use crate::protocols::ProtocolKind;
use crate::read::events::{Entry, EventReader, StreamEvent};

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

    /// What the first bytes of the input complete: a JSON list of entries, whose `text` is the data or the comment.
    pub fn push(&mut self, exchange: &Exchange, length: usize) -> String {
        told(self.0.push(exchange.given(length)))
    }

    /// What the end completes.
    pub fn finish(&mut self) -> String {
        told(self.0.finish())
    }
}

fn told(entries: Vec<Entry>) -> String {
    let mut out = String::new();
    write_list(entries, &mut out, tell);
    out
}

fn tell(entry: Entry, out: &mut String) {
    let mut object = Object::open(out, true);
    match entry {
        Entry::Event(event) => {
            describe(&event, &mut object);
            object.string("text", Some(&event.data));
        }
        Entry::Comment(comment) => {
            object.string("kind", Some("comment"));
            object.integer("offset", Some(comment.offset as i64));
            object.string("text", Some(&comment.text));
        }
        Entry::Oversize(limit) => {
            object.string("limit", Some(limit.limit));
            object.integer("allowed", Some(limit.allowed as i64));
            object.integer("offset", Some(limit.offset as i64));
        }
        Entry::Ndjson(offset) => object.integer("offset", Some(offset as i64)),
    }
    object.close();
}

fn describe(event: &StreamEvent, object: &mut Object<'_>) {
    object.string("kind", Some(if event.fault.is_none() { "event" } else { "malformed" }));
    object.integer("number", Some(event.number as i64));
    object.integer("offset", Some(event.offset as i64));
    object.integer("end", Some(event.end as i64));
    object.string("name", Some(&event.name));
    object.string("id", Some(&event.id));
    if let Some(fault) = &event.fault {
        let mut inner = Object::open(object.member("fault"), true);
        inner.string("code", Some(fault.code));
        inner.string("path", Some(&fault.path));
        inner.integer("offset", Some(fault.offset as i64));
        inner.string("expected", Some(fault.expected));
        inner.close();
    }
}
