//! Outlines of data, which are kept instead of the data.

use alloc::{borrow::ToOwned, string::String};

use crate::bytes::string_map::StringMap;
use crate::engine::{Digest, Keys};
use crate::json::{self, Element, Str, SurrogateHalf, decode_into, joined, write_string};

/// The outline of a JSON value, which is enough to decide how a piece continues it.
#[derive(Debug)]
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
    /// Returns the outline of a value; sets `halves` if the value contains an unpaired half of a character.
    pub fn of(value: Element<'_, '_>, keys: &Keys, halves: &mut bool) -> Outline {
        match value.first() {
            b'"' => {
                let (mut decoded, mut half) = (String::new(), SurrogateHalf::NONE);
                let (text, lone) =
                    value.string().map(|text| joined(text, &mut half, &mut decoded)).unwrap_or_default();
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
            Outline::Null | Outline::Bool(_) | Outline::Text(..) | Outline::List | Outline::Object(_) => {
                false
            }
        }
    }

    /// Returns the maximum number of digits of a number, including its sign, point and exponent.
    pub fn digits(&self) -> usize {
        match self {
            Outline::Number(digits) => digits.len(),
            Outline::Sum { digits, .. } => *digits,
            Outline::Null | Outline::Bool(_) | Outline::Text(..) | Outline::List | Outline::Object(_) => 0,
        }
    }

    /// Returns whether the value is an object without members.
    pub fn is_empty(&self) -> bool {
        matches!(self, Outline::Object(members) if members.len() == 0)
    }

    /// Returns whether a value is certainly equal to the merged one.
    pub fn is(&self, value: Element<'_, '_>, keys: &Keys) -> bool {
        match self {
            Outline::Null => value.is_null(),
            Outline::Bool(held) => value.bool() == Ok(*held),
            Outline::Number(held) => value.number() == Ok(held.as_str()),
            Outline::Text(held, half) => {
                !half.is_waiting() && value.string().is_ok_and(|text| keys.digest(&text.to_str()) == *held)
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

/// Writes a value without the halves of characters at the end of its strings: its outline keeps them for the next
/// piece.
pub(super) fn write_full(value: Element<'_, '_>, out: &mut String) {
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
        write_full(value, out);
    }
    out.push('}');
}

/// Returns whether a text begins with the text of a digest.
pub(super) fn starts_with(text: &str, held: &Digest, keys: &Keys) -> bool {
    let start = text.as_bytes().get(..held.len() as usize);
    start.is_some_and(|start| {
        let mut said = Digest::default();
        said.push(keys, start);
        said == *held
    })
}

/// R26: returns whether every text of `data` begins with the text under the same key of the shape, and all of the
/// shape's keys are present.
pub(super) fn continues(shape: &Outline, data: Element<'_, '_>, keys: &Keys) -> bool {
    let Outline::Object(members) = shape else {
        return false;
    };
    let mut found = 0;
    let mut continues = true;
    for (key, value) in data.members() {
        let Some(member) = members.get(&key.to_str()) else { continue };
        found += 1;
        continues &= match (member, value.string()) {
            (Outline::Text(held, _), Ok(text)) => {
                let text = text.to_str();
                starts_with(&text, held, keys)
            }
            _ => true,
        };
    }
    continues && found == members.len()
}
