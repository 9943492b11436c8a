//! The forms of members that may be absent or null.

use core::marker::PhantomData;

use super::{Check, Form, IntoOwned, Null};
use crate::json::{self, Element, put};

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

            fn write(value: &Option<F::Value<'_>>, name: &str, object: &mut json::Object<'_>) {
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

    fn write(value: &Self::Value<'_>, name: &str, object: &mut json::Object<'_>) {
        match value {
            Presence::Absent => {}
            Presence::Null => put(object.member(name), "null"),
            Presence::Value(value) => F::write(value, name, object),
        }
    }
}
