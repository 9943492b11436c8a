//! Reads a message into the JSON text of its event.

use alloc::string::String;
use alloc::vec::Vec;

use super::{Binary, FieldNumber, FieldSlot, Fields, ProtobufValue, WireError};
use crate::core::declare::events::form::Check;
use crate::core::declare::events::table::{EventRow, EventTable};
use crate::core::error::DecodeError;
use crate::core::limits::Limits;
use crate::json::{self, JsonErrorKind, push_integer, write_string};

/// An event as JSON text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Decoded {
    /// One JSON object.
    pub json: String,
    /// Whether bytes that are not UTF-8 were replaced by U+FFFD.
    pub replaced: bool,
}

/// Reads the message of an event; `None` is a message that was cut off. The limits bound the length
/// of the text and the depth of its values.
///
/// Undeclared fields are skipped, as usual in this format. The type of an event of a later version
/// is its number.
pub(crate) fn read(
    binary: Option<&Binary>,
    message: Option<&[u8]>,
    limits: &Limits,
) -> Result<Decoded, DecodeError> {
    let binary = binary.ok_or_else(|| no_message("a protocol whose events are bytes", ""))?;
    let message = message.ok_or_else(|| no_message("the rest of the frame", ""))?;
    let mut reading = MessageReading {
        out: String::with_capacity(message.len() + 64),
        replaced: false,
        most: limits.event_bytes,
        depth: limits.json_depth,
        path: Vec::new(),
    };
    match reading.event(binary, message) {
        Ok(()) => Ok(Decoded { json: reading.out, replaced: reading.replaced }),
        Err(expected) => Err(no_message(expected, &reading.path.join("."))),
    }
}

fn no_message(expected: WireError, path: &str) -> DecodeError {
    let mut error =
        DecodeError::new(json::Error { kind: JsonErrorKind::WrongType { expected }, at: 0 }, path);
    error.code = "not-a-message";
    error
}

/// A message that is being read.
#[derive(Debug)]
pub(super) struct MessageReading {
    pub out: String,
    pub replaced: bool,
    most: usize,
    /// How much deeper values may nest.
    depth: u32,
    /// The members that are being read.
    path: Vec<&'static str>,
}

/// The field of an event with the common members, and the field of the type in it.
const COMMON: u32 = 1;
const TYPE: u32 = 1;

impl MessageReading {
    fn event(&mut self, binary: &Binary, message: &[u8]) -> Result<(), WireError> {
        let mut fields = Fields(message);
        let mut arm = None;
        let mut unknown = None;
        while let Some((number, value)) = fields.next()? {
            let is_known = binary.find(|event| event.number == number).is_some();
            if is_known
                && (*arm.get_or_insert(number) != number
                    || !matches!(value, ProtobufValue::Bytes(_)))
            {
                return Err("one event");
            }
            unknown = Some(number).filter(|_| !is_known);
        }
        let Some(arm) = arm else {
            let unknown = unknown.ok_or("an event")?;
            self.out.push_str("{\"type\":\"");
            push_integer(unknown.into(), &mut self.out);
            self.out.push_str("\"}");
            return Ok(());
        };
        let event = binary.find(|event| event.number == arm).ok_or("an event")?;
        let message = Fields(message).message(arm)?.unwrap_or_default();
        let common = Fields(&message).message(COMMON)?.ok_or("what all events have")?;
        let declared = match Fields(&common).last(TYPE)? {
            None => 0,
            Some(ProtobufValue::Varint(number)) => number,
            Some(_) => return Err("the number of its type"),
        };
        if declared != u64::from((binary.type_of)(arm)) {
            return Err("the type of the field that it stands in");
        }
        self.out.push('{');
        self.out.push_str("\"type\":");
        write_string(event.name, &mut self.out);
        for slot in event.members.iter().map(FieldSlot::of_event) {
            let from = if slot.number.is_common() { &common } else { &message };
            self.member(&slot, from)?;
        }
        self.out.push('}');
        Ok(())
    }

    /// Writes a comma unless the value is the first one in its brackets.
    pub fn comma(&mut self) {
        if !self.out.ends_with(['{', '[']) {
            self.out.push(',');
        }
    }

    pub fn check_room(&self) -> Result<(), WireError> {
        if self.out.len() > self.most { Err("an event of at most `event_bytes`") } else { Ok(()) }
    }

