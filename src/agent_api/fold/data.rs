//! Data that arrives in pieces: deciding what each piece changes, without keeping the data.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use super::AgentApiFold;
use super::again::Target;
use super::shape::{Shape, write_whole};
use super::state::Value as Held;
use crate::agent_api::lifecycle::Phase;
use crate::agent_api::merge::DataMerge;
use crate::agent_api::schema;
use crate::fold::{Digest, Keys, Node, Sink, Value};
use crate::got::Got;
use crate::json::{self, Element, Raw, Str, SurrogateHalf, joined};
use crate::violation::LIMIT_EXCEEDED;

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
        sink: &mut dyn Sink,
    ) {
        let keys = &self.keys;
        let part = &mut self.messages[at].parts[place];
        if part.full || part.phase == Phase::Ended {
            return;
        }
        part.pieces = true;
        part.value = Held::None;
        let mut budget = self.options.limits.data_nodes;
        match &mut part.shape {
            None => {
                let mut halves = false;
                let shape = Shape::of(data, keys, &mut budget, &mut halves);
                sink.set(part.node, schema::DATA, free(data, halves, &mut self.scratch));
                part.shape = Some(Box::new(shape));
            }
            Some(shape) => {
                let mut merge = Merge {
                    rule: self.choices.data_merge,
                    keys,
                    node: part.node,
                    budget: budget.saturating_sub(part.shape_size),
                    path: Vec::new(),
                    scratch: &mut self.scratch,
                    changes: 0,
                    appended: None,
                };
                let room = merge.budget;
                merge.object(shape, data, sink);
                if let (true, 1, Some((key, text))) = (plain, merge.changes, merge.appended.take()) {
                    self.repeat.appended(Target::Data(at, place), text);
                    self.repeat.key = key;
                }
                budget = merge.budget;
                part.shape_size += room - budget;
            }
        }
        if budget == 0 {
            part.full = true;
            let (index, limit) = (part.index, self.options.limits.data_nodes);
            self.breach_in(&LIMIT_EXCEEDED, at, Some(index), Got::Over("data_nodes", limit as u64));
        }
        self.link_tool(at, place, data, sink);
    }

    /// Appends to the text under the one key that the event before appended to.
    pub(super) fn append_data(&mut self, at: usize, place: usize, text: Str<'_>, sink: &mut dyn Sink) {
        let part = &mut self.messages[at].parts[place];
        let Some(Shape::Object(members)) = part.shape.as_deref_mut() else { return };
        if let Some(Shape::Text(digest, half)) = members.get_mut(&self.repeat.key) {
            let characters = continued(digest, half, text, &self.keys, &mut self.scratch);
            sink.append_in(part.node, schema::DATA, &[&self.repeat.key], characters);
        }
    }
}

/// A value as it stands, or written anew without the halves of characters in it.
fn free<'v>(value: Element<'v, 'v>, halves: bool, scratch: &'v mut String) -> Value<'v> {
    if !halves {
        return Value::Free(value);
    }
    scratch.clear();
    write_whole(value, scratch);
    Value::Json(Raw(scratch))
}

/// The characters that a piece adds to a text, which the text's digest then covers.
fn continued<'t>(
    digest: &mut Digest,
    half: &mut SurrogateHalf,
    text: Str<'t>,
    keys: &Keys,
    scratch: &'t mut String,
) -> &'t str {
    let (characters, _) = joined(text, half, scratch);
    digest.push(keys, characters.as_bytes());
    characters
}

struct Merge<'f, 'a> {
    rule: DataMerge,
    keys: &'f Keys,
    node: Node,
    budget: usize,
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
    fn object(&mut self, held: &mut Shape, piece: Element<'_, 'a>, sink: &mut dyn Sink) {
        let Shape::Object(members) = held else { return };
        for (key, value) in piece.object().into_iter().flatten() {
            let key = key.to_str();
            self.path.push(key.clone().into_owned());
            match members.get_mut(&key) {
                Some(member) => self.member(member, value, sink),
                None if self.rule == DataMerge::Message => {}
                None => {
                    let shape = self.put(value, sink);
                    if self.budget > 0 {
                        self.budget -= 1;
                        members.insert(&key, shape);
                    }
                }
            }
            self.path.pop();
        }
    }

    /// Merges a value into one that is there. A null says nothing: models send it for what they said before.
    fn member(&mut self, held: &mut Shape, piece: Element<'_, 'a>, sink: &mut dyn Sink) {
        let path: Vec<&str> = self.path.iter().map(String::as_str).collect();
        match (&mut *held, piece.first()) {
            (_, b'n') => {}
            (Shape::Text(digest, half), b'"') => {
                let Ok(text) = piece.string() else { return };
                let characters = continued(digest, half, text, self.keys, self.scratch);
                sink.append_in(self.node, schema::DATA, &path, characters);
                self.changes += 1;
                self.appended =
                    if let [key] = self.path.as_slice() { Some((key.clone(), text)) } else { None };
            }
            (Shape::List, b'[') => {
                self.changes += 1;
                sink.extend_in(self.node, schema::DATA, &path, piece.raw());
            }
            _ if self.rule == DataMerge::Message => {}
            (Shape::Number(_) | Shape::Sum(_), b'-' | b'0'..=b'9') => {
                self.changes += 1;
                let float = held.is_float() || !json::is_integer(piece.raw().as_str());
                sink.add_in(self.node, schema::DATA, &path, piece.raw(), float);
                *held = Shape::Sum(float);
            }
            (Shape::Object(_), b'{') => self.object(held, piece, sink),
            _ => *held = self.put(piece, sink),
        }
    }

    /// Puts a new value at the place at work.
    fn put(&mut self, value: Element<'_, '_>, sink: &mut dyn Sink) -> Shape {
        self.changes += 1;
        let mut halves = false;
        let shape = Shape::of(value, self.keys, &mut self.budget, &mut halves);
        let path: Vec<&str> = self.path.iter().map(String::as_str).collect();
        sink.set_in(self.node, schema::DATA, &path, free(value, halves, self.scratch));
        shape
    }
}
