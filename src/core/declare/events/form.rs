//! The forms of members of events: the types for reading, for the public value, and for writing.

use alloc::borrow::Cow;
use core::marker::PhantomData;

use super::table::{EventMemberRow, EventReading, EventTable};
use crate::core::error::DecodeError;
use crate::json::{self, Element, Str, Value, put};

/// A form of members of events. The types are never created: they only occur in declarations.
pub(crate) trait Form {
    /// The check in the table.
    const CHECK: Check;
    /// Whether the member may be omitted.
    const MAY_BE_ABSENT: bool = false;
    /// The meaning of null.
    const NULL: Null = Null::Rejected;
    /// The value while the event is read, before decoding.
    type Wire<'d, 'a: 'd>;
    /// The public value.
    type Value<'a>: IntoOwned;

    /// Converts a value that the table has accepted; `None` if the member is absent, or null with
    /// the same meaning.
    fn take<'d, 'a: 'd>(value: Option<Element<'d, 'a>>) -> Self::Wire<'d, 'a>;
    fn value<'d, 'a: 'd>(wire: Self::Wire<'d, 'a>) -> Self::Value<'a>;
    fn write(value: &Self::Value<'_>, name: &str, object: &mut json::ObjectWriter<'_>);
}

/// Returns the row of a member with a form.
pub(crate) const fn row_of<F: Form>(name: &'static str) -> EventMemberRow {
    EventMemberRow::new(name, F::CHECK, F::MAY_BE_ABSENT, F::NULL)
}

/// The check that the reader of events performs.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(
    not(feature = "ag-ui"),
    allow(dead_code, reason = "only AG-UI checks the JSON inside of events")
)]
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

/// The fold of null as the value of a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Null {
    /// A value of a wrong type.
    Rejected,
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

// The forms of single values: texts, ids, numbers, booleans, free JSON.

/// Declares the forms that are strings on the wire.
macro_rules! strings {
    ($($(#[$doc:meta])* $form:ident)*) => {$(
        $(#[$doc])*
        pub(crate) struct $form;

        impl Form for $form {
            const CHECK: Check = Check::$form;
            type Wire<'d, 'a: 'd> = Str<'a>;
            type Value<'a> = Cow<'a, str>;

            fn take<'d, 'a: 'd>(value: Option<Element<'d, 'a>>) -> Self::Wire<'d, 'a> {
                value.and_then(|value| value.string().ok()).unwrap_or(Str::new("", false))
            }

            fn value<'d, 'a: 'd>(wire: Self::Wire<'d, 'a>) -> Self::Value<'a> {
                wire.to_str()
            }

            fn write(value: &Cow<'_, str>, name: &str, object: &mut json::ObjectWriter<'_>) {
                object.string(name, Some(value));
            }
        }
    )*};
}

strings! {
    /// Text, which may be split into pieces.
    Text
    /// An id. It is stored, so its length is bounded.
    Id
}

/// An error message: a string, the `message` of an object, or any other JSON unchanged.
pub(crate) struct Message;

impl Form for Message {
    const CHECK: Check = Check::Message;
    const NULL: Null = Null::Absent;
    type Wire<'d, 'a: 'd> = Cow<'a, str>;
    type Value<'a> = Cow<'a, str>;

    fn take<'d, 'a: 'd>(value: Option<Element<'d, 'a>>) -> Self::Wire<'d, 'a> {
        let Some(error) = value else { return Cow::Borrowed("") };
        let inside = error.members().filter(|(key, _)| *key == "message");
        let message = inside.filter_map(|(_, value)| value.string().ok()).last().map(Str::to_str);
        message.unwrap_or_else(|| error.words())
    }

    fn value<'d, 'a: 'd>(wire: Self::Wire<'d, 'a>) -> Self::Value<'a> {
        wire
    }

    fn write(value: &Cow<'_, str>, name: &str, object: &mut json::ObjectWriter<'_>) {
        object.string(name, Some(value));
    }
}

