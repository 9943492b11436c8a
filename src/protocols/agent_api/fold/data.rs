//! Data that arrives in pieces: determines what each piece changes, with an outline that is kept
//! instead of the data.

use alloc::{borrow::ToOwned, boxed::Box, string::String, vec::Vec};

use super::content::ContentPosition;
use super::{AgentApiFold, CellValue};
use crate::bytes::string_map::StringMap;
use crate::engine::{Context, Digest, DigestKey, FieldValue, ObjectId};
use crate::json::{
    self, Element, ObjectWriter, Raw, Str, SurrogateHalf, decode_into, joined, write_string,
};
use crate::protocols::agent_api::DataMerge;
use crate::protocols::agent_api::lifecycle::ObjectPhase;
use crate::protocols::agent_api::model::DataContent;

impl AgentApiFold {
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
        if part.phase == ObjectPhase::Ended || cx.is_full(part.node, DataContent::data) {
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
                let mut merge = DataMerger {
                    rule: self.choices.data_merge,
                    keys,
                    node: part.node,
                    path: Vec::new(),
                    scratch: &mut self.scratch,
                    appended: None,
                };
                merge.object(shape, data, cx);
                if let Some(key) = merge.appended {
                    self.appended = ContentPosition { at, place, key: Some(key), node: part.node };
                }
            }
        }
        part.value = CellValue::Pieces;
        self.link_tool(at, place, data, cx);
    }
}

/// Returns a value unchanged, or rewritten without the unpaired halves of characters in it.
fn free<'v>(value: Element<'v, 'v>, halves: bool, scratch: &'v mut String) -> FieldValue<'v> {
    if !halves {
        return FieldValue::Free(value);
    }
    scratch.clear();
    write_full(value, scratch);
    FieldValue::Json(Raw(scratch))
}

struct DataMerger<'f> {
    rule: DataMerge,
    keys: &'f DigestKey,
    node: ObjectId,
    /// Names of the members that lead to the current value.
    path: Vec<String>,
    scratch: &'f mut String,
    /// The key of a text at the top level that a piece was appended to.
    appended: Option<String>,
}

impl DataMerger<'_> {
    /// Merges the members of a piece into an existing object.
    fn object(&mut self, outline: &mut Outline, piece: Element<'_, '_>, cx: &mut Context<'_>) {
        let Outline::Object(members) = outline else { return };
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

    /// Merges a value into an existing one. A null changes nothing: models send it for members that
    /// they have already sent.
    fn member(&mut self, outline: &mut Outline, piece: Element<'_, '_>, cx: &mut Context<'_>) {
        let path: Vec<&str> = self.path.iter().map(String::as_str).collect();
        match (&mut *outline, piece.first()) {
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
                let digits = outline.digits().max(summand.len()) + 1;
                if !cx.adds_digits(self.node, DataContent::data, digits) {
                    return;
                }
                let float = outline.is_float() || !json::is_integer(summand);
                if cx.add_in(self.node, DataContent::data, &path, piece.raw(), float) {
                    *outline = Outline::Sum { float, digits };
                }
            }
            (Outline::Object(_), b'{') => self.object(outline, piece, cx),
            _ => {
                if let Some(shape) = self.put(piece, 0, cx) {
                    *outline = shape;
                }
            }
        }
    }

    /// Puts a new value, with this number of new keys, at the current path. The replaced value
    /// continues to be counted.
    fn put(
        &mut self,
        value: Element<'_, '_>,
        keys: usize,
        cx: &mut Context<'_>,
    ) -> Option<Outline> {
        if !cx.data_nodes(self.node, DataContent::data, keys + nodes(value)) {
            return None;
        }
        let mut halves = false;
        let shape = Outline::of(value, self.keys, &mut halves);
        let path: Vec<&str> = self.path.iter().map(String::as_str).collect();
        cx.set_in(self.node, DataContent::data, &path, free(value, halves, self.scratch))
            .then_some(shape)
    }
}

/// The outline of a JSON value, which is enough to decide how a piece continues it.
#[derive(Clone, Debug)]
pub(super) enum Outline {
    Null,
    Bool(bool),
    /// The digits, until another number is added to it.
    Number(String),
    /// A sum, whose digits only the sink has.
    Sum {
        float: bool,
        /// The maximum number of digits.
        digits: usize,
    },
    Text(Digest, SurrogateHalf),
    List,
    Object(StringMap<Outline>),
}

