//! The reader of all events, which uses one table per protocol.

use alloc::borrow::Cow;

use super::form::{Check, Null};
use super::row::{EventRow, MEMBERS, MemberRow};
use crate::bytes;
use crate::core::detect::Opening;
use crate::core::error::DecodeError;
use crate::json::{Element, Raw, Str};

/// The events of a protocol, or the objects at one place of an event.
#[derive(Debug)]
pub struct EventTable {
    /// The member with the kind of an event; empty if there is only one kind.
    pub tag: &'static str,
    /// The kinds, each a row.
    pub rows: &'static [EventRow],
}

/// An event that conforms to its row.
#[derive(Clone, Copy, Debug)]
pub struct Reading<'d, 'a> {
    /// The number of its row; `None` for an undeclared kind.
    pub row: Option<usize>,
    /// The value of its tag.
    pub name: Option<Str<'a>>,
    /// The whole event.
    pub json: Element<'d, 'a>,
    tag: &'static str,
    kind: Option<&'static EventRow>,
    /// The positions of the values of the row's members; 0 for those that are absent, or null with the same meaning.
    places: [u32; MEMBERS],
    /// The number of undeclared members. If it is 0, the search for them is skipped.
    undeclared: u32,
    /// A declared member that occurred twice; the last value counts.
    pub repeated: Option<&'static str>,
    /// An optional member that was null.
    pub null: Option<&'static str>,
}

impl EventTable {
    /// Reads an event: a JSON object.
    pub fn read<'d, 'a>(&self, json: Element<'d, 'a>) -> Result<Reading<'d, 'a>, DecodeError> {
        let mut reading = Reading::new(json, self.tag);
        if !self.tag.is_empty() {
            reading.find_tag()?;
        }
        self.read_as(&mut reading)?;
        Ok(reading)
    }

    /// Reads an event with a known tag value.
    #[inline(never)]
    pub fn read_as(&self, reading: &mut Reading<'_, '_>) -> Result<(), DecodeError> {
        let Some(name) = reading.name.map_or(Some(""), Str::as_plain) else { return Ok(()) };
        let is_it = |row: &EventRow| bytes::same(row.name.as_bytes(), name.as_bytes());
        let Some((at, row)) = self.rows.iter().enumerate().find(|(_, row)| is_it(row)) else {
            return Ok(());
        };
        if reading.find(row)? {
            reading.row = Some(at);
        }
        Ok(())
    }

    /// Whether the first event of a stream is one of these.
    pub(crate) fn knows(&self, opening: &Opening<'_, '_>) -> bool {
        let is_known = |name: Str<'_>| self.rows.iter().any(|row| !row.name.is_empty() && name == row.name);
        opening.word(self.tag).is_some_and(is_known)
    }

    /// Checks an event and all objects in it.
    pub fn check(&self, json: Element<'_, '_>) -> Result<(), DecodeError> {
        self.read(json)?.check_inside()
    }
}

impl<'d, 'a> Reading<'d, 'a> {
    /// Creates the reading of an event that has not been read yet.
    pub fn new(json: Element<'d, 'a>, tag: &'static str) -> Self {
        let places = [0; MEMBERS];
        Reading {
            row: None,
            name: None,
            json,
            tag,
            kind: None,
            places,
            undeclared: 0,
            repeated: None,
            null: None,
        }
    }