/// Declares the forms that are any JSON.
macro_rules! any {
    ($($(#[$doc:meta])* $form:ident $check:ident)*) => {$(
        $(#[$doc])*
        #[allow(dead_code, reason = "not every protocol has every form")]
        pub(crate) struct $form;

        impl Form for $form {
            const CHECK: Check = Check::$check;
            const MAY_BE_ABSENT: bool = true;
            const NULL: Null = Null::Absent;
            type Wire<'d, 'a: 'd> = Option<Element<'d, 'a>>;
            type Value<'a> = Value;

            fn take<'d, 'a: 'd>(value: Option<Element<'d, 'a>>) -> Self::Wire<'d, 'a> {
                value
            }

            fn value<'d, 'a: 'd>(wire: Self::Wire<'d, 'a>) -> Self::Value<'a> {
                wire.map_or(Value::Null, Value::of)
            }

            fn write(value: &Value, name: &str, object: &mut json::ObjectWriter<'_>) {
                object.value(name, Some(value));
            }
        }
    )*};
}

any! {
    /// Any JSON; null if the event does not have the member.
    Json Any
    /// A string or number without a meaning for the answer: a nonce, a time. Events that differ
    /// only in it are treated as equal.
    Unread Unread
}

/// Declares the forms that are one small value.
macro_rules! small {
    ($($(#[$doc:meta])* $form:ident $Value:ty, $read:ident, $write:ident;)*) => {$(
        $(#[$doc])*
        #[allow(dead_code, reason = "not every protocol has every form")]
        pub(crate) struct $form;

        impl Form for $form {
            const CHECK: Check = Check::$form;
            type Wire<'d, 'a: 'd> = $Value;
            type Value<'a> = $Value;

            fn take<'d, 'a: 'd>(value: Option<Element<'d, 'a>>) -> $Value {
                value.and_then(|value| value.$read().ok()).unwrap_or_default()
            }

            fn value<'d, 'a: 'd>(wire: $Value) -> $Value {
                wire
            }

            fn write(value: &$Value, name: &str, object: &mut json::ObjectWriter<'_>) {
                object.$write(name, Some(*value));
            }
        }
    )*};
}

small! {
    /// An integer. A string of digits and `1.0` are also accepted.
    Integer i64, integer, integer;
    /// `true` or `false`.
    Bool bool, bool, bool;
}

/// An integer, or a string of digits. Any other value is treated as absent, so that the event is
/// not lost.
pub(crate) struct Number;

impl Form for Number {
    const CHECK: Check = Check::Any;
    const MAY_BE_ABSENT: bool = true;
    const NULL: Null = Null::Absent;
    type Wire<'d, 'a: 'd> = Option<i64>;
    type Value<'a> = Option<i64>;

    fn take<'d, 'a: 'd>(value: Option<Element<'d, 'a>>) -> Option<i64> {
        value?.integer().ok()
    }

    fn value<'d, 'a: 'd>(wire: Option<i64>) -> Option<i64> {
        wire
    }

    fn write(value: &Option<i64>, name: &str, object: &mut json::ObjectWriter<'_>) {
        object.integer(name, *value);
    }
}

// The forms of members that may be absent or null.

/// A member for which absence and null have different meanings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::exhaustive_enums, reason = "there is no fourth case")]
pub enum Presence<T> {
    /// The member is absent.
    Absent,
    /// The member is null.
    Null,
    /// The member has this value.
    Value(T),
}

impl<T> Presence<T> {
    /// Maps the value.
    pub fn map<U>(self, with: impl FnOnce(T) -> U) -> Presence<U> {
        match self {
            Presence::Absent => Presence::Absent,
            Presence::Null => Presence::Null,
            Presence::Value(value) => Presence::Value(with(value)),
        }
    }
}

impl<T: IntoOwned> IntoOwned for Presence<T> {
    type Owned = Presence<T::Owned>;
    fn into_owned(self) -> Self::Owned {
        self.map(T::into_owned)
    }
}

