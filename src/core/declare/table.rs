//! The one reader of all events: a table per protocol says what they are.

use super::form::Check;
use crate::core::error::DecodeError;
use crate::json::{self, Element, ErrorKind, Str};

/// The events of a protocol.
#[derive(Debug)]
pub(crate) struct EventTable {
    /// The member that says what an event is.
    pub tag: &'static str,
    pub rows: &'static [EventRow],
}

/// One kind of event.
#[derive(Debug)]
pub(crate) struct EventRow {
    /// What the tag says; empty for the kind that has no tag and is known by its first member.
    pub name: &'static str,
    pub members: &'static [MemberRow],
}

/// One member of such an event.
#[derive(Debug)]
pub(crate) struct MemberRow {
    pub name: &'static str,
    pub check: Check,
    pub optional: bool,
}

/// How many members one kind of event may declare.
pub(crate) const MEMBERS: usize = 24;

/// An event that was found to be what its row says.
#[derive(Debug)]
pub(crate) struct Reading<'d, 'a> {
    /// The number of its row; `None` for a kind that is not declared.
    pub row: Option<usize>,
    /// What its tag says.
    pub name: Option<Str<'a>>,
    /// The whole event.
    pub json: Element<'d, 'a>,
    members: &'static [MemberRow],
    /// Where the values of the row's members stand; 0 for those that are absent or null.
    places: [u32; MEMBERS],
    /// A declared member that stood twice; the last value counts.
    pub repeated: Option<&'static str>,
    /// A member that may be left out was null instead.
    pub null: Option<&'static str>,
}

impl EventTable {
    /// Reads an event: a JSON object.
    #[inline(never)]
    pub fn read<'d, 'a>(&self, json: Element<'d, 'a>) -> Result<Reading<'d, 'a>, DecodeError> {
        let mut reading = Reading {
            row: None,
            name: None,
            json,
            members: &[],
            places: [0; MEMBERS],
            repeated: None,
            null: None,
        };
        let tag = reading.tag(self.tag)?;
        reading.name = match tag {
            Some(tag) => Some(tag.string().map_err(|error| DecodeError::new(error, self.tag))?),
            None => None,
        };
        let name = reading.name.map_or(Some(""), Str::as_plain);
        let Some(row) = self.rows.iter().position(|row| Some(row.name) == name) else { return Ok(reading) };
        let members = self.rows[row].members;
        reading.find(members);
        if reading.name.is_none() && reading.places[0] == 0 {
            return Ok(reading);
        }
        for (member, place) in members.iter().zip(reading.places) {
            member.check((place != 0).then(|| json.other(place)))?;
        }
        reading.row = Some(row);
        reading.members = members;
        Ok(reading)
    }
}

impl<'d, 'a> Reading<'d, 'a> {
    /// The last member of that name, unless it is null.
    fn tag(&mut self, name: &'static str) -> Result<Option<Element<'d, 'a>>, DecodeError> {
        let mut members = self.json.object().map_err(|error| DecodeError::new(error, ""))?;
        let mut tag = None;
        while let Some(value) = members.next_value() {
            if value.is_of(name) && tag.replace(value).is_some() {
                self.repeated = Some(name);
            }
        }
        Ok(tag.and_then(Element::or_null))
    }

    /// Fills the places.
    fn find(&mut self, rows: &'static [MemberRow]) {
        let Ok(mut members) = self.json.object() else { return };
        let mut seen = 0u32;
        // Most servers write members in the order of their declaration, so the next one is looked at first.
        let mut next = 0;
        while let Some(value) = members.next_value() {
            let is_it = |row: &MemberRow| value.is_of(row.name);
            let as_expected = rows.get(next).is_some_and(is_it).then_some(next);
            let Some(at) = as_expected.or_else(|| rows.iter().position(is_it)) else { continue };
            next = at + 1;
            let row = &rows[at];
            if seen & 1 << at != 0 {
                self.repeated = Some(row.name);
            }
            seen |= 1 << at;
            if value.is_null() && row.optional {
                self.null = Some(row.name);
            }
            if let Some(place) = self.places.get_mut(at) {
                *place = if value.is_null() && row.may_be_null() { 0 } else { value.place() };
            }
        }
    }

    /// Whether a member is declared.
    #[cfg(feature = "ag-ui")]
    pub fn declares(&self, name: &str) -> bool {
        self.members.iter().any(|member| member.name == name)
    }

    /// The strings and numbers that nobody looks at.
    pub fn unread(&self) -> impl Iterator<Item = Element<'d, 'a>> {
        let members = self.members.iter().zip(self.places);
        let unread = members.filter(|(member, place)| member.check == Check::Unread && *place != 0);
        unread.map(|(_, place)| self.json.other(place))
    }

    /// The values of the members, in the order of the row.
    pub fn cursor(&self) -> Cursor<'_, 'd, 'a> {
        Cursor { reading: self, at: 0 }
    }
}

impl MemberRow {
    fn may_be_null(&self) -> bool {
        self.optional || matches!(self.check, Check::Any | Check::Unread | Check::Message)
    }

    fn check(&self, value: Option<Element<'_, '_>>) -> Result<(), DecodeError> {
        let expected = match self.check {
            Check::Any | Check::Unread => return Ok(()),
            _ if self.optional && value.is_none() => return Ok(()),
            Check::Message => "a message",
            Check::Text | Check::Id => "string",
        };
        let Some(value) = value else {
            let missing = json::Error { kind: ErrorKind::WrongType { expected }, at: 0 };
            let mut error = DecodeError::new(missing, self.name);
            error.code = "missing-member";
            return Err(error);
        };
        let checked = match self.check {
            Check::Text => value.string().map(drop),
            Check::Id => value.id().map(drop),
            Check::Any | Check::Unread | Check::Message => Ok(()),
        };
        checked.map_err(|error| DecodeError::new(error, self.name))
    }
}

/// Takes the values of an event's members one after the other.
#[derive(Debug)]
pub(crate) struct Cursor<'r, 'd, 'a> {
    reading: &'r Reading<'d, 'a>,
    at: usize,
}

impl<'d, 'a> Cursor<'_, 'd, 'a> {
    /// The next value, unless it is absent or null.
    pub fn next(&mut self) -> Option<Element<'d, 'a>> {
        let place = self.place();
        self.at += 1;
        (place != 0).then(|| self.reading.json.other(place))
    }

    /// Whether the next one is there.
    pub fn is_present(&self) -> bool {
        self.place() != 0
    }

    fn place(&self) -> u32 {
        self.reading.places.get(self.at).copied().unwrap_or(0)
    }
}
