//! Lists and objects inside of events, each read when it is taken.

use core::marker::PhantomData;

use super::{Check, Form};
use crate::core::declare::events::table::{EventTable, Reading};
use crate::core::error::DecodeError;
use crate::json::{self, Element, Value};

/// An object that is declared, or one of several that a tag tells apart.
pub trait Nested {
    /// What it looks like.
    const TABLE: &'static EventTable;
    /// The object while it is read.
    type Wire<'d>;

    /// An object that was found to be right.
    fn of<'d>(reading: Reading<'d, 'd>) -> Self::Wire<'d>;

    /// Reads one.
    fn read<'a>(json: Element<'a, 'a>) -> Result<Self::Wire<'a>, DecodeError> {
        Self::TABLE.read(json).map(Self::of)
    }
}

/// Declared objects as they stand in an event: an array of them, or one.
#[derive(Debug)]
pub struct NestedJson<'d, T> {
    json: Option<Element<'d, 'd>>,
    of: PhantomData<T>,
}

#[allow(dead_code, reason = "not every protocol looks at it in every way")]
impl<'d, T> NestedJson<'d, T> {
    /// The JSON; none where the member is absent.
    pub fn json(self) -> Option<Element<'d, 'd>> {
        self.json
    }

    /// Whether it is what holds the objects of its document that were skipped.
    pub(crate) fn has_skipped(self) -> bool {
        self.json.is_some_and(Element::has_skipped)
    }

    /// The elements of the array as JSON.
    pub fn elements(self) -> impl Iterator<Item = Element<'d, 'd>> + use<'d, T> {
        self.json.and_then(|list| list.array().ok()).into_iter().flatten()
    }
}

#[allow(dead_code, reason = "not every protocol looks at it in every way")]
impl<'d, T: Nested> NestedJson<'d, T> {
    /// The elements of the array, each readable or not.
    pub fn each(self) -> impl Iterator<Item = Result<T::Wire<'d>, DecodeError>> + use<'d, T> {
        self.elements().map(T::read)
    }

    /// The one object.
    pub fn object(self) -> Option<T::Wire<'d>> {
        T::read(self.json?).ok()
    }
}

impl<T> Clone for NestedJson<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for NestedJson<'_, T> {}

/// Declares a form of declared objects. As a value that is handed out it is JSON, so that nothing of it is lost.
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

            fn write(value: &Value, name: &str, object: &mut json::Object<'_>) {
                object.value(name, Some(value));
            }
        }
    )*};
}

nested! {
    /// An array of objects that are declared.
    List
    /// An object that is declared.
    Object
}
