//! Events in the wire format of Protocol Buffers: the same events as in JSON, read from and written to messages by tables.
//!
//! A declaration gives each member the number of its field; the format of a member in a message follows from its
//! format in JSON. A message is read into the JSON text of its event, which is then processed like every other event,
//! so that both encodings are checked equally.

mod read;
mod value;
mod variants;
mod wire;
mod write;

pub use read::Decoded;
pub(crate) use read::read;
pub use write::Encoded;
pub(crate) use write::write;

use super::declare::events::form::Check;
use super::declare::events::number::Number;
use super::declare::events::row::{EventRow, MemberRow};
use super::declare::events::table::EventTable;

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
struct Slot {
    name: &'static str,
    number: Number,
    check: Check,
    is_required: bool,
}

impl Slot {
    fn of(row: &'static MemberRow) -> Self {
        Slot { name: row.name, number: row.number, check: row.check, is_required: row.is_needed }
    }

    /// Returns the slot of a member of an event.
    fn of_event(row: &'static MemberRow) -> Self {
        let plain = match row.check {
            Check::Text | Check::Id => Check::Text,
            _ if row.is_needed => Check::Any,
            _ => Check::NotNull,
        };
        Slot { check: row.inside.copied().unwrap_or(plain), ..Slot::of(row) }
    }

    /// Whether the field is in every message, and omitted if it has its default value.
    fn is_implicit(&self) -> bool {
        self.is_required && !self.number.has_presence()
    }
}

impl Binary {
    /// Returns an event that has a message.
    fn find(&self, is_it: impl Fn(&EventRow) -> bool) -> Option<&'static EventRow> {
        self.events.rows.iter().find(|row| row.number > 0 && is_it(row))
    }
}
