//! The events of a stream.

use alloc::string::String;
use alloc::vec::Vec;

use wasm_bindgen::prelude::wasm_bindgen;

use super::options;
use crate::json::Object;
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
    pub fn new(protocol: usize, settings: &[f64]) -> RawEventReader {
        let protocol = ProtocolKind::READABLE.get(protocol).copied();
        RawEventReader(EventReader::new(protocol, &options::read(settings, "", 0).options))
    }

    /// What the next bytes complete: two texts for each entry, what is known of it as JSON, and the data or the comment.
    pub fn push(&mut self, bytes: &[u8]) -> Vec<String> {
        told(self.0.push(bytes))
    }

    /// What the end completes.
    pub fn finish(&mut self) -> Vec<String> {
        told(self.0.finish())
    }
}

fn told(entries: Vec<Entry>) -> Vec<String> {
    entries.into_iter().flat_map(pair).collect()
}

fn pair(entry: Entry) -> [String; 2] {
    let mut head = String::new();
    let mut object = Object::open(&mut head, true);
    let text = match entry {
        Entry::Event(event) => {
            describe(&event, &mut object);
            event.data
        }
        Entry::Comment(comment) => {
            object.string("kind", Some("comment"));
            object.integer("offset", Some(comment.offset as i64));
            comment.text
        }
        Entry::Oversize(limit) => {
            object.string("limit", Some(limit.limit));
            object.integer("allowed", Some(limit.allowed as i64));
            object.integer("offset", Some(limit.offset as i64));
            String::new()
        }
        Entry::Ndjson(offset) => {
            object.integer("offset", Some(offset as i64));
            String::new()
        }
    };
    object.close();
    [head, text]
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
