//! Events in the wire format of Protocol Buffers: the same events as in JSON, read from and written
//! to messages by tables.
//!
//! A declaration gives each member the number of its field; the format of a member in a message
//! follows from its format in JSON. A message is read into the JSON text of its event, which is
//! then processed like every other event, so that both encodings are checked equally.

mod read;
mod value;
mod write;

use alloc::borrow::Cow;
use alloc::vec::Vec;

use super::declare::events::form::Check;
use super::declare::events::table::{EventMemberRow, EventRow, EventTable, FieldNumber};

pub use read::Decoded;
pub use write::EncodedEvent;

pub(crate) use read::read;
pub(crate) use write::write;

/// The tables of a protocol's messages.
#[derive(Debug)]
pub struct Binary {
    /// The `Content-Type` of such a stream.
    pub(crate) media_type: &'static str,
    pub(crate) events: &'static EventTable,
    /// The number in the field `type` of an event, by the number of the event's field.
    pub(crate) type_of: fn(u32) -> u32,
}

/// A member of an object or an event, and its field.
#[derive(Clone, Copy, Debug)]
struct FieldSlot {
    name: &'static str,
    number: FieldNumber,
    check: Check,
    is_required: bool,
}

impl FieldSlot {
    fn of(row: &'static EventMemberRow) -> Self {
        FieldSlot {
            name: row.name,
            number: row.number,
            check: row.check,
            is_required: row.is_needed,
        }
    }

    /// Returns the slot of a member of an event.
    fn of_event(row: &'static EventMemberRow) -> Self {
        let plain = match row.check {
            Check::Text | Check::Id => Check::Text,
            _ if row.is_needed => Check::Any,
            _ => Check::NotNull,
        };
        FieldSlot { check: row.inside.copied().unwrap_or(plain), ..FieldSlot::of(row) }
    }

    /// Whether the field is in every message, and omitted if it has its default value.
    fn is_implicit(&self) -> bool {
        self.is_required && !self.number.has_presence()
    }
}

impl Binary {
    /// Returns an event that has a message.
    fn find(&self, matches: impl Fn(&EventRow) -> bool) -> Option<&'static EventRow> {
        self.events.rows.iter().find(|row| row.number > 0 && matches(row))
    }
}

// The wire format of Protocol Buffers: a sequence of fields.

/// The reason why a message cannot be read.
type WireError = &'static str;

/// The fields of a message.
#[derive(Clone, Copy, Debug)]
struct Fields<'a>(pub &'a [u8]);

/// The value of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ProtobufValue<'a> {
    /// An integer, a boolean or an enumeration.
    Varint(u64),
    /// Eight bytes: a floating point number.
    Fixed64(u64),
    /// A string or a message.
    Bytes(&'a [u8]),
    /// Four bytes, or a group, which is skipped. The declared fields do not have these types.
    Other,
}

const CUT: WireError = "the rest of the message";
const NO_GROUP: WireError = "a group that has begun";

impl<'a> Fields<'a> {
    /// Returns the next field and its number.
    pub fn next(&mut self) -> Result<Option<(u32, ProtobufValue<'a>)>, WireError> {
        let mut groups = 0u32;
        while !self.0.is_empty() {
            let tag = u32::try_from(self.varint()?).map_err(|_| "the number of a field")?;
            let number = tag >> 3;
            if number == 0 {
                return Err("the number of a field");
            }
            let value = match tag & 7 {
                0 => ProtobufValue::Varint(self.varint()?),
                1 => ProtobufValue::Fixed64(u64::from_le_bytes(
                    self.take(8)?.try_into().map_err(|_| CUT)?,
                )),
                2 => {
                    let length = usize::try_from(self.varint()?).map_err(|_| CUT)?;
                    ProtobufValue::Bytes(self.take(length)?)
                }
                3 => {
                    groups += 1;
                    continue;
                }
                4 => {
                    groups = groups.checked_sub(1).ok_or(NO_GROUP)?;
                    ProtobufValue::Other
                }
                5 => {
                    self.take(4)?;
                    ProtobufValue::Other
                }
                _ => return Err("a wire type"),
            };
            if groups == 0 {
                return Ok(Some((number, value)));
            }
        }
        if groups == 0 { Ok(None) } else { Err("the end of a group") }
    }

    fn take(&mut self, length: usize) -> Result<&'a [u8], WireError> {
        let (taken, rest) = self.0.split_at_checked(length).ok_or(CUT)?;
        self.0 = rest;
        Ok(taken)
    }

    fn varint(&mut self) -> Result<u64, WireError> {
        let mut value = 0;
        for at in 0..10 {
            let byte = *self.0.get(at).ok_or(CUT)?;
            value |= u64::from(byte & 0x7f) << (7 * at);
            if byte < 0x80 {
                self.0 = &self.0[at + 1..];
                return Ok(value);
            }
        }
        Err("an integer of at most ten bytes")
    }

    /// Returns the last value of a field.
    pub fn last(mut self, wanted: u32) -> Result<Option<ProtobufValue<'a>>, WireError> {
        let mut last = None;
        while let Some((number, value)) = self.next()? {
            if number == wanted {
                last = Some(value);
            }
        }
        Ok(last)
    }

    /// Returns the message in a field: the bytes of all its occurrences, concatenated.
    pub fn message(mut self, wanted: u32) -> Result<Option<Cow<'a, [u8]>>, WireError> {
        let mut all: Option<Cow<'a, [u8]>> = None;
        while let Some((number, value)) = self.next()? {
            if let ProtobufValue::Bytes(bytes) = value
                && number == wanted
            {
                match &mut all {
                    None => all = Some(Cow::Borrowed(bytes)),
                    Some(all) => all.to_mut().extend_from_slice(bytes),
                }
            }
        }
        Ok(all)
    }

    /// Returns the last one of several alternative fields, which is the valid one.
    pub fn arm(mut self, most: u32) -> Result<Option<u32>, WireError> {
        let mut last = None;
        while let Some((number, _)) = self.next()? {
            if number <= most {
                last = Some(number);
            }
        }
        Ok(last)
    }
}

/// Appends an integer.
fn put_varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Appends a field that is an integer.
fn put_integer(out: &mut Vec<u8>, number: u32, value: u64) {
    put_varint(out, u64::from(number) << 3);
    put_varint(out, value);
}

/// Appends a field that is a number with eight bytes.
fn put_float(out: &mut Vec<u8>, number: u32, value: f64) {
    put_varint(out, u64::from(number) << 3 | 1);
    out.extend_from_slice(&value.to_le_bytes());
}

/// Appends a field that is a string or a message.
fn put_bytes(out: &mut Vec<u8>, number: u32, bytes: &[u8]) {
    put_varint(out, u64::from(number) << 3 | 2);
    put_varint(out, bytes.len() as u64);
    out.extend_from_slice(bytes);
}
