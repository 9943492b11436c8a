//! The reader of all events, which uses one table per protocol.

use alloc::borrow::Cow;

use super::form::{Check, Null};
use crate::bytes;
#[cfg(feature = "std")]
use crate::core::declare::model::shape::{UnionShape, WordsShape};
use crate::core::detect::Opening;
use crate::core::error::DecodeError;
use crate::json::{self, Element, JsonErrorKind, Raw, Str};

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
pub struct EventReading<'d, 'a> {
    /// The number of its row; `None` for an undeclared kind.
    pub row: Option<usize>,
    /// The value of its tag.
    pub name: Option<Str<'a>>,
    /// The whole event.
    pub json: Element<'d, 'a>,
    tag: &'static str,
    kind: Option<&'static EventRow>,
    /// The positions of the values of the row's members; 0 for those that are absent, or null with
    /// the same meaning.
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
    pub fn read<'d, 'a>(&self, json: Element<'d, 'a>) -> Result<EventReading<'d, 'a>, DecodeError> {
        let mut reading = EventReading::new(json, self.tag);
        if !self.tag.is_empty() {
            reading.find_tag()?;
        }
        self.read_as(&mut reading)?;
        Ok(reading)
    }

    /// Reads an event with a known tag value.
    #[inline(never)]
    pub fn read_as(&self, reading: &mut EventReading<'_, '_>) -> Result<(), DecodeError> {
        let Some(name) = reading.name.map_or(Some(""), Str::as_plain) else { return Ok(()) };
        let has_name = |row: &EventRow| bytes::same(row.name.as_bytes(), name.as_bytes());
        let Some((at, row)) = self.rows.iter().enumerate().find(|(_, row)| has_name(row)) else {
            return Ok(());
        };
        if reading.find(row)? {
            reading.row = Some(at);
        }
        Ok(())
    }

    /// Whether the first event of a stream is one of these.
    pub(crate) fn contains_event(&self, opening: &Opening<'_, '_>) -> bool {
        let is_known =
            |name: Str<'_>| self.rows.iter().any(|row| !row.name.is_empty() && name == row.name);
        opening.word(self.tag).is_some_and(is_known)
    }

    /// Checks an event and all objects in it.
    pub fn check(&self, json: Element<'_, '_>) -> Result<(), DecodeError> {
        self.read(json)?.check_inside()
    }
}