impl Outline {
    /// Returns the outline of a value; sets `halves` if the value contains an unpaired half of a
    /// character.
    pub fn of(value: Element<'_, '_>, keys: &DigestKey, halves: &mut bool) -> Outline {
        match value.first() {
            b'"' => {
                let (mut decoded, mut half) = (String::new(), SurrogateHalf::NONE);
                let (text, lone) = value
                    .string()
                    .map(|text| joined(text, &mut half, &mut decoded))
                    .unwrap_or_default();
                *halves |= lone > 0 || half.is_waiting();
                Outline::Text(keys.digest(text), half)
            }
            b'{' => {
                let mut members = StringMap::default();
                for (key, value) in value.members() {
                    members.insert(&key.to_str(), Self::of(value, keys, halves));
                }
                Outline::Object(members)
            }
            b'[' => Outline::List,
            b't' => Outline::Bool(true),
            b'f' => Outline::Bool(false),
            b'n' => Outline::Null,
            _ => Outline::Number(value.raw().as_str().to_owned()),
        }
    }

    /// Returns whether the value is a number other than an integer.
    pub fn is_float(&self) -> bool {
        match self {
            Outline::Number(digits) => !json::is_integer(digits),
            Outline::Sum { float, .. } => *float,
            _ => false,
        }
    }

    /// Returns the maximum number of digits of a number, including its sign, point and exponent.
    pub fn digits(&self) -> usize {
        match self {
            Outline::Number(digits) => digits.len(),
            Outline::Sum { digits, .. } => *digits,
            _ => 0,
        }
    }

    /// Returns whether the value is an object without members.
    pub fn is_empty(&self) -> bool {
        matches!(self, Outline::Object(members) if members.len() == 0)
    }

    /// Returns whether a value is certainly equal to the merged one.
    pub fn is(&self, value: Element<'_, '_>, keys: &DigestKey) -> bool {
        match self {
            Outline::Null => value.is_null(),
            Outline::Bool(known) => value.bool() == Ok(*known),
            Outline::Number(known) => value.number() == Ok(known.as_str()),
            Outline::Text(known, half) => {
                !half.is_waiting()
                    && value.string().is_ok_and(|text| keys.digest(&text.to_str()) == *known)
            }
            Outline::Object(members) => value.object().is_ok_and(|mut object| {
                let same = |(key, value): (Str<'_>, _)| {
                    members.get(&key.to_str()).is_some_and(|member| member.is(value, keys))
                };
                object.count() == members.len() && object.all(same)
            }),
            // The elements of lists and the digits of sums are not kept.
            Outline::List | Outline::Sum { .. } => false,
        }
    }
}

/// Returns the number of keys and elements in a value.
pub(super) fn nodes(value: Element<'_, '_>) -> usize {
    let members = value.members().map(|(_, value)| 1 + nodes(value));
    members.sum::<usize>() + value.items().map(|item| 1 + nodes(item)).sum::<usize>()
}

/// Writes a value without the halves of characters at the end of its strings: its outline keeps
/// them for the next piece.
pub(super) fn write_full(value: Element<'_, '_>, out: &mut String) {
    if let Ok(string) = value.string() {
        let (mut text, mut half) = (String::new(), SurrogateHalf::NONE);
        decode_into(string, &mut half, &mut text);
        return write_string(&text, out);
    }
    let Ok(object) = value.object() else { return out.push_str(value.raw().as_str()) };
    let mut written = ObjectWriter::open(out, false);
    for (key, value) in object {
        write_full(value, written.member(&key.to_str()));
    }
    written.close();
}

/// Returns whether a text begins with the text of a digest.
pub(super) fn starts_with(text: &str, known: &Digest, keys: &DigestKey) -> bool {
    let start = text.as_bytes().get(..known.len() as usize);
    start.is_some_and(|start| {
        let mut start_digest = Digest::default();
        start_digest.push(keys, start);
        start_digest == *known
    })
}

/// R26: returns whether every text of `data` begins with the text under the same key of the shape,
/// and all of the shape's keys are present.
pub(super) fn continues(shape: &Outline, data: Element<'_, '_>, keys: &DigestKey) -> bool {
    let Outline::Object(members) = shape else { return false };
    let mut found = 0;
    let mut continues = true;
    for (key, value) in data.members() {
        let Some(member) = members.get(&key.to_str()) else { continue };
        found += 1;
        continues &= match (member, value.string()) {
            (Outline::Text(known, _), Ok(text)) => starts_with(&text.to_str(), known, keys),
            _ => true,
        };
    }
    continues && found == members.len()
}
