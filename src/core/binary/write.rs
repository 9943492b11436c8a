//! Writes the JSON text of an event as its message.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use super::{Binary, FieldSlot, put_bytes, put_integer};
use crate::core::declare::events::form::Check;
use crate::core::declare::events::table::{EventMemberRow, EventTable};
use crate::core::error::DecodeError;
use crate::json::{self, Document, Element, JsonErrorKind, Str};

/// An event as a message, with a list of losses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct EncodedEvent {
    /// The message, preceded by its length: four bytes, the most significant first.
    pub frame: Vec<u8>,
    /// JSON Pointers to values that the format cannot represent: members that the protocol does not
    /// declare, parts of an unknown kind, integers beyond 2^53 in free JSON, unpaired surrogates.
    pub lost: Vec<String>,
}

/// Writes the message of an event, given as one JSON object.
pub(crate) fn write(
    binary: &Binary,
    event: &str,
    max_depth: u32,
) -> Result<EncodedEvent, DecodeError> {
    let document = Document::read(event, max_depth).map_err(|error| DecodeError::new(error, ""))?;
    let reading = binary.events.read(document.root())?;
    let mut writing = MessageEncoder::default();
    let name = reading.name.map(Str::to_str);
    let Some(row) = name.and_then(|name| binary.find(|row| name == row.name)) else {
        let error = json::Error {
            kind: JsonErrorKind::WrongType { expected: "an event that has a message" },
            at: 0,
        };
        return Err(DecodeError::new(error, "type"));
    };
    let slots: Vec<FieldSlot> = row.members.iter().map(FieldSlot::of_event).collect();
    let (mut common, mut message) = (Vec::new(), Vec::new());
    let type_number = (binary.type_of)(row.number);
    if type_number > 0 {
        put_integer(&mut common, 1, type_number.into());
    }
    let of = |is_common: bool| {
        slots.iter().filter(move |slot| slot.number.is_common() == is_common).copied()
    };
    writing.members(document.root(), of(true), &mut common)?;
    put_bytes(&mut message, 1, &common);
    writing.members(document.root(), of(false), &mut message)?;
    writing.lose_others(document.root(), &|member| {
        member == "type" || slots.iter().any(|slot| slot.name == member)
    });
    let mut event = Vec::with_capacity(message.len() + 8);
    put_bytes(&mut event, row.number, &message);
    let length = u32::try_from(event.len())
        .map_err(|_| writing.wrong(document.root(), "less than 4 GiB"))?;
    writing.encoded.frame.extend_from_slice(&length.to_be_bytes());
    writing.encoded.frame.append(&mut event);
    Ok(writing.encoded)
}

/// A message that is being written.
#[derive(Debug, Default)]
pub(super) struct MessageEncoder {
    encoded: EncodedEvent,
    /// The members that are being written.
    pub path: Vec<String>,
}

impl MessageEncoder {
    /// Notes that the current value is not in the message, or is changed.
    pub fn lose(&mut self) {
        let pointer = self
            .path
            .iter()
            .flat_map(|step| ["/".to_owned(), step.replace('~', "~0").replace('/', "~1")]);
        self.encoded.lost.push(pointer.collect());
    }

