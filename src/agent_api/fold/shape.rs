//! What the fold remembers of data in place of the data.

use alloc::borrow::ToOwned;
use alloc::string::String;

use crate::fold::{Digest, Keys, Names};
use crate::json::{self, Element, Str, SurrogateHalf, decode_into, joined, write_string};

/// What is known of a JSON value: enough to decide how a piece continues it.
#[derive(Debug)]
pub(super) enum Shape {
    Null,
    Bool(bool),
    /// The digits, until another number is added to it.
    Number(String),
    /// A sum, which only the sink knows.
    Sum {
        float: bool,
        /// How many digits it has at most.
        digits: usize,
    },
    Text(Digest, SurrogateHalf),
    List,
    Object(Names<Shape>),
}

impl Shape {
    /// The shape of a value; `halves` says afterwards that a half of a character stands somewhere in it.
    pub fn of(value: Element<'_, '_>, keys: &Keys, halves: &mut bool) -> Shape {
        match value.first() {
            b'"' => {
                let (mut decoded, mut half) = (String::new(), SurrogateHalf::NONE);
                let (text, lone) =
                    value.string().map(|text| joined(text, &mut half, &mut decoded)).unwrap_or_default();
                *halves |= lone > 0 || half.is_waiting();
                Shape::Text(keys.digest(text), half)
            }
            b'{' => {
                let mut members = Names::default();
                for (key, value) in value.object().into_iter().flatten() {
                    members.insert(&key.to_str(), Self::of(value, keys, halves));
                }
                Shape::Object(members)
            }
            b'[' => Shape::List,
            b't' => Shape::Bool(true),
            b'f' => Shape::Bool(false),
            b'n' => Shape::Null,
            _ => Shape::Number(value.raw().as_str().to_owned()),
        }
    }

    /// Whether it is a number that is no integer.
    pub fn is_float(&self) -> bool {
        match self {
            Shape::Number(digits) => !json::is_integer(digits),
            Shape::Sum { float, .. } => *float,
            Shape::Null | Shape::Bool(_) | Shape::Text(..) | Shape::List | Shape::Object(_) => false,
        }
    }

    /// How many digits a number has at most, with its sign and so on.
    pub fn digits(&self) -> usize {
        match self {
            Shape::Number(digits) => digits.len(),
            Shape::Sum { digits, .. } => *digits,
            Shape::Null | Shape::Bool(_) | Shape::Text(..) | Shape::List | Shape::Object(_) => 0,
        }
    }

    /// Whether it is an object without members.
    pub fn is_empty(&self) -> bool {
        matches!(self, Shape::Object(members) if members.len() == 0)
    }

    /// Whether a value is certainly the one that was put together.
    pub fn is(&self, value: Element<'_, '_>, keys: &Keys) -> bool {
        match self {
            Shape::Null => value.is_null(),
            Shape::Bool(held) => value.bool() == Ok(*held),
            Shape::Number(held) => value.number() == Ok(held.as_str()),
            Shape::Text(held, half) => {
                !half.is_waiting() && value.string().is_ok_and(|text| keys.digest(&text.to_str()) == *held)
            }
            Shape::Object(members) => value.object().is_ok_and(|mut object| {
                let same = |(key, value): (Str<'_>, _)| {
                    members.get(&key.to_str()).is_some_and(|member| member.is(value, keys))
                };
                object.count() == members.len() && object.all(same)
            }),
            // The elements, and the summands, are not kept.
            Shape::List | Shape::Sum { .. } => false,
        }
    }
}

/// How many keys and elements there are in a value.
pub(super) fn nodes(value: Element<'_, '_>) -> usize {
    let members = value.object().into_iter().flatten().map(|(_, value)| 1 + nodes(value));
    members.sum::<usize>() + value.array().into_iter().flatten().map(|item| 1 + nodes(item)).sum::<usize>()
}

/// Writes a value without the halves of characters that its strings end in: those wait in its shape for the next piece.
pub(super) fn write_whole(value: Element<'_, '_>, out: &mut String) {
    if let Ok(string) = value.string() {
        let (mut text, mut half) = (String::new(), SurrogateHalf::NONE);
        decode_into(string, &mut half, &mut text);
        return write_string(&text, out);
    }
    let Ok(object) = value.object() else { return out.push_str(value.raw().as_str()) };
    out.push('{');
    for (at, (key, value)) in object.enumerate() {
        if at > 0 {
            out.push(',');
        }
        write_string(&key.to_str(), out);
        out.push(':');
        write_whole(value, out);
    }
    out.push('}');
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
pub(super) fn continues(shape: &Shape, data: Element<'_, '_>, keys: &Keys) -> bool {
    let Shape::Object(members) = shape else {
        return false;
    };
    let mut found = 0;
    let mut continues = true;
    for (key, value) in data.object().into_iter().flatten() {
        let Some(member) = members.get(&key.to_str()) else { continue };
        found += 1;
        continues &= match (member, value.string()) {
            (Shape::Text(held, _), Ok(text)) => {
                let text = text.to_str();
                starts_with(&text, held, keys)
            }
            _ => true,
        };
    }
    continues && found == members.len()
}
