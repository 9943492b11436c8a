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

use super::declare::events::filter::{Filter, Needed, Row};
use super::declare::events::form::Check;
use super::declare::events::number::{EventNumbers, Number};
use super::declare::events::table::EventTable;

/// The tables of a protocol's messages.
#[derive(Debug)]
pub struct Binary {
    /// The `Content-Type` of such a stream.
    pub(crate) media_type: &'static str,
    pub(crate) events: &'static EventTable,
    /// The numbers of the events and their members, in the order of the table.
    pub(crate) numbers: &'static [EventNumbers],
    /// Returns the filter of an event's member if its declaration is not sufficient.
    pub(crate) filter_of: fn(&str, &str) -> Option<(&'static str, &'static Filter)>,
    /// Returns a member that is required although its declaration does not require it.
    pub(crate) needed_by: fn(&str) -> &'static str,
    /// The number in the field `type` of an event, by the number of the event's field.
    pub(crate) type_of: fn(u32) -> u32,
}

/// A member of an object or an event, and its field.
#[derive(Clone, Copy, Debug)]
struct Slot {
    name: &'static str,
    number: Number,
    filter: &'static Filter,
    needed: Needed,
}

impl Slot {
    fn of(row: &'static Row) -> Self {
        Slot { name: row.name, number: Number(row.number), filter: &row.filter, needed: row.needed }
    }

    /// Whether the field is in every message, and omitted if it has its default value.
    fn is_implicit(&self) -> bool {
        self.needed == Needed::Always && !self.number.has_presence()
    }
}

impl Binary {
    /// Returns the row of an event with that name, and its numbers.
    fn find(&self, name: &str) -> Option<(&'static str, &'static EventNumbers)> {
        let at = self.events.rows.iter().position(|row| row.name == name)?;
        self.numbers
            .get(at)
            .filter(|numbers| numbers.event > 0)
            .map(|numbers| (self.events.rows[at].name, numbers))
    }

    fn slots(&self, name: &'static str, numbers: &'static EventNumbers) -> impl Iterator<Item = Slot> {
        static TEXT: Filter = Filter::Text;
        static ANY: Filter = Filter::Any;
        static NOT_NULL: Filter = Filter::NotNull;
        let row = self.events.rows.iter().find(|row| row.name == name);
        let members = row.map_or(&[][..], |row| row.members);
        members.iter().zip(numbers.members).map(move |(member, number)| {
            let filter = (self.filter_of)(name, member.name).map(|(_, filter)| filter);
            let is_optional = member.may_be_absent && (self.needed_by)(name) != member.name;
            let plain = match member.check {
                Check::Text | Check::Id => &TEXT,
                _ if is_optional => &NOT_NULL,
                _ => &ANY,
            };
            let needed = if is_optional { Needed::Optional } else { Needed::Always };
            Slot { name: member.name, number: Number(*number), filter: filter.unwrap_or(plain), needed }
        })
    }
}
