//! Writes the JSON text of an event as its message.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use super::wire::{put_bytes, put_integer};
use super::{Binary, Slot};
use crate::core::declare::events::filter::{Filter, Row};
use crate::core::error::DecodeError;
use crate::json::{self, Document, Element, ErrorKind, Str};

/// An event as a message, with a list of losses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Encoded {
    /// The message, preceded by its length: four bytes, the most significant first.
    pub frame: Vec<u8>,
    /// JSON Pointers to values that the format cannot represent: members that the protocol does not declare, parts of
    /// an unknown kind, integers beyond 2^53 in free JSON, unpaired surrogates.
    pub lost: Vec<String>,
}

/// Writes the message of an event, given as one JSON object.
pub(crate) fn write(binary: &Binary, event: &str, max_depth: u32) -> Result<Encoded, DecodeError> {
    let document = Document::read(event, max_depth).map_err(|error| DecodeError::new(error, ""))?;
    let reading = binary.events.read(document.root())?;
    let mut writing = Writing::default();
    let name = reading.name.map(Str::to_str);
    let Some((name, numbers)) = name.as_deref().and_then(|name| binary.find(name)) else {
        let error =
            json::Error { kind: ErrorKind::WrongType { expected: "an event that has a message" }, at: 0 };
        return Err(DecodeError::new(error, "type"));
    };
    let slots: Vec<Slot> = binary.slots(name, numbers).collect();
    let (mut common, mut message) = (Vec::new(), Vec::new());
    let type_number = (binary.type_of)(numbers.event);
    if type_number > 0 {
        put_integer(&mut common, 1, type_number.into());
    }
    let of = |is_common: bool| slots.iter().filter(move |slot| slot.number.is_common() == is_common).copied();
    writing.members(document.root(), of(true), &mut common)?;
    put_bytes(&mut message, 1, &common);
    writing.members(document.root(), of(false), &mut message)?;
    writing.lose_others(document.root(), &|member| {
        member == "type" || slots.iter().any(|slot| slot.name == member)
    });
    let mut event = Vec::with_capacity(message.len() + 8);
    put_bytes(&mut event, numbers.event, &message);
    let length = u32::try_from(event.len()).map_err(|_| writing.wrong(document.root(), "less than 4 GiB"))?;
    writing.encoded.frame.extend_from_slice(&length.to_be_bytes());
    writing.encoded.frame.append(&mut event);
    Ok(writing.encoded)
}

/// A message that is being written.
#[derive(Debug, Default)]
pub(super) struct Writing {
    encoded: Encoded,
    /// The members that are being written.
    pub path: Vec<String>,
}

impl Writing {
    /// Notes that the current value is not in the message, or is changed.
    pub fn lose(&mut self) {
        let pointer =
            self.path.iter().flat_map(|step| ["/".to_owned(), step.replace('~', "~0").replace('/', "~1")]);
        self.encoded.lost.push(pointer.collect());
    }

    pub fn wrong(&self, value: Element<'_, '_>, expected: &'static str) -> DecodeError {
        let error = json::Error { kind: ErrorKind::WrongType { expected }, at: value.offset() };
        DecodeError::new(error, self.path.join("."))
    }

    fn lose_others(&mut self, object: Element<'_, '_>, is_known: &dyn Fn(&str) -> bool) {
        for (name, _) in object.members() {
            let name = name.to_str();
            if !is_known(&name) {
                self.path.push(name.into_owned());
                self.lose();
                self.path.pop();
            }
        }
    }

    /// Writes the members of an object that have a field, in the order of their numbers.
    fn members(
        &mut self,
        object: Element<'_, '_>,
        slots: impl Iterator<Item = Slot>,
        out: &mut Vec<u8>,
    ) -> Result<(), DecodeError> {
        let mut here = Vec::new();
        for slot in slots {
            let Some(value) = member(object, slot.name).filter(|value| is_said(slot.filter, *value)) else {
                continue;
            };
            if slot.number.is_inside() {
                let Filter::OneOf(tag, variants, _) = slot.filter else { continue };
                self.path.push(slot.name.into());
                let variant = variants.iter().find(|(name, _)| text(value, tag).as_deref() == Some(*name));
                match variant {
                    Some((_, rows)) => {
                        here.extend(
                            rows.iter().filter_map(|row| Some((Slot::of(row), member(value, row.name)?))),
                        );
                        self.lose_others(value, &|name| rows.iter().any(|row| row.name == name));
                    }
                    None => self.lose(),
                }
                self.path.pop();
            } else if slot.number.field() == 0 {
                self.path.push(slot.name.into());
                self.lose();
                self.path.pop();
            } else {
                here.push((slot, value));
            }
        }
        here.sort_by_key(|(slot, value)| match slot.filter {
            Filter::TextOr(_) if value.string().is_err() => slot.number.other(),
            _ => slot.number.field(),
        });
        for (slot, value) in here {
            self.path.push(slot.name.into());
            self.member(&slot, value, out)?;
            self.path.pop();
        }
        Ok(())
    }

