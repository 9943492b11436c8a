//! Reads objects with several variants, which are identified by a tag.

use alloc::string::String;
use alloc::vec::Vec;

use super::Slot;
use super::read::Reading;
use super::wire::{FieldValue, Fields, Wrong};
use crate::core::declare::events::form::Check;
use crate::core::declare::events::row::EventRow;
use crate::core::declare::events::table::EventTable;
use crate::json::{self, write_string};

type Variants = &'static [EventRow];

impl Reading {
    /// Reads one of several objects. Returns false if it is absent.
    pub fn variant(
        &mut self,
        table: &'static EventTable,
        message: &[u8],
        inside: bool,
    ) -> Result<bool, Wrong> {
        let variants = table.rows;
        let tag = variants.first().and_then(|row| row.members.iter().find(|row| row.name == table.tag));
        let Some(tag) = tag.map(Slot::of) else { return Ok(false) };
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
    fn alternative(&mut self, tag: &Slot, variants: Variants, message: &[u8]) -> Result<(), Wrong> {
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
            .try_for_each(|row| self.member(&Slot::of(row), &inside))
    }

    /// All variants are one message. Members of other variants are kept; they are checked with the event.
    fn merged(&mut self, tag: &Slot, variants: Variants, message: &[u8]) -> Result<(), Wrong> {
        let name = match Fields(message).last(tag.number.field())? {
            Some(FieldValue::Bytes(name)) => crate::sse::characters(name).into_owned(),
            Some(FieldValue::Varint(number)) if tag.number.is_enum() => {
                let known = usize::try_from(number).ok().and_then(|at| variants.get(at));
                known.map_or_else(|| json::decimal(number as i64), |row| row.name.into())
            }
            None if tag.number.is_enum() => variants.first().map_or_else(String::new, |row| row.name.into()),
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
            let mut slot = Slot::of(row);
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