    pub fn wrong(&self, value: Element<'_, '_>, expected: &'static str) -> DecodeError {
        let error = json::Error { kind: JsonErrorKind::WrongType { expected }, at: value.offset() };
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
        slots: impl Iterator<Item = FieldSlot>,
        out: &mut Vec<u8>,
    ) -> Result<(), DecodeError> {
        let mut here = Vec::new();
        for slot in slots {
            let Some(value) =
                object.member(slot.name).filter(|value| has_value(slot.check, *value))
            else {
                continue;
            };
            if slot.number.is_inside() {
                let Check::Object(table) = slot.check else { continue };
                self.path.push(slot.name.into());
                let variant = table
                    .rows
                    .iter()
                    .find(|row| text(value, table.tag).as_deref() == Some(row.name));
                match variant.map(|row| row.members) {
                    Some(rows) => {
                        here.extend(
                            rows.iter().filter_map(|row| {
                                Some((FieldSlot::of(row), value.member(row.name)?))
                            }),
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
        here.sort_by_key(|(slot, value)| match slot.check {
            Check::TextOr(_) if value.string().is_err() => slot.number.other(),
            _ => slot.number.field(),
        });
        for (slot, value) in here {
            self.path.push(slot.name.into());
            self.member(&slot, value, out)?;
            self.path.pop();
        }
        Ok(())
    }

    fn member(
        &mut self,
        slot: &FieldSlot,
        value: Element<'_, '_>,
        out: &mut Vec<u8>,
    ) -> Result<(), DecodeError> {
        let number = slot.number.field();
        match slot.check {
            Check::TextOr(_) if value.string().is_err() => {
                return self.list(slot.check, slot.number.other(), value, out);
            }
            Check::Texts | Check::List(_) | Check::NonEmpty(_) | Check::OpenList(_) => {
                return self.list(slot.check, number, value, out);
            }
            Check::Integer | Check::Safe | Check::Count => {
                let integer = value.integer().map_err(|_| self.wrong(value, "integer"))?;
                put_integer(out, number, integer as u64);
            }
            Check::Bool => {
                let is = value.bool().map_err(|_| self.wrong(value, "boolean"))?;
                put_integer(out, number, is.into());
            }
            Check::Text | Check::Id | Check::Word(_) | Check::Pointer | Check::TextOr(_) => {
                let text = value.string().map_err(|_| self.wrong(value, "string"))?;
                let text = self.characters(text);
                if !slot.is_implicit() || !text.is_empty() {
                    put_bytes(out, number, text.as_bytes());
                }
            }
            Check::AnyObject if !slot.number.is_value() => {
                put_bytes(out, number, &self.object(value)?)
            }
            Check::Any | Check::Unread | Check::Message | Check::NotNull | Check::AnyObject => {
                let mut message = Vec::new();
                self.value(value, &mut message)?;
                put_bytes(out, number, &message);
            }
            Check::Object(table) => {
                if let Some(message) = self.item(table, value)? {
                    put_bytes(out, number, &message);
                }
            }
        }
        Ok(())
    }

    fn list(
        &mut self,
        check: Check,
        number: u32,
        value: Element<'_, '_>,
        out: &mut Vec<u8>,
    ) -> Result<(), DecodeError> {
        for (at, item) in value.array().map_err(|_| self.wrong(value, "array"))?.enumerate() {
            self.path.push(json::decimal(at as i64));
            let message = match check.table() {
                Some(table) => self.item(table, item)?,
                None => {
                    let text = item.string().map_err(|_| self.wrong(item, "string"))?;
                    Some(self.characters(text).into_bytes())
                }
            };
            if let Some(message) = message {
                put_bytes(out, number, &message);
            }
            self.path.pop();
        }
        Ok(())
    }

    /// Returns an object as a message: an element of a list, or a member. `None` if it is absent.
    fn item(
        &mut self,
        table: &'static EventTable,
        value: Element<'_, '_>,
    ) -> Result<Option<Vec<u8>>, DecodeError> {
        let mut out = Vec::new();
        let name = if table.tag.is_empty() { Some("".into()) } else { text(value, table.tag) };
        let Some(at) = table.rows.iter().position(|row| name.as_deref() == Some(row.name)) else {
            self.lose();
            return Ok(None);
        };
        let rows = table.rows[at].members;
        let Some(tag) = rows.iter().find(|row| row.name == table.tag).map(FieldSlot::of) else {
            self.object_of(value, rows, "", &mut out)?;
            return Ok(Some(out));
        };
        if tag.number.is_enum() && at > 0 {
            put_integer(&mut out, tag.number.field(), at as u64);
        }
        let has_own_field = tag.number.field() > 0 && !tag.number.is_enum();
        self.object_of(value, rows, if has_own_field { "" } else { tag.name }, &mut out)?;
        if tag.number.field() == 0 {
            let message = core::mem::take(&mut out);
            put_bytes(&mut out, at as u32 + 1, &message);
        }
        Ok(Some(out))
    }

    /// Writes the members of an object except for the one named `but`.
    fn object_of(
        &mut self,
        value: Element<'_, '_>,
        rows: &'static [EventMemberRow],
        but: &str,
        out: &mut Vec<u8>,
    ) -> Result<(), DecodeError> {
        if value.object().is_err() {
            return Err(self.wrong(value, "object"));
        }
        self.lose_others(value, &|name| rows.iter().any(|row| row.name == name));
        self.members(value, rows.iter().filter(|row| row.name != but).map(FieldSlot::of), out)
    }
}

/// Whether a member has a value. Null is a value only in free JSON.
fn has_value(check: Check, value: Element<'_, '_>) -> bool {
    !value.is_null() || matches!(check, Check::Any)
}

fn text<'a>(object: Element<'_, 'a>, name: &str) -> Option<alloc::borrow::Cow<'a, str>> {
    object.member(name)?.string().ok().map(Str::to_str)
}
