//! The forms of single values: texts, ids, numbers, booleans, free JSON.

use alloc::borrow::Cow;

use super::{Check, Form, Null};
use crate::json::{self, Element, Str, Value};

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

            fn write(value: &Cow<'_, str>, name: &str, object: &mut json::Object<'_>) {
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

    fn write(value: &Cow<'_, str>, name: &str, object: &mut json::Object<'_>) {
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

            fn write(value: &Value, name: &str, object: &mut json::Object<'_>) {
                object.value(name, Some(value));
            }
        }
    )*};
}

any! {
    /// Any JSON; null if the event does not have the member.
    Json Any
    /// A string or number without a meaning for the answer: a nonce, a time. Events that differ only in it are treated
    /// as equal.
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

            fn write(value: &$Value, name: &str, object: &mut json::Object<'_>) {
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

/// An integer, or a string of digits. Any other value is treated as absent, so that the event is not lost.
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

    fn write(value: &Option<i64>, name: &str, object: &mut json::Object<'_>) {
        object.integer(name, *value);
    }
}