impl<'d, 'a> EventReading<'d, 'a> {
    /// Creates the reading of an event that has not been read yet.
    pub fn new(json: Element<'d, 'a>, tag: &'static str) -> Self {
        let places = [0; MEMBERS];
        EventReading {
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
    pub fn members(&self) -> &'static [EventMemberRow] {
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

    /// Finds and checks the members of a row. Returns false if the event does not have this kind:
    /// an event without a tag is identified by its first member.
    fn find(&mut self, row: &'static EventRow) -> Result<bool, DecodeError> {
        let rows = row.members;
        let mut members = self.json.object().map_err(|error| DecodeError::new(error, ""))?;
        let mut seen = 0u32;
        // Most servers write members in the order of their declaration, so the search starts with
        // the next one and continues with those after it.
        let mut next = 0;
        while let Some(value) = members.next_value() {
            let is_next = |row: &EventMemberRow| {
                bytes::same_name(value.plain_key().unwrap_or_default(), row.name.as_bytes())
            };
            let as_expected = rows.get(next).is_some_and(is_next).then_some(next);
            let is_at = |at: &usize| rows.get(*at).is_some_and(|row| value.is_of(row.name));
            let Some(at) = as_expected.or_else(|| (next..rows.len()).chain(0..next).find(is_at))
            else {
                self.undeclared += u32::from(!value.is_of(self.tag));
                continue;
            };
            next = at + 1;
            let (Some(member), Some(place)) = (rows.get(at), self.places.get_mut(at)) else {
                continue;
            };
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

    /// Returns the value of a member by its position in the row; `None` if it is absent, or null
    /// with the same meaning.
    #[inline]
    pub fn get(&self, at: usize) -> Option<Element<'d, 'a>> {
        let place = self.places.get(at).copied().filter(|place| *place != 0)?;
        Some(self.json.other(place))
    }

    /// Returns the value of a member by its name; `None` if it is absent, or null with the same
    /// meaning.
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
    pub fn member(&self, name: &str) -> Option<&'static EventMemberRow> {
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
    pub fn other_than(
        &self,
        declared: usize,
    ) -> impl Iterator<Item = (Cow<'a, str>, Raw<'a>)> + use<'d, 'a> {
        let members = self.members();
        let members = members.get(..declared).unwrap_or(members);
        let tag = self.tag;
        let is_declared =
            move |name: &str| name == tag || members.iter().any(|member| member.name == name);
        let others = self.json.members();
        let others = others.filter(move |(key, _)| !key.as_plain().is_some_and(is_declared));
        others.map(|(key, value)| (key.to_str(), value.raw()))
    }

    /// Returns a cursor over the values of the members, in the order of the row.
    pub fn cursor(&self) -> MemberCursor<'_, 'd, 'a> {
        MemberCursor { reading: self, at: 0 }
    }

    /// Checks the objects in the event.
    pub fn check_inside(&self) -> Result<(), DecodeError> {
        self.members().iter().enumerate().try_for_each(|(at, member)| {
            match (member.check, self.get(at)) {
                (Check::List(table), Some(list)) => {
                    list.items().try_for_each(|item| table.check(item))
                }
                (Check::Object(table), Some(object)) if !object.is_null() => table.check(object),
                _ => Ok(()),
            }
        })
    }
}

/// Returns the values of an event's members one after the other.
#[derive(Debug)]
pub struct MemberCursor<'r, 'd, 'a> {
    reading: &'r EventReading<'d, 'a>,
    at: usize,
}

impl<'d, 'a> MemberCursor<'_, 'd, 'a> {
    /// Returns the next value, unless it is absent or null.
    pub fn take(&mut self) -> Option<Element<'d, 'a>> {
        let value = self.reading.get(self.at);
        self.at += 1;
        value
    }
}

// The rows of the tables: one for each kind of event, and one for each of its members.

/// One kind of event.
#[derive(Debug)]
pub struct EventRow {
    /// The value of the tag; empty for the kind without a tag, which is identified by its first
    /// member.
    pub name: &'static str,
    /// Its members.
    pub members: &'static [EventMemberRow],
    /// The required members, one bit each.
    pub(super) required: u32,
    /// The members whose values are checked, one bit each.
    pub(super) checked: u32,
    /// The members that are not read, one bit each.
    pub(super) unread: u32,
    /// An additional check.
    pub(super) also: Option<AlsoCheck>,
    /// Its field in the message of all events; 0 if it does not have one.
    #[cfg(feature = "ag-ui")]
    pub number: u32,
    /// The documentation.
    #[cfg(feature = "std")]
    pub shape: &'static RowShape,
}

/// A check of several members together.
pub type AlsoCheck = fn(&EventReading<'_, '_>) -> Result<(), DecodeError>;

/// One member of such an event.
#[derive(Debug)]
pub struct EventMemberRow {
    /// Its name on the wire.
    pub name: &'static str,
    /// The check of its value.
    pub check: Check,
    /// Whether it may be omitted.
    pub may_be_absent: bool,
    /// The meaning of null.
    pub null: Null,
    /// The check of the JSON inside, for events whose readers drop undeclared values.
    #[cfg(feature = "ag-ui")]
    pub inside: Option<&'static Check>,
    /// Whether the protocol requires it although readers accept events without it.
    #[cfg(feature = "ag-ui")]
    pub is_needed: bool,
    /// Its field in a message.
    #[cfg(feature = "ag-ui")]
    pub number: FieldNumber,
}

/// The maximum number of members that one kind of event may declare.
pub(super) const MEMBERS: usize = 20;

impl EventRow {
    /// Creates a kind of event with a name and members.
    pub const fn new(
        name: &'static str,
        members: &'static [EventMemberRow],
        also: Option<AlsoCheck>,
    ) -> Self {
        assert!(members.len() <= MEMBERS, "too many members");
        let (mut required, mut checked, mut unread, mut at) = (0, 0, 0, 0);
        while at < members.len() {
            required |= (!members[at].may_be_absent as u32) << at;
            let is_any = matches!(members[at].check, Check::Any | Check::Unread | Check::Message);
            checked |= (!is_any as u32) << at;
            unread |= (matches!(members[at].check, Check::Unread) as u32) << at;
            at += 1;
        }
        EventRow {
            name,
            members,
            required,
            checked,
            unread,
            also,
            #[cfg(feature = "ag-ui")]
            number: 0,
            #[cfg(feature = "std")]
            shape: RowShape::NONE,
        }
    }

