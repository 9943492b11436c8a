//! What the value of a member of an event may be: as it is read, as it is handed out, and as it is written.

use alloc::borrow::Cow;

use super::table::Cursor;
use crate::json::{Element, Object, Str, Value};

/// A form that members of events have. Types that are never made: they only stand in declarations.
pub(crate) trait Form {
    /// What the table says of it.
    const CHECK: Check;
    /// Whether the member may be left out. Null is the same, and is noted.
    const OPTIONAL: bool = false;
    /// The value while the event is read: nothing is decoded yet.
    type Wire<'d, 'a: 'd>;
    /// The value as it is handed out.
    type Value<'a>: IntoOwned;

    fn take<'d, 'a: 'd>(cursor: &mut Cursor<'_, 'd, 'a>) -> Self::Wire<'d, 'a>;
    fn value<'d, 'a: 'd>(wire: Self::Wire<'d, 'a>) -> Self::Value<'a>;
    fn write(value: &Self::Value<'_>, name: &str, object: &mut Object<'_>);
}

/// What the reader of events looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Check {
    /// A string.
    Text,
    /// A string of at most [`Limits::id_bytes`](crate::Limits::id_bytes).
    Id,
    /// Anything but null: a message, whatever its shape.
    Message,
    /// Anything. Absent counts as null.
    Any,
    /// The same, and no protocol's semantics looks at it.
    Unread,
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

impl<T: IntoOwned> IntoOwned for Option<T> {
    type Owned = Option<T::Owned>;
    fn into_owned(self) -> Self::Owned {
        self.map(T::into_owned)
    }
}

/// Declares the forms that are strings on the wire.
macro_rules! strings {
    ($($(#[$doc:meta])* $form:ident)*) => {$(
        $(#[$doc])*
        pub(crate) struct $form;

        impl Form for $form {
            const CHECK: Check = Check::$form;
            type Wire<'d, 'a: 'd> = Str<'a>;
            type Value<'a> = Cow<'a, str>;

            fn take<'d, 'a: 'd>(cursor: &mut Cursor<'_, 'd, 'a>) -> Self::Wire<'d, 'a> {
                cursor.next().and_then(|value| value.string().ok()).unwrap_or(Str::new("", false))
            }

            fn value<'d, 'a: 'd>(wire: Self::Wire<'d, 'a>) -> Self::Value<'a> {
                wire.to_str()
            }

            fn write(value: &Cow<'_, str>, name: &str, object: &mut Object<'_>) {
                object.string(name, Some(value));
            }
        }
    )*};
}

strings! {
    /// Text, which may come in pieces.
    Text
    /// An id: it is kept, so its length is bounded.
    Id
}

/// What went wrong: a string, the `message` of an object, or any other JSON as it stands.
pub(crate) struct Message;

impl Form for Message {
    const CHECK: Check = Check::Message;
    type Wire<'d, 'a: 'd> = Cow<'a, str>;
    type Value<'a> = Cow<'a, str>;

    fn take<'d, 'a: 'd>(cursor: &mut Cursor<'_, 'd, 'a>) -> Self::Wire<'d, 'a> {
        let Some(error) = cursor.next() else { return Cow::Borrowed("") };
        let inside = error.object().into_iter().flatten().filter(|(key, _)| *key == "message");
        let message = inside.filter_map(|(_, value)| value.string().ok()).last().map(Str::to_str);
        message.unwrap_or_else(|| error.words())
    }

    fn value<'d, 'a: 'd>(wire: Self::Wire<'d, 'a>) -> Self::Value<'a> {
        wire
    }

    fn write(value: &Cow<'_, str>, name: &str, object: &mut Object<'_>) {
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
            type Wire<'d, 'a: 'd> = Option<Element<'d, 'a>>;
            type Value<'a> = Value;

            fn take<'d, 'a: 'd>(cursor: &mut Cursor<'_, 'd, 'a>) -> Self::Wire<'d, 'a> {
                cursor.next()
            }

            fn value<'d, 'a: 'd>(wire: Self::Wire<'d, 'a>) -> Self::Value<'a> {
                wire.map_or(Value::Null, Value::of)
            }

            fn write(value: &Value, name: &str, object: &mut Object<'_>) {
                object.value(name, Some(value));
            }
        }
    )*};
}

any! {
    /// Any JSON; null where the event has none.
    Json Any
    /// A string or number that means nothing for the answer: a nonce, a time. Events that differ in it alone are alike.
    Unread Unread
}

/// What may be left out.
pub(crate) struct Optional<F>(core::marker::PhantomData<F>);

impl<F: Form> Form for Optional<F> {
    const CHECK: Check = F::CHECK;
    const OPTIONAL: bool = true;
    type Wire<'d, 'a: 'd> = Option<F::Wire<'d, 'a>>;
    type Value<'a> = Option<F::Value<'a>>;

    fn take<'d, 'a: 'd>(cursor: &mut Cursor<'_, 'd, 'a>) -> Self::Wire<'d, 'a> {
        if cursor.is_present() {
            return Some(F::take(cursor));
        }
        cursor.next();
        None
    }

    fn value<'d, 'a: 'd>(wire: Self::Wire<'d, 'a>) -> Self::Value<'a> {
        wire.map(F::value)
    }

    fn write(value: &Option<F::Value<'_>>, name: &str, object: &mut Object<'_>) {
        if let Some(value) = value {
            F::write(value, name, object);
        }
    }
}