    /// Returns the declared members.
    pub fn members(&self) -> &'static [MemberRow] {
        self.kind.map_or(&[], |kind| kind.members)
    }

    /// Reads the last member with the tag's name, unless it is null.
    fn find_tag(&mut self) -> Result<(), DecodeError> {
        let mut members = self.json.object().map_err(|error| DecodeError::new(error, ""))?;
        let mut tag = None;
        while let Some(value) = members.next_value() {
            if value.is_of(self.tag) && tag.replace(value).is_some() {
                self.repeated = Some(self.tag);
            }
        }
        let name = tag.and_then(Element::or_null).map(Element::string).transpose();
        self.name = name.map_err(|error| DecodeError::new(error, self.tag))?;
        Ok(())
    }

    /// Finds and checks the members of a row. Returns false if the event does not have this kind: an event without a
    /// tag is identified by its first member.
    fn find(&mut self, row: &'static EventRow) -> Result<bool, DecodeError> {
        let rows = row.members;
        let mut members = self.json.object().map_err(|error| DecodeError::new(error, ""))?;
        let mut seen = 0u32;
        // Most servers write members in the order of their declaration, so the search starts with the next one and
        // continues with those after it.
        let mut next = 0;
        while let Some(value) = members.next_value() {
            let is_next = |row: &MemberRow| {
                bytes::same_name(value.plain_key().unwrap_or_default(), row.name.as_bytes())
            };
            let as_expected = rows.get(next).is_some_and(is_next).then_some(next);
            let is_at = |at: &usize| rows.get(*at).is_some_and(|row| value.is_of(row.name));
            let Some(at) = as_expected.or_else(|| (next..rows.len()).chain(0..next).find(is_at)) else {
                self.undeclared += u32::from(!value.is_of(self.tag));
                continue;
            };
            next = at + 1;
            let (Some(member), Some(place)) = (rows.get(at), self.places.get_mut(at)) else { continue };
            if seen & 1 << at != 0 {
                self.repeated = Some(member.name);
            }
            seen |= 1 << at;
            *place = value.place();
            if value.is_null() && matches!(member.null, Null::Noted | Null::Legacy | Null::Absent) {
                *place = 0;
                if member.null != Null::Absent {
                    self.null = Some(member.name);
                }
            }
        }
        if row.name.is_empty() && !self.tag.is_empty() && self.get(0).is_none() {
            return Ok(false);
        }
        let mut rest = seen & row.checked | row.required;
        while let Some(member) = rows.get(rest.trailing_zeros() as usize) {
            member.check(self.get(rest.trailing_zeros() as usize))?;
            rest &= rest - 1;
        }
        self.kind = Some(row);
        row.also.map_or(Ok(true), |also| also(self).map(|()| true))
    }

    /// Returns the value of a member by its position in the row; `None` if it is absent, or null with the same
    /// meaning.
    #[inline]
    pub fn get(&self, at: usize) -> Option<Element<'d, 'a>> {
        let place = self.places.get(at).copied().filter(|place| *place != 0)?;
        Some(self.json.other(place))
    }

    /// Returns the value of a member by its name; `None` if it is absent, or null with the same meaning.
    #[inline(never)]
    pub fn named(&self, name: &str) -> Option<Element<'d, 'a>> {
        self.get(self.members().iter().position(|member| member.name == name)?)
    }

    /// Returns the text value of such a member.
    #[inline(never)]
    pub fn text(&self, name: &str) -> Option<Str<'a>> {
        self.named(name)?.string().ok()
    }

    /// Returns the integer value of such a member.
    #[inline(never)]
    pub fn integer(&self, name: &str) -> Option<i64> {
        self.named(name)?.integer().ok()
    }

    /// Returns the member from `first` on that occurs first in the event.
    pub fn first_from(&self, first: usize) -> Option<usize> {
        let places = self.places.iter().enumerate().skip(first).filter(|(_, place)| **place != 0);
        places.min_by_key(|(_, place)| **place).map(|(at, _)| at)
    }

    /// Returns the row of a declared member.
    #[cfg(feature = "ag-ui")]
    pub fn member(&self, name: &str) -> Option<&'static MemberRow> {
        self.members().iter().find(|member| member.name == name)
    }

    /// Iterates over the strings and numbers that are not read.
    pub fn unread(&self) -> impl Iterator<Item = Element<'d, 'a>> {
        let mut rest = self.kind.map_or(0, |kind| kind.unread);
        core::iter::from_fn(move || {
            while rest != 0 {
                let at = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                if let value @ Some(_) = self.get(at) {
                    return value;
                }
            }
            None
        })
    }

    /// Whether there are undeclared members.
    #[inline]
    pub fn has_undeclared(&self) -> bool {
        self.undeclared > 0
    }

    /// Iterates over the undeclared members.
    pub fn undeclared(&self) -> impl Iterator<Item = (Cow<'a, str>, Raw<'a>)> + use<'d, 'a> {
        self.other_than(MEMBERS).take(if self.has_undeclared() { usize::MAX } else { 0 })
    }

    /// Iterates over the members that are undeclared or not among the first `declared` ones.
    pub fn other_than(&self, declared: usize) -> impl Iterator<Item = (Cow<'a, str>, Raw<'a>)> + use<'d, 'a> {
        let members = self.members();
        let members = members.get(..declared).unwrap_or(members);
        let tag = self.tag;
        let is_declared = move |name: &str| name == tag || members.iter().any(|member| member.name == name);
        let others = self.json.members();
        let others = others.filter(move |(key, _)| !key.as_plain().is_some_and(is_declared));
        others.map(|(key, value)| (key.to_str(), value.raw()))
    }

    /// Returns a cursor over the values of the members, in the order of the row.
    pub fn cursor(&self) -> Cursor<'_, 'd, 'a> {
        Cursor { reading: self, at: 0 }
    }

    /// Checks the objects in the event.
    pub fn check_inside(&self) -> Result<(), DecodeError> {
        self.members().iter().enumerate().try_for_each(|(at, member)| match (member.check, self.get(at)) {
            (Check::List(table), Some(list)) => list.items().try_for_each(|item| table.check(item)),
            (Check::Object(table), Some(object)) if !object.is_null() => table.check(object),
            _ => Ok(()),
        })
    }
}

/// Returns the values of an event's members one after the other.
#[derive(Debug)]
pub struct Cursor<'r, 'd, 'a> {
    reading: &'r Reading<'d, 'a>,
    at: usize,
}

impl<'d, 'a> Cursor<'_, 'd, 'a> {
    /// Returns the next value, unless it is absent or null.
    pub fn take(&mut self) -> Option<Element<'d, 'a>> {
        let value = self.reading.get(self.at);
        self.at += 1;
        value
    }
}