    /// Adds the documentation.
    #[cfg(feature = "std")]
    pub const fn described(self, shape: &'static RowShape) -> Self {
        EventRow { shape, ..self }
    }

    /// Sets the number of its field.
    #[cfg(feature = "ag-ui")]
    pub const fn numbered(self, number: u32) -> Self {
        EventRow { number, ..self }
    }
}

impl EventMemberRow {
    /// Creates a member.
    pub const fn new(name: &'static str, check: Check, may_be_absent: bool, null: Null) -> Self {
        EventMemberRow {
            name,
            check,
            may_be_absent,
            null,
            #[cfg(feature = "ag-ui")]
            inside: None,
            #[cfg(feature = "ag-ui")]
            is_needed: !may_be_absent,
            #[cfg(feature = "ag-ui")]
            number: FieldNumber(0),
        }
    }

    pub(super) fn check(&self, value: Option<Element<'_, '_>>) -> Result<(), DecodeError> {
        let Some(value) = value else {
            if self.may_be_absent {
                return Ok(());
            }
            let missing = json::Error {
                kind: JsonErrorKind::WrongType { expected: self.check.expected() },
                at: 0,
            };
            let mut error = DecodeError::new(missing, self.name);
            error.code = "missing-member";
            return Err(error);
        };
        let checked = match self.check {
            _ if self.null == Null::Value && value.is_null() => Ok(()),
            Check::Text if value.first() == b'"' => Ok(()),
            Check::Text => Err(value.mismatch("string")),
            Check::Id => value.id().map(drop),
            Check::Integer => value.integer().map(drop),
            Check::Bool => value.bool().map(drop),
            Check::List(_) => value.array().map(drop),
            Check::Object(table) => return table.read(value).map(drop),
            // The other checks are those of the JSON inside of events.
            _ => Ok(()),
        };
        checked.map_err(|error| DecodeError::new(error, self.name))
    }
}

/// Changes to a row for events that are also messages, and whose readers drop undeclared values.
#[cfg(feature = "ag-ui")]
impl EventMemberRow {
    /// Creates a required member.
    pub const fn required(name: &'static str, check: Check) -> Self {
        EventMemberRow::new(name, check, false, Null::Rejected)
    }

    /// Creates a member that may be omitted.
    pub const fn optional(name: &'static str, check: Check) -> Self {
        let null = if matches!(check, Check::Any) { Null::Value } else { Null::Noted };
        EventMemberRow::new(name, check, true, null)
    }

    /// Creates a member that may be omitted, and was null in older versions.
    pub const fn once_null(name: &'static str, check: Check) -> Self {
        EventMemberRow::new(name, check, true, Null::Legacy)
    }

    /// Sets the number of its field.
    pub const fn numbered(self, number: u16) -> Self {
        EventMemberRow { number: FieldNumber(number), ..self }
    }

    /// Sets the check of the JSON inside.
    pub const fn inside(self, check: &'static Check) -> Self {
        EventMemberRow { inside: Some(check), ..self }
    }

    /// Sets that the protocol requires the member.
    pub const fn needed(self) -> Self {
        EventMemberRow { is_needed: true, ..self }
    }

