//! The forms of members of events: the types for reading, for the public value, and for writing.

mod nested;
mod presence;
mod scalar;

pub use nested::NestedJson;
#[allow(unused_imports, reason = "not every protocol has every form")]
pub(crate) use nested::{List, Nested, Object};
pub use presence::Presence;
#[allow(unused_imports, reason = "as above")]
pub(crate) use presence::{Maybe, Nullable, Optional};
#[allow(unused_imports, reason = "as above")]
pub(crate) use scalar::{Bool, Id, Integer, Json, Message, Number, Text, Unread};

use alloc::borrow::Cow;

use super::row::MemberRow;
use super::table::EventTable;
use crate::json::{self, Element, Value};

/// A form of members of events. The types are never created: they only occur in declarations.
pub(crate) trait Form {
    /// The check in the table.
    const CHECK: Check;
    /// Whether the member may be omitted.
    const MAY_BE_ABSENT: bool = false;
    /// The meaning of null.
    const NULL: Null = Null::Refused;
    /// The value while the event is read, before decoding.
    type Wire<'d, 'a: 'd>;
    /// The public value.
    type Value<'a>: IntoOwned;

    /// Converts a value that the table has accepted; `None` if the member is absent, or null with the same meaning.
    fn take<'d, 'a: 'd>(value: Option<Element<'d, 'a>>) -> Self::Wire<'d, 'a>;
    fn value<'d, 'a: 'd>(wire: Self::Wire<'d, 'a>) -> Self::Value<'a>;
    fn write(value: &Self::Value<'_>, name: &str, object: &mut json::Object<'_>);
}

/// Returns the row of a member with a form.
pub(crate) const fn row_of<F: Form>(name: &'static str) -> MemberRow {
    MemberRow::new(name, F::CHECK, F::MAY_BE_ABSENT, F::NULL)
}

/// The check that the reader of events performs.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(not(feature = "ag-ui"), allow(dead_code, reason = "only AG-UI checks the JSON inside of events"))]
pub enum Check {
    /// A string.
    Text,
    /// A string of at most [`Limits::id_bytes`](crate::Limits::id_bytes).
    Id,
    /// A number that is an integer, or a string of digits.
    Integer,
    /// `true` or `false`.
    Bool,
    /// An array, whose elements the table reads on access.
    List(&'static EventTable),
    /// An object that the table reads.
    Object(&'static EventTable),
    /// A message of any shape.
    Message,
    /// Any JSON.
    Any,
    /// Any JSON that the meaning of the protocol does not read.
    Unread,
    /// Any JSON but null.
    NotNull,
    /// An object with any members.
    AnyObject,
    /// One of these strings.
    Word(&'static [&'static str]),
    /// A string that is a JSON Pointer.
    Pointer,
    /// An integer that every reader can represent.
    Safe,
    /// Such an integer that is not negative.
    Count,
    /// An array of strings.
    Texts,
    /// As `List`, with at least one element.
    NonEmpty(&'static EventTable),
    /// As `List`, with undeclared members kept.
    OpenList(&'static EventTable),
    /// A string, or a `List`.
    TextOr(&'static EventTable),
}

impl Check {
    /// Returns the table of the objects in the value.
    pub fn table(self) -> Option<&'static EventTable> {
        match self {
            Check::List(table)
            | Check::Object(table)
            | Check::NonEmpty(table)
            | Check::OpenList(table)
            | Check::TextOr(table) => Some(table),
            _ => None,
        }
    }

    /// Returns the name of the expected type.
    pub(super) fn expected(self) -> &'static str {
        match self {
            Check::Text | Check::Id | Check::TextOr(_) => "string",
            Check::Word(_) => "one of the protocol's words",
            Check::Pointer => "JSON Pointer",
            Check::Integer | Check::Safe | Check::Count => "integer",
            Check::Bool => "boolean",
            Check::List(_) | Check::Texts | Check::NonEmpty(_) | Check::OpenList(_) => "array",
            Check::Object(_) | Check::AnyObject => "object",
            Check::Message => "a message",
            Check::NotNull => "anything but null",
            Check::Any | Check::Unread => "a value",
        }
    }
}

/// The meaning of null as the value of a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Null {
    /// A value of a wrong type.
    Refused,
    /// Treated as absent, with a note.
    Noted,
    /// Treated as absent, as in older versions.
    Legacy,
    /// Treated as absent.
    Absent,
    /// A value like others.
    Value,
}

/// The conversion of a value to one that does not borrow.
pub(crate) trait IntoOwned {
    type Owned;
    fn into_owned(self) -> Self::Owned;
}

impl IntoOwned for Cow<'_, str> {
    type Owned = Cow<'static, str>;
    fn into_owned(self) -> Cow<'static, str> {
        Cow::Owned(Cow::into_owned(self))
    }
}

/// Implements the conversion of types that never borrow.
macro_rules! owned {
    ($($Type:ty)*) => {$(
        impl IntoOwned for $Type {
            type Owned = $Type;
            fn into_owned(self) -> $Type {
                self
            }
        }
    )*};
}
owned!(Value i64 bool);

impl<T: IntoOwned> IntoOwned for Option<T> {
    type Owned = Option<T::Owned>;
    fn into_owned(self) -> Self::Owned {
        self.map(T::into_owned)
    }
}