    pub fn nested(
        &mut self,
        work: impl FnOnce(&mut Self) -> Result<(), WireError>,
    ) -> Result<(), WireError> {
        self.depth = self.depth.checked_sub(1).ok_or("less nesting than `json_depth`")?;
        self.check_room()?;
        work(self)?;
        self.depth += 1;
        Ok(())
    }

    /// Reads all occurrences of a field as a list. Returns false if the field does not occur.
    pub fn list(
        &mut self,
        field: u32,
        message: &[u8],
        mut item: impl FnMut(&mut Self, &[u8]) -> Result<(), WireError>,
    ) -> Result<bool, WireError> {
        let (mut fields, start) = (Fields(message), self.out.len());
        self.out.push('[');
        while let Some((number, value)) = fields.next()? {
            if let ProtobufValue::Bytes(value) = value
                && number == field
            {
                self.check_room()?;
                self.comma();
                item(self, value)?;
            }
        }
        self.out.push(']');
        Ok(self.out.len() > start + 2)
    }

    /// Reads a member of an object, if it is present.
    pub fn member(&mut self, slot: &FieldSlot, message: &[u8]) -> Result<(), WireError> {
        if slot.number.field() == 0 && !slot.number.is_inside() {
            return Ok(());
        }
        let start = self.out.len();
        self.comma();
        write_string(slot.name, &mut self.out);
        self.out.push(':');
        self.path.push(slot.name);
        if !self.of(slot, message)? {
            self.out.truncate(start);
        }
        self.path.pop();
        Ok(())
    }

    /// Reads the value of a member. Returns false if it is absent.
    fn of(&mut self, slot: &FieldSlot, message: &[u8]) -> Result<bool, WireError> {
        let (fields, number) = (Fields(message), slot.number.field());
        match slot.check {
            Check::TextOr(table) => {
                let text = fields.last(number)?;
                // Without a text, the member is a list, which may be empty.
                let number = FieldNumber(slot.number.other() as u16);
                let list =
                    FieldSlot { number, check: Check::List(table), is_required: true, ..*slot };
                let start = self.out.len();
                let has_list = self.of(&list, message)?;
                match text {
                    Some(_) if has_list && self.out.len() > start + 2 => {
                        Err("a text or a list of parts")
                    }
                    Some(ProtobufValue::Bytes(text)) => {
                        self.out.truncate(start);
                        self.text(text);
                        Ok(true)
                    }
                    _ => Ok(has_list),
                }
            }
            Check::Texts | Check::List(_) | Check::NonEmpty(_) | Check::OpenList(_) => {
                let start = self.out.len();
                let has = self.list(number, message, |reading, item| match slot.check.table() {
                    Some(table) => reading.item(table, item),
                    None => {
                        reading.text(item);
                        Ok(())
                    }
                })?;
                if !has && !slot.is_required {
                    self.out.truncate(start);
                }
                Ok(has || slot.is_required)
            }
            Check::Object(table) if slot.number.is_inside() => self.variant(table, message, true),
            Check::Integer | Check::Safe | Check::Count => match fields.last(number)? {
                Some(ProtobufValue::Varint(value)) => {
                    push_integer(value as i64, &mut self.out);
                    Ok(true)
                }
                _ => Ok(false),
            },
            Check::Bool => match fields.last(number)? {
                Some(ProtobufValue::Varint(value)) => {
                    self.out.push_str(if value == 0 { "false" } else { "true" });
                    Ok(true)
                }
                _ => Ok(false),
            },
            Check::Text | Check::Id | Check::Word(_) | Check::Pointer => {
                match fields.last(number)? {
                    Some(ProtobufValue::Bytes(text)) => {
                        self.text(text);
                        Ok(true)
                    }
                    None if slot.is_implicit() => {
                        self.out.push_str("\"\"");
                        Ok(true)
                    }
                    _ => Ok(false),
                }
            }
            Check::AnyObject if !slot.number.is_value() => {
                let Some(inside) = fields.message(number)? else { return Ok(false) };
                self.nested(|reading| reading.object(&inside)).map(|()| true)
            }
            Check::Any | Check::Unread | Check::Message | Check::NotNull | Check::AnyObject => {
                let Some(inside) = fields.message(number)? else { return Ok(false) };
                self.value(&inside).map(|()| true)
            }
            Check::Object(table) => {
                let Some(inside) = fields.message(number)? else { return Ok(false) };
                self.item(table, &inside).map(|()| true)
            }
        }
    }

