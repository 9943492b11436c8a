//! The rows of the tables: one for each kind of event, and one for each of its members.

use super::form::{Check, Null};
#[cfg(feature = "ag-ui")]
use super::number::Number;
#[cfg(feature = "std")]
use super::shape::RowShape;
use super::table::Reading;
use crate::core::error::DecodeError;
use crate::json::{self, Element, ErrorKind};

/// One kind of event.
#[derive(Debug)]
pub struct EventRow {
    /// The value of the tag; empty for the kind without a tag, which is identified by its first member.
    pub name: &'static str,
    /// Its members.
    pub members: &'static [MemberRow],
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
pub type AlsoCheck = fn(&Reading<'_, '_>) -> Result<(), DecodeError>;

/// One member of such an event.
#[derive(Debug)]
pub struct MemberRow {
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
    pub number: Number,
}

/// The maximum number of members that one kind of event may declare.
pub(super) const MEMBERS: usize = 20;

impl EventRow {
    /// Creates a kind of event with a name and members.
    pub const fn new(name: &'static str, members: &'static [MemberRow], also: Option<AlsoCheck>) -> Self {
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

impl MemberRow {
    /// Creates a member.
    pub const fn new(name: &'static str, check: Check, may_be_absent: bool, null: Null) -> Self {
        MemberRow {
            name,
            check,
            may_be_absent,
            null,
            #[cfg(feature = "ag-ui")]
            inside: None,
            #[cfg(feature = "ag-ui")]
            is_needed: !may_be_absent,
            #[cfg(feature = "ag-ui")]
            number: Number(0),
        }
    }

    pub(super) fn check(&self, value: Option<Element<'_, '_>>) -> Result<(), DecodeError> {
        let Some(value) = value else {
            if self.may_be_absent {
                return Ok(());
            }
            let missing =
                json::Error { kind: ErrorKind::WrongType { expected: self.check.expected() }, at: 0 };
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
impl MemberRow {
    /// Creates a required member.
    pub const fn required(name: &'static str, check: Check) -> Self {
        MemberRow::new(name, check, false, Null::Refused)
    }

    /// Creates a member that may be omitted.
    pub const fn optional(name: &'static str, check: Check) -> Self {
        let null = if matches!(check, Check::Any) { Null::Value } else { Null::Noted };
        MemberRow::new(name, check, true, null)
    }

    /// Creates a member that may be omitted, and was null in older versions.
    pub const fn once_null(name: &'static str, check: Check) -> Self {
        MemberRow::new(name, check, true, Null::Legacy)
    }

    /// Sets the number of its field.
    pub const fn numbered(self, number: u16) -> Self {
        MemberRow { number: Number(number), ..self }
    }

    /// Sets the check of the JSON inside.
    pub const fn inside(self, check: &'static Check) -> Self {
        MemberRow { inside: Some(check), ..self }
    }

    /// Sets that the protocol requires the member.
    pub const fn needed(self) -> Self {
        MemberRow { is_needed: true, ..self }
    }

    /// Sets that older versions wrote null for an absent member.
    pub const fn legacy_null(self) -> Self {
        MemberRow { null: Null::Legacy, ..self }
    }
}