    fn member(&mut self, slot: &Slot, value: Element<'_, '_>, out: &mut Vec<u8>) -> Result<(), DecodeError> {
        let number = slot.number.field();
        match slot.filter {
            Filter::TextOr(Filter::List(items, _)) if value.string().is_err() => {
                return self.list(items, slot.number.other(), value, out);
            }
            Filter::List(items, _) => return self.list(items, number, value, out),
            Filter::Integer(_) => {
                let integer = value.integer().map_err(|_| self.wrong(value, "integer"))?;
                put_integer(out, number, integer as u64);
            }
            Filter::Bool => {
                let is = value.bool().map_err(|_| self.wrong(value, "boolean"))?;
                put_integer(out, number, is.into());
            }
            Filter::Text | Filter::Word(_) | Filter::Pointer | Filter::TextOr(_) => {
                let text = value.string().map_err(|_| self.wrong(value, "string"))?;
                let text = self.characters(text);
                if !slot.is_implicit() || !text.is_empty() {
                    put_bytes(out, number, text.as_bytes());
                }
            }
            Filter::Object if !slot.number.is_value() => put_bytes(out, number, &self.object(value)?),
            Filter::Any | Filter::NotNull | Filter::Object => {
                let mut message = Vec::new();
                self.value(value, &mut message)?;
                put_bytes(out, number, &message);
            }
            filter => {
                if let Some(message) = self.item(filter, value)? {
                    put_bytes(out, number, &message);
                }
            }
        }
        Ok(())
    }

    fn list(
        &mut self,
        items: &'static Filter,
        number: u32,
        value: Element<'_, '_>,
        out: &mut Vec<u8>,
    ) -> Result<(), DecodeError> {
        for (at, item) in value.array().map_err(|_| self.wrong(value, "array"))?.enumerate() {
            self.path.push(json::decimal(at as i64));
            if let Some(message) = self.item(items, item)? {
                put_bytes(out, number, &message);
            }
            self.path.pop();
        }
        Ok(())
    }

    /// Returns an element of a list, or a member that is a message; `None` if it is absent.
    fn item(
        &mut self,
        filter: &'static Filter,
        value: Element<'_, '_>,
    ) -> Result<Option<Vec<u8>>, DecodeError> {
        let mut out = Vec::new();
        match filter {
            Filter::Text => {
                let text = value.string().map_err(|_| self.wrong(value, "string"))?;
                out = self.characters(text).into_bytes();
            }
            Filter::Members(rows) => self.object_of(value, rows, &mut out)?,
            Filter::OneOf(tag, variants, _) => {
                let name = text(value, tag);
                let Some(at) = variants.iter().position(|(known, _)| name.as_deref() == Some(*known)) else {
                    self.lose();
                    return Ok(None);
                };
                let rows = variants[at].1;
                let tag = rows.iter().find(|row| row.name == *tag).map(Slot::of);
                let Some(tag) = tag else { return Ok(None) };
                if tag.number.is_enum() && at > 0 {
                    put_integer(&mut out, tag.number.field(), at as u64);
                }
                if tag.number.field() == 0 || tag.number.is_enum() {
                    let rows = rows.iter().filter(|row| row.name != tag.name);
                    self.object_of_rows(value, rows, tag.name, &mut out)?;
                } else {
                    self.object_of(value, rows, &mut out)?;
                }
                if tag.number.field() == 0 {
                    let message = core::mem::take(&mut out);
                    put_bytes(&mut out, at as u32 + 1, &message);
                }
            }
            _ => return Ok(None),
        }
        Ok(Some(out))
    }

    fn object_of(
        &mut self,
        value: Element<'_, '_>,
        rows: &'static [Row],
        out: &mut Vec<u8>,
    ) -> Result<(), DecodeError> {
        self.object_of_rows(value, rows.iter(), "", out)
    }

    fn object_of_rows(
        &mut self,
        value: Element<'_, '_>,
        rows: impl Iterator<Item = &'static Row> + Clone,
        but: &str,
        out: &mut Vec<u8>,
    ) -> Result<(), DecodeError> {
        if value.object().is_err() {
            return Err(self.wrong(value, "object"));
        }
        self.lose_others(value, &|name| name == but || rows.clone().any(|row| row.name == name));
        self.members(value, rows.map(Slot::of), out)
    }
}

/// Whether a member has a value. Null is a value only in free JSON.
fn is_said(filter: &Filter, value: Element<'_, '_>) -> bool {
    !value.is_null() || matches!(filter, Filter::Any)
}

fn member<'d, 'a>(object: Element<'d, 'a>, name: &str) -> Option<Element<'d, 'a>> {
    object.object().ok()?.filter(|(key, _)| *key == name).last().map(|(_, value)| value)
}

fn text<'a>(object: Element<'_, 'a>, name: &str) -> Option<alloc::borrow::Cow<'a, str>> {
    member(object, name)?.string().ok().map(Str::to_str)
}
