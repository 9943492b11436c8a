//! Events, declared: a table per protocol, and the one reader of all tables.

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
        let mut reading =
            Reading { row: None, name: None, json, places: [0; MEMBERS], repeated: None, null: None };
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

    /// The values of the members, in the order of the row.
    pub fn cursor(&self) -> Cursor<'_, 'd, 'a> {
        Cursor { reading: self, at: 0 }
    }
}

impl MemberRow {
    fn may_be_null(&self) -> bool {
        self.optional || matches!(self.check, Check::Any | Check::Message)
    }

    fn check(&self, value: Option<Element<'_, '_>>) -> Result<(), DecodeError> {
        let expected = match self.check {
            Check::Any => return Ok(()),
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
            Check::Any | Check::Message => Ok(()),
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

/// Whether the data of an event is that marker, white space around it or not.
pub(crate) fn is_marker(data: &str, marker: &str) -> bool {
    data.trim_ascii() == marker
}

/// Declares the events of a protocol.
///
/// ```ignore
/// events! {
///     /// One event of a stream.
///     Event by "type", end "[DONE]";
///
///     /// The next piece of a call's arguments.
///     ToolCallArgs = "tool-call-args" {
///         /// The call's id.
///         tool_call_id as "toolCallId": Id,
///         /// The piece.
///         delta: Text,
///     }
/// }
/// ```
///
/// Makes `Event<'a>`, whose values are decoded, with `TYPES`, `decode`, `write`, `to_data`, `to_sse`, `name` and
/// `into_owned`; `Wire`, the same before it is decoded, for the fold; and `EVENTS`, the table that both are read by. A kind
/// without a name is the one that has no tag.
macro_rules! events {
    (
        $(#[$meta:meta])*
        $Event:ident by $tag:literal $(, end $end:literal)?;
        $(
            $(#[doc = $doc:literal])*
            $Row:ident $(= $name:literal)? {
                $($(#[doc = $member_doc:literal])* $member:ident $(as $wire:literal)?: $form:ident $(<$inner:ident>)?),*
                $(,)?
            }
        )*
    ) => {
        /// The events of the protocol.
        pub(crate) static EVENTS: $crate::core::declare::events::EventTable = {
            use $crate::core::declare::events::{EventRow, EventTable, MEMBERS, MemberRow};
            use $crate::core::declare::form::{self, Form};
            const ROWS: &[EventRow] = &[$(EventRow {
                name: events!(@name $($name)?),
                members: &[$(MemberRow {
                    name: events!(@member $member $($wire)?),
                    check: <form::$form $(<form::$inner>)? as Form>::CHECK,
                    optional: <form::$form $(<form::$inner>)? as Form>::OPTIONAL,
                },)*],
            },)*];
            const _: () = {
                let mut at = 0;
                while at < ROWS.len() {
                    assert!(ROWS[at].members.len() <= MEMBERS, "too many members");
                    at += 1;
                }
            };
            EventTable { tag: $tag, rows: ROWS }
        };

        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq)]
        #[non_exhaustive]
        pub enum $Event<'a> {
            $(
                $(#[doc = $doc])*
                $Row {
                    $($(#[doc = $member_doc])* $member: events!(@value $form $($inner)?),)*
                },
            )*
            $(
                #[doc = concat!("`", $end, "`, the end. Not JSON.")]
                Done,
            )?
            /// Any other JSON object, verbatim.
            Other {
                #[doc = concat!("Its `", $tag, "`.")]
                name: Option<alloc::borrow::Cow<'a, str>>,
                /// The whole event.
                json: alloc::borrow::Cow<'a, str>,
            },
        }

        /// An event while it is read: nothing is decoded yet, so that a character whose halves are in two pieces can be joined.
        #[derive(Debug)]
        pub(crate) enum Wire<'d, 'a> {
            $($Row { $($member: events!(@wire $form $($inner)?),)* },)*
            #[allow(dead_code, reason = "for protocols that look at events which they do not have")]
            Other { name: Option<$crate::json::Str<'a>>, json: $crate::json::Element<'d, 'a> },
        }

        impl<'d, 'a> Wire<'d, 'a> {
            pub(crate) fn of(reading: &$crate::core::declare::events::Reading<'d, 'a>) -> Self {
                use $crate::core::declare::form::{self, Form};
                enum Number { $($Row),* }
                #[allow(unused_mut, unused_variables)]
                let mut cursor = reading.cursor();
                match reading.row {
                    $(Some(row) if row == Number::$Row as usize => Wire::$Row {
                        $($member: <form::$form $(<form::$inner>)? as Form>::take(&mut cursor),)*
                    },)*
                    _ => Wire::Other { name: reading.name, json: reading.json },
                }
            }
        }

        impl $Event<'_> {
            /// The types of the protocol, in the order of its documentation.
            pub const TYPES: &'static [&'static str] = {
                const ALL: &[&str] = &[$($($name,)?)*];
                ALL
            };

            /// The data of the event: one JSON object on one line, or the end marker.
            pub fn to_data(&self) -> alloc::string::String {
                /// Room for a piece of text: the usual event is written without growing.
                const USUAL: usize = 96;
                let mut out = alloc::string::String::with_capacity(USUAL);
                self.write(&mut out);
                out
            }

            /// The event as one server-sent event, blank line included.
            pub fn to_sse(&self) -> alloc::string::String {
                let mut out = alloc::string::String::new();
                $crate::sse::event(&mut out, None, None, &self.to_data());
                out
            }

            /// Appends the data of the event. What an optional member does not have is left out.
            pub fn write(&self, out: &mut alloc::string::String) {
                use $crate::core::declare::form::{self, Form};
                match self {
                    $(Self::$Row { $($member),* } => {
                        let mut object = $crate::json::Object::open(out, true);
                        $(object.string($tag, Some($name));)?
                        $(<form::$form $(<form::$inner>)? as Form>::write(
                            $member, events!(@member $member $($wire)?), &mut object,
                        );)*
                        object.close();
                    })*
                    $(Self::Done => out.push_str($end),)?
                    Self::Other { json, .. } => $crate::json::put_json(out, json),
                }
            }

            /// What its tag says; `None` for what has none.
            pub fn name(&self) -> Option<&str> {
                match self {
                    $(Self::$Row { .. } => Some(events!(@name $($name)?)).filter(|name| !name.is_empty()),)*
                    $(Self::Done => { let _: &str = $end; None })?
                    Self::Other { name, .. } => name.as_deref(),
                }
            }
        }

        impl<'a> $Event<'a> {
            /// Reads the data of one server-sent event; `max_depth` bounds the nesting of its JSON.
            ///
            /// Fails when it is neither the end marker, white space around it or not, nor one JSON object, or when a
            /// member of its type is missing or of a wrong type. Types and members that the protocol does not have are no
            /// failures.
            pub fn decode(data: &'a str, max_depth: u32) -> Result<Self, $crate::core::error::DecodeError> {
                use $crate::core::declare::form::{self, Form};
                $(if $crate::core::declare::events::is_marker(data, $end) {
                    return Ok(Self::Done);
                })?
                let document = $crate::json::Document::read_into(&mut Default::default(), data, max_depth)?;
                let reading = EVENTS.read(document.root())?;
                Ok(match Wire::of(&reading) {
                    $(Wire::$Row { $($member),* } => Self::$Row {
                        $($member: <form::$form $(<form::$inner>)? as Form>::value($member),)*
                    },)*
                    Wire::Other { name, .. } => Self::Other {
                        name: name.map($crate::json::Str::to_str),
                        json: alloc::borrow::Cow::Borrowed(data),
                    },
                })
            }

            /// The same event, borrowing nothing.
            pub fn into_owned(self) -> $Event<'static> {
                use $crate::core::declare::form::IntoOwned;
                match self {
                    $(Self::$Row { $($member),* } => $Event::$Row { $($member: IntoOwned::into_owned($member),)* },)*
                    $(Self::Done => { let _: &str = $end; $Event::Done })?
                    Self::Other { name, json } => $Event::Other { name: IntoOwned::into_owned(name), json: IntoOwned::into_owned(json) },
                }
            }
        }
    };
    (@name) => { "" };
    (@name $name:literal) => { $name };
    (@member $member:ident) => { stringify!($member) };
    (@member $member:ident $wire:literal) => { $wire };
    (@wire Text) => { $crate::json::Str<'a> };
    (@wire Id) => { $crate::json::Str<'a> };
    (@wire Message) => { alloc::borrow::Cow<'a, str> };
    (@wire Json) => { Option<$crate::json::Element<'d, 'a>> };
    (@wire Optional $inner:ident) => { Option<events!(@wire $inner)> };
    (@value Text) => { alloc::borrow::Cow<'a, str> };
    (@value Id) => { alloc::borrow::Cow<'a, str> };
    (@value Message) => { alloc::borrow::Cow<'a, str> };
    (@value Json) => { $crate::json::Value };
    (@value Optional $inner:ident) => { Option<events!(@value $inner)> };
}
pub(crate) use events;
