//! What the value of a member of an event may be: as it is read, as it is handed out, and as it is written.

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

use super::table::EventTable;
use crate::json::{self, Element, Value};

/// A form that members of events have. Types that are never made: they only stand in declarations.
pub(crate) trait Form {
    /// What the table says of it.
    const CHECK: Check;
    /// Whether the member may be left out.
    const MAY_BE_ABSENT: bool = false;
    /// What null is.
    const NULL: Null = Null::Refused;
    /// The value while the event is read: nothing is decoded yet.
    type Wire<'d, 'a: 'd>;
    /// The value as it is handed out.
    type Value<'a>: IntoOwned;

    /// Takes a value that the table has found to be right; none if the member is absent, or null where that is the same.
    fn take<'d, 'a: 'd>(value: Option<Element<'d, 'a>>) -> Self::Wire<'d, 'a>;
    fn value<'d, 'a: 'd>(wire: Self::Wire<'d, 'a>) -> Self::Value<'a>;
    fn write(value: &Self::Value<'_>, name: &str, object: &mut json::Object<'_>);
}

/// What the reader of events looks at.
#[derive(Clone, Copy, Debug)]
pub enum Check {
    /// A string.
    Text,
    /// A string of at most [`Limits::id_bytes`](crate::Limits::id_bytes).
    Id,
    /// A number that is an integer, or a string of digits.
    Integer,
    /// `true` or `false`.
    Bool,
    /// An array, whose elements the table reads when they are taken.
    List(&'static EventTable),
    /// An object, which the table reads.
    Object(&'static EventTable),
    /// A message, whatever its shape.
    Message,
    /// Anything.
    Any,
    /// The same, and no protocol's semantics looks at it.
    Unread,
}

impl Check {
    /// What is missing where a value must be.
    pub(super) fn expected(self) -> &'static str {
        match self {
            Check::Text | Check::Id => "string",
            Check::Integer => "integer",
            Check::Bool => "boolean",
            Check::List(_) => "array",
            Check::Object(_) => "object",
            Check::Message => "a message",
            Check::Any | Check::Unread => "a value",
        }
    }
}

/// What null is as the value of a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Null {
    /// A value of a wrong type.
    Refused,
    /// As good as absent, and worth a note.
    Noted,
    /// As good as absent.
    Absent,
    /// A value like others.
    Value,
}

/// The same value, borrowing nothing.
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

impl IntoOwned for Value {
    type Owned = Value;
    fn into_owned(self) -> Value {
        self
    }
}

impl IntoOwned for i64 {
    type Owned = i64;
    fn into_owned(self) -> i64 {
        self
    }
}

impl IntoOwned for bool {
    type Owned = bool;
    fn into_owned(self) -> bool {
        self
    }
}

impl<T: IntoOwned> IntoOwned for Option<T> {
    type Owned = Option<T::Owned>;
    fn into_owned(self) -> Self::Owned {
        self.map(T::into_owned)
    }
}
