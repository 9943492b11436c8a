//! Lists and objects inside events, each read on access.

use core::marker::PhantomData;

use super::{Check, Form};
use crate::core::declare::events::table::{EventTable, Reading};
use crate::core::error::DecodeError;
use crate::json::{self, Element, Value};

/// A declared object, or one of several that a tag identifies.
pub trait Nested {
    /// The table of the object.
    const TABLE: &'static EventTable;
    /// The object while it is read.
    type Wire<'d>;

    /// Creates an object from a successful reading.
    fn of<'d>(reading: Reading<'d, 'd>) -> Self::Wire<'d>;

    /// Reads an object.
    fn read<'a>(json: Element<'a, 'a>) -> Result<Self::Wire<'a>, DecodeError> {
        Self::TABLE.read(json).map(Self::of)
    }
}

/// Declared objects in an event: an array of them, or one.
#[derive(Debug)]
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

impl<T> Clone for NestedJson<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for NestedJson<'_, T> {}

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

            fn write(value: &Value, name: &str, object: &mut json::Object<'_>) {
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
