//! Data that arrives in pieces: deciding what each piece changes, without keeping the data.

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use super::AgentApiFold;
use super::again::Target;
use super::state::Value as Held;
use crate::agent_api::lifecycle::Phase;
use crate::agent_api::merge::DataMerge;
use crate::agent_api::schema;
use crate::fold::{Digest, Keys, Node, Sink, Value};
use crate::got::Got;
use crate::json::{self, Raw, Reader, Str, SurrogateHalf, decode_into, write_string};
use crate::violation::LIMIT_EXCEEDED;

/// What is known of a JSON value: enough to decide how a piece continues it.
#[derive(Debug)]
pub(super) enum Shape {
    Null,
    Bool(bool),
    /// The digits, because numbers are added.
    Number(String),
    Text(Digest, SurrogateHalf),
    List,
    Object(BTreeMap<String, Shape>),
}

impl Shape {
    /// The shape of a value. Writes the value to `out` too, without the halves of characters that its strings end in:
    /// those wait in the shape for the next piece. `budget` bounds the keys and elements.
    pub fn of(raw: Raw<'_>, keys: &Keys, out: &mut String, budget: &mut usize) -> Shape {
        // A `Raw` was checked when it was made.
        Self::read(&mut raw.reader(), keys, out, budget).unwrap_or(Shape::Null)
    }

    fn read(
        reader: &mut Reader<'_>,
        keys: &Keys,
        out: &mut String,
        budget: &mut usize,
    ) -> Result<Shape, json::Error> {
        Ok(match reader.peek() {
            Some(b'"') => {
                let (mut text, mut half) = (String::new(), SurrogateHalf::NONE);
                decode_into(reader.string()?, &mut half, &mut text);
                write_string(&text, out);
                Shape::Text(keys.digest(&text), half)
            }
            Some(b'{') => {
                let mut members = BTreeMap::new();
                out.push('{');
                let mut first = true;
                reader.object(|key, value| {
                    if !core::mem::take(&mut first) {
                        out.push(',');
                    }
                    let key = key.to_str();
                    write_string(&key, out);
                    out.push(':');
                    let shape = Self::read(value, keys, out, budget)?;
                    if *budget > 0 {
                        *budget -= 1;
                        members.insert(key.into_owned(), shape);
                    }
                    Ok(())
                })?;
                out.push('}');
                Shape::Object(members)
            }
            Some(b'[') => {
                out.push_str(reader.value()?.as_str());
                Shape::List
            }
            Some(b't' | b'f') => {
                let value = reader.bool_or_null()? == Some(true);
                out.push_str(if value { "true" } else { "false" });
                Shape::Bool(value)
            }
            Some(b'n') => {
                reader.null()?;
                out.push_str("null");
                Shape::Null
            }
            _ => {
                let digits = reader.number()?;
                out.push_str(digits);
                Shape::Number(digits.to_owned())
            }
        })
    }

    /// Whether a value is certainly the one that was put together.
    pub fn is(&self, raw: Raw<'_>, keys: &Keys) -> bool {
        let mut reader = raw.reader();
        match (self, reader.peek()) {
            (Shape::Null, Some(b'n')) => true,
            (Shape::Bool(held), Some(b't' | b'f')) => reader.bool_or_null() == Ok(Some(*held)),
            (Shape::Number(held), Some(b'-' | b'0'..=b'9')) => raw.as_str() == held,
            (Shape::Text(held, half), Some(b'"')) => {
                !half.is_waiting() && reader.string().is_ok_and(|text| keys.digest(&text.to_str()) == *held)
            }
            (Shape::Object(members), Some(b'{')) => {
                let mut found = 0;
                let mut same = true;
                let _ = reader.object(|key, value| {
                    let value = value.value()?;
                    found += 1;
                    same &= members.get(&*key.to_str()).is_some_and(|member| member.is(value, keys));
                    Ok(())
                });
                same && found == members.len()
            }
            // The elements are not kept.
            _ => false,
        }
    }
}

/// Whether a text begins with the one that a digest is of.
pub(super) fn starts_with(text: &str, held: &Digest, keys: &Keys) -> bool {
    let start = text.as_bytes().get(..held.len() as usize);
    start.is_some_and(|start| {
        let mut said = Digest::default();
        said.push(keys, start);
        said == *held
    })
}