/// Declares the forms for members that may be absent.
macro_rules! absent {
    ($($(#[$doc:meta])* $form:ident $null:ident)*) => {$(
        $(#[$doc])*
        #[allow(dead_code, reason = "not every protocol has every form")]
        pub(crate) struct $form<F>(PhantomData<F>);

        impl<F: Form> Form for $form<F> {
            const CHECK: Check = F::CHECK;
            const MAY_BE_ABSENT: bool = true;
            const NULL: Null = Null::$null;
            type Wire<'d, 'a: 'd> = Option<F::Wire<'d, 'a>>;
            type Value<'a> = Option<F::Value<'a>>;

            fn take<'d, 'a: 'd>(value: Option<Element<'d, 'a>>) -> Self::Wire<'d, 'a> {
                value.is_some().then(|| F::take(value))
            }

            fn value<'d, 'a: 'd>(wire: Self::Wire<'d, 'a>) -> Self::Value<'a> {
                wire.map(F::value)
            }

            fn write(value: &Option<F::Value<'_>>, name: &str, object: &mut json::ObjectWriter<'_>) {
                if let Some(value) = value {
                    F::write(value, name, object);
                }
            }
        }
    )*};
}

absent! {
    /// A member that may be omitted. Null has the same meaning, and is noted.
    Optional Noted
    /// A member that may be omitted or null, with the same meaning.
    Nullable Absent
}

/// A member that may be absent, null, or a value: [`Presence`].
#[allow(dead_code, reason = "not every protocol has every form")]
pub(crate) struct Maybe<F>(PhantomData<F>);

impl<F: Form> Form for Maybe<F> {
    const CHECK: Check = F::CHECK;
    const MAY_BE_ABSENT: bool = true;
    const NULL: Null = Null::Value;
    type Wire<'d, 'a: 'd> = Presence<F::Wire<'d, 'a>>;
    type Value<'a> = Presence<F::Value<'a>>;

    fn take<'d, 'a: 'd>(value: Option<Element<'d, 'a>>) -> Self::Wire<'d, 'a> {
        match value {
            None => Presence::Absent,
            Some(value) if value.is_null() => Presence::Null,
            Some(_) => Presence::Value(F::take(value)),
        }
    }

    fn value<'d, 'a: 'd>(wire: Self::Wire<'d, 'a>) -> Self::Value<'a> {
        wire.map(F::value)
    }

    fn write(value: &Self::Value<'_>, name: &str, object: &mut json::ObjectWriter<'_>) {
        match value {
            Presence::Absent => {}
            Presence::Null => put(object.member(name), "null"),
            Presence::Value(value) => F::write(value, name, object),
        }
    }
}

// Lists and objects inside events, each read on access.

/// A declared object, or one of several that a tag identifies.
pub trait Nested {
    /// The table of the object.
    const TABLE: &'static EventTable;
    /// The object while it is read.
    type Wire<'d>;

    /// Creates an object from a successful reading.
    fn of<'d>(reading: EventReading<'d, 'd>) -> Self::Wire<'d>;

    /// Reads an object.
    fn read<'a>(json: Element<'a, 'a>) -> Result<Self::Wire<'a>, DecodeError> {
        Self::TABLE.read(json).map(Self::of)
    }
}

/// Declared objects in an event: an array of them, or one.
#[derive(Clone, Copy, Debug)]
pub struct NestedJson<'d, T> {
    json: Option<Element<'d, 'd>>,
    of: PhantomData<T>,
}

#[allow(dead_code, reason = "not every protocol looks at it in every way")]
impl<'d, T> NestedJson<'d, T> {
    /// Returns the JSON; `None` if the member is absent.
    pub fn json(self) -> Option<Element<'d, 'd>> {
        self.json
    }

    /// Whether it contains the objects of its document that were skipped.
    pub(crate) fn has_skipped(self) -> bool {
        self.json.is_some_and(Element::has_skipped)
    }

    /// Iterates over the elements of the array as JSON.
    pub fn elements(self) -> impl Iterator<Item = Element<'d, 'd>> + use<'d, T> {
        self.json.and_then(|list| list.array().ok()).into_iter().flatten()
    }
}

#[allow(dead_code, reason = "not every protocol looks at it in every way")]
impl<'d, T: Nested> NestedJson<'d, T> {
    /// Iterates over the elements of the array; an invalid element is an error.
    pub fn each(self) -> impl Iterator<Item = Result<T::Wire<'d>, DecodeError>> + use<'d, T> {
        self.elements().map(T::read)
    }

    /// Returns the object.
    pub fn object(self) -> Option<T::Wire<'d>> {
        T::read(self.json?).ok()
    }
}

/// Declares a form of declared objects. Its public value is JSON, so that it is lossless.
macro_rules! nested {
    ($($(#[$doc:meta])* $form:ident)*) => {$(
        $(#[$doc])*
        #[allow(dead_code, reason = "not every protocol has every form")]
        pub(crate) struct $form<T>(PhantomData<T>);

        impl<T: Nested> Form for $form<T> {
            const CHECK: Check = Check::$form(T::TABLE);
            type Wire<'d, 'a: 'd> = NestedJson<'d, T>;
            type Value<'a> = Value;

            fn take<'d, 'a: 'd>(json: Option<Element<'d, 'a>>) -> NestedJson<'d, T> {
                NestedJson { json, of: PhantomData }
            }

            fn value<'d, 'a: 'd>(wire: NestedJson<'d, T>) -> Value {
                wire.json.map_or(Value::Null, Value::of)
            }

            fn write(value: &Value, name: &str, object: &mut json::ObjectWriter<'_>) {
                object.value(name, Some(value));
            }
        }
    )*};
}

nested! {
    /// An array of declared objects.
    List
    /// A declared object.
    Object
}
