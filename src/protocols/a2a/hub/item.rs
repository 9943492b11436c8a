//! What is kept of messages and calls that have not ended.

use alloc::{string::String, vec::Vec};

use crate::json::{Member, Value};
use crate::protocols::a2a::builder::ArtifactInfo;
use crate::protocols::a2a::request::Part;

#[derive(Debug, Default)]
pub(super) struct Item {
    pub(super) artifact: String,
    pub(super) info: ArtifactInfo,
    /// The parts that the artifact has, each with its number.
    pub(super) parts: Vec<(u32, Part)>,
    /// The role is that of a tool message.
    pub(super) is_tool: bool,
    pub(super) begun: bool,
    /// How many bytes the parts have, about.
    pub(super) bytes: u64,
    /// The parts have changed and were not sent: they are when the message ends.
    pub(super) is_stale: bool,
}

#[derive(Debug)]
pub(super) struct Call {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) text: String,
    pub(super) more: Vec<Member>,
    /// Which call of the run it is.
    pub(super) number: u32,
}

impl Item {
    /// The part with that number, if it has come.
    pub(super) fn part(&mut self, number: u32) -> Option<&mut Part> {
        self.parts.iter_mut().rev().find(|(known, _)| *known == number).map(|(_, part)| part)
    }

    /// The metadata of a new part: what readers tell two texts in a row apart by.
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

    /// Puts a part in the place of the one with that number, or after the others.
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

    /// Takes out the part with that number, or all of them.
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

/// How many bytes an artifact has more by a part, about.
fn size(part: &Part) -> u64 {
    const MEMBERS: u64 = 48;
    let data = part.data.as_ref().map_or(0, |data| data.to_json().len());
    let texts = [&part.text, &part.raw, &part.url].into_iter().flatten().map(String::len);
    MEMBERS + (data + texts.sum::<usize>()) as u64
}