/// R26: whether every text of `data` begins with the one that is there under the same key, and no key is missing.
pub(super) fn continues(shape: &Shape, data: Raw<'_>, keys: &Keys) -> bool {
    let Shape::Object(members) = shape else {
        return false;
    };
    let mut found = 0;
    let mut continues = true;
    let _ = data.reader().object(|key, value| {
        let value = value.value()?;
        let Some(member) = members.get(&*key.to_str()) else {
            return Ok(());
        };
        found += 1;
        continues &= match (member, value.reader().string()) {
            (Shape::Text(held, _), Ok(text)) => {
                let text = text.to_str();
                starts_with(&text, held, keys)
            }
            _ => true,
        };
        Ok(())
    });
    continues && found == members.len()
}

impl AgentApiFold {
    /// R29: merges a piece into the data of a part.
    ///
    /// `plain` says that the event does nothing else.
    pub(super) fn merge_data(
        &mut self,
        at: usize,
        place: usize,
        data: Raw<'_>,
        plain: bool,
        sink: &mut impl Sink,
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
                let mut text = String::with_capacity(data.as_str().len());
                let shape = Shape::of(data, keys, &mut text, &mut budget);
                sink.set(part.node, schema::DATA, Value::Json(Raw(&text)));
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
                merge.object(shape, &mut data.reader(), sink);
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
    pub(super) fn append_data(&mut self, at: usize, place: usize, text: Str<'_>, sink: &mut impl Sink) {
        let part = &mut self.messages[at].parts[place];
        let Some(Shape::Object(members)) = part.shape.as_deref_mut() else { return };
        if let Some(Shape::Text(digest, half)) = members.get_mut(&self.repeat.key) {
            let characters = continued(digest, half, text, &self.keys, &mut self.scratch);
            sink.append_in(part.node, schema::DATA, &[&self.repeat.key], characters);
        }
    }
}

/// The characters that a piece adds to a text, which the text's digest then covers.
fn continued<'t>(
    digest: &mut Digest,
    half: &mut SurrogateHalf,
    text: Str<'t>,
    keys: &Keys,
    scratch: &'t mut String,
) -> &'t str {
    let characters = match text.as_plain().filter(|_| !half.is_waiting()) {
        Some(plain) => plain,
        None => {
            scratch.clear();
            decode_into(text, half, scratch);
            scratch
        }
    };
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
    fn object(&mut self, held: &mut Shape, piece: &mut Reader<'a>, sink: &mut impl Sink) {
        let Shape::Object(members) = held else { return };
        // The piece was checked as a whole before.
        let _ = piece.object(|key, value| {
            let key = key.to_str();
            let value = value.value()?;
            self.path.push(key.clone().into_owned());
            match members.get_mut(&*key) {
                Some(member) => self.member(member, value, sink),
                None if self.rule == DataMerge::Message => {}
                None => {
                    let shape = self.put(value, sink);
                    if self.budget > 0 {
                        self.budget -= 1;
                        members.insert(key.into_owned(), shape);
                    }
                }
            }
            self.path.pop();
            Ok(())
        });
    }

    /// Merges a value into one that is there. A null says nothing: models send it for what they said before.
    fn member(&mut self, held: &mut Shape, piece: Raw<'a>, sink: &mut impl Sink) {
        let mut reader = piece.reader();
        let path: Vec<&str> = self.path.iter().map(String::as_str).collect();
        match (&mut *held, reader.peek()) {
            (_, Some(b'n')) => {}
            (Shape::Text(digest, half), Some(b'"')) => {
                let Ok(text) = reader.string() else { return };
                let characters = continued(digest, half, text, self.keys, self.scratch);
                sink.append_in(self.node, schema::DATA, &path, characters);
                self.changes += 1;
                self.appended =
                    if let [key] = self.path.as_slice() { Some((key.clone(), text)) } else { None };
            }
            (Shape::List, Some(b'[')) => {
                self.changes += 1;
                sink.extend_in(self.node, schema::DATA, &path, piece);
            }
            _ if self.rule == DataMerge::Message => {}
            (Shape::Number(digits), Some(b'-' | b'0'..=b'9')) => {
                self.changes += 1;
                *digits = json::add(digits, piece.as_str());
                sink.set_in(self.node, schema::DATA, &path, Value::Json(Raw(digits)));
            }
            (Shape::Object(_), Some(b'{')) => self.object(held, &mut reader, sink),
            _ => *held = self.put(piece, sink),
        }
    }

    /// Puts a new value at the place at work.
    fn put(&mut self, value: Raw<'_>, sink: &mut impl Sink) -> Shape {
        self.changes += 1;
        let mut text = String::with_capacity(value.as_str().len());
        let shape = Shape::of(value, self.keys, &mut text, &mut self.budget);
        let path: Vec<&str> = self.path.iter().map(String::as_str).collect();
        sink.set_in(self.node, schema::DATA, &path, Value::Json(Raw(&text)));
        shape
    }
}
