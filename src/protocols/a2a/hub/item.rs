//! What is kept of messages and calls that have not ended.

use alloc::{string::String, vec::Vec};

use crate::json::{Member, Value};
use crate::protocols::a2a::builder::ArtifactInfo;
use crate::protocols::a2a::request::Part;

#[derive(Debug)]
pub(super) struct Item {
    pub(super) artifact: String,
    pub(super) info: ArtifactInfo,
    /// The parts that the artifact has, each with its number.
    pub(super) parts: Vec<(u32, Part)>,
    /// The role is that of a tool message.
    pub(super) is_tool: bool,
    pub(super) begun: bool,
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

    pub(super) fn whole(&self) -> Vec<Part> {
        self.parts.iter().map(|(_, part)| part.clone()).collect()
    }
}