    /// Sets that older versions wrote null for an absent member.
    pub const fn legacy_null(self) -> Self {
        EventMemberRow { null: Null::Legacy, ..self }
    }
}

// The number of a field, with the differences from its member's declaration.

/// A field's number, with flags for differences from its member's declaration. 0: the member does
/// not have a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FieldNumber(pub u16);

#[cfg_attr(not(feature = "binary"), allow(dead_code, reason = "only the binary form has fields"))]
impl FieldNumber {
    const BITS: u16 = 5;
    const MASK: u16 = (1 << Self::BITS) - 1;
    /// A required member whose field may be missing.
    pub const PRESENCE: u16 = 1 << 10;
    /// A string that is an enumeration: the number is its position among the variants.
    pub const ENUM: u16 = 1 << 12;
    /// An object that is a `Value` and not a `Struct`.
    pub const VALUE: u16 = 1 << 13;
    /// The field is in the part that all events have.
    pub const COMMON: u16 = 1 << 14;
    /// An object without a separate message: its members have their fields in the parent.
    pub const INSIDE: u16 = 1 << 15;

    /// Returns the number of the list that may replace a text.
    pub const fn or(number: u16) -> u16 {
        number << Self::BITS
    }

    /// Returns the number of the field.
    pub fn field(self) -> u32 {
        u32::from(self.0 & Self::MASK)
    }

    /// Returns the field of the list that may replace the text.
    pub fn other(self) -> u32 {
        u32::from(self.0 >> Self::BITS & Self::MASK)
    }

    /// Whether the field of a required member may be missing.
    pub fn has_presence(self) -> bool {
        self.0 & Self::PRESENCE != 0
    }

    /// Whether the string is an enumeration.
    pub fn is_enum(self) -> bool {
        self.0 & Self::ENUM != 0
    }

    /// Whether the object is a `Value`.
    pub fn is_value(self) -> bool {
        self.0 & Self::VALUE != 0
    }

    /// Whether the field is in the part that all events have.
    pub fn is_common(self) -> bool {
        self.0 & Self::COMMON != 0
    }

    /// Whether the members have their fields in the parent.
    pub fn is_inside(self) -> bool {
        self.0 & Self::INSIDE != 0
    }
}

/// A number in a declaration: `numbered!(3 | or(8))`.
macro_rules! numbered {
    ($($number:tt)+) => {{
        #[allow(unused_imports, reason = "most numbers have none of these")]
        use $crate::core::declare::events::table::FieldNumber;
        #[allow(dead_code, reason = "most numbers have none of these")]
        const fn or(number: u16) -> u16 {
            FieldNumber::or(number)
        }
        $($number)+
    }};
}

// Parts of the declarations that the reader of events does not need: documentation, and names for
// TypeScript and JSON
// Schema.

/// The name and documentation of one kind of event.
#[cfg(feature = "std")]
#[derive(Debug)]
pub struct RowShape {
    /// The name in TypeScript, if it has a separate one.
    pub name: Option<&'static str>,
    /// Its documentation, line by line.
    pub doc: &'static [&'static str],
    /// Its members, in the order of the row.
    pub members: &'static [EventMemberShape],
    /// The objects of the answer whose own members are the last ones of the row: each event has the
    /// members of its variant.
    pub variants: Option<&'static UnionShape>,
}

/// The documentation of one member of an event.
#[cfg(feature = "std")]
#[derive(Debug)]
pub struct EventMemberShape {
    /// Its documentation, line by line.
    pub doc: &'static [&'static str],
    /// The usual words of the member.
    pub words: Option<&'static WordsShape>,
}

#[cfg(feature = "std")]
impl RowShape {
    /// The shape of rows without documentation.
    pub(super) const NONE: &'static RowShape =
        &RowShape { name: None, doc: &[], members: &[], variants: None };

    /// Returns the names of the members that only some variants have, each once.
    pub fn varying(&self) -> impl Iterator<Item = &'static str> {
        let variants = self.variants.map_or(&[][..], |union| union.variants);
        let all = move || {
            variants.iter().flat_map(|(_, object)| object.members).map(|member| member.name)
        };
        all()
            .enumerate()
            .filter(move |(at, name)| all().position(|other| other == *name) == Some(*at))
            .map(|(_, name)| name)
    }
}

pub(crate) use numbered;
