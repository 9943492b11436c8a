//! The state of messages and calls that have not ended.

use alloc::{string::String, vec::Vec};

use crate::json::{Member, Value};
use crate::protocols::a2a::builder::ArtifactInfo;
use crate::protocols::a2a::request::Part;

#[derive(Debug, Default)]
pub(super) struct Item {
    pub(super) artifact: String,
    pub(super) info: ArtifactInfo,
    /// The parts of the artifact, each with its number.
    pub(super) parts: Vec<(u32, Part)>,
    /// The message contains only a call, a result, a question or an answer.
    pub(super) is_tool: bool,
    pub(super) begun: bool,
    /// The approximate size of the parts in bytes.
    pub(super) bytes: u64,
    /// The parts have changed and were not sent: they are sent when the message ends.
    pub(super) is_stale: bool,
}

#[derive(Debug)]
pub(super) struct Call {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) text: String,
    pub(super) more: Vec<Member>,
    /// The number of the call in the run.
    pub(super) number: u32,
}

impl Item {
    /// Returns the part with this number, if it was received.
    pub(super) fn part(&mut self, number: u32) -> Option<&mut Part> {
        self.parts.iter_mut().rev().find(|(known, _)| *known == number).map(|(_, part)| part)
    }

    /// Returns the metadata of a new part: the index by which readers distinguish adjacent texts.
    pub(super) fn next_index(&self) -> Value {
        let index = self.parts.last().and_then(|(_, part)| match part.metadata.as_ref()?.get("index")? {
            Value::Number(digits) => digits.parse::<i64>().ok(),
            _ => None,
        });
        [("index", Value::from(index.map_or(0, |last| last.saturating_add(1))))].into()
    }

    /// Adds a part after the others.
    pub(super) fn add(&mut self, number: u32, part: Part) {
        self.bytes += size(&part);
        self.parts.push((number, part));
    }

    /// Replaces the part with this number, or adds the part after the others.
    pub(super) fn put(&mut self, number: u32, mut part: Part) {
        let size_of = size(&part);
        match self.part(number) {
            Some(known) => {
                part.metadata = known.metadata.take();
                let before = size(known);
                *known = part;
                self.bytes = (self.bytes + size_of).saturating_sub(before);
            }
            None => {
                part.metadata = Some(self.next_index());
                self.add(number, part);
            }
        }
    }

    /// Removes the part with this number, or all parts.
    pub(super) fn retract(&mut self, part: Option<u32>) {
        let mut gone = 0;
        self.parts.retain(|(number, held)| {
            let stays = part.is_some_and(|part| *number != part);
            gone += if stays { 0 } else { size(held) };
            stays
        });
        self.bytes = self.bytes.saturating_sub(gone);
    }

    pub(super) fn whole(&self) -> Vec<Part> {
        self.parts.iter().map(|(_, part)| part.clone()).collect()
    }
}

/// Returns the approximate number of bytes that a part adds to an artifact.
fn size(part: &Part) -> u64 {
    const MEMBERS: u64 = 48;
    let data = part.data.as_ref().map_or(0, |data| data.to_json().len());
    let texts = [&part.text, &part.raw, &part.url].into_iter().flatten().map(String::len);
    MEMBERS + (data + texts.sum::<usize>()) as u64
}
