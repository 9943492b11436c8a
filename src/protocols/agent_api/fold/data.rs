//! Data that arrives in pieces: deciding what each piece changes, without keeping the data.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use super::AgentApiFold;
use super::outline::{Outline, nodes, write_full};
use super::replay::Target;
use super::state::CellValue;
use crate::core::fold::{Keys, Metered, Node, SinkValue};
use crate::json::{self, Element, Raw, Str, joined};
use crate::protocols::agent_api::lifecycle::Phase;
use crate::protocols::agent_api::merge::DataMerge;
use crate::protocols::agent_api::model::DataContent;

impl AgentApiFold {
    /// R29: merges a piece into the data of a part.
    ///
    /// `plain` says that the event does nothing else.
    pub(super) fn merge_data(
        &mut self,
        at: usize,
        place: usize,
        data: Element<'_, '_>,
        plain: bool,
        sink: &mut Metered<'_>,
    ) {
        let keys = &self.keys;
        let part = &mut self.messages[at].parts[place];
        if part.phase == Phase::Ended || sink.is_full(part.node, DataContent::data) {
            return;
        }
        part.pieces = true;
        match &mut part.shape {
            None => {
                sink.forget_data_nodes(part.node);
                if !sink.data_nodes(part.node, DataContent::data, nodes(data)) {
                    return;
                }
                let mut halves = false;
                let shape = Outline::of(data, keys, &mut halves);
                if !sink.set(part.node, DataContent::data, free(data, halves, &mut self.scratch)) {
                    return;
                }
                part.shape = Some(Box::new(shape));
            }
            Some(shape) => {
                let mut merge = Merge {
                    rule: self.choices.data_merge,
                    keys,
                    node: part.node,
                    path: Vec::new(),
                    scratch: &mut self.scratch,
                    changes: 0,
                    appended: None,
                };
                merge.object(shape, data, sink);
                if let (true, 1, Some((key, text))) = (plain, merge.changes, merge.appended.take()) {
                    self.repeat.appended(Target::Data(at, place), text);
                    self.repeat.key = key;
                }
            }
        }
        part.value = CellValue::Pieces;
        self.link_tool(at, place, data, sink);
    }

    /// Appends to the text under the one key that the event before appended to.
    pub(super) fn append_data(&mut self, at: usize, place: usize, text: Str<'_>, sink: &mut Metered<'_>) {
        let part = &mut self.messages[at].parts[place];
        let Some(Outline::Object(members)) = part.shape.as_deref_mut() else { return };
        if let Some(Outline::Text(digest, half)) = members.get_mut(&self.repeat.key) {
            let (characters, _) = joined(text, half, &mut self.scratch);
            if sink.append_in(part.node, DataContent::data, &[&self.repeat.key], characters) {
                digest.push(&self.keys, characters.as_bytes());
            }
        }
    }
}

/// A value as it stands, or written anew without the halves of characters in it.
fn free<'v>(value: Element<'v, 'v>, halves: bool, scratch: &'v mut String) -> SinkValue<'v> {
    if !halves {
        return SinkValue::Free(value);
    }
    scratch.clear();
    write_full(value, scratch);
    SinkValue::Json(Raw(scratch))
}

struct Merge<'f, 'a> {
    rule: DataMerge,
    keys: &'f Keys,
    node: Node,
    /// Names of the members that lead to the value at work.
    path: Vec<String>,
    scratch: &'f mut String,
    /// How many places the piece has changed so far.
    changes: u32,
    /// Key and text of an append to a text at the top.
    appended: Option<(String, Str<'a>)>,
}

impl<'a> Merge<'_, 'a> {
    /// Merges the members of an object that is read into one that is there.
    fn object(&mut self, held: &mut Outline, piece: Element<'_, 'a>, sink: &mut Metered<'_>) {
        let Outline::Object(members) = held else { return };
        for (key, value) in piece.object().into_iter().flatten() {
            let key = key.to_str();
            self.path.push(key.clone().into_owned());
            match members.get_mut(&key) {
                Some(member) => self.member(member, value, sink),
                None if self.rule == DataMerge::Message => {}
                None => {
                    if let Some(shape) = self.put(value, 1, sink) {
                        members.insert(&key, shape);
                    }
                }
            }
            self.path.pop();
        }
    }

    /// Merges a value into one that is there. A null says nothing: models send it for what they said before.
    fn member(&mut self, held: &mut Outline, piece: Element<'_, 'a>, sink: &mut Metered<'_>) {
        let path: Vec<&str> = self.path.iter().map(String::as_str).collect();
        match (&mut *held, piece.first()) {
            (_, b'n') => {}
            (Outline::Text(digest, half), b'"') => {
                let Ok(text) = piece.string() else { return };
                let (characters, _) = joined(text, half, self.scratch);
                if !sink.append_in(self.node, DataContent::data, &path, characters) {
                    return;
                }
                digest.push(self.keys, characters.as_bytes());
                self.changes += 1;
                self.appended =
                    if let [key] = self.path.as_slice() { Some((key.clone(), text)) } else { None };
            }
            (Outline::List, b'[') => {
                self.changes += 1;
                if sink.data_nodes(self.node, DataContent::data, nodes(piece)) {
                    sink.extend_in(self.node, DataContent::data, &path, piece.raw());
                }
            }
            _ if self.rule == DataMerge::Message => {}
            (Outline::Number(_) | Outline::Sum { .. }, b'-' | b'0'..=b'9') => {
                self.changes += 1;
                let summand = piece.raw().as_str();
                // A sum has at most one digit more than the longer number.
                let digits = held.digits().max(summand.len()) + 1;
                if !sink.adds_digits(self.node, DataContent::data, digits) {
                    return;
                }
                let float = held.is_float() || !json::is_integer(summand);
                if sink.add_in(self.node, DataContent::data, &path, piece.raw(), float) {
                    *held = Outline::Sum { float, digits };
                }
            }
            (Outline::Object(_), b'{') => self.object(held, piece, sink),
            _ => {
                if let Some(shape) = self.put(piece, 0, sink) {
                    *held = shape;
                }
            }
        }
    }

    /// Puts a new value at the place at work, under so many new keys. What it takes the place of goes on to be counted.
    fn put(&mut self, value: Element<'_, '_>, keys: usize, sink: &mut Metered<'_>) -> Option<Outline> {
        self.changes += 1;
        if !sink.data_nodes(self.node, DataContent::data, keys + nodes(value)) {
            return None;
        }
        let mut halves = false;
        let shape = Outline::of(value, self.keys, &mut halves);
        let path: Vec<&str> = self.path.iter().map(String::as_str).collect();
        sink.set_in(self.node, DataContent::data, &path, free(value, halves, self.scratch)).then_some(shape)
    }
}
