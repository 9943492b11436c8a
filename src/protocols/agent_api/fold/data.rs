//! Data that arrives in pieces: determines what each piece changes, without keeping the data.

use alloc::{boxed::Box, string::String, vec::Vec};

use super::AgentApiMeaning;
use super::delta::Target;
use super::outline::{Outline, nodes, write_full};
use super::state::CellValue;
use crate::engine::{Context, Keys, Node, SinkValue};
use crate::json::{self, Element, Raw, joined};
use crate::protocols::agent_api::DataMerge;
use crate::protocols::agent_api::lifecycle::Phase;
use crate::protocols::agent_api::model::DataContent;

impl AgentApiMeaning {
    /// R29: merges a piece into the data of a part.
    pub(super) fn merge_data(
        &mut self,
        at: usize,
        place: usize,
        data: Element<'_, '_>,
        cx: &mut Context<'_>,
    ) {
        let keys = &self.keys;
        let part = &mut self.messages[at].parts[place];
        if part.phase == Phase::Ended || cx.is_full(part.node, DataContent::data) {
            return;
        }
        part.pieces = true;
        match &mut part.shape {
            None => {
                cx.forget_data_nodes(part.node);
                if !cx.data_nodes(part.node, DataContent::data, nodes(data)) {
                    return;
                }
                let mut halves = false;
                let shape = Outline::of(data, keys, &mut halves);
                if !cx.set(part.node, DataContent::data, free(data, halves, &mut self.scratch)) {
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
                    appended: None,
                };
                merge.object(shape, data, cx);
                if let Some(key) = merge.appended {
                    self.appended = Target { at, place, key: Some(key), node: part.node };
                }
            }
        }
        part.value = CellValue::Pieces;
        self.link_tool(at, place, data, cx);
    }
}

/// Returns a value unchanged, or rewritten without the unpaired halves of characters in it.
fn free<'v>(value: Element<'v, 'v>, halves: bool, scratch: &'v mut String) -> SinkValue<'v> {
    if !halves {
        return SinkValue::Free(value);
    }
    scratch.clear();
    write_full(value, scratch);
    SinkValue::Json(Raw(scratch))
}

struct Merge<'f> {
    rule: DataMerge,
    keys: &'f Keys,
    node: Node,
    /// Names of the members that lead to the current value.
    path: Vec<String>,
    scratch: &'f mut String,
    /// The key of a text at the top level that a piece was appended to.
    appended: Option<String>,
}

impl Merge<'_> {
    /// Merges the members of a piece into an existing object.
    fn object(&mut self, held: &mut Outline, piece: Element<'_, '_>, cx: &mut Context<'_>) {
        let Outline::Object(members) = held else { return };
        for (key, value) in piece.members() {
            let key = key.to_str();
            self.path.push(key.clone().into_owned());
            match members.get_mut(&key) {
                Some(member) => self.member(member, value, cx),
                None if self.rule == DataMerge::Message => {}
                None => {
                    if let Some(shape) = self.put(value, 1, cx) {
                        members.insert(&key, shape);
                    }
                }
            }
            self.path.pop();
        }
    }

    /// Merges a value into an existing one. A null changes nothing: models send it for members that they have already
    /// sent.
    fn member(&mut self, held: &mut Outline, piece: Element<'_, '_>, cx: &mut Context<'_>) {
        let path: Vec<&str> = self.path.iter().map(String::as_str).collect();
        match (&mut *held, piece.first()) {
            (_, b'n') => {}
            (Outline::Text(digest, half), b'"') => {
                let Ok(text) = piece.string() else { return };
                let (characters, _) = joined(text, half, self.scratch);
                let node = self.node;
                if let [key] = self.path.as_slice() {
                    self.appended = Some(key.clone());
                    cx.appends(node, DataContent::data, text);
                }
                if cx.append_in(node, DataContent::data, &path, characters) {
                    digest.push(self.keys, characters.as_bytes());
                }
            }
            (Outline::List, b'[') => {
                if cx.data_nodes(self.node, DataContent::data, nodes(piece)) {
                    cx.extend_in(self.node, DataContent::data, &path, piece.raw());
                }
            }
            _ if self.rule == DataMerge::Message => {}
            (Outline::Number(_) | Outline::Sum { .. }, b'-' | b'0'..=b'9') => {
                let summand = piece.raw().as_str();
                // A sum has at most one digit more than the longer number.
                let digits = held.digits().max(summand.len()) + 1;
                if !cx.adds_digits(self.node, DataContent::data, digits) {
                    return;
                }
                let float = held.is_float() || !json::is_integer(summand);
                if cx.add_in(self.node, DataContent::data, &path, piece.raw(), float) {
                    *held = Outline::Sum { float, digits };
                }
            }
            (Outline::Object(_), b'{') => self.object(held, piece, cx),
            _ => {
                if let Some(shape) = self.put(piece, 0, cx) {
                    *held = shape;
                }
            }
        }
    }

    /// Puts a new value, with this number of new keys, at the current path. The replaced value continues to be counted.
    fn put(&mut self, value: Element<'_, '_>, keys: usize, cx: &mut Context<'_>) -> Option<Outline> {
        if !cx.data_nodes(self.node, DataContent::data, keys + nodes(value)) {
            return None;
        }
        let mut halves = false;
        let shape = Outline::of(value, self.keys, &mut halves);
        let path: Vec<&str> = self.path.iter().map(String::as_str).collect();
        cx.set_in(self.node, DataContent::data, &path, free(value, halves, self.scratch)).then_some(shape)
    }
}