    /// Reads an object: an element of a list, or a message that is a member.
    fn item(&mut self, table: &'static EventTable, message: &[u8]) -> Result<(), WireError> {
        self.nested(|reading| match table.rows {
            [row] if table.tag.is_empty() => {
                reading.out.push('{');
                row.members
                    .iter()
                    .try_for_each(|row| reading.member(&FieldSlot::of(row), message))?;
                reading.out.push('}');
                Ok(())
            }
            _ => reading.variant(table, message, false).map(drop),
        })
    }
}

// Reads objects with several variants, which are identified by a tag.

type Variants = &'static [EventRow];

impl MessageReading {
    /// Reads one of several objects. Returns false if it is absent.
    pub fn variant(
        &mut self,
        table: &'static EventTable,
        message: &[u8],
        inside: bool,
    ) -> Result<bool, WireError> {
        let variants = table.rows;
        let tag =
            variants.first().and_then(|row| row.members.iter().find(|row| row.name == table.tag));
        let Some(tag) = tag.map(FieldSlot::of) else { return Ok(false) };
        let start = self.out.len();
        self.out.push('{');
        if tag.number.field() == 0 {
            self.alternative(&tag, variants, message)?;
        } else {
            self.merged(&tag, variants, message)?;
        }
        self.out.push('}');
        let is_there = !inside || self.out.len() > start + 2;
        Ok(is_there)
    }

    /// Each variant is a separate message, and its position is the number of its field.
    fn alternative(
        &mut self,
        tag: &FieldSlot,
        variants: Variants,
        message: &[u8],
    ) -> Result<(), WireError> {
        let arm = Fields(message).arm(variants.len() as u32)?.unwrap_or(0);
        let known = variants.get((arm as usize).wrapping_sub(1));
        write_string(tag.name, &mut self.out);
        self.out.push(':');
        // An unknown variant is dropped when the event is checked.
        write_string(known.map_or("", |row| row.name), &mut self.out);
        let Some(row) = known else { return Ok(()) };
        let inside = Fields(message).message(arm)?.unwrap_or_default();
        row.members
            .iter()
            .filter(|row| row.name != tag.name)
            .try_for_each(|row| self.member(&FieldSlot::of(row), &inside))
    }

    /// All variants are one message. Members of other variants are kept; they are checked with the
    /// event.
    fn merged(
        &mut self,
        tag: &FieldSlot,
        variants: Variants,
        message: &[u8],
    ) -> Result<(), WireError> {
        let name = match Fields(message).last(tag.number.field())? {
            Some(ProtobufValue::Bytes(name)) => crate::sse::characters(name).into_owned(),
            Some(ProtobufValue::Varint(number)) if tag.number.is_enum() => {
                let known = usize::try_from(number).ok().and_then(|at| variants.get(at));
                known.map_or_else(|| json::decimal(number as i64), |row| row.name.into())
            }
            None if tag.number.is_enum() => {
                variants.first().map_or_else(String::new, |row| row.name.into())
            }
            _ => String::new(),
        };
        if tag.number.is_enum() {
            write_string(tag.name, &mut self.out);
            self.out.push(':');
            write_string(&name, &mut self.out);
        } else {
            self.member(tag, message)?;
        }
        let own = variants.iter().find(|row| row.name == name).map_or(&[][..], |row| row.members);
        let mut seen: Vec<&str> = alloc::vec![tag.name];
        for (is_own, row) in own
            .iter()
            .map(|row| (true, row))
            .chain(variants.iter().flat_map(|row| row.members.iter().map(|row| (false, row))))
        {
            if seen.contains(&row.name) {
                continue;
            }
            let mut slot = FieldSlot::of(row);
            if !is_own {
                slot.is_required = false;
                if let Check::TextOr(_) = slot.check
                    && Fields(message).last(slot.number.field())?.is_none()
                    && Fields(message).last(slot.number.other())?.is_none()
                {
                    continue;
                }
            }
            let before = self.out.len();
            self.member(&slot, message)?;
            if is_own || self.out.len() > before {
                seen.push(row.name);
            }
        }
        Ok(())
    }
}
