//! What the fold remembers of data in place of the data.

use alloc::borrow::ToOwned;
use alloc::string::String;

use crate::fold::{Digest, Keys, Names};
use crate::json::{self, Raw, Reader, SurrogateHalf, decode_into, write_string};

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
                let mut members = Names::default();
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
                        members.insert(&key, shape);
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

    /// Whether it is a number that is no integer.
    pub fn is_float(&self) -> bool {
        match self {
            Shape::Number(digits) => !json::is_integer(digits),
            Shape::Sum(float) => *float,
            Shape::Null | Shape::Bool(_) | Shape::Text(..) | Shape::List | Shape::Object(_) => false,
        }
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
                    same &= members.get(&key.to_str()).is_some_and(|member| member.is(value, keys));
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
        let Some(member) = members.get(&key.to_str()) else {
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
