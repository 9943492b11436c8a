//! Framing of bytes into events, for protocols that are written in JavaScript.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use wasm_bindgen::prelude::wasm_bindgen;

use crate::core::limits::Limits;
use crate::hub::steps::Lines;
use crate::sse::{Decoder, StreamItem, TrailingEvent};

/// Splits a stream into server-sent events or lines.
#[wasm_bindgen]
#[derive(Debug)]
pub struct RawFramer(FramerKind);

#[derive(Debug)]
enum FramerKind {
    Events(Decoder),
    Lines(Lines),
}

#[wasm_bindgen]
impl RawFramer {
    #[wasm_bindgen(constructor)]
    pub fn new(events: bool) -> RawFramer {
        let limits = Limits::default();
        RawFramer(if events {
            FramerKind::Events(Decoder::new(limits))
        } else {
            FramerKind::Lines(Lines::new(&limits))
        })
    }

    /// Returns the events that the next bytes complete.
    pub fn push(&mut self, bytes: &[u8]) -> Vec<String> {
        let mut found = Vec::new();
        match &mut self.0 {
            FramerKind::Events(decoder) => {
                decoder.push(bytes, &mut |item: StreamItem<'_>| keep(item, &mut found))
            }
            FramerKind::Lines(lines) => lines.push(bytes, &mut |line| found.push(line.to_owned())),
        }
        found
    }

    /// Returns the event that the end of the stream completes, if any.
    pub fn finish(&mut self) -> Vec<String> {
        let mut found = Vec::new();
        match &mut self.0 {
            FramerKind::Events(decoder) => {
                decoder.finish(TrailingEvent::Lenient, &mut |item: StreamItem<'_>| {
                    keep(item, &mut found)
                });
            }
            FramerKind::Lines(lines) => lines.finish(&mut |line| found.push(line.to_owned())),
        }
        found
    }
}

fn keep(item: StreamItem<'_>, found: &mut Vec<String>) {
    if let StreamItem::Event(event) = item {
        found.push(event.data.to_owned());
    }
}
