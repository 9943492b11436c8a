//! What the fold remembers of data in place of the data.

use alloc::borrow::ToOwned;
use alloc::string::String;

use crate::fold::{Digest, Keys, Names};
use crate::json::{self, Element, Str, SurrogateHalf, decode_into, write_string};

/// What is known of a JSON value: enough to decide how a piece continues it.
#[derive(Debug)]
pub(super) enum Shape {
    Null,
    Bool(bool),
    /// The digits, until another number is added to it.
    Number(String),
    /// A sum, which only the sink knows; whether it is a float.
    Sum(bool),
    Text(Digest, SurrogateHalf),
    List,
    Object(Names<Shape>),
}

impl Shape {
    /// The shape of a value. Writes the value to `out` too, without the halves of characters that its strings end in:
    /// those wait in the shape for the next piece. `budget` bounds the keys and elements.
    pub fn of(value: Element<'_, '_>, keys: &Keys, out: &mut String, budget: &mut usize) -> Shape {
        if let Ok(string) = value.string() {
            let (mut text, mut half) = (String::new(), SurrogateHalf::NONE);
            decode_into(string, &mut half, &mut text);
            write_string(&text, out);
            return Shape::Text(keys.digest(&text), half);
        }
        let Ok(object) = value.object() else {
            let raw = value.raw().as_str();
            out.push_str(raw);
            return match value.first() {
                b'[' => Shape::List,
                b't' | b'f' => Shape::Bool(raw == "true"),
                b'n' => Shape::Null,
                _ => Shape::Number(raw.to_owned()),
            };
        };
        let mut members = Names::default();
        out.push('{');
        for (at, (key, value)) in object.enumerate() {
            if at > 0 {
                out.push(',');
            }
            let key = key.to_str();
            write_string(&key, out);
            out.push(':');
            let shape = Self::of(value, keys, out, budget);
            if *budget > 0 {
                *budget -= 1;
                members.insert(&key, shape);
            }
        }
        out.push('}');
        Shape::Object(members)
    }

    /// Whether it is a number that is no integer.
    pub fn is_float(&self) -> bool {
        match self {
            Shape::Number(digits) => !json::is_integer(digits),
            Shape::Sum(float) => *float,
            Shape::Null | Shape::Bool(_) | Shape::Text(..) | Shape::List | Shape::Object(_) => false,
        }
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
            Shape::List | Shape::Sum(_) => false,
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
